import type { GameModel } from './game-model.ts';
import { areContrary, type Guard, isPlain, mayHold, type Plain, type Use } from './script-uses.ts';

/** The state of a running game, as far as it decides what scripts can still do. */
interface Situation {
  value(variable: string): unknown;
  /** Whether the actions that this action defers are still waiting to run. */
  isPending(place: string, path: string): boolean;
  /** Whether there is a unit of a type. */
  hasUnit(type: string): boolean;
}

/** The values that a variable can have. */
interface Range {
  readonly values: Set<Plain>;
  /** By how much scripts count up or, if negative, down from `values`. */
  readonly steps: Set<number>;
  isAny: boolean;
}

/**
 * The numbers that a variable can have: from `min` to `max`, but only `starts` and the numbers that differ from one of
 * these by a multiple of `step`.
 */
export interface Numbers {
  readonly min: number;
  readonly max: number;
  /** The numbers to which scripts set the variable, with its first value. */
  readonly starts: readonly number[];
  /** The greatest common divisor of the distances between the numbers; NaN if the distances are not whole. */
  readonly step: number;
  /** The only step in which scripts count, negative for down; NaN if there are several. */
  readonly steps: number;
}

type Action = Pick<Use, 'place' | 'path' | 'guards' | 'after' | 'isOff'>;

/**
 * Finds out what the scripts of a game can still do from a moment on, whatever players do. It evaluates conditions on
 * global variables, and knows what starts scripts, which timers run and which types of units can exist. It assumes that
 * any other condition can be true. So what it excludes is impossible, but what it admits need not be possible.
 */
export class Prospects {
  private readonly situation: Situation | undefined;
  private readonly ranges = new Map<string, Range>();
  private readonly startable = new Set<string>();
  private readonly unitTypes = new Set<string>();
  private isAnyStarted = false;
  private isAnyUnit = false;
  private isGrowing = true;

  /** Without a situation, starts at the beginning of the game. */
  constructor(
    private readonly model: GameModel,
    situation?: Situation,
  ) {
    this.situation = situation;
    const { variables, unitTypes, shops } = model.definition;
    for (const { key, default: initial } of variables.values()) {
      const value = situation === undefined ? initial : situation.value(key);
      const values = new Set(isPlain(value) ? [value] : []);
      this.ranges.set(key, { values, steps: new Set(), isAny: !isPlain(value) });
    }
    for (const type of unitTypes.keys()) if (situation?.hasUnit(type) === true) this.unitTypes.add(type);
    for (const { unitTypes: sold } of shops.values()) for (const type of sold.keys()) this.unitTypes.add(type);
    const all = model.allUses.filter(({ role, isOff }) => role !== 'reads' && role !== 'tells' && !isOff);
    const waiting = new Set(all);
    while (this.isGrowing) {
      this.isGrowing = false;
      for (const place of model.places) if (!this.startable.has(place) && this.canStart(place)) this.start(place);
      for (const use of waiting) {
        if (!this.mayRun(use)) continue;
        waiting.delete(use);
        this.run(use);
      }
    }
  }

  /** Whether an action can run. */
  mayRun(action: Action): boolean {
    const { place, guards, after, isOff } = action;
    if (isOff || !guards.every((guard) => this.mayPass(guard))) return false;
    if (after === undefined) return this.isAnyStarted || this.startable.has(place);
    return after.isAnswer || this.situation?.isPending(after.place, after.path) === true || this.mayRun(after);
  }

  /** Whether there can be units of a type. */
  mayExist(unitType: string): boolean {
    return this.isAnyUnit || this.unitTypes.has(unitType);
  }

  /** The numbers that a variable can have; undefined if other values are possible. */
  numbers(variable: string): Numbers | undefined {
    const { values = [], steps = [], isAny = true } = this.ranges.get(variable) ?? {};
    const numbers = [...values].filter((value) => typeof value === 'number');
    const [start] = numbers;
    if (isAny || start === undefined || numbers.length < [...values].length) return undefined;
    const signed = [...steps];
    return {
      min: signed.some((step) => step < 0) ? -Infinity : Math.min(...numbers),
      max: signed.some((step) => step > 0) ? Infinity : Math.max(...numbers),
      starts: numbers,
      steps: signed.length === 1 ? signed[0]! : NaN,
      step: [...signed, ...numbers.map((value) => value - start)].reduce(commonDivisor, 0),
    };
  }

  private mayPass({ asked }: Guard) {
    return asked.every((test) => {
      const range = this.ranges.get(test.variable);
      if (range === undefined || range.isAny) return true;
      if ([...range.values].some((value) => mayHold(test, value))) return true;
      if (range.steps.size === 0) return false;
      const { min, max } = this.numbers(test.variable) ?? { min: -Infinity, max: Infinity };
      return !areContrary([test, { operator: '>=', value: min }, { operator: '<=', value: max }]);
    });
  }

  private canStart(place: string) {
    const [section, type] = place.split('/');
    if (section === 'unitTypes' && !this.isAnyUnit && !this.unitTypes.has(type!)) return false;
    const starts = this.model.starts(place);
    return starts.some(({ by, name, use }) => {
      if (use !== undefined) return this.mayRun(use);
      // In a running game, `gameStart` has already fired.
      return by !== 'trigger' || name !== 'gameStart' || this.situation === undefined;
    });
  }

  private start(place: string) {
    this.startable.add(place);
    this.isGrowing = true;
  }

  private run({ kind, key, role, value, by, aspect, isWhole, of }: Use) {
    this.isGrowing = true;
    if (role === 'starts' && key === undefined) this.isAnyStarted = true;
    const isOfUnits =
      kind === 'unit' || kind === 'unitType' || kind === 'entity' || (aspect === 'type' && of !== 'player');
    if (isOfUnits && (role === 'creates' || role === 'changes')) {
      const type = String(aspect === 'type' ? value : key);
      if (this.model.definition.unitTypes.has(type)) this.unitTypes.add(type);
      else this.isAnyUnit = true;
    }
    if (kind !== 'variable' || role !== 'changes') return;
    const changed = key === undefined ? (isWhole === true ? [] : this.ranges.values()) : [this.ranges.get(key)];
    for (const range of changed) {
      if (range === undefined) continue;
      if (value === undefined || by === 'counting' || key === undefined) range.isAny = true;
      else if (by === undefined) range.values.add(value);
      else if (typeof value !== 'number') range.isAny = true;
      else range.steps.add(by === 'adding' ? value : -value);
    }
  }
}

function commonDivisor(a: number, b: number): number {
  if (!Number.isInteger(a) || !Number.isInteger(b)) return NaN;
  return b === 0 ? Math.abs(a) : commonDivisor(b, a % b);
}

import { cached } from '../../../engine/core/index.ts';
import { type GameModel, mayHold, type Plain, Prospects, type Test, type Use } from '../../model/index.ts';

/**
 * In two of the forks, in which players explore and stand still, the game goes on for this many times the longest time
 * that it measures, but not longer than `waitSecondsMax`.
 */
const timerFactor = 3;
const waitSecondsMax = 600;
/** Facts about how a game can come to a standstill, which follow from its definition alone. */
export class Expectations {
  /** What scripts can do from the start of the game on. */
  private readonly atStart: Prospects;
  /** How long the long forks last. It depends on the longest time that the game measures, by delays or counters. */
  readonly waitSeconds: number;
  /** The types of units that scripts create for players who are already in the game. */
  readonly given: ReadonlySet<string>;

  constructor(readonly model: GameModel) {
    this.atStart = new Prospects(model);
    const all = [...model.definition.variables.values()];
    const numbers = all.flatMap(({ key }) => {
      const { assigned, initial, compared } = model.values(key)!;
      const isCounted = model
        .changes('variable', key)
        .some(
          ({ by, isOff, place }) =>
            !isOff && by !== undefined && model.starts(place).some(({ name }) => name === 'secondTick'),
        );
      return isCounted ? [...assigned, initial, ...compared].filter((each) => typeof each === 'number') : [];
    });
    const delays = model.allUses.flatMap(({ after }) => (after?.ms ?? 0) / 1000);
    const longest = [...delays, ...numbers].reduce((a, b) => Math.max(a, b), 0);
    this.waitSeconds = Math.ceil(Math.min(waitSecondsMax, longest * timerFactor));
    this.given = new Set(
      model.uses('unit').flatMap(({ key, role, place, isOff }) => {
        const isLater = model.starts(place).some(({ name }) => name !== 'playerJoinsGame' && name !== 'gameStart');
        return role === 'creates' && !isOff && isLater && key !== undefined ? key : [];
      }),
    );
  }

  couldRun(uses: readonly Use[]): boolean {
    return uses.some((use) => this.atStart.mayRun(use));
  }

  /**
   * The actions that can change a variable from this value to another. Undefined unless one of them seems to be meant
   * for this: its script tests the variable, runs some time after setting the value, or belongs to a unit type; or
   * unless the variable goes round through its other values.
   */
  exits(variable: string, value: unknown): readonly Use[] | undefined {
    const changes = this.model.changes('variable', variable).filter(({ isOff }) => !isOff);
    const exits = changes.filter((use) => use.value !== value || use.by !== undefined);
    const enters = new Set(changes.flatMap((use) => (use.value === value && use.by === undefined ? use.place : [])));
    const isMeant = ({ guards, after, place }: Use) => {
      const about = asked(guards, variable);
      return (
        (about.length > 0 && about.every((test) => mayHold(test, value as Plain))) ||
        (after !== undefined && enters.has(place)) ||
        place.startsWith('unitTypes/')
      );
    };
    const isExpected =
      exits.some((use) => isMeant(use) && this.model.starts(use.place).length > 0) || this.isPastRound(variable, value);
    return isExpected ? exits : undefined;
  }

  /**
   * Whether no script changes a variable from this value, although it otherwise goes round through its first value, or
   * although scripts change it from a value that it never gets.
   */
  private isPastRound(variable: string, value: unknown): boolean {
    const transitions = this.model.transitions(variable);
    const first = this.model.values(variable)?.initial;
    const changes = this.model.changes('variable', variable).filter(({ isOff }) => !isOff);
    const isRound = transitions.length < changes.length || transitions.some(({ to }) => to === first);
    return (
      first !== value &&
      isRound &&
      !transitions.some(({ from, to }) => to !== value && from.some((one) => one === value))
    );
  }
}

/** The tests of a variable that some guards contain. */
export function asked(guards: Use['guards'], variable: string): readonly Test[] {
  return guards.flatMap((guard) => guard.asked.filter((test) => test.variable === variable));
}

const known = new WeakMap<GameModel, Expectations>();

export function expectationsOf(model: GameModel): Expectations {
  return cached(known, model, () => new Expectations(model));
}

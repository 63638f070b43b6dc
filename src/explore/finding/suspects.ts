import { type Entity, EntityReader, type Simulation } from '../../../engine/index.ts';
import { globalValue, noEntity, rememberedType, timersOf } from '../../../engine/tools.ts';
import { promptKinds } from '../../bots/index.ts';
import { type GameModel, mayHold, modelOf, type Plain, Prospects, type Test, type Use } from '../../model/index.ts';
import { shortened } from '../../text/index.ts';
import type { IsOver } from '../playing/time-limit.ts';
import { clientsIn, type WaysOptions, waysOn, waysText } from './ways.ts';

/** A player without a unit is missed after this time. */
const patienceSeconds = 30;
/** How often it asks the model whether scripts still have a way on, and for how long a value must have stayed. */
const prospectSeconds = 15;
const stayedSecondsMin = 10;
/** Forks go on for this many of the game's longest timers, within these bounds. */
const timerFactor = 3;
const waySecondsMin = 60;
const waySecondsMax = 600;
/** The same for players who wait for a unit: many games give them one only when the next round begins. */
const noUnitSecondsMin = 120;
const noUnit = 'player without a unit';
/** The maximum length of a value in a message. */
const valueMax = 60;

/** What the definition alone says about how a game can stop. */
class Expectations {
  readonly model: GameModel;
  /** The number variables that scripts count and, where they compare them, set back. */
  readonly counters: readonly string[];
  /** What is in script's power from the start of the game on. */
  private readonly atStart: Prospects;
  /** The longest time that the game measures. */
  readonly longestSeconds: number;
  /** The types of units that scripts create for players who are already in the game. */
  readonly given: ReadonlySet<string>;

  constructor(model: GameModel) {
    this.model = model;
    this.atStart = new Prospects(model);
    const all = [...model.definition.variables.values()];
    this.counters = all.flatMap(({ key, dataType }) =>
      dataType === 'number' && this.resets(key).length > 0 && this.steps(key).length > 0 ? key : [],
    );
    const counted = all.flatMap(({ key }) =>
      this.steps(key).some(({ place }) => model.starts(place).some(({ name }) => name === 'secondTick'))
        ? [...model.values(key)!.assigned, model.values(key)!.initial, ...model.values(key)!.compared]
        : [],
    );
    const delays = model.allUses.flatMap(({ after }) => (after?.ms ?? 0) / 1000);
    const numbers = counted.filter((each) => typeof each === 'number');
    this.longestSeconds = [...delays, ...numbers].reduce((a, b) => Math.max(a, b), 0);
    this.given = new Set(
      model.uses('unit').flatMap(({ key, role, place, isOff }) => {
        const isLater = model.starts(place).some(({ name }) => name !== 'playerJoinsGame' && name !== 'gameStart');
        return role === 'creates' && !isOff && isLater && key !== undefined ? key : [];
      }),
    );
  }

  /** The actions that count a variable. */
  steps(variable: string): readonly Use[] {
    return this.model.changes('variable', variable).filter(({ by, isOff }) => !isOff && by !== undefined);
  }

  /** The actions that set a variable back once it has come to some number. */
  resets(variable: string): readonly Use[] {
    return this.model
      .changes('variable', variable)
      .filter(
        ({ by, isOff, guards, value }) =>
          !isOff && by === undefined && value !== undefined && asked(guards, variable).length > 0,
      );
  }

  /**
   * The actions that give a variable another value; undefined if none is there for this purpose: it tests the variable,
   * follows some time after a change to the value, or belongs to a unit.
   */
  exits(variable: string, value: unknown): readonly Use[] | undefined {
    const changes = this.model.changes('variable', variable).filter(({ isOff }) => !isOff);
    const exits = changes.filter((use) => use.value !== value || use.by !== undefined);
    const enters = new Set(changes.flatMap((use) => (use.value === value && use.by === undefined ? use.place : [])));
    const isMeant = ({ guards, after, place }: Use): boolean => {
      const about = asked(guards, variable);
      return (
        (about.length > 0 && about.every((test) => mayHold(test, value as Plain))) ||
        (after !== undefined && enters.has(place)) ||
        place.startsWith('unitTypes/')
      );
    };
    return exits.some((use) => isMeant(use) && this.atStart.mayRun(use)) ? exits : undefined;
  }

  couldRun(uses: readonly Use[]): boolean {
    return uses.some((use) => this.atStart.mayRun(use));
  }
}

/** What guards ask about a variable. */
function asked(guards: Use['guards'], variable: string): readonly Test[] {
  return guards.flatMap((guard) => guard.asked.filter((test) => test.variable === variable));
}

const known = new WeakMap<GameModel, Expectations>();

function expectationsOf(model: GameModel): Expectations {
  const expectations = known.get(model) ?? new Expectations(model);
  known.set(model, expectations);
  return expectations;
}

/** What stands still from now on, why, and the second from which on it was missed. */
type Suspect = readonly [what: string, message: string, missedSecond: number];

interface Waiting {
  readonly unit: Entity;
  /** When it last controlled a unit, or came in. */
  readonly second: number;
  readonly tick: number;
}

/**
 * Notices that a game cannot go on. The model of the game names suspects: a value that scripts mean to leave, but have
 * no way left to; a counter that has passed the number at which it is set back; a player without a unit, where scripts
 * give units. A suspect is confirmed if players who go on in many ways change nothing.
 */
export class Suspects {
  private readonly sim: Simulation;
  private readonly only: string | undefined;
  private readonly isQuick: boolean;
  private readonly expectations: Expectations;
  /** The values of variables that have few of them, and from which second on they have them. */
  private readonly switches = new Map<string, { readonly value: unknown; readonly from: number }>();
  /** Values that players have left in forks, with the second from which on the variable had them. */
  private readonly cleared = new Set<string>();
  /** The ticks that forks have played. */
  forkTicks = 0;
  private second = 0;
  private readonly clients = new Set<string>();
  private readonly unitTypes = new Set<string>();
  private readonly lastUnits = new Map<string, Waiting>();
  /** Whether a player has got another unit. */
  private isRenewed = false;
  /** When a player was last asked something, which bots of forks do not know. */
  private readonly askedAt = new Map<string, number>();
  private readonly isOver: IsOver;

  /** `only`: the one thing to look for. `isQuick`: few ways to go on are tried. */
  constructor(sim: Simulation, isOver: IsOver, isQuick: boolean, only?: string) {
    this.sim = sim;
    this.isQuick = isQuick;
    this.isOver = isOver;
    this.only = only;
    this.expectations = expectationsOf(modelOf(sim.definition));
    sim.on('output', ({ kind, to }) => {
      if (!promptKinds.has(kind)) return;
      const player = typeof to === 'object' ? sim.handle(to.player) : undefined;
      this.askedAt.set(player?.kind === 'player' ? (player.clientId ?? '') : '', sim.tick);
    });
  }

  /** Call each second. Plays forks if something is suspect, and may run out of time. */
  *look(): Generator<Suspect> {
    const { sim } = this;
    const second = ++this.second;
    const present = clientsIn(sim);
    for (const client of present) this.clients.add(client);
    for (const name of this.expectations.model.switches) {
      const value = globalValue(sim, name);
      const known = this.switches.get(name);
      if (known === undefined || known.value !== value) this.switches.set(name, { value, from: second });
    }
    if (second % prospectSeconds === 0) yield* this.closed();
    yield* this.withoutUnit(present);
  }

  private *withoutUnit(present: readonly string[]): Generator<Suspect> {
    const { sim, lastUnits, second, expectations } = this;
    for (const client of lastUnits.keys()) if (!present.includes(client)) lastUnits.delete(client);
    for (const client of present) {
      const unit = unitOf(sim, client);
      const last = lastUnits.get(client);
      if (last === undefined || unit !== noEntity) lastUnits.set(client, { unit, second, tick: sim.tick });
      if (unit !== noEntity) {
        this.unitTypes.add(rememberedType(sim, unit)?.key ?? '');
        this.isRenewed ||= last !== undefined && unit !== last.unit;
        continue;
      }
      const pause = second - (last?.second ?? second);
      const isExpected = this.isRenewed || [...this.unitTypes].some((type) => expectations.given.has(type));
      const askedAt = Math.max(this.askedAt.get(client) ?? 0, this.askedAt.get('') ?? 0);
      if (pause !== patienceSeconds || !isExpected || !this.isFor(noUnit) || askedAt >= last!.tick) continue;
      const seconds = this.waySeconds(noUnitSecondsMin);
      const isHelped = (fork: Simulation): boolean =>
        !clientsIn(fork).includes(client) || unitOf(fork, client) !== noEntity;
      if (this.comesTrue(seconds, isHelped, { staysAlone: true, clients: [client] })) continue;
      const message = `a player controls no unit from ${last!.second} s on: ${waysText(true)} for ${seconds} s`;
      yield [noUnit, message, last!.second + 1];
    }
  }

  /** Scripts no longer have a way on. */
  private *closed(): Generator<Suspect> {
    const { sim, expectations, second } = this;
    let now: Prospects | undefined;
    const canRun = (uses: readonly Use[]): boolean => {
      now ??= this.prospects();
      return uses.some((use) => now!.mayRun(use));
    };
    for (const [name, { value, from }] of this.switches) {
      const what = `variable ${name}`;
      const isNew = !this.cleared.has(`${name} ${from}`);
      if (!isNew || second - from < stayedSecondsMin || !this.isFor(what)) continue;
      const exits = expectations.exits(name, value);
      if (exits === undefined || canRun(exits)) continue;
      this.cleared.add(`${name} ${from}`);
      const seconds = this.waySeconds(0);
      if (this.comesTrue(seconds, (fork) => globalValue(fork, name) !== value, { about: name })) continue;
      const text = shortened(`${JSON.stringify(value)}`, valueMax);
      const why = 'no script can change it any more';
      yield [what, `${name} stays ${text} from ${from} s on: ${why}; ${waysText()} for ${seconds} s`, from + 1];
    }
    for (const name of expectations.counters) {
      const what = `counter ${name}`;
      const resets = expectations.resets(name);
      if (this.cleared.has(what) || !this.isFor(what) || !expectations.couldRun(resets)) continue;
      if (canRun(resets) || !canRun(expectations.steps(name))) continue;
      this.cleared.add(what);
      const value = globalValue(sim, name);
      const seconds = this.waySeconds(0);
      let direction = 0;
      const turns = (fork: Simulation): boolean => {
        const step = Math.sign(Number(globalValue(fork, name)) - Number(value));
        direction ||= step;
        return step !== 0 && step !== direction;
      };
      if (this.comesTrue(seconds, turns, { about: name })) continue;
      yield [
        what,
        `${name} is ${value}, and no script can set it back any more: ${waysText()} for ${seconds} s`,
        second,
      ];
    }
  }

  private prospects(): Prospects {
    const { sim } = this;
    const { model } = this.expectations;
    const pending = new Set(timersOf(sim).heap.map(({ job, rounds }) => model.deferral(rounds?.job ?? job)));
    const units = new Set(sim.units().map(({ entity }) => rememberedType(sim, entity)?.key));
    return new Prospects(model, {
      value: (variable) => globalValue(sim, variable),
      isPending: (place, path) => pending.has(`${place} ${path}`),
      hasUnit: (type) => units.has(type),
    });
  }

  private waySeconds(least: number): number {
    const seconds = Math.min(waySecondsMax, this.expectations.longestSeconds * timerFactor);
    return Math.ceil(Math.max(waySecondsMin, least, seconds));
  }

  private isFor(what: string): boolean {
    return this.only === undefined || this.only === what;
  }

  private comesTrue(seconds: number, isTrue: (fork: Simulation) => boolean, more: Partial<WaysOptions> = {}): boolean {
    const { sim, clients, isOver, isQuick } = this;
    const onTick = (): void => void this.forkTicks++;
    return waysOn({ sim, isOver, clients, isQuick, onTick, ...more }, seconds, isTrue);
  }
}

/** The unit that a client in the game controls; 0 for none. */
function unitOf(sim: Simulation, clientId: string): Entity {
  const reader = new EntityReader(sim);
  const unit = reader.selectedUnit(reader.playerOf(clientId));
  return reader.is(unit, 'unit') ? unit : noEntity;
}

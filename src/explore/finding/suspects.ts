import { cached } from '../../../engine/core/index.ts';
import { type Entity, EntityReader, type Simulation } from '../../../engine/index.ts';
import { globalValue, internalsOf, noEntity, rememberedType, timersOf, walkingSpeed } from '../../../engine/tools.ts';
import { promptKinds } from '../../bots/index.ts';
import { type GameModel, mayHold, modelOf, type Plain, Prospects, type Test, type Use } from '../../model/index.ts';
import { shortened } from '../../text/index.ts';
import type { IsOver } from '../playing/time-limit.ts';
import { clientsIn, type WaysOptions, waysOn, waysText } from './ways.ts';

/**
 * An event counts as missed once it has not happened for `patienceFactor` times its longest pause so far, for at least
 * `patienceSecondsMin`, and for as long as a long fork takes.
 */
const patienceFactor = 2;
const patienceSecondsMin = 30;
/**
 * How often the model is asked whether scripts can still change a value, and for how long the value must have stayed.
 */
const prospectSeconds = 15;
const stayedSecondsMin = 10;
/** Forks last at least this long. */
const waySecondsMin = 60;
/**
 * In two of the forks, in which players explore and stand still, the game goes on for this many times the longest time
 * that it measures, but not longer than `waitSecondsMax`.
 */
const timerFactor = 3;
const waitSecondsMax = 600;
/**
 * The least duration of forks for players who wait for a unit: many games give them one only when the next round
 * begins.
 */
const noUnitSecondsMin = 120;
const noUnit = 'player without a unit';
/** The maximum length of a value in a message, in characters. */
const valueMax = 60;

/** Records when something happened, in seconds of the play, and the pauses between. */
class Pauses {
  times = 0;
  longest = 0;
  last = 0;

  /**
   * Notes that the event happened. `counts`: whether it is expected to happen again; otherwise only the time is noted.
   */
  note(second: number, counts: boolean) {
    if (counts) this.add(this.times > 0 ? second - this.last : 0);
    this.last = second;
  }

  add(seconds: number) {
    this.longest = Math.max(this.longest, seconds);
    this.times++;
  }

  /** The first second in which the event should have happened again. */
  get missed(): number {
    return this.last + this.longest + 1;
  }

  /**
   * How many seconds to wait for the event in forks, at least `least`. Defined only in the one second in which the
   * event begins to count as missed.
   */
  patience(second: number, quietFrom: number, least: number): number | undefined {
    const seconds = Math.max(patienceSecondsMin, patienceFactor * this.longest, least);
    return this.times > 0 && second - Math.max(this.last, quietFrom) === seconds ? seconds : undefined;
  }
}

/** Facts about how a game can come to a standstill, which follow from its definition alone. */
class Expectations {
  /** What scripts can do from the start of the game on. */
  private readonly atStart: Prospects;
  /** How long the long forks last. It depends on the longest time that the game measures, by delays or counters. */
  readonly waitSeconds: number;
  /** The global variables that scripts count up or down every second. */
  private readonly counted: ReadonlySet<string>;
  /** The types of units that scripts create for players who are already in the game. */
  readonly given: ReadonlySet<string>;

  constructor(readonly model: GameModel) {
    this.atStart = new Prospects(model);
    this.counted = new Set(
      model
        .changes('variable')
        .flatMap(({ key, by, isOff, place }) =>
          !isOff && by !== undefined && model.starts(place).some(({ name }) => name === 'secondTick')
            ? (key ?? [])
            : [],
        ),
    );
    const numbers = [...this.counted].flatMap((key) => {
      const { assigned = [], initial, compared = [] } = model.values(key) ?? {};
      return [...assigned, initial, ...compared].filter((each) => typeof each === 'number');
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
   * for this: its script tests the variable, runs some time after setting the value, or belongs to a unit type; or what
   * sets the value also starts a countdown; or only scripts that nothing starts change it.
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
    const isTimed = [...enters].some((place) =>
      this.model
        .usesIn(place)
        .some(({ key = '', role, by }) => role === 'changes' && by === undefined && this.counted.has(key)),
    );
    const isNeverRun =
      value !== this.model.values(variable)?.initial &&
      exits.length > 0 &&
      exits.every(({ place }) => this.model.starts(place).length === 0);
    return isTimed || isNeverRun || exits.some((use) => isMeant(use) && this.atStart.mayRun(use)) ? exits : undefined;
  }
}

/** The tests of a variable that some guards contain. */
function asked(guards: Use['guards'], variable: string): readonly Test[] {
  return guards.flatMap((guard) => guard.asked.filter((test) => test.variable === variable));
}

const known = new WeakMap<GameModel, Expectations>();

function expectationsOf(model: GameModel): Expectations {
  return cached(known, model, () => new Expectations(model));
}

/** How much forks must show to confirm a suspect. */
interface Doubt {
  /** The least duration of forks, in seconds. */
  readonly least: number;
  /** Whether the model excludes that anything helps. While a play is shrunk, this is enough. */
  readonly isProven: boolean;
}

/** A thing that stands still, the message about it, and the second from which on it was missed. */
type Suspect = readonly [what: string, message: string, missedSecond: number];

interface Waiting {
  readonly unit: Entity;
  /** When the player last controlled a unit, or else joined. */
  readonly second: number;
  readonly tick: number;
}

/**
 * Notices that a game cannot go on. The model of the game names some suspects:
 *
 * - a value that scripts are meant to change, but no longer can, or never could because steps ran in the wrong order;
 * - a player without a unit, in a game whose scripts give units;
 * - a unit that cannot walk.
 *
 * Other suspects are things that happened again and again and then stopped. A suspect is confirmed if it stays so in
 * forks in which players go on in many ways.
 */
export class Suspects {
  private readonly expectations: Expectations;
  private readonly switches: ReadonlyMap<string, { readonly pauses: Pauses; readonly had: Set<unknown> }>;
  private readonly values = new Map<string, unknown>();
  /** Variables already tried in forks, with the second of their last change, so that each value is tried once. */
  private readonly cleared = new Set<string>();
  private second = 0;
  /** The last second without players: pauses are counted only after it. */
  private quietFrom = 0;
  private readonly clients = new Set<string>();
  /** How long players waited for another unit, and the types of units that they had. */
  private readonly units = new Pauses();
  private readonly unitTypes = new Set<string>();
  private readonly lastUnits = new Map<string, Waiting>();
  /** The players who lost their units because another one came. */
  private readonly taken = new Set<string>();
  /** Whether a standstill was found. It explains later standstills, which are then not reported. */
  private isStuck = false;
  /** By unit: the last second in which the unit could walk. */
  private readonly walked = new Map<Entity, number>();
  /**
   * The tick at which the game last asked a player something, by client id (`''`: all players). Bots in forks do not
   * know the question.
   */
  private readonly askedAt = new Map<string, number>();

  /** `only`: the one suspect to look for. */
  constructor(
    private readonly sim: Simulation,
    private readonly isOver: IsOver,
    private readonly only: string | undefined,
  ) {
    const model = modelOf(sim.definition);
    this.expectations = expectationsOf(model);
    this.switches = new Map(model.switches.map((name) => [name, { pauses: new Pauses(), had: new Set() }]));
    sim.on('output', ({ kind, to }) => {
      if (!promptKinds.has(kind)) return;
      const player = typeof to === 'object' ? sim.handle(to.player) : undefined;
      this.askedAt.set(player?.kind === 'player' ? (player.clientId ?? '') : '', sim.tick);
    });
  }

  /** Looks for suspects, and plays forks if there is one. Call it once per simulated second. Throws `OutOfTime`. */
  *look(): Generator<Suspect> {
    const { sim } = this;
    const second = ++this.second;
    const present = clientsIn(sim);
    if (present.length === 0) this.quietFrom = second;
    for (const client of present) this.clients.add(client);
    if (second % prospectSeconds === 0) yield* this.closed();
    yield* this.withoutUnit(present);
    yield* this.stopped();
    yield* this.unmoved(present);
  }

  private *withoutUnit(present: readonly string[]): Generator<Suspect> {
    const { sim, lastUnits, units, second, expectations } = this;
    this.noteTaken(present);
    for (const client of lastUnits.keys()) if (!present.includes(client)) lastUnits.delete(client);
    for (const client of present) {
      const unit = unitOf(sim, client);
      const last = lastUnits.get(client);
      if (last === undefined || unit !== noEntity) lastUnits.set(client, { unit, second, tick: sim.tick });
      if (unit !== noEntity) {
        this.unitTypes.add(rememberedType(sim, unit)?.key ?? '');
        if (last !== undefined && unit !== last.unit) units.add(second - last.second);
        continue;
      }
      const pause = second - (last?.second ?? second);
      const isDue = pause === Math.max(patienceSecondsMin, patienceFactor * units.longest);
      const isExpected =
        units.times > 0 || this.taken.has(client) || [...this.unitTypes].some((type) => expectations.given.has(type));
      const askedAt = Math.max(this.askedAt.get(client) ?? 0, this.askedAt.get('') ?? 0);
      if (!isDue || !isExpected || !this.isFor(noUnit) || this.isStuck || askedAt >= last!.tick) continue;
      const isHelped = (fork: Simulation) => !clientsIn(fork).includes(client) || unitOf(fork, client) !== noEntity;
      yield* this.confirmed(noUnit, `a player controls no unit from ${last!.second} s on`, isHelped, {
        least: noUnitSecondsMin,
        missed: last!.second + units.longest + 1,
        clients: [client],
      });
    }
  }

  /** Notes the players if several, and all who had units, lost them in the second in which another one came. */
  private noteTaken(present: readonly string[]) {
    const had = present.filter((client) => {
      const last = this.lastUnits.get(client);
      return last?.second === this.second - 1 && last.unit !== noEntity;
    });
    if (had.length < 2 || present.every((client) => this.lastUnits.has(client))) return;
    if (had.every((client) => unitOf(this.sim, client) === noEntity)) for (const client of had) this.taken.add(client);
  }

  /** Looks for a variable of few values that no longer changes, although it did before. */
  private *stopped(): Generator<Suspect> {
    const { sim, values, second } = this;
    for (const [name, { pauses, had }] of this.switches) {
      const value = globalValue(sim, name);
      if (value !== values.get(name)) {
        values.set(name, value);
        pauses.note(second, had.has(value));
        had.add(value);
      }
      const what = `variable ${name}`;
      const patience =
        this.isFor(what) && !this.isStuck
          ? pauses.patience(second, this.quietFrom, this.expectations.waitSeconds)
          : undefined;
      if (patience === undefined) continue;
      const why = `before, it changed at least every ${pauses.longest} s`;
      yield* this.stays(name, value, why, { least: patience });
    }
  }

  /** Looks for a unit that can no longer walk. Until another unit destroys it, its player cannot play. */
  private *unmoved(present: readonly string[]): Generator<Suspect> {
    const { sim, second, walked } = this;
    for (const client of present) {
      const unit = unitOf(sim, client);
      const canWalk = (of: Simulation) => walkingSpeed(internalsOf(of).world, unit) > 0;
      if (unit === noEntity || canWalk(sim)) walked.set(unit, second);
      const type = rememberedType(sim, unit)?.key;
      const what = `${type} cannot walk`;
      const since = walked.get(unit);
      if (since === undefined || second - since !== patienceSecondsMin || !this.isFor(what)) continue;
      const health = new EntityReader(sim).attribute(unit, 'health') ?? 0;
      let left = health;
      const walks = (fork: Simulation): boolean | undefined => {
        const reader = new EntityReader(fork);
        if (!reader.exists(unit)) return left < health ? undefined : true;
        left = reader.attribute(unit, 'health') ?? 0;
        return canWalk(fork);
      };
      yield* this.confirmed(what, `the ${what} from ${since} s on`, walks, { missed: since + 1, clients: [client] });
    }
  }

  /** Looks for values that no script can change any more. */
  private *closed(): Generator<Suspect> {
    const { expectations, second } = this;
    let now: Prospects | undefined;
    // If several are closed, one is reported: the one that has returned to earlier values most often.
    const switches = [...this.switches].sort(([, a], [, b]) => b.pauses.times - a.pauses.times);
    for (const [name, { pauses }] of switches) {
      const value = this.values.get(name);
      const isNew = !this.cleared.has(`${name} ${pauses.last}`);
      if (this.isStuck || !isNew || second - pauses.last < stayedSecondsMin || !this.isFor(`variable ${name}`))
        continue;
      const exits = expectations.exits(name, value) ?? this.halfDone(name);
      if (exits === undefined) continue;
      now ??= this.prospects();
      if (exits.some((use) => now!.mayRun(use))) continue;
      this.cleared.add(`${name} ${pauses.last}`);
      yield* this.stays(name, value, 'no script can change it any more', { isProven: true });
    }
  }

  /**
   * The actions that would change a variable for the first time, if a condition of one of them has become true since
   * the start: its other conditions may have had to become true before that. Undefined if the player had a choice:
   * because of the value of the variable, other scripts could change what these actions test.
   */
  private halfDone(name: string): readonly Use[] | undefined {
    const { sim, expectations } = this;
    const { model } = expectations;
    if (this.switches.get(name)!.had.size > 1) return undefined;
    const exits = model.changes('variable', name);
    const tests = exits.flatMap(({ guards }) => guards.flatMap((guard) => guard.asked));
    const isDone = (test: Test) =>
      mayHold(test, globalValue(sim, test.variable) as Plain) &&
      !mayHold(test, model.values(test.variable)?.initial as Plain);
    const isChoice = tests.some(({ variable }) =>
      model
        .changes('variable', variable)
        .some(({ guards }) => asked(guards, name).some((test) => mayHold(test, this.values.get(name) as Plain))),
    );
    return !isChoice && tests.some(isDone) && expectations.couldRun(exits) ? exits : undefined;
  }

  private stays(name: string, value: unknown, why: string, more: Partial<Doubt>): Generator<Suspect> {
    const { last, missed } = this.switches.get(name)!.pauses;
    const changes = (fork: Simulation) => globalValue(fork, name) !== value;
    const text = shortened(`${JSON.stringify(value)}`, valueMax);
    return this.confirmed(`variable ${name}`, `${name} stays ${text} from ${last} s on: ${why}`, changes, {
      ...more,
      missed,
      about: name,
    });
  }

  /** Reports a suspect if nothing helps in any fork. With `clients`, the first of them stays in the game. */
  private *confirmed(
    what: string,
    message: string,
    isHelped: (fork: Simulation) => boolean | undefined,
    { least = 0, isProven = false, missed, ...more }: Partial<WaysOptions & Doubt> & { readonly missed: number },
  ): Generator<Suspect> {
    const { sim, clients, isOver } = this;
    const isOneStaying = more.clients !== undefined;
    const seconds = Math.ceil(Math.max(waySecondsMin, least));
    const waitSeconds = Math.max(seconds, this.expectations.waitSeconds);
    const isConfirmed = isProven && this.only !== undefined;
    if (
      !isConfirmed &&
      waysOn(
        { sim, isOver, clients, isOneStaying, isQuick: this.only !== undefined, waitSeconds, ...more },
        seconds,
        isHelped,
      )
    )
      return;
    this.isStuck = true;
    const wait = waitSeconds > seconds ? `, exploring and standing still for ${waitSeconds} s` : '';
    yield [what, `${message}; ${waysText(isOneStaying)} failed for ${seconds} s${wait}`, missed];
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

  private isFor(what: string) {
    return this.only === undefined || this.only === what;
  }
}

/** The unit that a client in the game controls; 0 for none. */
function unitOf(sim: Simulation, clientId: string): Entity {
  const reader = new EntityReader(sim);
  const unit = reader.selectedUnit(reader.playerOf(clientId));
  return reader.is(unit, 'unit') ? unit : noEntity;
}

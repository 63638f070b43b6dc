import {
  type Entity,
  EntityReader,
  observeScripts,
  playCounts,
  type Simulation,
  scriptsIn,
} from '../../../engine/index.ts';
import { globalValue, internalsOf, noEntity, rememberedType, timersOf } from '../../../engine/tools.ts';
import { promptKinds } from '../../bots/index.ts';
import { type GameModel, mayHold, modelOf, type Plain, Prospects, type Test, type Use } from '../../model/index.ts';
import { FalseComparisons } from '../../run/index.ts';
import { shortened } from '../../text/index.ts';
import { type IsOver, OutOfTime } from '../playing/time-limit.ts';
import { clientsIn, type WaysOptions, waysOn, waysText } from './ways.ts';

/** What has happened this often is expected to happen again, whatever scripts say. */
const timesMin = 3;
/** It is missed after this many times the longest pause before, and after this time at least. */
const patienceFactor = 3;
const patienceSecondsMin = 30;
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
/** A script that time starts makes news if an action of it has not run for this long. */
const newsSeconds = 30;
/** The maximum length of a value in a message. */
const valueMax = 60;

const clock: ReadonlySet<string> = new Set(['secondTick', 'frameTick']);
/** They run in every game, also in one that stands still. */
const meetings: ReadonlySet<string> = new Set([
  'playerJoinsGame',
  'playerLeavesGame',
  'playerSendsMessage',
  'playerSendsChatMessage',
]);

/** Actions that do nothing by themselves. */
const effectless: ReadonlySet<string> = new Set(['condition', 'comment', 'return', 'break', 'continue']);

/** When something happened, in seconds of the play. */
class Pauses {
  times = 0;
  longest = 0;
  last = 0;

  /** `counts`: whether it is something that can happen again. */
  note(second: number, counts: boolean): void {
    if (counts) this.add(this.times > 0 ? second - this.last : 0);
    this.last = second;
  }

  add(seconds: number): void {
    this.longest = Math.max(this.longest, seconds);
    this.times++;
  }

  /** The first second in which it should have happened again. */
  get missed(): number {
    return this.last + this.longest + 1;
  }

  /** How long to wait for it in forks, in the second from which on it is missed. */
  patience(second: number, quietFrom: number): number | undefined {
    const seconds = Math.max(patienceSecondsMin, patienceFactor * this.longest);
    return this.times >= timesMin && second - Math.max(this.last, quietFrom) === seconds ? seconds : undefined;
  }
}

/** What the definition alone says about how a game can stop. */
class Expectations {
  /** The number variables that scripts count and, where they compare them, set back. */
  readonly counters: readonly string[];
  /** What is in script's power from the start of the game on. */
  private readonly atStart: Prospects;
  /** The longest time that the game measures. */
  readonly longestSeconds: number;
  /** The types of units that scripts create for players who are already in the game. */
  readonly given: ReadonlySet<string>;

  constructor(readonly model: GameModel) {
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
 * give units. Others are what happened again and again and then stopped. A suspect is confirmed if players who go on in
 * many ways change nothing.
 */
export class Suspects {
  private readonly only: string | undefined;
  private readonly expectations: Expectations;
  private readonly switches: ReadonlyMap<string, { readonly pauses: Pauses; readonly had: Set<unknown> }>;
  private readonly values = new Map<string, unknown>();
  /** Values that players have left in forks, with the second from which on the variable had them. */
  private readonly cleared = new Set<string>();
  private readonly anything = new Pauses();
  /** By location: 0 for one that is ignored, 1 for one that time starts, 2 for others. */
  private readonly causes: Uint8Array;
  /** By location: how often it had run, and the last second in which it ran. */
  private readonly counts: Float64Array;
  private readonly ranAt: Float64Array;
  /** The ticks that forks have played. */
  forkTicks = 0;
  private second = 0;
  /** The last second in which a variable of few values took one that it had never had before. */
  private newValueAt = 0;
  /** Nobody is missed who was not there. */
  private quietFrom = 0;
  private readonly clients = new Set<string>();
  /** How long players waited for another unit, and the types of units that they had. */
  private readonly units = new Pauses();
  private readonly unitTypes = new Set<string>();
  private readonly lastUnits = new Map<string, Waiting>();
  /** Players without a unit whom others could help to one. */
  private readonly waiting = new Set<string>();
  /** Something stands still, which stops more. */
  private isStuck = false;
  /** When a player was last asked something, which bots of forks do not know. */
  private readonly askedAt = new Map<string, number>();

  /** `only`: the one thing to look for. `isQuick`: few ways to go on are tried. */
  constructor(
    private readonly sim: Simulation,
    private readonly isOver: IsOver,
    private readonly isQuick: boolean,
    only?: string,
  ) {
    this.only = only;
    const model = modelOf(sim.definition);
    this.expectations = expectationsOf(model);
    this.switches = new Map(model.switches.map((name) => [name, { pauses: new Pauses(), had: new Set() }]));
    this.causes = Uint8Array.from(scriptsIn(sim).locations, ({ type, script: { source } }) => {
      if (effectless.has(type)) return 0;
      const { triggers } = source;
      if (triggers.length > 0 && triggers.every((trigger) => meetings.has(trigger))) return 0;
      return triggers.every((trigger) => clock.has(trigger)) ? 1 : 2;
    });
    this.counts = playCounts(sim).locations.slice();
    this.ranAt = new Float64Array(this.counts.length).fill(Number.NEGATIVE_INFINITY);
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
    if (present.length === 0) this.quietFrom = second;
    for (const client of present) this.clients.add(client);
    if (second % prospectSeconds === 0) yield* this.closed();
    yield* this.withoutUnit(present);
    yield* this.stopped();
    yield* this.quiet();
  }

  /** What happens again and again has stopped. */
  private *quiet(): Generator<Suspect> {
    const { second, anything } = this;
    if (this.isNewsSince(second)) anything.note(second, true);
    const nothing = this.isFor('') ? anything.patience(second, this.quietFrom) : undefined;
    // What stops with such a value has ended, as it may be meant to: somebody has won.
    if (
      nothing === undefined ||
      this.isStuck ||
      this.waiting.size > 0 ||
      Math.abs(this.newValueAt - anything.last) <= 1
    )
      return;
    const seconds = this.waySeconds(nothing);
    if (this.goesOn(seconds)) return;
    yield ['', `nothing happens from ${anything.last} s on: ${waysText('all')} for ${seconds} s`, anything.missed];
  }

  private *withoutUnit(present: readonly string[]): Generator<Suspect> {
    const { sim, lastUnits, units, second, expectations } = this;
    for (const client of lastUnits.keys()) {
      if (present.includes(client)) continue;
      lastUnits.delete(client);
      this.waiting.delete(client);
    }
    for (const client of present) {
      const unit = unitOf(sim, client);
      const last = lastUnits.get(client);
      if (last === undefined || unit !== noEntity) lastUnits.set(client, { unit, second, tick: sim.tick });
      if (unit !== noEntity) {
        this.waiting.delete(client);
        this.unitTypes.add(rememberedType(sim, unit)?.key ?? '');
        if (last !== undefined && unit !== last.unit) units.add(second - last.second);
        continue;
      }
      const pause = second - (last?.second ?? second);
      const isDue = pause === Math.max(patienceSecondsMin, patienceFactor * units.longest);
      const isExpected = units.times > 0 || [...this.unitTypes].some((type) => expectations.given.has(type));
      const askedAt = Math.max(this.askedAt.get(client) ?? 0, this.askedAt.get('') ?? 0);
      if (!isDue || !isExpected || !this.isFor(noUnit) || askedAt >= last!.tick) continue;
      const seconds = this.waySeconds(noUnitSecondsMin);
      const isHelped = (fork: Simulation): boolean =>
        !clientsIn(fork).includes(client) || unitOf(fork, client) !== noEntity;
      if (this.comesTrue(seconds, isHelped, { staying: 'one', clients: [client] })) {
        this.waiting.add(client);
        continue;
      }
      const message = `a player controls no unit from ${last!.second} s on: ${waysText('one')} for ${seconds} s`;
      this.isStuck = true;
      yield [noUnit, message, last!.second + units.longest + 1];
    }
  }

  /** A variable of few values no longer changes, as it did before. */
  private *stopped(): Generator<Suspect> {
    const { sim, values, second } = this;
    for (const [name, { pauses, had }] of this.switches) {
      const value = globalValue(sim, name);
      if (value !== values.get(name)) {
        values.set(name, value);
        pauses.note(second, had.has(value));
        if (!had.has(value)) this.newValueAt = second;
        had.add(value);
      }
      const what = `variable ${name}`;
      const patience = this.isFor(what) && !this.isStuck ? pauses.patience(second, this.quietFrom) : undefined;
      if (patience === undefined) continue;
      const before = `it changed at most ${pauses.longest} s apart before`;
      yield* this.stays(name, value, this.waySeconds(patience), before);
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
    for (const [name, { pauses }] of this.switches) {
      const value = this.values.get(name);
      const isNew = !this.cleared.has(`${name} ${pauses.last}`);
      if (!isNew || second - pauses.last < stayedSecondsMin || !this.isFor(`variable ${name}`)) continue;
      const exits = expectations.exits(name, value);
      if (exits === undefined || canRun(exits)) continue;
      this.cleared.add(`${name} ${pauses.last}`);
      yield* this.stays(name, value, this.waySeconds(0), 'no script can change it any more');
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
      this.isStuck = true;
      yield [
        what,
        `${name} is ${value}, and no script can set it back any more: ${waysText()} for ${seconds} s`,
        second,
      ];
    }
  }

  private *stays(name: string, value: unknown, seconds: number, why: string): Generator<Suspect> {
    const { last, missed } = this.switches.get(name)!.pauses;
    if (this.comesTrue(seconds, (fork) => globalValue(fork, name) !== value, { about: name })) return;
    this.isStuck = true;
    const text = shortened(`${JSON.stringify(value)}`, valueMax);
    yield [
      `variable ${name}`,
      `${name} stays ${text} from ${last} s on: ${why}; ${waysText()} for ${seconds} s`,
      missed,
    ];
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

  private isNewsSince(second: number): boolean {
    const { locations } = playCounts(this.sim);
    let isNews = false;
    for (let i = 0; i < locations.length; i++) {
      if (locations[i] === this.counts[i]) continue;
      isNews ||= this.isNews(i);
      this.ranAt[i] = second;
    }
    this.counts.set(locations);
    return isNews;
  }

  /** Whether an action is more than what time alone repeats. */
  private isNews(location: number): boolean {
    const cause = this.causes[location];
    return cause === 2 || (cause === 1 && this.second - this.ranAt[location]! > newsSeconds);
  }

  private comesTrue(seconds: number, isTrue: (fork: Simulation) => boolean, more: Partial<WaysOptions> = {}): boolean {
    const { sim, clients, isOver, isQuick } = this;
    const onTick = (): void => void this.forkTicks++;
    return waysOn({ sim, isOver, clients, isQuick, onTick, ...more }, seconds, isTrue);
  }

  /** Whether time alone changes anything, or players cause an action that time alone does not. */
  private goesOn(seconds: number): boolean {
    const idle = this.sim.fork();
    const endTick = idle.tick + Math.round(seconds * idle.rate);
    const endMs = (endTick / idle.rate) * 1000;
    if (timersOf(idle).heap.some(({ dueMs }) => dueMs > endMs)) return true;
    const comparisons = new FalseComparisons(() => idle.tick);
    observeScripts(idle, comparisons);
    const { attributes } = internalsOf(idle).world;
    const before = attributes.value.slice();
    const alone = playCounts(idle).locations;
    while (idle.tick < endTick) {
      if (idle.ended) return true;
      if (this.isOver()) throw new OutOfTime();
      idle.step();
      this.forkTicks++;
      // Not only at the end: most games are seen to go on in the first second.
      if (idle.tick % Math.max(1, Math.round(idle.rate)) !== 0) continue;
      if (before.some((value, i) => value !== attributes.value[i])) return true;
      if (alone.some((count, i) => count > 0 && this.isNews(i))) return true;
      for (const { first, last } of comparisons.all())
        if (Math.abs(Number(last.left) - Number(last.right)) < Math.abs(Number(first.left) - Number(first.right)))
          return true;
    }
    const isMore = (fork: Simulation): boolean =>
      playCounts(fork).locations.some((count, i) => count > 0 && alone[i] === 0 && this.causes[i] !== 0);
    return this.comesTrue(seconds, isMore, { staying: 'all' });
  }
}

/** The unit that a client in the game controls; 0 for none. */
function unitOf(sim: Simulation, clientId: string): Entity {
  const reader = new EntityReader(sim);
  const unit = reader.selectedUnit(reader.playerOf(clientId));
  return reader.is(unit, 'unit') ? unit : noEntity;
}

import {
  type Entity,
  EntityReader,
  playCounts,
  type Simulation,
  scriptsIn,
  watchScripts,
} from '../../../engine/index.ts';
import { globalValue, internalsOf, noEntity, timersOf } from '../../../engine/tools.ts';
import { Bots, type BotTraits, botIds, defaultTraits } from '../../bots/index.ts';
import { modelOf } from '../../model/index.ts';
import { FalseComparisons } from '../../run/index.ts';
import { shortened } from '../../text/index.ts';
import { wasteMax, wasteOf } from '../playing/tick-cost.ts';
import { type IsOver, OutOfTime } from '../playing/time-limit.ts';

/** What has happened this often is expected to happen again. */
const timesMin = 5;
/** It is missed after this many times the longest pause before, and after this time at least. */
const patienceFactor = 3;
const patienceSecondsMin = 30;
/** Forks of a game in which nothing happens at all go on for at least this long. */
const nothingSecondsMin = 60;
/** The same for players who wait for a unit: many games give them one only when the next round begins. */
const noUnitSecondsMin = 120;
const noUnit = 'player without a unit';
/** A script that time starts makes news if an action of it has not run for this long. */
const newsSeconds = 30;
/** In how many ways it goes on from the end of a play before that is called a dead end. */
export const waysMax = 4;
/** The maximum length of a value in a message. */
const valueMax = 60;
/** The number of bots that go on if no player is in the game. */
const newcomers = 2;
/** Players do not leave in the forks: whoever is stuck can always join again. */
const steady: BotTraits = { ...defaultTraits, stay: 100 };

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
    return this.patienceAfter(second - Math.max(this.last, quietFrom));
  }

  /** The same after a pause of so many seconds. */
  patienceAfter(pause: number): number | undefined {
    const seconds = Math.max(patienceSecondsMin, patienceFactor * this.longest);
    return this.times >= timesMin && pause === seconds ? seconds : undefined;
  }
}

/**
 * Notices that something that happened again and again cannot happen any more: that a variable of few values takes one
 * that it had before, that a player who has lost the unit gets another, or that players cause anything at all.
 */
export class Standstill {
  private readonly sim: Simulation;
  private readonly only: string | undefined;
  private readonly switches: ReadonlyMap<string, { readonly pauses: Pauses; readonly had: Set<unknown> }>;
  private readonly values = new Map<string, unknown>();
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
  /** How long players waited for another unit. */
  private readonly units = new Pauses();
  /** The last unit that each client controlled, 0 for none, and the last second in which it did or came in. */
  private readonly lastUnits = new Map<string, { readonly unit: Entity; readonly second: number }>();
  private readonly isOver: IsOver;

  /** `only`: the one thing to look for. */
  constructor(sim: Simulation, isOver: IsOver, only?: string) {
    this.sim = sim;
    this.isOver = isOver;
    this.only = only;
    const names = modelOf(sim.definition).switches;
    this.switches = new Map(names.map((name) => [name, { pauses: new Pauses(), had: new Set() }]));
    this.causes = Uint8Array.from(scriptsIn(sim).locations, ({ type, script: { source } }) => {
      if (effectless.has(type)) return 0;
      const { triggers } = source;
      if (triggers.length > 0 && triggers.every((trigger) => meetings.has(trigger))) return 0;
      return triggers.every((trigger) => clock.has(trigger)) ? 1 : 2;
    });
    this.counts = playCounts(sim).locations.slice();
    this.ranAt = new Float64Array(this.counts.length).fill(Number.NEGATIVE_INFINITY);
  }

  /**
   * Call each second. Yields what stands still from now on, and why. Plays forks if something is missed, and may run
   * out of time.
   */
  *look(): Generator<readonly [what: string, message: string, missedSecond: number]> {
    const { sim, values, anything } = this;
    const second = ++this.second;
    const present = clientsIn(sim);
    if (present.length === 0) this.quietFrom = second;
    for (const client of present) this.clients.add(client);
    if (this.isNewsSince(second)) anything.note(second, true);
    const nothing = this.isFor('') ? anything.patience(second, this.quietFrom) : undefined;
    // What stops with such a value has ended, as it may be meant to: somebody has won.
    if (nothing !== undefined && Math.abs(this.newValueAt - anything.last) > 1) {
      const seconds = Math.max(nothing, nothingSecondsMin);
      if (!this.goesOn(seconds))
        yield [
          '',
          `nothing happens from ${anything.last} s on: ${waysMax} ways to go on for ${seconds} s`,
          anything.missed,
        ];
    }
    for (const [client, since, patience] of this.waitingTooLong(present)) {
      const seconds = Math.max(patience, noUnitSecondsMin);
      const isHelped = (fork: Simulation): boolean =>
        !clientsIn(fork).includes(client) || unitOf(fork, client) !== noEntity;
      if (this.comesTrue(seconds, isHelped, steady)) continue;
      const { longest } = this.units;
      const before = `players waited for one at most ${longest} s before`;
      const message = `a player controls no unit from ${since} s on: ${before}; ${waysMax} ways to go on for ${seconds} s`;
      yield [noUnit, message, since + longest + 1];
    }
    for (const [name, { pauses, had }] of this.switches) {
      const value = globalValue(sim, name);
      if (value !== values.get(name)) {
        values.set(name, value);
        pauses.note(second, had.has(value));
        if (!had.has(value)) this.newValueAt = second;
        had.add(value);
      }
      const what = `variable ${name}`;
      const seconds = this.isFor(what) ? pauses.patience(second, this.quietFrom) : undefined;
      if (seconds === undefined) continue;
      const isChanged = (fork: Simulation): boolean => globalValue(fork, name) !== value;
      if (this.comesTrue(seconds, isChanged)) continue;
      const { last, longest } = pauses;
      const before = `it changed at most ${longest} s apart before`;
      yield [
        what,
        `${name} stays ${shortened(`${JSON.stringify(value)}`, valueMax)} from ${last} s on: ${before}; ${waysMax} ways to go on for ${seconds} s`,
        pauses.missed,
      ];
    }
  }

  private isFor(what: string): boolean {
    return this.only === undefined || this.only === what;
  }

  /** Players who have waited so long for a unit that it is time to ask whether they will ever get one. */
  private waitingTooLong(present: readonly string[]): [client: string, since: number, patience: number][] {
    const { sim, lastUnits, units, second } = this;
    for (const client of lastUnits.keys()) if (!present.includes(client)) lastUnits.delete(client);
    return present.flatMap((client) => {
      const unit = unitOf(sim, client);
      const last = lastUnits.get(client);
      if (last === undefined || unit !== noEntity) lastUnits.set(client, { unit, second });
      if (last === undefined) return [];
      if (unit === noEntity) {
        const patience = this.isFor(noUnit) ? units.patienceAfter(second - last.second) : undefined;
        return patience === undefined ? [] : [[client, last.second, patience]];
      }
      if (unit !== last.unit) units.add(second - last.second);
      return [];
    });
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

  private comesTrue(seconds: number, isTrue: (fork: Simulation) => boolean, traits = defaultTraits): boolean {
    const { sim, clients, isOver } = this;
    const look = (fork: Simulation): boolean => {
      this.forkTicks++;
      return isTrue(fork);
    };
    return waysOn(sim, seconds, isOver, look, { clients, traits });
  }

  /** Whether time alone changes anything, or players cause an action that time alone does not. */
  private goesOn(seconds: number): boolean {
    const idle = this.sim.fork();
    const endTick = idle.tick + Math.round(seconds * idle.rate);
    const endMs = (endTick / idle.rate) * 1000;
    if (timersOf(idle).heap.some(({ dueMs }) => dueMs > endMs)) return true;
    const comparisons = new FalseComparisons(() => idle.tick);
    watchScripts(idle, comparisons);
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
    return this.comesTrue(seconds, isMore, steady);
  }
}

/**
 * Whether something comes true in a fork in which bots play on, in the place of the players in the game. Those of the
 * play who have left join again; without any, there are newcomers. Throws `OutOfTime`.
 */
export function waysOn(
  sim: Simulation,
  seconds: number,
  isOver: IsOver,
  isTrue: (fork: Simulation) => boolean,
  { clients = [], traits = defaultTraits }: { readonly clients?: Iterable<string>; readonly traits?: BotTraits } = {},
): boolean {
  const present = [...new Set([...clientsIn(sim), ...clients])];
  const playing = present.length > 0 ? present : botIds(newcomers);
  let waste = 0;
  for (let way = 0; way < waysMax; way++) {
    const seed = `${sim.seed}/${sim.tick}/${way}`;
    const fork = sim.fork({ reseed: seed });
    const all = { count: playing.length, clients: playing, traits: playing.map(() => traits) };
    const bots = new Bots(fork, { ...all, seed, isCurious: true });
    const endTick = fork.tick + Math.round(seconds * fork.rate);
    while (fork.tick < endTick && !fork.ended) {
      if (isOver()) throw new OutOfTime();
      bots.beforeStep();
      fork.step();
      if (isTrue(fork)) return true;
      // A game that hardly advances shows nothing, and its limit is a finding of its own.
      waste += wasteOf(fork);
      if (waste > wasteMax) return true;
    }
  }
  return false;
}

/** The unit that a client in the game controls; 0 for none. */
function unitOf(sim: Simulation, clientId: string): Entity {
  const reader = new EntityReader(sim);
  const unit = reader.selectedUnit(reader.playerOf(clientId));
  return reader.is(unit, 'unit') ? unit : noEntity;
}

function clientsIn(sim: Simulation): string[] {
  return sim.players().flatMap(({ controlledBy, clientId }) => (controlledBy === 'human' ? clientId : []));
}

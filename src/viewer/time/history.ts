import { type Journal, type LoadedGame, playCounts, type Simulation, scriptsIn } from '../../../engine/index.ts';
import { EntityRef, internalsOf, Kind, rowOf, typeOf, type World } from '../../../engine/tools.ts';
import { ExpressionError, nameText, parseExpression } from '../../expression/index.ts';
import { type Answer, type Read, RecordedPlay, type Write } from '../../why/index.ts';
import { Series, type SeriesValue } from './series.ts';
import type { Span } from './sparkline.ts';

/** How long, in ms, the play is simulated before the page draws again. */
const sliceMs = 25;
/** The same while the page waits for a tick. */
const awaitedMs = 80;
/** How often, in ms, the page is told of progress. */
const reportMs = 300;

/** How long, in ms, a tick of a large game takes to be simulated and read. */
const tickMs = 5;

const answersMax = 200;

/** Ticks between snapshots: a jump simulates half of them at the median. */
const snapshotTicks = 10;

interface HistoryPorts {
  /** There is more to show. */
  readonly changed: () => void;
  /** Whether the page plays, so that only the time between its frames is left. */
  readonly isBusy?: () => boolean;
  /** The tick that the page waits for, if it does. */
  readonly awaitedTick?: () => number | undefined;
}

export interface PlayEvent {
  readonly tick: number;
  readonly kind: 'destroyed' | 'type' | 'fault';
  readonly text: string;
  readonly id?: string;
}

interface Known {
  readonly id: string;
  readonly isUnit: boolean;
  type: string;
  typeIndex: number;
  state: number;
  /** What was noted last. */
  attributes: number[];
  variables: unknown[];
  /** When it was seen last. */
  tick: number;
}

const kinds = [Kind.unit, Kind.item, Kind.projectile, Kind.player] as const;

/**
 * What happened in a whole play: every change of global variables, attributes, variables and states, and the ticks in
 * which each script, action, trigger and output occurred. It is collected by simulating the play once more, in slices,
 * which also fills the index that makes questions to `play` fast.
 */
export class History {
  readonly play: RecordedPlay;
  readonly journal: Journal;
  readonly events: PlayEvent[] = [];
  /** The last tick that was collected. */
  tick: number;
  private readonly values = new Map<string, Series>();
  private readonly scripts: Series[] = [];
  private readonly locations: Series[] = [];
  private readonly triggers = new Map<string, Series>();
  private readonly outputs = new Map<string, Series>();
  private readonly entities = new Map<number, Known>();
  private counts:
    | { scripts: Float64Array; locations: Float64Array; triggers: Map<string, number>; outputs: Map<string, number> }
    | undefined;
  private faults = 0;
  private globalNames: readonly string[] = [];
  /** The ticks in which actions ran. */
  private readonly active = new Series(true);
  private readonly asked = new Set<string>();
  private readonly answers = new Map<string, Answer | undefined>();
  private readonly writes = new Map<string, Write | null>();
  private readonly waiting: (() => boolean)[] = [];
  private isScheduled = false;
  private readonly ports: HistoryPorts;
  private reportedMs = 0;

  /** `names`: ids of entities by further names. */
  constructor(game: LoadedGame, journal: Journal, names: ReadonlyMap<string, string>, ports: HistoryPorts) {
    this.play = new RecordedPlay(game, journal, names, snapshotTicks);
    this.journal = journal;
    this.ports = ports;
    this.tick = journal.head.tick;
    this.collect(this.play.at(this.tick));
    this.enqueue(() => this.advance());
  }

  get span(): Span {
    return { first: this.journal.head.tick, last: this.journal.lastTick, known: this.tick };
  }

  /** Whether it has something to find out. */
  get isReading(): boolean {
    return this.isScheduled;
  }

  get isComplete(): boolean {
    return this.tick >= this.journal.lastTick;
  }

  /** The changes of a value; undefined if it is not known yet. Throws `ExpressionError` for a wrong expression. */
  series(expression: string): Series | undefined {
    const known = this.values.get(expression);
    if (known !== undefined) return known;
    const node = parseExpression(expression);
    const none = new Series(true);
    if (node.kind === 'count') {
      const { text } = node.name;
      if (node.of === 'fired') return this.triggers.get(text) ?? none;
      if (node.of === 'outputs') return this.outputs.get(text) ?? none;
      return this.scripts[this.scriptNamed(text)?.index ?? -1] ?? none;
    }
    if (this.isComplete) this.follow(expression);
    return undefined;
  }

  /** The same; undefined for a wrong expression, such as one in an address. */
  seriesIfRight(expression: string): Series | undefined {
    try {
      return this.series(expression);
    } catch (error) {
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  }

  /** The global variables of the game, without those of the engine. */
  globals(): [name: string, series: Series][] {
    return this.globalNames.flatMap((name): [string, Series][] => {
      const series = this.values.get(nameText(name));
      return series === undefined || name.startsWith('@') ? [] : [[nameText(name), series]];
    });
  }

  /** The tick before or after a tick in which scripts ran. */
  activeTick(tick: number, direction: 1 | -1): number | undefined {
    const { before, after } = this.active.around(tick);
    return direction === 1 ? after : before;
  }

  /** The changes of a value that was collected, by its exact text; undefined if it was not. */
  known(expression: string): Series | undefined {
    return this.values.get(expression);
  }

  /** The expressions of all values that were collected. */
  names(): Iterable<string> {
    return this.values.keys();
  }

  /** The simulation after a tick, only to read from at once; undefined if the play was not read so far. */
  at(tick: number): Simulation | undefined {
    return tick > this.tick ? undefined : this.play.at(tick);
  }

  /** Whether a value was collected, so that its changes are known at once. */
  isKnown(expression: string): boolean {
    return this.values.has(expression);
  }

  /** The ticks in which an action ran. */
  line(location: number): Series | undefined {
    return this.locations[location];
  }

  /** The place of a script with a name, as `scripts/KEY`; undefined if there is none. */
  placeOf(name: string): string | undefined {
    return this.scriptNamed(name)?.place;
  }

  private scriptNamed(text: string) {
    return scriptsIn(this.play.at(this.play.tick)).scripts.find(({ name, key }) => name === text || key === text);
  }

  /** The ticks in which a script ran, by its index. */
  script(index: number): Series | undefined {
    return this.scripts[index];
  }

  /** Why a value is what it is at a tick. Throws `ExpressionError` for a wrong expression. */
  why(expression: string, tick: number): Answer {
    return this.answer(`${expression} ${tick}`, () => this.play.why(expression, tick))!;
  }

  /** Why a value that a write read had this value. */
  whyRead(read: Read): Answer | undefined {
    return this.answer(`${read.expression} ${read.tick} ${read.step}`, () => this.play.whyRead(read));
  }

  /** Answers are kept, because the lists are drawn again and again. */
  private answer(key: string, ask: () => Answer | undefined): Answer | undefined {
    if (!this.answers.has(key)) {
      if (this.answers.size >= answersMax) this.answers.clear();
      this.answers.set(key, ask());
    }
    return this.answers.get(key);
  }

  /** The change of a value in a tick; undefined until it has been looked up, which happens in the background. */
  write(expression: string, tick: number): Write | null | undefined {
    const key = `${expression} ${tick}`;
    const known = this.writes.get(key);
    if (known === undefined && !this.asked.has(key)) {
      this.asked.add(key);
      this.enqueue(() => {
        this.writes.set(key, this.play.write(expression, tick) ?? null);
        return false;
      });
    }
    return known;
  }

  /** Evaluates an expression at every tick. */
  private follow(expression: string): void {
    if (this.asked.has(expression)) return;
    const found = new Series();
    const { head, lastTick } = this.journal;
    let tick = head.tick;
    const read = (): void => {
      const value = this.play.value(expression, tick);
      found.note(tick, isPlain(value) ? value : JSON.stringify(value));
    };
    // The first time, so that a wrong expression is reported to the caller.
    read();
    this.asked.add(expression);
    this.enqueue(() => {
      read();
      if (tick++ < lastTick) return true;
      this.values.set(expression, found);
      return false;
    });
  }

  /** Runs a task until it returns false. The pass over the play comes first. */
  private enqueue(task: () => boolean): void {
    this.waiting.push(task);
    if (this.isScheduled) return;
    this.isScheduled = true;
    whenIdle(this.work);
  }

  private get isBusy(): boolean {
    return this.awaitedTick === undefined && this.ports.isBusy?.() === true;
  }

  private get awaitedTick(): number | undefined {
    return this.ports.awaitedTick?.();
  }

  /** `idleMs`: how long the page has nothing else to do. */
  private readonly work = (idleMs: number): void => {
    const end =
      performance.now() + (this.isBusy ? idleMs - tickMs : this.awaitedTick === undefined ? sliceMs : awaitedMs);
    let task = this.waiting[0];
    while (task !== undefined && performance.now() < end) {
      if (!task()) this.waiting.shift();
      task = this.waiting[0];
    }
    const now = performance.now();
    if (task === undefined || now - this.reportedMs > reportMs || this.tick >= (this.awaitedTick ?? Infinity)) {
      this.reportedMs = now;
      this.ports.changed();
    }
    this.isScheduled = this.waiting.length > 0;
    if (this.isScheduled) whenIdle(this.work, !this.isBusy);
  };

  private advance(): boolean {
    if (this.isComplete) return false;
    const { play } = this;
    if (play.tick !== this.tick) this.count(play.at(this.tick));
    const sim = play.at(this.tick + 1);
    if (sim.tick !== this.tick + 1) {
      // The game ended before its recording.
      this.tick = this.journal.lastTick;
      return false;
    }
    this.tick++;
    this.collect(sim);
    return !this.isComplete;
  }

  private collect(sim: Simulation): void {
    const { tick } = sim;
    const { world } = internalsOf(sim);
    const { globals } = world;
    const { names, definitions } = globals.layout;
    this.globalNames = names;
    for (let slot = 0; slot < names.length; slot++) {
      const value = globals.isUnread(slot) ? definitions[slot]!.default : globals.values[slot];
      this.note(nameText(names[slot]!), tick, value);
    }
    for (const kind of kinds) {
      for (const entity of world.lists[kind]!.entries) {
        if (!world.exists(entity)) continue;
        this.collectEntity(world, tick, entity, kind === Kind.unit);
      }
    }
    for (const [entity, { id, isUnit, type, tick: seen }] of this.entities) {
      if (seen === tick) continue;
      if (isUnit) this.events.push({ tick, kind: 'destroyed', text: `${id} (${type}) is destroyed`, id });
      this.entities.delete(entity);
      for (const key of this.keysOf.get(id) ?? []) this.values.get(key)!.note(tick, null);
    }
    const faults = sim.faults();
    const count = faults.reduce((sum, fault) => sum + fault.count, 0);
    if (count > this.faults) this.events.push({ tick, kind: 'fault', text: faults.at(-1)?.message ?? 'fault' });
    this.faults = count;
    this.occurrences(sim);
  }

  /** The keys of the values of an entity, by id. */
  private readonly keysOf = new Map<string, string[]>();

  private collectEntity(world: World, tick: number, entity: number, isUnit: boolean): void {
    const { attributes, identity, variables } = world.components;
    const row = rowOf(entity);
    const type = typeOf(world, entity);
    const name = type?.name ?? '';
    let known = this.entities.get(entity);
    if (known === undefined) {
      const { id } = world.ref(entity)!;
      known = { id, isUnit, type: name, typeIndex: -1, state: -1, attributes: [], variables: [], tick };
      this.entities.set(entity, known);
      if (!this.keysOf.has(known.id)) this.keysOf.set(known.id, []);
    }
    const { id } = known;
    known.tick = tick;
    const becomes = known.typeIndex !== identity.type[row];
    if (becomes) {
      if (known.type !== name) this.events.push({ tick, kind: 'type', text: `${id} becomes ${name}`, id });
      Object.assign(known, { type: name, typeIndex: identity.type[row], state: -1, attributes: [], variables: [] });
    }
    const start = attributes.start[row]!;
    const keys = type?.attributes.keys ?? [];
    // Most values stay the same, so they are compared before their series are looked up.
    for (let i = 0; i < attributes.count[row]! && i < keys.length; i++) {
      const value = world.attributes.value[start + i]!;
      if (value === known.attributes[i]) continue;
      known.attributes[i] = value;
      this.noteOf(id, keys[i]!, tick, value);
    }
    const own = variables[row];
    for (let slot = 0; slot < (own?.values.length ?? 0); slot++) {
      const value = own!.values[slot];
      if (value === known.variables[slot] && slot in known.variables) continue;
      known.variables[slot] = value;
      this.noteOf(id, own!.layout.names[slot]!, tick, value);
    }
    if (type === undefined) return;
    if (identity.state[row] !== known.state && type.states.length > 1) {
      known.state = identity.state[row]!;
      const state = type.states[known.state];
      if (state !== undefined) this.noteOf(id, 'state', tick, state.key);
    }
    if (becomes) this.noteOf(id, 'type', tick, type.key);
  }

  private readonly membersOf = new Map<string, Map<string, string>>();

  private noteOf(id: string, member: string, tick: number, value: unknown): void {
    let members = this.membersOf.get(id);
    if (members === undefined) {
      members = new Map();
      this.membersOf.set(id, members);
    }
    let key = members.get(member);
    if (key === undefined) {
      key = `${id}.${nameText(member)}`;
      members.set(member, key);
      this.keysOf.get(id)!.push(key);
    }
    this.note(key, tick, value);
  }

  private note(key: string, tick: number, value: unknown): void {
    // The content of an object can change without a write to the variable, so it is followed on request.
    const plain = value instanceof EntityRef ? `@${value.id}` : (value ?? null);
    if (!isPlain(plain)) return;
    let series = this.values.get(key);
    if (series === undefined) {
      series = new Series();
      this.values.set(key, series);
    }
    series.note(tick, plain);
  }

  /** Notes what ran, fired and was posted since the last call. */
  private occurrences(sim: Simulation): void {
    const { tick } = sim;
    const before = this.counts;
    const now = this.count(sim);
    let ran = 0;
    for (const [all, counts, earlier] of [
      [this.scripts, now.scripts, before?.scripts],
      [this.locations, now.locations, before?.locations],
    ] as const) {
      counts.forEach((count, index) => {
        const times = count - (earlier?.[index] ?? 0);
        if (times <= 0) return;
        all[index] ??= new Series(true);
        all[index].add(tick, times);
        if (all === this.locations) ran += times;
      });
    }
    if (ran > 0) this.active.add(tick, ran);
    for (const [all, counts, earlier] of [
      [this.triggers, now.triggers, before?.triggers],
      [this.outputs, now.outputs, before?.outputs],
    ] as const) {
      for (const [name, count] of counts) {
        const times = count - (earlier?.get(name) ?? 0);
        if (times <= 0) continue;
        let series = all.get(name);
        if (series === undefined) {
          series = new Series(true);
          all.set(name, series);
        }
        series.add(tick, times);
      }
    }
  }

  private count(sim: Simulation) {
    const { scripts, locations, triggers, outputs } = playCounts(sim);
    this.counts = {
      scripts: scripts.slice(),
      locations: locations.slice(),
      triggers: new Map(triggers),
      outputs: new Map(outputs),
    };
    return this.counts;
  }
}

/** `isUrgent`: work also if the page is never idle. Safari has no `requestIdleCallback`. */
export function whenIdle(work: (idleMs: number) => void, isUrgent = true): void {
  if (typeof requestIdleCallback !== 'function') setTimeout(() => work(2 * tickMs));
  else requestIdleCallback((deadline) => work(deadline.timeRemaining()), isUrgent ? { timeout: 100 } : {});
}

function isPlain(value: unknown): value is SeriesValue {
  return value === null || typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';
}

import { type Journal, type LoadedGame, scriptsIn } from '../../../engine/index.ts';
import { ExpressionError, nameText, parseExpression } from '../../expression/index.ts';
import {
  type Answer,
  isPlain,
  type PlayEvent,
  type PlayRecord,
  type Read,
  RecordedPlay,
  Series,
  type Write,
} from '../../why/index.ts';
import type { Span } from './sparkline.ts';

/** How long, in ms, ticks are simulated before the page may draw again. */
const sliceMs = 25;
/** The same duration while the page waits for a certain tick and draws nothing else. */
const awaitedMs = 80;
/** The interval, in ms, at which progress is reported to the page. */
const reportMs = 300;

/** An estimate of the time, in ms, that simulating and reading a tick of a large game takes. */
const tickMs = 5;

const answersMax = 200;

/** The number of ticks between snapshots: a jump simulates half as many on average. */
const snapshotTicks = 10;

interface HistoryPorts {
  /** Called when there is more to show. */
  readonly changed: () => void;
  /** Whether the page plays. If so, the history is read only in the time that remains between frames. */
  readonly isBusy?: () => boolean;
  /** The tick that the page waits for; undefined if it waits for none. */
  readonly awaitedTick?: () => number | undefined;
}

/**
 * The record of a whole play for a page: values at all ticks, and explanations. It reads the play in short slices of
 * time, so that the page stays responsive, and caches explanations.
 */
export class History {
  readonly play: RecordedPlay;
  /** The values that are not part of the record, and were evaluated at every tick on request, by expression. */
  private readonly followed = new Map<string, Series>();
  /** Whether the game ended before the end of its recording. */
  private isEnded = false;
  private readonly asked = new Set<string>();
  private readonly answers = new Map<string, Answer | undefined>();
  private readonly writes = new Map<string, Write | null>();
  private readonly waiting: (() => boolean)[] = [];
  private isScheduled = false;
  private reportedMs = 0;

  /** `names`: additional names of entities, each with the entity's id. */
  constructor(
    game: LoadedGame,
    readonly journal: Journal,
    names: ReadonlyMap<string, string>,
    private readonly ports: HistoryPorts,
  ) {
    this.play = new RecordedPlay(game, journal, names, snapshotTicks);
    this.enqueue(() => this.advance());
  }

  private get record(): PlayRecord {
    return this.play.record;
  }

  get events(): readonly PlayEvent[] {
    return this.record.events;
  }

  /** The last tick that was read. */
  get tick(): number {
    return this.isEnded ? this.journal.lastTick : this.record.tick;
  }

  get span(): Span {
    return { first: this.journal.head.tick, last: this.journal.lastTick, known: this.tick };
  }

  /** Whether the history is still reading the play, or has other tasks in its queue. */
  get isReading(): boolean {
    return this.isScheduled;
  }

  get isComplete(): boolean {
    return this.tick >= this.journal.lastTick;
  }

  /**
   * The changes of a value; undefined if they are not known yet. Throws `ExpressionError` for an invalid expression.
   */
  series(expression: string): Series | undefined {
    const known = this.known(expression);
    if (known !== undefined) return known;
    const node = parseExpression(expression);
    const none = new Series(true);
    if (node.kind === 'count') {
      const { text } = node.name;
      if (node.of === 'fired') return this.record.triggers.get(text) ?? none;
      if (node.of === 'outputs') return this.record.outputs.get(text) ?? none;
      return this.record.scripts[this.scriptNamed(text)?.index ?? -1] ?? none;
    }
    if (this.isComplete) this.follow(expression);
    return undefined;
  }

  /** Like `series`, but undefined for an invalid expression, such as one from a URL. */
  seriesIfRight(expression: string): Series | undefined {
    try {
      return this.series(expression);
    } catch (error) {
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  }

  /** The series of the game's global variables, without the variables of the engine. */
  globals(): [name: string, series: Series][] {
    return this.record.globals.flatMap((name): [string, Series][] => {
      const series = this.record.values.get(nameText(name));
      return series === undefined || name.startsWith('@') ? [] : [[nameText(name), series]];
    });
  }

  /** The next or the previous tick in which scripts ran; undefined if there is none. */
  activeTick(tick: number, direction: 1 | -1): number | undefined {
    const { before, after } = this.record.active.around(tick);
    return direction === 1 ? after : before;
  }

  /** The changes of a value that is recorded under this exact expression; undefined if none is. */
  known(expression: string): Series | undefined {
    return this.record.values.get(expression) ?? this.followed.get(expression);
  }

  /** The expressions of all values that the record follows. */
  names(): Iterable<string> {
    return this.record.values.keys();
  }

  /** The ticks in which the action at a location ran; undefined if none was read. */
  line(location: number): Series | undefined {
    return this.record.locations[location];
  }

  /** The place of a script with a name, as `scripts/KEY`; undefined if there is none. */
  placeOf(name: string): string | undefined {
    return this.scriptNamed(name)?.place;
  }

  private scriptNamed(text: string) {
    return scriptsIn(this.play.at(this.play.tick)).scripts.find(({ name, key }) => name === text || key === text);
  }

  /** The ticks in which a script ran, by its index; undefined if none was read. */
  script(index: number): Series | undefined {
    return this.record.scripts[index];
  }

  /** Explains why a value is what it is at a tick. Throws `ExpressionError` for an invalid expression. */
  why(expression: string, tick: number): Answer {
    return this.answer(`${expression} ${tick}`, () => this.play.why(expression, tick))!;
  }

  /** Explains a value that a write has read; undefined if no expression names the value. */
  whyRead(read: Read): Answer | undefined {
    return this.answer(`${read.expression} ${read.tick} ${read.step}`, () => this.play.whyRead(read));
  }

  /** Answers are cached, because the lists are redrawn again and again. */
  private answer(key: string, ask: () => Answer | undefined): Answer | undefined {
    if (!this.answers.has(key)) {
      if (this.answers.size >= answersMax) this.answers.clear();
      this.answers.set(key, ask());
    }
    return this.answers.get(key);
  }

  /**
   * The change of a value in a tick; null if there was none. Undefined until it has been looked up in the background.
   */
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
  private follow(expression: string) {
    if (this.asked.has(expression)) return;
    const found = new Series();
    const { head, lastTick } = this.journal;
    let tick = head.tick;
    const read = () => {
      const value = this.play.value(expression, tick);
      found.note(tick, isPlain(value) ? value : JSON.stringify(value));
    };
    // The first reading is immediate, so that the caller gets the error of an invalid expression.
    read();
    this.asked.add(expression);
    this.enqueue(() => {
      read();
      if (tick++ < lastTick) return true;
      this.followed.set(expression, found);
      return false;
    });
  }

  /** Queues a task, which is repeated until it returns false. The pass over the play is the first task. */
  private enqueue(task: () => boolean) {
    this.waiting.push(task);
    if (this.isScheduled) return;
    this.isScheduled = true;
    whenIdle(this.work);
  }

  private get isBusy() {
    return this.awaitedTick === undefined && this.ports.isBusy?.() === true;
  }

  private get awaitedTick(): number | undefined {
    return this.ports.awaitedTick?.();
  }

  /** Performs queued tasks for a limited time. `idleMs`: how long the page will be idle. */
  private readonly work = (idleMs: number) => {
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

  private advance() {
    if (this.isComplete) return false;
    const { play, record } = this;
    const { tick } = record;
    if (play.tick !== tick) play.at(tick);
    play.at(tick + 1);
    this.isEnded = record.tick === tick;
    return !this.isComplete;
  }
}

/**
 * Calls `work` with the idle time in ms. If `isUrgent`, it is called even if the page is never idle. Safari has no
 * `requestIdleCallback`.
 */
export function whenIdle(work: (idleMs: number) => void, isUrgent = true) {
  if (typeof requestIdleCallback !== 'function') setTimeout(() => work(2 * tickMs));
  else requestIdleCallback((deadline) => work(deadline.timeRemaining()), isUrgent ? { timeout: 100 } : {});
}

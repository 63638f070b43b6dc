import type { Action, Issue, Journal, LoadedGame, Replay, Simulation } from '../../engine/index.ts';
import type { HostOptions } from '../../engine/tools.ts';
import type { Answer, Read, Write } from './answer.ts';
import { withNames } from './author-names.ts';
import { ChangeFinder, endOfTick } from './change-finder.ts';
import { PlayReader } from './play-reader.ts';
import type { PlayRecord } from './play-record.ts';
import { type Question, readingOf } from './reading.ts';
import { Standing } from './standing.ts';
import { asFarAsTimers, WriteTeller } from './write-teller.ts';

export interface WhyOptions {
  /**
   * How many writes to follow back: 1 explains the last write of the value, 2 also the values that this write read.
   * Default 1.
   */
  readonly depth?: number;
  /** Explains the value just before this action of the tick (0 is the first) instead of at the end of the tick. */
  readonly beforeAction?: number | undefined;
  /** Whether the value should be true, as in an expectation. */
  readonly isExpected?: boolean;
}

/**
 * Explains why a value of a recorded play is what it is. It replays the play from forks, so nothing beyond the journal
 * needs to be recorded in advance.
 */
export class RecordedPlay {
  private readonly reader: PlayReader;
  private readonly finder: ChangeFinder;
  private readonly teller: WriteTeller;
  private readonly standing: Standing;

  /**
   * Throws `ReplayError` for a journal of another game. `names`: additional names of entities, each with the entity's
   * id. `snapshotTicks`: also keeps snapshots between the forks, for a page that jumps to any tick.
   */
  constructor(
    game: LoadedGame,
    readonly journal: Journal,
    names: ReadonlyMap<string, string> = new Map(),
    snapshotTicks?: number,
  ) {
    this.reader = new PlayReader(game, journal, names, snapshotTicks);
    this.finder = new ChangeFinder(this.reader);
    this.teller = new WriteTeller(this.reader, this.finder, (read, depth) => this.whyRead(read, { depth }));
    this.standing = new Standing(this.reader, this.finder, this.teller);
  }

  /** The issues of the game, whose suggestions are then tried as causes. */
  set issues(find: () => readonly Issue[]) {
    this.reader.issues = find;
  }

  /** The events of the ticks that were simulated so far. */
  get record(): PlayRecord {
    return this.reader.record;
  }

  /** The tick at a time in simulated seconds. Throws `NoSuchTick` if it is outside the recording. */
  tickAt(seconds: number): number {
    return this.reader.requireTick(Math.round(seconds * this.journal.head.rate));
  }

  /**
   * Explains why an expression has its value after a tick (default: the last one). Throws `ExpressionError` for an
   * invalid expression, and `NoSuchTick` for a tick that was not recorded.
   */
  why(
    expression: string,
    tick: number = this.journal.lastTick,
    { depth = 1, beforeAction, isExpected }: WhyOptions = {},
  ): Answer {
    const question = this.reader.question(expression);
    this.reader.requireTick(tick);
    const step = beforeAction === undefined ? undefined : this.finder.trace(question, tick).actions[beforeAction];
    return this.explain(question, tick, step ?? endOfTick, depth, { isExpected });
  }

  /**
   * Explains a value that a write read: why it had that value at that moment. Undefined if no expression names the
   * value.
   */
  whyRead({ expression, tick, step }: Read, { depth = 1 }: WhyOptions = {}): Answer | undefined {
    const question = expression === undefined ? undefined : this.reader.questionIfKnown(expression);
    return question && this.explain(question, tick, step, depth);
  }

  /** The ticks in which a value changed, oldest first. */
  changes(expression: string, from = this.journal.head.tick, to = this.journal.lastTick): readonly number[] {
    const question = this.reader.question(expression);
    this.reader.requireTick(to);
    this.reader.requireTick(from);
    return this.finder.all(question, from, to);
  }

  /**
   * The last change of a number in the direction opposite to its latest change; undefined if there is none. For
   * example, health that regenerates changes every tick, but the last hit before that is more interesting.
   */
  turn(expression: string, tick: number): Write | undefined {
    const { reader } = this;
    const question = reader.question(expression);
    const ticks = [reader.first, ...this.finder.all(question, reader.first, tick)];
    const values = ticks.map((at) => this.value(expression, at));
    const latest = Math.sign(Number(values.at(-1)) - Number(values.at(-2)));
    // The first number that a value gets counts as a turn, too.
    const isOpposite = (before: unknown, after: unknown) =>
      typeof before === 'number' ? Math.sign(Number(after) - before) === -latest : typeof after === 'number';
    const found = ticks[values.findLastIndex((value, i) => isOpposite(values[i - 1], value))];
    const write = found === undefined ? undefined : this.write(expression, found);
    // Other changes may have partly undone this one in the same tick, so the earlier writes are searched, too.
    return write?.earlier?.findLast(({ before, after }) => isOpposite(before, after)) ?? write;
  }

  /** The change of a value in a tick; undefined if there was none. */
  write(expression: string, tick: number): Write | undefined {
    const question = this.reader.question(expression);
    const found = this.finder.in(question, this.reader.requireTick(tick), endOfTick);
    return found && this.teller.write(question, tick, found, 0);
  }

  /**
   * All changes of a value in a tick, oldest first. Explanations stop at timers; otherwise the causes of a timer would
   * be repeated for every change.
   */
  writes(expression: string, tick: number): readonly Write[] {
    const question = this.reader.question(expression);
    const traced = this.finder.trace(question, this.reader.requireTick(tick));
    const last = this.finder.in(question, tick, endOfTick, traced);
    if (last === undefined) return [];
    const { changes, motion } = traced;
    const before = changes.filter(({ step }) => step < last.step).map((change) => ({ ...change, motion }));
    return [...before, last].map((change) => this.teller.write(question, tick, change, asFarAsTimers));
  }

  /** The last tick up to `tick` after which a condition is true; undefined if there is none. */
  lastHolding(expression: string, tick: number): number | undefined {
    const { reader } = this;
    const question = reader.question(expression);
    if (question.hears !== undefined) return this.finder.last(question, tick);
    for (const [start, end] of reader.stretchesBefore(tick)) {
      let found: number | undefined;
      for (let at = start; at <= end; at++) {
        reader.go(at);
        if (question.truth()) found = at;
      }
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The value after a tick. */
  value(expression: string, tick: number): unknown {
    const question = this.reader.question(expression);
    this.reader.requireTick(tick);
    if (question.hears !== undefined) return this.finder.postedUpTo(question, tick);
    return readingOf(this.reader.go(tick), question.read(), this.reader.source).value;
  }

  /** The current tick of the replay. */
  get tick(): number {
    return this.reader.replay.tick;
  }

  /**
   * The simulation after a tick. Callers may only read from it, and only until the next question, which may move it to
   * another tick.
   */
  at(tick: number): Simulation {
    return this.reader.go(this.reader.requireTick(tick));
  }

  /** All actions of the game, by location. */
  get actions(): readonly Action[] {
    return this.reader.program.locations as readonly Action[];
  }

  /** A copy of the play before a tick, which has the inputs of the tick and reports every step of its scripts. */
  before(tick: number): Simulation {
    return this.reader.before(tick);
  }

  /** Another replay of the same play. It reports false conditions, and shares key frames with this one. */
  replayBeside(host: HostOptions): Replay {
    return this.reader.replay.beside(host);
  }

  /** `isPart`: the question is a part of a condition, and the notes about that condition explain the part, too. */
  private explain(
    question: Question,
    tick: number,
    step: number,
    depth: number,
    {
      isPart = false,
      isExpected = false,
    }: { readonly isPart?: boolean; readonly isExpected?: boolean | undefined } = {},
  ): Answer {
    const { reader, finder } = this;
    const inTick = step === endOfTick ? undefined : finder.in(question, tick, step);
    let found = inTick && { tick, change: inTick };
    let now = inTick?.after;
    if (found === undefined) {
      const until = step === endOfTick ? tick : tick - 1;
      // The search comes before the reading, because it replays the ticks up to this one anyway.
      found = until < reader.first ? undefined : finder.lastChange(question, until);
      now = readingOf(reader.go(Math.max(until, reader.first)), question.read(), reader.source);
    }
    if (question.node.kind === 'count') now = reader.countOf(question.node, tick);
    if (question.hears !== undefined) {
      const value = finder.postedUpTo(question, tick);
      now = { value, text: String(value) };
    }
    const parts =
      depth > 0
        ? question.parts().map((part) => this.explain(reader.question(part), tick, step, depth, { isPart: true }))
        : [];
    const write = found && depth > 0 ? this.teller.write(question, found.tick, found.change, depth - 1) : undefined;
    const isAsked = depth > 0 && step === endOfTick && !isPart;
    const notes = isAsked
      ? this.standing
          .notes(question, tick, now!.value, isExpected)
          .map((each) => withNames(reader.game.definition, each))
      : [];
    const previous = found && notes.length > 0 ? finder.lastChange(question, found.tick - 1) : undefined;
    const isRestored = previous?.change.before.text === now!.text;
    return {
      question: question.text,
      tick,
      seconds: reader.seconds(tick),
      value: now!.value,
      text: now!.text,
      isFollowed: this.standing.obstacles.writers.follows(question.node),
      ...(parts.length > 0 && { parts }),
      ...(write && { write }),
      ...(notes.length > 0 && { notes }),
      ...(isRestored && { isRestored }),
    };
  }
}

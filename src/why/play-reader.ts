import { UserError } from '../../engine/core/index.ts';
import {
  type Condition,
  type Issue,
  type Journal,
  type LoadedGame,
  type OutputEvent,
  Replay,
  Simulation,
  type TriggerObserver,
} from '../../engine/index.ts';
import { inputUnchecked, type Program, programsOfGame } from '../../engine/tools.ts';
import { ExpressionError, type Node } from '../expression/index.ts';
import { PlayRecord } from './play-record.ts';
import { NamedSource, questionOf } from './question.ts';
import type { Question, Reading } from './reading.ts';
import type { Series } from './series.ts';

/** Thrown for a tick outside the recording. */
export class NoSuchTick extends UserError {
  override readonly name = 'NoSuchTick';
  readonly code = 'no-such-tick';
}

/** The number of ticks between the forks from which the play is replayed. */
const keyframeTicks = 40;
/** The maximum number of states to keep for further questions about the same ticks. */
const statesMax = 24;

type CountNode = Extract<Node, { kind: 'count' }>;

/** Moves to any tick of a recorded play, and records what happened in the ticks that it simulates. */
export class PlayReader {
  readonly source: NamedSource;
  readonly record: PlayRecord;
  readonly replay: Replay;
  /** The simulation that questions read. */
  current: Simulation;
  /** What is known to be wrong in the game. */
  issues: () => readonly Issue[] = () => [];
  /** Called with each output of the replay. */
  hearing: ((event: OutputEvent) => void) | undefined;
  private readonly questions = new Map<string, Question>();
  private readonly states = new Map<number, Uint8Array>();
  private tracedGame: LoadedGame | undefined;

  /** Throws `ReplayError` for a journal of another game. For the parameters, see `RecordedPlay`. */
  constructor(
    readonly game: LoadedGame,
    readonly journal: Journal,
    names: ReadonlyMap<string, string>,
    snapshotTicks?: number,
  ) {
    this.replay = new Replay(programsOfGame(game).watched('conditions'), journal, {
      keyframeTicks,
      snapshotTicks,
      onOutput: (event) => this.hearing?.(event),
    });
    this.current = this.replay.sim;
    this.source = new NamedSource(game, journal.head.dialect, names, { playing: () => this.current, journal });
    this.record = new PlayRecord(this.current);
  }

  get program(): Program {
    return programsOfGame(this.game).program(this.journal.head.dialect);
  }

  /** The game compiled so that its scripts report every step. */
  get traced(): LoadedGame {
    this.tracedGame ??= programsOfGame(this.game).watched('everything');
    return this.tracedGame;
  }

  /** The first tick of the recording. */
  get first(): number {
    return this.journal.head.tick;
  }

  requireTick(tick: number): number {
    const { head, lastTick } = this.journal;
    if (Number.isInteger(tick) && tick >= head.tick && tick <= lastTick) return tick;
    const [first, last] = [head.tick, lastTick].map((each) => `${(each / head.rate).toFixed(2)} s`);
    throw new NoSuchTick(
      `Tick ${tick} is not in the recording, which goes from tick ${head.tick} (${first}) to tick ${lastTick} (${last}).`,
    );
  }

  seconds(tick: number): number {
    return tick / this.journal.head.rate;
  }

  /** A tick with its time, as text: `tick 280 (14.00 s)`. */
  moment(tick: number): string {
    return `tick ${tick} (${this.seconds(tick).toFixed(2)} s)`;
  }

  question(text: string): Question {
    let question = this.questions.get(text);
    if (question === undefined) {
      this.current = this.replay.sim;
      question = questionOf(text, this.source);
      this.questions.set(text, question);
    }
    return question;
  }

  /** The question for an expression made from a script, which may name an attribute that the game does not have. */
  questionIfKnown(text: string): Question | undefined {
    try {
      return this.question(text);
    } catch (error) {
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  }

  /** Moves to a tick. Returns the simulation after it, which questions read from now on. */
  go(tick: number): Simulation {
    const { replay, record } = this;
    if (tick !== replay.tick + 1) replay.seek(tick);
    else if (record.tick !== replay.tick) replay.step();
    else
      record.step(replay.sim, () => {
        replay.step();
        return replay.sim;
      });
    this.current = replay.sim;
    return this.current;
  }

  /**
   * Divides the play up to a tick into the stretches between the forks, and yields the latest first. A search backwards
   * simulates one stretch after the other, because each step back in time would cost a replay.
   */
  *stretchesBefore(tick: number): Generator<readonly [start: number, end: number]> {
    for (let end = tick; end >= this.first; ) {
      const start = this.replay.startBefore(end);
      yield [start, end];
      if (start === this.first) return;
      end = start;
    }
  }

  /** Simulates the ticks up to `tick` that were not simulated before, and calls `each` after each of them. */
  readTo(tick: number, each?: () => void) {
    const { record } = this;
    while (record.tick < tick) {
      if (this.go(record.tick).ended) return;
      this.go(record.tick + 1);
      each?.();
    }
  }

  /** A copy of the play before a tick, with the inputs of the tick already queued. Questions read it from now on. */
  before(tick: number, game = this.traced): Simulation {
    const sim = Simulation.restore(game, this.stateAt(tick - 1), { ofAnyVersion: true });
    for (const input of this.journal.inputs.get(tick) ?? []) inputUnchecked(sim, input);
    this.current = sim;
    return sim;
  }

  /**
   * Plays the start of the game again: the world is built, then `gameStart` fires. `begins` is called when the first
   * trigger fires, before its scripts run.
   */
  started(
    begins: (sim: Simulation, ...fired: Parameters<TriggerObserver>) => void = () => {},
    game = this.traced,
  ): Simulation {
    const { seed, dialect, limits, epochMs } = this.journal.head;
    let isFirst = true;
    const observer: TriggerObserver = (...fired) => {
      if (!isFirst) return;
      isFirst = false;
      this.current = fired[4];
      begins(this.current, ...fired);
    };
    this.current = new Simulation(game, { seed, dialect, limits, epochMs, observer });
    return this.current;
  }

  /** A copy of the play after a tick. Questions read it from now on. */
  copyAt(tick: number): Simulation {
    this.current = Simulation.restore(this.traced, this.stateAt(tick), { ofAnyVersion: true });
    return this.current;
  }

  private stateAt(tick: number): Uint8Array {
    let state = this.states.get(tick);
    if (state === undefined) {
      state = this.go(tick).snapshot();
      if (this.states.size >= statesMax) this.states.delete(this.states.keys().next().value!);
      this.states.set(tick, state);
    }
    return state;
  }

  /** The events counted by an expression such as `fired secondTick`, up to a tick. */
  occurrences({ of, name: { text } }: CountNode, tick: number): readonly Series[] {
    this.readTo(tick);
    const { lexicon } = this.source;
    const { record } = this;
    if (of === 'runs') return lexicon.scripts(text).flatMap(({ index }) => record.scripts[index] ?? []);
    const series = of === 'fired' ? record.triggers.get(lexicon.trigger(text)) : record.outputs.get(text);
    return series === undefined ? [] : [series];
  }

  /** The count is taken from the record, which covers the whole play: the counters of a fork begin at its snapshot. */
  countOf(node: CountNode, tick: number): Reading {
    const value = this.occurrences(node, tick).reduce((sum, each) => sum + each.within(-1, tick).count, 0);
    return { value, text: String(value) };
  }

  /** How often, and in which ticks, a comparison made its condition false, after `from` up to `to`. */
  falseIn(node: Condition, from: number, to: number): { readonly count: number; readonly ticks: readonly number[] } {
    return this.record.falseOnes.get(node)?.within(from, to) ?? { count: 0, ticks: [] };
  }
}

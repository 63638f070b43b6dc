import {
  type Action,
  type Condition,
  EntityHandle,
  everyNode,
  type Journal,
  type LoadedGame,
  type OutputEvent,
  type PlayerHandle,
  Replay,
  Simulation,
  type UnitHandle,
  watchScripts,
} from '../../engine/index.ts';
import {
  type HostOptions,
  inputUnchecked,
  internalsOf,
  type Program,
  programsOfGame,
  rowOf,
  timersOf,
  trace,
  typeOf,
  valueWithHandles,
} from '../../engine/tools.ts';
import { type GameSource, isEntityId, type Node, valueText } from '../expression/index.ts';
import { modelOf } from '../model/index.ts';
import { conditionText, FalseComparisons } from '../run/index.ts';
import { amount } from '../text/index.ts';
import { Absence, times } from './absence.ts';
import { type Answer, type Cause, isFirstValue, type Read, type Write } from './answer.ts';
import { causesOf, inputText } from './causes.ts';
import { ChangeIndex, indexKey, isObject } from './change-index.ts';
import { type Motion, motionOf } from './motion.ts';
import { outputText } from './posted.ts';
import { NamedSource, questionOf } from './question.ts';
import { keyOf, type Question, type Reading, readingOf } from './reading.ts';
import { isPurchase, reasonText, type Stake, stakeOf, wouldChange } from './refusals.ts';
import { bodilessLines, emptyHandLines, excludingLines, nearestBoundLines, regionsIn } from './surroundings.ts';
import { Tallies, type Tally } from './tally.ts';
import { type Change, TickTrace } from './tick-trace.ts';
import { TimerOrigins } from './timer-origins.ts';
import { writeText } from './why-text.ts';

/** Thrown for a tick outside of the recording. */
export class NoSuchTick extends Error {
  override readonly name = 'NoSuchTick';
  readonly code = 'no-such-tick';
}

export interface WhyOptions {
  /**
   * How many writes to follow back: 1 is the last write of the value, 2 also those of what that write read. Default 1.
   */
  readonly depth?: number;
  /** Answers as of the moment before an action of the tick, counted from 0, in place of the end of the tick. */
  readonly beforeAction?: number | undefined;
}

/** Ticks between forks. */
const keyframeTicks = 40;
/** States kept for questions about the same ticks. */
const statesMax = 24;

/** Ticks in which a value's scripts ran that are simulated again to find out whether they wrote this value. */
const cancelledTries = 8;
/** Timers of a chain that are told, each of which runs other actions. */
const timersToldMax = 20;
/** Earlier writes of a tick that are told with its last one. */
const earlierMax = 3;
/** Other outputs of a kind that are kept to show if none has the details in question. */
const othersMax = 200;
const othersShown = 3;
/** The latest refusals are told. */
const refusedShown = 3;

/** The depth of a write whose timers are not followed back. */
const asFarAsTimers = -1;

/** The position of a question within a tick; Infinity is the end of the tick. */
const endOfTick = Number.POSITIVE_INFINITY;

/**
 * Answers why a value of a recorded play is what it is. Replays the play between forks, so that nothing needs to be
 * recorded for it in advance.
 */
export class RecordedPlay {
  readonly journal: Journal;
  private readonly game: LoadedGame;
  /** The game with scripts that report false conditions. */
  private readonly watched: LoadedGame;
  private readonly replay: Replay;
  private readonly source: GameSource;
  private readonly questions = new Map<string, Question>();
  private readonly states = new Map<number, Uint8Array>();
  private readonly lastChanges = new Map<string, number | undefined>();
  /** The game with scripts that report every step. */
  private traced: LoadedGame | undefined;
  /** Whether web requests were answered. */
  private readonly isAnswered: boolean;
  private current: Simulation;
  private timerOrigins: TimerOrigins | undefined;
  private readonly tallies: Tallies;
  private readonly knownWrites = new Map<string, Write>();
  private readonly index = new ChangeIndex();
  private readonly postings = new Map<string, Postings>();
  /** Called with each output of the replay. */
  private hearing: ((event: OutputEvent) => void) | undefined;

  /**
   * Throws `ReplayError` for a journal of another game. `names`: ids of entities by further names. `snapshotTicks`:
   * keeps snapshots between forks, for a page that jumps to any tick.
   */
  constructor(
    game: LoadedGame,
    journal: Journal,
    names: ReadonlyMap<string, string> = new Map(),
    snapshotTicks?: number,
  ) {
    this.game = game;
    this.journal = journal;
    this.watched = programsOfGame(game).watched('conditions');
    this.replay = new Replay(this.watched, journal, {
      keyframeTicks,
      snapshotTicks,
      onOutput: (event) => this.hearing?.(event),
    });
    this.current = this.replay.sim;
    const inputs = [...journal.inputs.values()].flat();
    this.isAnswered = inputs.some(({ kind }) => kind === 'httpAnswer');
    this.source = new NamedSource(game, journal.head.dialect, names, {
      playing: () => this.current,
      journal,
    });
    const regions = regionsIn(game, conditionsOf(this.program));
    const nameOf = (sim: Simulation, unit: UnitHandle): string => valueText(sim, unit, this.source);
    this.tallies = new Tallies(this.current, (sim, approaches) => approaches.note(sim, regions, nameOf));
  }

  /** The tick of a moment in simulated seconds. Throws `NoSuchTick` outside of the recording. */
  tickAt(seconds: number): number {
    return this.requireTick(Math.round(seconds * this.journal.head.rate));
  }

  /**
   * Why a value, given as an expression, is what it is after a tick (default: the last one). Throws `ExpressionError`
   * for an expression that is wrong, and `NoSuchTick` for a tick that was not recorded.
   */
  why(expression: string, tick: number = this.journal.lastTick, { depth = 1, beforeAction }: WhyOptions = {}): Answer {
    const question = this.question(expression);
    this.requireTick(tick);
    const step = beforeAction === undefined ? undefined : this.traceOf(question, tick).actions[beforeAction];
    return this.explain(question, tick, step ?? endOfTick, depth);
  }

  /** Opens a value that a write read: why it had that value at that moment. */
  whyRead({ expression, tick, step }: Read, { depth = 1 }: WhyOptions = {}): Answer | undefined {
    return expression === undefined ? undefined : this.explain(this.question(expression), tick, step, depth);
  }

  /** The ticks in which a value changed, oldest first. */
  changes(expression: string, from = this.journal.head.tick, to = this.journal.lastTick): readonly number[] {
    const question = this.question(expression);
    this.requireTick(to);
    this.requireTick(from);
    if (question.hears === undefined) return this.changesIn(question, from, to);
    return this.postingsOf(question).ticks.flatMap(({ tick }) => (tick > from && tick <= to ? [tick] : []));
  }

  /**
   * The last change of a number in the direction opposite to its latest change. A health that regenerates changes every
   * tick; the hit before that is more interesting.
   */
  turn(expression: string, tick: number): Write | undefined {
    const question = this.question(expression);
    this.go(this.journal.head.tick);
    let before = question.read();
    let direction = 0;
    let turned: number | undefined;
    let latest: number | undefined;
    while (this.replay.tick < tick && !this.replay.sim.ended) {
      this.go(this.replay.tick + 1);
      const value = question.read();
      const rise = typeof value === 'number' && typeof before === 'number' ? Math.sign(value - before) : 0;
      if (typeof value === 'number' && typeof before !== 'number') {
        // It came into being.
        turned = this.replay.tick;
        direction = 0;
      } else if (rise !== 0) {
        if (direction !== 0 && rise !== direction) turned = latest;
        direction = rise;
        latest = this.replay.tick;
      }
      before = value;
    }
    return turned === undefined ? undefined : this.write(expression, turned);
  }

  /** The change of a value in a tick; undefined if there was none. */
  write(expression: string, tick: number): Write | undefined {
    const question = this.question(expression);
    const found = this.changeIn(question, this.requireTick(tick), endOfTick);
    return found && this.writeOf(question, tick, found, 0);
  }

  /**
   * All changes of a value in a tick, oldest first, back to the timer that made them: what led to it would be told
   * again for each.
   */
  writes(expression: string, tick: number): readonly Write[] {
    const question = this.question(expression);
    const traced = this.traceOf(question, this.requireTick(tick));
    const last = this.changeIn(question, tick, endOfTick, traced);
    if (last === undefined) return [];
    const { changes, motion } = traced;
    const before = changes.filter(({ step }) => step < last.step).map((change) => ({ ...change, motion }));
    return [...before, last].map((change) => this.writeOf(question, tick, change, asFarAsTimers));
  }

  /** The last tick up to `tick` after which a condition holds; undefined if there is none. */
  lastHolding(expression: string, tick: number): number | undefined {
    const question = this.question(expression);
    if (question.hears !== undefined) return this.lastChange(question, tick);
    const { truth } = question;
    const first = this.journal.head.tick;
    for (let end = tick; end >= first; ) {
      const start = this.replay.startBefore(end);
      let found: number | undefined;
      for (let at = start; at <= end; at++) {
        this.go(at);
        if (truth()) found = at;
      }
      if (found !== undefined) return found;
      if (start === first) return undefined;
      end = start;
    }
    return undefined;
  }

  /** The value after a tick. */
  value(expression: string, tick: number): unknown {
    const question = this.question(expression);
    this.requireTick(tick);
    if (question.hears !== undefined) return this.postedUpTo(question, tick);
    this.go(tick);
    return readingOf(this.current, question.read(), this.source).value;
  }

  /** The tick at which the replay is. */
  get tick(): number {
    return this.replay.tick;
  }

  /** The simulation after a tick, only to read from: the next question moves it. */
  at(tick: number): Simulation {
    return this.go(this.requireTick(tick));
  }

  /** Another replay of the play, which reports false conditions and shares key frames with this one. */
  replayBeside(host: HostOptions): Replay {
    return this.replay.beside(host);
  }

  private requireTick(tick: number): number {
    const { head, lastTick } = this.journal;
    if (Number.isInteger(tick) && tick >= head.tick && tick <= lastTick) return tick;
    const [first, last] = [head.tick, lastTick].map((each) => `${(each / head.rate).toFixed(2)} s`);
    throw new NoSuchTick(
      `The recording goes from tick ${head.tick} (${first}) to tick ${lastTick} (${last}), not to ${tick}.`,
    );
  }

  private question(text: string): Question {
    let question = this.questions.get(text);
    if (question === undefined) {
      this.current = this.replay.sim;
      question = questionOf(text, this.source);
      this.questions.set(text, question);
    }
    return question;
  }

  private go(tick: number): Simulation {
    if (tick === this.replay.tick + 1) {
      this.index.before(this.replay.sim);
      this.countTick();
      this.index.after(this.replay.sim);
    } else this.replay.seek(tick);
    this.current = this.replay.sim;
    return this.current;
  }

  private countTick(): void {
    // If the editor changed the state after this tick, another simulation goes on.
    const { sim } = this.replay;
    this.tallies.before(sim);
    this.replay.step();
    this.tallies.after(sim);
  }

  private seconds(tick: number): number {
    return tick / this.journal.head.rate;
  }

  private explain(question: Question, tick: number, step: number, depth: number): Answer {
    const inTick = step === endOfTick ? undefined : this.changeIn(question, tick, step);
    let found = inTick && { tick, change: inTick };
    let now = inTick?.after;
    if (found === undefined) {
      const until = step === endOfTick ? tick : tick - 1;
      // The search comes first, because it replays the ticks up to this one anyway.
      const at = until < this.journal.head.tick ? undefined : this.lastChange(question, until);
      now = readingOf(this.go(Math.max(until, this.journal.head.tick)), question.read(), this.source);
      const change = at === undefined ? undefined : this.changeIn(question, at, endOfTick);
      if (at !== undefined && change !== undefined) found = { tick: at, change };
    }
    if (question.node.kind === 'count') now = this.countOf(question.node, tick);
    if (question.hears !== undefined) {
      const value = this.postedUpTo(question, tick);
      now = { value, text: String(value) };
    }
    const parts = depth > 0 ? question.parts().map((part) => this.explain(this.question(part), tick, step, depth)) : [];
    const answer = {
      question: question.text,
      tick,
      seconds: this.seconds(tick),
      value: now!.value,
      text: now!.text,
      ...(parts.length > 0 && { parts }),
    };
    if (found !== undefined) {
      const write = depth > 0 ? this.writeOf(question, found.tick, found.change, depth - 1) : undefined;
      const known: Answer = write === undefined ? answer : { ...answer, write };
      // A value can change often without ever becoming equal to the other side.
      if (question.node.kind === 'compare' && answer.value === false) return this.noted(known, question, tick);
      const since = write === undefined || step !== endOfTick ? [] : this.sinceNotes(question, found, tick);
      return since.length === 0 ? known : { ...known, notes: since };
    }
    const since = depth > 0 && step === endOfTick ? this.sinceNotes(question, undefined, tick) : [];
    return since.length > 0 ? { ...answer, notes: since } : this.noted(answer, question, tick);
  }

  private noted(answer: Answer, question: Question, tick: number): Answer {
    const isFirst = answer.parts?.some(isFirstValue) ?? false;
    const notes =
      question.hears === undefined
        ? [
            ...this.refusedOf(answer, tick),
            ...this.beyondBounds(question.node, answer, tick),
            ...this.absenceNotes(question.node, tick, isFirst),
          ]
        : this.otherOutputs(question, tick);
    if (notes.length === 0) return answer;
    // What would have made a condition true explains its parts, too.
    const parts = answer.parts?.map(({ notes: _ofPart, ...part }) => part);
    return { ...answer, notes, ...(parts && { parts }) };
  }

  /** The refused purchases that would have changed a part of a condition. */
  private refusedOf({ parts = [] }: Answer, tick: number): string[] {
    const found = parts.flatMap(({ question, write }) => this.refusedSince(this.question(question), write?.tick, tick));
    return [...new Set(found)];
  }

  /**
   * The purchases that the game refused after a tick, and that would have changed a value of the player or its unit.
   */
  private refusedSince({ text, node }: Question, from = this.journal.head.tick, tick: number): string[] {
    const stake = stakeOf(text, node, this.source.lexicon);
    if (stake === undefined) return [];
    const of = this.question(stake.of);
    const sim = this.go(tick);
    const held = of.read();
    const buyer = sim.players().find((each) => holds(each, held));
    if (buyer === undefined) return [];
    const { clientId } = buyer;
    const ticks = [...this.journal.inputs].flatMap(([at, inputs]) =>
      at > from && at <= tick && inputs.some((each) => isPurchase(each, clientId)) ? [at] : [],
    );
    const found = ticks.slice(-cancelledTries).flatMap((at) => this.refusedIn(at, clientId, stake));
    return found.slice(-refusedShown);
  }

  private refusedIn(tick: number, clientId: string, stake: Stake): string[] {
    const found: string[] = [];
    const { read } = this.question(stake.of);
    const sim = Simulation.restore(this.game, this.stateAt(tick - 1), { ofAnyVersion: true });
    sim.on('refused', ({ input, reason, why = reason }) => {
      if (!isPurchase(input, clientId)) return;
      const buyer = sim.players().find((each) => each.clientId === clientId);
      if (buyer === undefined || !holds(buyer, read()) || !wouldChange(sim, buyer, input, stake)) return;
      const at = `At tick ${tick} (${this.seconds(tick).toFixed(2)} s)`;
      const name = valueText(sim, buyer, this.source);
      found.push(
        `${at} ${name}'s input ${input.kind} ${input.type} was refused: ${reasonText(sim, buyer, input, why)}`,
      );
    });
    this.current = sim;
    for (const input of this.journal.inputs.get(tick) ?? []) inputUnchecked(sim, input);
    sim.step();
    return found;
  }

  private sinceNotes(question: Question, found: FoundChange | undefined, tick: number): string[] {
    return [...this.refusedSince(question, found?.tick, tick), ...this.changesSince(question, found, tick)];
  }

  /**
   * What happened since the last change. To a global variable: writes that cancelled each other out within a tick, or
   * else the condition that kept the action of that change from running again. To a member of an entity: that
   * condition; for a player's attribute with its first value, what would have changed it. In a script that ran: its
   * conditions that were never or rarely true.
   */
  private changesSince(question: Question, found: FoundChange | undefined, tick: number): string[] {
    const { text, node, member, subject, read } = question;
    if (node.kind === 'count')
      return node.of === 'runs' ? this.absenceUpTo(tick).rarelyTrue(this.source.lexicon.scripts(node.name.text)) : [];
    const isFirst = found === undefined || found.change.before.text.startsWith('nothing: ');
    if (node.kind === 'set') {
      if (node.of !== 'items' || node.holder === undefined || !isFirst) return [];
      const absence = this.absenceUpTo(tick);
      return absence.ofActions(
        absence.itemMovers(),
        absence.unless(['items'], 'No script drops, gives or picks up items.'),
      );
    }
    const [attribute] = this.source.lexicon.attribute(member ?? '');
    // It has its first value: nothing has changed it since its entity came into being.
    if (attribute !== undefined && found?.change.before.value === null && subject()?.kind === 'player')
      return this.attributeNotes(this.absenceUpTo(tick), attribute);
    const { lexicon } = this.source;
    if (member === 'holding' && !lexicon.isVariable(member)) {
      const sim = this.go(tick);
      const unit = read() === undefined ? subject() : undefined;
      return unit?.kind === 'unit' ? emptyHandLines(sim, unit) : [];
    }
    if (node.kind === 'path' && node.members[0]?.text === 'unit' && this.isWithoutUnit(node, tick)) {
      const absence = this.absenceUpTo(tick);
      return absence.ofActions(absence.unitCreators(), 'No script creates units.');
    }
    const isVariable = member !== undefined && lexicon.isVariable(member);
    const isMember = member !== undefined && (attribute !== undefined || isVariable || member === 'quantity');
    if (node.kind !== 'path' || (!isMember && (node.members.length > 0 || !this.isGlobal(node.head.text)))) return [];
    const from = found?.tick ?? this.journal.head.tick;
    const absence = this.absenceUpTo(tick);
    if (isMember && isFirst)
      return isVariable
        ? absence.ofActions(absence.memberWriters(member), absence.unless(['variable'], noWriter(member)))
        : [];
    const ranIn = ({ location }: Action, to = tick) => this.index.ranIn(location, from, to);
    const frame = found?.change.frames.findLast((each) => each.kind === 'action');
    const writer = frame && (this.program.locations[frame.location] as Action);
    const writers = !isMember
      ? absence.writers(node.head.text)
      : attribute !== undefined
        ? absence.attributeWriters(new Set([attribute]))
        : isVariable
          ? absence.memberWriters(member)
          : absence.changersOf('quantity');
    for (let end = tick, tries = 0; tries < cancelledTries; tries++) {
      const last = Math.max(...writers.map((action) => ranIn(action, end)?.last ?? from), from);
      if (last <= from) break;
      // The action of a member may have run for other entities.
      const { changes } = this.traceOf(question, last);
      const lines = changes
        .slice(-2)
        .map((change) => `  ${writeText(this.writeOf(question, last, change, asFarAsTimers))}`);
      if (lines.length > 0) return ['Later writes cancelled each other out. The last ones:', ...lines];
      const faults = absence.faultsOf(writers);
      if (!isMember || faults.length > 0) return faults;
      end = last - 1;
    }
    const back = (): string[] => {
      if (!isMember || found === undefined) return [];
      const { before, after } = found.change;
      return [...this.atBound(text, tick), ...absence.changingBack(writers, before.value, after.value)];
    };
    if (writer === undefined || (isMember && ranIn(writer) !== undefined)) return back();
    const around = absence.conditionAround(writer, (each) => ranIn(each) !== undefined);
    if (around === undefined) return back();
    const { action, condition, wanted } = around;
    const reached = ranIn(action)!;
    const what = `Since then "${action.script.name}" reached this condition in ${amount(reached.count, 'tick')}`;
    if (!wanted) return [`${what}, and it was true: ${conditionText(condition)}`];
    const falseOnes = this.falseIn(reached.last);
    const at = `at tick ${reached.last} (${this.seconds(reached.last).toFixed(2)} s)`;
    return [
      `${what}, and it was false: ${conditionText(condition)}`,
      ...absence.comparisons(condition, (each) => falseOnes.of(each)).map((line) => `  ${at} ${line}`),
    ];
  }

  /** Says so if the attribute in a false comparison is at the bound that keeps the comparison from being true. */
  private beyondBounds(node: Node, { parts = [] }: Answer, tick: number): string[] {
    if (node.kind !== 'compare') return [];
    const sides = [node.left, node.right].flatMap((side) => (side.kind === 'literal' ? [side.value] : []));
    const values = [...sides, ...parts.map(({ value }) => value)].filter((value) => typeof value === 'number');
    return parts.flatMap(({ question, value }) => {
      if (typeof value !== 'number') return [];
      const isAbove = values.some((each) => each > value);
      return this.atBound(question, tick).filter((line) => line.includes(isAbove ? 'maximum' : 'minimum'));
    });
  }

  /** Says so if an attribute is at one of its bounds. */
  private atBound(expression: string, tick: number): string[] {
    const { member = '', subject } = this.question(expression);
    const [attribute] = this.source.lexicon.attribute(member);
    if (attribute === undefined) return [];
    this.go(tick);
    const of = subject();
    const value = of?.attribute(attribute);
    const bounds = of?.attributeBounds(attribute);
    if (value === undefined || bounds === undefined || bounds.min === bounds.max) return [];
    if (value === bounds.max) return [`${expression} is at its maximum, ${value}.`];
    return value === bounds.min ? [`${expression} is at its minimum, ${value}.`] : [];
  }

  /** Whether the player that a path begins with has no unit. */
  private isWithoutUnit({ head }: PathNode, tick: number): boolean {
    this.go(tick);
    const player = this.isGlobal(head.text) ? undefined : this.source.entityNamed(head.text);
    return player?.kind === 'player' && player.exists && player.unit === undefined;
  }

  private attributeNotes(absence: Absence, key: string): string[] {
    const none = absence.unless(['attribute'], `No script changes the attribute ${key}.`, [key]);
    return absence.ofActions(absence.attributeWriters(new Set([key])), none);
  }

  /** The comparisons that were false in a tick. */
  private falseIn(tick: number): FalseComparisons {
    const sim = Simulation.restore(this.watched, this.stateAt(tick - 1), { ofAnyVersion: true });
    const found = new FalseComparisons(() => tick);
    watchScripts(sim, found);
    for (const input of this.journal.inputs.get(tick) ?? []) inputUnchecked(sim, input);
    sim.step();
    return found;
  }

  /** Counts cover the whole play; those of a fork begin at its snapshot. */
  private countOf({ of, name }: CountNode, tick: number): Reading {
    const tally = this.tallyAt(tick);
    const { lexicon } = this.source;
    const runs = (): number => lexicon.scripts(name.text).reduce((sum, { index }) => sum + (tally.runs[index] ?? 0), 0);
    const value =
      of === 'runs'
        ? runs()
        : ((of === 'fired' ? tally.triggers.get(lexicon.trigger(name.text)) : tally.outputs.get(name.text)) ?? 0);
    return { value, text: String(value) };
  }

  /**
   * What could have changed a value that has not changed up to a tick, and what was missing. `isFirst`: of a
   * comparison, whether a side has its first value.
   */
  private absenceNotes(node: Node, tick: number, isFirst: boolean): string[] {
    const absence = this.absenceUpTo(tick);
    const notes = this.absenceOf(node, absence, isFirst);
    return notes.length === 0 ? [] : [...notes, ...this.surroundings(absence, tick)];
  }

  /** What kept the triggers and comparisons that were told of from firing and from being true. */
  surroundings({ told }: Absence, tick: number): string[] {
    const regions = regionsIn(this.game, told.comparisons);
    const approaches = regions.size === 0 ? undefined : this.tallyAt(tick).approaches;
    const sim = this.go(tick);
    return [
      ...bodilessLines(sim, told.triggers),
      ...excludingLines(sim, told.triggers),
      ...nearestBoundLines(sim, told.waiting),
      ...(approaches?.lines(sim, regions) ?? []),
    ];
  }

  private absenceOf(node: Node, absence: Absence, isFirst: boolean): string[] {
    if (node.kind === 'count') {
      const { text } = node.name;
      const { lexicon } = this.source;
      if (node.of === 'runs') return absence.script(lexicon.scripts(text));
      return node.of === 'fired' ? absence.trigger(lexicon.trigger(text)) : absence.output(text);
    }
    if (node.kind === 'set' && node.type !== undefined && node.of !== 'players') {
      const kind = node.of.slice(0, -1) as 'unit' | 'item' | 'projectile';
      return absence.creation(this.source.lexicon.type(kind, node.type.text));
    }
    if (node.kind === 'compare') {
      const wanted = this.comparedGlobal(node);
      if (wanted === undefined) {
        const isHidden = node.left.kind === 'path' && node.left.members.at(-1)?.text === 'hidden';
        const { actions, none } = isFirst || isHidden ? this.makersOf(node, absence) : noMakers;
        return absence.ofActions(actions, none);
      }
      const writers = absence.writers(wanted.name, wanted.value);
      const ran = writers.some((action) => absence.ran(action) > 0);
      return ran ? absence.faultsOf(writers) : absence.variable(wanted.name, wanted.value);
    }
    if (node.kind !== 'path' || node.members.length > 0) return [];
    return this.isGlobal(node.head.text) ? absence.variable(node.head.text) : [];
  }

  /**
   * The actions that would make a part of a condition true, as far as its text says; and what to say if there are none.
   */
  makers(expression: string, part: Answer, absence: Absence): Makers {
    const { node } = this.question(expression);
    if (node.kind !== 'compare') return noMakers;
    const wanted = this.comparedGlobal(node);
    if (wanted !== undefined)
      return wanted.name === part.question
        ? { actions: absence.writers(wanted.name, wanted.value), none: '' }
        : noMakers;
    if (!isFirstValue(part)) return noMakers;
    return this.isGlobal(part.question)
      ? { actions: absence.writers(part.question), none: '' }
      : this.makersOf(node, absence);
  }

  /** The actions that change the member of an entity that is compared with a value; of types, only to that value. */
  private makersOf({ operator, left, right }: CompareNode, absence: Absence): Makers {
    const [path, literal] = left.kind === 'literal' ? [right, left] : [left, right];
    const member = path.kind === 'path' ? path.members.at(-1)?.text : undefined;
    if (member === undefined) return noMakers;
    const { lexicon } = this.source;
    const keys = lexicon.attribute(member);
    if (keys.size > 0)
      return {
        actions: absence.attributeWriters(keys),
        none: absence.unless(['attribute'], `No script changes the attribute ${member}.`, keys),
      };
    if (lexicon.isVariable(member))
      return { actions: absence.memberWriters(member), none: absence.unless(['variable'], noWriter(member)) };
    if (member === 'hidden')
      return { actions: absence.changersOf('visibility'), none: 'No script shows or hides entities.' };
    if (member !== 'type' || operator !== '==' || literal.kind !== 'literal') return noMakers;
    const type = String(literal.value);
    return {
      actions: absence.typeChangers(lexicon.typesNamed(type)),
      none: absence.unless(['type'], `No script changes the type of anything to ${type}.`),
    };
  }

  private comparedGlobal({ operator, left, right }: CompareNode) {
    const [path, literal] = left.kind === 'literal' ? [right, left] : [left, right];
    if (operator !== '==' || path.kind !== 'path' || path.members.length > 0 || literal.kind !== 'literal')
      return undefined;
    return this.isGlobal(path.head.text) ? { name: path.head.text, value: literal.value } : undefined;
  }

  private isGlobal(name: string): boolean {
    return this.source.lexicon.isGlobal(name);
  }

  /** What did not happen up to a tick. */
  absenceUpTo(tick: number): Absence {
    const sim = this.go(tick);
    return new Absence(
      this.game.definition,
      this.program,
      () => this.tallyAt(tick),
      (value) => valueText(sim, valueWithHandles(sim, value), this.source),
      sim.faults(),
    );
  }

  /** When outputs with some details were posted, found by simulating the whole play once. */
  private postingsOf(question: Question): Postings {
    let found = this.postings.get(question.text);
    if (found !== undefined) return found;
    found = { ticks: [], others: new Map() };
    this.postings.set(question.text, found);
    const { ticks, others } = found;
    const kind = question.node.kind === 'posted' ? question.node.output?.text : undefined;
    const { tick: first } = this.journal.head;
    const count = (): number => Number(question.read());
    let before = count();
    const note = (tick: number): void => {
      if (count() > before) ticks.push({ tick, count: count() - before });
      before = count();
    };
    this.traceOf(question, first);
    note(first);
    this.go(first);
    this.hearing = (event) => {
      const known = count();
      question.hears?.(event);
      if (count() > known || event.kind !== kind || others.size === othersMax) return;
      const text = outputText(this.replay.sim, event, this.source);
      if (!others.has(text)) others.set(text, event.tick);
    };
    while (this.replay.tick < this.journal.lastTick && !this.replay.sim.ended) {
      this.go(this.replay.tick + 1);
      note(this.replay.tick);
    }
    this.hearing = undefined;
    return found;
  }

  private postedUpTo(question: Question, tick: number): number {
    return this.postingsOf(question).ticks.reduce((sum, each) => (each.tick <= tick ? sum + each.count : sum), 0);
  }

  /** What was posted of a kind, if nothing had the details in question. */
  private otherOutputs(question: Question, tick: number): string[] {
    const kind = question.node.kind === 'posted' ? question.node.output?.text : undefined;
    if (kind === undefined) return ['No output of the play had such a detail.'];
    const others = [...this.postingsOf(question).others].filter(([, at]) => at <= tick);
    if (others.length === 0) return this.absenceUpTo(tick).output(kind);
    const shown = others
      .slice(-othersShown)
      .map(([text, at]) => `  tick ${at} (${this.seconds(at).toFixed(2)} s) ${text}`);
    return [`No output of kind ${kind} had these details, but these were posted:`, ...shown];
  }

  private tallyAt(tick: number): Tally {
    const { current } = this;
    const at = current.tick;
    const tally = this.tallies.upTo(tick, (from, to) => {
      this.go(from);
      while (this.replay.tick < to && !this.replay.sim.ended) this.countTick();
    });
    // Questions go on reading the simulation that they were at, unless it was played on.
    this.current = current.tick === at ? current : this.go(at);
    return tally;
  }

  /** `later`: of the start of a timer, the timers to which it led, told before it. */
  private writeOf(
    question: Question,
    tick: number,
    change: TracedChange,
    depth: number,
    later: readonly number[] = [],
  ): Write {
    // Cached, because following reads leads to the same writes again and again.
    const key = `${question.text} ${tick} ${change.step} ${depth} ${later.join()}`;
    let write = this.knownWrites.get(key);
    if (write === undefined) {
      write = this.newWrite(question, tick, change, depth, later);
      this.knownWrites.set(key, write);
    }
    return write;
  }

  private newWrite(
    question: Question,
    tick: number,
    change: TracedChange,
    depth: number,
    later: readonly number[],
  ): Write {
    const { member, isCount } = question;
    const { step, before, after, motion, posted, earlier = [] } = change;
    const causes: (Cause & { readonly timer?: number })[] = causesOf(change, {
      sim: this.replay.sim,
      tick,
      subject: motion?.id,
      member,
      isCount,
      regenerates: motion?.regenerates === true,
      motion: motion?.text,
    });
    if (causes[0]?.kind === 'rule' && isPlace(member)) causes.push(...this.held(motion, tick));
    return {
      tick,
      seconds: this.seconds(tick),
      step,
      ...(!isCount && { before: before.value, beforeText: before.text, after: after.value, afterText: after.text }),
      ...(isCount &&
        posted.length > 0 && { posted: posted.map((event) => outputText(this.replay.sim, event, this.source)) }),
      ...(earlier.length > 0 && {
        earlier: earlier.map((each) => this.writeOf(question, tick, { ...each, motion }, Math.min(depth, 0))),
      }),
      causes: causes.map((cause) => this.opened(cause, tick, depth, later)),
    };
  }

  /** The inputs that pressed the keys that a player holds. */
  private held(motion: Motion | undefined, tick: number): Cause[] {
    if (motion?.player === undefined) return [];
    return motion.keys.flatMap((key): Cause[] => {
      for (let at = tick; at > this.journal.head.tick; at--) {
        const pressed = this.journal.inputs
          .get(at)
          ?.find((input) => input.kind === 'keyDown' && input.player === motion.player && input.key === key);
        if (pressed === undefined) continue;
        return [{ kind: 'input', text: `${inputText(pressed)} at tick ${at} (${this.seconds(at).toFixed(2)} s)` }];
      }
      return [];
    });
  }

  /** A cause whose reads and timers are explained down to `depth`. */
  private opened(
    { timer, ...cause }: Cause & { readonly timer?: number },
    tick: number,
    depth: number,
    later: readonly number[],
  ): Cause {
    const reads = cause.reads?.map((read) => {
      const why = depth > 0 ? this.whyRead(read, { depth }) : undefined;
      return why === undefined ? read : { ...read, why };
    });
    const started = timer === undefined || depth < 0 ? {} : this.startOf(timer, tick, depth, later);
    return { ...cause, ...(reads && { reads }), ...started };
  }

  /**
   * The action that started a timer. A timer that restarts itself is told twice: the latest start and the first one, so
   * that the cost does not grow with the number of restarts.
   */
  private startOf(timer: number, tick: number, depth: number, later: readonly number[]): Partial<Cause> {
    const chain = later.length === 0 ? [] : this.origins.chainOf(timer, tick);
    const [latest] = chain;
    const isTold = latest !== undefined && later.some((each) => this.origins.jobOf(each) === latest.job);
    const starts = isTold ? chain.filter(({ job }) => job === latest.job) : chain.slice(0, 1);
    const first = starts.at(-1);
    const question = this.startQuestion(first?.timer ?? timer);
    const at = first?.tick ?? this.lastChange(question, tick);
    const change = at === undefined ? undefined : this.changeIn(question, at, endOfTick);
    if (at === undefined || change === undefined) return {};
    const moment = (of: number): string => `tick ${of} (${this.seconds(of).toFixed(2)} s)`;
    const text = `a timer of ${moment(latest?.tick ?? at)}`;
    if (later.length > timersToldMax)
      return { text: `${text}, to which ${amount(chain.length - 1, 'other timer')} led` };
    const started = this.writeOf(question, at, change, depth, [...later, first?.timer ?? timer]);
    const restarts = starts.length - 1;
    if (restarts < 1) return { text, started };
    return { text: `${text}, which had restarted itself ${times(restarts)} since ${moment(at)}`, started, restarts };
  }

  private startQuestion(timer: number): Question {
    return {
      text: `timer ${timer}`,
      read: () => timersOf(this.current).sequence > timer,
      truth: () => false,
      node: { kind: 'literal', value: null, from: 0, to: 0 },
      isCount: false,
      subject: () => undefined,
      member: undefined,
      parts: () => [],
    };
  }

  private get origins(): TimerOrigins {
    this.timerOrigins ??= new TimerOrigins(this.game, this.journal);
    return this.timerOrigins;
  }

  /** The last tick up to `tick` in which a value changed; undefined if it never did. */
  private lastChange(question: Question, tick: number): number | undefined {
    const key = `${question.text} ${tick}`;
    if (this.lastChanges.has(key)) return this.lastChanges.get(key);
    const found = this.searchBack(question, tick);
    this.lastChanges.set(key, found);
    return found;
  }

  private searchBack(question: Question, tick: number): number | undefined {
    if (question.hears !== undefined)
      return this.postingsOf(question).ticks.findLast((each) => each.tick <= tick)?.tick;
    if (this.isConstant(question)) return undefined;
    const first = this.journal.head.tick;
    let keys = this.index.has(tick) ? this.indexKeysOf(question, tick) : undefined;
    for (let end = tick; end > first; ) {
      if (keys !== undefined && this.index.has(end)) {
        if (keys.some((key) => this.index.mayHaveChanged(key, end))) {
          // Whoever finds a change traces its tick.
          this.stateAt(end - 1);
          if (this.changesIn(question, end - 1, end).length > 0) return end;
          // Before its type changed, the entity may have had the attribute at another offset.
          if (keys.length > 1 && !question.isCount && this.index.mayHaveChanged(keys[0]!, end)) keys = undefined;
        }
        end--;
        continue;
      }
      const start = this.replay.startBefore(end);
      const found = this.changesIn(question, start, end).at(-1);
      if (found !== undefined && found > start) return found;
      end = start;
    }
    return this.changeIn(question, first, endOfTick) === undefined ? undefined : first;
  }

  /**
   * Whether a value is a global variable with a plain value that nothing writes, so that no tick needs to be simulated.
   */
  private isConstant({ node }: Question): boolean {
    const { head, edits } = this.journal;
    if (node.kind !== 'path' || node.members.length > 0 || head.tick > 0 || edits.size > 0) return false;
    // Answers to web requests write the variables that a script named when it asked.
    if (this.isAnswered) return false;
    const { layout } = internalsOf(this.current).world.globals;
    const slot = layout.slots.get(node.head.text);
    if (slot === undefined) return false;
    const { dataType, default: initial } = layout.definitions[slot]!;
    if (dataType === 'region' || dataType === 'player' || dataType === 'unit' || isObject(initial)) return false;
    const model = modelOf(this.game.definition);
    return !model.setsAnyVariable && model.changes('variable', node.head.text).length === 0;
  }

  /**
   * The keys of a value in the change index, that of its entity first; undefined if the index does not see all changes.
   */
  private indexKeysOf({ node, member, subject, parts }: Question, tick: number): readonly string[] | undefined {
    const { world } = internalsOf(this.go(tick));
    const { lexicon } = this.source;
    if (node.kind === 'count') {
      const { text } = node.name;
      if (node.of === 'outputs') return [indexKey.outputs(text)];
      if (node.of === 'fired') return [indexKey.fired(lexicon.trigger(text))];
      return lexicon.scripts(text).map(({ index }) => indexKey.runs(index));
    }
    if (node.kind === 'compare') {
      const [part, ...others] = parts();
      return part === undefined || others.length > 0 ? undefined : this.indexKeysOf(this.question(part), tick);
    }
    if (node.kind !== 'path' || node.members.length > 1) return undefined;
    const name = node.head.text;
    if (node.members.length === 0) {
      const slot = world.globals.layout.slots.get(name);
      if (slot === undefined) return this.index.tracks(name) ? [indexKey.entity(name)] : undefined;
      // The default of a region variable is a region, which scripts can remove without a write to the variable.
      if (world.globals.layout.definitions[slot]!.dataType === 'region') return undefined;
      return this.followed([indexKey.global(slot)]);
    }
    // An expression means the variable if it has the name of an entity.
    const of = isEntityId(name) && !this.isGlobal(name) ? subject() : undefined;
    if (of === undefined || member === undefined || !this.index.tracks(of.id)) return undefined;
    const attributes = [...lexicon.attribute(member)];
    const variable = world.components.variables[rowOf(of.entity)]?.layout.slots.get(member);
    if (attributes.length === 1 && !lexicon.isVariable(member)) {
      const offset = typeOf(world, of.entity)?.attributes.offsets.get(attributes[0]!);
      return offset === undefined ? undefined : [indexKey.entity(of.id), indexKey.attribute(of.id, offset)];
    }
    if (attributes.length > 0) return undefined;
    if (variable !== undefined) return this.followed([indexKey.entity(of.id), indexKey.variable(of.id, variable)]);
    if (!lexicon.isVariable(member) && isPlace(member)) return [indexKey.entity(of.id), indexKey.place(of.id, member)];
    return undefined;
  }

  private followed(keys: readonly string[]): readonly string[] | undefined {
    return keys.every((key) => this.index.follows(key)) ? keys : undefined;
  }

  /** The ticks after `from` up to `to` in which a value changed. */
  private changesIn(question: Question, from: number, to: number): number[] {
    this.go(from);
    const found: number[] = [];
    let before = question.read();
    let key = keyOf(before);
    while (this.replay.tick < to && !this.replay.sim.ended) {
      this.go(this.replay.tick + 1);
      const value = question.read();
      const now = keyOf(value);
      if (Object.is(now, key)) continue;
      if (!question.isCount || Number(value) > Number(before)) found.push(this.replay.tick);
      before = value;
      key = now;
    }
    return found;
  }

  /** The last change of a value in a tick, up to a position in it. */
  private changeIn(
    question: Question,
    tick: number,
    step: number,
    { changes, end, motion } = this.traceOf(question, tick),
  ): TracedChange | undefined {
    const edit = this.journal.edits.get(tick);
    if (step === endOfTick && edit !== undefined) {
      const edited = readingOf(this.go(tick), question.read(), this.source);
      const frames = [{ kind: 'system', name: 'edit', by: edit.by, step: 0, fired: [] }] as const;
      if (edited.text !== end.text) return { step: endOfTick, before: end, after: edited, frames, posted: [] };
    }
    const upTo = changes.filter((each) => each.step <= step);
    const change = upTo.at(-1);
    return change && { ...change, motion, earlier: question.isCount ? [] : otherWriters(upTo) };
  }

  /** Plays a tick again, reading the value at every step. */
  private traceOf(
    question: Question,
    tick: number,
  ): Pick<TickTrace, 'changes' | 'actions'> & { readonly end: Reading; readonly motion?: Motion | undefined } {
    const tracer = new TickTrace(() => question.read(), this.source);
    if (tick === this.journal.head.tick) {
      if (tick > 0) return { changes: [], actions: [], end: readingOf(this.go(tick), question.read(), this.source) };
      this.traceStart(question, tracer);
      return { changes: tracer.changes, actions: tracer.actions, end: tracer.end() };
    }
    const sim = Simulation.restore(this.tracedGame, this.stateAt(tick - 1), { ofAnyVersion: true });
    this.current = sim;
    if (question.hears !== undefined) sim.on('output', (event) => question.hears?.(event));
    tracer.begin(sim);
    trace(sim, tracer);
    for (const input of this.journal.inputs.get(tick) ?? []) inputUnchecked(sim, input);
    const motion = motionOf(sim, question.subject(), this.source.lexicon.attribute(question.member ?? ''));
    sim.step();
    return { changes: tracer.changes, actions: tracer.actions, end: tracer.end(), motion };
  }

  /** Traces tick 0, in which the world is built and `gameStart` fires. */
  private traceStart(question: Question, tracer: TickTrace): void {
    const { seed, dialect, limits, epochMs } = this.journal.head;
    let isFirst = true;
    const sim = new Simulation(this.tracedGame, {
      seed,
      dialect,
      limits,
      epochMs,
      observer: (trigger, _scope, entity, payload, of) => {
        if (!isFirst) return;
        isFirst = false;
        this.current = of;
        if (question.hears !== undefined) of.on('output', (event) => question.hears?.(event));
        tracer.begin(of);
        trace(of, tracer);
        tracer.system('start');
        tracer.fired(trigger, entity, payload);
      },
    });
    this.current = sim;
  }

  private get program(): Program {
    return programsOfGame(this.game).program(this.journal.head.dialect);
  }

  private get tracedGame(): LoadedGame {
    this.traced ??= programsOfGame(this.game).watched('everything');
    return this.traced;
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
}

type CountNode = Extract<Node, { kind: 'count' }>;
type PathNode = Extract<Node, { kind: 'path' }>;
type CompareNode = Extract<Node, { kind: 'compare' }>;

function conditionsOf({ scripts }: Program): Condition[] {
  return scripts.flatMap(({ node }) =>
    [node.conditions, node.actions].flatMap((part) => [...everyNode(part)].filter((each) => each.kind === 'condition')),
  );
}

/** Operations that change which items a unit holds. */
function noWriter(variable: string): string {
  return `No script sets the variable ${variable} of anything.`;
}

/** What would make a condition true, and the text for no action. */
interface Makers {
  readonly actions: readonly Action[];
  readonly none: string;
}

const noMakers: Makers = { actions: [], none: '' };

interface FoundChange {
  readonly tick: number;
  readonly change: TracedChange;
}

/** A change, with the motion of the entity in question. */
type TracedChange = Change & { readonly motion?: Motion | undefined; readonly earlier?: readonly Change[] };

/** The ticks in which outputs with some details were posted, and the first tick of each other output of the kind. */
interface Postings {
  readonly ticks: { readonly tick: number; readonly count: number }[];
  readonly others: Map<string, number>;
}

/** The last changes before the last one that something else made. */
function otherWriters(changes: readonly Change[]): readonly Change[] {
  const found: Change[] = [];
  const seen = new Set<string>();
  for (const change of changes.toReversed()) {
    const writer = writerOf(change);
    if (seen.has(writer) || change.before.text.startsWith('nothing: ')) continue;
    if (seen.size > 0) found.unshift(change);
    seen.add(writer);
    if (found.length === earlierMax) break;
  }
  return found;
}

function writerOf({ frames }: Change): string {
  const inner = frames.at(-1);
  if (inner === undefined) return '';
  if (inner.kind === 'action') return `action ${inner.location}`;
  return 'id' in inner ? `${inner.kind} ${inner.id}` : `${inner.kind} ${inner.step}`;
}

/** Whether something is a player or its selected unit. */
function holds(player: PlayerHandle, found: unknown): boolean {
  if (!(found instanceof EntityHandle)) return false;
  return player.id === found.id || player.unit?.id === found.id;
}

function isPlace(member: string | undefined): member is 'x' | 'y' | 'angle' {
  return member === 'x' || member === 'y' || member === 'angle';
}

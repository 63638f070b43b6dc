import type { OutputEvent, Simulation } from '../../engine/index.ts';
import { applyEdit, trace } from '../../engine/tools.ts';
import { nameText } from '../expression/index.ts';
import { bonusChanges, bonusesOf } from './bonuses.ts';
import { type Motion, motionOf } from './motion.ts';
import type { PlayReader } from './play-reader.ts';
import { outputText } from './posted.ts';
import { keyOf, type Question } from './reading.ts';
import type { Series } from './series.ts';
import { type Change, isCreation, TickTrace } from './tick-trace.ts';

/** The position within a tick that stands for its end. */
export const endOfTick = Infinity;

/** The maximum number of earlier writes of a tick that are reported with its last one. */
const earlierMax = 3;
/** The maximum number of other outputs of a kind to keep. They are shown if no output has the details in question. */
const othersMax = 200;

/** A change, with the motion of the entity in question. */
export type TracedChange = Change & {
  readonly motion?: Motion | undefined;
  /** The bonuses of items that the entity, or the units of the player, got or lost in the tick. */
  readonly bonuses?: readonly string[];
  readonly earlier?: readonly Change[];
};

interface FoundChange {
  readonly tick: number;
  readonly change: TracedChange;
}

/**
 * The ticks with outputs that have the details in question, and the first tick of each other output of the same kind.
 */
interface Postings {
  readonly ticks: { readonly tick: number; readonly count: number }[];
  readonly others: Map<string, number>;
}

/** The record of a tick in which a value was read at every step. */
interface TracedTick extends Pick<TickTrace, 'changes' | 'actions' | 'watchedRuns'> {
  readonly motion?: Motion | undefined;
  readonly bonuses?: readonly string[];
}

/** Finds when a value of a play changed, and what was in progress at that moment. */
export class ChangeFinder {
  private readonly lastChanges = new Map<string, number | undefined>();
  private readonly postings = new Map<string, Postings>();

  constructor(private readonly reader: PlayReader) {}

  /** The last tick up to `tick` in which a value changed; undefined if it never did. */
  last(question: Question, tick: number): number | undefined {
    const key = `${question.text} ${tick}`;
    if (!this.lastChanges.has(key)) this.lastChanges.set(key, this.search(question, tick));
    return this.lastChanges.get(key);
  }

  /** The last change of a value up to a tick, with its tick; undefined if it never changed. */
  lastChange(question: Question, tick: number): FoundChange | undefined {
    const at = this.last(question, tick);
    const change = at === undefined ? undefined : this.in(question, at, endOfTick);
    return change && { tick: at!, change };
  }

  private search(question: Question, tick: number) {
    if (question.hears !== undefined)
      return this.postingsOf(question).ticks.findLast((each) => each.tick <= tick)?.tick;
    const { reader } = this;
    const { first } = reader;
    const known = this.recorded(question, tick);
    const found = Math.max(-1, ...(known ?? []).map((series) => series.ticks[series.indexAt(tick)] ?? -1));
    // If the value belongs to the unit of a player, the player may have got another unit with an equal value, which is
    // no change.
    const isSame = found > first && known!.length > 1 && this.in(question, found, endOfTick) === undefined;
    if (found > first && !isSame) return found;
    if (known === undefined || isSame) {
      // Ticks that were never simulated are simulated now, which extends the record and answers the question in one
      // pass.
      const read = Math.min(tick, reader.record.tick);
      const found = this.changesIn(question, read, tick).at(-1);
      if (found !== undefined) return found;
      for (const [start, end] of reader.stretchesBefore(read)) {
        const found = this.changesIn(question, start, end).at(-1);
        if (found !== undefined) return found;
      }
    }
    return this.in(question, first, endOfTick) === undefined ? undefined : first;
  }

  /**
   * The series of the record that contain all changes of a value; undefined if the record does not follow this value.
   */
  private recorded({ node, member, subject }: Question, tick: number): readonly Series[] | undefined {
    const { reader } = this;
    const { record, source } = reader;
    const { lexicon } = source;
    if (node.kind === 'count') return reader.occurrences(node, tick);
    if (node.kind !== 'path') return undefined;
    const name = node.head.text;
    const whole = (key: string): readonly Series[] | undefined => {
      reader.readTo(tick);
      return record.isWhole(key) ? [record.values.get(key)!] : undefined;
    };
    if (member === undefined) {
      if (!lexicon.isGlobal(name)) return undefined;
      // A region variable is not followed: its default is a region, which scripts can remove without a write to the
      // variable.
      if (reader.game.definition.variables.get(name)?.dataType === 'region') return undefined;
      return whole(nameText(name));
    }
    // If a variable has the same name as an entity, expressions mean the variable.
    if (lexicon.isGlobal(name)) return undefined;
    reader.go(tick);
    const [first, ...between] = node.members;
    const head = source.entityNamed(name);
    // The unit of a player is followed, too.
    const isUnit = between.length === 1 && first!.text === 'unit' && head?.kind === 'player';
    if (between.length > 0 && !isUnit) return undefined;
    const of = subject();
    if (of === undefined) return undefined;
    const [attribute, ...others] = lexicon.attribute(member);
    const isTwice = attribute !== undefined || member === 'state' || member === 'type';
    if (others.length > 0 || (isTwice && lexicon.isVariable(member))) return undefined;
    const keys = [`${of.id}.${nameText(attribute ?? member)}`, ...(isUnit ? [`${head.id}.unit`] : [])];
    const series = keys.flatMap((key) => whole(key) ?? []);
    return series.length === keys.length ? series : undefined;
  }

  /** The ticks after `from` up to `to` in which a value changed, oldest first. */
  all(question: Question, from: number, to: number): readonly number[] {
    if (question.hears !== undefined)
      return this.postingsOf(question).ticks.flatMap(({ tick }) => (tick > from && tick <= to ? [tick] : []));
    const known = this.recorded(question, to);
    return known?.length === 1 ? [...known[0]!.within(from, to).ticks] : this.changesIn(question, from, to);
  }

  private changesIn(question: Question, from: number, to: number) {
    const { reader } = this;
    reader.go(from);
    const found: number[] = [];
    let before = question.read();
    let key = keyOf(before);
    while (reader.replay.tick < to && !reader.replay.sim.ended) {
      reader.go(reader.replay.tick + 1);
      const value = question.read();
      const now = keyOf(value);
      if (Object.is(now, key)) continue;
      if (!question.isCount || Number(value) > Number(before)) found.push(reader.replay.tick);
      before = value;
      key = now;
    }
    return found;
  }

  /** The last change of a value in a tick, up to a position in it. */
  in(
    question: Question,
    tick: number,
    step: number,
    { changes, motion, bonuses = [] } = this.trace(question, tick),
  ): TracedChange | undefined {
    const upTo = changes.filter((each) => each.step <= step);
    const change = upTo.at(-1);
    // If a value changed several times in the tick, it is unknown which of these changes a bonus made.
    const given = changes.length === 1 ? bonuses : [];
    return change && { ...change, motion, bonuses: given, earlier: question.isCount ? [] : otherWriters(upTo) };
  }

  /** Simulates a tick again. Reads the value at every step, and what the action at location `watched` reads. */
  trace(question: Question, tick: number, watched?: number): TracedTick {
    const { reader } = this;
    const tracer = new TickTrace(() => question.read(), reader.source, watched);
    const { changes, actions } = tracer;
    if (tick === reader.first) {
      if (tick === 0) this.traceStart(question, tracer);
      tracer.end();
      return tracer;
    }
    const sim = reader.before(tick);
    sim.on('output', (event) => question.hears?.(event));
    tracer.begin(sim);
    trace(sim, tracer);
    const attributes = reader.source.lexicon.attribute(question.member ?? '');
    const motion = motionOf(sim, question.subject());
    const bonuses = bonusesOf(sim, question.subject(), attributes);
    sim.step();
    this.edit(sim, tracer);
    const changed = bonusChanges(bonuses, bonusesOf(sim, question.subject(), attributes));
    tracer.end();
    return { changes, actions, watchedRuns: tracer.watchedRuns, motion, bonuses: changed };
  }

  /** Traces tick 0, in which the world is built and `gameStart` fires. */
  private traceStart(question: Question, tracer: TickTrace) {
    const sim = this.reader.started((sim, trigger, _scope, entity, payload) => {
      sim.on('output', (event) => question.hears?.(event));
      tracer.begin(sim);
      trace(sim, tracer);
      tracer.system('start');
      tracer.fired(trigger, entity, payload);
    });
    this.edit(sim, tracer);
  }

  /** Repeats what a test or tool changed after a tick. */
  private edit(sim: Simulation, tracer: TickTrace) {
    for (const edit of this.reader.journal.edits.get(sim.tick) ?? []) {
      tracer.system('edit', edit.by);
      applyEdit(sim, edit);
    }
  }

  /** Finds when outputs with certain details were posted, by simulating the whole play once. */
  postingsOf(question: Question): Postings {
    let found = this.postings.get(question.text);
    if (found !== undefined) return found;
    found = { ticks: [], others: new Map() };
    this.postings.set(question.text, found);
    const { reader } = this;
    const { ticks, others } = found;
    const kind = question.node.kind === 'posted' ? question.node.output?.text : undefined;
    const count = () => Number(question.read());
    let before = count();
    const note = (tick: number) => {
      if (count() > before) ticks.push({ tick, count: count() - before });
      before = count();
    };
    this.trace(question, reader.first);
    note(reader.first);
    reader.go(reader.first);
    reader.hearing = (event: OutputEvent) => {
      const known = count();
      question.hears?.(event);
      if (count() > known || event.kind !== kind || others.size === othersMax) return;
      const text = outputText(reader.replay.sim, event, reader.source);
      if (!others.has(text)) others.set(text, event.tick);
    };
    while (reader.replay.tick < reader.journal.lastTick && !reader.replay.sim.ended) {
      reader.go(reader.replay.tick + 1);
      note(reader.replay.tick);
    }
    reader.hearing = undefined;
    return found;
  }

  postedUpTo(question: Question, tick: number): number {
    return this.postingsOf(question).ticks.reduce((sum, each) => (each.tick <= tick ? sum + each.count : sum), 0);
  }
}

/** The latest changes that were not made by the writer of the last change. */
function otherWriters(changes: readonly Change[]): readonly Change[] {
  const found: Change[] = [];
  const seen = new Set<string>();
  for (const change of changes.toReversed()) {
    const writer = writerOf(change);
    if (seen.has(writer) || isCreation(change)) continue;
    if (seen.size > 0) found.unshift(change);
    seen.add(writer);
    if (found.length === earlierMax) break;
  }
  return found;
}

function writerOf({ frames }: Change) {
  const inner = frames.at(-1);
  if (inner === undefined) return '';
  if (inner.kind === 'action') return `action ${inner.location}`;
  return 'id' in inner ? `${inner.kind} ${inner.id}` : `${inner.kind} ${inner.step}`;
}

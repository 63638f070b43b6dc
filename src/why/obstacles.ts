import type { Action, AnyHandle, Condition, Operand, Simulation, UnitHandle } from '../../engine/index.ts';
import type { CompiledScript } from '../../engine/tools.ts';
import { idOf, Missing, nameText } from '../expression/index.ts';
import { changedAt, changesOf, firesFor, type GameModel, isOperator, mirrored, modelOf } from '../model/index.ts';
import { actionText, conditionText, operandText } from '../run/index.ts';
import { amount, times } from '../text/index.ts';
import { attributeOf, settingText } from './attributes.ts';
import { certainLines } from './certainties.ts';
import type { ChangeFinder } from './change-finder.ts';
import type { Expected, ExpectedValue } from './expected.ts';
import { limitsOn } from './limits.ts';
import type { PlayReader } from './play-reader.ts';
import { isPlain } from './play-record.ts';
import { isPlace, keyOf, type Question, readingOf } from './reading.ts';
import { refusedPurchases } from './refused-purchases.ts';
import type { Repair } from './repairs.ts';
import { suggestionsAmong } from './repairs.ts';
import { isRestoring, savedOf } from './saved-data.ts';
import { shownReads } from './shown-reads.ts';
import { SlipSearch } from './slips.ts';
import { distanceLines, type Given, listenedBy } from './starts.ts';
import { isBelow, isCreation, type ValueRead } from './tick-trace.ts';
import { effortMax, type Gate, type Met, Trials } from './trials.ts';
import { comparisonsIn, type Way, WaySearch } from './ways.ts';
import { writeText } from './why-text.ts';
import { asFarAsTimers, type WriteTeller } from './write-teller.ts';
import { WriterSearch } from './writers.ts';

/** A question about a value: what kept it from changing, or from coming nearer to what was expected? */
interface Quest {
  readonly question: Question;
  readonly tick: number;
  /** The tick of the value's last change. */
  readonly since: number;
  /** The location of the action that made the last change, if an action did. */
  readonly writer?: number | undefined;
  /** The literal that the value should equal. */
  readonly wanted?: unknown;
  /** Whether the value should become larger (1) or smaller (-1). */
  readonly direction?: number | undefined;
  /** How far the value is from what was expected, in the simulation that questions read. */
  readonly distance?: (() => number) | undefined;
  /** Whether everything that was expected is fulfilled. */
  readonly isMet?: (() => boolean) | undefined;
}

/** A quest with the means by which it is answered. */
interface Inquiry extends Quest {
  readonly search: WaySearch;
  readonly trials: Trials;
  /** The entity to which the value belongs. */
  readonly subject: AnyHandle | undefined;
  /**
   * The number of steps from the value in question to this one: each step leads from a value to one on which it
   * depends. `seen`: all values examined so far.
   */
  readonly depth: number;
  readonly seen: Set<string>;
}

/** A cause to report: a line, and details below it. */
interface Told {
  /** Causes with the same key have the same meaning, so only one of them is shown. */
  readonly key: unknown;
  /** The lines are computed by a function, because computing them needs further trials. */
  readonly lines: () => readonly string[];
  /** The lower the rank, the more decisive the cause. */
  readonly rank: number;
}

const causesMax = 3;
/** Causes of this rank or above are shown only if there are no others. */
const unlikely = 19;
const actionsMax = 12;
const depthMax = 3;
/** How many ticks after a refused purchase a difference may show. */
const refusedTicks = 40;
/** A change of a script comes after single conditions that were certainly false. */
const slipRank = 3.1;
/** Beside conditions that were certainly false, only changes of scripts below this cost are tried. */
const likely = 2.2;

/**
 * Explains what kept a value as it is. A false condition, or a script that did not start, is reported only if a trial
 * play in which it passes or starts changes the value.
 */
export class Obstacles {
  private readonly model: GameModel;
  private budget = { effort: 0 };
  readonly writers: WriterSearch;

  constructor(
    private readonly reader: PlayReader,
    private readonly finder: ChangeFinder,
    private readonly teller: WriteTeller,
    private readonly expected: Expected,
  ) {
    this.model = modelOf(reader.game.definition);
    this.writers = new WriterSearch(this.model, reader.program, reader.source.lexicon);
  }

  /** Begins an answer, whose trials share an effort. */
  begin() {
    this.budget = { effort: effortMax };
  }

  /** Lines about what kept a value as it is; empty if nothing is certain. */
  of(quest: Quest): readonly string[] {
    return this.told(this.inquiry(quest), true);
  }

  /**
   * Lines about why a value has not changed since its last change, or has not come nearer to what was expected. `led`:
   * the inquiry about the value that depends on this one.
   */
  ofValue(question: Question, tick: number, wish?: ExpectedValue, led?: Inquiry): readonly string[] {
    const { reader } = this;
    const { tick: since, change } = this.finder.lastChange(question, tick) ?? {};
    // If the last change created the entity, scripts that ran in the same tick may have been meant to change the value,
    // so this tick is included.
    const isFirst = since === undefined || isCreation(change!);
    const from = isFirst ? (since ?? reader.first) - 1 : since;
    const certain = certainLines(reader, question, tick, isFirst);
    if (certain.length > 0 || (from === tick && wish === undefined)) return certain;
    const writer = change?.frames.findLast((each) => each.kind === 'action')?.location;
    const inquiry = this.inquiry({ ...wish, question, tick, since: from, writer }, led);
    // A value that is examined only because another one depends on it, and that does change, is not explained by
    // scripts that were not started.
    const told = this.told(inquiry, led === undefined || isFirst);
    reader.go(tick);
    const { rate = 0 } = attributeOf(reader, question) ?? {};
    if (told.length > 0 || led !== undefined || !(rate * (wish?.direction ?? 0) < 0)) return told;
    // The value drifts away by itself, so what should have raised it may have failed long before its last change.
    return this.told(this.inquiry({ ...wish, question, tick, since: reader.first - 1 }), false, false);
  }

  /** Whether a value is a global variable that no action sets. */
  isConstant({ node, member }: Question): boolean {
    return node.kind === 'path' && member === undefined && this.writers.of(node).actions.length === 0;
  }

  /** Lines about why scripts did not run. */
  ofScripts(scripts: readonly CompiledScript[], quest: Quest): readonly string[] {
    const inquiry = this.inquiry(quest);
    const told = scripts.flatMap((script) =>
      inquiry.search.runsOf(script).count > 0
        ? []
        : inquiry.search.toScript(script).flatMap((way) => this.way(way, `"${script.name}" would run`, inquiry) ?? []),
    );
    return decisive([...this.repaired(inquiry, []), ...told]);
  }

  private inquiry(quest: Quest, led?: Inquiry): Inquiry {
    const { reader, model } = this;
    const { question, tick, since, distance } = quest;
    reader.readTo(tick);
    reader.go(tick);
    const key = (): unknown => keyOf(question.read());
    // The value itself has not changed since its last change, but the value with which it is compared may have.
    let now: { readonly at: number; readonly key: unknown; readonly far: number | undefined };
    let heard = 0;
    const compareWith = (at: number) => {
      if (question.hears !== undefined) heard = Number(question.read());
      const moment = distance === undefined ? tick : at;
      if (now?.at === moment) return;
      reader.go(moment);
      now = { at: moment, key: key(), far: distance?.() };
    };
    const isOther = () => !Object.is(key(), now.key);
    const differs = () => {
      if (now.far !== undefined) return distance!() < now.far;
      if (question.isCount) return Number(question.read()) > heard;
      // A value that vanishes together with its entity has not changed.
      return isOther() && !(question.read() instanceof Missing && question.member !== undefined);
    };
    const isMet = quest.isMet ?? (() => distance === undefined || distance() === 0);
    return {
      ...quest,
      search: new WaySearch(model, reader.program, reader.record, since, tick),
      trials: new Trials(
        reader,
        { key, compareWith, differs, isOther, isMet, subject: question.subject, hears: question.hears },
        this.budget,
      ),
      subject: question.subject(),
      depth: led === undefined ? 0 : led.depth + 1,
      seen: led?.seen ?? new Set(),
    };
  }

  private told(inquiry: Inquiry, withStarts: boolean, withRuns = true) {
    const { question, wanted, direction, writer, search, seen, trials, subject } = inquiry;
    seen.add(question.text);
    const { actions, none } = this.writers.of(question.node, wanted, direction);
    // The scripts of the entity's own type are the most likely ones.
    const own = subject !== undefined && 'type' in subject ? `${subject.kind}Types/${subject.type}/` : '';
    const isDone = ({ script }: Action) => search.runsOf(this.reader.program.scripts[script.index]!).count > 0;
    /** Scripts that ran, and actions that change only this value, are likelier than a change of type. */
    const likelihood = (action: Action) =>
      [action.script.place.startsWith(own), isDone(action), changesOf(action, 'type').length === 0].filter(Boolean)
        .length;
    const likely = [...actions].sort((a, b) => likelihood(b) - likelihood(a)).slice(0, actionsMax);
    // A script that nothing can start is a leftover if others, which did run, can change the value, too.
    const isAlive = ({ script }: Action) => this.model.starts(script.place).length > 0;
    const meant = likely.some(isDone) ? likely.filter(isAlive) : likely;
    const told = (isStart: boolean): readonly Told[] =>
      meant.flatMap((action): readonly Told[] => {
        const isRate = changesOf(action, 'attributeRate').length > 0;
        if (search.ran(action).count > 0) return isRate || isStart || !withRuns ? [] : this.inVain(action, inquiry);
        const ways = search.toAny(action).filter(({ kind }) => (kind === 'start') === isStart);
        // Positions and regenerating attributes change only after the action, so the action need not make the change
        // itself.
        const by = isRate || isPlace(question.member) || question.member === 'moving' ? undefined : action;
        const found = ways.flatMap((way) => this.way(way, wouldText(action), inquiry, by) ?? []);
        // The action that made the last change comes first.
        return action.location === writer ? found.map((each) => ({ ...each, rank: Math.min(each.rank, 2) })) : found;
      });
    const reached = told(false);
    trials.beginStarts();
    const refused = this.refused(inquiry);
    const gates = reached.flatMap(({ key }) => (typeof key === 'object' ? (key as Condition) : []));
    const repaired = withRuns ? this.repaired(inquiry, this.writers.of(question.node).actions, gates) : [];
    // If a change of the game fulfils the expectation, that explains more than a script that was not started.
    const started = withStarts && refused.length === 0 && !repaired.some(({ rank }) => rank !== 1.8) ? told(true) : [];
    const isCertain = [...refused, ...reached].some(({ rank }) => rank <= 1);
    return decisive([
      ...refused,
      ...reached,
      ...(isCertain ? repaired.filter(({ rank }) => rank !== slipRank) : repaired),
      ...started,
      ...(none === '' ? [] : [line(none, unlikely)]),
      ...actions
        .filter((action) => !isAlive(action))
        .map((action) => line(`${wouldText(action)}. ${neverRun(action.script)}`, unlikely)),
      ...this.limits(inquiry, actions.length === 0),
    ]);
  }

  /** The bound that an attribute has reached and that keeps it from becoming larger (1) or smaller (-1). */
  private bound(question: Question, tick: number, towards: number) {
    const { reader, finder } = this;
    reader.go(tick);
    const attribute = attributeOf(reader, question);
    const part = towards > 0 ? 'max' : 'min';
    if (attribute === undefined || towards === 0 || attribute.value !== attribute[part]) return undefined;
    return `${question.text} is at ${settingText(reader, finder, question, part, tick)}`;
  }

  /**
   * The bound that an attribute has reached in the desired direction, or its rate if it is 0. `isAlone`: no action
   * changes the attribute.
   */
  private limits({ question, tick, depth, direction = 0 }: Inquiry, isAlone: boolean): readonly Told[] {
    const { reader, finder } = this;
    reader.go(tick);
    const { rate, definition } = attributeOf(reader, question) ?? {};
    if (rate === undefined) return [];
    const bound = this.bound(question, tick, direction || rate);
    if (bound !== undefined) return [line(`${bound}.`, unlikely)];
    // An attribute is expected to regenerate if nothing else raises it. Attributes of players are never expected to.
    const isExpected = isAlone && direction > 0 && question.subject()?.kind !== 'player';
    const isAway = depth > 0 && rate * direction < 0;
    if (!isAway && (rate !== 0 || !(isExpected || definition?.regenerateSpeed !== 0))) return [];
    const setting = settingText(reader, finder, question, 'rate', tick);
    return [
      line(
        `${question.text} ${isAway ? 'moves away from that' : 'does not change'} by itself: its regeneration has ${setting}.`,
        unlikely,
      ),
    ];
  }

  /** The latest refused purchase that would have changed the value. */
  private refused({ tick, since, trials, depth }: Inquiry): readonly Told[] {
    const decided = (depth > 0 ? [] : refusedPurchases(this.reader, since, tick)).findLast((each) =>
      trials.mending(each.tick, each.mend, Math.min(tick, each.tick + refusedTicks)),
    );
    return decided === undefined ? [] : [line(decided.line, 1)];
  }

  /**
   * Small changes of the game with which the value would have been nearer to what was expected. `gates`: conditions
   * that are reported anyway.
   */
  private repaired(inquiry: Inquiry, writers: readonly Action[], gates: readonly Condition[] = []): readonly Told[] {
    const { question, tick, trials } = inquiry;
    const nearer: Told[] = [];
    const fulfilled = new Map<boolean, Told>();
    const outcomeOf = (repairs: readonly Repair[]) => {
      const changed = repairs.reduce(
        (all, { keys, value }) => changedAt(all, keys, () => value),
        this.reader.game.definition,
      );
      const outcome = trials.repairing(changed, tick);
      const { current } = this.reader;
      const failures = outcome === undefined ? [] : [...current.faults(), ...current.skips()];
      const isFailing = failures.some((failure) => repairs.some(({ at }) => at === failure.at));
      return isFailing || (outcome === 'nearer' && repairs.some(({ isExact }) => isExact)) ? undefined : outcome;
    };
    const isTried = inquiry.depth === 0 && trials.hasEffortTo(tick);
    for (const group of isTried ? this.repairs(inquiry, writers, gates) : []) {
      if (!trials.hasEffortTo(tick)) break;
      if (group.every((each) => fulfilled.has(each.cost !== undefined))) continue;
      const [repair, outcome] = decidingOf(group, outcomeOf) ?? [];
      if (repair === undefined) continue;
      const value = readingOf(this.reader.current, question.read(), this.reader.source).text;
      const told = `${repair.text} ${repair.otherwise}, ${question.text} would have been ${value}.`;
      const isSlip = repair.cost !== undefined;
      if (outcome === 'nearer') nearer.push(line(told, 1.8));
      else fulfilled.set(isSlip, line(told, isSlip ? slipRank : 1.5));
      if (fulfilled.has(false)) break;
    }
    return fulfilled.size > 0 ? [...fulfilled.values()] : nearer;
  }

  /** Whether the expectation was fulfilled before the last change of the value. */
  private isBroken({ since, isMet }: Inquiry) {
    this.reader.go(Math.max(since - 1, this.reader.first));
    return isMet?.() === true;
  }

  /** The changes to try, in groups that can be made together, the likeliest first. */
  private *repairs(
    inquiry: Inquiry,
    writers: readonly Action[],
    gates: readonly Condition[],
  ): Generator<readonly Repair[]> {
    const { question, subject, search, distance, tick } = inquiry;
    const { reader, model } = this;
    const [attribute] = reader.source.lexicon.attribute(question.member ?? '');
    const slips = new SlipSearch(reader.program, model, search);
    yield suggestionsAmong(reader.issues(), reader.game.definition);
    yield slips.switchedOn();
    const isExpected = distance !== undefined || question.hears !== undefined;
    const all = (
      isExpected ? slips.all(writers, this.namesIn(inquiry, attribute), this.led(inquiry), this.isBroken(inquiry)) : []
    ).filter(({ node, cost }) => gates.every((gate) => cost < likely && node !== gate && !isBelow(node, gate)));
    // Two changes of scripts take turns with a group of fields.
    const fields = limitsOn(reader.go(tick), subject, attribute, isExpected);
    for (let at = 0, isOver: boolean | undefined = false; at < all.length || !isOver; at += 2) {
      for (const each of all.slice(at, at + 2)) yield [each];
      const { value, done } = fields.next();
      if (value !== undefined) yield value;
      isOver = done;
    }
  }

  /** The actions that led to the last change of a value, and the conditions around them. */
  private led({ question, tick }: Inquiry): readonly Action[] {
    const { frames = [] } = this.finder.lastChange(question, tick)?.change ?? {};
    const actions = this.reader.program.locations as readonly Action[];
    return frames.flatMap((each) => (each.kind === 'action' ? (actions[each.location] ?? []) : []));
  }

  /** The names in a question, which actions may have given wrong. */
  private namesIn({ question: { node, member } }: Inquiry, attribute: string | undefined): readonly string[] {
    const { lexicon } = this.reader.source;
    if (attribute !== undefined) return [attribute];
    if (node.kind === 'set' && node.type !== undefined && node.of !== 'players')
      return [lexicon.type(node.of.slice(0, -1) as 'unit', node.type.text)];
    return node.kind === 'path' ? [member ?? node.head.text] : [];
  }

  /** Explains, as far as it is certain, why an action ran but left the value as it is. */
  private inVain(action: Action, inquiry: Inquiry): readonly Told[] {
    const { question, tick, search, subject } = inquiry;
    const { reader } = this;
    const { operation, location, script, path } = action;
    const { count, ticks } = search.ran(action);
    const { aspect, of, to, by } = action.effects.find((each) => each.does === 'changes') ?? {};
    const written = to === undefined ? undefined : action.operand(to);
    const target = of === undefined ? undefined : action.operand(of);
    const isOfSubject = (run: readonly ValueRead[]) =>
      target === undefined || subject === undefined || run.some(({ node, id }) => node === target && id === subject.id);
    let last = ticks.at(-1)!;
    let { changes, watchedRuns } = this.finder.trace(question, last, location);
    // The latest runs may have been about other entities, so earlier ones are examined, too.
    for (const i of tried(ticks.length).slice(1)) {
      if (changes.length > 0 || watchedRuns.some(isOfSubject)) break;
      last = ticks[i]!;
      ({ changes, watchedRuns } = this.finder.trace(question, last, location));
    }
    const run = watchedRuns.find(isOfSubject) ?? watchedRuns.at(-1) ?? [];
    const reads = shownReads(run);
    const values = reads.map(({ node, text, expression }) => `${expression ?? operandText(node)} was ${text}`);
    const reading = values.length === 0 ? '' : ` (at ${reader.moment(last)} ${values.join(', ')})`;
    const sim = reader.go(tick);
    // Only an action that failed in all its runs is reported; otherwise, the failed runs may have been about another
    // entity.
    const ever = search.ran(action, -1).count;
    const failed = [...sim.faults(), ...sim.skips()].filter(
      (each) => each.at === `${script.place}/actions/${path}` && each.count >= ever,
    );
    if (failed.length > 0)
      return failed.map(({ code, message, count: failures, firstTick }) =>
        line(
          `${operation} of "${script.name}" failed ${times(failures)}, first at tick ${firstTick}: ${message} (${code})${reading}`,
          1,
        ),
      );
    const did = `"${script.name}" does: ${actionText(action, 90)}; this action ran ${times(count)}`;
    if (action.effects.some(isRestoring)) {
      const owner = subject?.kind === 'unit' ? subject.owner : subject;
      const isMeant = [subject, owner].some(
        (each) => each !== undefined && reads.some(({ id }) => isLike(sim, id, each)),
      );
      const isKept = isMeant && owner?.kind === 'player' && savedOf(sim, owner) !== undefined;
      return isMeant && !isKept ? [line(`${did}, but no data of ${idOf(owner!)} had been saved.`, 1)] : [];
    }
    const undone = changes.slice(-2);
    // The entity of the value was created in this tick, so these writes are its first values.
    if (undone.some(isCreation)) return [];
    if (undone.length > 0) {
      const writes = undone.map((change) => this.teller.write(question, last, change, asFarAsTimers));
      const head = 'Later changes cancelled each other out. The last changes:';
      return [line(head, 0, writes.map(writeText))];
    }
    if (isOfSubject(run)) {
      const limit = aspect === 'attribute' ? this.limit(written, run, last, inquiry) : undefined;
      if (limit !== undefined) return [line(`${did}, but ${limit}.`, 1)];
      // An action that always writes the same literal was not meant to change the value here.
      return by !== undefined || written?.kind === 'call'
        ? [line(`${did} and wrote the value that was already there${reading}.`, 3.5)]
        : [];
    }
    // The action may have been about an entity of another kind, which is unrelated to the value.
    const isMeant = question.node.kind === 'path' && subject !== undefined;
    if (!isMeant || !reads.some(({ id }) => isLike(sim, id, subject))) return [];
    return [line(`${did} and did not change ${question.text}${reading}.`, 6)];
  }

  /** What kept an attribute from becoming what an action set it to; undefined if nothing did. */
  private limit(
    written: Operand | undefined,
    run: readonly ValueRead[],
    tick: number,
    { question, direction }: Inquiry,
  ) {
    const { reader } = this;
    const asked = Number(written?.kind === 'literal' ? written.json : run.find(({ node }) => node === written)?.value);
    reader.go(tick);
    const { value = asked, definition } = attributeOf(reader, question) ?? {};
    const towards = Math.sign(asked - value);
    if (direction !== undefined && towards !== direction) return undefined;
    const bound = this.bound(question, tick, towards);
    if (bound !== undefined) return bound;
    const places = definition?.decimalPlaces ?? 0;
    const isRounded = question.subject()?.kind === 'player' && towards !== 0 && Math.abs(asked - value) < 10 ** -places;
    return isRounded ? `${question.text} is rounded to ${amount(places, 'decimal place')}` : undefined;
  }

  /**
   * Explains why a way was not taken, if taking it changes the value. `by`: the action that has to make this change.
   */
  private way(way: Way, would: string, inquiry: Inquiry, by?: Action): Told | undefined {
    switch (way.kind) {
      case 'inside': {
        if (inquiry.search.ran(way.inner, -1).count > 0) return undefined;
        const why = way.waits
          ? 'runs its inner actions later, and had not yet run them'
          : 'ran, but had nothing to run its inner actions for';
        return line(`${would}. This action is inside ${actionText(way.around, 90)}, which ${why}.`, way.waits ? 30 : 6);
      }
      case 'gate':
        return this.gate(way, would, inquiry, by);
      case 'start':
        return this.start(way, would, inquiry, by);
    }
  }

  private gate(
    { gates, ticks, delayMs }: Extract<Way, { kind: 'gate' }>,
    would: string,
    inquiry: Inquiry,
    by: Action | undefined,
  ): Told | undefined {
    const { trials, tick: end } = inquiry;
    // Tries this condition alone first, and then together with all conditions after it.
    for (const passed of gates.length > 1 ? [gates.slice(0, 1), gates] : [gates])
      for (const i of tried(ticks.length)) {
        const tick = ticks[i]!;
        const met = trials.passing(tick, passed, Math.min(end, this.after(tick, delayMs)), by);
        if (met === undefined) continue;
        return {
          key: gates[0]!.condition,
          lines: () => this.gateLines(would, gates[0]!, ticks.length, met, inquiry),
          // Conditions that failed in more ticks come first.
          rank: (passed.length === 1 ? 2 : 10 + passed.length) + 1 / ticks.length,
        };
      }
    return undefined;
  }

  /** The tick in which the effects of a tick show after a delay. */
  private after(tick: number, delayMs: number) {
    return delayMs > 0 ? tick + Math.ceil((delayMs / 1000) * this.reader.journal.head.rate) + 1 : tick;
  }

  private gateLines(would: string, { condition, wanted }: Gate, ticks: number, met: Met, inquiry: Inquiry) {
    const { name } = condition.script;
    const inScript = would.startsWith(`"${name}" `) ? '' : ` in "${name}"`;
    if (!wanted)
      return [
        `${would}, but not if ${conditionText(condition)}, which was true in ${amount(ticks, 'tick')}${inScript}.`,
      ];
    const nodes = met.falseOnes.map(({ node }) => node);
    const all = nodes.length === 0 ? comparisonsIn(condition) : nodes;
    const counts = all.map((node) => this.reader.falseIn(node, inquiry.since, inquiry.tick).count);
    const count = Math.max(ticks, ...counts);
    const sides = met.falseOnes.flatMap((each) => sidesOf(each, met));
    const values = [...new Map(sides.map((each) => [each.text, each])).values()];
    const said = values.map(({ text, value }) => `${text} was ${value}`).join(', ');
    const at = said === '' ? '' : ` (${count > 1 ? 'last: ' : ''}${said})`;
    const head = `${would}, but ${all.map(conditionText).join(' or ')} was false ${times(count)}${inScript}${at}.`;
    const [only, ...others] = values;
    if (only?.expression === undefined || others.length > 0) return [head];
    const below = this.whyStill(only.expression, only.value, all[0]!, met.tick, inquiry);
    return [head, ...below.map((each) => `  ${each}`)];
  }

  /** Why a value that a condition read was what it was: its last change, or what kept it from changing. */
  private whyStill(expression: string, value: string, { operator, sides }: Condition, tick: number, led: Inquiry) {
    if (led.seen.has(expression) || led.depth + 1 >= depthMax) return [];
    const { reader } = this;
    const question = reader.questionIfKnown(expression);
    if (question === undefined) return [];
    const isSame = readingOf(reader.go(tick), question.read(), reader.source).text === value;
    const at = isSame ? tick : Math.max(reader.first, tick - 1);
    const literal = sides.find(({ kind, json }) => kind === 'literal' && isPlain(json) && json !== null);
    if (literal !== undefined && isOperator(operator)) {
      const is = sides[0] === literal ? mirrored[operator] : operator;
      const lines = this.towards(expression, `${is} ${JSON.stringify(literal.json)}`, at, led);
      if (lines.length > 0) return lines;
    }
    const last = this.finder.lastChange(question, at);
    if (last === undefined || isCreation(last.change)) return [];
    return [`${expression}: ${writeText(this.teller.write(question, last.tick, last.change, asFarAsTimers))}`];
  }

  /** The first cause that kept a value from meeting a comparison such as `<= 0`. */
  private towards(expression: string, comparison: string, tick: number, led: Inquiry) {
    const { reader, expected } = this;
    const [wish] = expected.of(reader.question(`${expression} ${comparison}`), tick);
    const [head, ...lines] = this.ofValue(reader.question(expression), tick, wish, led);
    const end = lines.findIndex((each) => !each.startsWith(' '));
    return head === undefined ? [] : [`${expression}: ${head}`, ...(end < 0 ? lines : lines.slice(0, end))];
  }

  /** What kept the attribute that a script waits for from reaching its bound. */
  private endLines(script: CompiledScript, { payload }: Given, led: Inquiry) {
    const { reader, model } = this;
    const { tick } = led;
    const [, of, end] = /(player|)Attribute(BecomesZero|BecomesFull)$/.exec(listenedBy(script).join()) ?? [];
    if (end === undefined || led.depth + 1 >= depthMax) return [];
    const asked = model
      .names(script.place)
      .filter(({ kind, path }) => kind === 'attribute' && path.includes('/conditions/'));
    const { id } = (payload[of || 'unit'] as UnitHandle | undefined) ?? {};
    if (id === undefined) return [];
    return asked.flatMap(({ key }) => {
      const expression = `${id}.${nameText(key)}`;
      reader.go(tick);
      const question = reader.questionIfKnown(expression);
      const { value, max } = (question && attributeOf(reader, question)) ?? {};
      const bound = end === 'BecomesZero' ? 0 : max;
      if (value === bound) return [];
      if (value === undefined) return [`${id} has no attribute ${key}.`];
      const comparison = `${bound === 0 ? '<=' : '>='} ${bound}`;
      const [why, ...more] = this.towards(expression, comparison, tick, led);
      return [
        `${expression} is ${value}, not ${bound}${why === undefined ? '.' : why.replace(expression, '')}`,
        ...more,
      ];
    });
  }

  private start(
    { script, gates, delayMs }: Extract<Way, { kind: 'start' }>,
    would: string,
    inquiry: Inquiry,
    by: Action | undefined,
  ): Told | undefined {
    const { reader } = this;
    const { question, tick, since, trials, subject, search } = inquiry;
    const types = listenedBy(script);
    // These triggers fire by themselves; if they have not, the play is too short.
    if (types.some((type) => type === 'secondTick' || type === 'frameTick' || type === 'gameStart')) return undefined;
    const isRun = question.node.kind === 'count' && question.node.of === 'runs';
    const given = tried(tick - since).reduce<Given | undefined>(
      (known, i) => {
        const at = since + 1 + i;
        return known ?? trials.starting(at, script, gates, this.after(at, delayMs), by);
      },
      isRun ? { payload: {} } : undefined,
    );
    if (given === undefined) return undefined;
    const starts = this.model.starts(script.place);
    const lines = types.map((type) => {
      const { count, ticks } = reader.record.triggers.get(type)?.within(-1, tick) ?? { count: 0, ticks: [] };
      const last = ticks.at(-1) ?? -1;
      const fired = last > since ? `fired ${times(count)}` : `last fired at ${reader.moment(last)}`;
      const { triggerTable: table, node } = script;
      const isDeaf = !firesFor(table, table.index(type), node.owner);
      const what = isDeaf
        ? `never runs ${node.owner.kind === 'game' ? 'global scripts' : `scripts of ${node.owner.kind} types`}.`
        : count === 0
          ? `never fired: ${script.triggerTable.rows[type].about}`
          : `${fired}.`;
      return `"${script.name}" listens to ${type}, which ${what}`;
    });
    for (const { by, name, type } of starts) {
      if (by !== 'key') continue;
      const unitType = reader.game.definition.unitTypes.get(type!)!.name;
      lines.push(`"${script.name}" runs when the player of a unit of type ${unitType} presses or releases "${name}".`);
    }
    if (lines.length === 0 && starts.every(({ by }) => by === 'script'))
      lines.push(
        neverRun(script),
        ...reader
          .go(tick)
          .faults()
          .flatMap(({ code, message, at }) => (code === 'no-such-script' ? `${message} (${at})` : [])),
      );
    const [one, ...more] = lines;
    if (one === undefined) return undefined;
    const bodies = distanceLines(reader.go(tick), subject, given, reader.source);
    // A script that nothing can start is certainly a mistake, whereas a trigger may fire later. A script that has run
    // before may have had another purpose.
    const rank = starts.length === 0 ? 4 : search.runsOf(script, -1).count > 0 ? 12 : 7;
    const below = this.endLines(script, given, inquiry);
    return line(isRun ? one : `${would}. ${one}`, rank + gates.length / 100, [...more, ...below, ...bodies]);
  }
}

/** The one of several changes that makes the difference, and which; undefined if all of them together make none. */
function decidingOf<T>(
  changes: readonly T[],
  outcomeOf: (some: readonly T[]) => ReturnType<Trials['repairing']>,
): readonly [T, 'fulfilled' | 'nearer'] | undefined {
  let among = changes;
  let outcome = among.length === 0 ? undefined : outcomeOf(among);
  if (outcome === undefined) return undefined;
  while (among.length > 1) {
    const half = among.slice(0, among.length >> 1);
    outcome = outcomeOf(half);
    among = outcome === undefined ? among.slice(half.length) : half;
  }
  outcome ??= outcomeOf(among);
  return outcome && [among[0]!, outcome];
}

/** The indices of the moments to try, of `count` moments: the latest two, one in the middle and the first. */
function tried(count: number) {
  const indices = [count - 1, count - 2, count >> 1, 0];
  return [...new Set(indices)].filter((each) => each >= 0 && each < count);
}

function neverRun({ name }: { readonly name: string }) {
  return `Nothing ran "${name}": it has no trigger, no key runs it, and no script calls it.`;
}

function wouldText(action: Action) {
  return `"${action.script.name}" would: ${actionText(action, 90)}`;
}

function line(head: string, rank: number, details: readonly string[] = []): Told {
  return { key: head, rank, lines: () => [head, ...details.map((each) => `  ${each}`)] };
}

/** The sides of a comparison that are not literals, each written as an expression if it has one. */
function sidesOf({ node, sides }: Met['falseOnes'][number], { reads }: Met) {
  return node.sides.flatMap((side, i) => {
    if (side.kind === 'literal' || side.kind === 'nothing') return [];
    const own = reads.find((read) => read.node === side);
    const [shown] = own === undefined ? [] : shownReads([own, ...reads.filter((read) => isBelow(read.node, own.node))]);
    const expression = shown?.node === side ? shown.expression : undefined;
    return [{ text: expression ?? operandText(side), value: sides[i]!.text, expression }];
  });
}

/** Whether an id belongs to an entity of the same kind and type as the subject. */
function isLike(sim: Simulation, id: string | undefined, subject: AnyHandle) {
  const found = id === undefined ? undefined : sim.find(id);
  if (found?.exists !== true || found.kind !== subject.kind) return false;
  return !('type' in found) || !('type' in subject) || found.kind === 'player' || found.type === subject.type;
}

/** The lines of the most decisive causes. */
function decisive(told: readonly Told[]) {
  const sorted = [...told].sort((a, b) => a.rank - b.rank);
  const best = sorted[0]?.rank ?? 0;
  // Rank 0: writes that cancelled each other out explain a value completely.
  const alike = best === 0 ? sorted.slice(0, 1) : sorted.filter(({ rank }) => rank < unlikely || best >= unlikely);
  return alike
    .filter((each, i) => alike.findIndex(({ key }) => key === each.key) === i)
    .slice(0, causesMax)
    .flatMap(({ lines }) => lines());
}

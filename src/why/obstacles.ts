import type { Action, AnyHandle, Condition, Simulation } from '../../engine/index.ts';
import { type CompiledScript, globalValue } from '../../engine/tools.ts';
import { idOf, Missing } from '../expression/index.ts';
import { assignmentsBy, type GameModel, isOperator, mirrored, modelOf, variableReadBy } from '../model/index.ts';
import { actionText, conditionText, operandText } from '../run/index.ts';
import { amount, times } from '../text/index.ts';
import { type ChangeFinder, endOfTick } from './change-finder.ts';
import type { Expected } from './expected.ts';
import type { PlayReader } from './play-reader.ts';
import { isPlain } from './play-record.ts';
import { keyOf, type Question, readingOf } from './reading.ts';
import { refusedActs } from './refused-acts.ts';
import { isRestoring, savedOf } from './saved-data.ts';
import { shownReads } from './shown-reads.ts';
import { bodyLines, listenedBy } from './starts.ts';
import { isBelow } from './tick-trace.ts';
import { type Gate, type Met, Trials } from './trials.ts';
import { comparisonsIn, type Way, WaySearch } from './ways.ts';
import { writeText } from './why-text.ts';
import { asFarAsTimers, type WriteTeller } from './write-teller.ts';
import { WriterSearch } from './writers.ts';

/** A value, and the question about it: what kept it from changing, or from coming nearer to what was expected? */
interface Quest {
  readonly question: Question;
  readonly tick: number;
  /** The tick of the value's last change. */
  readonly since: number;
  /** The location of the action that made the last change. */
  readonly writer?: number | undefined;
  /** The literal that the value should equal. */
  readonly wanted?: unknown;
  /** How far the value is from what was expected, in the simulation that questions read. */
  readonly distance?: (() => number) | undefined;
}

/** A quest that is being answered. */
interface Inquiry extends Quest {
  readonly search: WaySearch;
  readonly trials: Trials;
  /** The entity whose value it is. */
  readonly subject: AnyHandle | undefined;
  /**
   * Whether the value in the copy that questions read differs from the value in the play. If a distance is given:
   * whether the value is nearer to what was expected.
   */
  readonly differs: () => boolean;
  /**
   * Whether the value in the copy that questions read differs from the value in the play, even if it is farther from
   * what was expected.
   */
  readonly isOther: () => boolean;
  /**
   * The number of values that were followed from the value in question to this one. Below: all values that were looked
   * at.
   */
  readonly depth: number;
  readonly seen: Set<string>;
}

/** A cause: a line, and details below it. */
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
const unlikely = 20;
/** How many of the latest ticks in which a condition was reached are tried. */
const triesMax = 2;
const actionsMax = 12;
const depthMax = 3;
/** How many refused acts are tried, and how many ticks after each a difference may show. */
const refusedMax = 6;
const refusedTicks = 40;

/**
 * Explains what kept a value as it is. A false condition, or a script that did not start, is reported only if a trial
 * play in which it passes or starts changes the value.
 */
export class Obstacles {
  private readonly model: GameModel;
  private readonly writers: WriterSearch;

  constructor(
    private readonly reader: PlayReader,
    private readonly finder: ChangeFinder,
    private readonly teller: WriteTeller,
    private readonly expected: Expected,
  ) {
    this.model = modelOf(reader.game.definition);
    this.writers = new WriterSearch(this.model, reader.program, reader.source.lexicon);
  }

  /** Lines about what kept a value as it is; empty if nothing is certain. */
  of(quest: Quest): readonly string[] {
    if (quest.since === quest.tick && quest.distance === undefined) return [];
    return this.told(this.inquiry(quest));
  }

  /** Lines about why scripts did not run. */
  ofScripts(scripts: readonly CompiledScript[], quest: Quest): readonly string[] {
    const inquiry = this.inquiry(quest);
    const refused = this.refused(inquiry);
    const told = scripts.flatMap((script) =>
      inquiry.search.runsOf(script).count > 0
        ? []
        : inquiry.search.toScript(script).flatMap((way) => this.way(way, `"${script.name}" would run`, inquiry) ?? []),
    );
    return decisive([...refused, ...told]);
  }

  /** Lines about acts of players that the game refused, and that would have changed the value. */
  ofRefused(quest: Quest): readonly string[] {
    return decisive(this.refused(this.inquiry(quest)));
  }

  private inquiry(quest: Quest, led?: Inquiry): Inquiry {
    const { reader, model } = this;
    const { question, tick, since, distance } = quest;
    reader.readTo(tick);
    reader.go(tick);
    const key = keyOf(question.read());
    const far = distance?.();
    const isOther = (): boolean => !Object.is(keyOf(question.read()), key);
    const differs = (): boolean => {
      if (far !== undefined) return distance!() < far;
      if (question.isCount) return Number(question.read()) > 0;
      // A value that vanishes together with its entity has not changed.
      return isOther() && !(question.read() instanceof Missing && question.member !== undefined);
    };
    return {
      ...quest,
      search: new WaySearch(model, reader.program, reader.record, since, tick),
      trials: led?.trials ?? new Trials(reader),
      subject: question.subject(),
      differs,
      isOther,
      depth: led === undefined ? 0 : led.depth + 1,
      seen: led?.seen ?? new Set(),
    };
  }

  private told(inquiry: Inquiry, withStarts = true): readonly string[] {
    const { question, wanted, writer, search, seen } = inquiry;
    seen.add(question.text);
    const refused = this.refused(inquiry);
    const { actions, none } = this.writers.of(question.node, wanted);
    if (actions.length === 0) return refused.length > 0 ? decisive(refused) : none === '' ? [] : [none];
    // A refused act of a player explains more than a script that nobody started.
    const starts = withStarts && refused.length === 0;
    const told = actions.slice(0, actionsMax).flatMap((action): readonly Told[] => {
      if (search.ran(action).count > 0) return this.inVain(action, inquiry);
      const ways = search.toAny(action).filter(({ kind }) => starts || kind !== 'start');
      const found = ways.flatMap((way) => this.way(way, wouldText(action), inquiry) ?? []);
      // The action that made the last change comes first.
      return action.location === writer ? found.map((each) => ({ ...each, rank: Math.min(each.rank, 2) })) : found;
    });
    return decisive([...refused, ...told]);
  }

  /** The latest act of players that the game refused, and that would have changed the value. */
  private refused(inquiry: Inquiry): readonly Told[] {
    const { tick, since, trials, depth } = inquiry;
    if (depth > 0) return [];
    const decided = refusedActs(this.reader, since, tick)
      .slice(0, refusedMax)
      .find(({ mend, tick: at }) => trials.mending(at, mend, Math.min(tick, at + refusedTicks), inquiry));
    return decided === undefined ? [] : [line(decided.line, 1)];
  }

  /** Explains, as far as it is certain, why an action ran but left the value as it is. */
  private inVain(action: Action, { question, tick, search, subject }: Inquiry): readonly Told[] {
    const { reader } = this;
    const { operation, location, script, path } = action;
    const { count, ticks } = search.ran(action);
    const last = ticks.at(-1)!;
    const { changes, watchedReads } = this.finder.trace(question, last, location);
    const reads = shownReads(watchedReads);
    const values = reads.map(({ node, text, expression }) => `${expression ?? operandText(node)} was ${text}`);
    const reading = values.length === 0 ? '' : ` (at ${reader.moment(last)} ${values.join(', ')})`;
    const sim = reader.go(tick);
    // If the action failed only in some of its runs, these runs may have been about another entity.
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
    const did = `"${script.name}" does: ${actionText(action, 90)}; it ran ${times(count)}`;
    if (action.effects.some(isRestoring)) {
      const owner = subject?.kind === 'unit' ? subject.owner : subject;
      const isMeant = [subject, owner].some(
        (each) => each !== undefined && reads.some(({ id }) => isLike(sim, id, each)),
      );
      const isKept = isMeant && owner?.kind === 'player' && savedOf(sim, owner) !== undefined;
      return isMeant && !isKept ? [line(`${did}, but nothing of ${idOf(owner!)} was saved.`, 1)] : [];
    }
    const undone = changes.slice(-2);
    // The entity of the value was created in this tick, so these writes are its first values.
    if (undone.some(({ before }) => before.text.startsWith('nothing: '))) return [];
    if (undone.length > 0) {
      const writes = undone.map((change) => this.teller.write(question, last, change, asFarAsTimers));
      const head = 'Later writes cancelled each other out. The last ones:';
      return [line(head, 0, writes.map(writeText))];
    }
    // The action may have been about an entity of another kind, which is unrelated to the value.
    if (question.node.kind !== 'path' || (subject !== undefined && !reads.some(({ id }) => isLike(sim, id, subject))))
      return [];
    return [line(`${did} and left ${question.text} as it was${reading}.`, unlikely)];
  }

  /** Explains why a way was not taken, if taking it changes the value. */
  private way(way: Way, would: string, inquiry: Inquiry): Told | undefined {
    switch (way.kind) {
      case 'off':
        return this.off(way, inquiry);
      case 'inside': {
        if (inquiry.search.ran(way.inner, -1).count > 0) return undefined;
        const why = way.waits ? 'runs it later, and had not yet' : 'had nothing to run it for';
        return line(`${would}. It is inside ${actionText(way.around, 90)}, which ${why}.`, 30);
      }
      case 'gate':
        return this.gate(way, would, inquiry);
      case 'start':
        return this.start(way, would, inquiry);
    }
  }

  /**
   * Reports an action that has no effect here. This is not proved by a trial, because the action cannot be made to run.
   */
  private off(
    { action, isAbsent, isCall }: Extract<Way, { kind: 'off' }>,
    { question, tick, search, wanted }: Inquiry,
  ): Told | undefined {
    const { program } = this.reader;
    if (search.runsOf(program.scripts[action.script.index]!).count === 0) return undefined;
    const [{ value } = {}] = assignmentsBy(action);
    const name = value && variableReadBy(value);
    const sim = this.reader.go(tick);
    const given = name === undefined ? (value?.kind === 'literal' ? value.json : undefined) : globalValue(sim, name);
    const isSame = String(given) === String(question.read()) || String(wanted ?? given) !== String(given);
    if (given !== undefined && isSame) return undefined;
    const why = isAbsent
      ? `${program.dialect.name} does not have that action.`
      : 'that action is switched off or runs only in clients.';
    return line(`${wouldText(action)}, but ${why}`, isCall ? 40 : 9);
  }

  private gate(way: Extract<Way, { kind: 'gate' }>, would: string, inquiry: Inquiry): Told | undefined {
    const { gates, ticks, isLater } = way;
    const { trials, tick: end, differs } = inquiry;
    // Tries this condition alone first, and then together with all conditions after it.
    for (const passed of gates.length > 1 ? [gates.slice(0, 1), gates] : [gates])
      for (const tick of ticks.slice(-triesMax).toReversed()) {
        const met = trials.passing(tick, passed, isLater ? end : tick, differs);
        if (met === undefined) continue;
        return {
          key: gates[0]!.condition,
          lines: () => this.gateLines(would, gates[0]!, ticks.length, met(), inquiry),
          // Conditions that failed in more ticks come first.
          rank: (passed.length === 1 ? 2 : 10 + passed.length) + 1 / ticks.length,
        };
      }
    return undefined;
  }

  private gateLines(
    would: string,
    { condition, wanted }: Gate,
    ticks: number,
    met: Met,
    inquiry: Inquiry,
  ): readonly string[] {
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
  private whyStill(
    expression: string,
    value: string,
    { operator, sides }: Condition,
    tick: number,
    led: Inquiry,
  ): readonly string[] {
    if (led.seen.has(expression) || led.depth + 1 >= depthMax) return [];
    const { reader, finder } = this;
    const question = reader.question(expression);
    const isSame = readingOf(reader.go(tick), question.read(), reader.source).text === value;
    const at = isSame ? tick : Math.max(reader.first, tick - 1);
    const since = finder.last(question, at);
    const change = since === undefined ? undefined : finder.in(question, since, endOfTick);
    const isFirst = change === undefined || change.before.text.startsWith('nothing: ');
    const literal = sides.find(({ kind, json }) => kind === 'literal' && isPlain(json) && json !== null);
    if (literal !== undefined && isOperator(operator)) {
      const is = sides[0] === literal ? mirrored[operator] : operator;
      const text = `${expression} ${is} ${JSON.stringify(literal.json)}`;
      const [{ wanted, distance } = {}] = this.expected.of(reader.question(text), at);
      const quest = { question, tick: at, since: since ?? reader.first - 1, wanted, distance };
      // For a value that does change, scripts that were not started are no explanation.
      const [head, ...lines] = this.told(this.inquiry(quest, led), isFirst);
      const end = lines.findIndex((each) => !each.startsWith(' '));
      if (head !== undefined) return [`${expression}: ${head}`, ...(end < 0 ? lines : lines.slice(0, end))];
    }
    if (isFirst) return [];
    return [`${expression}: ${writeText(this.teller.write(question, since!, change, asFarAsTimers))}`];
  }

  private start(
    { script, gates, isLater }: Extract<Way, { kind: 'start' }>,
    would: string,
    { question, tick, trials, subject, differs }: Inquiry,
  ): Told | undefined {
    const { reader } = this;
    const types = listenedBy(script);
    // These triggers fire by time alone; if they have not, the play is too short.
    if (types.some((type) => type === 'secondTick' || type === 'frameTick')) return undefined;
    const isRun = question.node.kind === 'count' && question.node.of === 'runs';
    const until = isLater ? tick + 1 : tick;
    const given = isRun ? { payload: {} } : trials.starting(tick, script, gates, until, question, differs);
    if (given === undefined) return undefined;
    const starts = this.model.starts(script.place);
    const lines = types.map((type) => {
      const fired = reader.record.triggers.get(type)?.within(-1, tick).count ?? 0;
      const what = fired === 0 ? `never fired: ${script.triggerTable.rows[type].about}` : `fired ${times(fired)}.`;
      return `"${script.name}" listens to ${type}, which ${what}`;
    });
    for (const { by, name, type } of starts) {
      if (by !== 'key') continue;
      const unitType = reader.game.definition.unitTypes.get(type!)!.name;
      lines.push(`"${script.name}" runs when the player of a unit of type ${unitType} presses or releases "${name}".`);
    }
    if (lines.length === 0 && starts.every(({ by }) => by === 'script'))
      lines.push(`Nothing ran "${script.name}": it has no trigger and no key, and no script calls it.`);
    const [one, ...more] = lines;
    if (one === undefined) return undefined;
    const bodies = bodyLines(reader.go(tick), script, subject, given, reader.source);
    return line(isRun ? one : `${would}. ${one}`, 8 + gates.length, [...more, ...bodies]);
  }
}

function wouldText(action: Action): string {
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
function isLike(sim: Simulation, id: string | undefined, subject: AnyHandle): boolean {
  const found = id === undefined ? undefined : sim.find(id);
  if (found?.exists !== true || found.kind !== subject.kind) return false;
  return !('type' in found) || !('type' in subject) || found.kind === 'player' || found.type === subject.type;
}

/** The lines of the most decisive causes. */
function decisive(told: readonly Told[]): readonly string[] {
  const sorted = [...told].sort((a, b) => a.rank - b.rank);
  const best = sorted[0]?.rank ?? 0;
  // Rank 0: writes that cancelled each other out explain a value completely.
  const alike = best === 0 ? sorted.slice(0, 1) : sorted.filter(({ rank }) => rank < unlikely || best >= unlikely);
  return alike
    .filter((each, i) => alike.findIndex(({ key }) => key === each.key) === i)
    .slice(0, causesMax)
    .flatMap(({ lines }) => lines());
}

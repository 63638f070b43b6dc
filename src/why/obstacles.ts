import { type Action, type AnyHandle, type Condition, everyNode, type Simulation } from '../../engine/index.ts';
import { type CompiledScript, globalValue, triggers } from '../../engine/tools.ts';
import { assignmentsBy, type GameModel, isOperator, mirrored, modelOf, variableReadBy } from '../model/index.ts';
import { actionText, conditionText, operandText } from '../run/index.ts';
import { times } from '../text/index.ts';
import type { ChangeFinder } from './change-finder.ts';
import { endOfTick } from './change-finder.ts';
import { Circumstances, type Given } from './circumstances.ts';
import type { Expected } from './expected.ts';
import type { PlayReader } from './play-reader.ts';
import { isPlain } from './play-record.ts';
import { keyOf, type Question, readingOf } from './reading.ts';
import { shownReads } from './shown-reads.ts';
import { isBelow } from './tick-trace.ts';
import { type Gate, type Met, Trials } from './trials.ts';
import { comparisonsIn, listenedBy, type Way, WaySearch } from './ways.ts';
import { writeText } from './why-text.ts';
import type { WriteTeller } from './write-teller.ts';
import { asFarAsTimers } from './write-teller.ts';
import { WriterSearch } from './writers.ts';

/** What is asked of a value: what kept it from changing, or from coming nearer to what was expected. */
interface Quest {
  readonly question: Question;
  readonly tick: number;
  /** The tick of its last change. */
  readonly since: number;
  /** The location of the action that changed it last. */
  readonly writer?: number | undefined;
  /** The literal that it should become. */
  readonly wanted?: unknown;
  /** How far it is from what was expected, on the simulation that questions read. */
  readonly distance?: (() => number) | undefined;
}

/** A cause: a line, and details below it. */
interface Told {
  /** What it is: two causes with the same head are told once. */
  readonly head: string;
  /** The action that would have changed the value. */
  readonly action?: string;
  readonly gate?: Condition;
  /** Details cost further trials. */
  readonly lines: () => readonly string[];
  /** The lower, the more decisive. */
  readonly rank: number;
}

const causesMax = 3;
/** The rank of what is told only if there is nothing else. */
const unlikely = 40;
/** Ticks in which a condition was reached that are tried, the latest first. */
const triesMax = 2;
const actionsMax = 12;
const depthMax = 3;

/**
 * Says what kept a value as it is. A condition or a missing start is told only if the play, played again with it,
 * changes the value.
 */
export class Obstacles {
  private readonly reader: PlayReader;
  private readonly finder: ChangeFinder;
  private readonly teller: WriteTeller;
  private readonly model: GameModel;
  private readonly writers: WriterSearch;
  private readonly expected: Expected;

  constructor(reader: PlayReader, finder: ChangeFinder, teller: WriteTeller, expected: Expected) {
    this.reader = reader;
    this.expected = expected;
    this.finder = finder;
    this.teller = teller;
    this.model = modelOf(reader.game.definition);
    this.writers = new WriterSearch(this.model, reader.program, reader.source.lexicon);
  }

  /** What kept a value as it is. `all`: also what makes no difference by itself. */
  of(quest: Quest, all = false): readonly string[] {
    if (quest.since === quest.tick && quest.distance === undefined) return [];
    return this.told(quest, all, new Trials(this.reader), 0, new Set());
  }

  /** Why scripts did not run. */
  ofScripts(scripts: readonly CompiledScript[], quest: Quest, all = false): readonly string[] {
    const search = this.search(quest);
    const trials = new Trials(this.reader);
    const told = scripts.flatMap((script) => {
      if (search.runsOf(script).count > 0) return [];
      return search
        .toScript(script)
        .flatMap((way) => this.way(way, `"${script.name}" would run`, quest, trials, 0, new Set(), true) ?? []);
    });
    return first(told, all);
  }

  /** Conditions of scripts that ran, but that were never true. */
  neverTrue(scripts: readonly CompiledScript[], tick: number): readonly string[] {
    const { record, program } = this.reader;
    const search = new WaySearch(this.model, program, record, -1, tick);
    const indices = new Set(scripts.map(({ index }) => index));
    return (program.locations as readonly Action[]).flatMap((action) => {
      const condition = action.operands.find((each): each is Condition => each.kind === 'condition');
      const [inner] = action.blocks.find(({ key }) => key !== 'else')?.actions ?? [];
      if (condition === undefined || inner === undefined || !indices.has(action.script.index)) return [];
      const { count } = search.ran(action);
      if (count === 0 || search.ran(inner).count > 0) return [];
      return [
        `"${action.script.name}" reached this condition ${times(count)}, and it was never true: ${conditionText(condition)}`,
      ];
    });
  }

  private search({ since, tick }: Quest): WaySearch {
    this.reader.readTo(tick);
    return new WaySearch(this.model, this.reader.program, this.reader.record, since, tick);
  }

  private told(
    quest: Quest,
    all: boolean,
    trials: Trials,
    depth: number,
    seen: Set<string>,
    withStarts = true,
  ): readonly string[] {
    const { question, wanted } = quest;
    seen.add(question.text);
    const { actions, none } = this.writers.of(question.node, wanted);
    if (actions.length === 0) return none === '' ? [] : [none];
    const search = this.search(quest);
    const told: Told[] = [];
    const idle: Told[] = [];
    for (const action of actions.slice(0, actionsMax)) {
      const would = `"${action.script.name}" would: ${actionText(action, 90)}`;
      const { count } = search.ran(action);
      if (count > 0) {
        for (const each of this.inVain(action, quest, search)) (each.rank <= 1 ? told : idle).push(each);
        // It may have been for something else.
        const script = this.reader.program.scripts[action.script.index]!;
        const start = search.toScript(script).find(({ kind }) => kind === 'start');
        const isOfOne = start?.kind === 'start' && this.subjectOf(quest) !== undefined;
        const found = isOfOne ? this.start(start, would, quest, trials, false) : undefined;
        if (found !== undefined) idle.push({ ...found, rank: 30 });
        continue;
      }
      for (const way of search.toAny(action)) {
        if (way.kind === 'start' && !withStarts) continue;
        const found = this.way(way, would, quest, trials, depth, seen, false);
        // What changed it last comes first.
        const isLast = found !== undefined && action.location === quest.writer;
        if (isLast) told.push({ ...found, rank: 2 });
        else if (found !== undefined) (found.rank < unlikely ? told : idle).push(found);
        else if (all) idle.push(line(`${would}; it never ran.`, 100));
      }
    }
    return first([...told, ...(told.length === 0 || all ? idle : [])], all);
  }

  /** An action that ran and changed nothing of the value: why, as far as that is certain. */
  private inVain(action: Action, quest: Quest, search: WaySearch): Told[] {
    const { question } = quest;
    const { count, ticks } = search.ran(action);
    const last = ticks.at(-1)!;
    const undone = this.finder.trace(question, last).changes.slice(-2);
    // Its entity came into being in this tick.
    const isNew = undone.some(({ before }) => before.text.startsWith('nothing: '));
    const { location } = action;
    if (
      isNew &&
      undone.some(({ frames }) => frames.some((each) => each.kind === 'action' && each.location === location))
    )
      return [];
    if (undone.length > 0 && !isNew) {
      const writes = undone.map((change) => this.teller.write(question, last, change, asFarAsTimers));
      const head = 'Later writes cancelled each other out. The last ones:';
      return [
        line(
          head,
          0,
          writes.map((write) => `  ${writeText(write)}`),
        ),
      ];
    }
    const reads = this.readsOf(action, last);
    const values = reads.map(({ text, of }) => `${of} was ${text}`);
    const why = values.length === 0 ? '' : ` (at ${this.reader.moment(last)} ${values.join(', ')})`;
    const place = `${action.script.place}/actions/${action.path}`;
    const sim = this.reader.go(quest.tick);
    const ever = this.reader.record.locations[action.location]!.within(-1, quest.tick).count;
    // If it failed only sometimes, it may have been for something else.
    const failed = [...sim.faults(), ...sim.skips()].filter((each) => each.at === place && each.count >= ever);
    if (failed.length > 0)
      return failed.map(({ code, message, count: failures, firstTick }) =>
        line(
          `${action.operation} of "${action.script.name}" failed ${times(failures)}, first at tick ${firstTick}: ${message} (${code})${why}`,
          1,
        ),
      );
    const subject = this.subjectOf(quest);
    // It may have been about something of another kind, with which the value has nothing to do.
    if (subject !== undefined && !reads.some(({ id }) => isLike(sim, id, subject))) return [];
    const did = `"${action.script.name}" does: ${actionText(action, 90)}; it ran ${times(count)}`;
    return [line(`${did} and left ${quest.question.text} as it was${why}.`, 20)];
  }

  /** What an action read when it last ran in a tick. */
  private readsOf(action: Action, tick: number) {
    if (tick <= this.reader.first) return [];
    const found = this.finder.readsIn(tick, action.location);
    return shownReads(found).map(({ node, text, expression, id }) => ({
      of: expression ?? operandText(node),
      text,
      id,
    }));
  }

  private subjectOf({ question, tick }: Quest): AnyHandle | undefined {
    this.reader.go(tick);
    return question.subject();
  }

  /** What kept a way from being gone, if the value becomes another one without that. */
  private way(
    way: Way,
    would: string,
    quest: Quest,
    trials: Trials,
    depth: number,
    seen: Set<string>,
    isStart: boolean,
  ): Told | undefined {
    const { reader } = this;
    switch (way.kind) {
      case 'off': {
        const { dialect } = reader.program;
        const why = way.isAbsent
          ? `but ${dialect.name} does not have that action.`
          : 'but that action is switched off or runs only in clients.';
        const { script } = way.action;
        const isReached = this.search(quest).runsOf(reader.program.scripts[script.index]!).count > 0;
        if (!way.isCall && this.wouldSetSame(way.action, quest)) return undefined;
        const rank = isReached && !way.isCall ? 9 : unlikely;
        return line(`"${script.name}" would: ${actionText(way.action, 90)}, ${why}`, rank);
      }
      case 'inside': {
        if (this.reader.record.locations[way.inner.location] !== undefined) return undefined;
        const why = way.waits ? 'runs it later, and had not yet' : 'had nothing to run it for';
        return line(`${would}. It is inside ${actionText(way.around, 90)}, which ${why}.`, 30);
      }
      case 'gate': {
        const differs = this.difference(quest);
        const ticks = way.ticks.slice(-triesMax).toReversed();
        // By itself, or else with all that would stand after it.
        const trying = [way.gates.slice(0, 1), ...(way.gates.length > 1 ? [way.gates] : [])];
        for (const [tick, passed] of trying.flatMap((each) => ticks.map((at) => [at, each] as const))) {
          const met = trials.passing(tick, passed, way.isLater ? quest.tick : tick, differs);
          if (met === undefined) continue;
          const [{ condition }] = way.gates as [Gate];
          return {
            action: would,
            gate: condition,
            head: `${would} ${way.ticks.length} ${passed.length} ${conditionText(condition)}`,
            lines: () => this.gateLines(would, way.gates[0]!, way.ticks, met(), quest, trials, depth, seen),
            // The more often it stood in the way.
            rank: (passed.length === 1 ? 2 : 10 + passed.length) + 1 / way.ticks.length,
          };
        }
        return undefined;
      }
      case 'start':
        return this.start(way, would, quest, trials, isStart);
    }
  }

  /** Whether an action would give the value that it has, or another than the wanted one, as far as its text says. */
  private wouldSetSame(action: Action, { question, tick, wanted }: Quest): boolean {
    const [{ value, by } = {}] = assignmentsBy(action);
    const name = value && variableReadBy(value);
    if (value === undefined || by !== undefined || (value.kind !== 'literal' && name === undefined)) return false;
    const sim = this.reader.go(tick);
    const given = name === undefined ? value.json : globalValue(sim, name);
    return String(given) === String(question.read()) || (wanted !== undefined && String(given) !== String(wanted));
  }

  /** Whether the value of the copy that questions read is another than it was in the play. */
  private difference({ question, tick, distance }: Quest): () => boolean {
    this.reader.go(tick);
    if (question.isCount) return () => Number(question.read()) > 0;
    const key = keyOf(question.read());
    const far = distance?.();
    return () => {
      if (far === undefined) return !Object.is(keyOf(question.read()), key);
      return distance!() < far;
    };
  }

  private gateLines(
    would: string,
    gate: Gate,
    ticks: readonly number[],
    met: Met,
    quest: Quest,
    trials: Trials,
    depth: number,
    seen: Set<string>,
  ): readonly string[] {
    const { reader } = this;
    const { condition, wanted } = gate;
    const { script } = condition;
    if (!wanted) {
      return [
        `${would}, but not if ${conditionText(condition)}, which was true in ${ticks.length} ticks${this.inScript(would, script.name)}.`,
      ];
    }
    const nodes = met.falseOnes.map(({ node }) => node);
    const all = nodes.length === 0 ? comparisonsIn(condition) : nodes;
    const text = all.map(conditionText).join(' or ');
    const count = Math.max(ticks.length, ...all.map((node) => reader.falseIn(node, quest.since, quest.tick).count));
    const named = met.falseOnes.flatMap(({ node, sides }) => this.sidesOf(node, sides, met));
    const values = [...new Map(named.map((each) => [each.text, each])).values()];
    const [firstTick = met.tick] = ticks;
    const early = firstTick < met.tick ? trials.meeting(firstTick, condition) : met;
    const first = new Map(
      early.falseOnes
        .flatMap(({ node, sides }) => this.sidesOf(node, sides, early))
        .map((each) => [each.text, each.value]),
    );
    const said = values.map(({ text: of, value }) => {
      const before = first.get(of) ?? value;
      return before === value ? `${of} was ${value}` : `${of} was ${before} first, ${value} last`;
    });
    const at = said.length === 0 ? '' : ` (${said.join(', ')})`;
    const lines = [`${would}, but ${text} was false ${times(count)}${this.inScript(would, script.name)}${at}.`];
    // Nobody may have been where it should be.
    if (all.some(readsRegion)) {
      const started = reader.program.scripts[script.index]!;
      const around = new Circumstances(reader, started, quest.since, quest.tick);
      lines.push(
        ...around.lines(listenedBy(started), this.subjectOf(quest), { payload: {} }).map((line) => `  ${line}`),
      );
    }
    const [only, ...others] = values;
    if (only?.expression === undefined || seen.has(only.expression) || others.length > 0 || depth >= depthMax)
      return lines;
    const below = this.whyStill(only.expression, only.value, all[0]!, met.tick, trials, depth + 1, seen);
    return [...lines, ...below.map((line) => `  ${line}`)];
  }

  private inScript(would: string, name: string): string {
    return would.startsWith(`"${name}" `) ? '' : ` in "${name}"`;
  }

  /** The sides of a comparison that are no literals, by an expression if there is one. */
  private sidesOf(node: Condition, sides: Met['falseOnes'][number]['sides'], { reads }: Met) {
    return node.sides.flatMap((side, i) => {
      if (side.kind === 'literal' || side.kind === 'nothing') return [];
      const own = reads.find((read) => read.node === side);
      const [shown] =
        own === undefined ? [] : shownReads([own, ...reads.filter((read) => isBelow(read.node, own.node))]);
      const expression = shown?.node === side ? shown.expression : undefined;
      return [{ text: expression ?? operandText(side), value: sides[i]!.text, expression }];
    });
  }

  /** Why a value that a condition read was what it was: its last change, or what kept it from one. */
  private whyStill(
    expression: string,
    value: string,
    { operator, sides }: Condition,
    tick: number,
    trials: Trials,
    depth: number,
    seen: Set<string>,
  ): readonly string[] {
    const { reader, finder } = this;
    const question = reader.question(expression);
    const isSame = readingOf(reader.go(tick), question.read(), reader.source).text === value;
    const at = isSame ? tick : Math.max(reader.first, tick - 1);
    const since = finder.last(question, at);
    const change = since === undefined ? undefined : finder.in(question, since, endOfTick);
    const isFirst = change === undefined || change.before.text.startsWith('nothing: ');
    const [left, right] = sides;
    const literal = [left, right].find(({ kind, json }) => kind === 'literal' && isPlain(json) && json !== null);
    if (literal !== undefined && isOperator(operator)) {
      const is = left === literal ? mirrored[operator] : operator;
      const text = `${expression} ${is} ${JSON.stringify(literal.json)}`;
      const [{ wanted, distance } = {}] = this.expected.of(reader.question(text), at);
      const quest = { question, tick: at, since: since ?? reader.first - 1, wanted, distance };
      // Of a value that changes, nobody asks what else could start to change it.
      const lines = this.told(quest, false, trials, depth, seen, isFirst);
      if (lines.length > 0)
        return [`${expression}: ${lines[0]}`, ...lines.slice(1).filter((line) => line.startsWith(' '))];
    }
    if (isFirst) return [];
    return [`${expression}: ${writeText(this.teller.write(question, since!, change, asFarAsTimers))}`];
  }

  private start(
    { script, gates, isLater }: Extract<Way, { kind: 'start' }>,
    would: string,
    quest: Quest,
    trials: Trials,
    isStart: boolean,
  ): Told | undefined {
    const { reader } = this;
    const circumstances = new Circumstances(reader, script, quest.since, quest.tick);
    const types = listenedBy(script);
    // The play is too short for them.
    if (types.some((type) => type === 'secondTick' || type === 'frameTick')) return undefined;
    const subject = this.subjectOf(quest);
    const differs = this.difference(quest);
    let given: Given | undefined;
    if (!isStart) {
      const tried = circumstances.payloads(types, subject);
      const until = isLater ? quest.tick + 1 : quest.tick;
      const passes = (each: Given, through: readonly Gate[]): boolean =>
        trials.starting(quest.tick, script, each, through, until, differs);
      given =
        tried.find((each) => passes(each, [])) ??
        (gates.length > 0 ? tried.slice(0, 2).find((each) => passes(each, gates)) : undefined);
      if (given === undefined) return undefined;
    }
    const head = isStart ? '' : `${would}. `;
    const starts = this.model.starts(script.place);
    const lines: string[] = [];
    for (const type of types) {
      const fired = reader.record.triggers.get(type)?.within(-1, quest.tick).count ?? 0;
      const what = fired === 0 ? `never fired: ${triggers[type].about}` : `fired ${times(fired)}.`;
      lines.push(`"${script.name}" listens to ${type}, which ${what}`);
    }
    for (const { by, name, type } of starts) {
      if (by !== 'key') continue;
      const unitType = reader.game.definition.unitTypes.get(type!)!.name;
      lines.push(`"${script.name}" runs when the player of a unit of type ${unitType} presses or releases "${name}".`);
    }
    if (lines.length === 0 && starts.every(({ by }) => by === 'script'))
      lines.push(`Nothing ran "${script.name}": it has no trigger and no key, and no script calls it.`);
    if (lines.length === 0) return undefined;
    const [one, ...more] = lines;
    const details = circumstances.lines(types, subject, given ?? { payload: {} });
    // Of what ran for something else, it is only certain what keeps bodies and attributes from starting it.
    if (reader.record.scripts[script.index] !== undefined && details.length === 0) return undefined;
    return line(
      `${head}${one}`,
      8 + gates.length,
      [...more, ...details].map((each) => `  ${each}`),
    );
  }
}

function line(head: string, rank: number, details: readonly string[] = []): Told {
  return { head, rank, lines: () => [head, ...details] };
}

/** Whether an id is that of something of the same kind and type. */
function isLike(sim: Simulation, id: string | undefined, subject: AnyHandle): boolean {
  const found = id === undefined ? undefined : sim.find(id);
  if (found?.exists !== true || found.kind !== subject.kind) return false;
  return !('type' in found) || !('type' in subject) || found.kind === 'player' || found.type === subject.type;
}

/** The most decisive causes. */
function first(told: readonly Told[], all: boolean): readonly string[] {
  const sorted = [...told].sort((a, b) => a.rank - b.rank);
  if (sorted[0]?.rank === 0 && !all) return sorted[0].lines();
  // One of each action, then the others.
  const best = new Set(new Map(sorted.toReversed().map((each) => [each.action ?? each.head, each])).values());
  const ordered = [...sorted.filter((each) => best.has(each)), ...sorted];
  // Other actions behind the same condition would say the same.
  const distinct = new Map(ordered.toReversed().map((each) => [each.gate ?? each.head, each]));
  return [...new Set(ordered)]
    .filter((each) => distinct.get(each.gate ?? each.head) === each)
    .slice(0, all ? undefined : causesMax)
    .flatMap(({ lines }) => lines());
}

/** Whether a comparison is about the region that started the script. */
function readsRegion(comparison: Condition): boolean {
  for (const node of everyNode(comparison))
    if (node.kind === 'call' && node.rule?.reads.some(({ kind }) => kind === 'region') === true) return true;
  return false;
}

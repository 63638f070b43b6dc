import type { Simulation, UnitHandle } from '../../engine/index.ts';
import { awaitsSavedData, triggers } from '../../engine/tools.ts';
import { times } from '../text/index.ts';
import type { ChangeFinder, FoundChange } from './change-finder.ts';
import { endOfTick } from './change-finder.ts';
import type { Expected, ExpectedValue } from './expected.ts';
import { restLines } from './motion.ts';
import type { Obstacles } from './obstacles.ts';
import type { PlayReader } from './play-reader.ts';
import { isPlace, type Question } from './reading.ts';
import type { Refusals } from './refusals.ts';
import { writeText } from './why-text.ts';
import { asFarAsTimers, type WriteTeller } from './write-teller.ts';

const othersShown = 3;
const valuesMax = 3;

/** Says why a value stands as it does since its last change. */
export class Standing {
  private readonly reader: PlayReader;
  private readonly finder: ChangeFinder;
  private readonly teller: WriteTeller;
  private readonly obstacles: Obstacles;
  private readonly refusals: Refusals;
  private readonly expected: Expected;

  constructor(
    reader: PlayReader,
    finder: ChangeFinder,
    teller: WriteTeller,
    obstacles: Obstacles,
    refusals: Refusals,
    expected: Expected,
  ) {
    this.reader = reader;
    this.finder = finder;
    this.teller = teller;
    this.obstacles = obstacles;
    this.refusals = refusals;
    this.expected = expected;
  }

  notes(
    question: Question,
    found: FoundChange | undefined,
    tick: number,
    value: unknown,
    all: boolean,
  ): readonly string[] {
    const { node } = question;
    if (question.hears !== undefined) return Number(value) > 0 ? [] : this.otherOutputs(question, tick, all);
    if (node.kind === 'count') return this.ofCount(question, node, tick, Number(value), all);
    const isCondition = typeof value === 'boolean' && node.kind !== 'path';
    if (!isCondition) return this.ofValue(question, found?.tick, tick, undefined, all);
    if (value === true) return [];
    const values = this.expected.of(question, tick).slice(0, all ? undefined : valuesMax);
    const lines = values.flatMap((each) => this.ofExpected(each, tick, all));
    return [...new Set(lines)];
  }

  private ofExpected(each: ExpectedValue, tick: number, all: boolean): readonly string[] {
    const question = this.reader.question(each.expression);
    const since = this.finder.last(question, tick);
    const lines = this.ofValue(question, since, tick, each, all);
    if (!each.isMember) return lines;
    const change = since === undefined ? undefined : this.finder.in(question, since, endOfTick);
    const last = change && writeText(this.teller.write(question, since!, change, asFarAsTimers));
    return [`The nearest: ${each.expression}${last === undefined ? '' : `, ${last}`}`, ...lines];
  }

  private ofValue(
    question: Question,
    since: number | undefined,
    tick: number,
    wish: ExpectedValue | undefined,
    all: boolean,
  ): readonly string[] {
    const { reader } = this;
    const from = since ?? reader.first - 1;
    const owner = this.ownerWithoutUnit(question, tick);
    if (owner !== undefined) {
      const unit = reader.question(`${owner}.unit`);
      return this.obstacles.of({ question: unit, tick, since: this.finder.last(unit, tick) ?? reader.first - 1 }, all);
    }
    const refused = this.refusals.of(question, from, tick);
    const certain = [...this.facts(question, tick, since, wish?.bound), ...refused];
    if (certain.length > 0 && !all) return certain;
    const quest = { question, tick, since: from, wanted: wish?.wanted, distance: wish?.distance };
    return [...certain, ...this.obstacles.of(quest, all)];
  }

  /** The player that a path begins with, if the path goes on with its unit and it has none. */
  private ownerWithoutUnit({ node }: Question, tick: number): string | undefined {
    if (node.kind !== 'path' || node.members[0]?.text !== 'unit') return undefined;
    this.reader.go(tick);
    const { text } = node.head;
    const player = this.reader.source.lexicon.isGlobal(text) ? undefined : this.reader.source.entityNamed(text);
    return player?.kind === 'player' && player.exists && player.unit === undefined ? text : undefined;
  }

  /** What is certain about an entity without another play. */
  private facts(question: Question, tick: number, since: number | undefined, bound?: number): readonly string[] {
    const { text, node, member = '', subject } = question;
    const { reader } = this;
    const sim = reader.go(tick);
    const { lexicon } = reader.source;
    const of = subject();
    if (of === undefined || lexicon.isVariable(member)) return [];
    const player = of.kind === 'player' ? of : of.kind === 'unit' ? of.owner : undefined;
    if (player?.exists === true && awaitsSavedData(sim, player.clientId))
      return [`The saved data of ${player.name} has not been loaded.`];
    const [attribute] = lexicon.attribute(member);
    if (attribute !== undefined) {
      const value = of.attribute(attribute);
      const bounds = of.attributeBounds(attribute);
      if (value === undefined || bounds === undefined) return [`${of.id} has no attribute ${member}.`];
      if (bound === undefined || bounds.min === bounds.max) return [];
      const at =
        value === bounds.max && bound >= value ? 'maximum' : value === bounds.min && bound <= value ? 'minimum' : '';
      return at === '' ? [] : [`${text} is at its ${at}, ${value}.`];
    }
    if (of.kind !== 'unit' || node.kind !== 'path') return [];
    if (member === 'holding') return of.holding === undefined ? emptyHandLines(sim, of) : [];
    return isPlace(member) && (since ?? reader.first) < tick ? restLines(sim, of, reader.source) : [];
  }

  private ofCount(
    question: Question,
    node: Extract<Question['node'], { kind: 'count' }>,
    tick: number,
    count: number,
    all: boolean,
  ): readonly string[] {
    const { lexicon } = this.reader.source;
    const { text } = node.name;
    const quest = { question, tick, since: -1 };
    if (node.of === 'runs') {
      const scripts = lexicon.scripts(text);
      return count > 0 ? this.obstacles.neverTrue(scripts, tick) : this.obstacles.ofScripts(scripts, quest, all);
    }
    if (count > 0) return [];
    if (node.of === 'outputs') return this.obstacles.of(quest, all);
    const { about, delivery } = triggers[lexicon.trigger(text)];
    if (delivery === 'never') return [`${text} fires only in clients: ${about}`];
    return [`${text} fires when: ${about}`, `It ${count === 0 ? 'never fired' : `fired ${times(count)}`}.`];
  }

  /** What was posted of a kind, if nothing had the details in question. */
  private otherOutputs(question: Question, tick: number, all: boolean): readonly string[] {
    const kind = question.node.kind === 'posted' ? question.node.output?.text : undefined;
    if (kind === undefined) return ['No output of the play had such a detail.'];
    const others = [...this.finder.postingsOf(question).others].filter(([, at]) => at <= tick);
    if (others.length === 0) {
      const posted = this.reader.question(`outputs ${kind}`);
      return this.obstacles.of({ question: posted, tick, since: -1 }, all);
    }
    const shown = others.slice(-othersShown).map(([text, at]) => `  ${this.reader.moment(at)} ${text}`);
    return [`No output of kind ${kind} had these details, but these were posted:`, ...shown];
  }
}

/** Why a unit holds nothing: which slots its items are in. */
function emptyHandLines(sim: Simulation, { slot, slots }: UnitHandle): readonly string[] {
  const carried = slots.flatMap((item, i) => {
    if (item === undefined) return [];
    const permitted = sim.definition.itemTypes.get(item.type ?? '')?.controls?.permittedInventorySlots ?? [];
    const only = permitted.length === 0 ? '' : `, its type permits only slot ${permitted.join(', ')}`;
    return [`${item.id} (${item.name}) in slot ${i + 1}${only}`];
  });
  if (carried.length === 0) return [];
  return [`Its selected slot ${slot + 1} is empty; it carries ${carried.join('; ')}.`];
}

import type { AnyHandle, Simulation, UnitHandle } from '../../engine/index.ts';
import { awaitsSavedData, damage, triggers } from '../../engine/tools.ts';
import { idOf } from '../expression/index.ts';
import { modelOf } from '../model/index.ts';
import { times } from '../text/index.ts';
import type { ChangeFinder, FoundChange } from './change-finder.ts';
import { endOfTick } from './change-finder.ts';
import { bodyLine } from './circumstances.ts';
import type { Expected, ExpectedValue } from './expected.ts';
import { attackLines, idleLines, restLines } from './motion.ts';
import type { Obstacles } from './obstacles.ts';
import type { PlayReader } from './play-reader.ts';
import { isPlace, type Question } from './reading.ts';
import type { Refusals } from './refusals.ts';
import { writeText } from './why-text.ts';
import { asFarAsTimers, type WriteTeller } from './write-teller.ts';

const othersShown = 3;
/** The nearest units that may attack, and the last projectiles. */
const attackersMax = 40;
const shotsMax = 20;
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
    const isCondition = ['compare', 'and', 'or', 'not', 'every'].includes(node.kind);
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
    // What ran in the tick in which its entity came into being may have been meant to change it.
    const change = since === undefined ? undefined : this.finder.in(question, since, endOfTick);
    const isFirst = since === undefined || change?.before.text.startsWith('nothing: ') === true;
    const from = isFirst ? (since ?? reader.first) - 1 : since;
    const owner = this.ownerWithoutUnit(question, tick);
    if (owner !== undefined) {
      const unit = reader.question(`${owner}.unit`);
      return this.obstacles.of({ question: unit, tick, since: this.finder.last(unit, tick) ?? reader.first - 1 }, all);
    }
    const refused = this.refusals.of(question, from, tick);
    const certain = [...this.facts(question, tick, since, wish?.direction), ...refused];
    if (certain.length > 0 && !all) return certain;
    const writer = change?.frames.findLast((each) => each.kind === 'action')?.location;
    const quest = { question, tick, since: from, writer, wanted: wish?.wanted, distance: wish?.distance };
    const lines = [...certain, ...this.obstacles.of(quest, all)];
    return lines.length > 0 ? lines : this.idleLines(question, from, tick);
  }

  /** What an entity lacks, and how it got the type that lacks it. */
  private missingAttribute(of: AnyHandle, member: string, tick: number): readonly string[] {
    const { reader, finder } = this;
    const lines = [`${of.id} has no attribute ${member}.`];
    const type = reader.question(`${idOf(of)}.type`);
    const at = finder.last(type, tick);
    const change = at === undefined ? undefined : finder.in(type, at, endOfTick);
    if (at !== undefined && change !== undefined)
      lines.push(`  Its type: ${writeText(this.teller.write(type, at, change, asFarAsTimers))}`);
    return lines;
  }

  /**
   * Why nobody steered a unit, or hurt one of which an attribute could be hurt: attackers without a target, bodies that
   * pass it.
   */
  private idleLines({ member = '', subject }: Question, from: number, tick: number): readonly string[] {
    const { reader } = this;
    const sim = reader.go(tick);
    const of = subject();
    if (of?.kind === 'unit' && isPlace(member)) return idleLines(sim, of, reader.source);
    if (of?.kind !== 'unit') return [];
    const attribute = attributeOf(of, reader.source.lexicon.attribute(member));
    if (attribute === undefined) return [];
    if (!modelOf(sim.definition).rulesChanging(attribute).includes(damage.name)) return [];
    const others = sim.units().filter((each) => each.owner?.id !== of.owner?.id);
    const far = ({ x, y }: UnitHandle): number => Math.hypot(x - of.x, y - of.y);
    const near = others.sort((a, b) => far(a) - far(b)).slice(0, attackersMax);
    const idle = near.flatMap((each) => attackLines(sim, each, of, reader.source)).slice(0, 1);
    const shots = [...reader.record.lives].filter(
      ([id, { ticks }]) => /^b\d/.test(id) && ticks[0]! > from && ticks[0]! <= tick,
    );
    // What scripts create, such as explosions, may be there for its looks.
    const passing = shots.slice(-shotsMax).flatMap(([id, { ticks }]) => {
      const then = reader.go(ticks[0]!);
      const shot = then.find(id);
      const isFired = shot?.kind === 'projectile' && shot.sourceItem !== undefined;
      return isFired ? bodyLine(then, shot, 'units', reader.source) : [];
    });
    return [...new Set([...passing, ...idle])];
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
  private facts(question: Question, tick: number, since: number | undefined, direction?: number): readonly string[] {
    const { text, node, member = '', subject } = question;
    const { reader } = this;
    const sim = reader.go(tick);
    const { lexicon } = reader.source;
    const of = subject();
    if (of === undefined || lexicon.isVariable(member)) return [];
    const player = of.kind === 'player' ? of : of.kind === 'unit' ? of.owner : undefined;
    if (player?.exists === true && awaitsSavedData(sim, player.clientId))
      return [`The saved data of ${player.name} has not been loaded.`];
    const keys = lexicon.attribute(member);
    if (keys.size > 0) {
      const key = attributeOf(of, keys);
      if (key === undefined) return this.missingAttribute(of, member, tick);
      const value = of.attribute(key);
      const bounds = of.attributeBounds(key)!;
      if (direction === undefined || bounds.min === bounds.max) return [];
      if (direction > 0 && value === bounds.max) return [`${text} is at its maximum, ${value}.`];
      return direction < 0 && value === bounds.min ? [`${text} is at its minimum, ${value}.`] : [];
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

/** The attribute of an entity that has one of these keys. */
function attributeOf(of: AnyHandle, keys: ReadonlySet<string>): string | undefined {
  return 'attributes' in of ? Object.keys(of.attributes).find((key) => keys.has(key)) : undefined;
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

import { triggersOf } from '../../engine/tools.ts';
import type { ChangeFinder } from './change-finder.ts';
import { Expected, type ExpectedValue } from './expected.ts';
import { Obstacles } from './obstacles.ts';
import type { PlayReader } from './play-reader.ts';
import type { Question } from './reading.ts';
import { writeText } from './why-text.ts';
import { asFarAsTimers, type WriteTeller } from './write-teller.ts';

/** The maximum number of other outputs of the same kind to show. */
const othersShown = 3;
/** The maximum number of values of a condition that are explained. */
const valuesMax = 3;

/** Explains why a value has not changed since its last change. */
export class Standing {
  readonly obstacles: Obstacles;
  private readonly expected: Expected;

  constructor(
    private readonly reader: PlayReader,
    private readonly finder: ChangeFinder,
    private readonly teller: WriteTeller,
  ) {
    this.expected = new Expected(reader);
    this.obstacles = new Obstacles(reader, finder, teller, this.expected);
  }

  /** `isExpected`: whether the value should be true. */
  notes(question: Question, tick: number, value: unknown, isExpected: boolean): readonly string[] {
    const { node } = question;
    this.obstacles.begin();
    switch (node.kind) {
      case 'posted':
        return Number(value) > 0 ? [] : this.otherOutputs(question, tick);
      case 'count':
        return Number(value) > 0 ? [] : this.ofCount(question, node, tick);
      case 'compare':
      case 'and':
      case 'or':
      case 'not':
      case 'every': {
        if (value === true) return [];
        const values = this.expected.of(question, tick);
        const constant = values.filter(({ expression }) => this.obstacles.isConstant(this.reader.question(expression)));
        const variable = values.filter((each) => !constant.includes(each));
        const told = (variable.length > 0 ? variable : values).slice(0, valuesMax);
        return [...new Set(told.flatMap((each) => this.ofExpected(each, tick)))];
      }
      default: {
        const distance = () => (question.truth() ? 0 : 1);
        const wish = { expression: question.text, distance, isMember: false };
        return this.ofValue(question, tick, isExpected && !value ? wish : undefined);
      }
    }
  }

  private ofExpected(each: ExpectedValue, tick: number) {
    const question = this.reader.question(each.expression);
    const lines = this.ofValue(question, tick, each);
    if (!each.isMember) return lines;
    const last = this.finder.lastChange(question, tick);
    const write = last && writeText(this.teller.write(question, last.tick, last.change, asFarAsTimers));
    return [`The value that came nearest: ${each.expression}${write === undefined ? '' : `, ${write}`}`, ...lines];
  }

  private ofValue(question: Question, tick: number, wish?: ExpectedValue) {
    const owner = this.ownerWithoutUnit(question, tick);
    if (owner === undefined) return this.obstacles.ofValue(question, tick, wish);
    const unit = this.reader.question(`${owner}.unit`);
    const distance = () => (unit.subject()?.kind === 'player' && unit.truth() ? 0 : 1);
    return this.obstacles.ofValue(unit, tick, { expression: unit.text, distance, isMember: false });
  }

  /** The player at the start of a path such as `alice.unit.health`, if that player has no unit. */
  private ownerWithoutUnit({ node }: Question, tick: number) {
    if (node.kind !== 'path' || node.members[0]?.text !== 'unit') return undefined;
    this.reader.go(tick);
    const { text } = node.head;
    const player = this.reader.source.lexicon.isGlobal(text) ? undefined : this.reader.source.entityNamed(text);
    return player?.kind === 'player' && player.exists && player.unit === undefined ? text : undefined;
  }

  private ofCount(
    question: Question,
    { of, name: { text } }: Extract<Question['node'], { kind: 'count' }>,
    tick: number,
  ) {
    const { lexicon } = this.reader.source;
    const quest = { question, tick, since: -1 };
    if (of === 'runs') return this.obstacles.ofScripts(lexicon.scripts(text), quest);
    if (of === 'outputs') return this.obstacles.of(quest);
    const { about, delivery } = triggersOf(lexicon.definition).rows[lexicon.trigger(text)];
    if (delivery === 'never') return [`The trigger ${text} fires only in clients: ${about}`];
    return [...this.obstacles.of(quest), `${text} never fired. It fires when: ${about}`];
  }

  /** Other outputs of the kind, if none had the details in question. */
  private otherOutputs(question: Question, tick: number) {
    const kind = question.node.kind === 'posted' ? question.node.output?.text : undefined;
    if (kind === undefined) return ['No output event of the play had these details.'];
    const others = [...this.finder.postingsOf(question).others].filter(([, at]) => at <= tick);
    if (others.length === 0) {
      const posted = this.reader.question(`outputs ${kind}`);
      return this.obstacles.of({ question: posted, tick, since: -1 });
    }
    const repaired = this.obstacles.of({ question, tick, since: -1 });
    if (repaired.length > 0) return repaired;
    const shown = others.slice(-othersShown).map(([text, at]) => `  ${this.reader.moment(at)} ${text}`);
    return [`No output event of kind ${kind} had these details. Output events of this kind:`, ...shown];
  }
}

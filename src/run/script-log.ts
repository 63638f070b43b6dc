import { type Condition, everyNode } from '../../engine/index.ts';
import { type FalseComparison, FalseComparisons } from './false-comparisons.ts';
import { conditionText, operandText } from './script-text.ts';

/** A script condition that was false: its text, the values of its operands, and when. */
export interface FalseCondition {
  readonly tick: number;
  /** The name of its script. */
  readonly script: string;
  readonly text: string;
  /** `timeLeft is 3`, for each operand that is not a constant. */
  readonly sides: readonly string[];
  /** How often it was false since the last passed expectation. */
  readonly count: number;
}

/** The false conditions of scripts since it was last cleared, with their latest values. */
export class ScriptLog extends FalseComparisons {
  /** The last `count` conditions: those in scripts that mention one of the words first, then the latest. */
  last(count: number, words: ReadonlySet<string>, valueText: (value: unknown) => string): readonly FalseCondition[] {
    const mentions = new Map<object, boolean>();
    const isAbout = ({ script }: Condition): boolean => {
      let found = mentions.get(script);
      if (found === undefined) {
        const text = JSON.stringify(script.json) ?? '';
        found = [...words].some((word) => text.includes(JSON.stringify(word)));
        mentions.set(script, found);
      }
      return found;
    };
    return [...this.all()]
      .map((entry) => ({ entry, isAbout: isAbout(entry.node) }))
      .sort((a, b) => Number(b.isAbout) - Number(a.isAbout) || b.entry.last.tick - a.entry.last.tick)
      .slice(0, count)
      .map(({ entry }) => shown(entry, valueText));
  }

  /** The comparisons of a condition that were false. */
  inside(condition: Condition, valueText: (value: unknown) => string): readonly FalseCondition[] {
    return [...everyNode(condition)].flatMap((node) => {
      const entry = node.kind === 'condition' ? this.of(node) : undefined;
      return entry === undefined ? [] : [shown(entry, valueText)];
    });
  }
}

function shown({ node, last, count }: FalseComparison, valueText: (value: unknown) => string): FalseCondition {
  return {
    tick: last.tick,
    script: node.script.name,
    text: conditionText(node),
    sides: node.sides.flatMap((side, i) => {
      if (side.kind === 'literal' || side.kind === 'nothing') return [];
      return [`${operandText(side)} is ${valueText(i === 0 ? last.left : last.right)}`];
    }),
    count,
  };
}

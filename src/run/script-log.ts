import { cached } from '../../engine/core/index.ts';
import { type Condition, everyNode } from '../../engine/index.ts';
import { type FalseComparison, FalseComparisons } from './false-comparisons.ts';
import { conditionText, operandText } from './script-text.ts';

/** A script condition that was false: its text, the values of its operands, and the last tick at which it was false. */
export interface FalseCondition {
  readonly tick: number;
  /** The name of the script. */
  readonly script: string;
  readonly text: string;
  /** The values of the operands that are not constants, such as `timeLeft is 3`. */
  readonly sides: readonly string[];
  /** How often the condition was false since the log was last cleared. */
  readonly count: number;
}

/** The conditions of scripts that were false since the log was last cleared, with their latest values. */
export class ScriptLog extends FalseComparisons {
  /** The last `count` false conditions. Those in scripts that mention one of the words come first, then the latest. */
  last(count: number, words: ReadonlySet<string>, valueText: (value: unknown) => string): readonly FalseCondition[] {
    const mentions = new Map<object, boolean>();
    const isAbout = ({ script }: Condition) =>
      cached(mentions, script, () => {
        const text = JSON.stringify(script.json) ?? '';
        return [...words].some((word) => text.includes(JSON.stringify(word)));
      });
    return [...this.all()]
      .map((entry) => ({ entry, isAbout: isAbout(entry.node) }))
      .sort((a, b) => Number(b.isAbout) - Number(a.isAbout) || b.entry.last.tick - a.entry.last.tick)
      .slice(0, count)
      .map(({ entry }) => shown(entry, valueText));
  }

  /** The comparisons inside a condition that were false. */
  inside(condition: Condition, valueText: (value: unknown) => string): readonly FalseCondition[] {
    return [...everyNode(condition)].flatMap((node) => {
      const entry = node.kind === 'condition' ? this.of(node) : undefined;
      return entry === undefined ? [] : [shown(entry, valueText)];
    });
  }
}

function shown({ node, last, count }: FalseComparison, valueText: (value: unknown) => string) {
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

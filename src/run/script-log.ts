import type { Condition, ScriptWatcher } from '../../engine/index.ts';
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

interface Entry {
  tick: number;
  left: unknown;
  right: unknown;
  count: number;
}

/** Records the false conditions of scripts since it was last cleared, with their latest values. */
export class ScriptLog implements ScriptWatcher {
  private readonly entries = new Map<Condition, Entry>();
  private readonly now: () => number;

  /** `now` returns the current tick. */
  constructor(now: () => number) {
    this.now = now;
  }

  enter(): void {}
  leave(): void {}

  conditionFalse(node: Condition, left: unknown, right: unknown): void {
    const entry = this.entries.get(node);
    if (entry === undefined) this.entries.set(node, { tick: this.now(), left, right, count: 1 });
    else {
      entry.tick = this.now();
      entry.left = left;
      entry.right = right;
      entry.count++;
    }
  }

  clear(): void {
    this.entries.clear();
  }

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
    return [...this.entries]
      .map(([node, entry]) => ({ node, entry, isAbout: isAbout(node) }))
      .sort((a, b) => Number(b.isAbout) - Number(a.isAbout) || b.entry.tick - a.entry.tick)
      .slice(0, count)
      .map(({ node, entry: { tick, left, right, count: times } }) => ({
        tick,
        script: node.script.name,
        text: conditionText(node),
        sides: node.sides.flatMap((side, i) => {
          if (side.kind === 'literal' || side.kind === 'nothing') return [];
          const value = i === 0 ? left : right;
          return [`${operandText(side)} is ${valueText(value)}`];
        }),
        count: times,
      }));
  }
}

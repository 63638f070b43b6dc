import type { Condition, ScriptWatcher } from '../../engine/index.ts';
import { conditionText, operandText } from './script-text.ts';

/** A condition of a script that was false: its text, the values of its sides, and when. */
export interface FalseCondition {
  readonly tick: number;
  /** Of its script. */
  readonly script: string;
  readonly text: string;
  /** `timeLeft is 3`: of each side that is no constant. */
  readonly sides: readonly string[];
  /** How often it was false since the last expectation that held. */
  readonly count: number;
}

interface Entry {
  tick: number;
  left: unknown;
  right: unknown;
  count: number;
}

/** The comparisons that kept scripts from going on, since it was last cleared. Each has its latest values. */
export class ScriptLog implements ScriptWatcher {
  private readonly entries = new Map<Condition, Entry>();
  private readonly now: () => number;

  /** `now` gives the tick. */
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

  /** At most `count`: first those of scripts that mention one of the words, then the latest. */
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

import type { Entity } from '../../engine/index.ts';
import { Binder, single } from './binder.ts';
import { truthOf } from './comparison.ts';
import type { Missing } from './missing.ts';
import { parseExpression } from './parser.ts';
import type { ExpressionSource } from './source.ts';
import { answerText } from './value-text.ts';

/** A part of an expression with what it is now. */
interface Part {
  readonly text: string;
  readonly value: unknown;
  /** Of a group that was asked about: the members that decide, with what they have. */
  readonly members: readonly string[];
}

/** An expression that belongs to one game being played. Cheap enough for every tick. */
export interface Question {
  readonly text: string;
  /** False also for what is missing: not yet, or no longer. */
  holds(): boolean;
  /** `Missing` where it is about what is not there. */
  answer(): boolean | Missing;
  /** A number, text, boolean, null, an entity, a list of entities, or `Missing`. */
  value(): unknown;
  /** The parts that decide, with what they are now: what a failure says. */
  parts(): readonly Part[];
  /** Entities that the expression names, for the picture and the differences of a failure. */
  about(): readonly Entity[];
}

/** Throws `ExpressionError` for what is no expression, or names what the game does not have. */
export function ask(text: string, source: ExpressionSource): Question {
  const binder = new Binder(text, source);
  const node = parseExpression(text);
  const evaluate = binder.bind(node, false);
  const parts = binder.leaves(node).map((leaf) => ({
    text: binder.textOf(leaf),
    ask: binder.bind(leaf, false),
    members: leaf.kind === 'every' ? binder.deciding(leaf) : () => [],
  }));
  return {
    text,
    holds: () => truthOf(evaluate(undefined)) === true,
    answer: () => truthOf(evaluate(undefined)),
    value: () => single(evaluate(undefined)),
    parts: () => parts.map(({ text, ask, members }) => ({ text, value: single(ask(undefined)), members: members() })),
    about() {
      const named = new Set(binder.named.map((name) => source.named(name)));
      return [...named].flatMap((each) => (each?.exists === true ? [each.entity] : []));
    },
  };
}

const membersShown = 5;

/** `timeLeft is 12`, one line for each part, and below a group those that decide. */
export function partLines(source: ExpressionSource, question: Question): string[] {
  const lines = question.parts().flatMap(({ text, value, members }) => {
    const shown = members.slice(0, membersShown).map((each) => `  ${each}`);
    if (members.length > shown.length) shown.push(`  and ${members.length - shown.length} more`);
    return [`${text} is ${answerText(source, value)}`, ...shown];
  });
  return [...new Set(lines)];
}

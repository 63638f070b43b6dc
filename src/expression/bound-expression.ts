import type { Entity } from '../../engine/index.ts';
import { Binder, plainValue } from './binder.ts';
import { truthOf } from './comparison.ts';
import type { Missing } from './missing.ts';
import { parseExpression } from './parser.ts';
import type { ExpressionSource } from './source.ts';
import { answerText } from './value-text.ts';

/** A part of an expression with its current value. */
interface Part {
  readonly text: string;
  readonly value: unknown;
  /** For a group: the members that decide the answer, with their values. */
  readonly members: readonly string[];
}

/** An expression bound to one running game; cheap enough to evaluate on every tick. */
export interface BoundExpression {
  readonly text: string;
  /** Also false if something is missing, not yet or no longer there. */
  holds(): boolean;
  /** `Missing` if it refers to something that does not exist. */
  answer(): boolean | Missing;
  /** A number, text, boolean, null, an entity, a list of entities, or `Missing`. */
  value(): unknown;
  /** The parts with their current values, as a failure shows them. */
  parts(): readonly Part[];
  /** The entities that the expression names, for the picture and the changes of a failure. */
  namedEntities(): readonly Entity[];
}

/** Parses and binds an expression. Throws `ExpressionError` for a syntax error or an unknown name. */
export function bindExpression(text: string, source: ExpressionSource): BoundExpression {
  const binder = new Binder(text, source);
  const node = parseExpression(text);
  const evaluate = binder.bind(node, false);
  const parts = binder.leaves(node).map((leaf) => ({
    text: binder.textOf(leaf),
    evaluate: binder.bind(leaf, false),
    members: leaf.kind === 'every' ? binder.decidingMembers(leaf) : () => [],
  }));
  return {
    text,
    holds: () => truthOf(evaluate(undefined)) === true,
    answer: () => truthOf(evaluate(undefined)),
    value: () => plainValue(evaluate(undefined)),
    parts: () =>
      parts.map(({ text, evaluate, members }) => ({
        text,
        value: plainValue(evaluate(undefined)),
        members: members(),
      })),
    namedEntities() {
      const named = new Set(binder.named.map((name) => source.entityNamed(name)));
      return [...named].flatMap((each) => (each?.exists === true ? [each.entity] : []));
    },
  };
}

const membersShown = 5;

/** `timeLeft is 12`: one line per part, and below a group the members that decide. */
export function partLines(source: ExpressionSource, bound: BoundExpression): string[] {
  const lines = bound.parts().flatMap(({ text, value, members }) => {
    const shown = members.slice(0, membersShown).map((each) => `  ${each}`);
    if (members.length > shown.length) shown.push(`  and ${members.length - shown.length} more`);
    return [`${text} is ${answerText(source, value)}`, ...shown];
  });
  return [...new Set(lines)];
}

import type { AnyHandle, Entity, Simulation } from '../../engine/index.ts';
import { Binder, plainValue } from './binder.ts';
import { numberOf, truthOf } from './comparison.ts';
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
  /**
   * Whether the expression is true now. False if a value is missing, because an entity does not exist yet or any more.
   */
  holds(): boolean;
  /** Whether the expression is true now, or `Missing` if it refers to something that does not exist. */
  answer(): boolean | Missing;
  /** The current value: a number, string, boolean, null, an entity, a list of entities, or `Missing`. */
  value(): unknown;
  /** The current value as a number; undefined if it is not one. */
  number(): number | undefined;
  /** The parts with their current values, to explain a failure. */
  parts(): readonly Part[];
  /** The entities that the expression names, so that a failure can show a picture of them and their changes. */
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
    number: () => measured(evaluate(undefined), text),
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

/** Evaluates an expression for a player; undefined if something is missing or the value is not a number. */
export type Measure = (sim: Simulation, player: Entity) => number | undefined;

/**
 * Binds an expression for any simulation of the game. Names refer to the members of the player first. Throws
 * `ExpressionError`.
 */
export function bindMeasure(text: string, sourceOf: (playing: () => Simulation) => ExpressionSource): Measure {
  let playing: Simulation;
  const evaluate = new Binder(
    text,
    sourceOf(() => playing),
  ).bind(parseExpression(text), true);
  return (sim, player) => {
    playing = sim;
    return measured(evaluate(sim.handle(player) as AnyHandle), text);
  };
}

function measured(value: unknown, text: string) {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = numberOf(value, text);
  return typeof number === 'number' ? number : undefined;
}

const membersShown = 5;

/** One line per part, such as `timeLeft is 12`; for a group, followed by the members that decide the answer. */
export function partLines(source: ExpressionSource, bound: BoundExpression): string[] {
  const lines = bound.parts().flatMap(({ text, value, members }) => {
    const shown = members.slice(0, membersShown).map((each) => `  ${each}`);
    if (members.length > shown.length) shown.push(`  and ${members.length - shown.length} more`);
    return [`${text} is ${answerText(source, value)}`, ...shown];
  });
  return [...new Set(lines)];
}

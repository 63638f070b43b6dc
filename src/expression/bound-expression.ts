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
  /** Also false if something is missing, not yet or no longer there. */
  holds(): boolean;
  /** `Missing` if it refers to something that does not exist. */
  answer(): boolean | Missing;
  /** Whether it counts events from the start of the game, which a fork does not know. */
  readonly countsEvents: boolean;
  /** A number, text, boolean, null, an entity, a list of entities, or `Missing`. */
  value(): unknown;
  /** Its value as a number; undefined if it has none. */
  number(): number | undefined;
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
    countsEvents: binder.countsEvents,
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

/** The number that an expression gives for a player; undefined if something is missing or it is no number. */
export type Measure = (sim: Simulation, player: Entity) => number | undefined;

/**
 * Binds an expression in which names refer to the members of a player first, in any simulation of the game. Throws
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

function measured(value: unknown, text: string): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = numberOf(value, text);
  return typeof number === 'number' ? number : undefined;
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

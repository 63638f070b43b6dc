import { cached, isSameJson } from '../../engine/core/index.ts';
import { type Action, type Block, type Condition, literalText, type Node, type Operand } from '../../engine/index.ts';
import { type Effect, toNumber } from '../../engine/tools.ts';
import { isOperator, mirrored as mirroredOperators, readOf } from '../model/index.ts';
import { nodesThatRun } from './walk.ts';

/** Whether an action ends the list that contains it. */
export function leaves(action: Action): boolean {
  return action.effects.some(({ does }) => does === 'leaves');
}

/** The action directly before an action in the same list; undefined for the first one. */
export function previous(action: Action): Action | undefined {
  const { actions } = action.parent as Block;
  return actions[actions.indexOf(action) - 1];
}

export function numberOf(operand: Operand | undefined): number | undefined {
  return operand?.kind === 'literal' ? toNumber(operand.json) : undefined;
}

/** Both sides of a well-formed comparison; undefined for junctions and malformed conditions. */
export function sidesOf(node: Condition): readonly [Operand, Operand] | undefined {
  return node.isJunction || !node.isList || node.sideCount !== 2 ? undefined : node.sides;
}

/** The sides of a well-formed comparison in both orders; empty for junctions and malformed conditions. */
export function bothWays(node: Condition): readonly (readonly [Operand, Operand])[] {
  const sides = sidesOf(node);
  return sides === undefined ? [] : [sides, [sides[1], sides[0]]];
}

/** The operator for the same comparison with its sides swapped. Any other operator is returned unchanged. */
export function mirrored(operator: string | undefined): string | undefined {
  return isOperator(operator) ? mirroredOperators[operator] : operator;
}

/** The value of a string literal; undefined for "" and for any other operand. */
export function wordOf(operand: Operand): string | undefined {
  return literalText(operand) || undefined;
}

/** The calculation that an operand consists of; undefined if there is none. */
export function calculationIn(operand: Operand): Extract<Node, { readonly kind: 'calculation' }> | undefined {
  if (operand.kind === 'calculation') return operand;
  return operand.kind === 'call' ? operand.operands.find((each) => each.kind === 'calculation') : undefined;
}

/** Whether two operands have the same JSON. */
export function areSame(a: Operand, b: Operand): boolean {
  return isSameJson(a.json, b.json);
}

/** Whether an operand reads what an effect of an action replaces: the same variable or attribute of the same entity. */
export function isReadOf(operand: Operand, action: Action, effect: Effect): boolean {
  if (effect.does !== 'changes' || effect.key === undefined || effect.by !== undefined) return false;
  const read = readOf(operand, effect.aspect);
  if (operand.kind !== 'call' || read?.key === undefined) return false;
  if (!areSame(action.operand(effect.key), operand.operand(read.key))) return false;
  if (effect.of === undefined || read.of === undefined) return effect.of === read.of;
  return areSame(action.operand(effect.of), operand.operand(read.of));
}

/** How messages name a thing. */
export function titleOf({ name, key }: { readonly name?: string; readonly key: string }): string {
  return `"${name || key}"`;
}

/** Whether the value of a call is drawn at random. */
export function draws(node: Node): boolean {
  return node.kind === 'call' && readOf(node, 'chance') !== undefined;
}

/** Whether the value of an operand, or of a part of it, is drawn at random. */
export function isRandom(node: Node): boolean {
  return [...nodesThatRun(node)].some(draws);
}

/** The list at a key of a map. Adds an empty list if there is none. */
export function listIn<K, T>(map: Map<K, T[]>, key: K): T[] {
  return cached(map, key, () => []);
}

import type { Call, Condition, Node, Operand } from '../../engine/index.ts';
import { literalText } from '../../engine/index.ts';
import { assignmentsBy, readOf, variableReadBy } from '../model/index.ts';
import type { GameContext } from './context.ts';
import { mirrored, numberOf, sidesOf } from './nodes.ts';
import { countedRanges } from './ranges.ts';

/** A comparison that always has the same result. */
interface Constant {
  readonly at: Node;
  readonly message: string;
  readonly details: { readonly expected?: string; readonly found: string | number; readonly suggestion?: string };
}

/** The values that an operand can have, and what messages call it. */
interface Range {
  readonly what: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** Says of a comparison that it always has the same result, by the ranges of numbers and the case of texts. */
export function constantsOf({ actions, types, bounds, once }: GameContext): (node: Condition) => Constant | undefined {
  /** The function that gives all values of a variable their case, if scripts set it to nothing else. */
  const cases = new Map<string, Call | undefined>();
  for (const node of actions) {
    const [{ name = '', value, by } = {}] = assignmentsBy(node);
    if (value === undefined || by !== undefined) continue;
    const call = caseBy(value);
    cases.set(name, !cases.has(name) || cases.get(name)?.operation === call?.operation ? call : undefined);
  }
  const counted = once(countedRanges);
  return (node) => {
    const { operator } = node;
    const sides = sidesOf(node);
    if (operator === undefined || sides === undefined) return undefined;
    const [left, right] = sides;
    return (
      outOfBounds(node, left, operator, right) ??
      outOfBounds(node, right, mirrored(operator)!, left) ??
      otherCase(left, right) ??
      otherCase(right, left)
    );
  };

  /** A text in mixed case that is compared with one that is all in lower or all in upper case. */
  function otherCase(side: Operand, at: Operand): Constant | undefined {
    const found = literalText(at);
    const call = caseBy(side) ?? cases.get(variableReadBy(side) ?? '');
    if (found === undefined || call === undefined) return undefined;
    const letters = call.rule!.letters!;
    const suggestion = letters === 'lower' ? found.toLowerCase() : found.toUpperCase();
    if (suggestion === found) return undefined;
    const message = `\`${call.operation}\` never gives "${found}", which is not all in ${letters} case.`;
    return { at, message, details: { found, suggestion } };
  }

  function rangeOf(side: Operand): Range | undefined {
    if (side.kind !== 'literal' && types.basicTypeOf(side) === 'boolean') return { what: 'a boolean', min: 0, max: 1 };
    if (side.kind !== 'call') return undefined;
    const { from, to } = readOf(side, 'chance') ?? {};
    if (from !== undefined && to !== undefined) {
      const [min, max] = [numberOf(side.operand(from)), numberOf(side.operand(to))];
      return min === undefined || max === undefined ? undefined : { what: 'this random number', min, max };
    }
    const { key: parameter } = readOf(side, 'attribute') ?? {};
    const key = parameter === undefined ? variableReadBy(side) : literalText(side.operand(parameter));
    if (key === undefined) return undefined;
    const found = parameter === undefined ? counted.get(key) : bounds.anywhere(key);
    return found && { what: `"${key}"`, ...found };
  }

  /** A comparison of an attribute, a random number or a boolean with a number outside its range. */
  function outOfBounds(at: Condition, side: Operand, operator: string, other: Operand): Constant | undefined {
    const number = typeof other.json === 'boolean' ? undefined : numberOf(other);
    const range = number === undefined ? undefined : rangeOf(side);
    if (number === undefined || range === undefined) return undefined;
    const { what, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range;
    const isBelow = number < min || (operator === '<' && number === min);
    const isAbove = number > max || (operator === '>' && number === max);
    const isNever =
      (isBelow && (operator === '<' || operator === '<=' || operator === '==')) ||
      (isAbove && (operator === '>' || operator === '>=' || operator === '=='));
    if (!isNever) return undefined;
    const atLeast = max === Number.POSITIVE_INFINITY ? `${min} or more` : `${min} to ${max}`;
    const expected = min === Number.NEGATIVE_INFINITY ? `${max} or less` : atLeast;
    const limit = isBelow ? `never below ${min}` : `never above ${max}`;
    const message = `This condition is always false: ${what} is ${limit}.`;
    return { at, message, details: { expected, found: number } };
  }
}

/** A call whose texts are all in one case. */
function caseBy(operand: Operand): Call | undefined {
  return operand.kind === 'call' && operand.rule?.letters !== undefined ? operand : undefined;
}

import { type AnyHandle, EntityHandle } from '../../engine/index.ts';
import { Missing } from './missing.ts';
import type { Arithmetic, Comparison } from './node.ts';
import { TypeName } from './type-name.ts';

/*
 * How values are compared and converted, wherever expressions are used:
 * - A number and a string that spells one are compared as numbers, because games keep numbers in strings. Values of
 *   different kinds are never equal and have no order.
 * - `nothing` equals only itself. Comparing its order (`<`, `>=` …) gives a missing value.
 * - If one side of a comparison or calculation is missing (see `Missing`), its result is missing. The result of `and`,
 *   `or` and `not` is missing, too, unless the other parts decide it. An expression whose value is missing is not true.
 *   Only `== nothing` and `!= nothing` test for a missing value.
 * - As a condition, a number is true unless it is 0 or NaN. A string, a group or a list is true unless it is empty.
 *   Entities are true, `nothing` is false.
 */

/** Compares two values. Strings, entities and types match by any of their names. `named` finds an entity by name. */
export function compareValues(
  named: (name: string) => AnyHandle | undefined,
  operator: Comparison,
  left: unknown,
  right: unknown,
): boolean {
  if (left instanceof TypeName || right instanceof TypeName) {
    return equality(operator, left instanceof TypeName ? left.is(right) : (right as TypeName).is(left));
  }
  if (left instanceof EntityHandle && right instanceof EntityHandle) return equality(operator, left === right);
  if (left instanceof EntityHandle || right instanceof EntityHandle) {
    const [entity, other] = left instanceof EntityHandle ? [left, right] : [right as EntityHandle, left];
    return equality(operator, typeof other === 'string' && (other === entity.id || named(other) === entity));
  }
  return comparePlain(operator, sized(left), sized(right));
}

/** The result of comparing values that have no order; `equal` tells whether they are equal. */
function equality(operator: Comparison, equal: boolean) {
  return operator === '==' ? equal : operator === '!=' && !equal;
}

/** Replaces a group or list by its size, by which it is compared. */
function sized(value: unknown) {
  return Array.isArray(value) ? value.length : value;
}

/** Compares numbers, strings, booleans and nothing. */
export function comparePlain(operator: Comparison, left: unknown, right: unknown): boolean {
  let a = left ?? null;
  let b = right ?? null;
  if (typeof a === 'number' && typeof b === 'string') b = numberIn(b);
  else if (typeof b === 'number' && typeof a === 'string') a = numberIn(a);
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  const ordered = (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string');
  if (!ordered) return false;
  const x = a as number;
  const y = b as number;
  switch (operator) {
    case '<':
      return x < y;
    case '<=':
      return x <= y;
    case '>':
      return x > y;
    case '>=':
      return x >= y;
  }
}

function numberIn(text: string) {
  const number = text.trim() === '' ? NaN : Number(text);
  return Number.isNaN(number) ? text : number;
}

/**
 * Why a comparison has no result: an operand is missing, or is `nothing` although the order is compared. Undefined if
 * both operands can be compared.
 */
export function missingOf(
  operator: Comparison,
  left: unknown,
  right: unknown,
  [leftText, rightText]: readonly [string, string],
): Missing | undefined {
  if (left instanceof Missing) return left;
  if (right instanceof Missing) return right;
  if (operator === '==' || operator === '!=') return undefined;
  if (left === undefined || left === null) return new Missing(`${leftText} is nothing`);
  return right === undefined || right === null ? new Missing(`${rightText} is nothing`) : undefined;
}

/** The numeric value for a calculation. `text` is the name of the value in the message if the value is not a number. */
export function numberOf(value: unknown, text: string): number | Missing {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'number' || value instanceof Missing) return value;
  const found = typeof value === 'string' ? numberIn(value) : undefined;
  if (typeof found === 'number') return found;
  return new Missing(value === undefined || value === null ? `${text} is nothing` : `${text} is not a number`);
}

export function calculate(operator: Arithmetic, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
  }
}

export function truthOf(value: unknown): boolean | Missing {
  if (value instanceof Missing) return value;
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/**
 * Combines the answers of the parts of `or` (`decisive` is true) or of `and` (`decisive` is false). The first decisive
 * part gives the result; without one, a missing part makes the result missing.
 */
export function decide(answers: Iterable<boolean | Missing>, decisive: boolean): boolean | Missing {
  let missing: Missing | undefined;
  for (const answer of answers) {
    if (answer === decisive) return decisive;
    if (answer instanceof Missing && (missing === undefined || missing.isEmpty)) missing = answer;
  }
  return missing ?? !decisive;
}

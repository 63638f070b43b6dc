import type { Evaluate, ScriptContext } from './context.ts';

/**
 * Comparisons for the shapes that nearly all conditions have: two numbers, or anything with a literal. Each is a closure of its own, because a shared
 * one that calls an operator would never be compiled to the operator. Values without the shape take the general way at run time, so that the result
 * is that of `Compare` for all values (test/script/comparison-shapes.test.ts).
 */

export type Test = Evaluate<boolean>;
/** With a context, going through long values is counted as work of its tick. */
export type Compare = (left: unknown, right: unknown, context?: ScriptContext) => boolean;
export type Equality = 'typed' | 'reference';

type Operand = Evaluate<unknown>;

/** `left operator right`; `compare` is what it means in full. */
export function comparisonOf(
  operator: string,
  left: Operand,
  right: Operand,
  compare: Compare,
  numbersAreExact: boolean,
): Test {
  switch (operator) {
    case '<':
      return (context) => {
        const a = left(context);
        const b = right(context);
        return typeof a === 'number' && typeof b === 'number' ? a < b : compare(a, b, context);
      };
    case '>':
      return (context) => {
        const a = left(context);
        const b = right(context);
        return typeof a === 'number' && typeof b === 'number' ? a > b : compare(a, b, context);
      };
    case '<=':
      return (context) => {
        const a = left(context);
        const b = right(context);
        return typeof a === 'number' && typeof b === 'number' ? a <= b : compare(a, b, context);
      };
    case '>=':
      return (context) => {
        const a = left(context);
        const b = right(context);
        return typeof a === 'number' && typeof b === 'number' ? a >= b : compare(a, b, context);
      };
    case '==':
      if (!numbersAreExact) break;
      return (context) => {
        const a = left(context);
        const b = right(context);
        return typeof a === 'number' && typeof b === 'number' ? a === b : compare(a, b, context);
      };
    case '!=':
      if (!numbersAreExact) break;
      return (context) => {
        const a = left(context);
        const b = right(context);
        return typeof a === 'number' && typeof b === 'number' ? a !== b : compare(a, b, context);
      };
  }
  return (context: ScriptContext) => compare(left(context), right(context), context);
}

/** `==` and `!=` with a literal text, true or false, where identity decides between two of its kind. */
export function equalityWithLiteral(
  operator: '==' | '!=',
  left: Operand,
  right: string | boolean,
  compare: Compare,
): Test {
  const kind = typeof right;
  if (operator === '==') {
    return (context) => {
      const a = left(context);
      return a === right || (typeof a !== kind && compare(a, right, context));
    };
  }
  return (context) => {
    const a = left(context);
    return a !== right && (typeof a === kind || compare(a, right, context));
  };
}

/**
 * Whether two values of one primitive kind are equal exactly when they are identical. That holds for numbers with their own operand type (others
 * treat NaN in ways of their own) and for texts that are not converted. In the reference all infinite numbers are alike to `==`.
 */
export function identityDecides(
  kind: 'number' | 'string' | 'boolean',
  operator: string,
  operandType: string,
  equality: Equality,
): boolean {
  if (equality === 'reference') return kind !== 'number' || operator === '!=';
  switch (kind) {
    case 'number':
      return operandType === 'number';
    case 'string':
      return operandType !== 'number' && operandType !== 'boolean';
    case 'boolean':
      return operandType !== 'number';
  }
}

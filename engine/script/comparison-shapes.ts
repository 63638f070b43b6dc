import type { ScriptContext } from './context.ts';
import { constantSource, Source } from './source.ts';

/**
 * Comparisons for the shapes that nearly all conditions have: two numbers, or anything with a literal. Each is a closure of its own, because a shared
 * one that calls an operator would never be compiled to the operator. Values without the shape take the general way at run time, so that the result
 * is that of `Compare` for all values (test/script/comparison-shapes.test.ts).
 */

export type Test = Source<boolean>;
/** With a context, going through long values is counted as work of its tick. */
export type Compare = (left: unknown, right: unknown, context?: ScriptContext) => boolean;
type Equality = 'typed' | 'reference';

type Run = (source: Source, context: ScriptContext) => boolean;

const shapes: Readonly<Record<string, Run>> = {
  '<': ({ left, right, value }, context) => {
    const a = left.run(left, context);
    const b = right.run(right, context);
    return typeof a === 'number' && typeof b === 'number' ? a < b : (value as Compare)(a, b, context);
  },
  '>': ({ left, right, value }, context) => {
    const a = left.run(left, context);
    const b = right.run(right, context);
    return typeof a === 'number' && typeof b === 'number' ? a > b : (value as Compare)(a, b, context);
  },
  '<=': ({ left, right, value }, context) => {
    const a = left.run(left, context);
    const b = right.run(right, context);
    return typeof a === 'number' && typeof b === 'number' ? a <= b : (value as Compare)(a, b, context);
  },
  '>=': ({ left, right, value }, context) => {
    const a = left.run(left, context);
    const b = right.run(right, context);
    return typeof a === 'number' && typeof b === 'number' ? a >= b : (value as Compare)(a, b, context);
  },
  '==': ({ left, right, value }, context) => {
    const a = left.run(left, context);
    const b = right.run(right, context);
    return typeof a === 'number' && typeof b === 'number' ? a === b : (value as Compare)(a, b, context);
  },
  '!=': ({ left, right, value }, context) => {
    const a = left.run(left, context);
    const b = right.run(right, context);
    return typeof a === 'number' && typeof b === 'number' ? a !== b : (value as Compare)(a, b, context);
  },
};

const inFull: Run = ({ left, right, value }, context) =>
  (value as Compare)(left.run(left, context), right.run(right, context), context);

/** `left operator right`; `compare` is what it means in full. */
export function comparisonOf(
  operator: string,
  left: Source,
  right: Source,
  compare: Compare,
  numbersAreExact: boolean,
): Source<boolean> {
  const isEquality = operator === '==' || operator === '!=';
  if (isEquality && !numbersAreExact) return comparisonInFull(left, right, compare);
  return new Source(shapes[operator]!, compare, 0, left, right);
}

export function comparisonInFull(left: Source, right: Source, compare: Compare): Source<boolean> {
  return new Source(inFull, compare, 0, left, right);
}

/** `==` and `!=` with a literal text, true or false, where identity decides between two of its kind. */
export function equalityWithLiteral(
  operator: '==' | '!=',
  left: Source,
  right: string | boolean,
  compare: Compare,
): Source<boolean> {
  return new Source(operator === '==' ? equals : differs, compare, 0, left, constantSource(right));
}

const equals: Run = ({ left, right: { value: b }, value }, context) => {
  const a = left.run(left, context);
  return a === b || (typeof a !== typeof b && (value as Compare)(a, b, context));
};

const differs: Run = ({ left, right: { value: b }, value }, context) => {
  const a = left.run(left, context);
  return a !== b && (typeof a === typeof b || (value as Compare)(a, b, context));
};

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

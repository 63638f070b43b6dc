import type { ScriptContext } from '../running/context.ts';
import { constantSource, Source } from './source.ts';

/**
 * Fast paths for the comparisons that nearly all conditions use: two numbers, or any value with a literal. Each
 * operator has its own closure, because V8 would not inline the operator into a shared one. Values of other types fall
 * back to `Compare` at run time, so the result always equals that of `Compare` (test/script/comparison-shapes.test.ts).
 */

export type Test = Source<boolean>;
/** If there is a context, the cost of comparing long values is charged to the work of its tick. */
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

/** Compiles `left operator right`; `compare` is the fallback that handles all values. */
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

/**
 * Compiles `==` and `!=` with a literal text or boolean, for operand types with which values of the literal's type are
 * compared by identity.
 */
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
 * Whether two values of one primitive type are equal exactly when they are identical. This holds for numbers compared
 * as numbers (other operand types treat NaN differently) and for texts that are not converted. In the reference, `==`
 * treats all infinities as equal.
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

import type { Calculation, Operand } from '../ast.ts';
import { OperandFault, type ScriptContext } from '../running/context.ts';
import type { Compilation } from './compilation.ts';
import { constantSource, Source, sourceOf } from './source.ts';

/**
 * `calculate`: a tree of `[operator, left, right]`. The operator is `{operator}` or a plain string; each side is an
 * operand or another such list (reference: conditions#calculate). Constant parts are folded at load.
 *
 * A result that is NaN, such as 0/0, is a fault, and the value is undefined.
 */

interface Term<T = unknown> {
  /**
   * The compiled form of the operand. For a nested calculation, it yields a number; for any other operand, it yields an
   * arbitrary value, which `sideOf` converts.
   */
  readonly source: Source<T>;
  /** The value if it is known at load; undefined if it must be computed at run time. */
  readonly constant: number | undefined;
}

const operators = ['+', '-', '*', '/', '%'] as const;
type Operator = (typeof operators)[number];

function operatorOf(node: Calculation): Operator | undefined {
  return operators.find((operator) => operator === node.operator);
}

function apply(operator: Operator, a: number, b: number) {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
  }
}

/** Compiles a calculation or one of its sub-trees. */
export function compileTree(compiler: Compilation, node: Calculation): Term<number | undefined> {
  const operator = operatorOf(node);
  if (operator === undefined) {
    const found = JSON.stringify(node.json[0])?.slice(0, 80) ?? 'nothing';
    const details = { expected: operators.join(' '), found };
    compiler.issue('wrong-parameter', node, 'calculate has an unknown operator.', details, 0);
  }
  if (node.json.length > 3) {
    const details = { expected: 'an operator and two operands', found: `${node.json.length - 1} operands` };
    compiler.issue('wrong-parameter', node, 'calculate ignores everything after its second operand.', details, 3);
  }
  const [leftSide, rightSide] = node.sides;
  const left = compileSide(compiler, leftSide);
  const right = compileSide(compiler, rightSide);
  if (operator === undefined) {
    const message = 'calculate has an unknown operator.';
    return {
      constant: undefined,
      source: new Source(neither, message, 0, left.source, right.source),
    };
  }
  if (left.constant !== undefined && right.constant !== undefined) {
    const result = apply(operator, left.constant, right.constant);
    if (!Number.isNaN(result)) return known(result);
  }
  const how: Calculated = { operator, gaveNone: `calculate: the result of \`${operator}\` is not a number.` };
  return { constant: undefined, source: new Source(calculated, how, 0, left.source, right.source) };
}

type Computation = (source: Source, context: ScriptContext) => number | undefined;

const neither: Computation = ({ left, right, value }, context) => {
  sideOf(left.run(left, context));
  sideOf(right.run(right, context));
  context.world.fault('not-a-number', value as string);
  return undefined;
};

/** A calculation with its two sides, and the fault to record if its result is not a number. */
interface Calculated {
  readonly operator: Operator;
  readonly gaveNone: string;
}

/** The left side is converted before the right one is evaluated. */
const calculated: Computation = ({ left, right, value }, context) => {
  const { operator, gaveNone } = value as Calculated;
  const a = sideOf(left.run(left, context));
  const result = apply(operator, a, sideOf(right.run(right, context)));
  if (!Number.isNaN(result)) return result;
  context.world.fault('not-a-number', gaveNone);
  return undefined;
};

function known(constant: number): Term<number> {
  return { constant, source: constantSource(constant) };
}

function compileSide(compiler: Compilation, node: Operand): Term {
  if (node.kind === 'calculation') return compileTree(compiler, node);
  if (node.kind === 'literal') {
    const { json } = node;
    const constant = typeof json === 'string' ? Number.parseFloat(json) : json;
    if (typeof constant === 'number' && !Number.isNaN(constant)) return known(constant);
    const found = JSON.stringify(json).slice(0, 80);
    compiler.issue('wrong-parameter', node, 'This operand of calculate is not a number.', {
      expected: 'a number',
      found,
    });
  } else if (node.kind === 'nothing' && !node.isNull) {
    compiler.issue('missing-parameter', node, 'calculate needs two operands.', { expected: 'a number' });
  }
  return { constant: undefined, source: sourceOf(compiler.value(node)) };
}

/**
 * Converts a side of a calculation to a number; a string yields its leading number. "" and false abort the action, as
 * in the reference.
 */
function sideOf(side: unknown) {
  if (typeof side === 'number') return side;
  if (typeof side === 'string' && side !== '') return Number.parseFloat(side);
  if (side === '' || side === false) {
    throw new OperandFault('not-a-number', `calculate cannot convert ${JSON.stringify(side)} to a number.`);
  }
  return NaN;
}

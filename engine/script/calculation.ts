import type { Calculation, Operand } from './ast.ts';
import type { Compilation } from './compilation.ts';
import { type Evaluate, OperandFault, type ScriptContext } from './context.ts';

/**
 * `calculate`: a tree of `[operator, left, right]`. The operator is `{operator}` or a bare text; a side is any operand or another such list
 * (reference: conditions#calculate). The tree becomes one closure per operation; what is known at load is computed at load.
 *
 * A calculation that gives no number, as 0/0, is a fault and has no value.
 */

type Compute = Evaluate<number | undefined>;

interface Term<T = unknown> {
  /** A calculation gives a number, any other operand what it gives: `sideOf` reads it. */
  readonly compute: Evaluate<T>;
  /** Known at load; undefined where it must be computed. */
  readonly constant: number | undefined;
}

const operators = ['+', '-', '*', '/', '%'] as const;
type Operator = (typeof operators)[number];

function operatorOf(node: Calculation): Operator | undefined {
  return operators.find((operator) => operator === node.operator);
}

function apply(operator: Operator, a: number, b: number): number {
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

/** The tree of a call, or of a part of one. A constant number is marked as such. */
export function compileTree(compiler: Compilation, node: Calculation): Term<number | undefined> {
  const operator = operatorOf(node);
  if (operator === undefined) {
    const found = JSON.stringify(node.json[0])?.slice(0, 80) ?? 'nothing';
    const details = { expected: operators.join(' '), found };
    compiler.issue('wrong-parameter', node, 'calculate has no such operator.', details, 0);
  }
  const [leftSide, rightSide] = node.sides;
  const left = compileSide(compiler, leftSide);
  const right = compileSide(compiler, rightSide);
  if (operator === undefined) {
    const message = 'calculate has an operator that does not exist.';
    return {
      constant: undefined,
      compute: (context) => {
        sideOf(left.compute(context));
        sideOf(right.compute(context));
        context.world.fault('not-a-number', message);
        return undefined;
      },
    };
  }
  if (left.constant !== undefined && right.constant !== undefined) {
    const result = apply(operator, left.constant, right.constant);
    if (!Number.isNaN(result)) return known(result);
  }
  return { constant: undefined, compute: binary(operator, left, right) };
}

/**
 * One shape per operator, and one more for a constant on the right, so that each stays a few machine operations. The left operand is read before the
 * right one is evaluated.
 */
function binary(operator: Operator, left: Term, right: Term): Compute {
  const message = `calculate: \`${operator}\` gave no number.`;
  const first = left.compute;
  const second = right.compute;
  const b = right.constant;
  if (b !== undefined) {
    switch (operator) {
      case '+':
        return (context) => checked(context, sideOf(first(context)) + b, message);
      case '-':
        return (context) => checked(context, sideOf(first(context)) - b, message);
      case '*':
        return (context) => checked(context, sideOf(first(context)) * b, message);
      case '/':
        return (context) => checked(context, sideOf(first(context)) / b, message);
      case '%':
        return (context) => checked(context, sideOf(first(context)) % b, message);
    }
  }
  switch (operator) {
    case '+':
      return (context) => {
        const a = sideOf(first(context));
        return checked(context, a + sideOf(second(context)), message);
      };
    case '-':
      return (context) => {
        const a = sideOf(first(context));
        return checked(context, a - sideOf(second(context)), message);
      };
    case '*':
      return (context) => {
        const a = sideOf(first(context));
        return checked(context, a * sideOf(second(context)), message);
      };
    case '/':
      return (context) => {
        const a = sideOf(first(context));
        return checked(context, a / sideOf(second(context)), message);
      };
    case '%':
      return (context) => {
        const a = sideOf(first(context));
        return checked(context, a % sideOf(second(context)), message);
      };
  }
}

function checked(context: ScriptContext, result: number, message: string): number | undefined {
  if (!Number.isNaN(result)) return result;
  context.world.fault('not-a-number', message);
  return undefined;
}

function known(constant: number): Term<number> {
  return { constant, compute: () => constant };
}

function compileSide(compiler: Compilation, node: Operand): Term {
  if (node.kind === 'calculation') return compileTree(compiler, node);
  if (node.kind === 'literal') {
    const { json } = node;
    const constant = typeof json === 'string' ? Number.parseFloat(json) : json;
    if (typeof constant === 'number' && !Number.isNaN(constant)) return known(constant);
    const found = JSON.stringify(json).slice(0, 80);
    compiler.issue('wrong-parameter', node, 'This side of calculate is no number.', { expected: 'a number', found });
  } else if (node.kind === 'nothing' && !node.isNull) {
    compiler.issue('missing-parameter', node, 'calculate needs two sides.', { expected: 'a number' });
  }
  return { constant: undefined, compute: compiler.value(node) };
}

/** The leading number of a text; "" and false abort the action, as they do in the reference. */
function sideOf(side: unknown): number {
  if (typeof side === 'number') return side;
  if (typeof side === 'string' && side !== '') return Number.parseFloat(side);
  if (side === '' || side === false) {
    throw new OperandFault('not-a-number', `calculate cannot go on with ${JSON.stringify(side)}.`);
  }
  return Number.NaN;
}

import type { Compiler } from '../compiler.ts';
import { calculated, calculationOf } from '../constant.ts';
import { type Evaluate, OperandFault, type ScriptContext } from '../context.ts';
import { family, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { isRecord } from '../values.ts';

/**
 * `calculate`: a tree of `[operator, left, right]`, where the operator is `{operator}` or a bare text and a side is any operand or another
 * such list (reference: conditions#calculate). The tree becomes one closure per operation; what is known at load is computed at load.
 *
 * Inside the tree NaN stands for "no number": no calculation gives it otherwise, because 0/0 counts as an error too.
 */

type Compute = Evaluate<number>;

interface Term {
  /** A calculation gives a number, any other operand what it gives: `sideOf` reads it. */
  readonly compute: Evaluate<unknown>;
  /** Known at load; undefined where it must be computed. */
  readonly constant: number | undefined;
}

const operators = ['+', '-', '*', '/', '%'] as const;
type Operator = (typeof operators)[number];

function operatorOf(head: unknown): Operator | undefined {
  const name = isRecord(head) ? head['operator'] : head;
  return operators.find((operator) => operator === name);
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

function compileTree(compiler: Compiler, list: readonly unknown[]): Term {
  const operator = operatorOf(list[0]);
  if (operator === undefined) {
    const found = JSON.stringify(list[0])?.slice(0, 80) ?? 'nothing';
    compiler.at(0, () =>
      compiler.issue('wrong-parameter', 'calculate has no such operator.', { expected: operators.join(' '), found }),
    );
  }
  const left = compiler.at(1, () => compileSide(compiler, list[1]));
  const right = compiler.at(2, () => compileSide(compiler, list[2]));
  if (operator === undefined) {
    const message = 'calculate has an operator that does not exist.';
    return {
      constant: undefined,
      compute: (context) => {
        sideOf(left.compute(context));
        sideOf(right.compute(context));
        context.fault('not-a-number', message);
        return Number.NaN;
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
 * One shape per operator, and one more for a constant on the right, so that each stays a few machine operations. Operands come as they are:
 * a number is used at once, anything else is read by `sideOf`, the left one before the right one is asked for.
 */
function binary(operator: Operator, left: Term, right: Term): Compute {
  const message = `calculate: \`${operator}\` gave no number.`;
  const first = left.compute;
  const b = right.constant;
  if (b !== undefined) {
    switch (operator) {
      case '+':
        return (context) => {
          const a = first(context);
          return checked(context, (typeof a === 'number' ? a : sideOf(a)) + b, message);
        };
      case '-':
        return (context) => {
          const a = first(context);
          return checked(context, (typeof a === 'number' ? a : sideOf(a)) - b, message);
        };
      case '*':
        return (context) => {
          const a = first(context);
          return checked(context, (typeof a === 'number' ? a : sideOf(a)) * b, message);
        };
      case '/':
        return (context) => {
          const a = first(context);
          return checked(context, (typeof a === 'number' ? a : sideOf(a)) / b, message);
        };
      case '%':
        return (context) => {
          const a = first(context);
          return checked(context, (typeof a === 'number' ? a : sideOf(a)) % b, message);
        };
    }
  }
  const second = right.compute;
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

function checked(context: ScriptContext, result: number, message: string): number {
  if (Number.isNaN(result)) context.fault('not-a-number', message);
  return result;
}

function known(constant: number): Term {
  return { constant, compute: () => constant };
}

function compileSide(compiler: Compiler, node: unknown): Term {
  if (typeof node === 'number') return known(node);
  if (Array.isArray(node)) return compileTree(compiler, node);
  if (typeof node === 'string') {
    const constant = Number.parseFloat(node);
    if (!Number.isNaN(constant)) return known(constant);
  }
  if (node === undefined) {
    compiler.issue('missing-parameter', 'calculate needs two sides.', { expected: 'a number' });
  } else if (typeof node === 'string' || typeof node === 'boolean') {
    const found = JSON.stringify(node).slice(0, 80);
    compiler.issue('wrong-parameter', 'This side of calculate is no number.', { expected: 'a number', found });
  }
  const evaluate = compiler.value(node);
  return { constant: undefined, compute: calculationOf(evaluate) ?? evaluate };
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

/** The whole of `items`; a value that is no list is read as one number. */
const tree: P.ParamKind<number | undefined> = {
  ...P.any,
  name: 'calculation',
  compile: (compiler, node) => {
    if (node === null || node === undefined) return () => undefined;
    if (!Array.isArray(node)) {
      const evaluate = compiler.value(node);
      return (context) => {
        const given = evaluate(context);
        return typeof given === 'number' ? given : leading(given);
      };
    }
    if (node.length === 0) {
      compiler.issue('missing-parameter', 'calculate has nothing to calculate.', {
        expected: '[operator, left, right]',
      });
      return () => {
        throw new OperandFault('not-a-number', 'calculate has nothing to calculate.');
      };
    }
    const { compute, constant } = compileTree(compiler, node);
    if (constant !== undefined) return () => constant;
    const calculation = compute as Compute;
    return calculated((context) => {
      const result = calculation(context);
      return Number.isNaN(result) ? undefined : result;
    }, calculation);
  },
};

function leading(given: unknown): number {
  return typeof given === 'string' ? Number.parseFloat(given) : Number.NaN;
}

export const calculateValues = family<ValueRow>('math', {
  calculate: value({
    params: { items: tree, brackets: P.optional(P.raw) },
    returns: 'number',
    compile: ({ items }) => items,
  }),
});

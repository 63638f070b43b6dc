import { compileTree } from '../compiling/calculation.ts';
import { evaluateOf } from '../compiling/source.ts';
import { compiledValue, family, type ValueRow } from '../op.ts';
import { kind } from '../param-kind.ts';
import * as P from '../params.ts';
import { OperandFault } from '../running/context.ts';

/** The calculation in `items`; a value that is not a list is converted to a number. */
const tree: P.ParamKind<number | undefined> = kind(
  'calculation',
  (compiler, node) => {
    if (node.kind === 'nothing') return () => undefined;
    if (node.kind !== 'calculation') {
      const evaluate = compiler.value(node);
      return (context) => {
        const given = evaluate(context);
        return typeof given === 'number' ? given : leading(given);
      };
    }
    if (node.json.length === 0) {
      compiler.issue('missing-parameter', node, 'calculate has an empty list instead of a calculation.', {
        expected: '[operator, left, right]',
      });
      return () => {
        throw new OperandFault('not-a-number', 'calculate has an empty list instead of a calculation.');
      };
    }
    return evaluateOf(compileTree(compiler, node).source);
  },
  { syntax: 'calculation' },
);

function leading(given: unknown) {
  return typeof given === 'string' ? Number.parseFloat(given) : NaN;
}

export const calculateValues = family<ValueRow>('math', {
  calculate: compiledValue(
    'The result of a calculation `[{"operator": "+"}, left, right]`. Each operand is a number or another calculation.',
    { items: tree, brackets: P.optional(P.raw) },
    'number',
    ({ items }) => items,
  ),
});

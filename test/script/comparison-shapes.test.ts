import { describe, expect, test } from 'vitest';
import { comparisonOf, equalityWithLiteral, identityDecides } from '../../engine/script/compiling/comparison-shapes.ts';
import { comparison } from '../../engine/script/compiling/condition.ts';
import { constantSource } from '../../engine/script/compiling/source.ts';
import { newContext } from '../../engine/script/running/context.ts';
import { internalsOf } from '../../engine/tools.ts';
import { EntityRef } from '../../engine/world/entity.ts';
import { lazily } from '../support/lazily.ts';
import { Scene } from './values/harness.ts';

const unit = new EntityRef(1, 'unit', 'u1');
const player = new EntityRef(2, 'player', 'p1');
const values: unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  1,
  -1.5,
  7,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  '',
  '0',
  '1',
  '7',
  'true',
  'false',
  'zombie',
  'NaN',
  unit,
  player,
  { x: 1, y: 2 },
  { x: 1, y: 2 },
  { x: 1, y: 3 },
  [],
  [7],
  ['7'],
];
const operators = ['==', '!=', '<', '>', '<=', '>='];
const operandTypes = ['', 'number', 'string', 'boolean', 'unit', 'position'];
const equalities = ['typed', 'reference'] as const;
const context = lazily(() => newContext(internalsOf(new Scene().sim).runtime));

/** Tests every pair of values, so that each optimized form of a comparison has the result of the general one. */
describe.each(equalities)('%s equality', (equality) => {
  describe.each(operandTypes)('operands of type "%s"', (operandType) => {
    test.each(operators)('%s', (operator) => {
      const compare = comparison(operator, operandType, equality)!;
      const exact = identityDecides('number', operator, operandType, equality);
      for (const left of values) {
        for (const right of values) {
          const expected = compare(left, right);
          const said = `${String(left)} ${operator} ${String(right)}`;
          const general = comparisonOf(operator, constantSource(left), constantSource(right), compare, exact);
          expect(general.run(general, context()), said).toBe(expected);
          if (typeof right === 'number' && Number.isFinite(right)) {
            const isExact = exact || equality === 'reference';
            const shape = comparisonOf(operator, constantSource(left), constantSource(right), compare, isExact);
            expect(shape.run(shape, context()), `${said}, a literal`).toBe(expected);
          }
          const kind = typeof right;
          if ((kind !== 'string' && kind !== 'boolean') || (operator !== '==' && operator !== '!=')) continue;
          if (!identityDecides(kind, operator, operandType, equality)) continue;
          const shape = equalityWithLiteral(operator, constantSource(left), right as string | boolean, compare);
          expect(shape.run(shape, context()), `${said}, a literal`).toBe(expected);
        }
      }
    });
  });
});

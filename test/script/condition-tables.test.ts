import { describe, expect, test } from 'vitest';
import { type DialectName, dialectNamed, dialects } from '../../engine/definition/dialect.ts';
import { Condition } from '../../engine/script/ast.ts';
import { Compiler } from '../../engine/script/compiling/compiler.ts';
import { compileCondition } from '../../engine/script/compiling/condition.ts';
import { evaluateOf } from '../../engine/script/compiling/source.ts';
import { vocabulary } from '../../engine/script/language/vocabulary.ts';
import { newContext, OperandFault } from '../../engine/script/running/context.ts';
import { internalsOf } from '../../engine/tools.ts';
import { lazily } from '../support/lazily.ts';
import { computed, nothing, Scene } from './values/harness.ts';
import { settle, the, valueGameData } from './values/value-game.ts';

/** Conditions, in every form that occurs in games (reference: conditions#conditions). */

const settled = (dialect: DialectName) => {
  const scene = new Scene(valueGameData, { dialect });
  settle(scene);
  return scene;
};
const scenes = { standard: lazily(() => settled('standard')), moddio: lazily(() => settled('moddio')) };
type Name = keyof typeof scenes;

const node = (json: unknown) => new Condition(undefined, '', json, vocabulary);

/** Whether it holds; or the code of the fault if the action failed. */
function holds(condition: unknown, name: Name = 'standard'): boolean | string {
  const { sim } = scenes[name]();
  const compiler = new Compiler(sim.definition, dialectNamed(name), vocabulary);
  const check = evaluateOf(compileCondition(compiler, node(structuredClone(condition))));
  try {
    return check(newContext(internalsOf(sim).runtime));
  } catch (error) {
    if (error instanceof OperandFault) return error.code;
    throw error;
  }
}

function issues(condition: unknown): string[] {
  const compiler = new Compiler(scenes.standard().sim.definition, dialects.standard, vocabulary);
  compileCondition(compiler, node(condition));
  return compiler.issues.map(({ code }) => code);
}

const position = (x: number) => ({ function: 'xyCoordinate', x, y: 2 });
const unit = the('u1');
const other = the('u2');
const notANumber = { function: 'squareRoot', number: -1 };

/** The same operand as a literal and, if possible, as a value that is unknown at load. */
function forms(operand: unknown): unknown[] {
  const isPlain = typeof operand === 'number' || typeof operand === 'string' || typeof operand === 'boolean';
  return isPlain ? [operand, computed(operand)] : [operand];
}

/** Compares all forms of both operands; all combinations must give the same result. */
function compare(operator: string, operandType: string, left: unknown, right: unknown, name: Name): unknown {
  const results = forms(left).flatMap((a) => forms(right).map((b) => holds([{ operator, operandType }, a, b], name)));
  expect(new Set(results).size, JSON.stringify(results)).toBe(1);
  return results[0];
}

describe('equality in moddio', () => {
  // left, right, ==, != (reference: conditions#equality, conditions#inequality)
  const rows: readonly (readonly [left: unknown, right: unknown, equal: boolean, different: boolean])[] = [
    [5, 5, true, false],
    [5, '5', false, false],
    ['5', '5', true, false],
    [5, 6, false, true],
    [true, 1, false, false],
    [true, 'true', false, true],
    [0, false, false, false],
    [0, '', false, false],
    [nothing, false, true, true],
    [nothing, nothing, true, false],
    [nothing, 0, false, true],
    [nothing, '', false, true],
    [nothing, 'undefined', false, true],
    [unit, unit, true, false],
    [unit, other, false, true],
    [unit, nothing, false, true],
    [unit, 'u1', false, true],
    [position(1), position(1), false, true],
  ];
  test.each(rows)('%j and %j: equal %s, different %s', (left, right, equal, different) => {
    for (const operandType of ['number', 'string', 'boolean', 'unit', '']) {
      expect(compare('==', operandType, left, right, 'moddio')).toBe(equal);
      expect(compare('==', operandType, right, left, 'moddio')).toBe(equal);
      expect(compare('!=', operandType, left, right, 'moddio')).toBe(different);
    }
  });
});

describe('equality in standard', () => {
  const rows: readonly (readonly [operandType: string, left: unknown, right: unknown, equal: boolean])[] = [
    ['number', 5, '5', true],
    ['number', '5', '5.0', true],
    ['number', 5, 6, false],
    ['number', nothing, nothing, true],
    ['number', nothing, 0, false],
    ['number', 'five', 5, false],
    ['string', 5, '5', true],
    ['string', '5', '5.0', false],
    ['string', nothing, 'undefined', false],
    ['string', nothing, '', false],
    ['boolean', true, 'true', true],
    ['boolean', false, 'false', true],
    ['boolean', nothing, false, true],
    ['boolean', 0, false, true],
    ['boolean', unit, true, true],
    ['unit', unit, unit, true],
    ['unit', unit, other, false],
    ['unit', unit, nothing, false],
    ['unit', nothing, nothing, true],
    ['unitType', 'soldier', 'soldier', true],
    ['unitType', { function: 'getUnitTypeOfUnit', entity: unit }, 'soldier', true],
    ['unitType', { function: 'getUnitTypeOfUnit', entity: unit }, 'ghost', false],
    ['position', position(1), position(1), true],
    ['position', position(1), position(2), false],
    ['position', position(1), nothing, false],
    [
      'region',
      { function: 'getVariable', variableName: 'square' },
      { function: 'getRegionByName', name: 'square' },
      true,
    ],
    ['attributeType', { function: 'getAttributeType', attributeType: 'health' }, 'health', true],
    ['playerType', { function: 'playerTypeOfPlayer', player: the('p1') }, 'red', true],
  ];
  test.each(rows)('as %s, %j and %j: equal %s, and `!=` is the opposite', (operandType, left, right, equal) => {
    expect(compare('==', operandType, left, right, 'standard')).toBe(equal);
    expect(compare('==', operandType, right, left, 'standard')).toBe(equal);
    expect(compare('!=', operandType, left, right, 'standard')).toBe(!equal);
  });

  const everything = [0, 1, -1.5, '', '0', '1', 'a', true, false, nothing, notANumber, unit, other, position(1)];
  test.each(['number', 'string', 'boolean', 'unit', 'position', ''])(
    '`!=` is always the opposite of `==`, as %s',
    (operandType) => {
      for (const left of everything) {
        for (const right of everything) {
          const equal = compare('==', operandType, left, right, 'standard');
          expect(compare('!=', operandType, left, right, 'standard'), JSON.stringify([left, right])).toBe(!equal);
        }
      }
    },
  );
});

describe.each(['standard', 'moddio'] as const)('order, %s', (name) => {
  const rows: readonly (readonly [left: unknown, right: unknown, operators: string])[] = [
    [1, 2, '< <='],
    [2, 2, '<= >='],
    [3, 2, '> >='],
    ['10', 9, '> >='],
    ['a', 1, ''],
    [nothing, 0, ''],
    [nothing, nothing, ''],
    [notANumber, 0, ''],
    [unit, 1, ''],
  ];
  test.each(rows)('%j and %j: %s', (left, right, operators) => {
    const found = ['<', '<=', '>', '>='].filter((operator) => compare(operator, 'number', left, right, name));
    expect(found.join(' ')).toBe(operators);
  });

  test('compares two texts as texts, unless they are operands of type number in standard', () => {
    expect(compare('<', 'string', '10', '9', name)).toBe(true);
    expect(compare('<', 'number', '10', '9', name)).toBe(name === 'moddio');
  });
});

test.each<[left: unknown, right: unknown, operators: string]>([
  [position(1), position(2), '<= >='],
  [position(1), 'a', '< <='],
  [position(1), 'A', '> >='],
  [position(1), 5, ''],
  [unit, 'zombie', '< <='],
  [unit, '10', '> >='],
  [unit, position(1), '<= >='],
  [unit, other, '< <='],
  [[5], 6, '< <='],
  [[5], '10', '> >='],
])('order in moddio compares objects by their text: %j and %j: %s', (left, right, operators) => {
  const found = ['<', '<=', '>', '>='].filter((operator) => compare(operator, '', left, right, 'moddio'));
  expect(found.join(' ')).toBe(operators);
});

const yes = [{ operator: '==', operandType: 'boolean' }, computed(true), true];
const no = [{ operator: '==', operandType: 'boolean' }, computed(true), false];
const and = (left: unknown, right: unknown) => [{ operator: 'AND', operandType: 'and' }, left, right];
const or = (left: unknown, right: unknown) => [{ operator: 'OR', operandType: 'or' }, left, right];
/** Fails when it is evaluated. */
const poison = [{ operator: '==', operandType: 'number' }, null, 1];

describe.each(['standard', 'moddio'] as const)('AND and OR, %s', (name) => {
  test.each([
    [and(yes, yes), true],
    [and(yes, no), false],
    [and(no, yes), false],
    [or(no, yes), true],
    [or(no, no), false],
    [and(or(no, yes), or(yes, no)), true],
    [or(and(no, yes), and(yes, yes)), true],
    [or(and(yes, no), no), false],
    // As editors leave them.
    [[{ operator: 'AND', operandType: 'boolean' }, yes, yes], true],
    // An absent or empty condition holds.
    [undefined, true],
    [null, true],
    [[], true],
    [and([], yes), true],
    [or(no, []), true],
    // Later operands are not evaluated once the result is decided.
    [and(no, poison), false],
    [or(yes, poison), true],
    [and(yes, poison), 'null-operand'],
    [or(and(yes, no), or(yes, poison)), true],
    // Values that are not conditions.
    [and(yes, true), 'malformed-condition'],
    [or(yes, true), true],
    [[{ operator: 'and' }, yes, yes], false],
    [[{ operator: '===' }, 1, 1], false],
    [['==', 1, 1], false],
  ])('%j: %j', (condition, expected) => {
    expect(holds(condition, name)).toBe(expected);
  });

  test.each(['left', 'right'])('nested 1500 deep to the %s', (side) => {
    const nest = (innermost: unknown, by: typeof and, other: unknown): unknown => {
      let condition = innermost;
      for (let i = 0; i < 1500; i++) condition = side === 'left' ? by(condition, other) : by(other, condition);
      return condition;
    };
    const { sim } = scenes[name]();
    const test = (condition: unknown) => {
      const compiler = new Compiler(sim.definition, dialectNamed(name), vocabulary);
      return evaluateOf(compileCondition(compiler, node(condition)))(newContext(internalsOf(sim).runtime));
    };
    expect(test(nest(yes, and, yes))).toBe(true);
    expect(test(nest(no, and, yes))).toBe(false);
    expect(test(nest(yes, or, no))).toBe(true);
    expect(test(nest(no, or, no))).toBe(false);
  });
});

test.each([
  [[{ operator: '==', operandType: 'number' }, 1, 2], ['constant-condition']],
  [[{ operator: '==', operandType: 'boolean' }, true, true], []],
  [[{ operator: '^' }, 1, 2], ['malformed-condition']],
  [[{ operator: '==' }, computed(1)], ['malformed-condition']],
  [and(yes, true), ['malformed-condition']],
  [yes, []],
])('a condition is checked at load: %j: %j', (condition, expected) => {
  expect(issues(condition)).toEqual(expected);
});

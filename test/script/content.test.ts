import { describe, expect, test } from 'vitest';
import { dialects } from '../../engine/definition/dialect.ts';
import type { DialectName } from '../../engine/index.ts';
import { Condition } from '../../engine/script/ast.ts';
import { Compiler } from '../../engine/script/compiling/compiler.ts';
import { compileCondition } from '../../engine/script/compiling/condition.ts';
import { evaluateOf } from '../../engine/script/compiling/source.ts';
import { vocabulary } from '../../engine/script/language/vocabulary.ts';
import { isMissing, sameContent } from '../../engine/script/running/content.ts';
import { newContext } from '../../engine/script/running/context.ts';
import { internalsOf } from '../../engine/tools.ts';
import { setVariable, when } from '../support/actions.ts';
import { play, script } from '../support/play.ts';
import { computed, Scene } from './values/harness.ts';

type Json = Record<string, unknown>;

/** Nested objects: `levels` of them, each of which refers twice to the next inner one. */
function doubled(levels: number, innermost: unknown): object {
  let held = innermost;
  for (let level = 0; level < levels; level++) held = { a: held, b: held };
  return held as object;
}

function ring(length: number): object {
  const first: Json = {};
  let last = first;
  for (let i = 1; i < length; i++) {
    const next = {};
    last['next'] = next;
    last = next;
  }
  last['next'] = first;
  return first;
}

describe('comparison of two objects by content', () => {
  test.each<[left: object, right: object, same: boolean]>([
    [{}, {}, true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, { a: '1' }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    // An undefined value is equal to a missing member.
    [{ a: undefined }, {}, true],
    [{}, { a: null }, true],
    [[1, [2, { c: 3 }]], [1, [2, { c: 3 }]], true],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [{ toString: 1 }, {}, false],
    [doubled(60, 1), doubled(60, 1), true],
    [doubled(60, 1), doubled(60, 2), false],
    [ring(3), ring(3), true],
    // Both are nested without end in the same way.
    [ring(2), ring(3), true],
    [doubled(60, ring(7)), doubled(60, { next: 1 }), false],
  ])('case %#', (left, right, same) => {
    expect(sameContent(left, right)).toBe(same);
    expect(sameContent(right, left)).toBe(same);
  });

  test('works at any depth', () => {
    const chain = (end: number) => {
      let held: unknown = end;
      for (let level = 0; level < 200_000; level++) held = { held };
      return held as object;
    };
    expect(sameContent(chain(1), chain(1))).toBe(true);
    expect(sameContent(chain(1), chain(2))).toBe(false);
  });
});

test.each([
  [undefined, true],
  [null, true],
  [Number.NaN, true],
  [0, false],
  ['', false],
  [false, false],
])('%s is missing: %s', (value, missing) => {
  expect(isMissing(value)).toBe(missing);
});

const variable = (variableName: string) => ({ function: 'getVariable', variableName });
const set = (variableName: string, value: unknown) => setVariable(variableName, value);
const put = (into: string, key: string, value: unknown) => ({
  type: 'addObjectElement',
  object: variable(into),
  key,
  value,
});

/** Creates an object or a list whose text is 2^40 times its size in memory, and one that contains itself. */
function enlarged(empty: unknown): Json[] {
  return [
    set('big', empty),
    {
      type: 'repeat',
      count: 40,
      actions: [
        set('next', empty),
        put('next', '0', variable('big')),
        put('next', '1', variable('big')),
        set('big', variable('next')),
      ],
    },
    set('self', empty),
    put('self', '0', variable('self')),
  ];
}

const list = { function: 'stringToObject', string: computed('[]') };
const object = { function: 'emptyObject' };

describe.each<[DialectName, string, unknown]>([
  ['standard', 'objects', object],
  ['standard', 'lists', list],
  ['moddio', 'objects', object],
  ['moddio', 'lists', list],
])('in %s, %s that a script has grown', (dialect, _what, empty) => {
  const variables = {
    big: { dataType: 'object' },
    next: { dataType: 'object' },
    self: { dataType: 'object' },
    log: { dataType: 'string', default: '' },
  };

  test.each<[operator: string, operandType: string, left: string, right: unknown]>([
    ['==', 'object', 'big', empty],
    ['!=', 'object', 'big', empty],
    ['==', 'object', 'self', empty],
    ['==', 'string', 'big', 'x'],
    ['!=', 'string', 'big', 'x'],
    ['==', 'number', 'big', 5],
    ['!=', '', 'self', 5],
    ['==', '', 'big', 5],
    ['<', 'number', 'big', 5],
    ['>=', '', 'big', 'x'],
  ])('are compared in reasonable time: %s as %j', (operator, operandType, left, right) => {
    const game = play(
      {
        variables,
        scripts: {
          a: script('gameStart', [
            ...enlarged(empty),
            when([{ operator, operandType }, variable(left), right], [set('log', 'yes')], [set('log', 'no')]),
          ]),
        },
      },
      { dialect },
    );
    expect(game.variable('log')).toBe(operator === '!=' ? 'yes' : 'no');
    expect(game.faults()).toEqual([]);
  });

  test.each([
    { function: 'toFixed', value: variable('big') },
    { function: 'getRandomNumberBetween', min: variable('big'), max: 1 },
    { function: 'stringIsANumber', string: variable('big') },
    { function: 'getStringArrayElement', string: '[]', number: variable('self') },
    { function: 'calculate', items: ['+', variable('big'), 1] },
  ])('are converted in reasonable time: %j', (value) => {
    const game = play(
      { variables, scripts: { a: script('gameStart', [...enlarged(empty), set('log', value), set('log', 'done')]) } },
      { dialect },
    );
    expect(game.variable('log')).toBe('done');
  });
});

describe('objects compared by a condition in standard', () => {
  const holds = (left: unknown, right: unknown) => {
    const { sim } = new Scene();
    const compiler = new Compiler(sim.definition, dialects.standard, vocabulary);
    const condition = new Condition(
      undefined,
      '',
      [{ operator: '==', operandType: 'region' }, left, right],
      vocabulary,
    );
    return evaluateOf(compileCondition(compiler, condition))(newContext(internalsOf(sim).runtime));
  };
  const plain = { function: 'dynamicRegion', x: 1, y: 2, width: 3, height: 4 };

  test.each([
    [plain, plain, true],
    [plain, { ...plain, width: 5 }, false],
    [{ function: 'vector3', x: 1, y: 2, z: 3 }, { function: 'vector3', x: 1, y: 2, z: 4 }, false],
  ])('%j and %j: %s', (left, right, same) => {
    expect(holds(left, right)).toBe(same);
  });
});

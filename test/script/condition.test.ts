import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../engine/index.ts';
import { play, script } from '../support/play.ts';
import { note, trailOf, trailVariable, variable } from '../support/trail.ts';

// Where conditions may occur. The meaning of single conditions is tested in condition-tables.test.ts.

const is = (left: unknown, right: unknown) => [{ operator: '==', operandType: 'number' }, left, right];

function run(conditions: unknown, dialect: DialectName): string {
  const guarded = script('gameStart', [note('ran')], { conditions });
  return trailOf(
    play({ variables: { ...trailVariable, n: { dataType: 'number', default: 1 } }, scripts: { guarded } }, { dialect }),
  );
}

describe('the condition of a script', () => {
  test.each<[what: string, conditions: unknown, holds: boolean]>([
    ['the guard that editors write', [{ operator: '==', operandType: 'boolean' }, true, true], true],
    ['none', undefined, true],
    ['null', null, true],
    ['an empty list', [], true],
    ['one that holds', is(variable('n'), 1), true],
    ['one that does not hold', is(variable('n'), 2), false],
    ['a constant that does not hold', is(1, 2), false],
    ['AND of both', [{ operator: 'AND' }, is(variable('n'), 1), is(variable('n'), 2)], false],
    ['OR of both', [{ operator: 'OR' }, is(variable('n'), 1), is(variable('n'), 2)], true],
    ['one of no known form', [{ operator: '^' }, 1, 1], false],
  ])('%s: decides in standard, and is ignored in moddio', (_what, conditions, holds) => {
    expect(run(conditions, 'standard')).toBe(holds ? 'ran' : '');
    expect(run(conditions, 'moddio')).toBe('ran');
  });
});

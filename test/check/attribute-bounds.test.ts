import { describe, expect, test } from 'vitest';
import { checkGame } from '../../src/check/check-game.ts';
import { load } from '../support/play.ts';

/** The issues of attributes that contradict themselves. */
function boundsIn(data: Record<string, unknown>): string[][] {
  const found = checkGame(load(data)).filter(({ code }) => code.startsWith('attribute-'));
  return found.map(({ code, pointer }) => [code, pointer]);
}

describe('bounds', () => {
  const at = '/data/attributeTypes/health';
  test.each([
    ['within', { min: 0, max: 10, value: 10 }, []],
    ['below', { min: 0, max: 10, value: -1 }, [['attribute-out-of-bounds', `${at}/value`]]],
    ['above', { min: '0', max: '10', value: '11' }, [['attribute-out-of-bounds', `${at}/value`]]],
    ['above without a min', { max: 10, value: 11 }, [['attribute-out-of-bounds', `${at}/value`]]],
    ['null below a positive min', { min: 1, max: 10, value: null }, [['attribute-out-of-bounds', `${at}/value`]]],
    ['no value', { min: 1, max: 10 }, []],
    ['no bounds', { value: 1000 }, []],
    ['crossed', { min: 10, max: 0, value: 5 }, [['attribute-out-of-bounds', `${at}`]]],
  ])('%s', (_name, given, expected) => {
    expect(boundsIn({ attributeTypes: { health: given } })).toEqual(expected);
  });

  test('the attributes of types are looked at, too', () => {
    const attributes = { a: { min: 0, max: 1, value: 2 } };
    const data = {
      unitTypes: { u: { attributes } },
      itemTypes: { i: { attributes } },
      playerTypes: { p: { attributes } },
      factions: { f: { attributes } },
    };
    expect(boundsIn(data)).toEqual([
      ['attribute-out-of-bounds', '/data/unitTypes/u/attributes/a/value'],
      ['attribute-out-of-bounds', '/data/itemTypes/i/attributes/a/value'],
      ['attribute-out-of-bounds', '/data/playerTypes/p/attributes/a/value'],
      ['attribute-out-of-bounds', '/data/factions/f/attributes/a/value'],
    ]);
  });
});

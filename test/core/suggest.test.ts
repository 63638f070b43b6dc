import { describe, expect, test } from 'vitest';
import { suggest } from '../../engine/core/suggest.ts';

describe('a name is suggested', () => {
  test.each([
    ['staet', 'state'],
    ['bleu', 'blue'],
    ['widht', 'width'],
    ['HEALHT', 'health'],
    ['scor', 'score'],
    ['tgas', 'tags'],
  ])('%s was meant to be %s', (word, meant) => {
    expect(suggest(word, ['ape', meant, 'something else'])).toBe(meant);
  });

  test('prefers the nearest, and the first of equally near ones', () => {
    expect(suggest('speeed', ['sped', 'speed'])).toBe('speed');
    expect(suggest('cat', ['bat', 'rat'])).toBe('bat');
  });

  test.each([
    ['two swaps in a short word', 'tsea', 'seat'],
    ['another word of the same length', 'gold', 'wood'],
    ['a longer word that begins alike', 'un', 'unit'],
  ])('suggests nothing for %s', (_, word, known) => {
    expect(suggest(word, [known])).toBeUndefined();
  });
});

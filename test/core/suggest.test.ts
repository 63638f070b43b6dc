import fc from 'fast-check';
import { distance } from 'fastest-levenshtein';
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

  test('is what comparing each known word with each swap of two letters finds', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 12 }), (word, known) => {
        const swapped = [...word]
          .slice(1)
          .map((letter, i) => `${word.slice(0, i)}${letter}${word[i]}${word.slice(i + 2)}`);
        const differences = (each: string): number =>
          Math.min(distance(word, each), ...swapped.map((spelling) => distance(spelling, each) + 1));
        const least = Math.min(...known.map(differences));
        const isNear = least <= Math.max(1, Math.floor(word.length / 3));
        expect(suggest(word, known)).toBe(isNear ? known.find((each) => differences(each) === least) : undefined);
      }),
    );
  });

  test.each([
    ['two swaps in a short word', 'tsea', 'seat'],
    ['another word of the same length', 'gold', 'wood'],
    ['a longer word that begins alike', 'un', 'unit'],
  ])('suggests nothing for %s', (_, word, known) => {
    expect(suggest(word, [known])).toBeUndefined();
  });
});

import { suggest } from '../../engine/core/index.ts';

/**
 * The known word that was probably meant; undefined if none is similar. Words of up to five letters also match with
 * their letters in another order.
 */
export function closestWord(word: string, words: Iterable<string>): string | undefined {
  const known = [...words];
  const letters = sorted(word);
  return suggest(word, known) ?? (word.length <= 5 ? known.find((each) => sorted(each) === letters) : undefined);
}

function sorted(word: string): string {
  return [...word.toLowerCase()].sort().join('');
}

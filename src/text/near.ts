import { suggest } from '../../engine/core/index.ts';

/**
 * The known word that was probably meant, if any is close. Words of up to five letters also match in any letter order.
 */
export function closestWord(word: string, words: Iterable<string>): string | undefined {
  const known = [...words];
  const letters = sorted(word);
  return suggest(word, known) ?? (word.length <= 5 ? known.find((each) => sorted(each) === letters) : undefined);
}

function sorted(word: string): string {
  return [...word.toLowerCase()].sort().join('');
}

import { suggest } from '../../engine/core/suggest.ts';

/** The word that was meant, if any comes near: also one of at most five letters that has the same letters in any order. */
export function near(word: string, words: Iterable<string>): string | undefined {
  const known = [...words];
  const letters = sorted(word);
  return suggest(word, known) ?? (word.length <= 5 ? known.find((each) => sorted(each) === letters) : undefined);
}

function sorted(word: string): string {
  return [...word.toLowerCase()].sort().join('');
}

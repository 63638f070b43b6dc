import { suggest } from '../../engine/core/suggest.ts';

/** The word that was meant, if any comes near: also one with the same letters, which in short words is two changes and too many otherwise. */
export function near(word: string, words: Iterable<string>): string | undefined {
  const known = [...words];
  const letters = sorted(word);
  return suggest(word, known) ?? known.find((each) => sorted(each) === letters);
}

function sorted(word: string): string {
  return [...word.toLowerCase()].sort().join('');
}

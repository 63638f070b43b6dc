import { distance } from 'fastest-levenshtein';

/**
 * The nearest of `known` to `word` when it is near enough to be a slip of the pen; otherwise undefined. Ties go to the first.
 * At most a third of the letters may differ, and at least one may. Upper and lower case are the same; two letters that change places count as one.
 */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const reach = Math.max(1, Math.floor(word.length / 3));
  const spellings = [word.toLowerCase(), ...withLettersSwapped(word.toLowerCase())];
  let best: string | undefined;
  let bestDistance = reach + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > reach) continue;
    const lower = candidate.toLowerCase();
    for (const [swaps, spelling] of spellings.entries()) {
      const d = distance(spelling, lower) + Math.min(swaps, 1);
      if (d >= bestDistance) continue;
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/** The word with each pair of neighbours swapped, pairs of equal letters left out. */
function withLettersSwapped(word: string): string[] {
  const swapped: string[] = [];
  for (let at = 0; at + 1 < word.length; at++) {
    const [left, right] = [word[at], word[at + 1]];
    if (left !== right) swapped.push(`${word.slice(0, at)}${right}${left}${word.slice(at + 2)}`);
  }
  return swapped;
}

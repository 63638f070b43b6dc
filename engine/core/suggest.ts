import { distance } from 'fastest-levenshtein';

/** The nearest of `known` to `word` when it is near enough to be a slip of the pen; otherwise undefined. Ties go to the first. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const reach = Math.max(1, Math.floor(word.length / 3));
  const lower = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = reach + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > reach) continue;
    const d = distance(lower, candidate.toLowerCase());
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

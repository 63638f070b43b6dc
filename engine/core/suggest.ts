import { distance } from 'fastest-levenshtein';

/** Words that authors use for another one of the language, in lower case. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['everysecond', 'secondTick'],
  ['eachsecond', 'secondTick'],
  ['everyframe', 'frameTick'],
  ['everytick', 'frameTick'],
  ['onstart', 'gameStart'],
  ['start', 'gameStart'],
  ['playerjoins', 'playerJoinsGame'],
  ['playerjoined', 'playerJoinsGame'],
  ['playerleft', 'playerLeavesGame'],
  ['enemy', 'hostile'],
  ['enemies', 'hostile'],
  ['ally', 'friendly'],
  ['allies', 'friendly'],
  ['all', 'everything'],
]);

/**
 * The word of `known` most similar to `word`, if it is similar enough for a typing mistake; otherwise undefined. The first of equally similar words
 * wins. A synonym of a known word counts as the same. Up to a third of the letters, but always one, may differ. Ignores case; two swapped adjacent letters count as one difference.
 */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const meant = synonyms.get(word.toLowerCase());
  if (meant !== undefined) for (const candidate of known) if (candidate === meant) return candidate;
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

/** All variants of the word with two adjacent letters swapped, without swaps of equal letters. */
function withLettersSwapped(word: string): string[] {
  const swapped: string[] = [];
  for (let at = 0; at + 1 < word.length; at++) {
    const [left, right] = [word[at], word[at + 1]];
    if (left !== right) swapped.push(`${word.slice(0, at)}${right}${left}${word.slice(at + 2)}`);
  }
  return swapped;
}

import { distance } from 'fastest-levenshtein';

/**
 * For words that authors use by mistake, in lower case: after each, the words of the script language that it may mean.
 * The first one that is known is suggested.
 */
const synonyms = new Map(
  `
everysecond secondTick
eachsecond secondTick
everyframe frameTick
everytick frameTick
onstart gameStart
playerjoins playerJoinsGame
playerjoined playerJoinsGame
playerleft playerLeavesGame
playerleaves playerLeavesGame
enemy hostile
enemies hostile
ally friendly
allies friendly
all everything
items itemTypes defaultItems
units unitTypes
projectiles projectileTypes
players playerTypes
value default number
initial default value
start gameStart default value
type dataType
title dialogueTitle name
text message comment
script scriptName runScript
group unitGroup playerGroup itemGroup projectileGroup entityGroup regionGroup
actions then
do then actions
condition conditions
if conditions
times count
amount count quantity number value
time duration
delay duration number
ms duration
speed force velocity baseSpeed
target targetUnit entity player
unit entity
player entity
cooldown fireRate
ammo quantity
maxammo maxQuantity
regeneration regenerateSpeed
regenerationspeed regenerateSpeed
regen regenerateSpeed
maximum max
minimum min
fps framesPerSecond frameRate
maxplayers defaultMaxPlayers
`
    .trim()
    .split('\n')
    .map((line) => {
      const [word = '', ...meant] = line.split(' ');
      return [word, meant];
    }),
);

/**
 * The word of `known` most similar to `word`, or undefined if none is similar enough for a typing mistake. A known word
 * that `synonyms` lists for `word` takes precedence. Up to a third of the letters may differ, and in short words one
 * letter. Case is ignored; two swapped adjacent letters count as one difference. The first of equally similar words
 * wins.
 */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const meant = synonyms.get(word.toLowerCase());
  const words = [...known];
  for (const each of meant ?? []) if (words.includes(each)) return each;
  const reach = Math.max(1, Math.floor(word.length / 3));
  const written = word.toLowerCase();
  const swapped = withLettersSwapped(written);
  let best: string | undefined;
  let bestDistance = reach + 1;
  for (const candidate of words) {
    if (Math.abs(candidate.length - word.length) > reach) continue;
    const lower = candidate.toLowerCase();
    const whole = distance(written, lower);
    const distances = [whole];
    // A swap changes two letters and counts as one difference, so it reduces the distance by at most one.
    if (whole - 1 < bestDistance) for (const spelling of swapped) distances.push(distance(spelling, lower) + 1);
    const nearest = Math.min(...distances);
    if (nearest >= bestDistance) continue;
    best = candidate;
    bestDistance = nearest;
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

import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runsFactor } from '../support/property.ts';
import { realGamePath, realGames } from '../support/real-games.ts';
import { samplesFolder } from '../support/samples.ts';
import { lineOf, playMutant } from './mutant.ts';
import { mutantOf, mutantTextMax, streamOf, textLength } from './mutate.ts';

/** Number of mutants of each sample, and of each game in the folder of other games. */
const ofSample = Math.ceil(50 * runsFactor);
const ofOther = Math.ceil(2 * runsFactor);

const samples = readdirSync(samplesFolder).filter((name) => name.endsWith('.json'));

function play(game: string, count: number): { failures: string[]; endings: Set<string>; changes: Set<string> } {
  const failures: string[] = [];
  const endings = new Set<string>();
  const changes = new Set<string>();
  for (let number = 0; number < count; number++) {
    const mutant = { seed: 'test', game, number };
    const { failure, ending, changes: made } = playMutant(mutant);
    endings.add(ending);
    for (const change of made) changes.add(change);
    if (failure !== undefined) failures.push(`${lineOf(mutant)}  # ${failure}`);
  }
  return { failures, endings, changes };
}

test.each(samples)('no mutant of the sample %s causes a failure', (name) => {
  const { failures, endings, changes } = play(`${samplesFolder}${name}`, ofSample);
  expect(failures).toEqual([]);
  expect(endings).toContain('played');
  expect(endings).toContain('no definition');
  expect(changes.size).toBeGreaterThan(10);
});

describe.skipIf(realGames.length === 0)('other games (skipped where the folder is absent)', () => {
  test.each(realGames.length > 0 ? realGames : ['none'])('no mutant of %s causes a failure', (name) => {
    expect(play(realGamePath(name), ofOther).failures).toEqual([]);
  });
});

test('mutants are deterministic', () => {
  const mutant = { seed: 'twice', game: `${samplesFolder}outbreak.json`, number: 3 };
  expect(playMutant(mutant)).toEqual(playMutant(mutant));
});

test('duplicated lists in lists do not exceed the size limit of mutants', () => {
  const lists = '[[[[[[["a word"]]]]]]]';
  let longest = 0;
  for (let number = 0; number < 3000; number++) {
    const { document } = mutantOf(lists, () => streamOf('long', 'lists', number));
    longest = Math.max(longest, textLength(document));
  }
  expect(longest).toBeLessThanOrEqual(mutantTextMax);
  expect(longest).toBeGreaterThan(mutantTextMax / 100);
});

test('the length of a document is the length of its text', () => {
  const word = { key: 'word', 'a "quoted" key': '\n\ud800', list: [1.5, true, null, [], {}] };
  const document = { a: [word, word, [word, word]], b: '' };
  expect(textLength(document)).toBe(JSON.stringify(document).length);
});

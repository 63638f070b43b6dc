import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compareWitnesses, parseWitness, type Witness, witnessText } from '../../bench/witness-file.ts';
import { botCount, observeSecond, type Play, plainOf, playGame } from '../../bench/witness-play.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const samples = at('../../scenarios/games/');
const dialects = ['standard', 'moddio'] as const;
const saved = parseWitness(readFileSync(at('../../bench/results/witness.txt'), 'utf8'));
const seconds = 20;

function played(file: string, seed = '1'): Witness {
  return { bots: botCount, seconds, plays: playGame({ file: `${samples}${file}`, dialects, seeds: [seed], seconds }) };
}

describe('the baseline', () => {
  // Intended changes of behaviour change it; docs/determinism.md says how to record them.
  test.each(readdirSync(samples).filter((name) => name.endsWith('.json')))('is what %s plays', (file) => {
    const now = played(file);
    expect(now.plays.map(({ seconds: digests }) => digests.length)).toEqual([seconds + 1, seconds + 1]);
    expect(compareWitnesses(saved, now, () => false)).toEqual([]);
  });

  test('is the same after reading and writing', () => {
    expect(parseWitness(witnessText(saved))).toEqual(saved);
    expect(saved.plays.length).toBe(112);
  });

  test('differs for another seed', () => {
    const other = playGame({ file: `${samples}outbreak.json`, dialects: ['standard'], seeds: ['3'], seconds: 3 });
    const renamed = other.map((play) => ({ ...play, seed: '1' }));
    const [difference] = compareWitnesses(saved, { bots: botCount, seconds: 3, plays: renamed }, () => false);
    expect(difference).toMatchObject({ game: 'outbreak', dialect: 'standard', seed: '1' });
  });
});

describe('a comparison', () => {
  const digests = (word: string) => ({ view: word, triggers: 'tttttt', outputs: 'oooooo', faults: 'ffffff' });
  const play: Play = {
    game: 'g',
    dialect: 'standard',
    seed: '1',
    document: 'dddddd',
    seconds: ['aaaaaa', 'bbbbbb', 'cccccc'].map(digests),
  };
  const witness = (...plays: Play[]): Witness => ({ bots: 8, seconds: 2, plays });
  const compare = (changed: Partial<Play>) => compareWitnesses(witness(play), witness({ ...play, ...changed }));
  const where = { game: 'g', dialect: 'standard', seed: '1' };

  test('names the first second and the channels', () => {
    const differing = { ...digests('xxxxxx'), outputs: 'yyyyyy' };
    expect(compare({})).toEqual([]);
    expect(compare({ seconds: [play.seconds[0]!, differing, differing] })).toEqual([
      { ...where, second: 1, what: 'view, outputs' },
    ]);
  });

  test.each<[Partial<Play>, object]>([
    [{ seconds: play.seconds.slice(0, 2) }, { second: 2, what: 'the game ends earlier' }],
    [
      { seconds: play.seconds.slice(0, 1), threw: 'no' },
      { second: 1, what: 'the engine threw: no' },
    ],
    [{ document: 'eeeeee' }, { what: 'the game is another document' }],
  ])('reports runs that stop early or differ: %j', (changed, difference) => {
    expect(compare(changed)).toEqual([{ ...where, ...difference }]);
  });

  test('names runs that only one side has, if they are expected', () => {
    expect(compareWitnesses(witness(), witness(play))).toEqual([{ ...where, what: 'is not in the baseline' }]);
    expect(compareWitnesses(witness(play), witness())).toEqual([{ ...where, what: 'was not played' }]);
    expect(compareWitnesses(witness(play), witness(), () => false)).toEqual([]);
  });

  test('covers the seconds that both have', () => {
    const long = { ...play, seconds: [...play.seconds, digests('zzzzzz')] };
    expect(compareWitnesses({ ...witness(long), seconds: 3 }, witness(play))).toEqual([]);
    expect(compareWitnesses(witness(play), witness(long))).toEqual([]);
    expect(compareWitnesses({ ...witness(play), seconds: 3 }, { ...witness(long), seconds: 3 })).toEqual([
      { ...where, second: 3, what: 'the game had ended before' },
    ]);
  });

  test.each([
    ['', 'Line 1'],
    ['reenact-witness 1 bots 8 seconds 2\ng standard 1', 'Line 2'],
    ['reenact-witness 1 bots 8 seconds 2\ng other 1 dddddd', 'Line 2'],
    ['reenact-witness 1 bots 8 seconds 2\ng standard 1 dddddd\nview aaaaaa', 'Line 4'],
    ['reenact-witness 1 bots 8 seconds 2\ng standard 1 dddddd\nview .\ntriggers a\noutputs a\nfaults a', 'Line 3'],
    ['reenact-witness 1 bots 8 seconds 2\ng standard 1 dddddd\nview a b\ntriggers a\noutputs a\nfaults a', 'line 2'],
  ])('rejects what is not a witness: %j', (text, message) => {
    expect(() => parseWitness(text)).toThrow(message);
  });
});

describe('an observation', () => {
  test('contains what players see, in all channels', () => {
    const observation = observeSecond(`${samples}outbreak.json`, 'standard', '1', 10)!;
    expect(observation.view).toMatchObject({ timeMs: 10_000 });
    expect(observation.triggers).toContain('secondTick 1');
    expect(observation.outputs.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ kind: expect.any(String), tick: expect.any(Number) }),
    );
  });

  test('contains every bit of a value, and the order of members only if scripts can iterate them', () => {
    expect(plainOf({ b: -0, a: [Number.NaN, undefined], c: undefined })).toEqual({
      a: ['$NaN', '$undefined'],
      b: '$-0',
    });
    const text = JSON.stringify(plainOf({ y: 1, x: 2, variables: { w: { d: 1, c: 2 }, v: 0 } }));
    expect(text).toBe('{"variables":{"v":0,"w":{"d":1,"c":2}},"x":2,"y":1}');
  });
});

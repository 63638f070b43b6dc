import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gameOf, readHistory, recordOf, secondOf, wholeSamples } from './history.ts';
import { historyFile, inputs, sha256, written } from './support.ts';

test.each([
  [0, 0],
  [1, 1],
  [20, 1],
  [21, 2],
  [1200, 60],
])('tick %d at 20 ticks a second is of second %d', (tick, second) => {
  expect(secondOf(tick, 20)).toBe(second);
});

test.each(['heist-2023.history.json.gz', 'folder/heist-2023.history.json'])('%s is of heist-2023', (path) => {
  expect(gameOf(path)).toBe('heist-2023');
});

describe('samples hold what differs from the sample before', () => {
  const [, second, third] = wholeSamples([
    {
      t: 0,
      counts: { 'unit:a': 2 },
      variables: { n: 1, m: 2 },
      players: { p1: { type: 'human', units: [], attributes: { score: 0 } } },
      units: { u1: { type: 'a', at: [1, 2], attributes: { health: 5, mana: 3 } }, u2: { type: 'a', attributes: {} } },
    },
    { t: 1, units: { u1: { at: [3, 4], attributes: { health: 4, mana: '$gone' } } } },
    { t: 2, counts: { 'unit:a': '$gone' }, variables: { n: 7 }, players: { p1: '$gone' }, units: { u1: '$gone' } },
  ]);

  test('members that are left out stay, attributes one by one', () => {
    expect(second).toMatchObject({ second: 1, counts: { 'unit:a': 2 }, variables: { n: 1, m: 2 } });
    expect(second!.units.get('u1')).toEqual({ type: 'a', at: [3, 4], attributes: { health: 4 } });
    expect(second!.players.get('p1')).toEqual({ type: 'human', units: [], attributes: { score: 0 } });
  });

  test('what is gone is gone', () => {
    expect(third).toMatchObject({ counts: {}, variables: { n: 7, m: 2 } });
    expect(third!.counts).toEqual({});
    expect([...third!.units.keys()]).toEqual(['u2']);
    expect(third!.players.size).toBe(0);
  });
});

test('a recording can be cut at a second', () => {
  const file = historyFile({
    samples: [{ t: 0 }, { t: 1 }, { t: 2 }],
    triggers: {
      kinds: ['global a', 'unit:b c'],
      list: [
        [0, 0],
        [20, 1, 'u1', { unit: 'u1' }],
        [21, 0],
      ],
      frameTicks: { f: [0, 20, 20] },
    },
  });
  const { samples, triggers, frameTicks } = recordOf(file, 1);
  expect(samples.map(({ second }) => second)).toEqual([0, 1]);
  expect(triggers).toEqual([
    { tick: 0, kind: 'global a', self: '', about: {} },
    { tick: 20, kind: 'unit:b c', self: 'u1', about: { unit: 'u1' } },
  ]);
  expect(frameTicks.get('f')).toEqual([0, 20]);
});

describe('a history is read with its plan and its definition', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'history-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([true, false])('packed: %s; triggers get their newer names', (packed) => {
    const { path, games } = written(folder, historyFile(), { packed });
    const history = readHistory(path, [join(folder, 'absent'), games]);
    expect(history.inputs).toEqual(inputs);
    const { data } = history.document as { data: { unitTypes: { walker: { scripts: { picks: object } } } } };
    expect(data.unitTypes.walker.scripts.picks).toMatchObject({ triggers: [{ type: 'thisUnitPicksUpItem' }] });
  });

  test('the change that a recording names is made', () => {
    const changed = ['defaultData.clientPhysicsEngine was emptied: for a reason'];
    const { definition } = historyFile();
    const { path, games } = written(folder, historyFile({ definition: { ...definition, changed } }));
    expect(readHistory(path, [games]).document).toMatchObject({ data: { defaultData: { clientPhysicsEngine: '' } } });
  });

  test('a change of what the definition does not have is refused', () => {
    const text = JSON.stringify({ data: { scripts: {} } });
    const definition = {
      file: 'plain.json',
      sha256: sha256(text),
      changed: ['defaultData.clientPhysicsEngine was emptied'],
    };
    const { path, games } = written(folder, historyFile({ definition }));
    writeFileSync(join(games, 'plain.json'), text);
    expect(() => readHistory(path, [games])).toThrow('has no clientPhysicsEngine');
  });

  test('metadata beside the data is changed where it is', () => {
    const text = JSON.stringify({ clientPhysicsEngine: 'planck', data: { scripts: {} } });
    const definition = {
      file: 'export.json',
      sha256: sha256(text),
      changed: ['defaultData.clientPhysicsEngine was emptied'],
    };
    const { path, games } = written(folder, historyFile({ definition }));
    writeFileSync(join(games, 'export.json'), text);
    expect(readHistory(path, [games]).document).toEqual({ clientPhysicsEngine: '', data: { scripts: {} } });
  });

  const definitionOf = (parts: object) => ({ definition: { ...historyFile().definition, ...parts } });
  const refused: [what: string, parts: object, sentence: string][] = [
    ['another format', { format: 'history/2' }, 'is no history: its format is "history/2"'],
    ['another rule of chance', { random: { rule: 'dice', salt: 1 } }, 'random rule "dice"'],
    [
      'a definition that is nowhere',
      definitionOf({ file: 'lost.json' }),
      'lost.json is in none of the folders of games',
    ],
    ['another definition', definitionOf({ sha256: 'ab' }), 'made-up.json is not the file of the recording'],
    ['another plan', { plan: { file: 'plan.json', sha256: 'ab' } }, 'plan.json is not the file of the recording'],
    ['no plan', { plan: { file: 'none.json', sha256: 'ab' } }, 'There is no file'],
    ['a change of another kind', definitionOf({ changed: ['gravity was doubled'] }), 'gravity was doubled'],
  ];
  test.each(refused)('%s is refused', (_what, parts, sentence) => {
    const { path, games } = written(folder, historyFile(parts));
    expect(() => readHistory(path, [games])).toThrow(sentence);
  });

  test('text that is not JSON is refused by name', () => {
    const path = join(folder, 'bad.history.json');
    writeFileSync(path, '{');
    expect(() => readHistory(path, [])).toThrow(`${path} is not JSON`);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HistoryFile } from './history.ts';
import { readHistory } from './history.ts';
import { playHistory } from './play.ts';
import { judge, runHistories } from './run.ts';
import { asHistory, historyFile, written } from './support.ts';

const options = { only: '', until: undefined, explain: false };
let folder: string;
let games: string;
/** A play of our own engine, as if it had been recorded. */
let own: HistoryFile;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'histories-'));
  const first = written(folder, historyFile());
  games = first.games;
  own = asHistory(playHistory(readHistory(first.path, [games]), 2));
  rmSync(first.path);
  written(folder, { ...own, game: 'right' });
  written(folder, {
    ...own,
    game: 'wrong',
    samples: own.samples.map(wounded),
    triggers: { ...own.triggers, list: [] },
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The unit has another health in the recording. */
function wounded(sample: HistoryFile['samples'][number]): HistoryFile['samples'][number] {
  const { units } = sample as { units?: Record<string, { attributes: object }> };
  const unit = units?.['u1'];
  return unit === undefined ? sample : { ...sample, units: { u1: { ...unit, attributes: { health: 70 } } } };
}

function linesOf(parts: Partial<typeof options> = {}): string[] {
  const lines: string[] = [];
  runHistories(folder, [games], { ...options, ...parts }, (text) => lines.push(...text.split('\n')));
  return lines;
}

describe('a play', () => {
  test('has samples, heard triggers and counts in the form of histories', () => {
    const { path } = written(folder, historyFile({ game: 'form' }));
    const played = playHistory(readHistory(path, [games]), 2);
    rmSync(path);
    expect(played.samples.map(({ second }) => second)).toEqual([0, 1, 2]);
    expect(played.samples[1]).toMatchObject({ counts: { 'unit:walker': 1 } });
    expect(Object.keys(played.samples[1]!.variables)).toEqual(['first', 'last']);
    expect(played.samples[1]!.units.get('u1')).toEqual({
      type: 'walker',
      owner: 'p1',
      at: [100, 200],
      slots: [],
      attributes: { health: 50 },
    });
    expect(played.triggers).toEqual([
      { tick: 0, kind: 'global gameStart', self: '', about: {} },
      { tick: 11, kind: 'global playerJoinsGame', self: '', about: { player: 'p1' } },
      { tick: 20, kind: 'unit:walker secondTick', self: 'u1', about: {} },
      { tick: 20, kind: 'global secondTick', self: '', about: {} },
      { tick: 40, kind: 'unit:walker secondTick', self: 'u1', about: {} },
      { tick: 40, kind: 'global secondTick', self: '', about: {} },
    ]);
    expect(Object.fromEntries(played.scripts)).toEqual({ start: 1, join: 1, second: 2, hurt: 2 });
    expect(Object.fromEntries(played.actions)).toEqual({
      setVariable: 3,
      createUnitAtPosition: 1,
      setEntityAttribute: 2,
    });
    expect(played.causes[3]).toEqual({
      tick: 20,
      action: 'unitTypes/walker/scripts/hurt/actions/0 (setEntityAttribute)',
    });
  });
});

describe('a folder of histories', () => {
  test('gives a line each and the count', () => {
    const [right, wrong, count] = linesOf();
    expect(right).toBe(
      'right: passed  triggers 100.0 %  attributes 100.0 %  positions 100.0 %  all units 100.0 %  order 6/6  no difference',
    );
    expect(wrong).toContain('wrong: failed  triggers 0.0 %  attributes 0.0 %  positions 100.0 %');
    expect(wrong).toContain(
      'first difference at 0 s (tick 0) trigger 1: expected nothing, got global gameStart in tick 0',
    );
    expect(count).toBe('1 passed, 1 failed');
  });

  test('can be asked for one game, up to a second', () => {
    expect(linesOf({ only: 'ight' }).at(-1)).toBe('1 passed, 0 failed');
    expect(judge(join(folder, 'right.history.json.gz'), [games], { until: 1 }).played?.got.samples).toHaveLength(2);
  });

  test('says of a difference in state which action came before', () => {
    const { path } = written(folder, { ...own, game: 'state', samples: own.samples.map(wounded) });
    const [line] = linesOf({ only: 'state' });
    rmSync(path);
    expect(line).toContain(
      'first difference at 1 s (ticks 1 to 20) attributes u1.attributes.health: expected 70, got 50; ours changed last in tick 20, after unitTypes/walker/scripts/hurt/actions/0 (setEntityAttribute) of tick 20',
    );
  });

  test('explains: triggers around the place where they part, the unit on both sides, and what ours did', () => {
    const text = linesOf({ only: 'wrong', explain: true }).join('\n');
    expect(text).toContain('attributes: 0 of 2 hold');
    expect(text).toContain('> 1 global gameStart in tick 0');
    expect(text).toMatch(/u1 at 1 s expected: .*"health":70/);
    expect(text).toMatch(/u1 at 1 s got: {6}.*"health":50/);
    expect(text).toContain('ours, tick by tick (last change: tick 20, after unitTypes/walker/scripts/hurt/actions/0');
    expect(text).toContain('scripts/join/actions/0 (createUnitAtPosition)');
  });

  test('counts as failed what cannot be played, and says why', () => {
    const { path } = written(folder, { ...own, game: 'slow', rates: { ...own.rates, ticksPerSecond: 60 } });
    const lines = linesOf({ only: 'slow' });
    rmSync(path);
    expect(lines).toEqual([
      'slow: failed, not played: The history has 60 ticks a second, our engine 20.',
      '0 passed, 1 failed',
    ]);
  });

  test('that does not exist, or holds none that is asked for, is refused', () => {
    expect(() => linesOf({ only: 'absent' })).toThrow('holds no history of a game named absent');
    expect(() => runHistories(join(folder, 'absent'), [games], options, () => {})).toThrow('There is no folder');
    expect(() => runHistories(folder, [join(folder, 'absent')], options, () => {})).toThrow('There is no folder');
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { reenact } from '../cli/support.ts';
import { failuresOf, issuesOf, piecesOf } from './pieces.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/writing-a-game.md', import.meta.url)), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'reenact-writing-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pieces = piecesOf(page);

describe('the guide to writing a game', () => {
  test('has pieces and checks under most of its headings', () => {
    expect(pieces.filter(({ kind }) => kind === 'game').length).toBeGreaterThanOrEqual(7);
    expect(pieces.filter(({ kind }) => kind === 'scenario').length).toBeGreaterThanOrEqual(7);
  });

  test.each(pieces.filter(({ kind }) => kind === 'game'))('the game has no issues after piece $name', ({ game }) => {
    expect(issuesOf(game)).toEqual([]);
  });

  test.each(pieces.filter(({ kind }) => kind === 'scenario'))('the check of piece $name holds', ({ text, game }) => {
    writeFileSync(join(folder, 'game.json'), JSON.stringify(game));
    const failures = failuresOf(text, folder);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures).toEqual(failures.map(() => undefined));
  });

  test.each(['standard', 'moddio'])('the whole game has no fault when bots play it in %s', async (dialect) => {
    const file = join(folder, 'whole.json');
    writeFileSync(file, JSON.stringify(pieces.at(-1)!.game));
    const { stdout } = await reenact(['run', file, '--bots', '4', '--seconds', '30', '--dialect', dialect, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ faults: [] });
  });
});

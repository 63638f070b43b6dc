import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { game } from '../review/games.ts';
import { file, reenact } from './support.ts';

test('a game is split, edited, joined and split again; files that are no longer needed go', async () => {
  const path = file('parts.json', game());
  const folder = join(mkdtempSync(join(tmpdir(), 'reenact-parts-')), 'game');
  expect(await reenact(['split', path, folder])).toEqual({ code: 0, stdout: `9 files in ${folder}\n`, stderr: '' });
  expect((await reenact(['join', folder])).stdout).toBe(JSON.stringify(game()));
  const part = join(folder, 'scripts', 'starts-start.json');
  writeFileSync(part, readFileSync(part, 'utf8').replace('"one"', '"won"'));
  expect((await reenact(['join', folder, '-o', path])).code).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(game()).replace('"one"', '"won"'));
  writeFileSync(path, JSON.stringify(game({ scripts: {} })));
  await reenact(['split', path, folder]);
  expect(readdirSync(join(folder, 'scripts'))).toEqual([]);
  expect((await reenact(['join', folder])).stdout).toBe(JSON.stringify(game({ scripts: {} })));
});

test('split says where a joined text differs, and leaves other folders alone', async () => {
  const path = file('layout.json', JSON.stringify(game()).replace('"title":', '"title" :'));
  const folder = mkdtempSync(join(tmpdir(), 'reenact-parts-'));
  expect((await reenact(['split', path, folder])).stderr).toBe(
    `From ${path}:1:9 on, reenact join will write the same content in a different format.\n`,
  );
  const other = mkdtempSync(join(tmpdir(), 'reenact-parts-'));
  writeFileSync(join(other, 'package.json'), '{}');
  const { code, stderr } = await reenact(['split', path, other]);
  expect([code, stderr]).toEqual([
    2,
    `already-there: ${other} contains JSON files that reenact split did not write.\n`,
  ]);
  expect((await reenact(['join', other])).code).toBe(2);
});

test('what is no folder of a split game is not joined', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-parts-'));
  const file = join(folder, 'other.json');
  writeFileSync(file, '{}');
  for (const path of [folder, file, join(folder, 'none')])
    expect(await reenact(['join', path])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${path} is not a folder of a split game: it contains no game.json.`),
    });
});

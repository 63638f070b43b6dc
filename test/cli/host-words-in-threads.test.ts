import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBuilt, program } from '../support/program.ts';
import { countingGame } from './support.ts';

let folder: string;
let game: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'host-threads-'));
  game = join(folder, 'game.json');
  const start = {
    name: 'start',
    triggers: [{ type: 'secondTick' }],
    actions: [
      { type: 'setVariable', variableName: 'season', value: { function: 'getSeason' } },
      { type: 'note', season: { function: 'getVariable', variableName: 'season' } },
    ],
  };
  const variables = { season: { dataType: 'number', default: 0 } };
  writeFileSync(game, JSON.stringify(countingGame({ scripts: { start }, variables })));
  writeFileSync(
    join(folder, 'host.mjs'),
    `export const operations = {
      note: { about: 'Notes.', params: { season: 'number' } },
      getSeason: { about: 'The season.', returns: 'number' },
    };`,
  );
  writeFileSync(join(folder, 'reenact.config.json'), JSON.stringify({ host: './host.mjs' }));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.skipIf(!isBuilt).each([
  ['explore', '--steps', '600', '--players', '1..1', '--never', 'season == 4'],
  ['reach', 'season >= 0', '--steps', '600', '--players', '1..1'],
])('%s plays with the words of the host in threads', (command, ...args) => {
  const jobs = (count: string) => {
    const { stdout, status } = spawnSync(
      process.execPath,
      [program, command, game, ...args, '--jobs', count, '--json'],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(status).toBeLessThan(2);
    return JSON.parse(stdout) as { plays: number };
  };
  expect(jobs('2').plays).toBeGreaterThan(0);
});

import { existsSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { countingGame, file, reenact } from './support.ts';

vi.mock('@resvg/resvg-js', () => {
  throw new Error('Cannot find package');
});

describe('without the package that draws PNG and GIF', () => {
  const game = file('game.json', countingGame());

  test('a run says so before it plays', async () => {
    const journal = file('never.rj', '').replace('never', 'none');
    const { code, stdout, stderr } = await reenact([
      'run',
      game,
      '--ticks',
      '20',
      '--record',
      journal,
      ...['--png', `${game}.png`],
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^no-renderer: PNG and GIF need the package @resvg\/resvg-js: npm install/);
    expect(existsSync(journal)).toBe(false);
  });

  test('pictures of a recording are refused before the first is written', async () => {
    const journal = file('play.rj', '');
    await reenact(['run', game, '--ticks', '20', '--record', journal]);
    for (const option of ['--png', '--gif']) {
      const svg = `${journal}${option}.svg`;
      const { stdout, stderr } = await reenact(['view', journal, '--svg', svg, option, `${journal}.picture`]);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^no-renderer: /);
      expect(existsSync(svg)).toBe(false);
    }
    expect((await reenact(['view', journal, '--svg', `${journal}.svg`])).code).toBe(0);
  });
});

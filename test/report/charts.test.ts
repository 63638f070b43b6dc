import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { typeColors } from '../../src/picture/palette.ts';
import { sweepHtml } from '../../src/report/sweep-html.ts';
import type { SweepPlan } from '../../src/sweep/plan.ts';
import type { Result } from '../../src/sweep/results.ts';
import { summarise } from '../../src/sweep/summary.ts';
import { temporaryFolder } from '../server/support.ts';
import { program } from '../support/program.ts';
import {
  canBrowse,
  desktop,
  launch,
  newPage,
  outbreak,
  standsOut,
  takePicture,
  takePictures,
} from '../viewer/browser.ts';

const plan: SweepPlan = {
  game: 'games/of/last/year/outbreak.json',
  dialect: 'standard',
  bots: [{ count: 0 }],
  seconds: 20,
  measures: ['kills'],
};

/** A page of a sweep over two settings, whose plays ended with these results, by the values of the settings. */
function pageOf(values: readonly (readonly [a: number, b: number, answers: readonly (number | boolean)[]])[]): string {
  const unique = (numbers: readonly number[]) => [...new Set(numbers)];
  const settings = [
    { path: 'speed', values: unique(values.map(([a]) => a)) },
    { path: 'health', values: unique(values.map(([, b]) => b)) },
  ];
  const results = values.flatMap(([a, b, answers]): Result[] =>
    answers.map((answer, i) => ({ point: [a, b], seed: String(i), ticks: 1, ending: 'time', answers: [answer] })),
  );
  return sweepHtml(summarise(settings, ['kills'], results), plan);
}

describe.skipIf(!canBrowse)('charts in a browser', () => {
  const folder = temporaryFolder();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    folder.remove();
  });

  async function opened(html: string, viewport = desktop): Promise<Page> {
    const file = join(folder.path, 'page.html');
    writeFileSync(file, html);
    const page = await newPage(browser, { viewport });
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  /**
   * For each of the first lines of the first chart: how much of it is drawn, and from where to where; 0 is the top of
   * the canvas and 1 the bottom.
   */
  async function drawnLines(page: Page): Promise<readonly { count: number; top: number; bottom: number }[]> {
    return page.evaluate(`(() => {
      const canvas = document.querySelector('.plot canvas'), { width, height } = canvas;
      const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
      return ${JSON.stringify(typeColors.slice(0, 2))}.map((color) => {
        const wanted = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
        let count = 0, top = height, bottom = 0;
        for (let at = 0; at < data.length; at += 4) {
          if (wanted.some((value, i) => Math.abs(data[at + i] - value) > 12)) continue;
          const y = Math.floor(at / 4 / width);
          count++; top = Math.min(top, y); bottom = Math.max(bottom, y);
        }
        return { count, top: top / height, bottom: bottom / height };
      });
    })()`);
  }

  /** The range of the y axis. */
  const rangeOf = (html: string): readonly number[] => JSON.parse(/"yRange":(\[[^\]]*\])/.exec(html)?.[1] ?? '[]');

  test('a value of a sweep is drawn with its interval, and the axis reaches as far', async () => {
    // 1.25 ± 3.98
    const html = pageOf([
      [1, 1, [0, 0, 0, 5]],
      [2, 1, [0, 0, 0, 5]],
    ]);
    const [low, high] = rangeOf(html);
    expect(low).toBeLessThan(1.25 - 3.97);
    expect(high).toBeGreaterThan(1.25 + 3.97);
    const page = await opened(html);
    const [line] = await drawnLines(page);
    // The interval is most of the axis.
    expect(line!.bottom - line!.top).toBeGreaterThan(0.5);
    await page.close();
  });

  test('of two lines with the same values both are seen, each with its interval', async () => {
    const same = [1, 2, 3, 4];
    const page = await opened(
      pageOf([1, 2, 3].flatMap((speed) => [10, 20].map((health) => [speed, health, same] as const))),
    );
    const [first, second] = await drawnLines(page);
    expect(first!.count).toBeGreaterThan(300);
    expect(second!.count).toBeGreaterThan(300);
    expect(first!.bottom - first!.top).toBeCloseTo(second!.bottom - second!.top, 1);
    await takePictures(page, 'sweep');
    await page.close();
  });

  test('a share of plays has an axis from none to all of them', () => {
    const answers = [true, true, false, true];
    expect(
      rangeOf(
        pageOf([
          [1, 1, answers],
          [2, 1, answers],
        ]),
      ),
    ).toEqual([0, 100]);
  });

  test('values that were given from the highest to the lowest run from left to right', () => {
    const html = pageOf([
      [3, 1, [9, 9, 9]],
      [1, 1, [5, 5, 5]],
      [2, 1, [7, 7, 7]],
    ]);
    expect(html).toContain('"data":[[1,2,3],[5,7,9]]');
  });

  test('pages of a game with a long path are no wider than a phone, and have one main part', async () => {
    const long = join(folder.path, `${'a_long_name_of_a_folder_'.repeat(4)}`);
    mkdirSync(long);
    const game = join(long, `${'a_long_name_of_a_game_'.repeat(3)}.json`);
    const document = JSON.parse(readFileSync(outbreak, 'utf8'));
    delete document.gameJson.data.title;
    delete document.gameJson.data.defaultData.title;
    writeFileSync(game, JSON.stringify(document));
    const output = (name: string): string => join(folder.path, name);
    const make = (...args: string[]): void => {
      const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
        encoding: 'utf8',
        cwd: folder.path,
      });
      if (status !== 0) throw new Error(stderr);
    };
    make('bench', game, '--bots', '1', '--seconds', '1', '--runs', '1', '--html', output('bench.html'));
    const sweep = ['--seeds', '1..3', '--set', 'variables.@timePreoutbreak.default=5,10', '--measure', 'timeLeft'];
    make('sweep', game, ...sweep, '--seconds', '2', '--output', output('sweep.html'));
    for (const name of ['bench', 'sweep']) {
      const page = await newPage(browser, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
      await page.goto(pathToFileURL(output(`${name}.html`)).href);
      await takePicture(page, `${name}-phone`);
      expect(await standsOut(page)).toBe(false);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await page.getByRole('main').count()).toBe(1);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).not.toContain('/');
      await page.context().close();
    }
  });
});

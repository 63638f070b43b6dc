import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

/**
 * Measures the viewer in headless Chromium: drawing compared with plain rectangles, page sizes, and the time to open a
 * journal.
 */

export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const program = 'dist/cli/main.js';

interface ViewerWishes {
  readonly units: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  /** The game, and the simulated seconds in the journal to open. */
  readonly game: string;
  readonly journalSeconds: number;
  readonly openings: number;
}

interface Figures {
  readonly stageMs: readonly number[];
  readonly plainMs: readonly number[];
  readonly stageFrames: number;
  readonly plainFrames: number;
}

export async function viewer({
  units,
  rounds,
  seconds,
  game,
  journalSeconds,
  openings,
}: ViewerWishes): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-bench-viewer-'));
  const browser = await chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox'] });
  try {
    const rows: (string | number)[][] = [];
    const samples: Record<string, readonly number[]> = {};
    const script = await measuringScript();
    for (const count of units) {
      const { stageMs, plainMs, stageFrames, plainFrames } = await measure(browser, script, count, rounds, seconds);
      const ratios = stageMs.map((ms, i) => ms / plainMs[i]!);
      const { median } = spread(ratios);
      rows.push([`${count} units, frames a second, a tick of 60 a second with each`, rounded(stageFrames, 1)]);
      rows.push([`${count} plain rectangles, frames a second`, rounded(plainFrames, 1)]);
      rows.push([`${count} units, ms a drawing`, rounded(spread(stageMs).median, 2)]);
      rows.push([`${count} units, times of plain rectangles`, rounded(median, 2)]);
      samples[`drawing ${count} units by rectangles`] = ratios.map((each) => Number(each.toPrecision(4)));
    }
    for (const script of ['dist/viewer/page.js', 'src/server/dist/viewer/live.js']) {
      const bytes = gzipSync(readFileSync(script, 'utf8'), { level: 9 }).length;
      rows.push([`${basename(script)}, kB gzip`, rounded(bytes / 1000, 1)]);
    }
    rows.push(...(await crowdedPage(browser, folder, game)));
    const opened = await openingMs(browser, folder, { game, journalSeconds, openings });
    const what = `a journal of ${journalSeconds} s until its first tick is drawn`;
    rows.push([`${what}, ms`, rounded(spread(opened.map(({ wallMs }) => wallMs)).median, 0)]);
    rows.push([`${what}, ms of the page's processor`, rounded(spread(opened.map(({ busyMs }) => busyMs)).median, 0)]);
    return {
      head: ['what', 'figure'],
      rows,
      samples,
      notes: ['Headless Chromium that draws in software, 1280 by 800.'],
    };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measuringScript(): Promise<string> {
  const bundle = await rolldown({
    input: 'bench/viewer/page.ts',
    platform: 'browser',
    logLevel: 'warn',
    // What only Node has; the page uses nothing of it.
    external: /^(?:node:|vscode-languageserver\/|@resvg\/)/,
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code;
}

async function measure(
  browser: Browser,
  script: string,
  units: number,
  rounds: number,
  seconds: number,
): Promise<Figures> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent('<!doctype html><body></body>');
  await page.addScriptTag({ content: script });
  const figures = await page.evaluate(`measureStage(${units}, ${rounds}, ${seconds})`);
  await page.close();
  return figures as Figures;
}

const crowd = 147;

interface Moves {
  readonly jumps: number[];
  readonly backs: number[];
  readonly frames: number;
  readonly ticks: number;
}

/**
 * Jumps, steps back and plays, in the page. A jump takes until the frame after the stage shows it; one to what the page
 * has not read yet waits for that, which `isRead` does beforehand.
 */
const moves = `async (isRead) => {
  const [scrub, back, tick] = ['scrub', 'back', 'tick'].map((id) => document.getElementById(id));
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const jump = async (to) => {
    scrub.value = String(to);
    const start = performance.now();
    scrub.dispatchEvent(new Event('input', { bubbles: true }));
    while (tick.textContent !== String(to)) await frame();
    await frame();
    return performance.now() - start;
  };
  while (isRead && document.querySelector('.lanes').getAttribute('aria-busy') !== 'false') await frame();
  const jumps = [];
  const backs = [];
  for (const to of [2000, 700, 2300, 1234, 400, 1800, 90, 2150]) {
    jumps.push(await jump(to));
    for (let i = 0; i < 12; i++) {
      const start = performance.now();
      back.click();
      backs.push(performance.now() - start);
      await frame();
    }
  }
  await jump(1200);
  for (let i = 0; i < 6; i++) document.dispatchEvent(new KeyboardEvent('keydown', { key: ']', bubbles: true }));
  const play = document.getElementById('play');
  play.click();
  let frames = 0;
  const begin = performance.now();
  const tickBefore = Number(tick.textContent);
  while (performance.now() - begin < 3000 && Number(tick.textContent) < 2390) { await frame(); frames++; }
  const seconds = (performance.now() - begin) / 1000;
  play.click();
  return { jumps, backs, frames: frames / seconds, ticks: (Number(tick.textContent) - tickBefore) / seconds };
}`;

/**
 * The page of two minutes with about 150 units: its size, how long steps and jumps take, and frames at the highest
 * speed.
 */
async function crowdedPage(browser: Browser, folder: string, game: string): Promise<(string | number)[][]> {
  const [crowded, journal, html] = ['crowded.json', 'crowded.rj', 'crowded.html'].map((name) => join(folder, name));
  const document = JSON.parse(readFileSync(game, 'utf8'));
  document.gameJson.data.defaultData.defaultMaxPlayers = crowd;
  writeFileSync(crowded!, JSON.stringify(document));
  const run = ['run', crowded!, '--seconds', '120', '--bots', String(crowd), '--record', journal!];
  for (const args of [run, ['view', journal!, '--html', html!]])
    execFileSync(process.execPath, [program, ...args], { stdio: 'ignore' });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(pathToFileURL(html!).href);
  await page.waitForSelector('html[data-state=ready]');
  const ready = await page.evaluate<Moves>(`(${moves})(false)`);
  const after = await page.evaluate<Moves>(`(${moves})(true)`);
  await page.close();
  const what = `2 min with ${crowd} players`;
  const rows = ({ jumps, backs, frames, ticks }: Moves, when: string): (string | number)[][] => [
    [`${what}, ${when}: ms a jump`, rounded(spread(jumps).median, 0)],
    [`${what}, ${when}: ms the slowest jump`, rounded(Math.max(...jumps), 0)],
    [`${what}, ${when}: ms a tick back`, rounded(spread(backs).median, 1)],
    [`${what}, ${when}: ms the slowest tick back`, rounded(Math.max(...backs), 0)],
    [`${what}, ${when}: frames a second at the highest speed`, rounded(frames, 0)],
    [`${what}, ${when}: ticks a second at the highest speed`, rounded(ticks, 0)],
  ];
  const size = [`${what}, kB of the page`, rounded(statSync(html!).size / 1000, 0)];
  return [size, ...rows(ready, 'once it is ready'), ...rows(after, 'once it is read')];
}

/**
 * The time from requesting the page until it is ready: wall time, and CPU time of its main thread, which hardly depends
 * on other load.
 */
async function openingMs(
  browser: Browser,
  folder: string,
  { game, journalSeconds, openings }: Pick<ViewerWishes, 'game' | 'journalSeconds' | 'openings'>,
): Promise<readonly { readonly wallMs: number; readonly busyMs: number }[]> {
  const [journal, html] = [join(folder, 'play.rj'), join(folder, 'play.html')];
  const options = ['--seconds', String(journalSeconds), '--bots', '8', '--record', journal];
  execFileSync(process.execPath, [program, 'run', game, ...options], { stdio: 'ignore' });
  execFileSync(process.execPath, [program, 'view', journal, '--html', html], { stdio: 'ignore' });
  const times: { readonly wallMs: number; readonly busyMs: number }[] = [];
  for (let i = 0; i < openings; i++) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const tools = await page.context().newCDPSession(page);
    await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busy = async (): Promise<number> => {
      const { metrics } = await tools.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
    };
    const before = await busy();
    const start = performance.now();
    await page.goto(pathToFileURL(html).href);
    await page.waitForSelector('html[data-state=ready]');
    const wallMs = performance.now() - start;
    times.push({ wallMs, busyMs: (await busy()) - before });
    await page.close();
  }
  return times;
}

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  const bundle = await rolldown({ input: 'bench/viewer/page.ts', platform: 'browser', logLevel: 'warn' });
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

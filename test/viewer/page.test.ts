import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrangeJournal, loadDefinition, Replay } from '../../engine/index.ts';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import { picture } from '../../src/picture/picture.ts';
import { program } from '../support/program.ts';
import {
  builtPage,
  canBrowse,
  desktop,
  faultsOfTabs,
  flatPhone,
  launch,
  newPage,
  outbreak,
  overlaps,
  phone,
  takePicture,
  takePictures,
  tooSmallToTouch,
  unreachable,
} from './browser.ts';

/**
 * The page of a journal in a real browser. Skipped if there is none, or no build. The tests form one visit and run in
 * order.
 */
describe.skipIf(!canBrowse)('the page of a journal:', { shuffle: false }, () => {
  let folder = '';
  let browser: Browser;
  let page: Page;
  let replay: Replay;
  const complaints: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reenact-view-test-'));
    const journal = join(folder, 'play.rj');
    // Without its pictures, so that types have a colour and a shape.
    const text = readFileSync(outbreak, 'utf8').replace(/data:image[^"]*/g, '');
    const plain = join(folder, 'outbreak.json');
    writeFileSync(plain, text);
    reenact('run', plain, '--seconds', '60', '--bots', '6', '--seed', 'view', '--record', journal);
    reenact('view', journal, '--html', join(folder, 'play.html'));
    const loaded = loadDefinition(JSON.parse(text)).game!;
    const { records } = readJournalBytes(new Uint8Array(readFileSync(journal)))!;
    replay = new Replay(loaded, arrangeJournal(records)!);
    browser = await launch();
    page = await newPage(browser, { viewport: desktop });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(join(folder, 'play.html')).href);
    await page.waitForSelector('html[data-state=ready]');
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function reenact(...args: string[]): void {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  async function scrubTo(tick: number): Promise<void> {
    await page.locator('#scrub').fill(String(tick));
    await atTick(tick);
  }

  async function atTick(tick: number): Promise<void> {
    await page.locator('#tick', { hasText: new RegExp(`^${tick}$`) }).waitFor();
  }

  async function hashShown(): Promise<string | null> {
    return page.locator('#hash', { hasText: /^[0-9a-f]{16}$/ }).textContent();
  }

  function hashAt(tick: number): string {
    replay.seek(tick);
    return replay.sim.hash();
  }

  async function sayOf(text: string): Promise<string> {
    await page.locator('#search').fill(text);
    await page.locator('#search').press('Enter');
    const says = page.locator('#search-says');
    await page.locator('#search-says', { hasText: /^(?!searching)./ }).waitFor();
    return (await says.textContent()) ?? '';
  }

  test('the script is at most 315 kB gzip', () => {
    expect(gzipSync(readFileSync(builtPage, 'utf8'), { level: 9 }).length).toBeLessThanOrEqual(315_000);
  });

  test.each([777, 40, 1199])('at tick %i it shows the same hash as Node', async (tick) => {
    await scrubTo(tick);
    expect(await hashShown()).toBe(hashAt(tick));
    await page.locator('.verdict', { hasText: '✓ as recorded' }).waitFor();
  });

  test('it steps one tick forward and back, by button and key', async () => {
    await scrubTo(500);
    await page.locator('#forward').click();
    await atTick(501);
    expect(await hashShown()).toBe(hashAt(501));
    await page.locator('#back').click();
    await page.locator('main canvas').focus();
    await page.keyboard.press('ArrowLeft');
    await atTick(499);
    expect(await hashShown()).toBe(hashAt(499));
    await page.keyboard.press('Home');
    await atTick(0);
    await page.keyboard.press('End');
    await atTick(1200);
  });

  test('it finds the tick at which an expression starts to hold', async () => {
    replay.seek(0);
    while (replay.sim.variable('state') !== 'gameover') replay.step();
    const { tick } = replay;
    expect(await sayOf('state == "gameover"')).toBe(`The expression becomes true at tick ${tick}.`);
    await atTick(tick);
  });

  test('it reports an invalid expression, and if no tick is found', async () => {
    expect(await sayOf('state == ')).toMatch(/\^/);
    expect(await sayOf('tick > 100000')).toBe('The expression is never true in this recording.');
    expect(await sayOf('tick > 40')).toBe('The expression becomes true at tick 41.');
    await page.locator('#search-next').click();
    await page.getByText('The expression does not become true again. The last time was at tick 41.').waitFor();
    await page.locator('#search').fill('');
  });

  test('it plays and pauses', async () => {
    await scrubTo(100);
    await page.locator('#play').click();
    await page.locator('#tick', { hasText: /^(1[1-9]\d|[2-9]\d\d|\d{4})$/ }).waitFor();
    await page.locator('#play').click();
    const tick = Number(await page.locator('#tick').textContent());
    expect(await hashShown()).toBe(hashAt(tick));
  });

  test('a click on a unit shows its attributes', async () => {
    await scrubTo(600);
    replay.seek(600);
    const unit = replay.sim.units()[0]!;
    // The whole map is visible, with a margin.
    const { x: left, y: top, width, height } = (await page.locator('main canvas').boundingBox())!;
    const { map, cellSize } = replay.sim.definition;
    const [mapWidth, mapHeight] = [map!.width * cellSize.width, map!.height * cellSize.height];
    const zoom = Math.min(width / mapWidth, height / mapHeight) * 0.96;
    await page.mouse.click(
      left + width / 2 + (unit.x - mapWidth / 2) * zoom,
      top + height / 2 + (unit.y - mapHeight / 2) * zoom,
    );
    expect(await page.locator('#panel h2').textContent()).toContain(unit.id);
    for (const key of Object.keys(unit.attributes)) {
      expect(await page.locator('#panel').textContent()).toContain(key);
    }
  });

  test('a value shows its history and why it is what it is; back and forward lead through what was visited', async () => {
    await page.locator('#tab-all').click();
    await scrubTo(600);
    await page.locator('#panel').getByRole('button', { name: 'timeLeft', exact: true }).click();
    const panel = page.locator('#panel');
    await panel.getByText('Reading the play').waitFor({ state: 'detached' });
    const first = await page.locator('#panel .answer b').first().textContent();
    expect(first).toBe(String(hashAt(600) && replay.sim.variable('timeLeft')));
    await panel.getByRole('button', { name: '‹ previous change' }).click();
    const { tick } = replay;
    await page.locator('#tick', { hasText: new RegExp(`^(?!${tick}$)`) }).waitFor();
    const before = Number(await page.locator('#tick').textContent());
    replay.seek(before);
    const value = replay.sim.variable('timeLeft');
    replay.seek(before - 1);
    expect(replay.sim.variable('timeLeft')).not.toBe(value);
    expect(new URL(page.url()).hash).toMatch(new RegExp(`^#tick=${before}&tab=value&.*value=timeLeft$`));
    await page.goBack();
    await atTick(600);
    await page.goBack();
    await page.locator('#tab-all[aria-selected=true]').waitFor();
    await page.goForward();
    await page.locator('#tab-value[aria-selected=true]').waitFor();
    // The script that wrote it, and its lines that ran.
    await panel.getByRole('button', { name: 'script "every second"' }).click();
    expect(await panel.locator('.line.ran').count()).toBeGreaterThan(2);
    expect(await panel.locator('.line.false').first().textContent()).toMatch(/^✗ false: timeLeft is \d+$/);
  });

  test('a sent address opens what it says, with its values over the time line', async () => {
    const other = await newPage(browser, { viewport: desktop });
    const address = '#tick=601&tab=scripts&script=scripts%2FeverySecond&watch=timeLeft&watch=state';
    await other.goto(pathToFileURL(join(folder, 'play.html')).href + address);
    await other.locator('.lanes[aria-busy=false]').waitFor();
    expect(await other.locator('.lane-close').count()).toBe(2);
    expect(await other.locator('#tick').textContent()).toBe('601');
    expect(await other.locator('#panel h2').textContent()).toBe('every second');
    // A click in a lane goes to the change next to it.
    const { x, y, width } = (await other.locator('.plot').nth(1).boundingBox())!;
    replay.seek(0);
    while (replay.sim.variable('state') !== 'postoutbreak') replay.step();
    await other.mouse.click(x + (replay.tick / 1200) * width + 2, y + 5);
    expect(await other.locator('#tick').textContent()).toBe(String(replay.tick));
    await other.locator('main canvas').focus();
    await other.keyboard.press('.');
    await other.locator('.line.step').waitFor();
    await other.context().close();
  });

  test('two fingers zoom and pan around their position', async () => {
    const mobile = await newPage(browser, { viewport: phone, isMobile: true, hasTouch: true });
    const context = mobile.context();
    await mobile.goto(pathToFileURL(join(folder, 'play.html')).href);
    await mobile.waitForSelector('html[data-state=ready]');
    const { x: left, y: top, width, height } = (await mobile.locator('main canvas').boundingBox())!;
    const { map, cellSize } = replay.sim.definition;
    const [mapWidth, mapHeight] = [map!.width * cellSize.width, map!.height * cellSize.height];
    const zoom = Math.min(width / mapWidth, height / mapHeight) * 0.96;
    // Only then does the play stand at its first event.
    await mobile.locator('.lanes[aria-busy=false]').waitFor({ state: 'attached' });
    replay.seek(Number(await mobile.locator('#tick').textContent()));
    const unit = replay.sim.units()[0]!;
    const x = left + width / 2 + (unit.x - mapWidth / 2) * zoom;
    const y = top + height / 2 + (unit.y - mapHeight / 2) * zoom;
    const touch = await context.newCDPSession(mobile);
    const fingers = (type: 'touchStart' | 'touchMove', apart: number, dx: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: [
          { x: x - apart + dx, y, id: 1 },
          { x: x + apart + dx, y, id: 2 },
        ],
      });
    // The unit is between the two fingers, and moves with them.
    const side = x < left + width / 2 ? 1 : -1;
    await fingers('touchStart', 20, 0);
    for (const step of [1, 2, 3, 4]) await fingers('touchMove', 20 + step * 10, side * step * 10);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await mobile.touchscreen.tap(x + side * 40, y);
    expect(await mobile.locator('#panel h2').textContent()).toContain(unit.id);
    // The rest of the map is scaled: three times as far from the fingers.
    const other = replay.sim.units().find((each) => {
      const [dx, dy] = [(each.x - unit.x) * zoom * 3, (each.y - unit.y) * zoom * 3];
      const [atX, atY] = [x + side * 40 + dx - left, y + dy - top];
      return Math.hypot(dx, dy) > 60 && atX > 20 && atX < width - 60 && atY > 20 && atY < height - 20;
    });
    if (other !== undefined) {
      await mobile.touchscreen.tap(x + side * 40 + (other.x - unit.x) * zoom * 3, y + (other.y - unit.y) * zoom * 3);
      expect(await mobile.locator('#panel h2').textContent()).toContain(other.id);
    }
    await context.close();
  });

  test('the legend lists the visible types in the colours and shapes of pictures', async () => {
    await scrubTo(600);
    replay.seek(600);
    const ofPicture = [
      ...picture(replay.sim).matchAll(
        /<g class="entry"[^>]*fill="(#\w+|none)"><(\w+)(?:(?!<text).)*<text[^>]*>([^<]*)/g,
      ),
    ].map(([, fill, shape, text]) => [text!.replace(/ \d+$/, ''), fill === 'none' ? '' : fill, shape]);
    expect(ofPicture.length).toBeGreaterThan(4);
    const ofPage = await page.evaluate(`[...document.querySelectorAll('.legend li')].map((entry) => {
      const sign = entry.querySelector('i'), { backgroundColor, borderRadius } = getComputedStyle(sign);
      const hex = '#' + (backgroundColor.match(/\\d+/g) ?? []).slice(0, 3).map((each) => Number(each).toString(16).padStart(2, '0')).join('');
      return [entry.textContent, sign.classList.contains('side') ? '' : hex, borderRadius === '50%' ? 'circle' : 'rect'];
    })`);
    // The page also draws held items.
    expect(ofPage).toEqual(expect.arrayContaining(ofPicture));
    const colors = (ofPage as string[][])
      .filter(([text]) => /^(Human|Sick|Zombie|Dog)$/.test(text!))
      .map(([, fill]) => fill);
    expect(new Set(colors).size).toBe(colors.length);
  });

  test('a question mark shows the keys and their functions', async () => {
    await page.locator('main canvas').focus();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.waitFor();
    expect(await keys.locator('tr', { hasText: 'play or pause' }).locator('kbd').allTextContents()).toEqual(['Space']);
    expect(await keys.locator('tr', { hasText: 'move the view' }).locator('kbd').allTextContents()).toEqual([
      'W',
      'A',
      'S',
      'D',
    ]);
    await takePictures(page, 'journal-keys');
    const before = await page.locator('#tick').textContent();
    await page.keyboard.press('End');
    expect(await page.locator('#tick').textContent()).toBe(before);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await keys.getByRole('button', { name: 'Close' }).click();
    await keys.waitFor({ state: 'hidden' });
  });

  test.each([phone, flatPhone])(
    'on a phone of $width x $height buttons are large enough and do not overlap',
    async (viewport) => {
      const mobile = await newPage(browser, { viewport, isMobile: true, hasTouch: true });
      await mobile.goto(pathToFileURL(join(folder, 'play.html')).href);
      await mobile.waitForSelector('html[data-state=ready]');
      await mobile.locator('#tab-all').click();
      await mobile.locator('#panel .id').first().waitFor();
      expect(await tooSmallToTouch(mobile)).toEqual([]);
      expect(await overlaps(mobile, 'header > *, .tools button, .timeline button:not(.lane *), .now, .legend')).toEqual(
        [],
      );
      await takePicture(mobile, `journal-phone-${viewport.width}`);
      await mobile.context().close();
    },
  );

  test('it lists triggers and outputs of recent ticks', async () => {
    await scrubTo(600);
    await page.locator('#tab-triggers').click();
    expect(await page.locator('#panel .tick').first().textContent()).toMatch(/^tick (5[789]\d|600) /);
    expect(await page.locator('#panel .event').count()).toBeGreaterThan(0);
    await page.locator('#tab-faults').click();
    expect(await page.locator('#panel').textContent()).toContain('There were no faults');
  });

  test('it lists scripts that ran and false conditions with their operands', async () => {
    const opened = await newPage(browser, { viewport: { width: 1440, height: 900 } });
    await opened.goto(`${pathToFileURL(join(folder, 'play.html')).href}#tick=600&tab=scripts`);
    await opened.waitForSelector('html[data-state=ready]');
    const panel = opened.locator('#panel');
    expect(await panel.locator('h3').first().textContent()).toBe('In tick 600');
    const condition = panel.locator('.condition').first();
    await condition.waitFor();
    expect(await condition.textContent()).toMatch(/✗ .+ (==|!=|<|>|<=|>=) .+/);
    expect(await panel.locator('.condition small').allTextContents()).toContainEqual(expect.stringMatching(/ is /));
    // Every script of this tick belongs to the definition.
    const { scripts } = JSON.parse(readFileSync(outbreak, 'utf8')).gameJson.data as {
      scripts: Record<string, unknown>;
    };
    const places = await panel.locator('.event > small').allTextContents();
    expect(places.filter((place) => place.startsWith('scripts/') && !(place.slice(8) in scripts))).toEqual([]);
    await takePictures(opened, 'journal-scripts');
    await opened.context().close();
  });

  test('it switches what the map shows', async () => {
    await page.locator('.layers summary').click();
    const sensors = page.getByRole('checkbox', { name: 'Sensor radii' });
    expect(await sensors.isChecked()).toBe(false);
    await sensors.check();
    expect(await sensors.isChecked()).toBe(true);
    await sensors.uncheck();
    await page.locator('.layers summary').click();
  });

  test.each(['light', 'dark'] as const)(
    'texts are readable in %s, and everything fits into 360 px',
    async (colorScheme) => {
      expect(
        await faultsOfTabs(page, colorScheme, ['all', 'scripts', 'triggers', 'outputs', 'entity', 'faults'], 'journal'),
      ).toEqual([]);
    },
  );

  test('everything can be used by keyboard', async () => {
    expect(await unreachable(page)).toEqual([]);
  });

  test('it follows the colour scheme of the system', async () => {
    const back = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await back();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await back()).not.toBe(light);
  });

  test('a failed scenario can be watched in the report, from its failure on', async () => {
    writeFileSync(
      join(folder, 'failing.scenario.yaml'),
      `game: ${outbreak}\nscenarios:\n  - name: too soon\n    given: { bots: 3 }\n    steps: [{ wait: 4 s }, { expect: state == "gameover" }]\n`,
    );
    const report = join(folder, 'report.html');
    const args = [join(folder, 'failing.scenario.yaml'), '--reporter', `html=${report}`, '--pictures', ''];
    expect(spawnSync(process.execPath, [program, 'test', ...args]).status).toBe(1);
    const other = await newPage(browser, { viewport: desktop });
    other.on('pageerror', (error) => complaints.push(error.message));
    await other.goto(pathToFileURL(report).href);
    await other.getByRole('button', { name: 'Watch from tick' }).click();
    const frame = other.frameLocator('iframe');
    await frame.locator('html[data-state=ready]').waitFor();
    expect(await frame.locator('#tick').textContent()).toBe('80');
    expect(await frame.locator('.verdict').textContent()).toBe('✓ as recorded');
    await takePicture(other, 'report-watched');
    await other.close();
  });

  test('a page that was damaged or cut off on its way says so', async () => {
    const whole = readFileSync(join(folder, 'play.html'), 'utf8');
    const damaged = whole.replace(/(id="journal">)[^<]{40}/, (_, tag: string) => tag + 'A'.repeat(40));
    expect(damaged).not.toBe(whole);
    const other = await newPage(browser, { viewport: desktop });
    const open = async (name: string, text: string): Promise<void> => {
      writeFileSync(join(folder, name), text);
      await other.goto(pathToFileURL(join(folder, name)).href);
    };
    await open('damaged.html', damaged);
    await other.getByRole('alert').filter({ hasText: 'The journal in this page is damaged.' }).waitFor();
    await open('cut.html', whole.slice(0, -1000));
    await other.getByText('the file is incomplete').waitFor();
    await other.close();
  });

  test('nothing was complained of or asked of a network', () => {
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
  });
});

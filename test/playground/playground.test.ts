import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import { samples } from '../../src/playground/samples.ts';
import { hookFile } from '../../src/text/project-files.ts';
import { reenact } from '../cli/support.ts';
import {
  axeFaults,
  canBrowse,
  desktop,
  faintTexts,
  launch,
  newPage,
  phone,
  standsOut,
  takePicture,
} from '../viewer/browser.ts';
import { fragmentOf, pages } from './site-examples.ts';

interface Tools {
  buildPlayground(folder: string): Promise<readonly string[]>;
  serveFolder(folder: string, port: number): Promise<{ address(): { port: number }; close(): void }>;
}
const tools = fileURLToPath(new URL('../../tools/playground.mjs', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

/** The playground in a real browser, as its visitors use it. Skipped if there is none, or no build. */
describe.skipIf(!canBrowse)('the playground', { shuffle: false }, () => {
  let folder = '';
  let server: Awaited<ReturnType<Tools['serveFolder']>>;
  let address = '';
  let browser: Browser;
  /** Most tests use one page: each opens its own game by the address, as links do. */
  let shared: Page;
  let visits = 0;
  const complaints: string[] = [];
  const strangers: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reenact-playground-'));
    const { buildPlayground, serveFolder } = (await import(tools)) as Tools;
    await buildPlayground(join(folder, 'below/a-path'));
    server = await serveFolder(folder, 0);
    address = `http://127.0.0.1:${server.address().port}/below/a-path/`;
    browser = await launch();
    shared = await visit();
    await inState(shared, 'start');
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function visit(path = '', viewport = desktop): Promise<Page> {
    const page = await newPage(browser, { viewport });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url())) strangers.push(request.url());
    });
    await page.goto(address + path);
    return page;
  }

  /** Opens what a fragment names, without loading the page again. */
  async function open(fragment: string, state = 'watching'): Promise<Page> {
    const mark = `document.querySelector('main').dataset.isOld = ''`;
    // The same fragment again would not be a visit.
    const unique = /^(?:play|try)=/.test(fragment) ? fragment : `${fragment}&visit=${++visits}`;
    await shared.evaluate(`${mark}; location.hash = '${unique}'`);
    await shared.waitForSelector(`html[data-state=${state}] #app:not(:has([data-is-old]))`);
    return shared;
  }

  const inState = (page: Page, state: string) => page.waitForSelector(`html[data-state=${state}]`);
  const number = async (page: Page, selector: string): Promise<number> =>
    Number(await page.locator(selector).textContent());

  /** Plays on beyond a tick, at eight times the speed, because tests draw few frames. */
  async function reach(page: Page, tick: number): Promise<void> {
    for (let i = 0; i < 3; i++) await page.keyboard.press(']');
    await expect.poll(() => number(page, '#tick')).toBeGreaterThan(tick);
    for (let i = 0; i < 3; i++) await page.keyboard.press('[');
  }

  async function scrubTo(page: Page, tick: number): Promise<void> {
    await page.locator('#scrub').fill(String(tick));
    await page.locator('#tick', { hasText: new RegExp(`^${tick}$`) }).waitFor();
  }

  /** The hash of the same play by the engine in this process. */
  function hashOf(file: string, bots: number, tick: number): string {
    const sim = new Simulation(loadDefinition(JSON.parse(readFileSync(join(root, file), 'utf8'))).game!, {
      seed: 'reenact',
    });
    const players = new Bots(sim, { count: bots, seed: 'reenact' });
    while (sim.tick < tick) {
      players.beforeStep();
      sim.step();
    }
    return sim.hash();
  }

  test('the first screen shows the games, and its texts can be read', async () => {
    const page = shared;
    expect(await page.locator('.sample').count()).toBe(samples.length);
    for (const [name, viewport] of Object.entries({ desktop, phone })) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await takePicture(page, `playground-start-${name}-${colorScheme}`);
        expect(await faintTexts(page)).toEqual([]);
        expect(await standsOut(page)).toBe(false);
      }
      expect(await axeFaults(page), name).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(desktop);
  });

  test.each(samples)('bots play $title exactly as in other programs', async ({ key, source, bots }) => {
    const page = await open(`sample=${key}`);
    await reach(page, 40);
    await page.locator('#play').click();
    await scrubTo(page, 37);
    await expect.poll(() => page.locator('#hash').textContent()).toBe(hashOf(source, bots, 37));
  });

  test('axe finds nothing in its lists, the editor and the tests', async () => {
    const page = await open('sample=outbreak');
    for (const opener of ['edit', 'test', 'inspect']) {
      await page.locator(`#open-${opener}`).click();
      expect(await axeFaults(page), opener).toEqual([]);
    }
    for (const tab of await page.locator('[role=tab]:visible').all()) {
      await tab.click();
      expect(await axeFaults(page), (await tab.textContent()) ?? '').toEqual([]);
    }
  });

  test('one press takes over from a bot, keys move the unit, one press gives it back', async () => {
    const page = await open('sample=coins');
    await reach(page, 60);
    await page.locator('#take').click();
    await inState(page, 'playing');
    await page.locator('#tab-entity').click();
    const place = async () => (await page.locator('#panel').textContent()) ?? '';
    await expect.poll(place).toContain('State');
    const before = await place();
    await page.locator('.stage canvas').focus();
    await page.keyboard.down('d');
    await expect.poll(place).not.toBe(before);
    await page.keyboard.up('d');
    await page.locator('#take').click();
    await inState(page, 'watching');
  });

  test('a paused play explains a value; its ticks lead there', async () => {
    const page = await open('sample=outbreak');
    await reach(page, 45);
    await page.locator('#play').click();
    await scrubTo(page, 45);
    await page.locator('#search').fill('timeLeft');
    await page.locator('#search-why').click();
    const panel = page.locator('#panel');
    await panel.locator('.write', { hasText: 'tick 40' }).waitFor();
    expect(await panel.textContent()).toContain('by set timeLeft = (timeLeft - 1)');
    await panel.getByRole('button', { name: 'why?' }).first().click();
    await panel.locator('.part .write button', { hasText: 'tick 20' }).click();
    await page.locator('#tick', { hasText: /^20$/ }).waitFor();
    await page.locator('#tab-all').click();
    await panel.locator('[data-value=timeLeft] + .spark').waitFor();
    await takePicture(page, 'playground-why');
    await page.locator('.stage canvas').focus();
    await page.keyboard.press('.');
    const step = panel.getByText(/^Action \d+ of \d+ in this tick$/);
    await step.waitFor();
    const places = [await step.textContent()];
    await panel.locator('[data-step="1"]').click();
    await expect.poll(() => step.textContent()).not.toBe(places[0]);
    await page.keyboard.press(',');
    await expect.poll(() => step.textContent()).toBe(places[0]);
    await takePicture(page, 'playground-step');
  });

  test('a link shows the same moment in another browser, with the same hash', async () => {
    const page = await open('sample=outbreak');
    await reach(page, 50);
    await page.locator('#take').click();
    await inState(page, 'playing');
    await page.keyboard.press('w', { delay: 300 });
    await page.locator('#share').click();
    const link = await page.locator('dialog[open] #link').inputValue();
    const hash = await page.locator('dialog[open] code').textContent();
    const other = await newPage(browser, { viewport: phone });
    await other.goto(link);
    await expect.poll(() => other.locator('#hash').textContent()).toBe(hash);
    await other.context().close();
  });

  test('going back and on from there forgets what came after', async () => {
    const page = await open('sample=coins');
    await reach(page, 90);
    await page.locator('#scrub').fill('30');
    await page.locator('#tick', { hasText: /^30$/ }).waitFor();
    await page.locator('#branch').click();
    await page.locator('#branch').waitFor({ state: 'hidden' });
    await page.locator('#play').click();
    await page.keyboard.press('End');
    expect(Number(await page.locator('#scrub').getAttribute('min'))).toBe(30);
    await page.keyboard.press('Home');
    await page.locator('#tick', { hasText: /^30$/ }).waitFor();
    // Steps add up, also when they come faster than pictures.
    await page.locator('.stage canvas').focus();
    for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowRight');
    await page.locator('#tick', { hasText: /^32$/ }).waitFor();
  });

  test('a changed value is seen in the game, and what is wrong is said with its place', async () => {
    const page = await open('sample=coins');
    await page.locator('#open-edit').click();
    const editor = page.locator('.cm-content');
    await editor.waitFor();
    const changed = readFileSync(join(root, 'templates/coins/game.json'), 'utf8').replaceAll('Coin', 'Pearl');
    await editor.fill(changed);
    await page.locator('#run').click();
    await page.locator('#edit-status', { hasText: 'Repeated' }).waitFor();
    await page.locator('.legend', { hasText: 'Pearl' }).waitFor();
    await editor.fill(changed.replace('{', '{ "unitTypez": {},'));
    await page.locator('.found-problems summary').click();
    await page.locator('.problems', { hasText: 'unitTypez' }).waitFor();
    await editor.fill('{');
    await page.locator('#run').click();
    await page.locator('#edit-status', { hasText: 'not a valid game' }).waitFor();
  });

  test('a game goes on after an edit that takes a while to repeat', async () => {
    const page = await open('sample=outbreak');
    await reach(page, 150);
    await page.locator('#open-edit').click();
    await page.locator('.cm-content').waitFor();
    await page.locator('#run').click();
    await page.locator('#edit-status', { hasText: 'Repeated' }).waitFor();
    const tick = await number(page, '#tick');
    await expect.poll(() => number(page, '#tick')).toBeGreaterThan(tick + 5);
  });

  test('scenarios are run with the edited game, and a failure tells its story', async () => {
    const page = await open('sample=coins');
    await page.locator('#open-test').click();
    const editor = page.locator('#panel-test .cm-content');
    await editor.waitFor();
    const status = page.locator('#test-status');
    await page.locator('#run-tests').click();
    await status.filter({ hasText: '6 passed, 0 failed' }).waitFor();
    const failing =
      'game: x.json\nscenarios:\n  - name: rich\n    given: { players: [ann] }\n    steps:\n      - { expect: ann.coins == 7 }';
    await editor.fill(failing);
    await page.locator('#run-tests').click();
    await status.filter({ hasText: '0 passed, 1 failed' }).waitFor();
    const results = page.locator('#results');
    expect(await results.textContent()).toContain('ann.coins is 0');
    expect(
      await results.locator('img').evaluate((image) => (image as unknown as { width: number }).width),
    ).toBeGreaterThan(0);
    await results.locator('button', { hasText: 'line 6' }).click();
    await editor.fill('scenarios: [{ nam: x }]');
    await page.locator('#run-tests').click();
    await status.filter({ hasText: 'cannot be run' }).waitFor();
    expect(await results.textContent()).toContain('nam');
  });

  test('the editor of scenarios completes, explains and checks as the language server does', async () => {
    const page = await open('sample=coins');
    await page.locator('#open-test').click();
    const editor = page.locator('#panel-test .cm-content');
    await editor.waitFor();
    await editor.fill('game: game.json\nscenarios:\n  - name: a\n    steps:\n      - { expect: st');
    await editor.press('Control+End');
    await page.keyboard.press('Control+Space');
    await page
      .locator('.cm-tooltip-autocomplete li', { hasText: /^state/ })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await editor.fill('game: game.json\nscenarios:\n  - name: a\n    steps:\n      - { expect: stat == 1 }');
    await page.locator('#panel-test .cm-lintRange-error').waitFor();
  });

  test('what is saved can be used with the command', async () => {
    const page = await open('sample=coins');
    await reach(page, 45);
    await page.locator('#share').click();
    const hash = (await page.locator('dialog[open] code').textContent())!;
    const saved = join(folder, 'saved');
    for (const ending of ['rj', 'scenario.yaml', 'json', 'png', 'zip']) {
      const download = page.waitForEvent('download');
      await page.locator(`#save-${ending.replace('.', '-')}`).click();
      await (await download).saveAs(join(saved, `coins.${ending}`));
    }
    const path = (ending: string): string => join(saved, `coins.${ending}`);
    const replayed = await reenact(['replay', path('rj'), '--game', path('json'), '--verify', '--json']);
    expect(replayed.stdout).toContain(hash);
    expect(await reenact(['test', path('scenario.yaml'), '--jobs', '1', '--pictures', ''])).toMatchObject({
      code: 0,
    });
    expect(readFileSync(path('png')).subarray(1, 4).toString()).toBe('PNG');
    const archive = readFileSync(path('zip'));
    for (const [name, content] of Object.entries(unzipSync(new Uint8Array(archive)))) {
      mkdirSync(dirname(join(saved, 'project', name)), { recursive: true });
      writeFileSync(join(saved, 'project', name), content);
    }
    await reenact(['init', join(saved, 'coins')]);
    // The command adds its own packages until they are in a registry.
    const all = (project: string) =>
      readdirSync(join(saved, project), { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.startsWith('vendor'))
        .sort();
    expect(all('project')).toEqual(all('coins'));
    // The central directory, the last place that names it, has its permissions 8 bytes before.
    expect(archive.readUInt32LE(archive.lastIndexOf(hookFile) - 8) >>> 16).toBe(0o100755);
    const tested = await reenact(['test', join(saved, 'project'), '--jobs', '1', '--pictures', '']);
    expect(tested).toMatchObject({ code: 0 });
  });

  test('a game that does not end its tick is ended, and the page goes on', async () => {
    const page = await open('sample=coins');
    // The page counts the time between frames, a tenth of a second at most.
    await page.evaluate(
      '[window.fewFrames, requestAnimationFrame] = [requestAnimationFrame, (draw) => setTimeout(draw, 100, performance.now())]',
    );
    // Only a bug of the engine could do this: scripts have budgets.
    page
      .workers()
      .at(-1)!
      .evaluate('for (;;);')
      .catch(() => {});
    await inState(page, 'died');
    await page.evaluate('requestAnimationFrame = fewFrames');
    expect(await page.locator('[role=alert]').textContent()).toContain('ten seconds');
    await page.locator('.back').click();
    await inState(page, 'start');
  });

  test('a game is opened from a file, compressed or not, also dropped on another game, and by pasting', async () => {
    const page = await open('none', 'start');
    const document = JSON.parse(readFileSync(join(root, 'templates/coins/game.json'), 'utf8'));
    const [bare, editors] = [JSON.stringify(document.data), JSON.stringify({ title: 'Exported', data: document.data })];
    const envelope = JSON.stringify({ gameJson: { status: 'success', data: document.data } });
    const buffer = gzipSync(envelope);
    await page.locator('#file').setInputFiles({ name: 'game.json.gz', mimeType: 'application/gzip', buffer });
    await inState(page, 'watching');
    const drop = `(text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'dropped.json'));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('main').dispatchEvent(event);
      return event.defaultPrevented;
    }`;
    expect(await page.evaluate(`(${drop})(${JSON.stringify(editors)})`)).toBe(true);
    await inState(page, 'loading');
    await inState(page, 'watching');
    await page.goBack();
    await page.goBack();
    await inState(page, 'start');
    const paste = `(text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }`;
    await page.evaluate(`(${paste})(${JSON.stringify(bare)})`);
    await inState(page, 'watching');
    await page.goBack();
    await inState(page, 'start');
  });

  /** `examples.test.ts` opens all without a browser. */
  test('an example of each page of the documentation opens with its scenarios', async () => {
    for (const { examples } of pages) {
      const page = await open(fragmentOf(examples.findLast(({ scenarios }) => scenarios !== undefined)!).slice(1));
      await page.locator('#panel-test .cm-content').waitFor();
    }
    await shared.locator('#run-tests').click();
    await shared.locator('#test-status', { hasText: '1 passed, 0 failed' }).waitFor();
  });

  test('the first visit loads at most 60 kB, compressed', async () => {
    const page = await newPage(browser, { viewport: desktop, serviceWorkers: 'block' });
    const loaded: string[] = [];
    page.context().on('request', (request) => loaded.push(request.url()));
    await page.goto(address);
    await page.waitForLoadState('networkidle');
    const files = loaded.filter((url) => url.startsWith(address)).map((url) => url.slice(address.length));
    const bytes = files.map(
      (file) => gzipSync(new Uint8Array(readFileSync(join(folder, 'below/a-path', file || 'index.html')))).length,
    );
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(60_000);
    await page.context().close();
  });

  test('it works without a network after the first visit', async () => {
    const page = shared;
    await page.evaluate('navigator.serviceWorker.ready');
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
    await page.context().setOffline(true);
    await page.goto(`${address}#sample=coins`);
    await page.reload();
    await inState(page, 'watching');
    await page.context().setOffline(false);
  });

  test('nothing is loaded from elsewhere, and the browser has nothing to complain about', () => {
    expect(strangers).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import { samples } from '../../src/playground/samples.ts';
import { canBrowse, desktop, faintTexts, launch, newPage, phone, standsOut, takePicture } from '../viewer/browser.ts';

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
  const complaints: string[] = [];
  const strangers: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reenact-playground-'));
    const { buildPlayground, serveFolder } = (await import(tools)) as Tools;
    await buildPlayground(join(folder, 'below/a-path'));
    server = await serveFolder(folder, 0);
    address = `http://127.0.0.1:${server.address().port}/below/a-path/`;
    browser = await launch();
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

  const inState = (page: Page, state: string) => page.waitForSelector(`html[data-state=${state}]`);
  const number = async (page: Page, selector: string): Promise<number> =>
    Number(await page.locator(selector).textContent());

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
    const page = await visit();
    await inState(page, 'start');
    expect(await page.locator('.sample').count()).toBe(samples.length);
    for (const [name, viewport] of Object.entries({ desktop, phone })) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await takePicture(page, `playground-start-${name}-${colorScheme}`);
        expect(await faintTexts(page)).toEqual([]);
        expect(await standsOut(page)).toBe(false);
      }
    }
    await page.context().close();
  });

  test.each(samples)('bots play $title exactly as in other programs', async ({ key, source, bots }) => {
    const page = await visit(`#sample=${key}`);
    await inState(page, 'watching');
    await expect.poll(() => number(page, '#tick')).toBeGreaterThan(40);
    await page.locator('#play').click();
    await page.locator('#scrub').fill('37');
    await page.locator('#tick', { hasText: /^37$/ }).waitFor();
    await expect.poll(() => page.locator('#hash').textContent()).toBe(hashOf(source, bots, 37));
    await page.context().close();
  });

  test('one press takes over from a bot, keys move the unit, one press gives it back', async () => {
    const page = await visit('#sample=coins');
    await inState(page, 'watching');
    await expect.poll(() => number(page, '#tick')).toBeGreaterThan(60);
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
    await page.context().close();
  });

  test('a link shows the same moment in another browser, with the same hash', async () => {
    const page = await visit('#sample=outbreak');
    await inState(page, 'watching');
    await expect.poll(() => number(page, '#tick')).toBeGreaterThan(50);
    await page.locator('#take').click();
    await inState(page, 'playing');
    await page.keyboard.press('w', { delay: 300 });
    await page.locator('#share').click();
    const link = await page.locator('#link').inputValue();
    const hash = await page.locator('dialog code').textContent();
    const other = await newPage(browser, { viewport: phone });
    await other.goto(link);
    await expect.poll(() => other.locator('#hash').textContent()).toBe(hash);
    await other.context().close();
    await page.context().close();
  });

  test('going back and on from there forgets what came after', async () => {
    const page = await visit('#sample=coins');
    await inState(page, 'watching');
    await expect.poll(() => number(page, '#tick')).toBeGreaterThan(90);
    await page.locator('#scrub').fill('30');
    await page.locator('#tick', { hasText: /^30$/ }).waitFor();
    await page.locator('#branch').click();
    await page.locator('#branch').waitFor({ state: 'hidden' });
    await page.locator('#play').click();
    await page.keyboard.press('End');
    expect(Number(await page.locator('#scrub').getAttribute('min'))).toBe(30);
    await page.context().close();
  });

  test('a changed value is seen in the game, and what is wrong is said with its place', async () => {
    const page = await visit('#sample=coins');
    await inState(page, 'watching');
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
    await page.context().close();
  });

  test('a compressed file is opened', async () => {
    const page = await visit();
    await inState(page, 'start');
    const bytes = gzipSync(new Uint8Array(readFileSync(join(root, 'templates/coins/game.json'))));
    await page.locator('#file').setInputFiles({ name: 'game.json.gz', mimeType: 'application/gzip', buffer: bytes });
    await inState(page, 'watching');
    await page.context().close();
  });

  test.each([
    ['no JSON', '{ "data": ', 'syntax-error'],
    ['no game', '[1, 2]', 'not-a-definition'],
    ['a list', '[]', 'not-a-definition'],
    ['nested too deeply', '['.repeat(5000), 'too-deep'],
    ['a forbidden key', '{"__proto__": 1}', 'forbidden-key'],
  ])('a document that is %s is refused with the reason', async (_name, text, code) => {
    const page = await visit();
    await inState(page, 'start');
    await page.locator('#paste').fill(text);
    await page.locator('#paste').press('Tab');
    await page.keyboard.press('Enter');
    await inState(page, 'broken');
    expect(await page.locator('.problems').textContent()).toContain(code);
    await page.context().close();
  });

  test('a link that is cut off says so', async () => {
    const page = await visit('#play=abcdefgh');
    await inState(page, 'start');
    expect(await page.locator('#fault').textContent()).toContain('damaged');
    await page.context().close();
  });

  test('it works without a network after the first visit', async () => {
    const page = await visit();
    await page.evaluate('navigator.serviceWorker.ready');
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
    await page.context().setOffline(true);
    await page.goto(`${address}#sample=coins`);
    await page.reload();
    await inState(page, 'watching');
    await page.context().close();
  });

  test('nothing is loaded from elsewhere, and the browser has nothing to complain about', () => {
    expect(strangers).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

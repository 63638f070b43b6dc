import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Serving, serve, temporaryFolder } from '../server/support.ts';
import { CuttableProxy } from '../support/proxy.ts';
import {
  canBrowse,
  desktop,
  faintTexts,
  faultsOfTabs,
  launch,
  newPage,
  outbreak,
  serverScripts,
  takePicture,
  takePictures,
  unreachable,
} from './browser.ts';

const adminToken = 'a token of sixteen characters';

/**
 * A player plays Outbreak in one browser, and the operator inspects the room in another. The tests form one visit and
 * run in order.
 */
describe.skipIf(!canBrowse)('the insight view of a room', { shuffle: false }, () => {
  const folder = temporaryFolder();
  let serving: Serving;
  let proxy: CuttableProxy;
  let browser: Browser;
  let ann: Page;
  let page: Page;
  const complaints: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    const viewer = serverScripts();
    const journal = `file:${resolve(folder.path, 'journal')}`;
    const game = JSON.parse(readFileSync(outbreak, 'utf8'));
    // No player becomes a zombie, however slow the machine is.
    game.gameJson.data.variables['@timePreoutbreak'].default = 3600;
    serving = await serve(folder.path, { game, viewer, journal, watchersMax: 10, adminToken, workers: 1 });
    proxy = await CuttableProxy.start(serving.server.port);
    browser = await launch();
    [ann, page] = [await open(serving.url), await open(proxy.url)];
    await ann.locator('#name').fill('Ann');
    await ann.locator('[id^=join-]').first().click();
    await ann.locator('#begin').click();
    await ann.locator('#you', { hasText: /u\d+ at/ }).waitFor({ state: 'attached' });
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.stop();
    await serving?.server.stop();
    folder.remove();
  });

  async function open(url: string): Promise<Page> {
    const made = await newPage(browser, { viewport: desktop });
    made.on('console', (message) => complaints.push(message.text()));
    made.on('pageerror', (error) => complaints.push(error.message));
    made.on('request', (request) => requests.push(request.url()));
    await made.goto(url);
    return made;
  }

  const inState = (state: string) => page.waitForSelector(`html[data-state=${state}]`);
  const tickShown = async (): Promise<number> => Number(await page.locator('#tick').textContent());

  async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
    for (let tries = 0; tries < 400; tries++) {
      if (await holds()) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`It did not happen that ${what}.`);
  }

  test('is not offered without a token', async () => {
    await inState('lobby');
    await page.locator('.rooms li b', { hasText: 'Outbreak' }).waitFor();
    expect(await page.locator('[id^=inspect-]').count()).toBe(0);
  });

  test("opens with the operator's token, and refuses others", async () => {
    await page.locator('.operator summary').click();
    await takePictures(page, 'insight-lobby');
    await page.locator('#admin').fill('not the token of it');
    await page.keyboard.press('Enter');
    await page.locator('[id^=inspect-]').click();
    await inState('asking');
    expect(await page.locator('output').textContent()).toBe('This token is wrong.');
    expect(await faintTexts(page)).toEqual([]);
    await takePictures(page, 'insight-asking');
    // The browser cannot send it in a header.
    await page.locator('output').evaluate((output) => output.replaceChildren());
    await page.locator('#admin').fill('ключ 👍');
    await page.keyboard.press('Enter');
    await page.locator('output', { hasText: 'This token is wrong.' }).waitFor();
    await page.locator('#admin').fill(adminToken);
    await page.keyboard.press('Enter');
    await inState('ready');
    expect(page.url()).not.toContain('token');
  });

  test('replays the room with the hashes of the server', async () => {
    const before = await tickShown();
    await until(async () => (await tickShown()) > before + 30, 'it went on');
    await page.locator('.verdict', { hasText: '✓ as on the server' }).waitFor();
    expect(await page.locator('#live').getAttribute('aria-pressed')).toBe('true');
    const [room] = serving.server.rooms.byId.values();
    expect(room!.tick - (await tickShown())).toBeLessThan(40);
  });

  test('lists triggers, scripts with false conditions, outputs and faults as they occur', async () => {
    const panel = page.locator('#panel');
    await page.locator('#tab-triggers').click();
    await panel
      .locator('.event', { hasText: /Tick|unit|entity/ })
      .first()
      .waitFor();
    const heading = panel.locator('h4').first();
    const first = await heading.textContent();
    await until(async () => (await heading.textContent()) !== first, 'newer triggers were listed');
    await page.locator('#tab-scripts').click();
    const condition = panel.locator('.condition').first();
    await condition.waitFor();
    expect(await condition.textContent()).toMatch(/✗ .+/);
    expect(await panel.locator('.condition small').allTextContents()).toContainEqual(expect.stringMatching(/ is /));
    await page.locator('#tab-outputs').click();
    await panel.locator('.event', { hasText: 'ui.text' }).first().waitFor();
    await page.locator('#tab-faults').click();
    await panel.getByText('There were no faults').waitFor();
  });

  test('shows an entity with attributes, variables, inventory and AI', async () => {
    const panel = page.locator('#panel');
    await page.locator('#tab-all').click();
    await panel.locator('h3', { hasText: 'Global variables' }).waitFor({ state: 'attached' });
    await panel.locator('li', { hasText: 'Ann' }).locator('[data-id^=u]').click();
    await panel.locator('h3', { hasText: 'Attributes' }).waitFor();
    await panel.locator('h3', { hasText: 'Inventory' }).waitFor();
    await panel.locator('tr', { hasText: 'Slot 1' }).getByText('Stun gun').waitFor();
    await page.locator('#tab-all').click();
    await panel.locator('li', { hasText: 'Dog' }).locator('[data-id^=u]').first().click();
    await panel.locator('h3', { hasText: 'AI' }).waitFor();
  });

  test('keeps elements of a list when it is redrawn, so that no click is lost', async () => {
    await page.locator('#tab-all').click();
    const own = await page.locator('#panel li', { hasText: 'Ann' }).locator('[data-id^=u]').elementHandle();
    const before = await tickShown();
    await until(async () => (await tickShown()) > before + 20, 'it went on');
    expect(await own!.evaluate((element) => (element as unknown as { isConnected: boolean }).isConnected)).toBe(true);
  });

  test('shows the tick times of the server', async () => {
    const text = /^tick \d+\.\d\d ms · median \d+\.\d\d · max \d+\.\d\d of 50\.0 ms · -?\d+\.\d late$/;
    await page.locator('#tick-time', { hasText: text }).waitFor();
  });

  test('shows a key of a player at once', async () => {
    const panel = page.locator('#panel');
    await page.locator('#tab-all').click();
    await panel.locator('li', { hasText: 'Ann' }).locator('[data-id^=u]').click();
    const x = async () =>
      Number(
        await panel
          .locator('tr', { has: page.locator('th', { hasText: /^x$/ }) })
          .locator('td')
          .textContent(),
      );
    const before = await x();
    const key = before < 1000 ? 'KeyD' : 'KeyA';
    await ann.locator('main canvas').focus();
    await ann.keyboard.down(key);
    await until(async () => Math.abs((await x()) - before) > 40, 'it moved');
    await ann.keyboard.up(key);
    await takePictures(page, 'insight-entity');
  });

  test('can be paused, rewound, searched and made live again', async () => {
    await page.locator('main canvas').focus();
    await page.keyboard.press('Space');
    const stopped = await tickShown();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.locator('#tick', { hasText: new RegExp(`^${stopped - 21}$`) }).waitFor();
    expect(await page.locator('#live').getAttribute('aria-pressed')).toBe('false');
    await page.locator('#search').fill(`tick >= ${stopped - 10}`);
    await page.keyboard.press('Enter');
    await page.locator('#tick', { hasText: new RegExp(`^${stopped - 10}$`) }).waitFor();
    await page.locator('#live').click();
    await until(async () => (await tickShown()) > stopped + 5, 'it was live again');
    expect(await page.locator('#live').getAttribute('aria-pressed')).toBe('true');
  });

  test.each(['light', 'dark'] as const)('has readable texts in %s, and fits into 360 px', async (colorScheme) => {
    expect(
      await faultsOfTabs(page, colorScheme, ['all', 'scripts', 'triggers', 'outputs', 'entity'], 'insight'),
    ).toEqual([]);
  });

  test('can be used by keyboard', async () => {
    expect(await unreachable(page)).toEqual([]);
  });

  test('is offered to a watcher with the token', async () => {
    const other = await page.context().newPage();
    await other.goto(serving.url);
    await other.evaluate(`sessionStorage.setItem('reenact-admin', '${adminToken}')`);
    await other.reload();
    await other.locator('[id^=watch-]').first().click();
    await other.locator('#insight').click();
    await other.waitForSelector('html[data-state=ready]');
    await other.close();
  });

  test('reports a lost connection and continues afterwards', async () => {
    proxy.cut();
    await inState('lost');
    expect(await page.locator('.banner').textContent()).toContain('Reconnecting');
    await takePicture(page, 'insight-lost');
    proxy.isDown = false;
    await inState('ready');
    const [room] = serving.server.rooms.byId.values();
    await until(async () => room!.tick - (await tickShown()) < 40, 'it was at the newest tick');
    await page.locator('.verdict', { hasText: '✓ as on the server' }).waitFor();
    expect(await page.locator('.banner').isVisible()).toBe(false);
  });

  test('refuses an address without an existing room at once', async () => {
    const other = await page.context().newPage();
    await other.goto(`${serving.url}/insight`);
    await other.getByRole('alert').filter({ hasText: 'The address of this page contains no room' }).waitFor();
    expect(await other.locator('#admin').count()).toBe(0);
    await takePictures(other, 'insight-refused');
    await other.goto('about:blank');
    const asked: string[] = [];
    other.on('request', (request) => asked.push(request.url()));
    await other.goto(`${serving.url}/insight#room=nowhere&admin=${encodeURIComponent(adminToken)}`);
    await other.getByRole('alert').filter({ hasText: 'This room does not exist.' }).waitFor();
    expect(asked.filter((url) => url.includes('/rooms/'))).toHaveLength(1);
    await other.close();
  });

  test('asks for a new token after a restart with another one', async () => {
    // Simulates the server's answer if the page's token is not valid.
    await page.route('**/insight', (route) => route.fulfill({ status: 401, body: '{}' }));
    proxy.cut();
    await inState('lost');
    proxy.isDown = false;
    await inState('asking');
    await page.unroute('**/insight');
    await page.locator('#admin').fill(adminToken);
    await page.keyboard.press('Enter');
    await inState('ready');
    await page.locator('.verdict', { hasText: '✓ as on the server' }).waitFor();
    expect(await page.locator('main canvas').isVisible()).toBe(true);
  });

  test('reports the end of the room', async () => {
    const [room] = serving.server.rooms.byId.values();
    void serving.server.rooms.close(room!);
    await inState('ended');
    await page.locator('.banner', { hasText: 'The game is over.' }).waitFor();
    await takePicture(page, 'insight-ended');
  });

  test('logs no error and requests nothing from other servers', () => {
    // The browser itself logs lost connections and unauthorized answers.
    expect(complaints.filter((text) => !/WebSocket connection|ERR_|Failed to load resource/.test(text))).toEqual([]);
    const own = [proxy.url, serving.url, 'data:', 'blob:'];
    expect(requests.filter((url) => !own.some((start) => url.startsWith(start)))).toEqual([]);
  });
});

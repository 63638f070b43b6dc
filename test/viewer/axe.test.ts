import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Serving, serve, temporaryFolder } from '../server/support.ts';
import { program } from '../support/program.ts';
import {
  axeFaults,
  canBrowse,
  desktop,
  flatPhone,
  launch,
  newPage,
  outbreak,
  phone,
  serverScripts,
} from './browser.ts';

const adminToken = 'a token of sixteen characters';

/** Every page of a server and of a journal, on a desktop in light colours, and on phones in dark and light ones. */
describe.skipIf(!canBrowse).each<readonly [string, BrowserContextOptions]>([
  ['on a desktop', { viewport: desktop, colorScheme: 'light' }],
  ['on a phone', { viewport: phone, colorScheme: 'dark', hasTouch: true, isMobile: true }],
  ['on a flat phone', { viewport: flatPhone, colorScheme: 'light', hasTouch: true, isMobile: true }],
])('axe finds nothing %s:', (_where, options) => {
  const folder = temporaryFolder();
  let serving: Serving;
  let browser: Browser;

  beforeAll(async () => {
    const game = JSON.parse(readFileSync(outbreak, 'utf8'));
    serving = await serve(folder.path, {
      game,
      viewer: serverScripts(),
      adminToken,
      journal: `file:${join(folder.path, 'journal')}`,
    });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await serving?.server.stop();
    folder.remove();
  });

  const open = async (url: string, state: string): Promise<Page> => {
    const page = await newPage(browser, options);
    await page.goto(url);
    await page.waitForSelector(`html[data-state=${state}]`);
    return page;
  };
  const inTabs = async (page: Page): Promise<void> => {
    const tabs = await page.locator('[role=tab]').evaluateAll((all) => all.map(({ id }) => id));
    expect(tabs.length).toBeGreaterThan(2);
    for (const tab of tabs) {
      await page.locator(`#${tab}`).click();
      expect(await axeFaults(page), tab).toEqual([]);
    }
  };

  test('games, a room, and what administrators see of it', async () => {
    const page = await open(serving.url, 'lobby');
    await page.locator('.cards h2').waitFor();
    expect(await axeFaults(page), 'games').toEqual([]);
    await page.locator('.cards .main').click();
    await page.waitForSelector('html[data-state=playing]');
    await page.locator('#begin').waitFor();
    expect(await axeFaults(page), 'the first card').toEqual([]);
    await page.locator('#begin').click();
    await page.locator('.hud-scores li').first().waitFor();
    expect(await axeFaults(page), 'the game').toEqual([]);
    await page.locator('#details').click();
    await inTabs(page);
    const admin = await open(`${serving.url}/admin`, 'asking');
    expect(await axeFaults(admin), 'the question for a token').toEqual([]);
    await admin.locator('#admin').fill(adminToken);
    await admin.locator('#admin').press('Enter');
    await admin.locator('.person').waitFor();
    expect(await axeFaults(admin), 'administrators').toEqual([]);
    await admin.goto(`${serving.url}/insight?room=${[...serving.server.rooms.byId.keys()][0]}`);
    await admin.waitForSelector('html[data-state=ready]');
    expect(await axeFaults(admin), 'the inside of a room').toEqual([]);
  });

  test('help, forms, refusals, and lost connections', async () => {
    const watcher = await open(serving.url, 'lobby');
    await watcher.locator('[id^=watch-]').first().click();
    await watcher.waitForSelector('html[data-state=watching]');
    expect(await axeFaults(watcher), 'a room that is watched').toEqual([]);
    await watcher.locator('[aria-label="How to play"]').click();
    expect(await axeFaults(watcher), 'its help').toEqual([]);
    const refused = await open(`${serving.url}/#room=gone`, 'lobby');
    await refused.getByText('This room does not exist.').waitFor();
    expect(await axeFaults(refused), 'a room that does not exist').toEqual([]);
    await refused.route('**/definitions', (route) => route.abort());
    await refused.locator('#fault:not(:empty)').waitFor();
    expect(await axeFaults(refused), 'games that cannot be listed').toEqual([]);
    const admin = await open(`${serving.url}/admin`, 'asking');
    await admin.locator('#admin').fill(adminToken);
    await admin.locator('#admin').press('Enter');
    await admin.locator('[id^=end-]').first().click();
    expect(await axeFaults(admin), 'the end of a room').toEqual([]);
    await admin.goto(`${serving.url}/insight`);
    await admin.waitForSelector('html[data-state=ended]');
    expect(await axeFaults(admin), 'no room to inspect').toEqual([]);
    const player = await open(serving.url, 'lobby');
    await player.addInitScript(`{
      const sockets = [];
      window.WebSocket = class extends WebSocket {
        constructor(...given) {
          super(...given);
          sockets.push(this);
          if (window.isCut) this.close();
        }
      };
      window.cut = () => { window.isCut = true; for (const socket of sockets) socket.close(); };
    }`);
    await player.reload();
    await player.locator('.cards .main').click();
    await player.locator('#begin').click();
    await player.evaluate('cut()');
    await player.waitForSelector('html[data-state=lost]');
    expect(await axeFaults(player), 'a lost connection').toEqual([]);
  });

  test('a recorded play', async () => {
    const html = join(folder.path, 'play.html');
    spawnSync(process.execPath, [program, 'run', outbreak, '--seconds', '20', '--bots', '4', '--html', html]);
    const page = await open(pathToFileURL(html).href, 'ready');
    expect(await axeFaults(page)).toEqual([]);
    await inTabs(page);
  });
});

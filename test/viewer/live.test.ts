import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeServerMessage } from '../../src/net/protocol/messages/messages.ts';
import { type Serving, serve, temporaryFolder } from '../server/support.ts';
import { script } from '../support/play.ts';
import { CuttableProxy } from '../support/proxy.ts';
import {
  brokenWords,
  canBrowse,
  desktop,
  faintTexts,
  faultsOfTabs,
  flatPhone,
  launch,
  newPage,
  outbreak,
  overlaps,
  phone,
  serverScripts,
  standsOut,
  takePicture,
  takePictures,
  tooSmallToTouch,
  unreachable,
} from './browser.ts';

/** HTML with parts that a game may send and parts that it may not. */
const hostile =
  '<style>*{visibility:visible} header,canvas,.tools{display:none!important}</style>' +
  '<style>:host{position:fixed!important;inset:-900px!important;z-index:99999!important;background:red!important}</style>' +
  '<style>b{background:url(http://203.0.113.1/b.png)} @import "http://203.0.113.1/a.css";</style>' +
  '<b style="color: rgb(200, 0, 0);">red</b> <a href="javascript:alert(1)">link</a>' +
  '<div id="cover" popover style="position: fixed; inset: -900px; z-index: 99999; background: red"></div>' +
  '<img src="http://203.0.113.1/x.png" onerror="alert(1)"><script>alert(1)</script><iframe src="http://203.0.113.1/"></iframe>' +
  '<button id="again" onclick="alert(1)">Again</button>';
/** HTML as authors write it. */
const styled =
  '<style>.bar { width: 40px; background: rgb(0, 0, 200) }</style><div class="bar" style="height:8px"></div>';
/** Where a script builds a wall before anybody joins, and the size of the map, in cells. */
const built = { x: 28, y: 2, columns: 32, rows: 24 };
const adminToken = 'a token of sixteen characters';

/**
 * Two players in separate browsers play Outbreak, and a third person watches. The tests form one visit and run in
 * order.
 */
describe.skipIf(!canBrowse)('the page of a server:', { shuffle: false }, () => {
  const folder = temporaryFolder();
  let serving: Serving;
  let proxy: CuttableProxy;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  const requests: string[] = [];
  const loaded: { readonly page: Page; readonly path: string; readonly bytes: number }[] = [];
  let ann: Page;
  let bob: Page;
  let eve: Page;

  beforeAll(async () => {
    const game = JSON.parse(readFileSync(outbreak, 'utf8'));
    // Walls are drawn in a colour that can be found.
    game.gameJson.data.map.tilesets[0].image = '';
    // No player becomes a zombie, however slow the machine is.
    game.gameJson.data.variables['@timePreoutbreak'].default = 3600;
    // Shots fly slowly and far, and there are enough of them, so that no page can miss them.
    Object.assign(game.gameJson.data.itemTypes.stunGun, { quantity: 1000, maxQuantity: 1000, bulletForce: 1 });
    game.gameJson.data.projectileTypes.dart.lifeSpan = 5000;
    game.gameJson.data.scripts.hostile = script('gameStart', [
      { type: 'updateUiTextForEveryone', target: 'hostile', value: hostile },
      { type: 'updateUiTextForEveryone', target: 'styled', value: styled },
    ]);
    game.gameJson.data.scripts.clicked = script('htmlUiClick', [
      {
        type: 'updateUiTextForEveryone',
        target: 'clicked',
        value: { function: 'lastClickedUiElementId', player: { function: 'getTriggeringPlayer' } },
      },
    ]);
    const player = { function: 'getTriggeringPlayer' };
    game.gameJson.data.scripts.mute = script('playerSendsMessage', [
      {
        type: 'condition',
        conditions: [
          { operator: '==', operandType: 'string' },
          { function: 'getLastChatMessageSentByPlayer', player },
          '/mute',
        ],
        then: [{ type: 'banPlayerFromChat', player }],
        else: [],
      },
    ]);
    game.gameJson.data.scripts.build = script('gameStart', [
      { type: 'editMapTile', gid: 1, layer: 3, x: built.x, y: built.y },
    ]);
    const viewer = serverScripts();
    const journal = `file:${resolve(folder.path, 'journal')}`;
    serving = await serve(folder.path, { game, viewer, journal, watchersMax: 10, adminToken });
    proxy = await CuttableProxy.start(serving.server.port);
    browser = await launch();
    [ann, bob, eve] = [await open(), await open(), await open()];
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.stop();
    await serving?.server.stop();
    folder.remove();
  });

  async function open(): Promise<Page> {
    const page = await newPage(browser, { viewport: desktop });
    contexts.push(page.context());
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    page.on('requestfinished', async (request) => {
      const path = new URL(request.url()).pathname;
      loaded.push({ page, path, bytes: (await request.sizes()).responseBodySize });
    });
    await page.goto(proxy.url);
    await inState(page, 'lobby');
    return page;
  }

  const inState = (page: Page, state: string) => page.waitForSelector(`html[data-state=${state}]`);

  const ownUnit = (page: Page, text: string | RegExp = /u\d+ at/) =>
    page.locator('#you', { hasText: text }).waitFor({ state: 'attached' });

  async function join(page: Page, name: string): Promise<void> {
    await page.locator('#name').fill(name);
    await page.locator('[id^=join-]').first().click();
    await inState(page, 'playing');
    await page.locator('#begin').click();
    await ownUnit(page);
  }

  /** The id and position of a page's own unit, as the page shows them. */
  async function unitOf(page: Page): Promise<{ id: string; x: number; y: number }> {
    const text = (await page.locator('#you').textContent()) ?? '';
    const [, id, x, y] = /(u\d+) at (-?\d+), (-?\d+)/.exec(text)!;
    return { id: id!, x: Number(x), y: Number(y) };
  }

  /** Where another page shows a unit. */
  async function placeSeen(page: Page, id: string): Promise<{ x: number; y: number }> {
    await page.locator('#tab-all').click();
    await page.locator(`#panel [data-id="${id}"]`).first().click();
    const place = page.locator('#panel tr', { hasText: 'position' }).locator('td');
    const [x, y] = ((await place.textContent()) ?? '').split(', ').map(Number);
    return { x: x!, y: y! };
  }

  async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
    for (let tries = 0; tries < 400; tries++) {
      if (await holds()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`It did not happen that ${what}.`);
  }

  test('its content security policy allows its own files only', async () => {
    const { headers } = await fetch(serving.url);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  test('the lobby shows the games', async () => {
    await ann.locator('.cards h2', { hasText: 'Outbreak' }).waitFor();
    await ann.waitForFunction("document.querySelector('.cover').naturalWidth > 0");
    await takePictures(ann, 'live-lobby');
    expect(await unreachable(ann)).toEqual([]);
  });

  test('the first input of a player needs at most 90 kB; what predicts the unit is loaded after it', async () => {
    await ann.locator('#name').fill('Ann');
    await ann.locator('[id^=join-]').first().click();
    await inState(ann, 'playing');
    const before = loaded.filter(({ page }) => page === ann).map(({ path, bytes }) => [path, bytes] as const);
    const code = before.filter(([path]) => /^\/(?:$|.*\.js$)/.test(path));
    expect(code.map(([path]) => path)).toEqual(['/', '/live.js']);
    expect(code.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(90_000);
    // The key is held before anything can predict it.
    await ann.locator('#begin').click();
    await ann.keyboard.down('KeyD');
    await ann.locator('#you', { hasText: 'ms ahead' }).waitFor({ state: 'attached' });
    expect(loaded.filter(({ page }) => page === ann).map(({ path }) => path)).toContainEqual(
      expect.stringMatching(/^\/prediction-.*\.js$/),
    );
    await ann.keyboard.up('KeyD');
  });

  test('two players join one room, and a watcher is not a player', async () => {
    await ownUnit(ann);
    await takePictures(ann, 'live-game');
    await ann.locator('#details').click();
    await join(bob, 'Bob');
    await bob.locator('#details').click();
    await eve.locator('.cards b', { hasText: '2 players' }).waitFor();
    await takePictures(eve, 'live-cards');
    await eve.locator('[id^=watch-]').first().click();
    await inState(eve, 'watching');
    await eve.locator('#details').click();
    const [room] = serving.server.rooms.byId.values();
    expect(room!.seats.size).toBe(2);
    expect(room!.watchers.size).toBe(1);
    await eve.locator('#panel', { hasText: /Ann[\s\S]*Bob|Bob[\s\S]*Ann/ }).waitFor();
  });

  test('an invitation leads into the room', async () => {
    await ann.locator('#invite').click();
    const window = ann.locator('.window[open]');
    const [link = ''] = /http:\S+#room=[\w-]+/.exec((await window.locator('p').textContent())!) ?? [];
    await until(
      async () => (await ann.evaluate(`document.querySelector('.qr').naturalWidth > 20`)) as boolean,
      'the QR code is shown',
    );
    await takePictures(ann, 'live-invite');
    await window.locator('.close').click();
    const cid = await newPage(browser, { viewport: desktop });
    await cid.goto(link);
    await inState(cid, 'playing');
    expect(new URL(cid.url()).hash).toBe('');
    const [room] = serving.server.rooms.byId.values();
    expect(room!.seats.size).toBe(3);
    await cid.locator('#begin').click();
    await cid.locator('#leave').click();
    await until(async () => room!.seats.size === 2, 'the friend left');
    await cid.context().close();
  });

  test('a wall built by a script is drawn for later players', async () => {
    const middle = `(() => {
      const canvas = document.querySelector('main canvas');
      const { columns, rows, x, y } = ${JSON.stringify(built)};
      const { clientWidth: width, clientHeight: height } = canvas;
      const zoom = Math.min(width / columns, height / rows) * 0.96;
      const at = [width / 2 + (x + 0.5 - columns / 2) * zoom, height / 2 + (y + 0.5 - rows / 2) * zoom];
      const [left, top] = at.map((px) => Math.round(px * (canvas.width / width)));
      const [r, g, b] = canvas.getContext('2d').getImageData(left, top, 1, 1).data;
      const shown = '#' + [r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('');
      return shown === getComputedStyle(canvas).getPropertyValue('--wall').trim();
    })()`;
    await until(async () => (await eve.evaluate(middle)) === true, 'the wall was drawn');
  });

  test('a key moves the own unit, visibly for other browsers', async () => {
    const before = await unitOf(ann);
    const seenBefore = await placeSeen(bob, before.id);
    // Walks away from the nearer side of the map.
    const key = before.x < 1000 ? 'KeyD' : 'KeyA';
    await ann.keyboard.down(key);
    await until(async () => Math.abs((await unitOf(ann)).x - before.x) > 60, 'the unit moved');
    await ann.keyboard.up(key);
    for (const page of [bob, eve]) {
      await until(async () => Math.abs((await placeSeen(page, before.id)).x - seenBefore.x) > 40, 'others saw it');
    }
  });

  test('HTML of a game is shown without anything that could load or run', async () => {
    const area = eve.locator('[data-area=hostile]');
    await area.waitFor();
    expect(await area.evaluate((host) => host.shadowRoot!.innerHTML)).toBe(
      '<b style="color: rgb(200, 0, 0);">red</b> <a target="_blank" rel="noopener noreferrer nofollow">link</a>' +
        '<div id="cover" style="position: fixed; inset: -900px; z-index: 99999; background: red;"></div>' +
        '<button id="again" type="button">Again</button>',
    );
    const bar = `(() => {
      const { width, height, backgroundColor } = getComputedStyle(
        document.querySelector('[data-area=styled]').shadowRoot.querySelector('.bar'),
      );
      return [width, height, backgroundColor];
    })()`;
    expect(await eve.evaluate(bar)).toEqual(['40px', '8px', 'rgb(0, 0, 200)']);
  });

  test('styles and elements of a game affect no other part of the page', async () => {
    const covered =
      await eve.evaluate(`[...document.querySelectorAll('header button:not(#fullscreen), .tools button, .slots, .chat, [role=tab]')].filter((own) => {
      if (own.closest('dialog:not([open])') !== null) return false;
      const { left, top, width, height } = own.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return width === 0 || (found !== own && !own.contains(found));
    }).map(({ outerHTML }) => outerHTML)`);
    expect(covered).toEqual([]);
    expect(await eve.locator('main canvas').isVisible()).toBe(true);
    await takePicture(eve, 'live-hostile');
  });

  test('a click on an element of a game is sent to the game', async () => {
    const before = await ann.locator('[data-area=clicked]').count();
    expect(before).toBe(0);
    await ann.locator('[data-area=hostile] #again').dispatchEvent('click');
    await ann.locator('[data-area=clicked]', { hasText: 'again' }).waitFor();
  });

  test('a click shoots a projectile that everyone sees', async () => {
    await ann.locator('#tab-all').click();
    await eve.locator('#tab-all').click();
    const box = (await ann.locator('main canvas').boundingBox())!;
    const shots = [ann, eve].map((page) => page.locator('#panel h3', { hasText: 'Projectiles' }));
    // A wall or a unit nearby ends a shot at once, so each shot goes in another direction.
    let way = 0;
    await until(async () => {
      const angle = (way++ * Math.PI) / 4;
      await ann.mouse.move(
        box.x + box.width / 2 + 150 * Math.cos(angle),
        box.y + box.height / 2 + 150 * Math.sin(angle),
      );
      await ann.mouse.down();
      await ann.waitForTimeout(600);
      const seen = await Promise.all(shots.map((shot) => shot.isVisible()));
      await takePicture(ann, 'live-shooting');
      await ann.mouse.up();
      return seen.every(Boolean);
    }, 'all saw the shot');
  });

  test('chat messages are shown to everyone, and never as HTML', async () => {
    await ann.keyboard.press('Enter');
    await ann.locator('#chat').fill('hello <b>you</b> & all');
    await ann.keyboard.press('Enter');
    for (const page of [ann, bob, eve]) {
      const line = page.locator('.chat-log p', { hasText: 'hello <b>you</b> & all' });
      await line.waitFor();
      expect(await line.locator('b').allTextContents()).toEqual(['Ann']);
    }
    await takePictures(bob, 'live-playing');
    await takePictures(eve, 'live-watching');
  });

  test('the newest chat message is in view, also after the page has changed', async () => {
    const log = `document.querySelector('.chat-log')`;
    await bob.evaluate(
      `for (let i = 0; i < 9; i++) ${log}.querySelector('p').after(${log}.querySelector('p').cloneNode(true))`,
    );
    const below = `${log}.querySelector('p:last-child').getBoundingClientRect().bottom - ${log}.getBoundingClientRect().bottom`;
    for (let i = 0; i < 2; i++) {
      await bob.locator('#details').click();
      expect(await bob.evaluate(below)).toBeLessThanOrEqual(1);
    }
  });

  test('a refused chat message is reported and stays in the field', async () => {
    await ann.keyboard.press('Enter');
    await ann.locator('#chat').fill('see https://example.com');
    await ann.keyboard.press('Enter');
    await ann.locator('.chat-log p', { hasText: 'Not sent: “see https://example.com”. Links' }).waitFor();
    expect(await ann.locator('#chat').inputValue()).toBe('see https://example.com');
    await takePictures(ann, 'live-chat-refused');
    await ann.locator('#chat').fill('');
    await ann.locator('main canvas').focus();
  });

  test('a player who may not chat sees a notice in place of the field', async () => {
    await bob.locator('#chat').fill('/mute');
    await bob.locator('#chat').press('Enter');
    await bob.locator('#chat-closed', { hasText: 'You have been muted' }).waitFor();
    expect(await bob.locator('#chat').isVisible()).toBe(false);
    await takePictures(bob, 'live-chat-closed');
    await bob.locator('main canvas').focus();
  });

  test('a shop opens, sells, and gives the reason of a refusal', async () => {
    await bob.locator('main canvas').focus();
    await bob.keyboard.press('KeyB');
    const window = bob.locator('dialog[open]');
    await window.waitFor();
    await takePictures(bob, 'live-shop');
    expect(await faintTexts(bob)).toEqual([]);
    await window.getByRole('button', { name: /^Buy/ }).first().click();
    await window.locator('output', { hasText: /\w/ }).waitFor();
    await bob.keyboard.press('Escape');
    await expect.poll(() => window.count()).toBe(0);
  });

  test('an input box can be answered', async () => {
    await bob.locator('main canvas').focus();
    await bob.keyboard.press('KeyN');
    const window = bob.locator('dialog[open]');
    await window.waitFor();
    await window.locator('input').fill('Robert');
    await bob.keyboard.press('Enter');
    await expect.poll(() => window.count()).toBe(0);
    await bob.locator('#you', { hasText: 'Robert' }).waitFor();
  });

  test('a digit key and a click select an item', async () => {
    await ann.locator('.slots button').nth(1).click();
    await ann.locator('.slots button[aria-pressed=true]', { hasText: '2' }).waitFor();
    await ann.locator('main canvas').focus();
    await ann.keyboard.press('Digit1');
    await ann.locator('.slots button[aria-pressed=true]', { hasText: '1' }).waitFor();
  });

  test('a lost connection is reported and resumed as the same player', async () => {
    const before = await unitOf(ann);
    proxy.cut();
    await inState(ann, 'lost');
    await inState(eve, 'lost');
    expect(await ann.locator('.banner').textContent()).toContain('Reconnecting');
    await takePictures(ann, 'live-lost');
    proxy.isDown = false;
    await inState(ann, 'playing');
    await inState(eve, 'watching');
    await ownUnit(ann);
    expect((await unitOf(ann)).id).toBe(before.id);
    const [room] = serving.server.rooms.byId.values();
    await expect.poll(() => [...room!.seats.values()].filter(({ session }) => session !== undefined).length).toBe(2);
  });

  test('a reloaded page continues as the same player', async () => {
    const before = await unitOf(ann);
    await ann.reload();
    await inState(ann, 'playing');
    await ownUnit(ann, before.id);
    expect(await ann.locator('#begin').isVisible()).toBe(false);
    await ann.locator('#details').click();
  });

  test('a watcher selects, follows and zooms by keys', async () => {
    await eve.locator('main canvas').focus();
    await eve.keyboard.press('n');
    await eve.locator('#tab-entity[aria-selected=true]').waitFor();
    await eve.locator('main canvas').focus();
    await eve.keyboard.press('f');
    expect(await eve.getByRole('button', { name: 'Follow the selected entity' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await takePicture(eve, 'live-following');
  });

  test('everything can be used by keyboard, by watchers and players', async () => {
    expect(await unreachable(eve)).toEqual([]);
    expect(await unreachable(ann)).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'texts are readable in %s, and everything fits into 360 px',
    async (colorScheme) => {
      for (const page of [ann, eve])
        expect(await faultsOfTabs(page, colorScheme, ['entity', 'players', 'all'], 'live')).toEqual([]);
    },
  );

  test('the texts of a game break between words only, also in a small window', async () => {
    await ann.setViewportSize({ width: 480, height: 360 });
    expect(await brokenWords(ann, '.area[data-area=top], .area[data-area=scoreboard]')).toEqual([]);
    await ann.setViewportSize(desktop);
  });

  test('on a phone one thumb walks and the other aims and shoots, and a button opens the shop', async () => {
    const page = await newPage(browser, { viewport: phone, isMobile: true, hasTouch: true });
    const context = page.context();
    await page.goto(proxy.url);
    await inState(page, 'lobby');
    await takePicture(page, 'live-lobby-touch');
    await join(page, 'Tim');
    const before = await unitOf(page);
    const pad = (await page.locator('.pad').first().boundingBox())!;
    const [x, y] = [pad.x + pad.width / 2, pad.y + pad.height / 2];
    const touch = await context.newCDPSession(page);
    const at = (dx: number, dy: number) => [{ x: x + dx, y: y + dy }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0, 0) });
    for (const [dx, dy] of [
      [50, 0],
      [-50, 0],
      [0, 50],
    ] as const) {
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(dx, dy) });
      await page.waitForTimeout(400);
    }
    await until(async () => {
      const now = await unitOf(page);
      return Math.hypot(now.x - before.x, now.y - before.y) > 15;
    }, 'the unit walked');
    await takePicture(page, 'live-touch');
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect(await standsOut(page)).toBe(false);
    await eve.locator('#tab-all').click();
    const shot = eve.locator('#panel h3', { hasText: 'Projectiles' }).waitFor({ state: 'attached' });
    const stick = (await page.locator('.pad').last().boundingBox())!;
    const finger = [{ x: stick.x + stick.width * 0.9, y: stick.y + stick.height / 2 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: finger });
    await shot;
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    // The buttons act as keys.
    await page.locator('.pad-keys button', { hasText: 'Open the shop' }).tap();
    await page.locator('dialog[open]', { hasText: 'Trader' }).waitFor();
    await takePicture(page, 'live-touch-shop');
    await context.close();
  });

  test('a phone that is turned, or sleeps, lets go of its stick; awake again, it is back in its seat', async () => {
    const page = await newPage(browser, { viewport: phone, isMobile: true, hasTouch: true });
    await page.goto(proxy.url);
    await inState(page, 'lobby');
    await join(page, 'Sam');
    const { id } = await unitOf(page);
    let connections = 0;
    page.on('websocket', () => connections++);
    const touch = await page.context().newCDPSession(page);
    const press = async (): Promise<void> => {
      const { x, y, width, height } = (await page.locator('.pad').first().boundingBox())!;
      const touchPoints = [{ x: x + width * 0.9, y: y + height / 2 }];
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    };
    const knob = () => page.evaluate(`document.querySelector('.pad i').style.transform`) as Promise<string>;
    const moves = 'translate(0%, 0%)';
    await press();
    await until(async () => (await knob()) !== moves && (await knob()) !== '', 'the stick is pushed');
    const screenOrientation = { type: 'landscapePrimary', angle: 90 } as const;
    const flat = { ...flatPhone, deviceScaleFactor: 1, mobile: true, screenOrientation };
    await touch.send('Emulation.setDeviceMetricsOverride', flat);
    await until(async () => (await knob()) === moves, 'the stick is let go');
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await touch.send('Page.setWebLifecycleState', { state: 'frozen' });
    proxy.cut();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    proxy.isDown = false;
    await touch.send('Page.setWebLifecycleState', { state: 'active' });
    await until(async () => connections > 0, 'the page connects again');
    await inState(page, 'playing');
    await ownUnit(page, id);
    await page.locator('#leave').tap();
    await inState(page, 'lobby');
    await inState(ann, 'playing');
    await inState(eve, 'watching');
    await page.context().close();
  });

  test.each([phone, flatPhone])(
    'on a phone of $width x $height buttons cover neither the unit nor the score, and are large enough',
    async (viewport) => {
      const page = await newPage(browser, { viewport, isMobile: true, hasTouch: true });
      await page.goto(proxy.url);
      await join(page, 'Kim');
      await page.locator('.pad-keys button').nth(2).waitFor();
      await takePicture(page, `live-touch-${viewport.width}`);
      const texts = '.area[data-area=top], .area[data-area=scoreboard]';
      await page.locator(texts).nth(1).waitFor();
      const own = `header > button, .pad, .pad-keys button, .hud-bar, .hud-scores, .slots button, .chat form`;
      expect(await overlaps(page, `${own}, ${texts}`)).toEqual([]);
      const { width, height } = viewport;
      // The unit is in the middle.
      const covers = (box: { x: number; y: number; width: number; height: number } | null) =>
        box !== null &&
        box.x < width / 2 + 30 &&
        box.x + box.width > width / 2 - 30 &&
        Math.abs(box.y + box.height / 2 - height / 2) < 30 + box.height / 2;
      const boxes = await Promise.all((await page.locator(own).all()).map((each) => each.boundingBox()));
      expect(boxes.filter(covers)).toEqual([]);
      expect(await tooSmallToTouch(page)).toEqual([]);
      const last = `document.querySelector('.slots button:last-child')`;
      await page.evaluate(`${last}.click()`);
      await page.locator('.slots button:last-child[aria-pressed=true]').waitFor();
      const right = (of: string) => page.evaluate(`${of}.getBoundingClientRect().right`) as Promise<number>;
      expect(await right(last)).toBeLessThanOrEqual(await right(`${last}.parentElement`));
      await page.locator('#leave').tap();
      await inState(page, 'lobby');
      await page.context().close();
    },
  );

  test('the operator inspects what a room has played so far, with its scripts and the causes of values', async () => {
    const [room] = serving.server.rooms.byId.values();
    const url = `${serving.url}/insight?room=${room!.identity.id}`;
    const page = await newPage(browser, { viewport: desktop });
    await page.goto(`${url}#admin=wrong`);
    await inState(page, 'asking');
    await page.locator('[role=alert]', { hasText: 'This token is wrong.' }).waitFor();
    await page.locator('#admin').fill(adminToken);
    await page.locator('form button').click();
    await inState(page, 'ready');
    expect(page.url()).toContain(`?room=${room!.identity.id}`);
    expect(Number(await page.locator('#tick').textContent())).toBeGreaterThan(100);
    await page.locator('#scrub').fill('100');
    await page.locator('#tick', { hasText: /^100$/ }).waitFor();
    expect(await page.locator('.verdict').textContent()).toBe('✓ as recorded');
    await page.locator('#tab-triggers').click();
    await page.locator('#panel .event').first().waitFor();
    await page.close();
  });

  test('a room of another process is opened on the page of that process', async () => {
    const there = await CuttableProxy.start(serving.server.port);
    const page = await newPage(browser, { viewport: desktop });
    const context = page.context();
    const refusal = encodeServerMessage({
      kind: 'refused',
      code: 'elsewhere',
      text: `${there.url.replace('http', 'ws')}/play`,
    });
    // Simulates that the process at the first address refuses every room.
    await page.routeWebSocket(`${proxy.url.replace('http', 'ws')}/play`, (socket) => {
      socket.onMessage(() => socket.send(Buffer.from(refusal)));
    });
    await page.goto(proxy.url);
    await inState(page, 'lobby');
    await page.locator('[id^=watch-]').first().click();
    await inState(page, 'watching');
    expect(page.url()).toBe(`${there.url}/`);
    await context.close();
    await there.stop();
  });

  test('a player who leaves is removed from the game', async () => {
    await bob.locator('#leave').click();
    await inState(bob, 'lobby');
    const [room] = serving.server.rooms.byId.values();
    await expect.poll(() => [...room!.seats.values()].length).toBeLessThanOrEqual(2);
  });

  test('a double click joins once', async () => {
    let sockets = 0;
    bob.on('websocket', () => sockets++);
    await bob.locator('[id^=join-]').first().dblclick();
    await inState(bob, 'playing');
    await ownUnit(bob);
    expect(sockets).toBe(1);
    await bob.locator('#leave').click();
    await inState(bob, 'lobby');
    // The list can be used again.
    await bob.locator('[id^=watch-]').first().dblclick();
    await inState(bob, 'watching');
    expect(sockets).toBe(2);
    await bob.locator('#leave').click();
    await inState(bob, 'lobby');
  });

  test('a failure to list the rooms is reported until it is over', async () => {
    proxy.cut();
    await bob.locator('#fault', { hasText: 'The server cannot be reached.' }).waitFor();
    expect(await bob.locator('.lobby button:enabled').allTextContents()).toEqual([]);
    await takePictures(bob, 'live-lobby-fault');
    proxy.isDown = false;
    await bob.locator('#fault', { hasText: /^$/ }).waitFor({ state: 'attached' });
    await inState(eve, 'watching');
  });

  test('the end of a room is reported, with a way back to the list', async () => {
    const [room] = serving.server.rooms.byId.values();
    void serving.server.rooms.close(room!);
    await inState(eve, 'ended');
    await takePicture(eve, 'live-ended');
    await eve.getByRole('button', { name: 'Back to the rooms' }).click();
    await inState(eve, 'lobby');
  });

  test('no error was logged, and nothing was requested from other servers', () => {
    // The browser itself logs a lost connection.
    expect(
      complaints.filter((text) => !/WebSocket connection|WebSocket is already|ERR_|Failed to load resource/.test(text)),
    ).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(proxy.url) && !url.startsWith('data:'))).toEqual([]);
  });
});

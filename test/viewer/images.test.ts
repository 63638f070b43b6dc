import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Serving, serve, temporaryFolder } from '../server/support.ts';
import { program } from '../support/program.ts';
import { canBrowse, desktop, launch, newPage, outbreak, serverScripts, takePicture } from './browser.ts';

/** An image of two cells, the second of which has a single colour. */
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10" fill="rgb(255,0,255)"/><rect width="10" height="10" fill="black"/></svg>';

/** Images of a definition are loaded only if the user allows it. */
describe.skipIf(!canBrowse)('pictures of a definition', () => {
  const folder = temporaryFolder();
  let pictures: Server;
  let asked: { readonly path: string; readonly referer: string | undefined }[] = [];
  let browser: Browser;
  let serving: Serving | undefined;
  let game: string;

  beforeAll(async () => {
    pictures = createServer((request, response) => {
      asked.push({ path: request.url!, referer: request.headers.referer });
      response.setHeader('content-type', 'image/svg+xml');
      response.end(svg);
    });
    await new Promise<void>((done) => pictures.listen(0, '127.0.0.1', done));
    const { port } = pictures.address() as AddressInfo;
    const document = JSON.parse(readFileSync(outbreak, 'utf8'));
    const { unitTypes } = document.gameJson.data;
    unitTypes.human.cellSheet = { url: `http://127.0.0.1:${port}/human.svg`, columnCount: 2, rowCount: 1 };
    // Embedded in the file, so that the canvas on which it is drawn can still be read.
    unitTypes.dog.cellSheet = { url: `data:image/svg+xml,${encodeURIComponent(svg)}`, columnCount: 2, rowCount: 1 };
    unitTypes.dog.animations = { sits: { name: 'sits', frames: [2], framesPerSecond: 1, loopCount: 0 } };
    for (const state of Object.values(unitTypes.dog.states) as { animation: string }[]) state.animation = 'sits';
    game = join(folder.path, 'pictures.json');
    writeFileSync(game, JSON.stringify(document));
    reenact('run', game, '--seconds', '3', '--bots', '2', '--record', join(folder.path, 'play.rj'));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await serving?.server.stop();
    await new Promise((done) => pictures.close(done));
    folder.remove();
  });

  function reenact(...args: string[]): void {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  async function viewed(...options: string[]): Promise<Page> {
    const html = join(folder.path, 'play.html');
    reenact('view', join(folder.path, 'play.rj'), '--html', html, ...options);
    asked = [];
    const page = await newPage(browser, { viewport: desktop });
    await page.goto(pathToFileURL(html).href);
    await page.waitForSelector('html[data-state=ready]');
    await page.locator('#scrub').fill('60');
    await page.locator('#tick', { hasText: /^60$/ }).waitFor();
    return page;
  }

  /** The colour at the centre of the first dog. */
  async function colorOfDog(page: Page): Promise<string> {
    await page.locator('#tab-all').click();
    await page.locator('#panel li', { hasText: 'Dog' }).locator('[data-id^=u]').first().click();
    await page.getByRole('button', { name: 'Follow the selected entity' }).click();
    return (await page.evaluate(`(() => {
      const canvas = document.querySelector('main canvas');
      return String(canvas.getContext('2d').getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1).data.slice(0, 3));
    })()`)) as string;
  }

  test('are drawn where they are embedded, and not fetched, by default', async () => {
    const page = await viewed();
    await expect.poll(() => colorOfDog(page)).toBe('255,0,255');
    expect(asked).toEqual([]);
    await page.close();
  });

  test('are drawn in the cell of their animation with --images', async () => {
    const page = await viewed('--images');
    await expect.poll(() => asked).toEqual([{ path: '/human.svg', referer: undefined }]);
    // A canvas with an image from another server cannot be read.
    await page.close();
    const second = await newPage(browser, { viewport: desktop });
    const alone = second.context();
    await alone.route('http://127.0.0.1/**', (route) => route.abort());
    await alone.route(/human\.svg/, (route) => route.abort());
    await second.goto(pathToFileURL(join(folder.path, 'play.html')).href);
    await second.waitForSelector('html[data-state=ready]');
    await expect.poll(() => colorOfDog(second)).toBe('255,0,255');
    await takePicture(second, 'journal-images');
    await alone.close();
  });

  test.each([false, true])('are fetched by the pages of a server if it allows them (%s)', async (images) => {
    const viewer = { ...serverScripts(), images };
    serving = await serve(folder.path, { paths: [game], viewer, watchersMax: 2 });
    asked = [];
    const page = await newPage(browser, { viewport: desktop });
    await page.goto(serving.url);
    await page.locator('#name').fill('Ann');
    await page.locator('[id^=join-]').first().click();
    await page.locator('#you', { hasText: /u\d+ at/ }).waitFor({ state: 'attached' });
    if (images) await expect.poll(() => asked.map(({ path }) => path)).toEqual(['/human.svg']);
    else expect(asked).toEqual([]);
    await page.close();
    await serving.server.stop();
    serving = undefined;
  });
});

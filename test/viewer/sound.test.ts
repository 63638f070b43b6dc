import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Serving, serve, smallGame, temporaryFolder } from '../server/support.ts';
import { joinAs, script, unitType } from '../support/play.ts';
import { canBrowse, desktop, launch, newPage, serverScripts, takePicture, takePictures } from './browser.ts';

/** Half a second of a tone at 8000 Hz, 8 bits. */
function tone(): string {
  const samples = 4000;
  const bytes = Buffer.alloc(44 + samples, 0x80);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(8000, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples, 40);
  for (let i = 0; i < samples; i++) bytes[44 + i] = 128 + Math.round(60 * Math.sin(i / 3));
  return `data:audio/wav;base64,${bytes.toString('base64')}`;
}

/** Keeps what the page starts to play, and the level of what comes out of its speakers. */
const recordSound = `{
  globalThis.started = [];
  const native = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...given) {
    started.push({ seconds: this.buffer.duration, loop: this.loop });
    return native.apply(this, given);
  };
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...given) {
    if (target instanceof AudioDestinationNode) globalThis.speaker = this;
    return connect.call(this, target, ...given);
  };
}`;

const player = { function: 'getTriggeringPlayer' };
const owner = { function: 'getOwner', entity: { function: 'getTriggeringUnit' } };

describe.skipIf(!canBrowse)('sound in the page of a server', { shuffle: false }, () => {
  const folder = temporaryFolder();
  let serving: Serving;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const started = () => page.evaluate('started') as Promise<readonly { seconds: number; loop: boolean }[]>;
  const volume = () => page.evaluate('speaker.gain.value') as Promise<number>;

  beforeAll(async () => {
    const game = smallGame({
      sound: { ring: { name: 'ring', file: tone() }, gone: { name: 'gone', file: 'https://203.0.113.1/gone.mp3' } },
      music: { theme: { name: 'theme', file: tone() } },
      unitTypes: {
        walker: unitType({
          name: 'Walker',
          sound: { hello: { name: 'hello', file: tone() } },
          effects: { create: { sound: { hello: {} } } },
          controls: {
            movementControlScheme: 'wasd',
            movementMethod: 'velocity',
            mouseBehaviour: {},
            abilities: { e: { keyDown: { scriptName: 'ring', cost: {} } } },
          },
        }),
      },
      scripts: {
        join: joinAs('walker'),
        ring: script('', [
          { type: 'playSoundForPlayer', sound: 'ring', player: owner },
          { type: 'playSoundForPlayer', sound: 'gone', player: owner },
        ]),
        music: script('playerJoinsGame', [{ type: 'playMusicForPlayerRepeatedly', music: 'theme', player }]),
      },
    });
    serving = await serve(folder.path, { game, viewer: serverScripts() });
    browser = await launch();
    page = await newPage(browser, { viewport: desktop });
    await page.context().addInitScript(recordSound);
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(serving.url);
  });
  afterAll(async () => {
    await browser?.close();
    await serving?.server.stop();
    folder.remove();
  });

  test('music plays in a loop once the person has pressed something', async () => {
    expect(await started()).toEqual([]);
    await page.locator('#name').fill('Ann');
    await page.locator('[id^=join-]').first().click();
    await page.locator('#begin').click();
    await expect.poll(async () => (await started()).filter(({ loop }) => loop).length).toBe(1);
  });

  test('a script that a key starts is heard, and a file that the page may not load is not', async () => {
    const before = (await started()).length;
    await page.keyboard.press('KeyE');
    await expect.poll(async () => (await started()).length).toBe(before + 1);
    expect((await started()).at(-1)).toEqual({ seconds: 0.5, loop: false });
  });

  test('the volume can be changed and muted, and stays so after a reload', async () => {
    await expect.poll(volume).toBeCloseTo(0.49);
    await takePictures(page, 'live-sound');
    await page.locator('.sound').hover();
    await takePicture(page, 'live-sound-open');
    await page.locator('#volume').fill('20');
    await expect.poll(volume).toBeCloseTo(0.04);
    await page.locator('#sound').uncheck({ force: true });
    await expect.poll(volume).toBe(0);
    await page.reload();
    await page.locator('#you', { hasText: /u\d+ at/ }).waitFor({ state: 'attached' });
    await page.keyboard.press('KeyE');
    await expect.poll(async () => (await started()).length).toBeGreaterThan(0);
    expect(await volume()).toBe(0);
    expect(await page.locator('#volume').inputValue()).toBe('20');
    await takePicture(page, 'live-muted');
    expect(complaints).toEqual([]);
  });
});

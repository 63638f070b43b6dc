import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { samplesFolder } from '../support/samples.ts';
import { file, reenact } from './support.ts';

const game = join(samplesFolder, 'outbreak.json');
const journal = file('watched.rj', '');
const recording = reenact(['run', game, '--ticks', '20', '--bots', '2', '--record', journal]);
const script = new URL('../../dist/viewer/page.js', import.meta.url);

/** What a page holds under an id. */
function embedded(page: string, id: string): Uint8Array {
  const packed = new RegExp(`id="${id}">([^<]*)<`).exec(page)?.[1] ?? '';
  return new Uint8Array(gunzipSync(new Uint8Array(Buffer.from(packed, 'base64'))));
}

// The script of the page is made by the build.
describe.skipIf(!existsSync(script))('reenact view', () => {
  test('writes a page with the definition and the journal in it', async () => {
    await recording;
    const page = join(dirname(journal), 'watched.html');
    const { code, stdout } = await reenact(['view', journal, '--html', page]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${page}\n` });
    const text = readFileSync(page, 'utf8');
    expect(new TextDecoder().decode(embedded(text, 'definition'))).toBe(readFileSync(game, 'utf8'));
    expect(embedded(text, 'journal')).toEqual(new Uint8Array(readFileSync(journal)));
    expect(text).toContain("default-src 'none'");
  });

  test('without --html it writes a temporary file and says where', async () => {
    await recording;
    const { code, stdout } = await reenact(['view', journal]);
    expect(code).toBe(0);
    expect(readFileSync(stdout.trim(), 'utf8')).toMatch(/^<!doctype html>/);
    rmSync(dirname(stdout.trim()), { recursive: true });
  });

  test('says what cannot be watched or written', async () => {
    await recording;
    expect(await reenact(['view', game])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^no-journal: /) });
    const other = join(samplesFolder, 'infection.json');
    const stderr = expect.stringMatching(/^other-definition: /);
    expect(await reenact(['view', journal, '--game', other])).toMatchObject({ code: 2, stderr });
    const nowhere = await reenact(['view', journal, '--html', '/dev/null/page.html']);
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringMatching(/^cannot-write: /) });
  });
});

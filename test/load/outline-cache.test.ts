import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadDefinition } from '../../engine/index.ts';
import { outlineOf } from '../../engine/internal.ts';
import { readGameByOutline } from '../../src/cli/read-game.ts';
import { OutlineCache } from '../../src/load/outline-cache.ts';
import { cacheFolder } from '../../src/machine/cache-folder.ts';
import { samplesFolder } from '../support/samples.ts';

const path = `${samplesFolder}ray-casting.json`;
const content = new Uint8Array(readFileSync(path));
const text = new TextDecoder().decode(content);
const outline = outlineOf(loadDefinition(JSON.parse(text)).game!.definition, text);
const facts = { issues: { error: 1, warning: 2, info: 3 }, unknown: { dance: 4 } };
const whole = { outline, facts: { moddio: facts } };

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-kept-'));
  folders.push(folder);
  return folder;
}

/** A folder with one cached outline, and the path of its file. */
function kept(): { readonly outlines: OutlineCache; readonly file: string } {
  const folder = join(newFolder(), 'games');
  const outlines = new OutlineCache(folder, 'this program');
  outlines.keep(path, content, whole);
  return { outlines, file: join(folder, readdirSync(folder)[0]!) };
}

describe('cached outlines', () => {
  test('an outline is found for the same text', () => {
    expect(kept().outlines.find(path, content)).toEqual({
      found: 'used',
      kept: JSON.parse(JSON.stringify(whole)),
    });
  });

  test('nothing is found for another path, another text or another program', () => {
    const { outlines, file } = kept();
    expect(outlines.find(`${path}.other`, content)).toEqual({ found: 'none' });
    const other = Uint8Array.from(content);
    other[other.length >> 1]! ^= 1;
    expect(outlines.find(path, other)).toEqual({ found: 'other' });
    for (const start of [1, 2]) expect(outlines.find(path, content.subarray(start)).kept).toBeUndefined();
    expect(new OutlineCache(join(file, '..'), 'newer').find(path, content)).toEqual({ found: 'other' });
  });

  test('a mistake in the text of a game is one issue, however often the issues are read', async () => {
    const folder = newFolder();
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{ "unitTypes": ');
    const output = { write() {} };
    const terminal = {
      stdin: (async function* () {})(),
      stdout: output,
      stderr: output,
      env: {},
      onInterrupt: () => () => {},
    };
    const file = await readGameByOutline(broken, terminal, new OutlineCache(folder, 'this program'));
    for (let i = 0; i < 2; i++) expect(file.issues.map(({ code }) => code)).toEqual(['syntax-error']);
  });

  test('a changed game replaces its former outline', () => {
    const { outlines, file } = kept();
    const changed = new TextEncoder().encode(`${text} `);
    outlines.keep(path, changed, whole);
    expect(readdirSync(join(file, '..'))).toHaveLength(1);
    expect(outlines.find(path, changed).found).toBe('used');
  });

  test('damage is detected, and damaged outlines are not used', () => {
    const { outlines, file } = kept();
    const bytes = new Uint8Array(readFileSync(file));
    const step = Math.max(1, Math.floor(bytes.length / 400));
    for (let at = 0; at < bytes.length; at += at < 16 ? 1 : step) {
      for (const bit of [1, 0x20, 0x80]) {
        const damaged = Uint8Array.from(bytes);
        damaged[at]! ^= bit;
        writeFileSync(file, damaged);
        expect(outlines.find(path, content), `byte ${at}`).toEqual({
          found: expect.stringMatching(/^(damaged|other)$/),
        });
      }
    }
  });

  test('a truncated or foreign file is not used', () => {
    const { outlines, file } = kept();
    const bytes = new Uint8Array(readFileSync(file));
    for (const length of [0, 1, 3, 4, 5, 100, bytes.length >> 1, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, length));
      expect(outlines.find(path, content).kept, `${length} bytes`).toBeUndefined();
    }
    writeFileSync(file, Uint8Array.of(...bytes, 33));
    expect(outlines.find(path, content).kept).toBeUndefined();
    writeFileSync(file, new Uint8Array(bytes.length).fill(120));
    expect(outlines.find(path, content).kept).toBeUndefined();
    rmSync(file);
    mkdirSync(file);
    expect(outlines.find(path, content)).toEqual({ found: 'none' });
  });

  test('the folder stays small, and large documents are not cached', () => {
    const folder = join(newFolder(), 'games');
    const outlines = new OutlineCache(folder, 'this program');
    for (let i = 0; i < 40; i++) outlines.keep(`${path}.${i}`, content, whole);
    expect(readdirSync(folder).length).toBeLessThanOrEqual(16);
    expect(outlines.find(`${path}.39`, content).found).toBe('used');
    outlines.keep('large', new Uint8Array(4 * 1024 * 1024 + 1), whole);
    expect(outlines.find('large', new Uint8Array(4 * 1024 * 1024 + 1)).found).toBe('none');
  });

  test('an unwritable folder is no error', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'games'), '');
    const outlines = new OutlineCache(join(folder, 'games'), 'this program');
    outlines.keep(path, content, whole);
    expect(outlines.find(path, content)).toEqual({ found: 'none' });
  });

  test.skipIf(process.platform === 'win32')('files are readable by their user only', () => {
    const { file } = kept();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  });
});

describe('the cache folder', () => {
  const { XDG_CACHE_HOME, REENACT_CACHE } = process.env;
  afterEach(() => {
    for (const [name, value] of Object.entries({ XDG_CACHE_HOME, REENACT_CACHE })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  test.skipIf(process.platform === 'win32')('is used only if it belongs to the user and caching is on', () => {
    const base = newFolder();
    process.env['XDG_CACHE_HOME'] = base;
    delete process.env['REENACT_CACHE'];
    const folder = join(base, 'reenact');
    expect(cacheFolder()).toBe(folder);
    mkdirSync(folder, { mode: 0o700 });
    expect(cacheFolder()).toBe(folder);
    for (const mode of [0o777, 0o720, 0o702]) {
      chmodSync(folder, mode);
      expect(cacheFolder(), mode.toString(8)).toBeUndefined();
    }
    chmodSync(folder, 0o700);
    process.env['REENACT_CACHE'] = 'off';
    expect(cacheFolder()).toBeUndefined();
  });
});

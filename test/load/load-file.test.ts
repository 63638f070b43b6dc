import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lineAndColumn } from '../../engine/core/lines.ts';
import { loadFile } from '../../src/load/load-file.ts';
import { fileErrorMessage, loadText } from '../../src/load/load-text.ts';

const game = '{"name": "Zombies in Zürich 😀"}';
const megabyte = 1024 * 1024;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reenact-load-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function pack(content: string | Uint8Array): Uint8Array {
  return new Uint8Array(gzipSync(content));
}

async function* pieces(...content: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* content;
}

function bytes(...parts: (string | number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)),
  );
}

describe('a game is read', () => {
  test.each([
    ['plain.json', () => bytes(game)],
    ['with-mark.json', () => bytes([0xef, 0xbb, 0xbf], game)],
    ['packed.json.gz', () => pack(game)],
    ['packed-under-another-name.json', () => pack(game)],
    ['packed-with-mark.json', () => pack(bytes([0xef, 0xbb, 0xbf], game))],
    ['packed-in-two-members.gz', () => bytes([...pack(game.slice(0, 9))], [...pack(game.slice(9))])],
  ])('%s', async (name, content) => {
    const path = file(name, content());
    expect(await loadFile(path)).toMatchObject({
      name: path,
      text: game,
      document: { name: 'Zombies in Zürich 😀' },
      issues: { list: [] },
    });
  });

  test.skipIf(process.platform !== 'linux')('from a file that does not tell its size (on Linux only)', async () => {
    expect((await loadText('/proc/version')).text).toBe(readFileSync('/proc/version', 'utf8'));
  });

  test('from the standard input, even if a character is split', async () => {
    const all = bytes(game);
    const cut = all.indexOf(0xc3) + 1;
    const stdin = pieces(all.subarray(0, cut), all.subarray(cut));
    expect(await loadFile('-', { stdin })).toMatchObject({ name: '<stdin>', text: game, issues: { list: [] } });
  });

  test('from the standard input, compressed', async () => {
    expect(await loadText('-', { stdin: pieces(pack(game)) })).toMatchObject({ text: game, issues: { list: [] } });
  });

  test('with issues of the parser', async () => {
    const { document, issues } = await loadFile(file('twice.json', '{"a": 1, "a": 2}'));
    expect(document).toEqual({ a: 2 });
    expect(issues.list).toMatchObject([{ code: 'duplicate-key', pointer: '/a', offset: 9 }]);
  });

  test('as null, which is not a missing document', async () => {
    expect((await loadFile(file('null.json', 'null'))).document).toBeNull();
  });
});

describe('a file that cannot be read is an issue, not an exception', () => {
  const unreadable = (message: string) => ({
    text: '',
    document: undefined,
    issues: { list: [{ code: 'unreadable-file', severity: 'error', pointer: '', message }] },
  });

  test('missing', async () => {
    const path = join(folder, 'nowhere.json');
    expect(await loadFile(path)).toMatchObject({ name: path, ...unreadable(`File "${path}" not found.`) });
  });

  test('a directory', async () => {
    const path = join(folder, 'directory.json');
    mkdirSync(path);
    expect(await loadFile(path)).toMatchObject(
      unreadable(
        `"${path}" is a directory, not a file. If the folder contains a split game, join it first: reenact join ${path}`,
      ),
    );
  });

  test('a path through a file', async () => {
    const path = join(file('is-a-file', ''), 'game.json');
    expect(await loadFile(path)).toMatchObject(
      unreadable(`File "${path}" not found: part of its path is a file, not a directory.`),
    );
  });

  // The superuser may read everything, so this cannot be tested then.
  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('not permitted', async () => {
    const path = file('secret.json', game);
    chmodSync(path, 0o000);
    expect(await loadFile(path)).toMatchObject(unreadable(`"${path}" cannot be read: permission denied.`));
  });

  test.each([
    ['EACCES', '"game.json" cannot be read: permission denied.'],
    ['EPERM', '"game.json" cannot be read: permission denied.'],
    ['EMFILE', '"game.json" cannot be read (EMFILE).'],
  ])('%s has a message', (code, message) => {
    expect(fileErrorMessage('game.json', code)).toBe(message);
  });

  test('a path that no file system takes', async () => {
    expect((await loadFile('a\0b')).issues.list).toMatchObject([{ code: 'unreadable-file' }]);
  });

  test('an input that ends with an error', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes('{"a":');
      throw Object.assign(new Error('read failed'), { code: 'EIO' });
    }
    expect(await loadFile('-', { stdin: broken() })).toMatchObject(unreadable('"<stdin>" cannot be read (EIO).'));
  });

  test.each([
    ['cut off', () => pack(game).subarray(0, 30)],
    ['only the magic bytes', () => bytes([0x1f, 0x8b])],
    ['with a wrong byte', () => pack(game).map((byte, i) => (i === 15 ? byte ^ 0xff : byte))],
  ])('gzip data %s', async (_what, content) => {
    const path = file('damaged.gz', content());
    expect(await loadFile(path)).toMatchObject(unreadable(`The gzip data of "${path}" is damaged or incomplete.`));
  });
});

describe('size', () => {
  const limits = { bytesMax: 1000, depthMax: 10 };
  const tooLarge = { text: '', document: undefined, issues: { list: [{ code: 'too-large' }] } };

  test('a file at the limit is read, one byte more is not', async () => {
    expect((await loadFile(file('full.json', `"${'x'.repeat(998)}"`), { limits })).issues.list).toEqual([]);
    expect(await loadFile(file('over.json', `"${'x'.repeat(999)}"`), { limits })).toMatchObject(tooLarge);
  });

  test('an endless input is closed at the limit', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given += 400;
        yield new Uint8Array(400);
      }
    }
    expect(await loadFile('-', { stdin: endless(), limits })).toMatchObject(tooLarge);
    expect(given).toBe(1200);
  });

  test('data that expands beyond the limit is refused', async () => {
    const packed = pack(new Uint8Array(50 * megabyte));
    expect(packed.length).toBeLessThan(megabyte / 10);
    const path = file('bomb.json.gz', packed);
    expect(await loadFile(path, { limits: { bytesMax: megabyte, depthMax: 10 } })).toMatchObject(tooLarge);
  });

  test('a limit beyond what a string can hold is no error', async () => {
    const endless = { bytesMax: Number.POSITIVE_INFINITY, depthMax: 10 };
    const path = file('small.json.gz', pack(game));
    expect(await loadFile(path, { limits: endless })).toMatchObject({ text: game, issues: { list: [] } });
  });
});

describe('what is not UTF-8', () => {
  test.each([
    ['Latin-1', bytes('{\n "a": "Z', [0xfc], 'rich"}'), '2:9', /byte 10 .*hexadecimal FC/],
    ['behind a real U+FFFD', bytes('["\ufffd", "', [0x80], '"]'), '1:8', /byte 9 .*hexadecimal 80/],
    ['behind a byte order mark', bytes([0xef, 0xbb, 0xbf], '["', [0xff], '"]'), '1:3', /byte 5 .*hexadecimal FF/],
    ['behind characters of four bytes', bytes('["😀', [0xf0, 0x9f], '"]'), '1:5', /byte 6 .*hexadecimal F0/],
    ['a surrogate in bytes', bytes('["', [0xed, 0xa0, 0x80], '"]'), '1:3', /byte 2 .*hexadecimal ED/],
    ['cut off in a character', bytes('["', [0xc3]), '1:3', /byte 2 .*hexadecimal C3/],
    ['UTF-16', bytes([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]), '1:1', /UTF-16; save it as UTF-8/],
  ])('%s', async (_what, content, position, message) => {
    const { text, document, issues } = await loadFile(file('wrong.json', content));
    expect(document).toBeUndefined();
    expect(issues.list).toMatchObject([{ code: 'syntax-error', pointer: '', message: expect.stringMatching(message) }]);
    const { line, column } = lineAndColumn(text, issues.list[0]!.offset!);
    expect(`${line}:${column}`).toBe(position);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Library } from '../../src/server/definitions/library.ts';
import type { ServedDefinition } from '../../src/server/definitions/served.ts';
import { eventually } from './support.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'reenact-library-'));
  closing.push(() => rmSync(path, { recursive: true }));
  return path;
}

const textOf = (title: string): string =>
  JSON.stringify({ title, data: { defaultData: { gameSlug: 'game', frameRate: 20 }, unitTypes: {} } });

/** Replaces a file by another, as editors do. */
function put(text: string, file: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

async function watched(file: string): Promise<{ library: Library; titles: string[] }> {
  const library = await Library.open([file], () => {});
  const titles: string[] = [];
  await library.watch(({ title }: ServedDefinition) => titles.push(title));
  closing.push(() => library.close());
  return { library, titles };
}

test('a definition that is replaced while the previous one is being read is served in its last version', async () => {
  const at = folder();
  const file = join(at, 'game.json');
  const slow = join(at, 'slow');
  put(textOf('first'), file);
  const { library, titles } = await watched(file);
  // A named pipe is a file whose read finishes when the test wants it to.
  execFileSync('mkfifo', [join(at, 'pipe')]);
  execFileSync('ln', [join(at, 'pipe'), slow]);
  renameSync(join(at, 'pipe'), file);
  // Opening a pipe for writing waits for its reader, so the read has begun.
  const writer = await open(slow, 'w');
  put(textOf('third'), file);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await writer.writeFile(textOf('second'));
  await writer.close();
  await eventually(() => titles.length === 2);
  expect(titles).toEqual(['second', 'third']);
  expect(library.get('game')?.title).toBe('third');
});

test('a listener that throws does not keep later changes from being read', async () => {
  const file = join(folder(), 'game.json');
  put(textOf('first'), file);
  const notices: string[] = [];
  const library = await Library.open([file], (code) => notices.push(code));
  await library.watch(({ title }) => {
    if (title === 'second') throw new Error('No.');
  });
  closing.push(() => library.close());
  put(textOf('second'), file);
  await eventually(() => notices.length > 0);
  put(textOf('third'), file);
  await eventually(() => library.get('game')?.title === 'third');
});

test.each(['.', 'game.json'])('a ConfigMap of Kubernetes that is changed is read again (%s)', async (name) => {
  const at = folder();
  const mount = (version: string, title: string): void => {
    mkdirSync(join(at, version));
    writeFileSync(join(at, version, 'game.json'), textOf(title));
    symlinkSync(version, join(at, '..data_tmp'));
    renameSync(join(at, '..data_tmp'), join(at, '..data'));
  };
  mount('..1', 'first');
  symlinkSync('..data/game.json', join(at, 'game.json'));
  const { library, titles } = await watched(join(at, name));
  mount('..2', 'second');
  await eventually(() => titles.length > 0);
  expect(titles).toEqual(['second']);
  expect(library.get('game')?.title).toBe('second');
});

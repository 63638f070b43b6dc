import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBuilt } from '../support/program.ts';
import { smallDocument } from './small-game.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reenact-in-vitest-'));
  mkdirSync(join(folder, 'tests'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'game.json'), JSON.stringify(smallDocument()));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The text that vitest prints for a file of a user. */
async function vitest(body: string): Promise<string> {
  const testing = pathToFileURL(resolve(isBuilt ? 'dist/lib/testing.js' : 'src/cli/testing.ts')).href;
  const head = `import { describe, expect, test } from 'vitest';
import { scenario } from '${testing}';
const start = () => scenario({ game: '../game.json', players: ['ann'], variables: { rings: 1 } });`;
  writeFileSync(join(folder, 'tests/bell.test.ts'), `${head}\n${body}`);
  const args = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--reporter', 'default'];
  // Not the variables of this run, such as `VITEST`.
  const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
  return await new Promise((done) => {
    execFile(process.execPath, args, { cwd: folder, env }, (_error, stdout, stderr) => done(stdout + stderr));
  });
}

test('expectations of a scenario count as assertions of a test in vitest', async () => {
  const text = await vitest(`
test('expects', () => {
  expect.hasAssertions();
  start().expect('rings == 1');
});
test('plays only', () => {
  expect.hasAssertions();
  start().wait('1 s');
});`);
  expect(text).toContain('Tests  1 failed | 1 passed');
});

test('a failure under vitest has a reason, a picture and a page to watch, as one in a file', async () => {
  const text = await vitest(`
describe('the bell', () => {
  test('rings twice', () => {
    start().wait('1 s').expect('rings == 2');
  });
});
test('a score', () => {
  start().expect('ann.score == 7');
});
test('an expected failure leaves nothing', () => {
  expect(() => start().expect('rings == 3')).toThrow('rings is 1');
});
test('a failure of something else after an expected one leaves nothing', () => {
  expect(() => start().expect('rings == 4')).toThrow('rings is 1');
  expect(1).toBe(2);
});`);
  expect(text).toContain('Tests  3 failed | 1 passed');
  const names = ['tests-bell-test-ts-a-score', 'tests-bell-test-ts-the-bell-rings-twice'];
  const endings = isBuilt ? ['html', 'svg'] : ['svg'];
  const files = names.flatMap((name) => endings.map((ending) => `${name}.${ending}`));
  expect(readdirSync(join(folder, '.reenact')).sort()).toEqual(['.gitignore', ...files]);
  for (const name of names) {
    expect(text).toContain(`picture: ${join('.reenact', name)}.svg`);
    expect(readFileSync(join(folder, '.reenact', `${name}.svg`), 'utf8')).toContain('ann');
  }
  expect(text.match(/\n {2}why: rings became 1 /g)).toHaveLength(1);
  expect(text.match(/\n {2}why: ann\.score stayed 0/g)).toHaveLength(1);
  if (!isBuilt) return;
  const page = readFileSync(join(folder, '.reenact', `${names[1]}.html`), 'utf8');
  expect(text).toContain(`watch: ${join('.reenact', names[1]!)}.html`);
  expect(page).toMatch(/<title>the bell rings twice · Reenact/);
  expect(page).toMatch(/id="failure">.*"expected: rings == 2"/);
});

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'reenact-newcomer-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function npm(cwd: string, ...args: string[]): Promise<string> {
  // As from a shell, and not from a script of npm.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { stdout } = await run('npm', args, { cwd, env, maxBuffer: 2 ** 26, shell: process.platform === 'win32' });
  return stdout;
}

/** Errors of a machine without a registry. */
const unreachable = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|network/;
const install = ['install', '--prefer-offline', '--no-audit', '--no-fund'];

describe.skipIf(!existsSync(join(root, 'dist/cli/main.js')))(
  'a newcomer with the tarball (skipped where it is not built)',
  () => {
    test('makes a game, tests it and plays it', { timeout: 600_000 }, async ({ skip }) => {
      await npm(root, 'pack', '--ignore-scripts', '--pack-destination', folder);
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      const tarball = join(folder, `reenact-${version}.tgz`);
      const first = join(folder, 'first');
      mkdirSync(first);
      writeFileSync(join(first, 'package.json'), '{ "private": true }');
      try {
        await npm(first, ...install, tarball);
      } catch (error) {
        const { stderr } = error as { stderr: string };
        if (unreachable.test(stderr)) skip('no registry of npm can be reached');
        throw error;
      }
      const said = await npm(first, 'exec', '--', 'reenact', 'init', '../my-game');
      const game = join(folder, 'my-game');
      expect(said).toContain('npm install\n  npm test\n  npm start\n');
      expect(said).toContain(tarball);

      await npm(game, ...install);
      expect(await npm(game, 'test')).toMatch(/^\d+ passed; /m);
      expect(await npm(game, 'start')).toMatch(/^faults {2,}none$/m);
      expect(existsSync(join(game, said.match(/^Guide: (.*)$/m)![1]!))).toBe(true);
      // What links to an installed package makes npm prepare it: it is built.
      await npm(join(first, 'node_modules/reenact'), 'run', 'prepare');
    });
  },
);

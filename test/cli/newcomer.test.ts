import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { isBuilt } from '../support/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'reenact-newcomer-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tarball = (name: string): string => join(folder, `${name}-${version}.tgz`);
/** The environment as in a shell, without the variables that npm sets for scripts. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('npm', args, { cwd, env, maxBuffer: 2 ** 26, shell: process.platform === 'win32' });
  return stdout;
}

/** npm's errors on a machine without access to a registry. */
const unreachable = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|network/;
const install = ['install', '--prefer-offline', '--no-audit', '--no-fund'];

/** Bytes of all files below a folder. */
function bytesIn(path: string): number {
  return readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    const each = join(path, entry.name);
    return sum + (entry.isDirectory() ? bytesIn(each) : entry.isFile() ? readFileSync(each).length : 0);
  }, 0);
}

describe.skipIf(!isBuilt)('a newcomer with the tarballs (skipped where they are not built)', { shuffle: false }, () => {
  const first = join(folder, 'first');
  const command = join(first, 'node_modules/reenact/dist/cli/main.js');

  test('makes a game, tests it and plays it', { timeout: 600_000 }, async ({ skip }) => {
    await npm(root, 'pack', '--workspaces', '--ignore-scripts', '--pack-destination', folder);
    mkdirSync(first);
    writeFileSync(join(first, 'package.json'), '{ "private": true }');
    try {
      await npm(first, ...install, tarball('reenact-engine'), tarball('reenact'));
    } catch (error) {
      const { stderr } = error as { stderr: string };
      if (unreachable.test(stderr)) skip('no registry of npm can be reached');
      throw error;
    }
    const installed = (await npm(first, 'ls', '--all', '--parseable')).trim().split('\n').length - 1;
    expect(installed).toBeLessThanOrEqual(40);
    expect(bytesIn(join(first, 'node_modules'))).toBeLessThanOrEqual(40e6);
    expect(await npm(first, 'exec', '--', 'reenact', '--version')).toBe(`${version}\n`);
    const said = await npm(first, 'exec', '--', 'reenact', 'init', '../my-game');
    const game = join(folder, 'my-game');
    expect(said).toContain('npm install\n  npm test\n  npm start\n');
    expect(said).toContain(tarball('reenact'));

    await npm(game, ...install);
    expect(await npm(game, 'test')).toMatch(/^\d+ passed; /m);
    expect(await npm(game, 'start')).toMatch(/^faults {2,}none$/m);
    expect(existsSync(join(game, said.match(/^Guide: (.*)$/m)![1]!))).toBe(true);
    // npm runs `prepare` for packages installed by a link, so it is built.
    await npm(join(first, 'node_modules/reenact'), 'run', 'prepare');
  });

  test('a new user is told how to install the server, and can then serve', { timeout: 600_000 }, async ({ skip }) => {
    if (!existsSync(command)) skip('no registry of npm can be reached');
    const game = join(folder, 'my-game/game.json');
    const without = await run(process.execPath, [command, 'serve', game]).catch((error) => error);
    expect([without.code, without.stderr]).toEqual([
      2,
      'no-server-package: This command needs the server package: npm install @reenact/server\n',
    ]);
    await npm(first, ...install, tarball('reenact-engine'), tarball('reenact'), tarball('reenact-server'));
    const server = spawn(process.execPath, [command, 'serve', game, '--port', '0', '--data', ''], { env });
    let text = '';
    server.stderr.on('data', (chunk) => {
      text += chunk;
    });
    await expect.poll(() => text).toMatch(/^serving on http:\/\/127\.0\.0\.1:\d+$/m);
    const address = /http:\S+/.exec(text)![0];
    for (const path of ['/', '/viewer.js', '/readyz']) expect((await fetch(address + path)).status).toBe(200);
    const { stdout } = await run(process.execPath, [command, 'load', address, '--players', '2', '--seconds', '2']);
    expect(stdout).toMatch(/^lost +no connection$/m);
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  test('imports the engine once by all its names', { timeout: 60_000 }, async ({ skip }) => {
    if (!existsSync(command)) skip('no registry of npm can be reached');
    const program = `
        import * as own from 'reenact';
        import { Simulation } from '@reenact/engine';
        import { internalsOf } from 'reenact/internal';
        import { scenario } from 'reenact/testing';
        import { cleanHtml } from 'reenact/html';
        import { RoomClient } from 'reenact/client';
        import * as client from '@reenact/server/client';
        import { readFileSync } from 'node:fs';
        const { game } = own.loadDefinition(JSON.parse(readFileSync(process.argv[2], 'utf8')));
        const sim = new Simulation(game);
        sim.run({ seconds: 1 });
        console.log(own.Simulation === Simulation, RoomClient === client.RoomClient, cleanHtml('<b onclick="x">y</b>'));
        console.log(internalsOf(sim).world !== undefined, typeof scenario);
      `;
    writeFileSync(join(first, 'program.mjs'), program);
    const { stdout } = await run(process.execPath, ['program.mjs', '../my-game/game.json'], { cwd: first });
    expect(stdout).toBe('true true <b>y</b>\ntrue function\n');
  });
});

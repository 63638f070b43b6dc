import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { rules } from '../../src/check/rules.ts';
import { isBuilt, program } from '../support/program.ts';
import { countingGame, file } from './support.ts';

const game = file('game.json', countingGame());

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
}

function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (part) => (stdout += part));
  child.stderr?.on('data', (part) => (stderr += part));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

// `npm test` builds first. Without a build there is no process to test.
describe.skipIf(!isBuilt)('the program as a process (skipped if nothing is built)', () => {
  test('prints exactly one object', async () => {
    const { code, stdout, stderr } = await ended(start(['run', game, '--seconds', '2', '--bots', '2', '--json']));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ ticks: 40, joined: 2 });
  });

  async function loadedBy(args: readonly string[]): Promise<string[]> {
    const listing = file(
      'listing.cjs',
      "process.on('exit', () => console.error(Object.keys(require.cache).join('\\n')))",
    );
    const { code, stderr } = await ended(spawn(process.execPath, ['--require', listing, program, ...args]));
    expect(code).toBe(0);
    const loaded = stderr.split('\n').filter((path) => path.startsWith(dirname(program)));
    expect(loaded).not.toEqual([]);
    return loaded;
  }

  test('a run loads no rules of `check`', async () => {
    const { about } = rules['never-changed']!;
    const loaded = await loadedBy(['run', game, '--ticks', '1']);
    expect(loaded.filter((path) => readFileSync(path, 'utf8').includes(about!))).toEqual([]);
  });

  test('the help is quick: it loads few files, not one per command', async () => {
    expect((await loadedBy(['--help'])).length).toBeLessThan(20);
  });

  test('two processes agree on the hash', async () => {
    const args = ['run', game, '--seconds', '3', '--bots', '4', '--seed', 'same', '--json'];
    const [one, two] = await Promise.all([ended(start(args)), ended(start(args))]);
    expect(JSON.parse(one.stdout).hash).toBe(JSON.parse(two.stdout).hash);
  });

  test('reads the standard input', async () => {
    const child = start(['check', '-']);
    child.stdin?.end(JSON.stringify(countingGame()));
    expect(await ended(child)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^<stdin>\n.*\n1 info in 1 file\.\n$/s),
    });
  });

  test('exits with the code of the command', async () => {
    expect(await ended(start(['run', game, '--ticks', '1', '--until', 'seconds == 9', '--json']))).toMatchObject({
      code: 3,
    });
    expect(await ended(start(['nonsense']))).toMatchObject({ code: 2, stdout: '' });
  });

  test.skipIf(process.platform === 'win32')('an interrupt ends the game and prints the summary so far', async () => {
    const child = start(['run', game, '--seconds', '86400', '--events']);
    // The first event says that the game is being played.
    child.stdout?.once('data', () => child.kill('SIGINT'));
    const { code, signal, stdout } = await ended(child);
    expect({ code, signal }).toEqual({ code: 130, signal: null });
    expect(stdout).toMatch(/^Interrupted after /m);
    expect(stdout).toMatch(/^hash +[0-9a-f]{16}$/m);
  });

  test('ends silently when the reader closes the pipe', async () => {
    const child = start(['schema', '--pretty']);
    child.stdout?.destroy();
    expect(await ended(child)).toMatchObject({ code: 0, stderr: '' });
  });
});

const scenarios = fileURLToPath(new URL('../../scenarios/outbreak.scenario.yaml', import.meta.url));

const cachesCode = 'enableCompileCache' in nodeModule;

describe.skipIf(!isBuilt || !cachesCode)(
  'compiled code is cached (skipped before Node 22.8, or if nothing is built)',
  () => {
    const run = (env: NodeJS.ProcessEnv) =>
      ended(
        spawn(process.execPath, [program, 'run', game, '--ticks', '3', '--json'], { env: { ...process.env, ...env } }),
      );

    test('a run lets Node write it to its cache, and a run that uses it plays the same', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'reenact-cache-'));
      const env = {
        TMPDIR: folder,
        TEMP: folder,
        NODE_COMPILE_CACHE: undefined,
        NODE_DISABLE_COMPILE_CACHE: undefined,
      };
      const first = await run(env);
      expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(5);
      const second = await run(env);
      expect(second).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(second.stdout).hash).toBe(JSON.parse(first.stdout).hash);
    });

    test('NODE_DISABLE_COMPILE_CACHE turns it off', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'reenact-cache-'));
      const env = { TMPDIR: folder, TEMP: folder, NODE_COMPILE_CACHE: undefined, NODE_DISABLE_COMPILE_CACHE: '1' };
      expect(await run(env)).toMatchObject({ code: 0, stderr: '' });
      expect(readdirSync(folder)).toEqual([]);
    });
  },
);

describe.skipIf(!isBuilt)('scenarios in threads (skipped if nothing is built)', () => {
  test('one thread and three threads report the same', async () => {
    const found = async (workers: number): Promise<unknown> => {
      const args = [program, 'test', scenarios, '--reporter', 'json', '--coverage', '--workers', String(workers)];
      const { stdout, stderr } = await ended(spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] }));
      expect(stderr).toBe('');
      return JSON.parse(stdout, (key, value) => (key === 'wallMs' ? undefined : value));
    };
    expect(await found(3)).toEqual(await found(1));
  });
});

describe.skipIf(!isBuilt || process.platform === 'win32')(
  'an interrupt of tests (skipped where nothing is built)',
  () => {
    test('an interrupt ends a long scenario, keeps finished results and says what did not run', async () => {
      const scenarios = file(
        'long.scenario.json',
        JSON.stringify({
          game,
          scenarios: [
            { name: 'short', steps: [{ wait: '1 s' }, { expect: 'seconds == 1' }] },
            { name: 'some months', steps: [{ wait: '8640000 s' }, { expect: 'seconds > 1' }] },
          ],
        }),
      );
      const child = start(['test', scenarios, '--workers', '1', '--pictures', '']);
      child.stdout?.once('data', () => child.kill('SIGINT'));
      const { code, stdout, stderr } = await ended(child);
      expect(code).toBe(130);
      expect(stdout).toContain('✓ short');
      expect(stdout).toContain('1 passed');
      expect(stderr).toBe('interrupted: 1 of 2 scenarios run, not run: "some months"\n');
    });
  },
);

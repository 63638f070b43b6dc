import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
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
      stdout: expect.stringMatching(/^<stdin>\n.*\n2 info in 1 file\.\n$/s),
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

describe.skipIf(!isBuilt)('compiled code is cached (skipped if nothing is built)', () => {
  const cache = mkdtempSync(join(tmpdir(), 'reenact-cache-'));
  const run = (env: NodeJS.ProcessEnv, played = game, ...more: readonly string[]): Promise<Ended> =>
    ended(
      spawn(process.execPath, [program, 'run', played, ...more, '--ticks', '3', '--json'], {
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '', ...env },
      }),
    );
  const hashOf = ({ stdout }: Ended): unknown => JSON.parse(stdout).hash;
  const files = () => readdirSync(cache, { recursive: true }).map(String);
  const engineFile = () => files().find((name) => basename(name).startsWith('engine-'));

  /** The compiled engine, which the first run writes to the cache. */
  async function keptEngine(): Promise<string> {
    if (engineFile() === undefined) await run({ XDG_CACHE_HOME: cache });
    return join(cache, engineFile()!);
  }

  test('a run writes it to the cache folder, and runs that use it behave the same', async () => {
    const first = await run({ XDG_CACHE_HOME: cache });
    const kept = engineFile();
    expect(kept).toBeDefined();
    const { mtimeMs } = statSync(join(cache, kept!));
    const second = await run({ XDG_CACHE_HOME: cache });
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(hashOf(second)).toBe(hashOf(first));
    // If V8 had rejected it, the second run would have written it again.
    expect(statSync(join(cache, kept!)).mtimeMs).toBe(mtimeMs);
  });

  test('the files of the bundle are ASCII, because they are read as bytes', () => {
    const folder = dirname(program);
    const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((name) => readFileSync(join(folder, name)).some((byte) => byte > 0x7f))).toEqual([]);
  });

  test('code that V8 rejects is compiled again', async () => {
    const damaged = await keptEngine();
    writeFileSync(damaged, 'not compiled code');
    expect(await run({ XDG_CACHE_HOME: cache })).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(damaged).size).toBeGreaterThan(10_000);
  });

  test('damaged code is not run', async () => {
    const kept = await keptEngine();
    const whole = new Uint8Array(readFileSync(kept));
    const { stdout } = await run({ XDG_CACHE_HOME: cache });
    for (const part of [0.2, 0.4, 0.6, 0.8]) {
      const damaged = Uint8Array.from(whole);
      damaged.fill(0xff, whole.length * part, whole.length * part + 64);
      writeFileSync(kept, damaged);
      const found = await run({ XDG_CACHE_HOME: cache });
      expect(found).toMatchObject({ code: 0, stderr: '' });
      expect(hashOf(found)).toBe(hashOf({ ...found, stdout }));
    }
  });

  test('an outline of the game is cached, and a run that uses it prints the same', async () => {
    const own = mkdtempSync(join(tmpdir(), 'reenact-cache-'));
    const slip = { name: 'slip', triggers: [{ type: 'gameStart' }], actions: [{ type: 'setVaribale' }] };
    const faulty = file('faulty.json', countingGame({ title: 5, scripts: { slip } }));
    const play = (...more: readonly string[]) => run({ XDG_CACHE_HOME: own }, faulty, ...more);
    const told = ({ stdout }: Ended): { outline: string; rest: unknown } => {
      const { startup, time, wallMs, speed, ...rest } = JSON.parse(stdout);
      return { outline: startup.outline, rest };
    };
    const first = told(await play());
    expect(first).toMatchObject({ outline: 'none', rest: { unknown: { setVaribale: 1 }, issues: { error: 2 } } });
    expect(told(await play())).toEqual({ ...first, outline: 'used' });
    const other = told(await play('--dialect', 'moddio'));
    expect(told(await play('--dialect', 'moddio'))).toEqual(other);
    expect(told(await play())).toEqual({ ...first, outline: 'used' });
    const folder = join(own, 'reenact', 'games');
    const keptFile = join(folder, readdirSync(folder)[0]!);
    const damaged = new Uint8Array(readFileSync(keptFile));
    damaged[100]! ^= 1;
    writeFileSync(keptFile, damaged);
    expect(told(await play())).toEqual({ ...first, outline: 'damaged' });
    expect(told(await play())).toEqual({ ...first, outline: 'used' });
    expect(told(await run({ XDG_CACHE_HOME: own, REENACT_CACHE: 'off' }, faulty)).outline).toBeUndefined();
  });

  test('a cache folder that cannot be written is not an error, and nothing is cached if the cache is disabled', async () => {
    const blocked = join(cache, 'a-file');
    writeFileSync(blocked, '');
    expect(await run({ XDG_CACHE_HOME: blocked })).toMatchObject({ code: 0, stderr: '' });
    const unused = join(cache, 'unused');
    expect(await run({ XDG_CACHE_HOME: unused, NODE_DISABLE_COMPILE_CACHE: '1' })).toMatchObject({ code: 0 });
    expect(await run({ XDG_CACHE_HOME: unused, REENACT_CACHE: 'off' })).toMatchObject({ code: 0 });
    expect(existsSync(unused)).toBe(false);
  });
});

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

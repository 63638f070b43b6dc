import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { otherRuntime } from '../support/other-runtimes.ts';
import { isBuilt, program } from '../support/program.ts';

const deno = otherRuntime('deno');

describe.skipIf(!isBuilt || 'why' in deno)('in Deno (skipped where it is not here)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-deno-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  // A hang ends with an error of its own.
  const options = { cwd: folder, encoding: 'utf8', timeout: 60_000 } as const;
  const inNode = (...args: string[]): string => execFileSync(process.execPath, [program, ...args], options);
  const inDeno = (...args: string[]): string => {
    const [runtime, ...flags] = deno as readonly [string, ...string[]];
    return execFileSync(runtime, [...flags, program, ...args], options);
  };
  const hashIn = (output: string): unknown => JSON.parse(output)['hash'];

  test('scenarios and changes to a game are played in threads, and a play has the same hash as in Node.js', () => {
    inNode('init', '.');
    const output = inDeno('test', '--mutate', '--workers', '2', '--pictures', '');
    expect(output).toMatch(/\d\d of \d\d changes detected/);
    expect(output).toMatch(/^6 passed; /m);
    const play = ['run', 'game.json', '--seconds', '5', '--bots', '4', '--json'];
    expect(hashIn(inDeno(...play))).toBe(hashIn(inNode(...play)));
  });
});

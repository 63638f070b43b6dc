import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { type Golden, goldenHashes } from '../../bench/golden.ts';
import { lazily } from '../support/lazily.ts';
import { otherRuntime, otherRuntimes } from '../support/other-runtimes.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const games = at('../../scenarios/games');
const built = at('../../dist/bench/golden.js');

const hashes = lazily(() => goldenHashes(games));
/** Timeout of tests that replay everything on slow hosts, ms. */
const slow = 240_000;

function printedBy(node: string, flags: readonly string[] = [], only: readonly string[] = []): Golden {
  return JSON.parse(execFileSync(node, [...flags, built, games, ...only], { encoding: 'utf8' }));
}

/** Why the built program cannot be used for these tests; undefined if it matches the sources. */
function whyNotBuilt(): string | undefined {
  if (!existsSync(built)) return 'dist/ is missing: npm run build';
  const ofOne = JSON.stringify(printedBy(process.execPath, [], ['infection.json']));
  return ofOne === JSON.stringify(goldenHashes(games, 'infection.json'))
    ? undefined
    : 'dist/ is not of these sources: npm run build';
}
const notBuilt = lazily(whyNotBuilt);

describe('the same hashes', () => {
  test('in a process without the JIT compiler', { timeout: slow }, ({ skip }) => {
    const why = notBuilt();
    if (why !== undefined) skip(why);
    const slowly = printedBy(process.execPath, ['--jitless'], ['infection.json']);
    expect(Object.keys(slowly)).toHaveLength(2);
    expect(hashes()).toMatchObject(slowly);
  });

  test('in two workers at once', { timeout: slow }, async ({ skip }) => {
    const why = notBuilt();
    if (why !== undefined) skip(why);
    const source = `
      import { parentPort } from 'node:worker_threads';
      import { goldenHashes } from ${JSON.stringify(new URL(`file://${built}`).href)};
      parentPort.postMessage(goldenHashes(${JSON.stringify(games)}, 'outbreak.json'));`;
    const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
    const answers = Array.from({ length: 2 }, () => {
      return new Promise((resolve, reject) => new Worker(url).once('message', resolve).once('error', reject));
    });
    for (const answer of await Promise.all(answers)) {
      expect(Object.keys(answer as Golden)).toHaveLength(2);
      expect(hashes()).toMatchObject(answer as Golden);
    }
  });

  test.for(otherRuntimes)('on %s', { timeout: slow }, (name, { skip }) => {
    const why = notBuilt();
    if (why !== undefined) skip(why);
    const runtime = otherRuntime(name);
    if ('why' in runtime) return skip(runtime.why);
    const [program, ...args] = runtime;
    expect(printedBy(program, args)).toEqual(hashes());
  });
});

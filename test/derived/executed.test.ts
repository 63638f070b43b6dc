import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { isBuilt, program } from '../support/program.ts';
import { expectDerived, root, textOf } from './derived.ts';

const game = 'outbreak.json';

/** A check that finds errors and a scenario that fails end with 1. */
function output(folder: string, ...args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout } = error as { stdout?: unknown };
    if (typeof stdout !== 'string' || stdout === '') throw error;
    return stdout;
  }
}

function outputOfScenario(name: string, text: string, ...options: readonly string[]): string {
  return outputBeside({ [name]: text }, 'test', name, ...options);
}

/** The output of a command in a temporary folder that contains the game and these files. */
function outputBeside(files: Readonly<Record<string, string>>, ...args: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-page-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    copyFileSync(`${root}scenarios/games/${game}`, join(folder, game));
    return output(folder, ...args);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The page with what `run` prints in the blocks `<!-- generated: output of NAME -->`. A block that ends with a line
 * `…` shows the beginning.
 */
function executed(page: string, run: (name: string) => string): string {
  const blocks = /(<!-- generated: output of (.+?) -->\n+```\w*\n)([\s\S]*?)(?=```)/g;
  return page.replace(blocks, (_, head: string, name: string, shown: string) => {
    const printed = run(name).trimEnd();
    if (!shown.endsWith('\n…\n')) return `${head}${printed}\n`;
    const lines = printed.split('\n').slice(0, shown.split('\n').length - 2);
    return `${head}${lines.join('\n')}\n…\n`;
  });
}

/** The part of a line that is equal in every run. */
const repeatable = (line: string): string =>
  /^time |after the process started|^ {13}physics|\d ms \(/.test(line) ? '' : line.replace(/\bin [\d.]+ m?s\b.*/, '');

describe.skipIf(!isBuilt)('what a page shows is what the command line prints', () => {
  test('README.md', () => {
    const page = textOf('README.md');
    const scenario = page.match(/```yaml\n(game: outbreak\.json\n[\s\S]*?)```/)![1]!;
    const blocks: Readonly<Record<string, () => string>> = {
      start: () => output(root, 'run', 'scenarios/games/outbreak.json', '--for', '120s', '--bots', '8'),
      check: () => output(`${root}test/readme`, 'check', 'broken.json'),
      test: () => outputOfScenario('first.scenario.yaml', scenario),
    };
    const fresh = executed(page, (name) => blocks[name]!());
    for (const name of Object.keys(blocks))
      if (!fresh.includes(`output of ${name} -->`)) throw new Error(`No block ${name}.`);
    expectDerived('README.md', fresh, repeatable);
  });

  test('docs/scenarios.md', () => {
    const page = textOf('docs/scenarios.md');
    const file = (name: string): string => page.split(`<!-- file ${name} -->`)[1]!.match(/```\w*\n([\s\S]*?)```/)![1]!;
    // `run NAME`, then after a comma the changes to it, or options.
    const fresh = executed(page, (directive) => {
      const [, name, change, options] = /^run (\S+?)(?:, (.*?))?((?: --\S+)*)$/.exec(directive)!;
      const text = change === undefined ? file(name!) : file(name!).replace(/\d+ s/, change);
      return outputOfScenario(name!, text, ...options!.split(' ').filter((each) => each !== ''));
    });
    expectDerived('docs/scenarios.md', fresh, repeatable);
  });
});

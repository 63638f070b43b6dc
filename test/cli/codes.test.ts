import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { codeTables } from '../../src/cli/code-tables.ts';
import { reenact } from './support.ts';

describe('reenact codes', () => {
  test('lists all of them', async () => {
    const { code, stdout } = await reenact(['codes']);
    expect(code).toBe(0);
    for (const each of ['unknown-trigger', 'no-such-entity', 'nothing-to-act-on', 'expression-syntax'])
      expect(stdout).toContain(`  ${each} `);
  });

  test('explains what a command prints when it cannot do what it was asked', async () => {
    for (const [args, word] of [
      [['load', 'nowhere'], 'bad-url'],
      [['check', 'game.json', '--max-warnings'], 'option-missing-argument'],
      [['chekc'], 'unknown-command'],
    ] as const) {
      expect((await reenact(args)).stderr).toMatch(new RegExp(`^${word}: `));
      expect(await reenact(['codes', word])).toMatchObject({ code: 0, stdout: expect.stringContaining(`  ${word}  `) });
    }
  });

  // The compiler refuses a `Failure` with another code. These are the words that are printed in another way.
  test('knows the words of notices, pages and editors, and of the parser of the command line', () => {
    const known = new Set(Object.values(codeTables).flatMap((table) => Object.keys(table)));
    const parser = readFileSync('node_modules/commander/lib/command.js', 'utf8');
    const kebab = (word: string) => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const ofParser = [...parser.matchAll(/'commander\.(\w+)'/g)].map(([, word]) => kebab(word!));
    const printed = [/[`'"]([a-z]+(?:-[a-z]+)+): /g, /\bcode(?:: | = )'([a-z-]+)'/g, /\bcoded\(\s*'([a-z-]+)'/g];
    const notices = sourcesIn('src').flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return printed.flatMap((pattern) => [...text.matchAll(pattern)].map(([, word]) => word!));
    });
    expect(ofParser).toContain('unknown-option');
    for (const word of ['no-pictures', 'no-such-tick', 'bad-scenario', 'worker-died', 'state-too-large'])
      expect(notices).toContain(word);
    const others = ['help', 'help-displayed', 'version', 'execute-sub-command-async'];
    expect([...ofParser, ...notices].filter((word) => !known.has(word) && !others.includes(word))).toEqual([]);
  });

  test('explains one code', async () => {
    const { code, stdout } = await reenact(['codes', 'no-such-entity']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^faults: errors of a running game\n {2}no-such-entity {2}.*does not exist.*\n\nrefusals: .*\n {2}no-such-entity {2}.*\n\nconnections: .*\n {2}no-such-entity {2}.*\n$/,
    );
    const { issues, faults } = JSON.parse((await reenact(['codes', 'no-such-entity', '--json'])).stdout);
    expect({ issues, faults: Object.keys(faults) }).toEqual({ issues: {}, faults: ['no-such-entity'] });
  });

  test('suggests a similar code', async () => {
    expect(await reenact(['codes', 'no-such-entty'])).toMatchObject({
      code: 2,
      stderr: 'unknown-code: No code is called "no-such-entty". Did you mean "no-such-entity"?\n',
    });
  });
});

function sourcesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => `${folder}/${name}`);
}

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = `${root}dist/cli/main.js`;
const page = `${root}README.md`;

/** The output of the command line; a check that finds errors ends with 1, which is no failure here. */
function output(folder: string, ...args: string[]): string {
  try {
    return execFileSync(process.execPath, [cli, ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trimEnd();
  } catch (error) {
    const { stdout } = error as { stdout?: unknown };
    if (typeof stdout !== 'string' || stdout === '') throw error;
    return stdout.trimEnd();
  }
}

const start = ['run', 'scenarios/games/outbreak.json', '--seconds', '120', '--bots', '8'];

/** The block between `<!-- NAME -->` and the next code fence's end. */
function block(text: string, name: string): RegExpMatchArray {
  const found = text.match(new RegExp(`<!-- ${name} -->\\n+\`\`\`\\n([\\s\\S]*?)\\n\`\`\``));
  if (found === null) throw new Error(`README.md has no block "${name}".`);
  return found;
}

/** The scenario that the README shows, beside the game that it names, in a folder of its own. */
function failingScenario(): string {
  const scenario = readFileSync(page, 'utf8').match(/```yaml\n(game: outbreak\.json\n[\s\S]*?)```/)?.[1];
  if (scenario === undefined) throw new Error('README.md shows no scenario of outbreak.json.');
  const folder = mkdtempSync(join(tmpdir(), 'reenact-readme-'));
  try {
    writeFileSync(join(folder, 'first.scenario.yaml'), scenario);
    copyFileSync(`${root}scenarios/games/outbreak.json`, join(folder, 'outbreak.json'));
    return output(folder, 'test', 'first.scenario.yaml');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lines that say the same on every machine: not how long things took. */
function repeatable(text: string): string[] {
  return text
    .split('\n')
    .filter(
      (line) => !/real time|\bin [\d.]+ m?s\b|^time |after the process started|^ {13}physics|\d ms \(/.test(line),
    );
}

describe.skipIf(!existsSync(cli))('what the README shows is what the command line prints', () => {
  test.each([
    ['start', () => output(root, ...start)],
    ['check', () => output(`${root}test/readme`, 'check', 'broken.json')],
    ['test', () => failingScenario()],
  ])('%s', (name, run) => {
    const printed = run();
    if (process.env['UPDATE']) {
      const text = readFileSync(page, 'utf8');
      const [whole, shown] = block(text, name);
      writeFileSync(
        page,
        text.replace(whole, () => whole.replace(shown!, () => printed)),
      );
    }
    const [, shown] = block(readFileSync(page, 'utf8'), name);
    expect(repeatable(shown!), 'Rewrite it with: UPDATE=1 npx vitest run test/readme').toEqual(repeatable(printed));
  });
});

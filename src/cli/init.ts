import { lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Terminal } from '../text/terminal.ts';
import { exitCodes, Failure } from './failure.ts';
import { ownDependencies } from './own-dependency.ts';
import { ownPackage, type Package } from './package-root.ts';

/** The game and scenario files of each template, relative to the package folder. */
const sources = {
  coins: { game: 'templates/coins/game.json', scenarios: 'templates/coins/game.scenario.yaml' },
  blank: { game: 'templates/blank/game.json', scenarios: 'templates/blank/game.scenario.yaml' },
  infection: { game: 'scenarios/games/infection.json', scenarios: 'scenarios/infection.scenario.yaml' },
  teams: { game: 'scenarios/games/team-elimination.json', scenarios: 'scenarios/team-elimination.scenario.yaml' },
  rays: { game: 'scenarios/games/ray-casting.json', scenarios: 'scenarios/ray-casting.scenario.yaml' },
} as const;

export type Template = keyof typeof sources;

export interface InitOptions {
  readonly template: Template;
}

/**
 * Creates a game project that can be run and tested at once. Never overwrites: if any file exists, nothing is written.
 */
export function init(folder: string, { template }: InitOptions, terminal: Terminal): number {
  const own = ownPackage();
  if (own === undefined)
    throw new Failure(
      'no-package',
      'The templates were not found: the program is not inside its npm package. Reinstall reenact.',
    );
  const dependencies = ownDependencies(own);
  const files = filesOf(template, basename(resolve(folder)), own, dependencies);
  const taken = Object.keys(files).flatMap((path) => takenBy(folder, path) ?? []);
  if (taken.length > 0) {
    throw new Failure(
      'already-there',
      `${folder} already contains ${[...new Set(taken)].join(', ')}; nothing was written. Choose another folder.`,
    );
  }
  for (const [path, text] of Object.entries(files)) write(join(folder, path), text, path === hookFile);
  const { stdout } = terminal;
  for (const path of Object.keys(files)) stdout.write(`  ${path}\n`);
  const into = relative('.', folder);
  const steps = [...(into === '' ? [] : [`cd ${quoted(into)}`]), 'npm install', 'npm test', 'npm start'];
  stdout.write(`\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`);
  stdout.write(
    '\nIn git, once per clone:\n' +
      '  git config core.hooksPath .githooks                                # check and test before each commit\n' +
      '  git config diff.reenact.textconv "npx --no-install reenact print"  # show changes of the game as text\n',
  );
  stdout.write('\nGuide: node_modules/reenact/docs/writing-a-game.md\n');
  const { reenact = '' } = dependencies;
  if (reenact.startsWith('file:')) {
    const path = reenact.slice('file:'.length);
    stdout.write(
      `package.json refers to Reenact at ${path}. CI and other machines need it at the same path, or a different entry in package.json.\n`,
    );
  }
  return exitCodes.ok;
}

/**
 * The existing path that prevents creating a file: the file itself, even as a dangling link, or a file where a folder
 * is needed.
 */
function takenBy(folder: string, path: string): string | undefined {
  const parts = path.split('/');
  for (let length = 1; length <= parts.length; length++) {
    const part = parts.slice(0, length).join('/');
    const isFolder = length < parts.length;
    const there = (isFolder ? statSync : lstatSync)(join(folder, part), { throwIfNoEntry: false });
    if (there === undefined) return undefined;
    if (!isFolder || !there.isDirectory()) return part;
  }
  return undefined;
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path;
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function filesOf(
  template: Template,
  name: string,
  own: Package,
  dependencies: Readonly<Record<string, string>>,
): Record<string, string> {
  const { game, scenarios } = sources[template];
  const schemas = './node_modules/reenact/schema';
  return {
    'game.json': readFileSync(join(own.folder, game), 'utf8'),
    'game.scenario.yaml': readFileSync(join(own.folder, scenarios), 'utf8')
      .replace(/^game: .*$/m, 'game: game.json')
      .replace(/^# yaml-language-server: .*$/m, `# yaml-language-server: $schema=${schemas}/scenario.schema.json`),
    'package.json': json({
      name: packageName(name),
      version: '1.0.0',
      private: true,
      scripts: {
        check: 'reenact check game.json --strict',
        start: 'reenact run game.json --bots 4',
        test: 'reenact test',
        bench: `reenact bench game.json --baseline bench.json --require "${benchLimit}"`,
        'bench:save': 'reenact bench game.json --save bench.json',
      },
      devDependencies: dependencies,
    }),
    '.vscode/settings.json': json({
      'json.schemas': [{ fileMatch: ['game.json'], url: `${schemas}/game-definition.schema.json` }],
      'yaml.schemas': { [`${schemas}/scenario.schema.json`]: '*.scenario.yaml' },
    }),
    '.vscode/extensions.json': json({ recommendations: ['redhat.vscode-yaml'] }),
    '.github/workflows/ci.yml': workflow,
    [hookFile]: preCommit,
    '.gitattributes': 'game.json diff=reenact\n',
    '.gitignore': 'node_modules/\n.reenact/\nresults.xml\nreport.html\nreenact-results*.json\n',
  };
}

const hookFile = '.githooks/pre-commit';

/** The folder is found from the place of the hook, because git starts it at the top of the repository. */
const preCommit = `#!/bin/sh
# Refuses a commit while the game has issues or fails a scenario. To commit nevertheless: git commit --no-verify
cd "$(dirname "$0")/.." || exit 1
npx --no-install reenact check game.json --strict && npx --no-install reenact test --bail
`;

/** What a change may cost at most: 5 % more work, which is the same on each machine. */
const benchLimit = 'actions <= 1.05 * before.actions';

/** The benchmark step is skipped until `npm run bench:save` has written a baseline. */
const workflow = `name: ci
on: [push, pull_request]
env:
  # Number of jobs that share the scenarios; must equal the length of the list of parts below.
  PARTS: 2
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm install
      - run: npx reenact check game.json --strict
      - run: if [ -f bench.json ]; then npm run bench; fi
  test:
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
      matrix:
        part: [1, 2]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm install
      - run: npx reenact test --shard \${{ matrix.part }}/$PARTS --reporter pretty --reporter github --reporter blob
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: results-\${{ matrix.part }}
          path: reenact-results-*.json
  report:
    needs: test
    if: always()
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm install
      - uses: actions/download-artifact@v4
        with: { pattern: results-*, path: results, merge-multiple: true }
      - run: npx reenact merge results --reporter pretty --reporter junit=results.xml --reporter html=report.html
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: report
          path: |
            results.xml
            report.html
`;

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A valid npm package name: letters, digits and hyphens. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? 'game' : name;
}

function write(path: string, text: string, isExecutable: boolean): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx', mode: isExecutable ? 0o777 : 0o666 });
  } catch (error) {
    throw new Failure('cannot-write', `${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

import { lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { messageOf } from '../../../engine/core/index.ts';
import { ownPackage, type Package } from '../../machine/index.ts';
import { hookFile, projectFiles, shellWord, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { ownDependencies, serverToInstall } from '../own-dependency.ts';
import type { InitOptions } from './command.ts';

/** The game and scenario files of each template, relative to the package folder. */
const sources = {
  coins: { game: 'templates/coins/game.json', scenarios: 'templates/coins/game.scenario.yaml' },
  blank: { game: 'templates/blank/game.json', scenarios: 'templates/blank/game.scenario.yaml' },
  infection: { game: 'scenarios/games/infection.json', scenarios: 'scenarios/infection.scenario.yaml' },
  teams: { game: 'scenarios/games/team-elimination.json', scenarios: 'scenarios/team-elimination.scenario.yaml' },
  worker: { game: 'templates/coins/game.json', scenarios: 'templates/coins/game.scenario.yaml' },
  rays: { game: 'scenarios/games/ray-casting.json', scenarios: 'scenarios/ray-casting.scenario.yaml' },
} as const satisfies Readonly<Record<Template, object>>;

const workerFiles = ['worker.js', 'wrangler.jsonc'];

type Template = InitOptions['template'];

/**
 * Creates a game project that can be run and tested as it is. It never overwrites: if any of the files exists, nothing
 * is written.
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
  const isWorker = template === 'worker';
  const starts = isWorker ? [`npm install wrangler ${serverToInstall(own)}`, 'npx wrangler dev'] : ['npm start'];
  const steps = [...(into === '' ? [] : [`cd ${quoted(into)}`]), 'npm install', 'npm test', ...starts];
  stdout.write(`\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`);
  stdout.write(
    '\nIn git, once per clone:\n' +
      '  git config core.hooksPath .githooks                                # check and test before each commit\n' +
      '  git config diff.reenact.textconv "npx --no-install reenact print"  # show changes of the game as text\n',
  );
  stdout.write('\nGuide: node_modules/reenact/docs/writing-a-game.md\n');
  if (isWorker) stdout.write('Rooms as Durable Objects: node_modules/reenact/docs/durable-objects.md\n');
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
 * The existing path that prevents creating a file: the file itself, even if it is a dangling link, or a file where a
 * folder is needed.
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
  return shellWord(word);
}

function filesOf(
  template: Template,
  name: string,
  own: Package,
  dependencies: Readonly<Record<string, string>>,
): Record<string, string> {
  const { game, scenarios } = sources[template];
  const read = (path: string): string => readFileSync(join(own.folder, path), 'utf8');
  const files = projectFiles({ name, game: read(game), scenarios: read(scenarios), dependencies });
  const more = template === 'worker' ? workerFiles : [];
  return { ...files, ...Object.fromEntries(more.map((file) => [file, read(`templates/worker/${file}`)])) };
}

function write(path: string, text: string, isExecutable: boolean): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx', mode: isExecutable ? 0o777 : 0o666 });
  } catch (error) {
    throw new Failure('cannot-write', `${path}: ${messageOf(error)}`);
  }
}

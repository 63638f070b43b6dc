import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type Dictionary, messageOf } from '../../../engine/core/index.ts';
import { ownPackage, type Package } from '../../machine/index.ts';
import { hookFile, packageName, projectFiles, shellWord, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { ownDependencies, serverToInstall } from '../own-dependency.ts';
import type { InitOptions } from './command.ts';

/** The scenario file of each template without its ending, relative to the package folder. */
const sources: Readonly<Record<Template, string>> = {
  coins: 'templates/coins/game',
  blank: 'templates/blank/game',
  infection: 'scenarios/infection',
  teams: 'scenarios/team-elimination',
  worker: 'templates/coins/game',
  rays: 'scenarios/ray-casting',
};

const workerFiles = ['worker.js', 'wrangler.jsonc', 'README.md'];
const server = '@reenact/server';

type Template = InitOptions['template'];

/**
 * Creates a game project that can be run and tested as it is. It never overwrites: if any of the files exists, nothing
 * is written.
 */
export function init(folder: string, { template }: InitOptions, terminal: Terminal) {
  const own = ownPackage();
  if (own === undefined)
    throw new Failure(
      'no-package',
      'The templates were not found: the program is not inside its npm package. Reinstall reenact.',
    );
  const isWorker = template === 'worker';
  const dependencies = ownDependencies(own, ...(isWorker ? [server] : []));
  const local = Object.entries(dependencies).filter(([, spec]) => spec.startsWith('file:'));
  const tarballs = local.map(([name]) => `vendor/${name.replace(/^@/, '').replace('/', '-')}-${own.version}.tgz`);
  for (const [i, [name]] of local.entries()) dependencies[name] = `file:${tarballs[i]}`;
  if (isWorker) dependencies['wrangler'] = '^4';
  const files = filesOf(template, basename(resolve(folder)), own, dependencies);
  const paths = [...Object.keys(files), ...tarballs];
  const taken = paths.flatMap((path) => takenBy(folder, path) ?? []);
  if (taken.length > 0) {
    throw new Failure(
      'already-there',
      `${folder} already contains ${[...new Set(taken)].join(', ')}; nothing was written. Choose another folder.`,
    );
  }
  if (local.length > 0)
    pack(
      local.map(([, spec]) => spec),
      join(folder, 'vendor'),
    );
  for (const [path, text] of Object.entries(files)) write(join(folder, path), text, path === hookFile);
  const { stdout } = terminal;
  for (const path of paths) stdout.write(`  ${path}\n`);
  const into = relative('.', folder);
  const lacksServer = isWorker && dependencies[server] === undefined;
  const steps = [
    ...(into === '' ? [] : [`cd ${shellWord(into.startsWith('-') ? `./${into}` : into)}`]),
    'npm install',
    ...(lacksServer ? [`npm install ${serverToInstall(own)}`] : []),
    'npm test',
    isWorker ? 'npx wrangler dev' : 'npm start',
  ];
  stdout.write(`\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`);
  stdout.write(
    '\nIn git, once per clone:\n  git config core.hooksPath .githooks                                # check and test before each commit\n  git config diff.reenact.textconv "npx --no-install reenact print"  # show changes of the game as text\n',
  );
  stdout.write('\nGuide: node_modules/reenact/docs/writing-a-game.md\n');
  if (isWorker) stdout.write('Rooms as Durable Objects: node_modules/reenact/docs/durable-objects.md\n');
  return exitCodes.ok;
}

/**
 * The existing path that prevents creating a file: the file itself, even if it is a dangling link, or a file where a
 * folder is needed.
 */
function takenBy(folder: string, path: string) {
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

/** Packs packages that come from no registry as tarballs, so that the project can be installed on any machine. */
function pack(specs: readonly string[], folder: string) {
  try {
    mkdirSync(folder, { recursive: true });
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder, ...specs];
    execFileSync('npm', args, { shell: process.platform === 'win32', stdio: 'pipe' });
  } catch (error) {
    throw new Failure('no-package', `npm could not pack Reenact into ${folder}: ${messageOf(error)}`);
  }
}

function filesOf(
  template: Template,
  name: string,
  own: Package,
  dependencies: Dictionary<string>,
): Record<string, string> {
  const source = sources[template];
  const read = (path: string) => readFileSync(join(own.folder, path), 'utf8');
  const game = read(`${source.replace(/^scenarios/, 'scenarios/games')}.json`);
  const files = projectFiles({ name, game, scenarios: read(`${source}.scenario.yaml`), dependencies });
  const more = template === 'worker' ? workerFiles : [];
  for (const file of more) files[file] = read(`templates/worker/${file}`).replace('my-game', packageName(name));
  return files;
}

function write(path: string, text: string, isExecutable: boolean) {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx', mode: isExecutable ? 0o777 : 0o666 });
  } catch (error) {
    throw new Failure('cannot-write', `${path}: ${messageOf(error)}`);
  }
}

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isBuiltin } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { catalogue, loadDefinition, Simulation } from '../../engine/index.ts';
import { createProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/text/terminal.ts';
import { piecesOf } from '../readme/pieces.ts';
import { isBuilt } from '../support/program.ts';
import { canBrowse, desktop, launch, newPage } from '../viewer/browser.ts';
import { commandsOf, lines, loadLine, notOurs, optionsWithPaths, pathsOf, serveLine } from './commands.ts';
import {
  emptyFolder,
  filesIn,
  otherNodes,
  outside,
  removeOutside,
  root,
  type Surroundings,
  saidBy,
  shell,
  start,
  succeed,
  tarball,
  tarballs,
  unreachable,
  version,
} from './outside.ts';
import { bundled, bundledBytes, bundlers, exportsOf, importsOf, programOf } from './pages.ts';

const names = ['reenact', '@reenact/engine', '@reenact/client', '@reenact/server'];
/** What is imported from the packages and needs Node, or a worker with its modules. All else is for pages, too. */
const forNode = [
  '@reenact/server/colyseus',
  '@reenact/server/durable-object',
  '@reenact/server',
  'reenact/explore',
  'reenact/testing',
];
const program = await createProgram({} as Terminal, { code: 0 });
const readme = readFileSync(join(root, 'README.md'), 'utf8');
/** The commands of the README, without comments. */
const [installing, using] = Array.from(readme.matchAll(/```sh\n([\s\S]*?)```/g), ([, block]) =>
  block!.split('\n').flatMap((line) => line.replace(/ +#.*/, '') || []),
) as [string[], string[]];

/** The project of somebody who has installed all four packages. */
const first = join(outside, 'first');
const modules = join(first, 'node_modules');
/** A game made by `init`. */
const game = join(outside, 'my-game');
/** The cache of compiled code is not that of the user who runs the tests. */
const env = { XDG_CACHE_HOME: join(outside, 'cache') };
const path = [join(modules, '.bin')];
const here = { path, env };
let whyNot: string | undefined;

beforeAll(async () => {
  if (!isBuilt) return;
  expect(installing.slice(0, 2)).toEqual(['npm ci', 'npm pack --workspaces']);
  // Without its scripts, because it would build again what other tests use meanwhile.
  await succeed(root, installing[1]!, { env: { npm_config_ignore_scripts: 'true' } });
  emptyFolder('first');
  writeFileSync(join(first, 'package.json'), '{ "private": true, "type": "module" }');
}, 600_000);
afterAll(removeOutside);

/** Installs without a warning, or says why nothing can be installed here. */
async function install(folder: string, what: string, surroundings: Surroundings = {}): Promise<void> {
  const { code, stdout, stderr } = await shell(folder, `npm install ${what}`, surroundings);
  if (code !== 0 && unreachable.test(stderr)) whyNot = 'no registry of npm can be reached';
  else expect({ what, code, stdout, stderr }).toMatchObject({ code: 0, stderr: '' });
}

/** Opens pages in a browser. `complaints` are what they print as errors. */
async function inBrowser(visit: (page: Page, complaints: readonly string[]) => Promise<void>): Promise<void> {
  const browser = await launch();
  try {
    const page = await newPage(browser, { viewport: desktop });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await visit(page, complaints);
  } finally {
    await browser.close();
  }
}

/** A server that ends with the test. */
async function serving(folder: string, line: string, user: Surroundings, visit: (url: string) => Promise<void>) {
  const server = start(folder, line, user);
  const ended = once(server, 'exit');
  server.stdout!.resume();
  try {
    const [, url] = await saidBy(server, /^serving on (http:\S+)$/m);
    await visit(url!);
  } finally {
    server.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
}

describe.skipIf(!isBuilt)(
  'from the tarballs (skipped where they are not built)',
  { timeout: 600_000, shuffle: false },
  () => {
    beforeEach(({ skip }) => {
      if (whyNot !== undefined) skip(whyNot);
    });

    test('a newcomer installs two small packages, and makes, tests and plays a game', async () => {
      await install(first, [tarball('reenact-engine'), tarball('reenact')].join(' '));
      if (whyNot !== undefined) return;
      const { stdout } = await succeed(first, 'npm ls --all --parseable');
      expect(stdout.trim().split('\n').length - 1).toBeLessThanOrEqual(12);
      expect(filesIn(modules).reduce((sum, name) => sum + statSync(join(modules, name)).size, 0)).toBeLessThan(20.5e6);
      expect(await succeed(first, 'npx reenact --version')).toMatchObject({ stdout: `${version}\n` });
      const said = (await succeed(first, 'npx reenact init ../my-game')).stdout;
      expect(said).toContain('npm install\n  npm test\n  npm start\n');
      expect(said).toContain('  vendor/reenact-');
      expect(readFileSync(join(game, 'package.json'), 'utf8')).not.toContain(outside);
      await install(game, '');
      expect((await succeed(game, 'npm test')).stdout).toMatch(/^\d+ passed; /m);
      expect((await succeed(game, 'npm start')).stdout).toMatch(/^faults {2,}none$/m);
      expect(existsSync(join(game, said.match(/^Guide: (.*)$/m)![1]!))).toBe(true);
    });

    test.each([
      ['serve game.json', 'no-server-package'],
      ['serve game.json --data "" --journal redis://127.0.0.1:1', 'bad-journal'],
      ['run game.json --seconds 1 --png game.png', 'no-renderer'],
      ['data list --data . --store postgres://127.0.0.1:1/players', 'bad-store'],
    ])('%s says which package it needs, and the command that installs it', async (line, code) => {
      copyFileSync(join(game, 'game.json'), join(first, 'game.json'));
      const { stderr } = await shell(first, `reenact ${line}`, here);
      const said = new RegExp(`^${code}: .* npm install (\\S+?)\\.?(?: |$)`, 'm').exec(stderr);
      expect(said, stderr).not.toBeNull();
      await install(first, said![1]!);
    });

    test('whoever writes a client installs one package more, and nothing with it', async () => {
      const installed = async () => (await succeed(first, 'npm ls --all --parseable')).stdout.trim().split('\n').length;
      const before = await installed();
      await install(first, tarball('reenact-client'));
      expect(await installed()).toBe(before + 1);
    });

    test.each(otherNodes().map(({ name }) => name))(
      'Node %s installs all four without a warning, and plays',
      async (name) => {
        const { bin } = otherNodes().find((each) => each.name === name)!;
        const folder = emptyFolder(`node-${name}`);
        writeFileSync(join(folder, 'package.json'), '{ "private": true }');
        const user = { path: [bin, join(folder, 'node_modules/.bin')], env };
        expect((await succeed(folder, 'node --version', user)).stdout).toMatch(new RegExp(`^v${name}\\.`));
        await install(folder, tarballs.join(' '), user);
        for (const line of ['reenact init game', 'reenact test game', 'reenact serve --check-config game/game.json'])
          await succeed(folder, line, user);
      },
    );

    test('a scenario in TypeScript, as in the installed guide, runs in the newest vitest', async ({ skip }) => {
      const node = otherNodes().at(-1);
      if (node === undefined) return skip('no other version of Node');
      const folder = join(outside, `node-${node.name}`);
      const user = { path: [node.bin, join(folder, 'node_modules/.bin')], env: { ...env, NO_COLOR: '1' } };
      await install(folder, 'vitest', user);
      const guide = readFileSync(join(modules, 'reenact/docs/scenarios.md'), 'utf8');
      const [, text] = /<!-- file outbreak\.test\.ts -->\n```ts\n([\s\S]*?)```/.exec(guide)!;
      writeFileSync(join(folder, 'outbreak.test.ts'), text!);
      copyFileSync(join(modules, 'reenact/scenarios/games/outbreak.json'), join(folder, 'outbreak.json'));
      expect((await succeed(folder, 'vitest run outbreak', user)).stdout).toMatch(/1 passed/);
    });

    test('the packages contain what their package.json names, and neither sources nor tests', () => {
      const unwanted =
        /^(?:engine|src|test|bench|tools|dist-docs|dist\/(?:src|test|bench))\/|(?<!\.d)\.ts$|\.tsbuildinfo$|\/\.vitepress\//;
      for (const name of names) {
        const found = filesIn(join(modules, name));
        expect(found.filter((each) => unwanted.test(each))).toEqual([]);
        const { bin = {}, exports } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
        const targets = [...Object.values(bin), ...Object.values(exports)].flatMap((target) =>
          typeof target === 'string' ? target : Object.values(target as Record<string, string>),
        );
        const wanted = [...targets.map((target) => target.replace('./', '')), 'dist/sbom.json', 'dist/licenses.txt'];
        expect(wanted.filter((each) => !each.includes('*') && !found.includes(each))).toEqual([]);
        expect(found.some((each) => /(?:^|\/)LICENSE$/.test(each))).toBe(true);
      }
      const own = filesIn(join(modules, 'reenact'));
      for (const folder of ['docs', 'scenarios', 'schema', 'templates']) {
        const tracked = filesIn(join(root, folder)).filter((each) => /\.(?:md|json|yaml)$/.test(each));
        expect(own).toEqual(expect.arrayContaining(tracked.map((each) => `${folder}/${each}`)));
      }
    });

    describe('every command', { shuffle: false }, () => {
      const work = join(first, 'work');

      beforeAll(() => {
        if (whyNot !== undefined) return;
        mkdirSync(work);
        for (const [name, content] of Object.entries(files()))
          writeFileSync(join(work, name), typeof content === 'string' ? content : JSON.stringify(content), {
            mode: 0o600,
          });
      });

      test.each(
        lines
          .filter((line) => line !== loadLine)
          .map((line): [string, number] => (typeof line === 'string' ? [line, 0] : [line[1], line[0]])),
      )('reenact %s', async (line, code) => {
        if (line === serveLine)
          await serving(work, `reenact ${line}`, here, async (url) => {
            await succeed(work, `reenact ${loadLine.replace('ADDRESS', url)}`, here);
          });
        else await succeed(work, `reenact ${line}`, here, code);
        const named = pathsOf(program, line).map((each) => each.path);
        expect(named.filter((each) => !existsSync(join(work, each)))).toEqual([]);
        for (const each of named) if (each.endsWith('.json')) JSON.parse(readFileSync(join(work, each), 'utf8'));
      });

      test('stands here or in the README, with each option that names a file or a folder', () => {
        const { used, declared } = optionsWithPaths(program, lines);
        expect([...used, ...notOurs].sort()).toEqual(declared);
        const shown = using.flatMap((line) => (line.startsWith('reenact ') ? line.slice('reenact '.length) : []));
        const visible = program
          .createHelp()
          .visibleCommands(program)
          .map((command) => command.name());
        expect(visible.filter((name) => !commandsOf([...lines, ...shown]).includes(name))).toEqual(['help']);
      });

      test('writes pages that work', async ({ skip }) => {
        if (!canBrowse) skip('no browser');
        const pages = filesIn(work).filter((name) => name.endsWith('.html'));
        expect(pages.length).toBeGreaterThanOrEqual(5);
        await inBrowser(async (page, complaints) => {
          for (const name of pages) {
            await page.goto(pathToFileURL(join(work, name)).href);
            await expect.poll(() => page.locator('body').innerText(), { message: name }).toMatch(/\w{4}/);
            expect({ name, complaints }).toEqual({ name, complaints: [] });
          }
        });
      });
    });

    test('every template is a game without issues, which runs and passes its scenarios', async () => {
      const { options } = program.commands.find((command) => command.name() === 'init')!;
      const { argChoices } = options.find(({ long }) => long === '--template')!;
      expect(argChoices!.length).toBeGreaterThanOrEqual(5);
      for (const name of argChoices!) {
        const folder = join(first, 'templates', name);
        await succeed(first, `reenact init templates/${name} --template ${name}`, here);
        for (const line of ['check game.json --strict', 'test', 'run game.json --bots 4 --seconds 10'])
          await succeed(folder, `reenact ${line}`, here);
      }
    });

    test('every recipe of the installed guide has no issues, and its scenarios pass', async () => {
      const page = readFileSync(join(modules, 'reenact/docs/recipes.md'), 'utf8');
      const pieces = piecesOf(page, blank(), { startsAgain: true });
      expect(pieces.length).toBeGreaterThan(10);
      pieces.forEach(({ kind, text, game }, index) => {
        const folder = join(first, 'recipes', String(index));
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'game.json'), JSON.stringify(game));
        const scenarios = `game: game.json\nscenarios:\n${text.replaceAll(/^/gm, '  ')}`;
        if (kind === 'scenario') writeFileSync(join(folder, 'recipe.scenario.yaml'), scenarios);
      });
      const games = pieces.map((_, index) => `recipes/${index}/game.json`);
      await succeed(first, `reenact check --strict ${games.join(' ')}`, here);
      const { stdout } = await succeed(first, 'reenact test recipes', here);
      const scenarios = pieces.filter(({ kind }) => kind === 'scenario').length;
      expect(Number(/^(\d+) passed; /m.exec(stdout)?.[1])).toBeGreaterThanOrEqual(scenarios);
    });

    test('the README works as it stands', async () => {
      const prefix = join(outside, 'global');
      // Stands for the browser that `view --open` opens.
      const opener = emptyFolder('opener');
      writeFileSync(join(opener, 'xdg-open'), '#!/bin/sh\ntest -s "$1"\n', { mode: 0o755 });
      const user = {
        path: [join(prefix, 'bin'), opener],
        env: { ...env, npm_config_prefix: prefix, REENACT_SERVE_PORT: '0' },
      };
      await install(outside, installing[2]!.replace('npm install ', ''), user);
      let folder = emptyFolder('readme');
      for (const line of using) {
        const command = line.split(' ')[1]!;
        if (line.startsWith('cd ')) {
          folder = join(folder, command);
          for (const name of ['old.json', 'new.json']) copyFileSync(join(folder, 'game.json'), join(folder, name));
        } else if (command === 'serve') await serving(folder, line, user, async () => {});
        else {
          // Five minutes would be too long; editors end a language server by a message.
          const isLong = command === 'explore';
          await succeed(
            folder,
            line,
            isLong ? { ...user, interruptMs: 4000 } : user,
            isLong ? 130 : command === 'lsp' ? 1 : 0,
          );
        }
      }
    });

    describe('in programs and pages', { shuffle: false }, () => {
      const exported = (): Map<string, string> => new Map(names.flatMap((name) => [...exportsOf(modules, name)]));
      const forPages = (): string[] => [...exported().keys()].filter((name) => !forNode.includes(name));

      test('each file imports only what its package declares, and nothing of Node if it is for pages', async () => {
        const all = exported();
        expect([...all.keys()]).toEqual(expect.arrayContaining(forNode));
        for (const [name, file] of all.set('reenact/cli', join(modules, 'reenact/dist/cli/main.js'))) {
          const needed = await importsOf(file);
          const declared = declaredBy(names.find((each) => isOf(each, name))!);
          const others = needed.filter((path) => !isBuiltin(path) && !declared.some((each) => isOf(each, path)));
          expect({ name, others }).toEqual({ name, others: [] });
          const isForPages = needed.every((path) => forPages().includes(path));
          expect({ name, needed, isForPages }).toEqual({ name, needed, isForPages: forPages().includes(name) });
        }
      });

      test('each export can be imported and has types', async () => {
        const all = exported();
        const imports = (of: readonly string[]): string =>
          of.map((name, i) => `import * as m${i} from '${name}';`).join('\n');
        const used = (of: readonly string[]): string =>
          `${imports(of)}\nexport const all = [${of.map((_, i) => `m${i}`)}];\n`;
        const typed = [...all.keys()].filter((name) => name !== '@reenact/server');
        writeFileSync(join(first, 'all.ts'), used(typed));
        // Those that need no package beside ours are right without `skipLibCheck`, too.
        writeFileSync(join(first, 'own.ts'), used(typed.filter((name) => !name.endsWith('/colyseus'))));
        writeFileSync(join(first, 'pages.ts'), used(forPages()));
        const compiler = join(root, 'node_modules/typescript/bin/tsc');
        const typeRoots = join(root, 'node_modules/@types');
        const compile = `node ${compiler} --ignoreConfig --noEmit --strict --target es2023 --types "" `;
        for (const way of ['--module nodenext', '--module esnext --moduleResolution bundler']) {
          await succeed(first, `${compile} ${way} --skipLibCheck all.ts`);
          // Only errors in our own declarations count: those of Node may have some.
          const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023', '--types', 'node'];
          const checked = [...options, '--typeRoots', typeRoots, ...way.split(' '), 'own.ts'];
          const { stdout } = spawnSync(process.execPath, [compiler, ...checked], { cwd: first, encoding: 'utf8' });
          expect(stdout.match(/^[^(\n]*node_modules\/@?reenact\/.*error.*$/gm) ?? []).toEqual([]);
          await succeed(first, `${compile} ${way} pages.ts`);
        }
      });

      test('pages get only what they import, and one engine', async () => {
        const bytes = (text: string): Promise<number> => bundledBytes(first, text);
        expect(await bytes("import { outputKinds } from '@reenact/engine'; console.log(outputKinds);")).toBeLessThan(
          3000,
        );
        const engine = "import * as engine from '@reenact/engine'; console.log(engine);";
        const prediction = "import { Prediction } from '@reenact/client'; console.log(Prediction);";
        expect(await bytes(engine + prediction)).toBeLessThan(1.1 * (await bytes(engine)));
      });

      test('bundles are as large as the page of stability says, and the engine judges and describes nothing', async () => {
        const page = readFileSync(join(root, 'docs/stability.md'), 'utf8');
        const rows = [
          ...page.matchAll(/^\| [^|]+ \| `(import \{ ([^}]+) \} from [^`]+)` \| (\d+) kB \| (\d+) kB \|$/gm),
        ];
        expect(rows).toHaveLength(4);
        for (const [, imports, names, plain, zipped] of rows) {
          const bytes = await bundled(first, `${imports}; console.log(${names});`);
          const sizes = [bytes.length, gzipSync(bytes).length].map((size) => size / 1000);
          for (const [i, said] of [Number(plain), Number(zipped)].entries())
            expect(Math.abs(sizes[i]! / said - 1), `${names}: ${sizes.map(Math.round).join(' and ')} kB`).toBeLessThan(
              0.04,
            );
          const text = new TextDecoder().decode(bytes);
          const { about } = catalogue().actions.find(({ type }) => type === 'setVariable')!;
          for (const absent of [about, 'never-changed']) expect(text).not.toContain(absent);
        }
      });

      test('all of it works in a page, bundled by esbuild, Vite and webpack', async ({ skip }) => {
        const folder = emptyFolder('first/page');
        const program = programOf(forPages());
        writeFileSync(join(folder, 'page.js'), program);
        const scripts = new Map<string, string>();
        for (const [bundler, bundle] of Object.entries(bundlers))
          scripts.set(bundler, readFileSync(await bundle(folder), 'utf8'));
        if (!canBrowse) skip('no browser');
        writeFileSync(
          join(folder, 'in-node.mjs'),
          `${program.split('\nfunction')[0]}console.log(JSON.stringify(exported));`,
        );
        const exported = JSON.parse((await succeed(folder, 'node in-node.mjs')).stdout);
        const document = JSON.parse(readFileSync(join(first, 'game.json'), 'utf8'));
        const sim = new Simulation(loadDefinition(document).game!, { seed: 'page' });
        sim.join({ name: 'Ann' }).press('w');
        sim.run({ seconds: 5 });

        const web = createServer(({ url }, response) => {
          const script = scripts.get(url!.slice(1).replace('.js', ''));
          const isScript = url!.endsWith('.js');
          response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
          response.end(
            isScript ? script : `<link rel="icon" href="data:,"><script type="module" src="${url}.js"></script>`,
          );
        });
        await once(web.listen(0, '127.0.0.1'), 'listening');
        const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
        const line = `reenact serve game.json --port 0 --data "" --origin ${origin}`;
        await serving(first, line, here, async (url) => {
          const { rooms } = (await (await fetch(`${url}/rooms`)).json()) as { rooms: { id: string }[] };
          const definition = await (await fetch(`${url}/rooms/${rooms[0]!.id}/definition`)).text();
          await inBrowser(async (page, complaints) => {
            for (const bundler of scripts.keys()) {
              await page.goto(`${origin}/${bundler}`);
              await page.waitForFunction('window.exported');
              const found = await page.evaluate(`(async () => {
                const worker = new Worker('${bundler}.js', { type: 'module' });
                const inWorker = new Promise((done) => {
                  worker.onmessage = ({ data }) => done(data);
                  worker.onerror = ({ message }) => done(message);
                });
                worker.postMessage(${JSON.stringify(document)});
                return {
                  exported,
                  cleaned,
                  hashes: [played(${JSON.stringify(document)}), await inWorker],
                  predicted: await moved('${url.replace('http', 'ws')}/play', ${definition}),
                };
              })()`);
              const hashes = [sim.hash(), sim.hash()];
              const expected = { exported, cleaned: '<b>Ada</b> &lt; Bob', hashes, predicted: true };
              expect({ bundler, ...(found as object), complaints }).toEqual({ bundler, ...expected, complaints: [] });
            }
          });
        });
        web.close();
      });
    });
  },
);

/** The packages that are installed beside one of ours, or named as optional. */
function declaredBy(name: string): string[] {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  return Object.keys({ ...dependencies, ...peerDependencies });
}

/** Whether an import is of a package. */
function isOf(name: string, path: string): boolean {
  return path === name || path.startsWith(`${name}/`);
}

/** What the lines of commands need. */
function files(): Record<string, unknown> {
  const coins = readFileSync(join(game, 'game.json'), 'utf8');
  const recipes = piecesOf(readFileSync(join(root, 'docs/recipes.md'), 'utf8'), blank(), { startsAgain: true });
  const { data } = JSON.parse(coins);
  const scenario = (steps: string): string => `game: game.json\nscenarios:\n  - name: a\n    steps: [${steps}]\n`;
  return {
    'game.json': coins,
    'saving.json': recipes.find(({ heading }) => heading === 'Saving')!.game,
    'sloppy.json': {
      data: {
        ...data,
        scripts: { ...data.scripts, typo: { name: 'typo', triggers: [{ type: 'gameStrat' }], actions: [] } },
      },
    },
    'game.scenario.yaml': readFileSync(join(game, 'game.scenario.yaml'), 'utf8'),
    'failing.scenario.yaml': scenario('{ wait: 1 s }, { expect: time > 5 }'),
    'plotted.scenario.yaml': `${scenario('{ wait: 1 s }, { expect: time > 0 }')}    plot: [time]\n`,
    'values.scenario.yaml': scenario('{ wait: 1 s }, { value: tick }'),
    'serve.yaml': 'port: 0\n',
    secret: 'a secret of more than thirty-two characters',
    admins: 'a token of sixteen',
    'platform.json': { ads: 'https://platform.example/ads' },
    'words.mjs': "export const operations = { getSeason: { about: 'The season.', returns: 'string' } };\n",
    'store-url': 'file:saved',
    'journal-url': 'off',
  };
}

function blank(): unknown {
  return JSON.parse(readFileSync(join(root, 'templates/blank/game.json'), 'utf8'));
}

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { reenact } from './support.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reenact-init-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the workflow and the editor settings can be parsed', async () => {
  await reenact(['init', folder]);
  const { jobs } = parse(readFileSync(join(folder, '.github/workflows/ci.yml'), 'utf8'));
  const commands = jobs.game.steps.map(({ run }: { run?: string }) => run ?? '').join('\n');
  expect(commands).toMatch(/reenact check .*reenact test .*--reporter junit=results\.xml.*npm run bench/s);
  const settings = JSON.parse(readFileSync(join(folder, '.vscode/settings.json'), 'utf8'));
  expect(settings['json.schemas'][0].url).toBe('./node_modules/reenact/schema/game-definition.schema.json');
  const extensions = JSON.parse(readFileSync(join(folder, '.vscode/extensions.json'), 'utf8'));
  expect(extensions).toEqual({ recommendations: ['redhat.vscode-yaml'] });
});

test('the project can be installed on another machine: what comes from no registry lies in it', async () => {
  const { stdout } = await reenact(['init', folder]);
  const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(Object.keys(devDependencies)).toEqual(['reenact', '@reenact/engine']);
  for (const spec of Object.values<string>(devDependencies)) {
    expect(spec).toMatch(/^file:vendor\/reenact[\w.-]*\.tgz$/);
    expect(statSync(join(folder, spec.slice('file:'.length))).size).toBeGreaterThan(100_000);
    expect(stdout).toContain(`  ${spec.slice('file:'.length)}\n`);
  }
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(readme).toMatch(/^# reenact-init-/);
  expect(readme.split('\n').length).toBeLessThan(40);
});

test('existing files are not overwritten, and then nothing else is written', async () => {
  writeFileSync(join(folder, 'game.json'), 'mine');
  expect(await reenact(['init', folder])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('already-there: '),
  });
  expect(readdirSync(folder)).toEqual(['game.json']);
  expect(readFileSync(join(folder, 'game.json'), 'utf8')).toBe('mine');
});

test.each([
  ['a file where a folder is to be', '.github', () => writeFileSync(join(folder, '.github'), 'mine')],
  ['a link that leads nowhere', 'game.json', () => symlinkSync('nowhere', join(folder, 'game.json'))],
])('%s prevents all writing', async (_name, taken, make) => {
  make();
  const { code, stderr } = await reenact(['init', folder]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `already-there: ${folder} already contains ${taken}; nothing was written. Choose another folder.\n`,
  });
  expect(readdirSync(folder)).toEqual([taken]);
});

test('the folder in the printed command is quoted if a shell needs it', async () => {
  const { stdout } = await reenact(['init', join(folder, "Ann's game & more")]);
  expect(stdout).toContain(`  cd '${relative('', folder)}/Ann'\\''s game & more'\n  npm install`);
  const plain = await reenact(['init', join(folder, 'plain')]);
  expect(plain.stdout).toContain(`  cd ${relative('', folder)}/plain\n  npm install`);
});

test('a worker comes with what the platform needs, and names the classes that it exports', async () => {
  const { code, stdout } = await reenact(['init', folder, '--template', 'worker']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/ {2}npm install\n {2}npm test\n {2}npx wrangler dev\n/);
  const { name: project, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const server = 'file:vendor/reenact-server-0.1.0.tgz';
  expect(devDependencies).toMatchObject({ '@reenact/server': server, wrangler: '^4' });
  expect(statSync(join(folder, server.slice('file:'.length))).size).toBeGreaterThan(1_000_000);
  // Secrets for `wrangler dev`, and what it stores.
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toMatch(/^\.wrangler\/\n\.dev\.vars\*$/m);
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('npx wrangler dev');
  const config = readFileSync(join(folder, 'wrangler.jsonc'), 'utf8');
  const { name, durable_objects: objects, migrations, rules, compatibility_flags: flags } = JSON.parse(config);
  expect(name).toBe(project);
  const worker = readFileSync(join(folder, 'worker.js'), 'utf8');
  const exported = /export \{ (.*) \}/.exec(worker)![1]!.split(', ');
  const named = objects.bindings.map((binding: { class_name: string }) => binding.class_name);
  expect([named, migrations[0].new_sqlite_classes]).toEqual([exported, exported]);
  // The names of `Bindings`.
  expect(objects.bindings.map(({ name }: { name: string }) => name)).toEqual(['ROOMS', 'STORE']);
  expect(flags).toEqual(['nodejs_compat']);
  // Without the rule, the platform's bundler makes an object of it, which each start of the worker would parse.
  expect(rules).toEqual([{ type: 'Text', globs: ['**/game.json'], fallthrough: true }]);
});

test('an unknown template is rejected with a list of all templates', async () => {
  const { code, stderr } = await reenact(['init', folder, '--template', 'chess']);
  expect(code).toBe(2);
  expect(stderr).toContain('coins, blank, infection, teams, rays, worker');
});

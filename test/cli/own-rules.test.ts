import { mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { countingGame, reenact } from './support.ts';

/** The modules of the guide. */
const [guide, visiting] = [...readFileSync('docs/rules.md', 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, module]) => module!,
) as [string, string];
let folder: string;
let game: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-rules-'));
  game = join(folder, 'game.json');
  const shops = { inn: { name: 'Inn', itemTypes: { ale: { price: { coins: 5 } } } } };
  writeFileSync(game, JSON.stringify(countingGame({ shops, itemTypes: { ale: { name: 'Ale' } } })));
});

function configure(modules: Readonly<Record<string, string>>, check = {}): void {
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text);
  const rules = Object.keys(modules).map((name) => `./${name}`);
  writeFileSync(join(folder, 'reenact.config.json'), JSON.stringify({ rules, check }));
}

test('check reports what a rule of the project finds, at its place', async () => {
  configure({ 'my-rules.mjs': guide });
  const { stdout, code } = await reenact(['check', game]);
  expect(stdout).toContain('shop/no-coins');
  expect(stdout).toContain('/data/shops/inn (Inn)/itemTypes/ale/price/coins');
  expect(code).toBe(0);
});

test('a rule that visits nodes reports them', async () => {
  configure({ 'my-rules.mjs': visiting });
  const scripts = { lose: { name: 'lose', triggers: [{ type: 'playerLeavesGame' }], actions: [{ type: 'endGame' }] } };
  writeFileSync(game, JSON.stringify(countingGame({ scripts })));
  const { stdout, code } = await reenact(['check', game]);
  expect(stdout).toContain('end/only-win  "lose" ends the game.');
  expect(stdout).toContain('/data/scripts/lose/actions/0');
  expect(code).toBe(1);
});

test('its code has a severity and exceptions like any other', async () => {
  configure({ 'my-rules.mjs': guide }, { severity: { 'shop/no-coins': 'error' } });
  expect((await reenact(['check', game])).code).toBe(1);
  configure({ 'my-rules.mjs': guide }, { exceptions: [{ code: 'shop/no-coins', at: '/data/shops/inn' }] });
  expect((await reenact(['check', game])).stdout).not.toContain('shop/no-coins');
});

const rule = (more: string) => `export const rules = { 'a/b': { severity: 'info', about: 'A.', because: 'B.',
  wrong: '{ "shops": { "inn": {} } }', right: '{}', check({ definition, report }) {
    for (const { pointer } of definition.shops.values()) report(pointer, 'No shops.'); }, ${more} } };`;

test.each([
  ['a module that does not exist', {}, 'gone.mjs cannot be run: ENOENT'],
  ['a module with a syntax error', { 'a.mjs': 'export const = 1' }, 'a.mjs cannot be run: '],
  ['a module without rules', { 'a.mjs': 'export const rule = 1' }, 'a.mjs does not export `rules`'],
  ['a module with a list of rules', { 'a.mjs': 'export const rules = []' }, 'a.mjs does not export `rules`'],
  [
    'a module that never finishes loading',
    { 'a.mjs': 'await new Promise(() => {})' },
    'a.mjs cannot be run: it took longer than 5 s to load',
  ],
  [
    'a rule that reports later',
    { 'a.mjs': rule('async visit() { throw new Error("Late."); }') },
    'a.mjs: rules["a/b"] failed: it returned a promise',
  ],
  [
    'a code that could be of Reenact',
    { 'a.mjs': 'export const rules = { mine: {} }' },
    'rules["mine"] must have a code',
  ],
  ['two rules of one code', { 'a.mjs': rule(''), 'b.mjs': rule('') }, 'b.mjs: rules["a/b"] has the code of a rule of '],
  ['a rule without a reason', { 'a.mjs': rule('because: undefined') }, 'rules["a/b"] needs a string `because`'],
  [
    'an example that is not reported',
    { 'a.mjs': rule(`wrong: '{}'`) },
    'rules["a/b"]: the rule does not report its example `wrong`',
  ],
  [
    'an example that is reported',
    { 'a.mjs': rule(`right: '{ "shops": { "x": {} } }'`) },
    'the rule also reports its example `right`',
  ],
  ['an example that is not JSON', { 'a.mjs': rule(`wrong: 'shop'`) }, 'rules["a/b"] failed: '],
  [
    'a severity that does not exist',
    { 'a.mjs': rule(`severity: 'fatal'`) },
    'rules["a/b"] must have the `severity` error, warning or info',
  ],
  [
    'a visit to a kind of node that does not exist',
    { 'a.mjs': rule(`visit: () => ({ actoin() {} })`) },
    'rules["a/b"]: `visit` has a function for the unknown kind of node "actoin". Did you mean "action"?',
  ],
  [
    'a report with a BigInt',
    { 'a.mjs': rule(`check({ report }) { report('', 'A.', { found: 5n }); }`) },
    'rules["a/b"] failed: `found` must be a string, not 5',
  ],
  [
    'a report with a Symbol',
    { 'a.mjs': rule(`check({ report }) { report('', Symbol('A')); }`) },
    'rules["a/b"] failed: `message` must be a string, not ',
  ],
  [
    'a report without a place',
    { 'a.mjs': rule(`check({ report }) { report(undefined, 'A.'); }`) },
    'rules["a/b"] failed: report needs a node or a JSON Pointer, not undefined',
  ],
  [
    'a rule that fails',
    { 'a.mjs': rule(`visit: () => ({ action() { throw new Error('Oh.'); } })`) },
    'a.mjs: rules["a/b"] failed: Oh.',
  ],
])('%s is refused with its place', async (_what, modules, message) => {
  configure(modules);
  if (Object.keys(modules).length === 0)
    writeFileSync(join(folder, 'reenact.config.json'), JSON.stringify({ rules: ['./gone.mjs'] }));
  const { stderr, code } = await reenact(['check', game]);
  expect(stderr).toContain(`bad-rules: ${folder}`);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test('a code of the project that no rule has is refused in the configuration', async () => {
  configure({ 'a.mjs': rule('') }, { severity: { 'a/c': 'off' } });
  const { stderr, code } = await reenact(['check', game]);
  expect(stderr).toContain('bad-config');
  expect(stderr).toContain('There is no issue code "a/c". Did you mean `a/b`?');
  expect(code).toBe(2);
  configure({}, { exceptions: [{ code: 'x/y', at: '' }] });
  expect((await reenact(['check', game])).stderr).toContain('There is no issue code "x/y".');
});

test('a changed module counts at the next check', async () => {
  configure({ 'a.mjs': rule('') });
  expect((await reenact(['check', game])).stdout).toContain('No shops.');
  configure({ 'a.mjs': rule('').replace('No shops.', 'No inns.') });
  // Clocks of files are coarse.
  utimesSync(join(folder, 'a.mjs'), new Date(), new Date(Date.now() + 1000));
  expect((await reenact(['check', game])).stdout).toContain('No inns.');
});

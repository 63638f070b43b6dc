import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { countingGame, reenact } from './support.ts';

/** A project whose game has one warning, `dangling-item-type`, at a shop. */
const place = '/data/shops/shop/itemTypes/sword';
const shops = { shop: { itemTypes: { sword: {} } } };
let folder: string;
let game: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-config-'));
  mkdirSync(join(folder, 'games'));
  game = join(folder, 'games', 'game.json');
  writeFileSync(game, JSON.stringify(countingGame({ shops }), null, 2));
});

function configure(check: object, name = 'reenact.config.json'): void {
  writeFileSync(join(folder, name), JSON.stringify(name === 'package.json' ? { reenact: { check } } : { check }));
}

async function codesOf(...args: string[]): Promise<{ code: number; found: string[] }> {
  const { code, stdout } = await reenact(['check', game, '--format', 'json', ...args]);
  const { files } = JSON.parse(stdout) as { files: { issues: { code: string; severity: string }[] }[] };
  return { code, found: files[0]!.issues.map((issue) => `${issue.severity} ${issue.code}`) };
}

describe('reenact.config.json', () => {
  test.each(['reenact.config.json', 'package.json'])('%s above the game changes severities', async (name) => {
    expect(await codesOf()).toMatchObject({ code: 0, found: expect.arrayContaining(['warning dangling-item-type']) });
    configure({ severity: { 'dangling-item-type': 'error', 'unused-variable': 'off' } }, name);
    const { code, found } = await codesOf();
    expect(code).toBe(1);
    expect(found).toContain('error dangling-item-type');
    expect(found).not.toContain('info unused-variable');
  });

  test('an exception takes out issues at and below its place', async () => {
    configure({ exceptions: [{ code: 'dangling-item-type', at: '/data/shops/shop', because: 'Sold next week.' }] });
    expect((await codesOf('--strict')).found).not.toContain('warning dangling-item-type');
    const { runs } = JSON.parse((await reenact(['check', game, '--format', 'sarif'])).stdout);
    const result = runs[0].results.find(({ ruleId }: { ruleId: string }) => ruleId === 'dangling-item-type');
    expect(result.suppressions).toEqual([{ kind: 'external', justification: 'Sold next week.' }]);
  });

  test.each([
    ['another place', { code: 'dangling-item-type', at: '/data/shops/sho' }],
    ['another code', { code: 'dangling-unit-type', at: place }],
    ['another game', { code: 'dangling-item-type', at: place, file: 'games/other.json' }],
  ])('an exception for %s takes nothing out', async (_what, exception) => {
    configure({ exceptions: [exception] });
    expect((await codesOf()).found).toContain('warning dangling-item-type');
  });

  test('an exception that matches no issue is named', async () => {
    configure({ exceptions: [{ code: 'dangling-shop', at: '/data/gone' }] });
    const { stderr } = await reenact(['check', game]);
    expect(stderr).toContain('the exception for dangling-shop at /data/gone matches no issue');
  });

  test.each([
    ['{', 'JSON'],
    ['{"check": {"severity": {"dangling-item-typ": "off"}}}', 'Did you mean `dangling-item-type`?'],
    ['{"check": {"severity": {"dangling-item-type": "silent"}}}', 'check.severity.dangling-item-type'],
    ['{"check": {"exceptions": [{"code": "unused"}]}}', 'check.exceptions.0: `at` is missing.'],
    ['{"chek": {}}', 'Did you mean `check`?'],
  ])('%s is not a configuration', async (text, reason) => {
    writeFileSync(join(folder, 'reenact.config.json'), text);
    const { code, stderr } = await reenact(['check', game]);
    expect(code).toBe(2);
    expect(stderr).toContain('bad-config');
    expect(stderr).toContain(reason);
  });
});

test.each<[args: string[], config: object, code: number]>([
  [['--max-warnings', '1'], {}, 0],
  [['--max-warnings', '0'], {}, 1],
  [[], { maxWarnings: 0 }, 1],
  [['--max-warnings', '1'], { maxWarnings: 0 }, 0],
])('one warning with %j and %j exits with %i', async (args, config, code) => {
  configure(config);
  expect((await codesOf(...args)).code).toBe(code);
});

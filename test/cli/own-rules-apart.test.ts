import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isBuilt, program } from '../support/program.ts';
import { countingGame } from './support.ts';

const rule = (check: string) => `export const rules = { 'a/b': { about: 'A.', because: 'B.',
  wrong: '{}', right: '{ "shops": { "x": {} } }', check({ definition, report }) {
    if (definition.shops.size > 0) return; ${check}; report('', 'No shops.'); } } };`;

describe.skipIf(!isBuilt)('rules of a project run apart (skipped where the program is not built)', () => {
  function refusal(name: string, module: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'own-rules-'));
    writeFileSync(join(folder, name), module);
    writeFileSync(join(folder, 'reenact.config.json'), JSON.stringify({ rules: [`./${name}`] }));
    writeFileSync(join(folder, 'game.json'), JSON.stringify(countingGame({})));
    const { stderr, status } = spawnSync(process.execPath, [program, 'check', join(folder, 'game.json')], {
      encoding: 'utf8',
    });
    expect(stderr).toContain('bad-rules');
    expect(status).toBe(2);
    return stderr;
  }

  test.each([
    [
      'a module that ends its process',
      'process.exit(0);',
      'a.mjs stopped its own thread, for example with process.exit.',
    ],
    [
      'a rule that ends its process',
      rule('process.exit(0)'),
      'a.mjs: rules["a/b"] stopped its own thread, for example with process.exit.',
    ],
    ['a module that runs forever', 'for (;;);', 'a.mjs does not end within 30 s.'],
    ['a rule that runs forever', rule('for (;;)'), 'a.mjs: rules["a/b"] does not end within 30 s.'],
  ])('%s is refused', { timeout: 90_000 }, (_what, module, message) => {
    expect(refusal('a.mjs', module)).toContain(message);
  });

  const runsTypeScript = Number(process.versions.node.split('.')[0]) >= 22;
  test.skipIf(runsTypeScript)('TypeScript is refused with a way out (skipped where Node runs it)', () => {
    expect(refusal('a.ts', 'export const rules = {};')).toContain(
      'Use Node 22.18 or newer, or write the module in JavaScript (.mjs).',
    );
  });
});

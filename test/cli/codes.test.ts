import { describe, expect, test } from 'vitest';
import { reenact } from './support.ts';

describe('reenact codes', () => {
  test('lists all of them', async () => {
    const { code, stdout } = await reenact(['codes']);
    expect(code).toBe(0);
    for (const each of ['unknown-trigger', 'no-such-entity', 'nothing-to-act-on', 'expression-syntax'])
      expect(stdout).toContain(`  ${each} `);
  });

  test('explains one code', async () => {
    const { code, stdout } = await reenact(['codes', 'no-such-entity']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^faults: errors of a game while it runs\n {2}no-such-entity {2}.*does not exist.*\n\nrefusals: .*\n {2}no-such-entity {2}.*\n$/,
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

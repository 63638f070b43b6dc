import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reenact } from './support.ts';

describe('the published schema', () => {
  test('is what the reader is made from', async () => {
    const published = readFileSync(new URL('../../schema/game-definition.schema.json', import.meta.url), 'utf8');
    const { stdout } = await reenact(['schema', '--pretty']);
    expect(published === stdout, 'schema/game-definition.schema.json is out of date: npm run schema').toBe(true);
  });

  test('of scenario files is what they are checked with', async () => {
    const published = readFileSync(new URL('../../schema/scenario.schema.json', import.meta.url), 'utf8');
    const { stdout } = await reenact(['schema', '--scenario', '--pretty']);
    const command = 'node dist/cli/main.js schema --scenario --pretty > schema/scenario.schema.json';
    expect(published === stdout, `schema/scenario.schema.json is out of date: ${command}`).toBe(true);
  });

  test('is one line unless it is to be read', async () => {
    const { code, stdout, stderr } = await reenact(['schema']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').length).toBe(2);
    expect(JSON.parse(stdout)).toEqual(JSON.parse((await reenact(['schema', '--pretty'])).stdout));
    expect(JSON.parse(stdout).$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });
});

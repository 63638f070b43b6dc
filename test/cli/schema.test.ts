import { describe, expect, test } from 'vitest';
import { reenact } from './support.ts';

describe('the published schema', () => {
  test('is one line unless --pretty is given', async () => {
    const { code, stdout, stderr } = await reenact(['schema']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').length).toBe(2);
    expect(JSON.parse(stdout)).toEqual(JSON.parse((await reenact(['schema', '--pretty'])).stdout));
    expect(JSON.parse(stdout).$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });
});

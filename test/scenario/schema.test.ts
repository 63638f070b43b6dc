import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findScenarioFiles } from '../../src/scenario/reading/scenario-files.ts';
import { scenarioSchema, steps } from '../../src/scenario/reading/schema.ts';

const validate = new Ajv2020().compile(scenarioSchema());
const { files } = findScenarioFiles([fileURLToPath(new URL('../../scenarios', import.meta.url))]);

describe('the published schema', () => {
  test.each(files)('accepts %s', (file) => {
    expect(validate(parse(readFileSync(file, 'utf8')))).toBe(true);
  });

  test.each([
    [{ scenarios: [{ name: 'a', steps: [{ wiat: 1 }] }] }],
    [{ scenarios: [{ name: 'a', then: [{ expect: 1 }] }] }],
    [{ scenarios: [{ steps: [] }] }],
    [{ scenarios: [], seed: [] }],
  ])('refuses %j', (file) => {
    expect(validate(file)).toBe(false);
  });
});

test('every field has a description', () => {
  const without: string[] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties = {} } = node as { properties?: Record<string, { description?: string; $ref?: string }> };
    for (const [name, { description, $ref }] of Object.entries(properties)) {
      if (description === undefined && $ref !== '#/$defs/steps') without.push(`${path}.${name}`);
    }
    for (const [key, member] of Object.entries(node)) walk(member, `${path}/${key}`);
  };
  walk(scenarioSchema(), '');
  expect(without).toEqual([]);
});

test('steps have distinct names', () => {
  const words = Object.keys(steps);
  for (const [word, { properties }] of Object.entries(steps)) {
    expect(
      words.filter((other) => other !== word && other in properties),
      word,
    ).toEqual([]);
  }
});

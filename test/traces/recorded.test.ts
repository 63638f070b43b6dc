import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareCase } from '../../src/traces/compare.ts';
import { familyRules } from '../../src/traces/rules.ts';
import type { TraceFile } from '../../src/traces/trace.ts';
import { replayOf } from './support.ts';

const folder = new URL('../../../shared/traces/', import.meta.url);
const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];

describe.skipIf(names.length === 0)('a recording agrees with itself', () => {
  test.each(names)('%s', (name) => {
    const trace = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as TraceFile;
    expect(familyRules[trace.family]).toBeDefined();
    expect(compareCase(trace, replayOf(trace))).toEqual([]);
  });
});

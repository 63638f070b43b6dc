import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultJsonLimits, guardJson, membersOf } from '../../engine/core/json-guard.ts';
import { runs } from '../support/property.ts';

describe('size', () => {
  test.each([
    ['"abcd"', 6],
    ['"é"', 4],
    ['"€"', 5],
    ['"😀"', 6],
    ['"\ud83d€"', 8 - 1],
  ])('%s is measured in UTF-8 bytes', (text, bytes) => {
    // Half a surrogate pair counts as two bytes, because the other half may follow; alone it is not valid text.
    expect(guardJson(text, { bytesMax: bytes, depthMax: 10 }).refusal).toBeUndefined();
    expect(guardJson(text, { bytesMax: bytes - 1, depthMax: 10 }).refusal).toEqual({ code: 'too-large', offset: 0 });
  });

  test('64 MB are the default', () => {
    const text = `"${'x'.repeat(64 * 1024 * 1024 - 2)}"`;
    expect(guardJson(text).refusal).toBeUndefined();
    expect(guardJson(`${text} `).refusal?.code).toBe('too-large');
  });
});

describe('depth', () => {
  const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

  test('1000 levels are allowed, 1001 are not', () => {
    expect(defaultJsonLimits.depthMax).toBe(1000);
    expect(guardJson(nested(1000)).refusal).toBeUndefined();
    expect(guardJson(nested(1001)).refusal).toEqual({ code: 'too-deep', offset: 1000 });
  });

  test('objects count like arrays', () => {
    const text = `${'{"a":['.repeat(3)}${']}'.repeat(3)}`;
    expect(guardJson(text, { bytesMax: 100, depthMax: 6 }).refusal).toBeUndefined();
    expect(guardJson(text, { bytesMax: 100, depthMax: 5 }).refusal).toEqual({ code: 'too-deep', offset: 17 });
  });

  test('only nesting counts, and brackets in strings do not', () => {
    const limits = { bytesMax: 1000, depthMax: 2 };
    expect(guardJson(`[${'[],'.repeat(100)}[]]`, limits).refusal).toBeUndefined();
    expect(guardJson('[["[[[{{{", "\\"[[[", "\\\\", "]]"]]', limits).refusal).toBeUndefined();
    expect(guardJson('[["\\\\\\\\",[1]]]', limits).refusal).toEqual({ code: 'too-deep', offset: 9 });
    expect(guardJson('[["\\\\\\",[1]]]"]]', limits).refusal).toBeUndefined();
  });

  test('ten million brackets are refused at the first that is too deep', () => {
    expect(guardJson('['.repeat(10_000_000)).refusal).toEqual({ code: 'too-deep', offset: 1000 });
    expect(guardJson('{"a":'.repeat(10_000_000)).refusal).toEqual({ code: 'too-deep', offset: 5000 });
  });
});

describe('forbidden keys', () => {
  test.each([
    ['{"__proto__": 1}', [1]],
    ['{"constructor": 1}', [1]],
    ['{"a": {"prototype" \n : 1}}', [7]],
    ['[{"__proto__": {"__proto__": 1}}]', [2, 16]],
    ['{"\\u005f_proto__": 1}', [1]],
    ['{"\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f": 1}', [1]],
    ['{"x": "\\u0041", "\\u0063onstructor": 1, "prototype": 2}', [16, 39]],
    ['{"\\u0063\\u006f\\u006e\\u0073\\u0074\\u0072\\u0075\\u0063\\u0074\\u006f\\u0072": 1}', [1]],
    ['{"__proto__": 1,, "prototype": [', [1, 18]],
  ])('%s', (text, offsets) => {
    expect(guardJson(text).forbiddenKeyOffsets).toEqual(offsets);
  });

  test.each([
    '"__proto__"',
    '["constructor", "prototype"]',
    '{"a": "__proto__"}',
    '{"a": "\\"__proto__\\": 1"}',
    '{"__proto___": 1, "_proto__": 2, "Constructor": 3, "constructors": 4, "protot\\\\ype": 5}',
    '{"\\\\u005f_proto__": 1}',
    '{"x\\u005f_proto__": 1}',
  ])('%s has none', (text) => {
    expect(guardJson(text).forbiddenKeyOffsets).toEqual([]);
  });

  test('are found in every spelling', () => {
    const spelled = fc.constantFrom('__proto__', 'constructor', 'prototype').chain((key) => {
      const escaped = [...key].map((c) => fc.constantFrom(c, `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`));
      // Unescaped, too, because random choices per letter would hardly ever produce that.
      return fc.oneof(fc.constant([...key]), fc.tuple(...escaped));
    });
    fc.assert(
      fc.property(fc.jsonValue(), spelled, fc.jsonValue(), (before, key, behind) => {
        const start = `[${JSON.stringify(before)}, {"k": ${JSON.stringify(before)}, `;
        const text = `${start}"${key.join('')}": ${JSON.stringify(behind)}}]`;
        expect(guardJson(text).forbiddenKeyOffsets).toContain(start.length);
      }),
      runs(),
    );
  });

  test('the search stops after a hundred', () => {
    expect(guardJson(`{${'"prototype": 1, '.repeat(500)}"x": 1}`).forbiddenKeyOffsets).toHaveLength(100);
  });
});

describe('members', () => {
  test.each([
    ['1', 0, 0],
    ['[{}, {"a": ":"}, [":"]]', 1, 1],
    ['{"a": {"b": 1, "c": [{"d": 2}]}}', 4, 4],
    ['{"a": 1, "a": 2}', 2, 1],
    ['{"a": {"b": 1, "c": 2}, "a": 0}', 4, 1],
    ['{"a": 1, "\\u0061": 2}', 2, 1],
    ['{"1": 1, "01": 2, "": 3}', 3, 3],
  ])('%s', (text, inText, inValue) => {
    expect(guardJson(text).memberCount).toBe(inText);
    expect(membersOf(JSON.parse(text))).toBe(inValue);
  });

  test('any value and its text have the same number', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(guardJson(text).memberCount).toBe(membersOf(JSON.parse(text)));
      }),
      runs(),
    );
  });

  test('are counted a hundred thousand levels deep', () => {
    expect(membersOf(JSON.parse('['.repeat(1e5) + ']'.repeat(1e5)))).toBe(0);
  });

  test('an unterminated string ends the scan', () => {
    expect(guardJson('{"a": "b: {').memberCount).toBe(1);
    expect(guardJson('{"a": "\\"').memberCount).toBe(1);
  });
});

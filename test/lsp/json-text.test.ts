import { describe, expect, test } from 'vitest';
import { placeAt } from '../../src/lsp/json-text.ts';

describe('the cursor `|` is at a place of the document, and a completion replaces a part of the text', () => {
  test.each([
    ['{"a": {"b|c": 1}}', { pointer: '/a/bc', replaced: '"bc"', isMember: true, isString: true }],
    ['{"a": {"bc": "x|y"}}', { pointer: '/a/bc', replaced: '"xy"', isMember: false, isString: true }],
    ['{"a": {"bc": "xy|"}}', { pointer: '/a/bc', replaced: '"xy"', isMember: false, isString: true }],
    ['{"a": {"bc": |"xy"}}', { pointer: '/a/bc', replaced: '', isMember: false, isString: false }],
    ['{"a": {"bc": |}}', { pointer: '/a/bc', replaced: '', isMember: false, isString: false }],
    ['{"a": {"bc": 1|2}}', { pointer: '/a/bc', replaced: '12', isMember: false, isString: false }],
    ['{"a": {"bc": |12, "d": 1}}', { pointer: '/a/bc', replaced: '12', isMember: false, isString: false }],
    ['{"a": {"bc": hea|lth-2}}', { pointer: '/a/bc', replaced: 'health-2', isMember: false, isString: false }],
    ['{"a": {"bc": |health}}', { pointer: '/a/bc', replaced: 'health', isMember: false, isString: false }],
    ['{"a": {"bc": health|}}', { pointer: '/a/bc', replaced: 'health', isMember: false, isString: false }],
    ['{"a": {hea|lth: 1}}', { pointer: '/a/', replaced: 'health', isMember: true, isString: false }],
    ['{"a": {"b": 1, |}}', { pointer: '/a/', replaced: '', isMember: true, isString: false }],
    ['{"a": [1, "x|", 3]}', { pointer: '/a/1', replaced: '"x"', isMember: false, isString: true }],
    ['{"a": [{"b": 1}, |]}', { pointer: '/a/1', replaced: '', isMember: false, isString: false }],
    ['{"a/b~": {"c|"', { pointer: '/a~1b~0/c', replaced: '"c"', isMember: true, isString: true }],
    ['wo|rd', { pointer: '', replaced: 'word', isMember: false, isString: false }],
  ])('%s', (marked, expected) => {
    const text = marked.replace('|', '');
    const { pointer, span, isMember, isString } = placeAt(text, marked.indexOf('|'));
    expect({ pointer, replaced: text.slice(span.start, span.end), isMember, isString }).toEqual(expected);
  });
});

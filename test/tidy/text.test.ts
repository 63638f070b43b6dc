import { describe, expect, test } from 'vitest';
import { readSources } from './source.ts';
import { textFaults } from './text.ts';

const written = readSources(
  [''],
  (path) =>
    /(?:\.(?:ts|md|json|js|mjs|sh|yml|yaml|html|css|toml)|^\.ci\/run)$/.test(path) && path !== 'package-lock.json',
);

const faultsOf = (text: string, path = 'test/a.test.ts') => textFaults(new Map([[path, text]]));
/** The words are put together here, or this file would be the first to be reported. */
const glue = (...parts: string[]) => parts.join('');

test('no loose end, no single test, no silenced type, no path of one machine', () => {
  expect(textFaults(written)).toEqual([]);
});

describe('is refused', () => {
  test.each([
    [glue('// TO', 'DO: later')],
    [glue('FIX', 'ME')],
    [glue('XX', 'X')],
    [glue('HA', 'CK')],
    [glue('test.on', "ly('a', run)")],
    [glue('describe.concurrent.on', "ly('a', run)")],
    [glue('// @ts-ig', 'nore')],
    [glue('// @ts-no', 'check')],
    [glue('fc.assert(property, { num', 'Runs: 5 })')],
    [glue("readFileSync('/wo", "rk/main/a.json')")],
    [glue('see /ho', 'me/me/notes')],
    [glue('"/Us', 'ers/me/a"')],
    [glue('file:///Us', 'ers/me/a')],
  ])('%s', (text) => {
    expect(faultsOf(`first line\n${text}`)).toEqual([expect.stringContaining('test/a.test.ts:2 ')]);
  });
});

describe('is fine', () => {
  test.each([
    ['the only one'],
    ['issues.only(1)'],
    ['// @ts-expect-error: a number is not a name'],
    ['mastodon'],
    ['https://example.org/home/page'],
    ['../words/main'],
    ['src/home/a.ts'],
    ['/wordshop/a'],
  ])('%s', (text) => {
    expect(faultsOf(text)).toEqual([]);
  });

  test('the name of a single test outside of tests', () => {
    expect(faultsOf(glue('test.on', 'ly('), 'docs/a.md')).toEqual([]);
  });
});

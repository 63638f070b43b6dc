import { expect, test } from 'vitest';
import { faultCodes, skipCodes } from '../../engine/index.ts';
import { refusalCodes } from '../../engine/tools.ts';
import { issueCodes } from '../../src/check/check-game.ts';
import { issuesMarkdown } from '../derived/issues-page.ts';
import { readSources } from './source.ts';

test('every code has one line there', () => {
  // A fault may have the code of the issue that foresees it, and a refusal that of a fault.
  const [issues = '', ...rest] = issuesMarkdown().split(/\n## (?:faults|refusals)\n/);
  const [run = '', refused = ''] = rest;
  const linesOf = (text: string, code: string) =>
    text.split('\n').filter((line) => line.startsWith(`| \`${code}\` | `));
  for (const code of Object.keys(issueCodes)) expect(linesOf(issues, code), code).toHaveLength(1);
  for (const code of Object.keys({ ...faultCodes, ...skipCodes })) expect(linesOf(run, code), code).toHaveLength(1);
  for (const code of Object.keys(refusalCodes)) expect(linesOf(refused, code), code).toHaveLength(1);
});

test('every code is shown by a test', () => {
  const tests = readSources(['test'], (path) => path.endsWith('.test.ts') && !path.startsWith('test/tidy/'));
  // Many tables write an issue as one text: its code, a space, and its place. A code in a title or a sentence does not
  // count as a test.
  const shown = (code: string) => new RegExp(`(['"\`])${code}(?:\\1| /?[\\w$]+(?:/|\\1| \\|))`);
  const texts = [...tests.values()];
  const silent = Object.keys(issueCodes).filter((code) => !texts.some((text) => shown(code).test(text)));
  expect(
    silent,
    'Write a test that makes the issue appear, with its code as a quoted text, or before its place.',
  ).toEqual([]);
});

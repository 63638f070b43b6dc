import { describe, expect, test } from 'vitest';
import { issueCodes } from '../../engine/core/issue-codes.ts';
import { loadDefinition } from '../../engine/index.ts';
import { exampleFault } from '../../src/check/example.ts';
import { rules } from '../../src/check/rules.ts';
import { parseDocument } from '../../src/load/parse-document.ts';

describe('rules', () => {
  test.each(Object.entries(rules))('the examples of %s', (code, rule) => {
    expect(exampleFault(code, rule)).toBeUndefined();
  });
});

describe('codes of reading and compiling', () => {
  /** Their examples are whole files. */
  const ofFiles = ['syntax-error', 'forbidden-key', 'duplicate-key', 'not-a-definition', 'status-not-success'];
  /** An example would be a file that is missing, or one of megabytes. */
  const notShown = ['unreadable-file', 'too-large', 'too-deep', 'more-issues'];

  const shown = Object.entries(issueCodes).filter(([, { wrong }]) => wrong !== '');
  const [files, games] = [true, false].map((is) => shown.filter(([code]) => ofFiles.includes(code) === is));

  test.each(games!)('the examples of %s', (code, row) => {
    expect(exampleFault(code, row)).toBeUndefined();
  });

  test.each(files!)('the examples of %s', (code, { wrong, right }) => {
    const codesOf = (text: string) => {
      const { document, issues } = parseDocument(text);
      const loaded = document === undefined ? [] : loadDefinition(document).issues;
      return [...issues.list, ...loaded].map((issue) => issue.code);
    };
    expect(codesOf(wrong)).toContain(code);
    expect(codesOf(right)).toEqual([]);
  });

  test('have examples, but for those that cannot be shown', () => {
    const silent = Object.entries(issueCodes).flatMap(([code, { wrong, right }]) =>
      wrong === '' || right === '' ? code : [],
    );
    expect(silent).toEqual(notShown);
  });
});

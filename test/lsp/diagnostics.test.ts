import { expect, test } from 'vitest';
import { DiagnosticSeverity } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Issue } from '../../engine/index.ts';
import { placed } from '../../src/lsp/diagnostics.ts';

const document = (text: string) => TextDocument.create('file:///game.json', 'json', 1, text);

test('issues keep their order, each at its word, with the suggestion that its message lacks', () => {
  const text = '{\n  "size": 12345,\n  "colour": "rde",\n  "shape": "rond"\n}';
  const issues: Issue[] = [
    { code: 'wrong-type', severity: 'warning', pointer: '/size', message: 'Not a text.' },
    { code: 'unknown-value', severity: 'error', pointer: '/colour', message: 'No colour.', suggestion: 'red' },
    {
      code: 'unknown-value',
      severity: 'info',
      pointer: '/shape',
      message: 'Did you mean "round"?',
      suggestion: 'round',
    },
  ];
  const range = (line: number, start: number, end: number) => {
    return { start: { line, character: start }, end: { line, character: end } };
  };
  const source = 'reenact';
  expect(placed(issues, document(text))).toEqual([
    {
      issue: issues[0],
      diagnostic: {
        range: range(1, 10, 15),
        severity: DiagnosticSeverity.Warning,
        code: 'wrong-type',
        source,
        message: 'Not a text.',
      },
    },
    {
      issue: issues[1],
      diagnostic: {
        range: range(2, 12, 17),
        severity: DiagnosticSeverity.Error,
        code: 'unknown-value',
        source,
        message: 'No colour. Did you mean "red"?',
      },
    },
    {
      issue: issues[2],
      diagnostic: {
        range: range(3, 11, 17),
        severity: DiagnosticSeverity.Information,
        code: 'unknown-value',
        source,
        message: 'Did you mean "round"?',
      },
    },
  ]);
});

test('of too many issues, the most severe are shown', () => {
  const issues = Array.from({ length: 2100 }, (_, i): Issue => {
    const severity = i % 700 === 699 ? 'error' : i % 2 === 0 ? 'info' : 'warning';
    return { code: 'wrong-type', severity, pointer: `/${i}`, message: `No number ${i}.` };
  });
  const shown = placed(issues, document(`[${issues.map(() => '"x"').join(',')}]`));
  const counts = new Map<string, number>();
  for (const { issue } of shown) counts.set(issue.severity, (counts.get(issue.severity) ?? 0) + 1);
  expect([...counts]).toEqual([
    ['error', 3],
    ['warning', 1047],
    ['info', 950],
  ]);
});

import { issueCodes } from '../../engine/base/issue-codes.ts';

const severities = [
  ['error', 'The definition cannot be run, or not as its author meant it.'],
  ['warning', 'The definition runs; the place named does nothing, or something its author may not expect.'],
  ['info', 'Nothing is wrong; it is worth knowing.'],
] as const;

/** `docs/issues.md`: every code that checking a definition can report, by severity, in the order of the table they come from. */
export function issuesMarkdown(): string {
  const lines = [
    '# Issues',
    '',
    'What checking a definition can report. Each issue has a code, a JSON Pointer into the document as it was given, and a sentence.',
    'Codes are stable: none is ever renamed or given another meaning. This page is generated from the table the engine uses.',
  ];
  for (const [severity, meaning] of severities) {
    lines.push('', `## ${severity}`, '', meaning, '', '| code | meaning |', '|---|---|');
    for (const [code, row] of Object.entries(issueCodes)) {
      if (row.severity === severity) lines.push(`| \`${code}\` | ${row.about.replaceAll('|', '\\|')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

import { faultCodes, issueCodes, skipCodes } from '../../../engine/index.ts';
import { expressionCodes } from '../../expression/expression-error.ts';

const severities = [
  ['error', 'The definition cannot be run, or not as its author meant it.'],
  ['warning', 'The definition runs; the place named does nothing, or something its author may not expect.'],
  ['info', 'Nothing is wrong; it is worth knowing.'],
] as const;

/** `docs/issues.md`: every code that a check, a run or an expression can report, in the order of the tables they come from. */
export function issuesMarkdown(): string {
  const lines = [
    '# Issues, faults and skips',
    '',
    'What checking a definition can report, and what running one can. Each issue has a code, a JSON Pointer into the document as it was given, and a sentence.',
    'Codes are stable: none is ever renamed or given another meaning. This page is generated from the table the engine uses.',
  ];
  for (const [severity, meaning] of severities) {
    lines.push('', `## ${severity}`, '', meaning, '', '| code | meaning |', '|---|---|');
    for (const [code, row] of Object.entries(issueCodes)) {
      if (row.severity === severity) lines.push(`| \`${code}\` | ${row.about.replaceAll('|', '\\|')} |`);
    }
  }
  const run: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    [
      'faults',
      'What a game did wrong while it ran. Grouped by place in the scripts; never ends the simulation.',
      faultCodes,
    ],
    [
      'skips',
      'What actions left undone because there was nothing to do it to. Usual, and listed apart from the faults.',
      skipCodes,
    ],
    [
      'expressions',
      'What is wrong with an expression of `--until`, `break when` or a scenario (docs/expressions.md).',
      expressionCodes,
    ],
  ];
  for (const [title, meaning, table] of run) {
    lines.push('', `## ${title}`, '', meaning, '', '| code | meaning |', '|---|---|');
    for (const [code, about] of Object.entries(table)) lines.push(`| \`${code}\` | ${about.replaceAll('|', '\\|')} |`);
  }
  return `${lines.join('\n')}\n`;
}

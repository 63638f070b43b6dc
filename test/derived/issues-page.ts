import { issueCodes as engineCodes, faultCodes, type IssueCode, skipCodes } from '../../engine/index.ts';
import { refusalCodes } from '../../engine/tools.ts';
import { issueCodes } from '../../src/check/check-game.ts';
import { rules } from '../../src/check/rules.ts';
import { expressionCodes } from '../../src/expression/index.ts';
import { bugCodes } from '../../src/run/index.ts';

const severities = [
  ['error', 'The definition cannot be run, or does not run as its author intended.'],
  ['warning', 'The definition runs, but this part does nothing, or may do something unexpected.'],
  ['info', 'Not a problem, but worth knowing.'],
] as const;

/** `docs/issues.md`: every code that `reenact codes` explains, in the order of the source tables. */
export function issuesMarkdown(): string {
  const lines = [
    '# Issues, faults and skips',
    '',
    'Everything that `reenact check` and `reenact run` can report. Each issue has a code, a JSON Pointer into the document, and a message.',
    'Codes are stable: they are never renamed and never change their meaning. This page is generated from the rules and the tables of the engine.',
  ];
  for (const [severity, meaning] of severities) {
    lines.push('', `## ${severity}`, '', meaning, '', '| code | meaning |', '|---|---|');
    for (const [code, row] of Object.entries(issueCodes)) {
      if (row.severity === severity) lines.push(`| \`${code}\` | ${row.about.replaceAll('|', '\\|')} |`);
    }
  }
  lines.push(
    '',
    '## Reasons and examples',
    '',
    'For each code: why it is a mistake, an example in which it is reported, and one in which it is not. An example is a list of actions, which run at `gameStart`,',
    'some sections of a definition, or a whole file. If a code has two reasons, the first is reported while the game is loaded, the second by a rule that checks the loaded game (`src/check/rules`).',
  );
  for (const [code, { about }] of Object.entries(issueCodes).sort(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push('', `### \`${code}\``, '', about);
    for (const each of [engineCodes[code as IssueCode], rules[code]]) {
      if (each === undefined) continue;
      lines.push('', each.because);
      for (const [title, example] of Object.entries({ Reported: each.wrong, 'Not reported': each.right }))
        if (example !== '') lines.push('', `${title}:`, '', '```json', example, '```');
    }
  }
  const run: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    [
      'faults',
      'Errors of a game at run time, grouped by source location. A fault never ends the simulation.',
      faultCodes,
    ],
    [
      'skips',
      'Actions that had nothing to act on. This is common in working games, so skips are listed separately from faults.',
      skipCodes,
    ],
    [
      'expressions',
      'Errors in the expressions of `--until`, `break when` and scenarios (see docs/expressions.md).',
      expressionCodes,
    ],
    ['refusals', 'Why an input of a player had no effect.', refusalCodes],
    ['bugs', 'Bugs in Reenact itself.', bugCodes],
  ];
  for (const [title, meaning, table] of run) {
    lines.push('', `## ${title}`, '', meaning, '', '| code | meaning |', '|---|---|');
    for (const [code, about] of Object.entries(table)) lines.push(`| \`${code}\` | ${about.replaceAll('|', '\\|')} |`);
  }
  return `${lines.join('\n')}\n`;
}

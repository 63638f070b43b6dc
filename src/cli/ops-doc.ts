import type { Catalogue, CatalogueOperation, CatalogueParam, CatalogueTrigger } from '../../engine/index.ts';
import { exampleOf } from '../language/example.ts';
import { deliveries, payloadText, statuses } from '../language/page.ts';

/** `docs/ops.md`: all operations and triggers of scripts, by family, in the order of the tables it comes from. */
export function opsMarkdown({ actions, functions, triggers }: Catalogue): string {
  const counts = `${actions.length} actions, ${functions.length} functions and ${triggers.length} triggers`;
  const lines = [
    '# Operations',
    '',
    `What scripts can say and hear: ${counts}. This page is generated from the tables the compiler uses; \`reenact ops\` prints them,`,
    '`--json` as data. A question mark stands behind a parameter that may be left out, and `or` before its other names.',
    '',
    'Angles are radians, 0 up, clockwise; places and sizes px; times ms, unless a sentence says otherwise. Where a required operand gives nothing, a function gives nothing and an action does nothing:',
    'a missing entity is a skip, anything else a fault. `reenact ops NAME` says it for one operation. Examples name things that a game has to have: a unit type `human`, a variable `score`.',
    '',
    '| status | meaning |',
    '|---|---|',
    ...Object.entries(statuses).map(([name, meaning]) => `| ${name} | The operation ${meaning}. |`),
  ];
  for (const [title, operations] of [
    ['Actions', actions],
    ['Functions', functions],
  ] as const) {
    lines.push('', `## ${title}`);
    for (const family of new Set(operations.map((operation) => operation.family))) {
      lines.push(
        '',
        `### ${title}: ${family}`,
        '',
        '| name | what it does | parameters | gives | status |',
        '|---|---|---|---|---|',
      );
      for (const operation of operations) if (operation.family === family) lines.push(operationRow(operation));
    }
  }
  lines.push('', '## Triggers', '', '| delivery | meaning |', '|---|---|');
  for (const [name, meaning] of Object.entries(deliveries)) lines.push(`| ${name} | ${meaning} |`);
  lines.push(
    '',
    '| name | when | heard by scripts of | delivery | tells |',
    '|---|---|---|---|---|',
    ...triggers.map(triggerRow),
  );
  return `${lines.join('\n')}\n`;
}

function operationRow(operation: CatalogueOperation): string {
  const { type, about: sentence, params, returns, status, aliases, why } = operation;
  const about = [sentence, ...(why === undefined ? [] : [why]), code(JSON.stringify(exampleOf(operation)))];
  return row(names(type, aliases), about.join('<br>'), params.map(param).join('<br>'), returns ?? '', status);
}

function param({ key, type, optional, aliases }: CatalogueParam): string {
  const also = aliases.length === 0 ? '' : ` (or ${aliases.map(code).join(', ')})`;
  return `${code(key)}${optional ? '?' : ''} ${type}${also}`;
}

function triggerRow(trigger: CatalogueTrigger): string {
  const { type, about, scopes, delivery, tells, tellsSometimes, aliases } = trigger;
  const payload = [...tells.map(code), ...tellsSometimes.map((key) => `${code(key)}?`)].join(', ');
  return row(
    names(type, aliases),
    `${about} ${payloadText(trigger)}`,
    scopes.map((scope) => (scope === 'global' ? 'the game' : scope)).join(', '),
    delivery,
    payload,
  );
}

function names(type: string, aliases: readonly string[]): string {
  return [type, ...aliases].map(code).join('<br>or ');
}

function code(name: string): string {
  return `\`${name}\``;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

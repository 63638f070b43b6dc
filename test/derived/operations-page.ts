import type { Catalogue, CatalogueOperation, CatalogueParam, CatalogueTrigger } from '../../engine/index.ts';
import { exampleOf } from '../../src/language/example.ts';
import { deliveries, payloadText, statuses } from '../../src/language/page.ts';

/** `docs/ops.md`: all operations and triggers of scripts, by family, in the order of the source tables. */
export function opsMarkdown({ actions, functions, triggers }: Catalogue): string {
  const counts = `${actions.length} actions, ${functions.length} functions and ${triggers.length} triggers`;
  const lines = [
    '# Operations',
    '',
    `All actions, functions and triggers of scripts: ${counts}. This page is generated from the tables of the compiler; \`reenact ops\` prints them,`,
    '`--json` as data. A question mark marks an optional parameter; `or` precedes its aliases.',
    '',
    'Unless stated otherwise, angles are in radians, 0 is up, clockwise; positions and sizes are in pixels; times are in milliseconds. If a required operand is undefined, a function returns undefined and an action does nothing:',
    'a missing entity is a skip, any other missing operand a fault. `reenact ops NAME` prints the details of one operation. The examples assume that the game has what they name, such as a unit type `human` or a variable `score`.',
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
        '| name | what it does | parameters | returns | status |',
        '|---|---|---|---|---|',
      );
      for (const operation of operations) if (operation.family === family) lines.push(operationRow(operation));
    }
  }
  lines.push('', '## Triggers', '', '| delivery | meaning |', '|---|---|');
  for (const [name, meaning] of Object.entries(deliveries)) lines.push(`| ${name} | ${meaning} |`);
  lines.push(
    '',
    '| name | when | runs scripts of | delivery | payload |',
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

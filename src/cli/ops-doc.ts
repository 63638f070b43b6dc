import type { Catalogue, CatalogueOperation, CatalogueParam, CatalogueTrigger } from '../../engine/index.ts';

const statuses = [
  ['world', 'changes the simulation, or gives a value of it'],
  ['output', 'is published as an output event; what comes of it comes back as an input'],
  ['inert', 'means nothing without a client or an editor; the last column says why'],
] as const;

const deliveries = [
  ['direct', 'the scripts run inside what caused it'],
  [
    'queued',
    'it waits for its place in the tick: units, items and projectiles hear it first, then the scripts of the game',
  ],
  ['never', 'it belongs to a client; nothing fires it here'],
] as const;

/** `docs/ops.md`: everything a script can say and hear, by family, in the order of the tables it comes from. */
export function opsMarkdown({ actions, functions, triggers }: Catalogue): string {
  const counts = `${actions.length} actions, ${functions.length} functions and ${triggers.length} triggers`;
  const lines = [
    '# Operations',
    '',
    `What scripts can say and hear: ${counts}. This page is generated from the tables the compiler uses; \`reenact ops\` prints them,`,
    '`--json` as data. A question mark stands behind a parameter that may be left out, and `or` before its other names.',
    '',
    '| status | meaning |',
    '|---|---|',
    ...statuses.map(([name, meaning]) => `| ${name} | The operation ${meaning}. |`),
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
        '| name | parameters | gives | status | |',
        '|---|---|---|---|---|',
      );
      for (const operation of operations) if (operation.family === family) lines.push(operationRow(operation));
    }
  }
  lines.push('', '## Triggers', '', '| delivery | meaning |', '|---|---|');
  for (const [name, meaning] of deliveries) lines.push(`| ${name} | ${meaning} |`);
  lines.push('', '| name | heard by scripts of | delivery | tells |', '|---|---|---|---|', ...triggers.map(triggerRow));
  return `${lines.join('\n')}\n`;
}

function operationRow({ type, params, returns, status, aliases, why }: CatalogueOperation): string {
  return row(names(type, aliases), params.map(param).join('<br>'), returns ?? '', status, why ?? '');
}

function param({ key, type, optional, aliases }: CatalogueParam): string {
  const also = aliases.length === 0 ? '' : ` (or ${aliases.map(code).join(', ')})`;
  return `${code(key)}${optional ? '?' : ''} ${type}${also}`;
}

function triggerRow({ type, scopes, delivery, tells, tellsSometimes, aliases }: CatalogueTrigger): string {
  const told = [...tells.map(code), ...tellsSometimes.map((key) => `${code(key)}?`)].join(', ');
  return row(
    names(type, aliases),
    scopes.map((scope) => (scope === 'global' ? 'the game' : scope)).join(', '),
    delivery,
    told,
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

import type { GameCoverage, Share } from '../scenario/index.ts';
import { amount } from '../text/index.ts';

/** A table of the scripts with gaps, the least covered first, and the triggers that never fired. */
export function coverageText(report: GameCoverage): string {
  const { game, scripts, actions, branches, triggers, silent, each } = report;
  const lines = [
    `coverage of ${game}: scripts ${shareText(scripts)}, branches ${shareText(branches)}, actions ${shareText(actions)}, triggers ${shareText(triggers)}`,
  ];
  if (report.failing > 0) lines.push(`  ${failingText(report)}`);
  const rows = each
    .filter((script) => script.actions.ran < script.actions.total || script.branches.ran < script.branches.total)
    .map((script) => ({
      name: script.name,
      place: script.place,
      runs: String(script.runs),
      branches: `${script.branches.ran}/${script.branches.total}`,
      actions: `${script.actions.ran}/${script.actions.total}`,
      missing: script.actions.total - script.actions.ran + script.branches.total - script.branches.ran,
    }))
    .sort((a, b) => b.missing - a.missing);
  if (rows.length > 0) {
    const table = [
      ['script', 'runs', 'branches', 'actions', 'place'],
      ...rows.map((row) => [row.name, row.runs, row.branches, row.actions, row.place]),
    ];
    const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
    for (const row of table) {
      lines.push(
        `  ${row
          .map((cell, i) => (i === 0 || i === 4 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
          .join('  ')
          .trimEnd()}`,
      );
    }
  }
  if (silent.length > 0) lines.push(`  never fired: ${silent.join(', ')}`);
  return `${lines.join('\n')}\n`;
}

function shareText({ ran, total }: Share): string {
  return total === 0 ? 'none' : `${ran} of ${total} (${Math.floor((ran * 1000) / total) / 10} %)`;
}

export function failingText({ failing }: GameCoverage): string {
  return `includes ${amount(failing, 'failed scenario')}`;
}

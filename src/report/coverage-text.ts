import type { GameCoverage, ScriptCoverage, Share } from '../scenario/index.ts';
import { amount, inColumns } from '../text/index.ts';

/** A table of the scripts with gaps, the least covered first, and the triggers that never fired. */
export function coverageText(report: GameCoverage): string {
  const { game, scripts, actions, branches, triggers, silent, each } = report;
  const lines = [
    `coverage of ${game}: scripts ${shareText(scripts)}, branches ${shareText(branches)}, actions ${shareText(actions)}, triggers ${shareText(triggers)}`,
  ];
  if (report.failing > 0) lines.push(`  ${failingText(report)}`);
  const rows = each
    .map((script) => ({ script, count: missing(script) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ script: { name, runs, branches, actions, place } }) => [
      name,
      String(runs),
      `${branches.ran}/${branches.total}`,
      `${actions.ran}/${actions.total}`,
      place,
    ]);
  if (rows.length > 0) {
    const head = ['script', 'runs', 'branches', 'actions', 'place'];
    lines.push(...inColumns([head, ...rows], (i) => i > 0 && i < 4).map((line) => `  ${line}`));
  }
  if (silent.length > 0) lines.push(`  never fired: ${silent.join(', ')}`);
  return `${lines.join('\n')}\n`;
}

function shareText({ ran, total }: Share) {
  return total === 0 ? 'none' : `${ran} of ${total} (${Math.floor((ran * 1000) / total) / 10} %)`;
}

/** The number of actions and branches of a script that did not run. */
export function missing({ actions, branches }: ScriptCoverage): number {
  return actions.total - actions.ran + branches.total - branches.ran;
}

export function failingText({ failing }: GameCoverage): string {
  return `includes ${amount(failing, 'failed scenario')}`;
}

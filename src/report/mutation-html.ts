import type { MutationReport } from '../scenario/mutate.ts';
import { escapeHtml } from '../text/escape.ts';

/** What changes of a game's logic no scenario noticed, by script. */
export function mutationSection({ game, total, noticed, unnoticed }: MutationReport, id: string): string {
  const percent = total === 0 ? 100 : Math.floor((noticed * 1000) / total) / 10;
  const rows = unnoticed.map(
    ({ script, text, location, isUncovered }) =>
      `<tr><td class="${isUncovered ? 'never' : 'unseen'}">${isUncovered ? 'never run' : 'unnoticed'}</td><td>${escapeHtml(script)}</td><td><span class="mono">${escapeHtml(text)}</span><br><small>${escapeHtml(location)}</small></td></tr>`,
  );
  const table =
    rows.length === 0 ? '' : `<div class="card scroll"><table class="changes">${rows.join('')}</table></div>`;
  return `<section id="${id}"><h2>Changes to ${escapeHtml(game)}</h2><p>${noticed} of ${total} changes were noticed by a scenario (${percent} %).</p>${table}</section>`;
}

export const mutationStyle = `.changes td:last-child{min-width:14rem}.changes .mono{overflow-wrap:break-word}.changes td:first-child{white-space:nowrap}.never{color:var(--bad)}.unseen{color:var(--wait)}`;

import type { MutationReport } from '../scenario/index.ts';
import { escapeHtml } from '../text/index.ts';
import { mutationHead, unnoticedWords } from './pretty.ts';

/** The mutants of a game that no scenario detected, by script. */
export function mutationSection(report: MutationReport, id: string): string {
  const { game, unnoticed } = report;
  const rows = unnoticed.map(
    ({ script, text, location, ranBy }) =>
      `<tr><td class="${ranBy === 'passing' ? 'unseen' : 'never'}">${unnoticedWords[ranBy]}</td><td>${escapeHtml(script)}</td><td><span class="mono">${escapeHtml(text)}</span><br><small>${escapeHtml(location)}</small></td></tr>`,
  );
  const table =
    rows.length === 0 ? '' : `<div class="card scroll"><table class="changes">${rows.join('')}</table></div>`;
  const head = mutationHead(report).map((line) => `<p>${line}</p>`);
  return `<section id="${id}"><h2>Changes to ${escapeHtml(game)}</h2>${head.join('')}${table}</section>`;
}

export const mutationStyle = `.changes td:last-child {
  min-width: 14rem;
}
.changes .mono {
  overflow-wrap: break-word;
}
.changes td:first-child {
  white-space: nowrap;
}
.never {
  color: var(--bad);
}
.unseen {
  color: var(--wait);
}`;

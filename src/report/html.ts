import type uPlot from 'uplot';
import type { CoverageReport } from '../scenario/coverage.ts';
import type { MutationReport } from '../scenario/mutate.ts';
import type { CaseResult, Plot } from '../scenario/play-case.ts';
import { shareText } from './coverage-text.ts';
import { escapeHtml } from './escape.ts';
import type { WholeReport } from './json.ts';
import { plotLibrary } from './plot-library.ts';
import { failedText, placeText, totalsOf, totalsText } from './result-text.ts';

/** One file with everything in it: no network, no other files. */
export function htmlReport({ results, wallMs, coverage, mutation }: WholeReport): string {
  const plots: PlotData[] = [];
  const body = [
    `<h1>Scenarios</h1><p class="totals">${escapeHtml(totalsText(totalsOf(results), wallMs))}</p>`,
    ...byFile(results).map(([file, list]) => fileSection(file, list, plots)),
    ...coverage.map(coverageSection),
    ...mutation.map(mutationSection),
  ].join('\n');
  const script =
    plots.length === 0 ? '' : `<script>${plotLibrary('uPlot.iife.min.js')}</script><script>${drawing(plots)}</script>`;
  const plotStyle = plots.length === 0 ? '' : plotLibrary('uPlot.min.css');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Scenarios</title>
<style>${plotStyle}${style}</style></head>
<body>
${body}
${script}
</body></html>
`;
}

interface PlotData {
  readonly id: string;
  readonly options: Pick<uPlot.Options, 'width' | 'height'> & {
    readonly scales: { readonly x: { readonly time: boolean } };
    readonly series: readonly { readonly label: string; readonly stroke?: string }[];
    readonly axes: readonly { readonly label?: string }[];
  };
  readonly data: readonly (readonly (number | null)[])[];
}

const lineColors = ['#2a6fdb', '#d1495b', '#3a9d5d', '#c47f17', '#7b4fb5', '#13929b'];

function byFile(results: readonly CaseResult[]): [string, CaseResult[]][] {
  const files = new Map<string, CaseResult[]>();
  for (const result of results) files.set(result.case.file, [...(files.get(result.case.file) ?? []), result]);
  return [...files];
}

function fileSection(file: string, results: readonly CaseResult[], plots: PlotData[]): string {
  return `<h2>${escapeHtml(file)}</h2>\n${results.map((result) => caseSection(result, plots)).join('\n')}`;
}

function caseSection(result: CaseResult, plots: PlotData[]): string {
  const { outcome, case: given, note, simulatedSeconds, wallMs, failure, checked } = result;
  const mark = { passed: '✓', failed: '✗', skipped: '–' }[outcome];
  const facts = [
    placeText(result),
    `seed ${given.seed}`,
    given.dialect,
    `${checked} held`,
    `${simulatedSeconds.toFixed(1)} s in ${wallMs.toFixed(0)} ms`,
    ...given.tags.map((tag) => `#${tag}`),
  ];
  const parts = [`<p class="facts">${escapeHtml(facts.join(' · '))}</p>`];
  if (note !== undefined) parts.push(`<p class="note">${escapeHtml(note)}</p>`);
  if (failure !== undefined) parts.push(`<pre>${escapeHtml(failedText(result))}</pre>`, failure.picture);
  const plot = plotOf(result.plots, `plot${plots.length}`);
  if (plot !== undefined) {
    plots.push(plot);
    parts.push(`<div id="${plot.id}"></div>`);
  }
  const open = outcome === 'failed' ? ' open' : '';
  return `<details class="${outcome}"${open}><summary><b>${mark}</b> ${escapeHtml(given.title)}</summary>${parts.join('\n')}</details>`;
}

function plotOf(lines: readonly Plot[], id: string): PlotData | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  return {
    id,
    options: {
      width: 720,
      height: 220,
      scales: { x: { time: false } },
      series: [{ label: 's' }, ...lines.map(({ label }, i) => ({ label, stroke: lineColors[i % lineColors.length]! }))],
      axes: [{ label: 'simulated seconds' }, {}],
    },
    data: [first.seconds, ...lines.map(({ values }) => values)],
  };
}

/** The plots are drawn when their scenario is opened: a page of hundreds must not draw all at once. */
function drawing(plots: readonly PlotData[]): string {
  // `<` would end the script inside of a text.
  const data = JSON.stringify(plots).replaceAll('<', '\\u003c');
  return `for (const { id, options, data } of ${data}) {
  const place = document.getElementById(id);
  const owner = place.closest('details');
  const draw = () => { if (owner.open && !place.firstChild) new uPlot(options, data, place); };
  owner.addEventListener('toggle', draw);
  draw();
}`;
}

function coverageSection({ game, scripts, branches, actions, triggers, silent, each }: CoverageReport): string {
  const facts = `scripts ${shareText(scripts)}, branches ${shareText(branches)}, actions ${shareText(actions)}, triggers ${shareText(triggers)}`;
  const never = silent.length === 0 ? '' : `<p>Never fired: ${escapeHtml(silent.join(', '))}</p>`;
  const bodies = each.map((script) => {
    const isWhole = script.actions.ran === script.actions.total && script.branches.ran === script.branches.total;
    const lines = script.lines.map(({ depth, text, count, kind }) => {
      const number = count === 0 ? '' : String(count);
      return `<li class="${count === 0 ? 'unrun' : 'run'} ${kind}" style="padding-left:${depth * 1.5}em"><i>${number}</i>${escapeHtml(text)}</li>`;
    });
    const heard = script.triggers.length === 0 ? '' : ` <small>on ${escapeHtml(script.triggers.join(', '))}</small>`;
    return `<details class="${isWhole ? 'passed' : 'failed'}"><summary>${escapeHtml(script.name)}${heard} <small>${script.branches.ran}/${script.branches.total} branches, ${script.actions.ran}/${script.actions.total} actions, ran ${script.runs} times</small></summary><p class="facts">${escapeHtml(script.place)}</p><ol class="script">${lines.join('')}</ol></details>`;
  });
  return `<h2>Coverage of ${escapeHtml(game)}</h2><p>${escapeHtml(facts)}</p>${never}\n${bodies.join('\n')}`;
}

function mutationSection({ game, total, noticed, unnoticed }: MutationReport): string {
  const rows = unnoticed.map(
    ({ script, text, site, isUncovered }) =>
      `<tr><td>${isUncovered ? 'never run' : 'unnoticed'}</td><td>${escapeHtml(script)}</td><td>${escapeHtml(text)}</td><td><small>${escapeHtml(site)}</small></td></tr>`,
  );
  return `<h2>Changes to ${escapeHtml(game)}</h2><p>${noticed} of ${total} noticed.</p><table>${rows.join('')}</table>`;
}

const style = `body{font:15px/1.45 system-ui,sans-serif;max-width:64em;margin:2em auto;padding:0 1em;color:#111827}
summary{cursor:pointer}details{margin:.3em 0;padding-left:.6em;border-left:4px solid #9ca3af}
.passed{border-color:#3a9d5d}.failed{border-color:#d1495b}.facts,small{color:#6b7280}.note{color:#92600a}
pre{background:#f3f4f6;padding:.8em;overflow:auto;font-size:13px}.script{list-style:none;padding:0;font:13px/1.6 ui-monospace,monospace}
.script i{display:inline-block;width:5em;color:#6b7280;font-style:normal}.unrun{background:#fde8ea}.branch{color:#6d28d9}
table{border-collapse:collapse}td{border-top:1px solid #e5e7eb;padding:.2em .6em;vertical-align:top}svg{max-width:100%;height:auto}`;

import type { CaseResult } from '../scenario/index.ts';
import { amount, escapeHtml, fileTitle } from '../text/index.ts';
import { coverageSection, coverageStyle } from './coverage-html.ts';
import { failureSection, failureStyle } from './failure-html.ts';
import type { WholeReport } from './json.ts';
import { mutationSection, mutationStyle } from './mutation-html.ts';
import type { PagePlot } from './plots.ts';
import { byFile, placeText, playedText, type Totals, totalsOf } from './result-text.ts';
import { WatchedPlays, watching, watchStyle } from './watch-html.ts';
import { webPage } from './web-page.ts';

/**
 * The results as a single self-contained HTML file. If the script of the viewer is given, failures can be replayed in
 * it.
 */
export function htmlReport({ results, wallMs, coverage, mutation }: WholeReport, viewerScript?: string): string {
  const plays = new WatchedPlays(viewerScript);
  const plots: PagePlot[] = [];
  const totals = totalsOf(results);
  const missed = mutation.reduce((sum, { unnoticed }) => sum + unnoticed.length, 0);
  const links = [
    '<a href="#scenarios">Scenarios</a>',
    ...coverage.map(({ game }, i) => `<a href="#coverage${i}">Coverage of ${escapeHtml(fileTitle(game))}</a>`),
    ...mutation.map(({ game }, i) => `<a href="#changes${i}">Changes to ${escapeHtml(fileTitle(game))}</a>`),
  ];
  const body = [
    `<header><h1>${headline(totals, missed)}</h1><p class="soft">${playedText(totals, wallMs)}</p>`,
    links.length > 1 ? `<nav>${links.join('')}</nav>` : '',
    '</header>',
    `<section id="scenarios">${choice(totals)}`,
    ...byFile(results).map(([file, list]) => fileSection(file, list, plots, plays)),
    '</section>',
    ...coverage.map((each, i) => coverageSection(each, `coverage${i}`)),
    ...mutation.map((each, i) => mutationSection(each, `changes${i}`)),
    plays.page(),
  ].join('\n');
  const state = totals.failed > 0 ? `${totals.failed} failed` : `${totals.passed} passed${undetected(missed)}`;
  const styles = [style, casesStyle, failureStyle, coverageStyle, mutationStyle, watchStyle].join('\n');
  return webPage({ state, body, style: styles, script: `${choosing}\n${watching}`, plots });
}

/**
 * The headline of a report. `missed`: the number of mutants that no scenario detected. The headline is green only if
 * there are none.
 */
function headline({ passed, failed, skipped }: Totals, missed: number) {
  if (failed > 0) return `<b class="failed">${failed} failed</b>, ${passed} passed${undetected(missed)}`;
  if (passed === 0) return `No scenario was run; ${skipped} skipped`;
  return missed > 0
    ? `All ${passed} passed<b class="unseen">${undetected(missed)}</b>`
    : `<b class="passed">All ${passed} passed</b>`;
}

function undetected(missed: number) {
  return missed === 0 ? '' : `, ${amount(missed, 'change')} undetected`;
}

/**
 * Filter buttons and a search field. At first, only failures are shown, if there are any. Without JavaScript,
 * everything is shown.
 */
function choice({ passed, failed, skipped }: Totals) {
  const counts = { all: passed + failed + skipped, failed, skipped, passed };
  const buttons = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(
      ([which, count]) =>
        `<button type="button" data-show="${which}" aria-pressed="${which === 'all'}">${which} <span>${count}</span></button>`,
    );
  return `<div class="choice"><div role="group" aria-label="Which">${buttons.join('')}</div><input type="search" placeholder="Title or #tag" aria-label="Title or tag"></div><p class="none soft" hidden>No scenario matches.</p>`;
}

const choosing = `{let which = 'all', words = '';
const apply = () => {
  let shown = 0;
  for (const file of document.querySelectorAll('.file')) {
    let inFile = 0;
    for (const each of file.querySelectorAll('.case')) {
      const fits = (which === 'all' || each.classList.contains(which)) && each.querySelector('summary').textContent.toLowerCase().includes(words);
      each.hidden = !fits;
      inFile += fits;
    }
    file.hidden = inFile === 0;
    shown += inFile;
  }
  document.querySelector('.none').hidden = shown > 0;
};
for (const button of document.querySelectorAll('[data-show]')) button.addEventListener('click', () => {
  which = button.dataset.show;
  for (const each of document.querySelectorAll('[data-show]')) each.setAttribute('aria-pressed', each === button);
  apply();
});
document.querySelector('[data-show=failed]')?.click();
document.querySelector('input[type=search]').addEventListener('input', ({ target }) => { words = target.value.trim().toLowerCase(); apply(); });
}`;

function fileSection(file: string, results: readonly CaseResult[], plots: PagePlot[], plays: WatchedPlays) {
  const { passed, failed } = totalsOf(results);
  const count = failed > 0 ? `<small class="failed">${failed} failed</small>` : `<small>${passed} passed</small>`;
  const cases = results.map((result) => caseSection(result, plots, plays)).join('\n');
  return `<section class="file"><h2>${escapeHtml(file)} ${count}</h2>\n<div class="cases">${cases}</div></section>`;
}

const marks = { passed: '✓', failed: '✗', skipped: '–' } as const;

function caseSection(result: CaseResult, plots: PagePlot[], plays: WatchedPlays) {
  const { outcome, case: given, note, simulatedSeconds, wallMs, failure, checked } = result;
  const tags = given.tags.map((tag) => `<i>#${escapeHtml(tag)}</i>`).join(' ');
  const time = outcome === 'skipped' ? 'skipped' : `${simulatedSeconds.toFixed(1)} s in ${wallMs.toFixed(0)} ms`;
  const summary = `<summary><b role="img" aria-label="${outcome}">${marks[outcome]}</b><span>${escapeHtml(given.title)} ${tags}</span><small>${time}</small></summary>`;
  const parts: string[] = [];
  if (given.description !== undefined) parts.push(`<p>${escapeHtml(given.description)}</p>`);
  if (note !== undefined) parts.push(`<p class="note">${escapeHtml(note)}</p>`);
  if (failure !== undefined) {
    parts.push(failureSection(result, failure, plays.add(result)));
  }
  const plot = plotOf(result, `plot${plots.length}`);
  if (plot !== undefined) {
    plots.push(plot);
    parts.push(`<div class="plot" id="${plot.id}"></div>`);
  }
  const facts = [placeText(result), given.game, given.dialect, `seed ${given.seed}`];
  if (outcome !== 'skipped') facts.push(`${checked} ${checked === 1 ? 'expectation' : 'expectations'} held`);
  parts.push(`<p class="soft facts">${facts.map(escapeHtml).join(' · ')}</p>`);
  const open = outcome === 'failed' ? ' open' : '';
  return `<details class="case ${outcome}"${open}>${summary}<div class="inside">${parts.join('\n')}</div></details>`;
}

function plotOf({ plots: lines, failure, simulatedSeconds }: CaseResult, id: string): PagePlot | undefined {
  const [first] = lines;
  if (first === undefined || first.seconds.length < 2) return undefined;
  return {
    id,
    xLabel: 'simulated seconds',
    height: 230,
    series: lines.map(({ label }) => label),
    data: [first.seconds, ...lines.map(({ values }) => values)],
    steps: lines.map(({ values }) => values.every((value) => value === null || Number.isInteger(value))),
    failedAt: failure && simulatedSeconds,
  };
}

const style = `nav {
  display: flex;
  flex-wrap: wrap;
  gap: 0.2rem 1.1rem;
  margin: 0.7rem 0 0;
}
b.failed,
small.failed {
  color: var(--bad);
}
b.passed {
  color: var(--good);
}
section[id] {
  scroll-margin-top: 1rem;
}
.choice {
  display: flex;
  flex-wrap: wrap;
  gap: 0.6rem;
  margin: 1.2rem 0 0;
  position: sticky;
  top: 0;
  padding: 0.5rem 0;
  background: var(--back);
  z-index: 2;
}
.choice > div {
  display: flex;
  flex-wrap: wrap;
  gap: 0.35rem;
}
.choice input {
  flex: 1 1 12rem;
  max-width: 22rem;
}
button,
input {
  font: inherit;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 7px;
  padding: 0.25rem 0.7rem;
}
button {
  cursor: pointer;
}
button span {
  color: var(--soft);
}
button[aria-pressed="true"] {
  border-color: var(--accent);
  box-shadow: inset 0 0 0 1px var(--accent);
}
[hidden] {
  display: none !important;
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 1px;
}`;

/** The style of lists of expandable entries, such as scenarios and scripts. */
const casesStyle = `.cases {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 10px;
  overflow: hidden;
}
.case + .case {
  border-top: 1px solid var(--line);
}
.case {
  scroll-margin-top: 4rem;
}
summary {
  cursor: pointer;
  list-style: none;
}
summary::-webkit-details-marker {
  display: none;
}
.case > summary {
  display: grid;
  grid-template-columns: 1.6rem 1fr auto;
  gap: 0.2rem;
  align-items: baseline;
  padding: 0.38rem 1rem;
}
.case > summary:hover,
.case[open] > summary {
  background: var(--code);
}
.case > summary small {
  white-space: nowrap;
  font-variant-numeric: tabular-nums;
}
.case > summary span {
  overflow-wrap: anywhere;
}
.case > summary i {
  color: var(--soft);
  font-style: normal;
  font-size: 0.87em;
}
.case.passed > summary b {
  color: var(--good);
}
.case.failed > summary b {
  color: var(--bad);
}
.case.skipped > summary b,
.note {
  color: var(--wait);
}
.case.failed > summary span {
  font-weight: 600;
}
.inside {
  padding: 0.3rem 1rem 1rem;
}
.facts {
  margin-top: 0.8rem;
  font-size: 0.87em;
  overflow-wrap: anywhere;
}
@media (max-width: 40rem) {
  .case > summary {
    grid-template-columns: 1.4rem 1fr;
    padding: 0.45rem 0.7rem;
  }
  .case > summary small {
    grid-column: 2;
  }
  .inside {
    padding: 0.3rem 0.7rem 0.9rem;
  }
}`;

import type { CoverageLine, GameCoverage, ScriptCoverage, Share } from '../scenario/index.ts';
import { escapeHtml } from '../text/index.ts';
import { failingText, missing } from './coverage-text.ts';

/** The scripts of a game with unexecuted lines marked; scripts with gaps are expanded. */
export function coverageSection(report: GameCoverage, id: string): string {
  const { game, scripts, branches, actions, triggers, silent, each } = report;
  const meters = Object.entries({ scripts, branches, actions, triggers })
    .map(([name, share]) => meter(name, share))
    .join('');
  const never =
    silent.length === 0
      ? ''
      : `<p class="note">Triggers that scripts listen to but that never fired: ${escapeHtml(silent.join(', '))}</p>`;
  const failing = report.failing === 0 ? '' : `<p class="soft">Coverage ${failingText(report)}.</p>`;
  const sorted = [...each].filter((script) => script.lines.length > 0).sort((a, b) => missing(b) - missing(a));
  return `<section id="${id}"><h2>Coverage of ${escapeHtml(game)}</h2><div class="meters">${meters}</div>${failing}${never}
<div class="cases">${sorted.map(scriptSection).join('\n')}</div></section>`;
}

function meter(name: string, { ran, total }: Share) {
  const percent = total === 0 ? 100 : Math.floor((ran * 1000) / total) / 10;
  const state = ran === total ? 'full' : 'short';
  return `<div class="meter ${state}"><b>${percent} %</b> ${name}<span><i style="width:${percent}%"></i></span><small>${ran} of ${total}</small></div>`;
}

function scriptSection(script: ScriptCoverage) {
  const { name, place, triggers, runs, branches, actions, lines } = script;
  const isWhole = missing(script) === 0;
  const listens = triggers.length === 0 ? '' : ` <i>on ${escapeHtml(triggers.join(', '))}</i>`;
  const shares = [
    ...(branches.total > 0 ? [`${branches.ran}/${branches.total} branches`] : []),
    `${actions.ran}/${actions.total} actions`,
  ];
  const mark = isWhole ? '✓' : '✗';
  const state = isWhole ? 'passed' : 'failed';
  return `<details class="case ${state}"${isWhole ? '' : ' open'}><summary><b>${mark}</b><span>${escapeHtml(name)}${listens}</span><small>${shares.join(', ')}</small></summary>
<div class="inside"><p class="soft facts">${escapeHtml(place)} · ran ${runs === 1 ? 'once' : `${runs} times`}</p><ol class="script">${lines.map(lineItem).join('')}</ol></div></details>`;
}

function lineItem({ depth, text, count, kind }: CoverageLine) {
  const number = count === 0 ? 'never' : String(count);
  return `<li class="${count === 0 ? 'unrun ' : ''}${kind}"><small>${number}</small><span style="padding-left:${depth * 1.3}em">${escapeHtml(text)}</span></li>`;
}

export const coverageStyle = `.meters {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr));
  gap: 0.6rem;
  margin: 0.6rem 0 0.8rem;
}
.meter {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 10px;
  padding: 0.5rem 0.8rem;
}
.meter b {
  font-size: 1.15rem;
}
.meter span {
  display: block;
  height: 6px;
  border-radius: 3px;
  background: var(--line);
  overflow: hidden;
  margin: 0.3rem 0 0.1rem;
}
.meter span i {
  display: block;
  height: 100%;
  background: var(--good);
}
.meter.short b {
  color: var(--wait);
}
.meter.short span i {
  background: var(--wait);
}
.script {
  list-style: none;
  margin: 0;
  padding: 0;
  font:
    0.85em / 1.65 ui-monospace,
    SFMono-Regular,
    Menlo,
    Consolas,
    monospace;
  overflow-x: auto;
}
.script li {
  display: flex;
  border-left: 3px solid transparent;
  padding-left: 0.5em;
}
.script small {
  flex: 0 0 4.5em;
  text-align: right;
  padding-right: 1.2em;
  font-size: 0.93em;
}
.script span {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.script .branch span {
  color: var(--accent);
}
.script .unrun {
  background: var(--mark);
  border-left-color: var(--bad);
}
.script .unrun small {
  color: var(--bad);
}
@media (max-width: 40rem) {
  .script small {
    flex-basis: 3.4em;
    padding-right: 0.7em;
  }
}`;

import { type FailureReport, onsetText } from '../run/index.ts';
import type { CaseResult } from '../scenario/index.ts';
import { escapeHtml } from '../text/index.ts';
import { replayCommand } from './result-text.ts';

/**
 * The details of a failure: expected and found values, the button that replays it, picture, changes, last events, and
 * how to reproduce it.
 */
export function failureSection(result: CaseResult, failure: FailureReport, watch: string): string {
  const { expected, found, because, why, seconds, tick, differences, events } = failure;
  const { onset, states } = result.recording ?? {};
  const since = onset === undefined ? '' : `<p>${escapeHtml(onsetText(onset))}</p>`;
  const said = found.map((line) => `<div>${escapeHtml(line)}</div>`).join('');
  const reason = because === undefined ? '' : `<p>because ${escapeHtml(because)}</p>`;
  const causes = why.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
  const verdict = `<div class="verdict"><p class="mono"><b>${escapeHtml(expected)}</b></p><div class="found mono">${said}</div>${reason}${causes}${since}<p class="soft">at ${seconds.toFixed(2)} s, tick ${tick}</p></div>`;
  const changes =
    differences.length === 0
      ? ''
      : `<div><h3>Changes since the last passed expectation</h3><div class="scroll"><table>${differences.map(changeRow).join('')}</table></div></div>`;
  const map = failure.picture === '' ? '' : `<figure>${failure.picture}</figure>`;
  const history =
    events.length === 0
      ? ''
      : `<h3>Last events</h3><div class="scroll"><table class="events">${events.map(eventRow).join('')}</table></div>`;
  const runs = failure.scripts.map(({ script, count }) => `"${script}" ${count}x`).join(', ');
  const ran = runs === '' ? '' : `<h3>Scripts that ran</h3><p class="mono">${escapeHtml(runs)}</p>`;
  const conditions =
    failure.falseConditions.length === 0
      ? ''
      : `<h3>Conditions that were false</h3><div class="scroll"><table class="events">${failure.falseConditions.map(conditionRow).join('')}</table></div>`;
  const drawing = states === undefined ? '' : `<h3>States</h3><div class="scroll">${states}</div>`;
  const again = `<h3>Run it again</h3><div class="scroll"><code class="again">${escapeHtml(replayCommand(result))}</code></div>`;
  return `${verdict}${watch}<div class="beside">${map}${changes}</div>${drawing}${ran}${conditions}${history}${again}`;
}

function changeRow({ what, before, after }: FailureReport['differences'][number]) {
  return `<tr><td class="mono">${escapeHtml(what)}</td><td class="mono soft">${escapeHtml(before)}</td><td class="mono">→ ${escapeHtml(after)}</td></tr>`;
}

function conditionRow({ seconds, script, text, sides, count }: FailureReport['falseConditions'][number]) {
  const values = `${escapeHtml(script)}: ${escapeHtml(sides.join(', '))}${count > 1 ? `, ${count}x` : ''}`;
  return `<tr><td class="number soft">${seconds.toFixed(2)} s</td><td><span class="mono">${escapeHtml(text)}</span><br><small>${values}</small></td></tr>`;
}

function eventRow({ seconds, text, from }: FailureReport['events'][number]) {
  const origin = from === undefined ? '' : `<br><small>${escapeHtml(from)}</small>`;
  return `<tr><td class="number soft">${seconds.toFixed(2)} s</td><td><span class="mono">${escapeHtml(text)}</span>${origin}</td></tr>`;
}

export const failureStyle = `.verdict {
  background: var(--badback);
  border-left: 4px solid var(--bad);
  border-radius: 6px;
  padding: 0.5rem 0.9rem;
  margin: 0.5rem 0 1rem;
  overflow-wrap: anywhere;
}
.verdict .mono {
  font-size: 1em;
}
.verdict p {
  margin: 0.15rem 0;
}
.found {
  white-space: pre-wrap;
  padding-left: 1.2em;
}
.beside {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1.8rem;
  align-items: flex-start;
}
figure {
  margin: 0;
  flex: 1 1 24rem;
  max-width: 720px;
}
figure > svg {
  display: block;
  width: 100%;
  height: auto;
  border: 1px solid var(--line);
  border-radius: 8px;
}
.beside h3 {
  margin-top: 0;
}
.beside > div {
  flex: 0 1 auto;
  max-width: 100%;
}
.events td {
  padding-top: 0.18rem;
  padding-bottom: 0.18rem;
}
.events .mono {
  overflow-wrap: anywhere;
}
.events td:last-child {
  min-width: 13rem;
}
.scroll > svg .graph > polygon {
  fill: none;
}
.again {
  display: inline-block;
  background: var(--code);
  border: 1px solid var(--line);
  border-radius: 6px;
  padding: 0.35rem 0.7rem;
  user-select: all;
  white-space: pre;
}`;

import type { Setting, SweepPlan } from '../sweep/plan.ts';
import type { PointSummary, SweepSummary } from '../sweep/summary.ts';
import { measureText, replayText, shortPaths } from '../sweep/texts.ts';
import { escapeHtml } from '../text/escape.ts';
import { amount } from '../text/words.ts';
import type { PagePlot } from './plots.ts';
import { webPage } from './web-page.ts';

const linesMax = 8;
const plotHeight = 260;

/** A page with the table of a sweep and a chart of each measure over the first setting that takes numbers. */
export function sweepHtml(summary: SweepSummary, plan: SweepPlan): string {
  const { settings, measures, points, whole } = summary;
  const names = shortPaths(settings);
  const across = settings.findIndex(
    ({ values }) => values.every((value) => typeof value === 'number') && values.length > 1,
  );
  const plots = across < 0 ? [] : measures.flatMap((_, index) => chart(summary, names, across, index));
  const row = (cells: readonly string[], tag = 'td'): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const rows = points.map(({ point, plays, measures: of }) =>
    row([...point.map(String), String(plays), ...of.map(measureText)]),
  );
  const extremes = measures.flatMap((measure, index) => {
    const { min, max } = whole[index]!;
    if (min === null || max === null || min.value === max.value) return [];
    const lines = [min, max].map((each) => `<li><code>${escapeHtml(replayText(each, settings, plan))}</code></li>`);
    return `<h3>${escapeHtml(measure)}</h3><ul>${lines.join('')}</ul>`;
  });
  const plays = points.reduce((sum, point) => sum + point.plays, 0);
  const body = `<h1>Sweep of ${escapeHtml(plan.game)}</h1>
<p class="soft">${amount(plays, 'play')} of at most ${plan.seconds} s with ${amount(plan.bots, 'bot')}. Intervals hold the true value with 95 % confidence.</p>
${plots.map(({ id }) => `<div class="plot card" id="${id}"></div>`).join('\n')}
<h2>All combinations</h2><div class="card scroll"><table>${row([...names, 'plays', ...measures], 'th')}${rows.join('')}</table></div>
${extremes.length > 0 ? `<h2>Least and most</h2><div class="card">${extremes.join('')}</div>` : ''}`;
  return webPage({ title: `Sweep of ${plan.game}`, body, plots });
}

/** A line for each combination of the other settings, with its interval where there is one line only. */
function chart(
  { settings, measures, points }: SweepSummary,
  names: readonly string[],
  across: number,
  index: number,
): PagePlot[] {
  const lines = new Map<string, PointSummary[]>();
  for (const each of points) {
    if (each.measures[index]!.estimate === null) continue;
    const key = each.point
      .map((value, at) => (at === across ? '' : `${names[at]} ${value}`))
      .filter((text) => text !== '')
      .join(', ');
    lines.set(key, [...(lines.get(key) ?? []), each]);
  }
  if (lines.size === 0) return [];
  const x = (settings[across] as Setting).values as readonly number[];
  const shown = [...lines].slice(0, linesMax);
  const series: string[] = [];
  const data: (number | null)[][] = [[...x]];
  const at = (
    line: readonly PointSummary[],
    pick: (estimate: { value: number; low: number | null; high: number | null }) => number | null,
  ) =>
    x.map((value) => {
      const estimate = line.find(({ point }) => point[across] === value)?.measures[index]?.estimate;
      return estimate ? pick(estimate) : null;
    });
  for (const [name, line] of shown) {
    series.push(name === '' ? measures[index]! : name);
    data.push(at(line, ({ value }) => value));
    if (lines.size > 1) continue;
    series.push('low', 'high');
    data.push(
      at(line, ({ low }) => low),
      at(line, ({ high }) => high),
    );
  }
  const more = lines.size > linesMax ? ` (${linesMax} of ${lines.size} lines)` : '';
  const title = `${measures[index]}${more}`;
  return [{ id: `measure${index}`, title, xLabel: names[across]!, series, data, height: plotHeight, hasDots: true }];
}

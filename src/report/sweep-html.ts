import { countBots } from '../bots/index.ts';
import {
  measureText,
  type PointSummary,
  replayText,
  type Setting,
  type SweepPlan,
  type SweepSummary,
  shortPaths,
} from '../sweep/index.ts';
import { amount, escapeHtml, titleOfFile } from '../text/index.ts';
import type { Interval, PagePlot } from './plots.ts';
import { webPage } from './web-page.ts';

const linesMax = 8;
const plotHeight = 260;

/** A page with the table of a sweep, and a chart of each measure over the first numeric setting. */
export function sweepHtml(summary: SweepSummary, plan: SweepPlan, title?: string): string {
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
  const name = title ?? titleOfFile(plan.game);
  const body = `<h1>Sweep of ${escapeHtml(name)}</h1><p class="soft">${escapeHtml(plan.game)}</p>
<p class="soft">${amount(plays, 'run')} of at most ${plan.seconds} s with ${amount(countBots(plan.bots), 'bot')}. Bars and “±” are 95 % confidence intervals; a mean of fewer than three runs has none.</p>
${plots.map(({ id }) => `<div class="plot card" id="${id}"></div>`).join('\n')}
<h2>All combinations</h2><div class="card scroll"><table class="points">${row([...names, 'runs', ...measures], 'th')}${rows.join('')}</table></div>
${extremes.length > 0 ? `<h2>Minimum and maximum</h2><div class="card">${extremes.join('')}</div>` : ''}`;
  return webPage({ title: `Sweep of ${name}`, body, plots, style: '.points td{white-space:nowrap}' });
}

/** One line per combination of the other settings, with intervals. */
function chart(
  { settings, measures, points, whole }: SweepSummary,
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
  const isShare = whole[index]!.kind === 'share';
  const scale = isShare ? 100 : 1;
  // Values are in the order in which they were given.
  const x = [...((settings[across] as Setting).values as readonly number[])].sort((a, b) => a - b);
  const shown = [...lines].slice(0, linesMax);
  const estimates = shown.map(([, line]) =>
    x.map((value) => line.find(({ point }) => point[across] === value)?.measures[index]?.estimate ?? null),
  );
  const intervals = estimates.map((line) =>
    line.map((estimate): Interval | null => {
      const { low = null, high = null } = estimate ?? {};
      return low === null || high === null ? null : [low * scale, high * scale];
    }),
  );
  const values = estimates.map((line) => line.map((estimate) => (estimate === null ? null : estimate.value * scale)));
  const more = lines.size > linesMax ? ` (${linesMax} of ${lines.size} lines)` : '';
  return [
    {
      id: `measure${index}`,
      title: `${measures[index]}${isShare ? ', % of runs' : ''}${more}`,
      xLabel: names[across]!,
      series: shown.map(([name]) => (name === '' ? measures[index]! : name)),
      data: [x, ...values],
      intervals,
      yRange: isShare ? [0, 100] : rangeOf([...values.flat(), ...intervals.flat(2)]),
      height: plotHeight,
      hasDots: true,
    },
  ];
}

/** The range of the values with a margin, extended to 0 if that is close. */
function rangeOf(numbers: readonly (number | null)[]): Interval {
  const known = numbers.filter((number) => number !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const margin = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
  const isNearZero = low >= 0 && low <= high - low + margin;
  return [isNearZero ? 0 : low - margin, high + margin];
}

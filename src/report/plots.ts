import type uPlot from 'uplot';
import { typeColors } from '../picture/index.ts';

/** A line chart over a number such as simulated seconds. Plain data that is embedded in a page. */
export interface PagePlot {
  /** The id of the element to draw in. If it is inside a `details` element, the chart is drawn when that is opened. */
  readonly id: string;
  readonly xLabel: string;
  readonly series: readonly string[];
  /** The x values, then the values of each series. */
  readonly data: readonly (readonly (number | null)[])[];
  /** For each series, whether to draw steps instead of lines, for values that stay constant until they change. */
  readonly steps: readonly boolean[];
  readonly height: uPlot.Options['height'];
  /** The x value at which a vertical line marks a failure; undefined if nothing failed. */
  readonly failedAt: number | undefined;
}

/** A script that draws the charts with uPlot, using the full width and the colours of the page. */
export function plotScript(plots: readonly PagePlot[]): string {
  // Escaped, because `</script` in a text would end the script.
  const data = JSON.stringify(plots).replaceAll('<', '\\u003c');
  return `{const plots = ${data}, colors = ${JSON.stringify(typeColors)};${drawing}}`;
}

/** Browser code as a string, so that a page needs no build step. */
const drawing = `
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const markOf = (plot) => (u) => {
  if (plot.failedAt === undefined) return;
  const { ctx, bbox } = u, ratio = devicePixelRatio, at = Math.round(u.valToPos(plot.failedAt, 'x', true));
  if (at < bbox.left || at > bbox.left + bbox.width) return;
  ctx.save();
  ctx.textAlign = 'right'; ctx.textBaseline = 'alphabetic'; ctx.lineWidth = ratio;
  ctx.font = 11 * ratio + 'px system-ui, sans-serif';
  ctx.strokeStyle = ctx.fillStyle = color('--bad');
  ctx.beginPath(); ctx.moveTo(at, bbox.top); ctx.lineTo(at, bbox.top + bbox.height); ctx.stroke();
  ctx.fillText('failed', at - 4 * ratio, bbox.top + 11 * ratio);
  ctx.restore();
};
// Lines are dashed differently, so that overlapping ones stay visible.
const dashes = [[], [8, 5], [3, 4], [12, 4, 3, 4]];
const draw = (plot, place) => {
  const axis = { stroke: color('--soft'), grid: { stroke: color('--line'), width: 1 }, ticks: { stroke: color('--line'), width: 1 }, font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif' };
  const series = plot.series.map((label, i) => ({ label, stroke: colors[i % colors.length], width: 1.5, paths: plot.steps[i] ? uPlot.paths.stepped({ align: 1 }) : undefined, dash: dashes[i % dashes.length], points: { show: false } }));
  place.replaceChildren();
  return new uPlot({ width: Math.max(200, place.clientWidth), height: plot.height, scales: { x: { time: false } },
    axes: [{ ...axis, label: plot.xLabel, labelSize: 22, size: 34 }, { ...axis, size: 46 }],
    series: [{ label: plot.xLabel }, ...series], hooks: { draw: [markOf(plot)] } }, plot.data, place);
};
const drawn = new Map();
for (const plot of plots) {
  const place = document.getElementById(plot.id), owner = place.closest('details');
  const show = () => { if ((owner === null || owner.open) && !drawn.has(plot)) drawn.set(plot, draw(plot, place)); };
  owner?.addEventListener('toggle', show);
  show();
}
addEventListener('resize', () => { for (const [plot, u] of drawn) u.setSize({ width: Math.max(200, document.getElementById(plot.id).clientWidth), height: plot.height }); });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { for (const [plot, u] of drawn) { u.destroy(); drawn.set(plot, draw(plot, document.getElementById(plot.id))); } });
`;

import { escapeHtml } from '../report/escape.ts';
import { plotLibrary } from '../report/plot-library.ts';
import type { ProfileRow } from './profile.ts';
import type { BenchResult, GameResult } from './result.ts';
import { fixed } from './text.ts';

interface Plot {
  readonly id: string;
  readonly title: string;
  readonly xLabel: string;
  readonly series: readonly string[];
  readonly data: readonly (readonly number[])[];
  readonly isBars: boolean;
}

/** Points that a plot of ticks shows at most: a stretch of ticks is shown as its longest. */
const pointsMost = 2000;

/** One file with everything in it. */
export function benchHtml(result: BenchResult): string {
  const plots = result.games.flatMap(plotsOf);
  const sections = result.games.map((game, i) => gameSection(game, i));
  const json = JSON.stringify(plots).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bench</title>
<style>${plotLibrary('uPlot.min.css')}${style}</style></head>
<body>
<h1>What a tick costs</h1>
<p>node ${escapeHtml(result.node)} on ${escapeHtml(result.machine)}</p>
${sections.join('\n')}
<script>${plotLibrary('uPlot.iife.min.js')}</script>
<script>${drawing(json)}</script>
</body></html>
`;
}

function gameSection(game: GameResult, number: number): string {
  const { file, title, ticksPerSecond, budgetMs, seconds, warmUpSeconds, scales, capacity, profile } = game;
  const rows = scales.map(({ bots, players, typical, hash }) => {
    const { p50, p95, p99, max } = typical.tickMs;
    const cells = [bots, players, fixed(p50, 3), fixed(p95, 3), fixed(p99, 3), fixed(max, 3), typical.ticksOverBudget];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}<td><code>${hash}</code></td></tr>`;
  });
  const held = `${capacity.isReached ? '' : 'at least '}${capacity.players} players`;
  return `<h2>${escapeHtml(title ?? file)}</h2>
<p>${escapeHtml(file)}: ${fixed(ticksPerSecond, 0)} ticks a second, ${fixed(budgetMs, 1)} ms for each. ${seconds} s measured after ${warmUpSeconds} s to
warm up. This game holds ${held}.</p>
<table><tr><th>bots</th><th>players</th><th>p50 ms</th><th>p95</th><th>p99</th><th>max</th><th>over budget</th><th>hash</th></tr>${rows.join('')}</table>
<div id="ticks-${number}"></div><div id="parts-${number}"></div><div id="scaling-${number}"></div>
${profile === null ? '' : `${profileTable('Scripts', profile.scripts)}${profileTable('Actions', profile.actions)}${profileTable('Triggers', profile.triggers)}`}`;
}

function profileTable(title: string, rows: readonly ProfileRow[]): string {
  const lines = rows.slice(0, 50).map(({ name, place, calls, selfMs, totalMs, share }) => {
    const numbers = [calls, fixed(selfMs, 2), fixed(totalMs, 2), `${fixed(share * 100, 1)} %`];
    return `<tr><td>${escapeHtml(name)}</td>${numbers.map((each) => `<td>${each}</td>`).join('')}<td>${escapeHtml(place)}</td></tr>`;
  });
  return `<h3>${title}</h3><table><tr><th></th><th>calls</th><th>self ms</th><th>total ms</th><th>share</th><th></th></tr>${lines.join('')}</table>`;
}

function plotsOf({ scales, ticksPerSecond }: GameResult, number: number): Plot[] {
  const last = scales.at(-1);
  if (last === undefined) return [];
  const { timesMs, partsMs } = last.typical;
  const stretch = Math.max(1, Math.ceil(timesMs.length / pointsMost));
  const seconds: number[] = [];
  const longest: number[] = [];
  for (let i = 0; i < timesMs.length; i += stretch) {
    seconds.push(i / ticksPerSecond);
    longest.push(timesMs.slice(i, i + stretch).reduce((most, ms) => Math.max(most, ms), 0));
  }
  const parts = Object.keys(partsMs) as (keyof typeof partsMs)[];
  const players = scales.map((scale) => scale.bots);
  const of = (key: 'p50' | 'p95' | 'p99') => scales.map(({ typical }) => typical.tickMs[key]);
  return [
    {
      id: `ticks-${number}`,
      title: `Time of a tick with ${last.bots} bots, ms`,
      xLabel: 'simulated seconds',
      series: ['tick'],
      data: [seconds, longest],
      isBars: false,
    },
    {
      id: `parts-${number}`,
      title: 'Mean time by part of the tick and number of bots, ms',
      xLabel: 'bots',
      series: parts,
      data: [players, ...parts.map((part) => scales.map(({ typical }) => typical.partsMs[part]))],
      isBars: scales.length === 1,
    },
    {
      id: `scaling-${number}`,
      title: 'Time of a tick by number of bots, ms',
      xLabel: 'bots',
      series: ['p50', 'p95', 'p99'],
      data: [players, of('p50'), of('p95'), of('p99')],
      isBars: scales.length === 1,
    },
  ];
}

/** A single number of bots makes no line, so that its points are drawn. */
function drawing(plots: string): string {
  return `const colors = ['#2a6fdb', '#d1495b', '#3a9d5d', '#c47f17', '#7b4fb5', '#13929b', '#555555'];
for (const plot of ${plots}) {
  const series = plot.series.map((label, i) => ({ label, stroke: colors[i % colors.length], points: { show: plot.isBars } }));
  new uPlot({ title: plot.title, width: 900, height: 260, scales: { x: { time: false } },
    axes: [{ label: plot.xLabel }, {}], series: [{ label: plot.xLabel }, ...series] }, plot.data, document.getElementById(plot.id));
}`;
}

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.15rem .6rem;text-align:right;border-bottom:1px solid #ddd}
td:first-child,td:last-child,th:first-child{text-align:left}code{font-size:.85em}`;

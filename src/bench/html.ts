import { type PagePlot, webPage } from '../report/index.ts';
import { escapeHtml, fileTitle } from '../text/index.ts';
import type { ProfileRow } from './profile.ts';
import type { BenchResult, GameResult, ScaleResult } from './result.ts';
import { fixed } from './text.ts';

/** Maximum number of points of a plot of ticks; each point is the longest tick of its interval. */
const pointsMax = 2000;
const rowsMax = 50;

/** A self-contained page. */
export function benchHtml(result: BenchResult): string {
  const sections = result.games.map((game, i) => gameSection(game, i));
  const body = `<h1>What a tick costs</h1>
<p class="soft">reenact ${escapeHtml(result.reenact)} with node ${escapeHtml(result.node)} on ${escapeHtml(result.machine)}</p>
${sections.join('\n')}`;
  return webPage({ title: 'What a tick costs', body, style, plots: result.games.flatMap(plotsOf) });
}

function gameSection(game: GameResult, number: number): string {
  const { file, title, ticksPerSecond, budgetMs, seconds, warmUpSeconds, scales, capacity, profile } = game;
  const rows = scales.map(({ bots, players, typical, hash }) => {
    const { p50, p95, p99, max } = typical.tickMs;
    const over = typical.ticksOverBudget;
    const cells = [bots, players, fixed(p50, 3), fixed(p95, 3), fixed(p99, 3), fixed(max, 3)].map(numberCell);
    return `<tr>${cells.join('')}<td class="number${over > 0 ? ' over' : ''}">${over}</td><td><code>${hash}</code></td></tr>`;
  });
  const heads = ['bots', 'players', 'p50 ms', 'p95', 'p99', 'max', 'over budget'].map(
    (head) => `<th class="number">${head}</th>`,
  );
  const held = `${capacity.isReached ? '' : 'at least '}${capacity.players} players`;
  const tables =
    profile === null
      ? []
      : Object.entries({ Scripts: profile.scripts, Actions: profile.actions, Triggers: profile.triggers });
  return `<section><h2>${escapeHtml(title ?? fileTitle(file))}</h2>
<p>This game holds <b>${held}</b>. ${fixed(ticksPerSecond, 0)} ticks a second leave ${fixed(budgetMs, 1)} ms for each; ${seconds} s were measured after
${warmUpSeconds} s to warm up. <span class="soft">${escapeHtml(file)}</span></p>
<div class="card scroll"><table><tr>${heads.join('')}<th>hash</th></tr>${rows.join('')}</table></div>
${plotIds(number, scales.length)
  .map((id) => `<div class="card"><div class="plot" id="${id}"></div></div>`)
  .join('\n')}
${scales.length === 1 ? partsTable(scales[0]!) : ''}
${tables.map(([name, lines]) => profileTable(name, lines)).join('\n')}</section>`;
}

function numberCell(text: string | number): string {
  return `<td class="number">${text}</td>`;
}

/** Sorted by number of bots, so that lines run from left to right. */
function bySize({ scales }: GameResult): readonly ScaleResult[] {
  return [...scales].sort((a, b) => a.bots - b.bots);
}

/** The ids of the plots of a game; a single number of bots makes no line. */
function plotIds(number: number, scales: number): readonly string[] {
  return (scales === 1 ? ['ticks'] : ['ticks', 'parts', 'scaling']).map((what) => `${what}-${number}`);
}

function profileTable(title: string, rows: readonly ProfileRow[]): string {
  const most = Math.max(...rows.map(({ share }) => share), Number.MIN_VALUE);
  const lines = rows.slice(0, rowsMax).map(({ name, place, calls, selfMs, totalMs, share }) => {
    const bar = `<span class="bar" style="width:${((share / most) * 100).toFixed(1)}%"></span>`;
    const where = place === '' ? '' : `<br><small>${escapeHtml(place)}</small>`;
    const numbers = [calls, fixed(selfMs, 2), fixed(totalMs, 2), `${fixed(share * 100, 1)} %`].map(numberCell);
    return `<tr><td>${escapeHtml(name)}${where}</td>${numbers.join('')}<td class="bars">${bar}</td></tr>`;
  });
  const more = rows.length > rowsMax ? `<p class="soft">and ${rows.length - rowsMax} more</p>` : '';
  const heads = ['calls', 'self ms', 'total ms', 'share'].map((head) => `<th class="number">${head}</th>`);
  return `<h3>${title}</h3><div class="card scroll"><table class="profile"><tr><th>${title.slice(0, -1).toLowerCase()}</th>${heads.join('')}<td></td></tr>${lines.join('')}</table>${more}</div>`;
}

/** The parts of a tick, as a table for a single number of bots. */
function partsTable({ bots, typical }: ScaleResult): string {
  const parts = Object.entries(typical.partsMs).sort(([, a], [, b]) => b - a);
  const [[, most] = ['', 0]] = parts;
  const rows = parts.map(([part, ms]) => {
    const bar = `<span class="bar" style="width:${most === 0 ? 0 : ((ms / most) * 100).toFixed(1)}%"></span>`;
    return `<tr><td>${part}</td>${numberCell(fixed(ms, 4))}<td class="bars">${bar}</td></tr>`;
  });
  return `<h3>Mean time by part of the tick with ${bots} bots</h3><div class="card scroll"><table class="profile"><tr><th>part</th><th class="number">ms</th><td></td></tr>${rows.join('')}</table></div>`;
}

function plotsOf(game: GameResult, number: number): PagePlot[] {
  const { ticksPerSecond } = game;
  const scales = bySize(game);
  const last = scales.at(-1);
  if (last === undefined) return [];
  const { timesMs, partsMs } = last.typical;
  const stretch = Math.max(1, Math.ceil(timesMs.length / pointsMax));
  const seconds: number[] = [];
  const longest: number[] = [];
  for (let i = 0; i < timesMs.length; i += stretch) {
    seconds.push(i / ticksPerSecond);
    longest.push(timesMs.slice(i, i + stretch).reduce((most, ms) => Math.max(most, ms), 0));
  }
  const [ticksId, partsId, scalingId] = [`ticks-${number}`, `parts-${number}`, `scaling-${number}`];
  const parts = Object.keys(partsMs) as (keyof typeof partsMs)[];
  const players = scales.map((scale) => scale.bots);
  const of = (key: 'p50' | 'p95' | 'p99') => scales.map(({ typical }) => typical.tickMs[key]);
  const ticks: PagePlot = {
    id: ticksId,
    title: `Time of a tick with ${last.bots} bots, ms`,
    xLabel: 'simulated seconds',
    series: ['tick'],
    data: [seconds, longest],
    height: 240,
  };
  if (scales.length === 1) return [ticks];
  return [
    ticks,
    {
      id: partsId,
      title: 'Mean time by part of the tick and number of bots, ms',
      xLabel: 'bots',
      series: parts,
      data: [players, ...parts.map((part) => scales.map(({ typical }) => typical.partsMs[part]))],
      height: 240,
      hasDots: true,
    },
    {
      id: scalingId,
      title: 'Time of a tick by number of bots, ms',
      xLabel: 'bots',
      series: ['p50', 'p95', 'p99'],
      data: [players, of('p50'), of('p95'), of('p99')],
      height: 240,
      hasDots: true,
    },
  ];
}

const style = `.over{color:var(--bad)}.profile{width:100%}.profile td:first-child{min-width:9rem;overflow-wrap:break-word}.bars{width:22%;min-width:4rem;padding-right:0}
.bar{display:inline-block;height:.6em;min-width:1px;border-radius:2px;background:var(--accent)}code{color:var(--soft)}`;

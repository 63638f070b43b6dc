import { type LoadedGame, Simulation } from '../../engine/index.ts';
import { mapOf } from '../../engine/internal.ts';
import type { Unexamined } from '../explore/explore.ts';
import {
  amountOfTime,
  type ExploreReport,
  findingFacts,
  headingsOf,
  headlineOf,
  sharesOf,
  sightingFacts,
  unexaminedText,
} from '../explore/explore-text.ts';
import type { Places } from '../explore/footprints.ts';
import type { Finding } from '../explore/shrink.ts';
import type { Obstacle } from '../explore/unreached.ts';
import { picture } from '../picture/picture.ts';
import { escapeHtml } from '../text/escape.ts';
import { amount } from '../text/words.ts';
import { coverageSection, coverageStyle, meter } from './coverage-html.ts';
import { casesStyle } from './html.ts';
import { webPage } from './web-page.ts';

const obstaclesMax = 200;

/** A page with what plays found, covered and did not reach, and a map of where players were. */
export function exploreHtml(report: ExploreReport, game: LoadedGame): string {
  const { title, seed, rate, exploration, progress, coverage, standing, gone } = report;
  const { findings, unexamined } = exploration;
  const count = findings.length + standing.length;
  const facts = [amount(progress.next, 'play'), `${amountOfTime(progress.ticks / rate)} in the game`, `seed ${seed}`];
  const list = (mark: string, texts: readonly string[]): string =>
    texts.map((text) => `<p>${mark} ${escapeHtml(text)}</p>`).join('');
  const shown = (mark: string, of: Finding | Unexamined, text: string): string => {
    const commands = report.viewCommands(of).map((command) => `<p><code>${escapeHtml(command)}</code></p>`);
    return `<details class="case failed"><summary><b>${mark}</b><span>${escapeHtml(of.message)}</span></summary>
<div class="inside"><p class="soft">${escapeHtml(text)}</p>${commands.join('')}</div></details>`;
  };
  const found = findings.map((finding) => shown('✗', finding, findingFacts(finding)));
  const unconfirmed = unexamined.map((sighting) => shown('?', sighting, sightingFacts(sighting, rate)));
  const map = mapPicture(game, progress.places);
  const body = [
    `<h1>${escapeHtml(title)}</h1><p class="soft">Explored: ${escapeHtml(facts.join(' · '))}</p>`,
    `<h2>Findings</h2>${list('✗ Known:', standing)}${list('✓ Gone:', gone)}`,
    `<p>${escapeHtml(sentence(headlineOf(report)))}</p>`,
    found.length > 0 ? `<div class="cases">${found.join('\n')}</div>` : '',
    unconfirmed.length > 0 ? `<p class="soft">${escapeHtml(sentence(unexaminedText(report)))}</p>` : '',
    unconfirmed.length > 0 ? `<div class="cases">${unconfirmed.join('\n')}</div>` : '',
    `<h2>Covered</h2><div class="meters">${sharesOf(coverage)
      .map(([name, share]) => meter(name, share))
      .join('')}</div>`,
    map === '' ? '' : `<h2>Where players were</h2><div class="card map">${map}</div>`,
    ...headingsOf.map(([kind, heading]) =>
      obstacleSection(
        heading,
        report.obstacles.filter((each) => each.kind === kind),
      ),
    ),
    coverageSection({ ...coverage, failing: 0 }, 'coverage'),
  ].join('\n');
  const state = count > 0 ? amount(count, 'finding') : report.isInterrupted ? 'interrupted' : 'nothing wrong';
  const style = `${casesStyle}\n${coverageStyle}\n.map svg{display:block;max-width:100%;height:auto;margin:auto}.heat{fill:#e09200}`;
  return webPage({ title, state, body, style });
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** The map at the start of the game, with cells coloured by how often players were there, on a logarithmic scale. */
function mapPicture(game: LoadedGame, places: Places): string {
  const sim = new Simulation(game, { seed: '0' });
  const { width } = mapOf(sim);
  const { width: cellWidth, height: cellHeight } = sim.definition.cellSize;
  const counts = Object.entries(places);
  const most = Math.max(1, ...counts.map(([, count]) => count));
  const cells = counts.map(([cell, count]) => {
    const [x, y] = [(Number(cell) % width) * cellWidth, Math.floor(Number(cell) / width) * cellHeight];
    const share = (0.15 + (0.75 * Math.log(count)) / Math.max(1, Math.log(most))).toFixed(2);
    return `<rect class="heat" x="${x}" y="${y}" width="${cellWidth}" height="${cellHeight}" fill-opacity="${share}"/>`;
  });
  return picture(sim, { onFloor: cells.join('') });
}

function obstacleSection(heading: string, obstacles: readonly Obstacle[]): string {
  if (obstacles.length === 0) return '';
  const total = obstacles.reduce((sum, { actions }) => sum + actions, 0);
  const entries = obstacles.slice(0, obstaclesMax).map(
    ({ script, at, actions, needs, notes, kind }) =>
      `<details class="case"><summary><b></b><span>${escapeHtml(script)} <i>${escapeHtml(kind === 'dead' ? needs : `needs ${needs}`)}</i></span><small>${amount(actions, 'action')}</small></summary>
<div class="inside"><p class="soft facts">${escapeHtml(at)}</p>${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('')}</div></details>`,
  );
  const more =
    obstacles.length > obstaclesMax ? `<p class="soft">and ${obstacles.length - obstaclesMax} more places</p>` : '';
  return `<h2>${heading[0]!.toUpperCase()}${heading.slice(1)} <small>${amount(total, 'action')}</small></h2>
<div class="cases">${entries.join('\n')}</div>${more}`;
}

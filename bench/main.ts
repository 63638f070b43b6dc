import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { regeneratingAttributes } from './attributes.ts';
import { crowdedUnits, movingUnits, sleepingUnits } from './bodies.ts';
import { type ChartPoint, chart, plots } from './chart.ts';
import { columnsOfUnits } from './columns.ts';
import { colyseusRooms } from './colyseus.ts';
import { coverageOfGames, coveragePage } from './coverage.ts';
import { durableRooms } from './durable-rooms.ts';
import { editorHelp } from './editor.ts';
import { existingClients } from './existing-clients.ts';
import { crowdedGame, playGames } from './games.ts';
import { garbage } from './garbage.ts';
import { changesSince, changesText, entryOf, readHistory, saveEntry } from './history.ts';
import { languageServer } from './language-server.ts';
import { manySimulations } from './many-simulations.ts';
import { piles } from './pile.ts';
import { platformBinary } from './platform.ts';
import { type Report, replaceTable, reportText } from './report.ts';
import { restingItems } from './resting-items.ts';
import { savedBodies } from './saved-bodies.ts';
import { nestedScripts } from './scripts.ts';
import { serverLoad } from './server-load.ts';
import { sharedJournal } from './shared-journal.ts';
import { snapshots } from './snapshots.ts';
import { startup } from './startup.ts';
import { sentStreams, streams } from './stream.ts';
import { streamFloors } from './stream-floor.ts';
import { browserPath, viewer } from './viewer.ts';
import { whyAnswers } from './why.ts';

/**
 * `npm run bench [-- NAME…]`: runs all suites, or the named ones. `--save` adds the results to `bench/results`, by
 * commit; `--compare` reports which costs have changed since the last saved results, and how certain that is. Real
 * games are read from the folder `REENACT_GAMES`, if it exists; they are not part of the project.
 */
const games = process.env['REENACT_GAMES'] ?? '../shared/games';
const largest = `${games}/braains-io-original-2026.json`;
const samples = ['outbreak', 'infection', 'ray-casting', 'team-elimination'];
const coverage = { seconds: 120, bots: 8 };
const suites: Record<string, { readonly needs?: string; run(): Report | Promise<Report> }> = {
  'moving-units': { run: movingUnits },
  'sleeping-units': { run: sleepingUnits },
  'crowded-units': { run: crowdedUnits },
  pile: { run: piles },
  'saved-bodies': { run: savedBodies },
  columns: { run: columnsOfUnits },
  'many-simulations': {
    run: () =>
      manySimulations(
        samples.map((name) => `scenarios/games/${name}.json`),
        { count: 1000, seconds: 5 },
      ),
  },
  'regenerating-attributes': { run: regeneratingAttributes },
  'nested-scripts': { run: nestedScripts },
  'resting-items': { run: restingItems },
  garbage: { run: garbage },
  'stream-sent': {
    run: () => sentStreams(['scenarios/games/infection.json'], { seconds: 30, warmUpSeconds: 40, players: [20, 40] }),
  },
  'existing-clients': {
    run: () =>
      existingClients(['scenarios/games/infection.json', 'scenarios/games/outbreak.json'], {
        seconds: 30,
        warmUpSeconds: 20,
        players: [2, 10, 40],
      }),
  },
  stream: {
    run: () =>
      streams(['scenarios/games/infection.json', 'scenarios/games/outbreak.json'], {
        seconds: 60,
        warmUpSeconds: 40,
        players: [20, 40],
      }),
  },
  'stream-floor': {
    run: () =>
      streamFloors(['scenarios/games/infection.json', 'scenarios/games/outbreak.json'], {
        seconds: 60,
        warmUpSeconds: 40,
        players: 20,
      }),
  },
  'server-load': {
    run: () =>
      serverLoad(['scenarios/games/infection.json', 'scenarios/games/outbreak.json'], {
        seconds: 20,
        players: [20, 40, 60],
        rates: [20, 60],
      }),
  },
  'durable-rooms': {
    needs: platformBinary,
    run: () => durableRooms('scenarios/games/infection.json', { rooms: [5, 20], seconds: 15 }),
  },
  colyseus: {
    needs: 'node_modules/@colyseus/core',
    run: () => colyseusRooms('scenarios/games/infection.json', { players: [20, 40], seconds: 20, rounds: 2 }),
  },
  'shared-journal': {
    needs: '/usr/bin/redis-server',
    run: () => sharedJournal('scenarios/games/infection.json', { takeovers: 5 }),
  },
  'largest-game': { needs: largest, run: () => crowdedGame(largest, { seconds: 60, bots: 32 }) },
  editor: {
    run: () => editorHelp([...samples.map((name) => `scenarios/games/${name}.json`), largest], { places: 50 }),
  },
  'language-server': {
    run: () => languageServer([...samples.map((name) => `scenarios/games/${name}.json`), largest], { changes: 20 }),
  },
  startup: { needs: largest, run: () => startup(largest) },
  why: {
    run: () =>
      whyAnswers('scenarios/games/outbreak.json', {
        seconds: 120,
        units: 147,
        questions: ['state', 'timeLeft', 'u20.x', 'u20.health', 'firstVictim', '@timeSick', 'u30', 'outputs ui.text'],
        rounds: 5,
      }),
  },
  viewer: {
    needs: browserPath ?? 'chromium',
    run: () =>
      viewer({
        units: [100, 500],
        rounds: 60,
        seconds: 4,
        game: 'scenarios/games/outbreak.json',
        journalSeconds: 600,
        openings: 5,
      }),
  },
  coverage: { needs: games, run: () => coverageOfGames(games, coverage) },
  snapshots: {
    needs: games,
    run: () =>
      snapshots(
        samples
          .map((name) => `scenarios/games/${name}.json`)
          .concat(
            ['braains-test-2023', 'zombie-tag-2023', 'two-houses-2023', 'heist-2023'].map(
              (name) => `${games}/${name}.json`,
            ),
          ),
      ),
  },
  games: { needs: games, run: () => playGames(games, { seconds: 60, bots: 8 }) },
};

const folder = 'bench/results';
const flags = new Set(['--save', '--compare']);
const words = process.argv.slice(2);
const unknown = words.filter((word) => word.startsWith('-') && !flags.has(word));
if (unknown.length > 0) {
  console.error(`There is no option ${unknown.join(', ')}. There are: ${[...flags].join(', ')}.`);
  process.exit(2);
}
const asked = words.filter((word) => !flags.has(word));
for (const name of asked.length > 0 ? asked : Object.keys(suites)) {
  const suite = suites[name];
  if (suite === undefined) {
    console.error(`There is no suite "${name}". There are: ${Object.keys(suites).join(', ')}.`);
    process.exitCode = 2;
    continue;
  }
  if (suite.needs !== undefined && !existsSync(suite.needs)) {
    console.log(`\n# ${name}\nskipped: there is no ${suite.needs}`);
    continue;
  }
  const report = await suite.run();
  console.log(`\n# ${name}\n${reportText(report)}`);
  const entry = entryOf(report, { commit: commit(), node: process.version, machine: machine() });
  if (words.includes('--compare')) {
    const last = readHistory(folder, name).entries.at(-1);
    console.log(last === undefined ? 'nothing was saved before' : changesText(changesSince(entry, last), last));
  }
  if (!words.includes('--save')) continue;
  if (name === 'coverage') writeFileSync('bench/results/coverage-of-games.md', coveragePage(report, coverage));
  else saveEntry(folder, name, entry);
  if (name === 'colyseus') replaceTable('docs/colyseus.md', name, report);
  const plot = plots[name];
  if (plot === undefined) continue;
  for (const theme of ['light', 'dark'] as const) {
    writeFileSync(`docs/${plot.file}-${theme}.svg`, chart(entry.rows as unknown as ChartPoint[], theme, plot));
  }
}

function machine(): string {
  return `${process.platform} ${process.arch}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`;
}

/** Short hash, with a `+` if there were uncommitted changes. */
function commit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', 'engine', 'src', 'bench/*.ts', 'package-lock.json');
  return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '+'}`;
}

import { existsSync, writeFileSync } from 'node:fs';
import { regeneratingAttributes } from './attributes.ts';
import { crowdedUnits, movingUnits, sleepingUnits } from './bodies.ts';
import { coverageOfGames, coveragePage } from './coverage.ts';
import { crowdedGame, playGames } from './games.ts';
import { garbage } from './garbage.ts';
import { piles } from './pile.ts';
import { type Report, reportText, saveReport } from './report.ts';
import { restingItems } from './resting-items.ts';
import { savedBodies } from './saved-bodies.ts';
import { nestedScripts } from './scripts.ts';
import { snapshots } from './snapshots.ts';
import { startup } from './startup.ts';
import { streams } from './stream.ts';

/**
 * `npm run bench [-- NAME…]`: all suites, or the named ones; `--save` writes what they find to `bench/results`. Real games are taken from
 * the folder that `REENACT_GAMES` names, where it is there; they are not part of the project.
 */
const games = process.env['REENACT_GAMES'] ?? '../shared/games';
const largest = `${games}/braains-io-original-2026.json`;
const coverage = { seconds: 120, bots: 8 };
const suites: Record<string, { readonly needs?: string; run(): Report }> = {
  'moving-units': { run: movingUnits },
  'sleeping-units': { run: sleepingUnits },
  'crowded-units': { run: crowdedUnits },
  pile: { run: piles },
  'saved-bodies': { run: savedBodies },
  'regenerating-attributes': { run: regeneratingAttributes },
  'nested-scripts': { run: nestedScripts },
  'resting-items': { run: restingItems },
  garbage: { run: garbage },
  stream: {
    run: () =>
      streams(['scenarios/games/infection.json', 'scenarios/games/outbreak.json'], {
        seconds: 60,
        warmUpSeconds: 40,
        players: [20, 40],
      }),
  },
  'largest-game': { needs: largest, run: () => crowdedGame(largest, { seconds: 60, bots: 32 }) },
  startup: { needs: largest, run: () => startup(largest) },
  coverage: { needs: games, run: () => coverageOfGames(games, coverage) },
  snapshots: {
    needs: games,
    run: () =>
      snapshots(
        ['outbreak', 'infection', 'ray-casting', 'team-elimination']
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

const asked = process.argv.slice(2).filter((word) => word !== '--save');
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
  const report = suite.run();
  console.log(`\n# ${name}\n${reportText(report)}`);
  if (!process.argv.includes('--save')) continue;
  if (name === 'coverage') writeFileSync('docs/coverage-of-games.md', coveragePage(report, coverage));
  else saveReport(name, report);
}

import { existsSync } from 'node:fs';
import { playGames } from './games.ts';
import { movingUnits } from './moving-units.ts';
import { startup } from './startup.ts';

/** `npm run bench [-- NAME…]`: all suites, or the named ones. Games are taken from `../shared/games` where that folder is. */
const games = process.env['REENACT_GAMES'] ?? '../shared/games';
const largest = `${games}/braains-io-original-2026.json`;
const suites: Record<string, () => string> = {
  'moving-units': () => movingUnits(),
  startup: () => (existsSync(largest) ? startup(largest) : `skipped: no ${largest}`),
  games: () => (existsSync(games) ? playGames(games, { seconds: 60, bots: 8 }) : `skipped: no ${games}`),
};

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(suites)) {
  const suite = suites[name];
  if (suite === undefined) {
    console.error(`There is no suite "${name}". There are: ${Object.keys(suites).join(', ')}.`);
    process.exitCode = 2;
    continue;
  }
  console.log(`\n# ${name}\n${suite()}`);
}

/**
 * `npm run differential -- --count 1000 --seed S game.json…`: games with random scripts are played twice and compared after every tick: with compiled
 * scripts, and with a plain interpreter that walks the tree. Without games it takes the samples, and `--games FOLDER`. A difference is one
 * line with the command that shows it again; exit code 1.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { RandomStream } from '../../../engine/core/random.ts';
import { compare, withRandomScripts } from './differential.ts';
import { performed } from './walker.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    number: { type: 'string' },
    ticks: { type: 'string', default: '40' },
    games: { type: 'string' },
    minutes: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const { seed = '1' } = values;
const [count, ticks] = [Number(values.count), Number(values.ticks)];
const gamesIn = (folder: string): string[] => {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.sort().map((name) => join(folder, name));
};
const games =
  positionals.length > 0
    ? positionals
    : [...gamesIn('scenarios/games'), ...(values.games === undefined ? [] : gamesIn(values.games))];
const texts = new Map(games.map((game) => [game, readFileSync(game, 'utf8')]));
const endsAt = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;

const totals = { plays: 0, ticks: 0, actions: 0, faults: 0 };
let failed = 0;
const first = Number(values.number ?? 0);
const last = values.number === undefined ? count : first + 1;
for (let number = first; number < last && !(performance.now() > endsAt); number++) {
  const game = values.number === undefined ? games[number % games.length]! : games[0]!;
  const random = new RandomStream(`differential/${seed}/${basename(game)}/${number}`);
  const document = withRandomScripts(JSON.parse(texts.get(game)!), random);
  const dialect = number % 3 === 0 ? 'moddio' : 'standard';
  const result = compare(document, dialect, ticks, `${seed} ${number}`);
  totals.plays++;
  for (const what of ['ticks', 'actions', 'faults'] as const) totals[what] += result[what];
  if (result.failure === undefined) continue;
  failed++;
  const again = `npm run differential -- --seed ${seed} --number ${number} --ticks ${ticks} ${game}`;
  process.stdout.write(`${again}  # ${dialect}, ${result.failure.slice(0, 700)}\n`);
  if (!values.keep) process.exit(1);
}
process.stdout.write(
  `${totals.plays} plays of ${games.length} games, seed ${seed}, ${failed === 0 ? 'no difference' : `${failed} differences`}: ` +
    `${totals.ticks} ticks, ${totals.actions} actions of ${performed.actions.size} kinds, ${performed.functions.size} functions, ${totals.faults} places with faults\n`,
);
process.exit(failed === 0 ? 0 : 1);

/**
 * `npm run differential -- --count 1000 --seed S game.json…`: plays games with random scripts twice and compares after
 * every tick: with compiled scripts, and with a plain interpreter that walks the tree. Without games, plays the samples
 * and those of `--games FOLDER`. Prints each difference in one line with the command that reproduces it; exit code 1.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { RandomStream } from '../../../engine/core/random.ts';
import { differentialOptions } from '../../support/differential-options.ts';
import { compare, withRandomScripts } from './differential.ts';
import { performed } from './walker.ts';

const { seed, ticks, games, keep, numbers, gameOf } = differentialOptions(40);
const texts = new Map(games.map((game) => [game, readFileSync(game, 'utf8')]));

const totals = { plays: 0, ticks: 0, actions: 0, faults: 0 };
let failed = 0;
for (const number of numbers()) {
  const game = gameOf(number);
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
  if (!keep) process.exit(1);
}
process.stdout.write(
  `${totals.plays} plays of ${games.length} games, seed ${seed}, ${failed === 0 ? 'no difference' : `${failed} differences`}: ` +
    `${totals.ticks} ticks, ${totals.actions} actions of ${performed.actions.size} kinds, ${performed.functions.size} functions, ${totals.faults} places with faults\n`,
);
process.exit(failed === 0 ? 0 : 1);

/**
 * `npm run differential:physics -- --count 10000 --seed 1`: steps random worlds in planck and in our space, and
 * compares the states bit by bit after each step. Prints each difference in one line with the command that reproduces
 * it; exit code 1.
 */

import * as fc from 'fast-check';
import { commandLine } from '../../../bench/command-line.ts';
import { firstDifference, playKinds } from './compare.ts';
import { type Play, playOf } from './play.ts';

const { values } = commandLine({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '10000' },
    number: { type: 'string' },
    minutes: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const count = Number(values.count);
if (!(Number.isInteger(seed) && seed >= 0 && Number.isInteger(count) && count > 0)) {
  process.stderr.write('--seed is a whole number from 0 on, --count one above 0.\n');
  process.exit(2);
}

/**
 * Worlds are generated in batches, because fast-check makes the first ones of a batch smaller and more unusual than
 * later ones.
 */
const batch = 100;
/** Batches of one seed in fast-check's own numbering. */
const batchesOfSeed = 100_003;
const kinds = Object.entries(playKinds).map(([name, { steps, bodies, range }]) => ({
  name,
  plays: playOf(steps, bodies, range),
}));
const first = Number(values.number ?? 0);
const last = values.number === undefined ? count : first + 1;
const endsAt = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
let made: { readonly which: number; readonly plays: readonly Play[] } = { which: -1, plays: [] };
const totals = { worlds: 0, steps: 0, bodies: 0 };
let failed = 0;
for (let number = first; number < last && !(performance.now() > endsAt); number++) {
  const which = Math.floor(number / batch);
  const { name, plays } = kinds[which % kinds.length]!;
  if (made.which !== which) {
    made = { which, plays: fc.sample(plays, { numRuns: batch, seed: (seed * batchesOfSeed + which) | 0 }) };
  }
  const play = made.plays[number % batch];
  totals.worlds++;
  totals.steps += play!.steps.length;
  totals.bodies += play!.bodies.length;
  const found = firstDifference(play!);
  if (found === undefined) continue;
  failed++;
  const again = `npm run differential:physics -- --seed ${seed} --number ${number}`;
  process.stdout.write(`${again}  # ${name}: ${found.slice(0, 700)}\n`);
  if (!values.keep) process.exit(1);
}
process.stdout.write(
  `${totals.worlds} worlds of seed ${seed}, ${failed === 0 ? 'no difference' : `${failed} differences`}: ${totals.steps} steps, ` +
    `${totals.bodies} bodies at their starts\n`,
);
process.exit(failed === 0 ? 0 : 1);

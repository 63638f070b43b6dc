/**
 * `npm run soak:games -- --hours 24 game.json…`: plays games for this many simulated hours with players that come and
 * go, and reports what has grown. Without games, plays the samples. Exit code 1 if anything has grown that must not.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../bench/command-line.ts';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { bounded, growth, outgrowths, type SoakLeg, soak } from './soak.ts';

const { values, positionals } = commandLine({
  allowPositionals: true,
  options: { hours: { type: 'string', default: '24' }, parts: { type: 'string', default: '24' } },
});
const hours = Number(values.hours);
const parts = Number(values.parts);
if (!(hours > 0 && Number.isInteger(parts) && parts > 2)) {
  process.stderr.write('--hours is a number above 0, --parts a whole number above 2.\n');
  process.exit(2);
}
const samples = 'scenarios/games';
const games =
  positionals.length > 0
    ? positionals
    : readdirSync(samples)
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(samples, name));

const percent = (share: number): string => `${share < 0 ? '' : '+'}${(share * 100).toFixed(1)} %`;

let failed = false;
for (const path of games) {
  const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const { game } = loadDefinition(document);
  const rate = game === undefined ? 20 : new Simulation(game).rate;
  const found = soak(document, { ticks: Math.ceil(hours * 3600 * rate), parts, dialect: 'standard' });
  const [first, ...rest] = found as [SoakLeg, ...SoakLeg[]];
  const last = rest.at(-1)!;
  const columns = bounded.map((what) => {
    const list = rest.map((part) => part[what]);
    return `${what} ${Math.min(...list)} to ${Math.max(...list)} (${percent(growth(list))})`;
  });
  const joins = found.reduce((sum, { joined }) => sum + joined, 0);
  const ticks = `a tick ${first.tickUs.toFixed(0)} µs in the first part, ${rest[0]!.tickUs.toFixed(0)} in the second, ${last.tickUs.toFixed(0)} in the last`;
  const grown = outgrowths(found);
  failed ||= grown.length > 0;
  process.stdout.write(
    `${path}: ${hours} hours at ${rate} ticks a second in ${parts} parts, ${joins} joins; ${columns.join(', ')}; ${ticks}; ` +
      `${grown.length === 0 ? 'nothing grows' : `GROWS: ${grown.join('; ')}`}\n`,
  );
}
process.exit(failed ? 1 : 0);

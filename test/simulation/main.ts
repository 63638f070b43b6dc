/**
 * `npm run simulate -- --seed 1 --hours 1`: simulates worlds with the whole server for this many hours of virtual time.
 * Prints one line: what was done, or which world failed, how, and the command that reproduces it.
 */
import { commandLine } from '../../bench/command-line.ts';
import { type EpisodeResult, type FaultKind, faultKinds, playEpisode } from './episode.ts';

const worldSeconds = 300;

const { values } = commandLine({
  options: {
    seed: { type: 'string', default: '1' },
    hours: { type: 'string', default: '1' },
    seconds: { type: 'string', default: String(worldSeconds) },
    /** `files` or `redis`; by default the seed of each world decides. */
    journal: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const { seed = '1', verbose } = values;
const hours = Number(values.hours);
const seconds = Number(values.seconds);
const { journal } = values;
if (!(hours > 0 && seconds > 0) || !(journal === undefined || journal === 'files' || journal === 'redis')) {
  process.stderr.write('--hours and --seconds are numbers above 0, --journal is files or redis.\n');
  process.exit(2);
}

const totals = { worlds: 0, ms: 0, ticks: 0, acknowledged: 0, resumed: 0, compared: 0, audited: 0 };
const faults = new Map<FaultKind, number>();

function count(result: EpisodeResult): void {
  const { seen } = result;
  totals.worlds++;
  totals.ms += result.simulatedMs;
  totals.ticks += seen.ticks;
  totals.acknowledged += seen.acknowledged;
  totals.resumed += seen.resumed;
  totals.compared += seen.compared + seen.digested;
  totals.audited += seen.audited;
  for (const kind of faultKinds) faults.set(kind, (faults.get(kind) ?? 0) + (result.faults[kind] ?? 0));
}

/** A seed with a slash names one world of the series that the part before it starts. */
const isOne = seed.includes('/');
for (let world = 1; isOne ? world === 1 : totals.ms < hours * 3_600_000; world++) {
  const name = isOne ? seed : `${seed}/${world}`;
  const result = await playEpisode({ seed: name, seconds, journal });
  count(result);
  if (verbose) process.stderr.write(`${name} ${result.setting} ${JSON.stringify([result.faults, result.seen])}\n`);
  const [failure] = result.failures;
  if (failure === undefined) continue;
  const wishes = `${seconds === worldSeconds ? '' : ` --seconds ${seconds}`}${journal === undefined ? '' : ` --journal ${journal}`}`;
  const again = `npm run simulate -- --seed ${name}${wishes}`;
  process.stdout.write(`${again}  # ${failure.split('\n')[0]}\n`);
  process.exit(1);
}
const done = [...faults].filter(([, times]) => times > 0).map(([kind, times]) => `${kind} ${times}`);
process.stdout.write(
  `${(totals.ms / 3_600_000).toFixed(2)} hours in ${totals.worlds} worlds of seed ${seed}, no fault: ${totals.ticks} ticks, ` +
    `${totals.acknowledged} acknowledged inputs, ${totals.resumed} rooms resumed, ${totals.compared} frames compared, ` +
    `${totals.audited} journals read; done to them: ${done.join(', ')}\n`,
);
process.exit(0);

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../bench/command-line.ts';

interface DifferentialOptions {
  readonly seed: string;
  readonly ticks: number;
  /** The files given on the command line; by default the samples and those of `--games FOLDER`. */
  readonly games: readonly string[];
  /** Whether to continue after a difference. */
  readonly keep: boolean;
  /** The numbers of the plays, until all are done or the time is over. */
  numbers(): Iterable<number>;
  /** The game of a play. */
  gameOf(number: number): string;
}

/** Command-line options for comparing two ways to play games. A text that is not a number exits with code 2. */
export function differentialOptions(defaultTicks: number): DifferentialOptions {
  const { values, positionals } = commandLine({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      count: { type: 'string', default: '100' },
      number: { type: 'string' },
      ticks: { type: 'string', default: String(defaultTicks) },
      games: { type: 'string' },
      minutes: { type: 'string' },
      keep: { type: 'boolean' },
    },
  });
  const [count, ticks] = [Number(values.count), Number(values.ticks)];
  const [only, minutes] = [Number(values.number ?? 0), Number(values.minutes ?? Number.POSITIVE_INFINITY)];
  if (![count, ticks, only + 1].every((each) => Number.isInteger(each) && each > 0) || !(minutes > 0)) {
    process.stderr.write(
      '--count, --ticks and --minutes are above 0, --number from 0 on; all but the minutes are whole.\n',
    );
    process.exit(2);
  }
  const more = values.games === undefined ? [] : gamesIn(values.games);
  const games = positionals.length > 0 ? positionals : [...gamesIn('scenarios/games'), ...more];
  const endsAt = performance.now() + minutes * 60_000;
  const end = values.number === undefined ? count : only + 1;
  return {
    seed: values.seed ?? '1',
    ticks,
    games,
    keep: values.keep === true,
    *numbers() {
      for (let number = only; number < end && performance.now() <= endsAt; number++) yield number;
    },
    gameOf: (number) => games[number % games.length]!,
  };
}

function gamesIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.sort().map((name) => join(folder, name));
}

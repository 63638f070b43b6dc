import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Tinypool } from 'tinypool';
import type { DialectName } from '../engine/index.ts';
import { compareWitnesses, isDialect, nameOf, parseWitness, type Witness, witnessText } from './witness-file.ts';
import { botCount, gameName, observeSecond, type Play, playerUrl, type Task } from './witness-play.ts';

const help = `npm run -s witness -- [options]                play, and compare with bench/results/witness.txt
npm run -s witness -- --show GAME DIALECT SEED SECOND      the full text of that second

Plays games with ${botCount} bots. Each simulated second gives four digests: state view, triggers by type, outputs in order, faults and skips with places.

  --compare FILE      compare with this file (default bench/results/witness.txt); exit code 1 when a play differs
  --save FILE         write the plays to FILE instead; plays of FILE that were not selected stay
  --only WORD,WORD    games whose name contains one of the words
  --samples           the samples only, without the folder of games
  --games DIR         more games (default REENACT_GAMES, ../shared/games or ../../shared/games)
  --dialect NAME      standard or moddio (default both)
  --seeds A,B         (default 1,2)
  --seconds N         simulated (default 60); a shorter play is compared with the beginning of a longer one
  --jobs N            threads (default 2)
  --output FILE       where --show writes (default standard output)
`;

const samplesFolder = 'scenarios/games';
const baseline = 'bench/results/witness.txt';

/** Invalid usage: exit code 2. */
class UsageError extends Error {}

try {
  await main();
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!(error instanceof UsageError) && !code.startsWith('ERR_PARSE_ARGS')) throw error;
  console.error((error as Error).message);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      show: { type: 'boolean' },
      samples: { type: 'boolean' },
      compare: { type: 'string' },
      save: { type: 'string' },
      only: { type: 'string' },
      games: { type: 'string' },
      dialect: { type: 'string' },
      seeds: { type: 'string' },
      seconds: { type: 'string' },
      jobs: { type: 'string' },
      output: { type: 'string' },
    },
  });
  if (values.help === true) {
    process.stdout.write(help);
    return;
  }
  const files = gameFiles(values.samples === true ? undefined : gamesFolder(values.games));
  if (values.show === true) {
    show(files, positionals, values.output);
    return;
  }
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is not an option; see --help.`);
  if (values.save !== undefined && values.compare !== undefined)
    throw new UsageError('Give either --save or --compare.');

  const seconds = wholeNumber('--seconds', values.seconds ?? '60');
  const jobs = wholeNumber('--jobs', values.jobs ?? '2');
  const dialects: DialectName[] = values.dialect === undefined ? ['standard', 'moddio'] : [dialectOf(values.dialect)];
  const seeds = [...new Set((values.seeds ?? '1,2').split(','))];
  if (seeds.some((seed) => !/^[^\s]+$/.test(seed))) throw new UsageError('--seeds expects words separated by commas.');
  const words = values.only?.split(',') ?? [''];
  const selected = files.filter((file) => words.some((word) => gameName(file).includes(word)));
  if (selected.length === 0) throw new UsageError(`No game is called ${values.only}.`);
  const known = new Set(files.map(gameName));
  const expects = ({ game, dialect, seed }: Play): boolean =>
    words.some((word) => game.includes(word)) &&
    dialects.includes(dialect) &&
    seeds.includes(seed) &&
    (values.samples !== true || known.has(game));

  // Read first, so that an invalid file is reported at once.
  const compareFile = values.compare ?? baseline;
  const before = values.save === undefined ? savedIn(compareFile) : undefined;
  const kept = values.save !== undefined && existsSync(values.save) ? savedIn(values.save) : undefined;
  if (kept !== undefined && (kept.seconds !== seconds || kept.bots !== botCount)) {
    throw new UsageError(
      `${values.save} holds plays of ${kept.seconds} s with ${kept.bots} bots; save to another file, or remove it.`,
    );
  }
  const start = performance.now();
  const plays = await playAll(selected, { dialects, seeds, seconds }, jobs);
  const wallSeconds = Math.round((performance.now() - start) / 1000);
  console.log(`${plays.length} plays of ${seconds} s with ${botCount} bots took ${wallSeconds} s.`);
  const after: Witness = { bots: botCount, seconds, plays };
  if (before !== undefined) report(before, after, compareFile, expects);
  else if (values.save !== undefined) save(values.save, after, kept?.plays.filter((play) => !expects(play)) ?? []);
}

function report(before: Witness, after: Witness, file: string, expects: (play: Play) => boolean): void {
  const differences = compareWitnesses(before, after, expects);
  for (const { second, what, ...play } of differences) {
    console.log(second === undefined ? `${nameOf(play)}: ${what}` : `${nameOf(play)}, second ${second}: ${what}`);
  }
  const shown = differences.find(({ second }) => second !== undefined);
  if (shown !== undefined) {
    console.log(
      `See it, here and in the version before: npm run -s witness -- --show ${nameOf(shown)} ${shown.second}`,
    );
  }
  console.log(
    differences.length === 0
      ? `All are equal to ${file}.`
      : `${differences.length} of ${after.plays.length} differ from ${file}.`,
  );
  if (differences.length > 0) process.exitCode = 1;
}

function save(file: string, witness: Witness, kept: readonly Play[]): void {
  const failed = witness.plays.filter(({ threw }) => threw !== undefined);
  for (const play of failed)
    console.log(`${nameOf(play)}, second ${play.seconds.length}: the engine threw: ${play.threw}`);
  if (failed.length > 0) {
    console.log(`${file} was not written.`);
    process.exitCode = 1;
    return;
  }
  writeFileSync(file, witnessText({ ...witness, plays: [...witness.plays, ...kept] }));
  console.log(`${file} is written.`);
}

function show(
  files: readonly string[],
  [game, dialect, seed, second, ...rest]: string[],
  output: string | undefined,
): void {
  if (second === undefined || rest.length > 0) throw new UsageError('--show expects GAME DIALECT SEED SECOND.');
  const file = files.find((each) => gameName(each) === game);
  if (file === undefined) throw new UsageError(`No game is called ${game}.`);
  const at = second === '0' ? 0 : wholeNumber('SECOND', second);
  const observation = observeSecond(file, dialectOf(dialect!), seed!, at);
  if (observation === undefined) throw new UsageError(`${game} ended before second ${second}.`);
  const { view, triggers, outputs, faults } = observation;
  const parts = { view: [JSON.stringify(view, null, 1)], triggers, outputs, faults };
  const text = Object.entries(parts)
    .map(([channel, lines]) => `# ${channel}\n${lines.map((line) => `${line}\n`).join('')}`)
    .join('\n');
  if (output === undefined) process.stdout.write(text);
  else writeFileSync(output, text);
}

/** The slowest come first, so that no thread is left with a long one at the end. */
async function playAll(files: readonly string[], asked: Omit<Task, 'file'>, jobs: number): Promise<Play[]> {
  const bySize = files.map((file) => ({ file, bytes: statSync(file).size })).sort((a, b) => b.bytes - a.bytes);
  const pool = new Tinypool({ filename: playerUrl, minThreads: jobs, maxThreads: jobs });
  try {
    const plays: Play[][] = await Promise.all(
      bySize.map(({ file }) => pool.run({ ...asked, file } satisfies Task, { name: 'playGame' })),
    );
    return plays.flat();
  } finally {
    await pool.destroy();
  }
}

function gamesFolder(given: string | undefined): string {
  const asked = given ?? process.env['REENACT_GAMES'];
  const candidates = asked === undefined ? ['../shared/games', '../../shared/games'] : [asked];
  const folder = candidates.find((each) => existsSync(each));
  if (folder !== undefined) return folder;
  throw new UsageError(`There is no folder ${candidates.join(' or ')}: name one with --games, or play --samples only.`);
}

function gameFiles(folder: string | undefined): string[] {
  return [samplesFolder, ...(folder === undefined ? [] : [folder])].flatMap((each) =>
    readdirSync(each)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => `${each}/${name}`),
  );
}

function savedIn(file: string): Witness {
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
  try {
    return parseWitness(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} is no witness. ${(error as Error).message}`);
  }
}

function dialectOf(name: string): DialectName {
  if (isDialect(name)) return name;
  throw new UsageError(`There is no dialect "${name}".`);
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`${name} wants a whole number from 1 on, not "${text}".`);
}

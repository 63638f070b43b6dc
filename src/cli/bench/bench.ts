import { readFile } from 'node:fs/promises';
import {
  type BenchResult,
  benchCsv,
  benchSchema,
  benchText,
  compareResults,
  judge,
  bench as measure,
  needsComparison,
  widthMax,
} from '../../bench/index.ts';
import { withFrameRate } from '../../load/index.ts';
import { amount, printAnswer, StatusLine, type Terminal, wrapped } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { readGame, requireGame } from '../read-game.ts';
import { packageVersion } from '../version.ts';
import { writeText } from '../write-text.ts';
import type { BenchCommandOptions } from './command.ts';
import { requirementOf } from './requirement.ts';

export async function bench(paths: readonly string[], options: BenchCommandOptions, terminal: Terminal) {
  const { stderr } = terminal;
  // The baseline is read first, so that an invalid file is reported before the games are run.
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const requirements = options.require.map((text) => comparable(text, baseline !== undefined, paths.length));
  const { rate } = options;
  const contestants = [];
  for (const path of paths) {
    const file = await readGame(path, terminal, (document) =>
      rate === undefined ? document : withFrameRate(document, rate),
    );
    contestants.push({ file: file.name, game: requireGame(file, terminal) });
  }
  let isInterrupted = false;
  const stopListening = terminal.onInterrupt(() => {
    isInterrupted = true;
  });
  const status = new StatusLine(stderr);
  const progress = (what: string, share: number) => status.showProgress(`${Math.floor(share * 100)} % ${what}`, share);
  const { dialect, seed, bots, for: seconds, runs } = options;
  const { result, profiles } = await measure(contestants, {
    version: packageVersion(),
    dialect,
    seed,
    bots,
    seconds,
    runs,
    interrupted: () => isInterrupted,
    progress,
  });
  stopListening();
  status.clear();
  if (isInterrupted && result.games.length === 0) {
    stderr.write('interrupted: nothing was measured yet\n');
    return exitCodes.interrupted;
  }
  const comparisons = baseline && compareResults(result, baseline);
  if (options.save !== undefined) save(options.save, result);
  const profile = profiles[0];
  if (options.profile !== undefined && profile !== undefined) {
    writeText(options.profile, `${JSON.stringify(profile.speedscope(result.games[0]!.file))}\n`);
  }
  const whole =
    comparisons === undefined
      ? result
      : { ...result, comparisons: comparisons.map(({ then: _, ...comparison }) => comparison) };
  printAnswer(terminal, options.json, whole, () => benchText(result, comparisons));
  if (isInterrupted) {
    const done = result.games.flatMap(({ scales }) => scales.map((scale) => scale.runs.length));
    const count = done.reduce((sum, each) => sum + each, 0);
    stderr.write(`interrupted: ${count} of ${amount(paths.length * bots.length * runs, 'run')} measured\n`);
    return exitCodes.interrupted;
  }
  const { unmet, undecided } = judge(result, requirements, comparisons);
  for (const line of unmet) stderr.write(`${wrapped(`requirement: ${line}`, widthMax).join('\n')}\n`);
  for (const line of undecided) stderr.write(`${wrapped(`notice: ${line}`, widthMax).join('\n')}\n`);
  return isDeterministic(result) && unmet.length === 0 ? exitCodes.ok : exitCodes.errors;
}

function comparable(text: string, hasBaseline: boolean, games: number) {
  const requirement = requirementOf(text);
  const needed = needsComparison(requirement);
  if (needed === undefined || hasBaseline || (needed === 'ratio' && games > 1)) return requirement;
  const other = needed === 'ratio' ? ' or several games' : '';
  throw new Failure('bad-requirement', `"${requirement.text}" needs --baseline${other} to compare with.`);
}

/**
 * Repetitions of a run must have the same result. If they differ, this is a bug, so the command fails even if all
 * requirements are met.
 */
function isDeterministic({ games }: BenchResult) {
  return games.every(({ scales }) => scales.every(({ deterministic }) => deterministic));
}

function save(path: string, result: BenchResult) {
  writeText(path, path.endsWith('.csv') ? benchCsv(result) : `${JSON.stringify(result)}\n`);
}

async function readBaseline(path: string) {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Failure('unreadable-baseline', `${path}: ${(error as Error).message}`);
  }
  const { schema, games } = (value ?? {}) as { schema?: unknown; games?: unknown };
  if (schema !== benchSchema || !Array.isArray(games)) {
    throw new Failure(
      'unreadable-baseline',
      `${path} is not a baseline that this version can read: expected the schema ${benchSchema}. Save a new baseline with --save.`,
    );
  }
  return value as BenchResult;
}

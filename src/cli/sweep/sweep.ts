import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { defined } from '../../../engine/core/index.ts';
import { botIds, countBots, optionsOf } from '../../bots/index.ts';
import { bindExpression, GameSource } from '../../expression/index.ts';
import { loadFile, UnknownMemberError, withChanges } from '../../load/index.ts';
import { positionsIn } from '../../run/index.ts';
import { GameUnreadable, gameOf } from '../../scenario/index.ts';
import {
  changesOf,
  playsOf,
  ResultsFile,
  runSweep,
  type Setting,
  SweepError,
  type SweepIdentity,
  type SweepPlan,
  seedsOf,
  settingOf,
} from '../../sweep/index.ts';
import { amount, gameTitle, StatusLine, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { expressionFailure } from '../until.ts';
import { packageVersion } from '../version.ts';
import { writeText } from '../write-text.ts';
import type { SweepCommandOptions } from './command.ts';
import { checkOutputs, publishSweep } from './sweep-output.ts';

export async function sweep(path: string, options: SweepCommandOptions, terminal: Terminal): Promise<number> {
  try {
    return await sweepFile(path, options, terminal);
  } catch (error) {
    if (error instanceof SweepError) throw new Failure(error.code, error.message);
    if (error instanceof UnknownMemberError) throw new Failure('unknown-member', error.message);
    if (error instanceof GameUnreadable) throw new Failure('not-playable', error.message);
    throw expressionFailure(error);
  }
}

async function sweepFile(path: string, options: SweepCommandOptions, terminal: Terminal): Promise<number> {
  const { seeds, bots, tries, seconds, dialect, until, set, measure: measures, output, shard } = options;
  checkOutputs(output);
  const settings = set.map(settingOf);
  const wantedSeeds = seedsOf(seeds);
  const plays = playsOf(settings, wantedSeeds);
  const own = positionsIn(plays.length, shard).map((position) => plays[position]!);
  const { document, text, issues } = await loadFile(path, terminal);
  if (document === undefined) throw new Failure('unreadable-file', issues.list[0]?.message ?? `${path} is empty.`);
  const plan: SweepPlan = {
    game: path,
    dialect,
    bots,
    ...defined({ tries }),
    seconds,
    measures,
    ...defined({ until }),
  };
  const title = check(document, plan, settings);

  const identity: SweepIdentity = {
    version: packageVersion(),
    document: createHash('sha256').update(text).digest('hex'),
    plan,
    paths: settings.map((setting) => setting.path),
  };
  const file = openResults(options, identity);
  file.want({ settings, seeds: wantedSeeds, shard: shard ?? { index: 1, count: 1 } });
  const { stderr } = terminal;
  const known = own.filter((play) => file.results.has(ResultsFile.key(play))).length;
  if (known > 0)
    stderr.write(`notice: ${amount(known, 'run')} of ${own.length} already have results; repeat them with --fresh\n`);

  const status = new StatusLine(stderr);
  const enough = new AbortController();
  const stopListening = terminal.onInterrupt(() => enough.abort());
  const results = await runSweep({
    plan,
    settings,
    plays: own,
    workers: options.workers ?? availableParallelism(),
    file,
    onProgress: (done) =>
      status.showProgress(`${known + done} of ${own.length} runs`, done / Math.max(1, own.length - known)),
    signal: enough.signal,
  });
  stopListening();
  status.clear();
  await publishSweep({ plan, settings, results, title }, options, terminal);
  if (!enough.signal.aborted) return exitCodes.ok;
  stderr.write(
    `interrupted: ${results.length} of ${own.length} runs are done; run the same command again to continue\n`,
  );
  return exitCodes.interrupted;
}

/** Validates paths and expressions before anything runs. Returns the title of the game. */
function check(document: unknown, plan: SweepPlan, settings: readonly Setting[]): string | undefined {
  const point = settings.map(({ values }) => values[0]!);
  const game = gameOf(withChanges(document, changesOf(settings, point)), plan.game);
  const source = new GameSource(game, plan.dialect, { players: botIds(countBots(plan.bots)) });
  for (const text of [...plan.measures, ...(plan.until === undefined ? [] : [plan.until])])
    bindExpression(text, source);
  optionsOf(plan.bots, game, plan.dialect);
  return gameTitle(game.definition);
}

/** Without a path, each sweep, and each part of it, has its own file, named after its identity. */
function openResults(
  { results: path, fresh = false, shard }: SweepCommandOptions,
  identity: SweepIdentity,
): ResultsFile {
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
  const part = shard === undefined ? '' : `-${shard.index}-of-${shard.count}`;
  const where = path ?? join('.reenact', `sweep-${name}${part}.jsonl`);
  const folder = dirname(where);
  if (path === undefined && !existsSync(folder)) writeText(join(folder, '.gitignore'), '*\n');
  try {
    return ResultsFile.open(where, identity, fresh);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new Failure('cannot-write', `${where}: ${error.message}`);
  }
}

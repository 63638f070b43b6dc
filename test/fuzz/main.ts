/**
 * `npm run fuzz:long -- --mutants 10000 --seed S`: checks and plays changed definitions of the sample games, and of a
 * folder of other games if there is one. Prints one line: what was done, or which mutant failed, how, and the command
 * that reproduces it. Without `--mutants` it then simulates worlds of the whole server, as `npm run simulate` does, for
 * `--hours`. `--minutes` ends it earlier.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { commandLine } from '../../bench/command-line.ts';
import { lineOf, type Mutant, type MutantResult, playMutant } from './mutant.ts';

/** A mutant that takes longer hangs. Budgets bound the work, so even a loaded machine needs a small part of this. */
const hangMs = 180_000;
/** A mutant that needs more memory than this is taken to grow without bound. */
const memoryMaxMb = 1024;
const sharedGames = '../../shared/games';

async function fuzz(): Promise<void> {
  const { values, positionals } = commandLine({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      mutants: { type: 'string' },
      /** The number of the first mutant of each game. */
      number: { type: 'string', default: '0' },
      games: { type: 'string', default: sharedGames },
      hours: { type: 'string' },
      /** The run ends after this many minutes, and reports what it has done; a signal does the same. */
      minutes: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const { seed = '1', games: folder = sharedGames } = values;
  const first = Number(values.number);
  const isOne = positionals.length > 0 && values.mutants === undefined;
  const count = Number(values.mutants ?? (isOne ? 1 : 10_000));
  if (!(Number.isInteger(count) && count > 0 && Number.isInteger(first) && first >= 0)) {
    process.stderr.write('--mutants and --number are whole numbers, --mutants above 0.\n');
    process.exit(2);
  }
  const games = positionals.length > 0 ? positionals : [...gamesIn('scenarios/games'), ...gamesIn(folder)];
  if (!existsSync(folder) && positionals.length === 0) process.stderr.write(`No games in ${folder}: samples alone.\n`);

  const player = new MutantPlayer();
  const endings = new Map<string, number>();
  const faults = new Set<string>();
  let issues = 0;
  let ticks = 0;
  let failed = 0;
  let done = 0;
  let isOver = false;
  const endsAt = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      isOver = true;
    });
  }
  for (let i = 0; i < count && !isOver && !(performance.now() > endsAt); i++) {
    done++;
    const mutant = { seed, game: games[i % games.length]!, number: first + Math.floor(i / games.length) };
    const result = await player.play(mutant);
    endings.set(result.ending, (endings.get(result.ending) ?? 0) + 1);
    issues += result.issues;
    ticks += result.ticks;
    for (const code of result.faults) faults.add(code);
    if (isOne) process.stderr.write(`${JSON.stringify(result)}\n`);
    if (result.failure === undefined) continue;
    failed++;
    process.stdout.write(`${lineOf(mutant)}  # ${result.changes.join(', ')}: ${result.failure}\n`);
    if (!values.keep) process.exit(1);
  }
  const ends = [...endings].map(([ending, times]) => `${ending} ${times}`).join(', ');
  process.stdout.write(
    `${done} mutants of ${games.length} games, seed ${seed}, ${failed === 0 ? 'no failure' : `${failed} failures`}: ${ends}; ` +
      `${issues} issues, ${ticks} ticks, ${faults.size} kinds of faults\n`,
  );
  if (failed > 0) process.exit(1);
  if (values.mutants !== undefined && values.hours === undefined) process.exit(0);
  if (isOne || isOver) process.exit(0);
  const simulator = fileURLToPath(new URL('../simulation/main.js', import.meta.url));
  const { status } = spawnSync(process.execPath, [simulator, '--seed', seed, '--hours', values.hours ?? '10'], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}

function gamesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => join(folder, name));
}

/** Plays mutants in a separate thread, so that one that hangs or exhausts memory is noticed. */
class MutantPlayer {
  private worker: Worker | undefined;

  play(mutant: Mutant): Promise<MutantResult> {
    this.worker ??= new Worker(new URL(import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb },
    });
    const { worker } = this;
    return new Promise((resolve) => {
      const end = (result: MutantResult, isOver: boolean): void => {
        clearTimeout(timer);
        worker.off('message', answered).off('error', broke);
        if (isOver) {
          this.worker = undefined;
          void worker.terminate();
        }
        resolve(result);
      };
      const lost = (failure: string): void =>
        end({ changes: [], failure, ending: 'played', issues: 0, ticks: 0, faults: [] }, true);
      const timer = setTimeout(() => lost('it hangs'), hangMs);
      const answered = (result: MutantResult): void => end(result, false);
      const broke = (error: unknown): void => lost(String(error));
      worker.once('message', answered).once('error', broke);
      worker.postMessage(mutant);
    });
  }
}

if (isMainThread) await fuzz();
else
  parentPort!.on('message', (mutant: Mutant) => {
    parentPort!.postMessage(playMutant(mutant));
  });

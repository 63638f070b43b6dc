import {
  arrangeJournal,
  type DialectName,
  definitionHash,
  type Journal,
  type JournalRecord,
  type LoadedGame,
  Replay,
  Simulation,
} from '../../engine/index.ts';
import { Bots } from '../bots/index.ts';
import { type FirstDivergence, findFirstDivergence } from '../journal/index.ts';
import { play } from '../run/index.ts';
import { amount, shortened } from '../text/index.ts';

interface PlayOptions {
  readonly dialect: DialectName;
  readonly bots: number;
  readonly seconds: number;
}

/** The result of `--play`. */
interface PlayDiff extends Pick<PlayOptions, 'bots' | 'seconds'> {
  /** The result for each seed. */
  readonly plays: readonly PlayedDifference[];
}

const valueMax = 40;

/**
 * The first difference between two games with the same seed and inputs. The inputs are those of bots that play the
 * first game.
 */
interface PlayedDifference {
  readonly seed: string;
  readonly ticks: number;
  readonly ticksPerSecond: number;
  readonly parted: FirstDivergence | null;
}

/**
 * Finds the first difference. `ignored` are prefixes of paths that may differ, such as those of variables that only one
 * game has.
 */
export async function playedDifference(
  before: LoadedGame,
  after: LoadedGame,
  seed: string,
  { dialect, bots: count, seconds }: PlayOptions,
  ignored: readonly string[],
): Promise<PlayedDifference> {
  const sim = new Simulation(before, { seed, dialect });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((record) => records.push(record), { snapshotTicks: 0 });
  await play(sim, { ticks: Math.round(seconds * sim.rate), bots: new Bots(sim, { count, seed }) });
  recorder.end();
  const journal = arrangeJournal(records)!;
  const parted = findFirstDivergence(sideOf(before, journal), sideOf(after, journal), ignored);
  return { seed, ticks: journal.lastTick, ticksPerSecond: sim.rate, parted: parted ?? null };
}

/**
 * A replay of the same inputs in another game. Hashes and snapshots are left out, because they belong to the first
 * game.
 */
function sideOf(loaded: LoadedGame, recorded: Journal) {
  const head = { ...recorded.head, definitionHash: definitionHash(loaded.definition) };
  const journal: Journal = { ...recorded, head, hashes: new Map(), snapshots: [] };
  return { loaded, journal, replay: new Replay(loaded, journal) };
}

/** Lines about the first difference between the games, over all seeds. */
export function playLines({ bots, seconds, plays }: PlayDiff): string[] {
  const what = `${amount(plays.length, 'play')} of ${seconds} s with ${amount(bots, 'bot')}`;
  const parted = plays.flatMap(({ parted: first, ...each }) => (first === null ? [] : [{ ...each, ...first }]));
  const [first] = parted.sort((a, b) => a.tick - b.tick);
  if (first === undefined) return [`plays the same: ${what}`];
  const { seed, ticksPerSecond, tick, field } = first;
  const time = `tick ${tick} (${Number((tick / ticksPerSecond).toFixed(2))} s)`;
  const [old, now] = [field?.left ?? '', field?.right ?? ''].map((value) => shortened(value, valueMax));
  return [
    `plays differently from ${time} with seed ${seed}${field === undefined ? '' : `: ${field.path}  ${old} → ${now}`}`,
    `  in ${parted.length} of ${what}, with the same inputs`,
  ];
}

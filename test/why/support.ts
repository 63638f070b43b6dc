import { arrangeJournal, type Journal, type JournalRecord, type LoadedGame, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import type { Answer, Cause, Write } from '../../src/why/answer.ts';

/** A recorded play of a game with bots. */
export function recorded(game: LoadedGame, ticks: number, bots = 4, snapshotTicks = 100): Journal {
  const sim = new Simulation(game, { seed: 'w' });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each), { snapshotTicks });
  const players = new Bots(sim, { count: bots, seed: 'w' });
  while (sim.tick < ticks && !sim.ended) {
    players.beforeStep();
    sim.step();
  }
  recorder.end();
  return arrangeJournal(records)!;
}

/** A second of a game with these players. */
export function recordedWith(game: LoadedGame, players: readonly { clientId: string; name: string }[]): Journal {
  const sim = new Simulation(game, { seed: 'w' });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each));
  for (const each of players) sim.join(each);
  sim.run({ seconds: 1 });
  recorder.end();
  return arrangeJournal(records)!;
}

export function writeOf({ write, question }: Answer): Write {
  if (write === undefined) throw new Error(`${question} has no write`);
  return write;
}

export const kindsOf = ({ causes }: Write): Cause['kind'][] => causes.map(({ kind }) => kind);

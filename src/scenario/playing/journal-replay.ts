import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../../../engine/core/index.ts';
import {
  type Journal,
  type LoadedGame,
  Replay,
  ReplayError,
  type Simulation,
  SnapshotError,
} from '../../../engine/index.ts';
import { inputUnchecked } from '../../../engine/tools.ts';
import { readJournal } from '../../journal/index.ts';
import { ScenarioError } from '../telling/failure.ts';
import type { RunningCase } from './running-case.ts';

/**
 * The initial state of a scenario: a snapshot file, or the end of a journal. Throws `ScenarioError` if the file cannot
 * be used.
 */
export function snapshotOf(game: LoadedGame, folder: string, file: string): Uint8Array {
  const path = resolve(folder, file);
  const journal = readable(path, () => readJournal(path));
  if (journal === undefined) return readable(path, () => new Uint8Array(readFileSync(path)));
  try {
    return endOf(game, journal.journal).snapshot();
  } catch (error) {
    if (error instanceof ReplayError || error instanceof SnapshotError)
      throw new ScenarioError(`${file}: ${error.message}`);
    throw error;
  }
}

/** Replays a journal to its end and returns the simulation. Throws `ReplayError` for a journal of another game. */
export function endOf(game: LoadedGame, journal: Journal): Simulation {
  const replay = new Replay(game, journal);
  while (!replay.isAtEnd) replay.step();
  return replay.sim;
}

/**
 * Replays a journal in a scenario, tick by tick. The scenario can refer to the recorded players by name, or by client
 * id if they have no name. Throws `ScenarioError` if the file cannot be used.
 */
export function replayInto(running: RunningCase, folder: string, file: string) {
  const path = resolve(folder, file);
  const read = readable(path, () => readJournal(path));
  if (read === undefined)
    throw new ScenarioError(`${file} is not a journal; create one with \`reenact run --record\`.`);
  const { journal } = read;
  const { sim } = running;
  // Inputs are recorded per tick.
  if (journal.head.rate !== sim.rate)
    throw new ScenarioError(
      `${file} was recorded at ${journal.head.rate} ticks per second, but this game runs at ${sim.rate}.`,
    );
  for (let tick = journal.head.tick + 1; tick <= journal.lastTick; tick++) {
    for (const input of journal.inputs.get(tick) ?? []) {
      if (input.kind === 'join' && input.clientId !== undefined) {
        running.addPlayer(input.name ?? input.clientId, sim.player(input.clientId));
      }
      inputUnchecked(sim, input);
    }
    running.step();
  }
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ScenarioError(`${path} cannot be read: ${messageOf(error)}`);
  }
}

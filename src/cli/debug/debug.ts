import { arrangeJournal, type JournalRecord, Simulation } from '../../../engine/index.ts';
import { Bots } from '../../bots/index.ts';
import { debug as debugPlay } from '../../journal/index.ts';
import { play } from '../../run/index.ts';
import { type Terminal, ticksOf } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { wantsColor } from '../issues/pretty.ts';
import { readGame, requireGame } from '../read-game.ts';
import { journalIn, type ReadJournal, requireJournal } from '../read-journal.ts';
import type { DebugOptions } from './command.ts';

/** Opens the debugger for a recording, or for a game, which bots play first. */
export async function debug(path: string, options: DebugOptions, terminal: Terminal) {
  if (path === '-')
    throw new Failure('bad-option', 'Give the path of a file, because standard input is for debugger commands.');
  const { loaded, journal } = await playOf(path, options, terminal);
  const { stdin: input, stdout } = terminal;
  await debugPlay(loaded, journal, {
    input,
    write: (text) => stdout.write(text),
    ...(stdout.isTTY === true && { screen: stdout, isColored: wantsColor(terminal) }),
  });
  return exitCodes.ok;
}

/**
 * A recording, or a new play of a game by bots. A file that is no recording is loaded as a game, which reports why the
 * file cannot be read.
 */
export async function playOf(path: string, options: DebugOptions, terminal: Terminal): Promise<ReadJournal> {
  return journalIn(path) ? requireJournal(path, options.game, terminal) : played(path, options, terminal);
}

async function played(
  path: string,
  { for: length, bots: count, seed, dialect }: DebugOptions,
  terminal: Terminal,
): Promise<ReadJournal> {
  const file = await readGame(path, terminal);
  const loaded = requireGame(file, terminal);
  const sim = new Simulation(loaded, { seed, dialect });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((record) => records.push(record), { source: path });
  await play(sim, { ticks: ticksOf(length, sim.rate), bots: new Bots(sim, { count, seed }) });
  recorder.end();
  return { loaded, journal: arrangeJournal(records)!, text: file.text, gameFile: path };
}

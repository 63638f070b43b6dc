import { basename, dirname, join, resolve } from 'node:path';
import { engineVersion } from '../../engine/core/index.ts';
import { definitionHash, type Journal, type LoadedGame } from '../../engine/index.ts';
import { readJournal } from '../journal/index.ts';
import { errorCode, fileErrorMessage, packGame } from '../load/index.ts';
import { type Duration, readDuration, type Terminal } from '../text/index.ts';
import { Failure } from './failure.ts';
import { readGame, requireGame, unreadable } from './read-game.ts';

export interface ReadJournal {
  readonly journal: Journal;
  readonly loaded: LoadedGame;
  /** The text of the game's document. */
  readonly text: string;
  readonly gameFile: string;
}

type FoundGame = { readonly gameFile: string; readonly file: Awaited<ReturnType<typeof readGame>> };

/**
 * Reads a journal and its game. If `game` is not given, the game is the file that the journal names, relative to the
 * current folder or to that of the journal, or a file with the same name in the folder of the journal. Throws `Failure`
 * if the journal or the game cannot be used.
 */
export async function requireJournal(path: string, game: string | undefined, terminal: Terminal): Promise<ReadJournal> {
  const read = journalOf(path);
  if (read === undefined) throw new Failure('no-journal', `${path} is not a journal that this version can read.`);
  const { journal, lostBytes } = read;
  if (lostBytes > 0 || !journal.isComplete) {
    const why = lostBytes > 0 ? 'is truncated' : 'has no end, because the play is still running or was stopped';
    terminal.stderr.write(`notice: ${path} ${why}: it can be replayed up to tick ${journal.lastTick}.\n`);
  }
  const { version } = journal.head;
  if (version !== engineVersion) {
    terminal.stderr.write(`notice: ${path} was recorded by version ${version}; this is version ${engineVersion}.\n`);
  }
  const source = game ?? journal.head.source;
  if (source === undefined || source === '-') {
    throw new Failure('no-game', `${path} does not name the file of its game. Give the file with --game <file>.`);
  }
  const folder = dirname(path);
  const files = game === undefined ? [source, resolve(folder, source), join(folder, basename(source))] : [game];
  const { file, gameFile } = await gameAmong(files, journal, terminal);
  if (game === undefined && file.game === undefined) {
    terminal.stderr.write(
      `notice: ${path} was recorded with the game ${source}. If the file has moved, give its path with --game <file>.\n`,
    );
  }
  const loaded = requireGame(file, terminal);
  return { journal, loaded, text: packGame(file.text, loaded.definition.host), gameFile };
}

/** The first file that contains the recorded game; otherwise the first one that exists. */
async function gameAmong(files: readonly string[], { head }: Journal, terminal: Terminal): Promise<FoundGame> {
  const found: FoundGame[] = [];
  for (const gameFile of new Set(files)) {
    const file = await readGame(gameFile, terminal);
    if (file.game !== undefined && definitionHash(file.game.definition) === head.definitionHash)
      return { gameFile, file };
    found.push({ gameFile, file });
  }
  return found.find(({ file }) => unreadable(file.issues) === undefined) ?? found[0]!;
}

/** Parses the time that an option gives. Throws `Failure` for anything else. */
export function timeOf(option: string, text: string): Duration {
  const duration = readDuration(text);
  if (duration !== undefined) return duration;
  throw new Failure(
    'bad-moment',
    `${option} ${text} is not a time. Expected a time such as 12 s, 1.5 min or 240 ticks.`,
  );
}

/** The journal in a file; undefined if the file is not a journal or cannot be read. */
export function journalIn(path: string): ReturnType<typeof readJournal> {
  try {
    return readJournal(path);
  } catch {
    return undefined;
  }
}

function journalOf(path: string) {
  try {
    return readJournal(path);
  } catch (error) {
    throw new Failure('unreadable-file', fileErrorMessage(path, errorCode(error)));
  }
}

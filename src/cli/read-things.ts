import type { LoadedGame } from '../../engine/index.ts';
import { type Thing, thingsOf } from '../review/index.ts';
import { gameTitle, type Terminal } from '../text/index.ts';
import { readGame, requireGame } from './read-game.ts';

interface ReadThings {
  /** The title of the game, or the name of its file. */
  readonly title: string;
  /** The text of the file. */
  readonly text: string;
  readonly game: LoadedGame;
  readonly things: readonly Thing[];
}

/** Reads a game and splits it into things, for commands that show it. */
export async function readThings(path: string, terminal: Terminal): Promise<ReadThings> {
  const file = await readGame(path, terminal);
  const game = requireGame(file, terminal, true);
  const { name, text } = file;
  return { title: gameTitle(game.definition) ?? name, text, game, things: thingsOf(JSON.parse(text), game) };
}

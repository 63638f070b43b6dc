import type { LoadedGame } from '../../engine/index.ts';
import { type GameParts, partsOf } from '../review/index.ts';
import type { Terminal } from '../text/index.ts';
import { readGame, requireGame } from './read-game.ts';

interface ReadParts {
  readonly name: string;
  readonly game: LoadedGame;
  readonly parts: GameParts;
}

/** Reads a game to show it. */
export async function readParts(path: string, terminal: Terminal): Promise<ReadParts> {
  let document: unknown;
  const file = await readGame(path, terminal, (read) => {
    document = read;
    return read;
  });
  const game = requireGame(file, terminal, true);
  return { name: file.name, game, parts: partsOf(document, game) };
}

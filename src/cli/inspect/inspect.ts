import { inspectGame, inspectionText } from '../../inspect/index.ts';
import { printAnswer, type Terminal, widthOf } from '../../text/index.ts';
import { exitCodes } from '../failure.ts';
import { readGame, requireGame } from '../read-game.ts';
import type { InspectOptions } from './command.ts';

export async function inspect(
  path: string,
  { dialect, json = false }: InspectOptions,
  terminal: Terminal,
): Promise<number> {
  const inspection = inspectGame(requireGame(await readGame(path, terminal), terminal), dialect);
  printAnswer(terminal, json, inspection, () => inspectionText(inspection, widthOf(terminal.stdout)));
  return exitCodes.ok;
}

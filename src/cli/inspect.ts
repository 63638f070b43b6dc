import type { DialectName } from '../../engine/index.ts';
import { inspectGame } from '../inspect/inspection.ts';
import { inspectionText } from '../inspect/inspection-text.ts';
import { type Terminal, widthOf } from '../text/terminal.ts';
import { exitCodes } from './failure.ts';
import { readGame, requireGame } from './read-game.ts';

export interface InspectOptions {
  readonly dialect: DialectName;
  readonly json?: boolean;
}

export async function inspect(
  path: string,
  { dialect, json = false }: InspectOptions,
  terminal: Terminal,
): Promise<number> {
  const { stdout } = terminal;
  const inspection = inspectGame(requireGame(await readGame(path, terminal), terminal), dialect);
  stdout.write(json ? `${JSON.stringify(inspection, null, 2)}\n` : inspectionText(inspection, widthOf(stdout)));
  return exitCodes.ok;
}

import { graphOf, graphSvg } from '../../graph/index.ts';
import { printAnswer, type Terminal } from '../../text/index.ts';
import { exitCodes } from '../failure.ts';
import { readGame, requireGame } from '../read-game.ts';
import { pageFile, publishPage } from '../view/view.ts';
import type { GraphOptions } from './command.ts';

/** Draws the states, scripts and variables of a game, and prints the path of the picture. */
export async function graph(
  path: string,
  { svg, open, json = false }: GraphOptions,
  terminal: Terminal,
): Promise<number> {
  const drawn = graphOf(requireGame(await readGame(path, terminal), terminal));
  if (json) printAnswer(terminal, json, drawn, () => '');
  else await publishPage(pageFile(svg, path, 'svg'), graphSvg(drawn), open, terminal);
  return exitCodes.ok;
}

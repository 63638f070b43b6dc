import { drawn, graphOf, partOf } from '../../graph/index.ts';
import { printAnswer, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { readGame, requireGame } from '../read-game.ts';
import { pageFile, publishPage } from '../view/view.ts';
import type { GraphOptions } from './command.ts';

/** Draws the states and scripts of a game, and prints the path of the picture. */
export async function graph(
  path: string,
  name: string | undefined,
  { scripts = false, output, open, json = false }: GraphOptions,
  terminal: Terminal,
) {
  const all = graphOf(requireGame(await readGame(path, terminal), terminal));
  const part = name === undefined ? all : partOf(all, name);
  if (name !== undefined && part.switches.length + part.scripts.length === 0)
    throw new Failure('unknown-script', `No variable with states and no script has the key or name "${name}".`);
  if (json) {
    printAnswer(terminal, json, part, () => '');
    return exitCodes.ok;
  }
  const isWhole = scripts || name !== undefined || part.switches.length === 0;
  const picture = await drawn(isWhole ? part : { ...part, scripts: [] }, output?.endsWith('.dot') ? 'dot' : 'svg');
  await publishPage(pageFile(output, path, 'svg'), picture, open, terminal);
  return exitCodes.ok;
}

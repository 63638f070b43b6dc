import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Lines } from '../../../engine/core/index.ts';
import { amount, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { joinGame, rootFile, splitGame } from '../join/game-parts.ts';
import { readParts } from '../join/join.ts';
import { readGame, requireGame } from '../read-game.ts';
import { replaceText } from '../write-text.ts';

export async function split(path: string, folder: string, _options: object, terminal: Terminal) {
  const file = await readGame(path, terminal);
  requireGame(file, terminal, true);
  const { text } = file;
  const files = splitGame(text);
  const before = readParts(folder);
  if (before.size > 0 && !before.has(rootFile))
    throw new Failure('already-there', `${folder} contains JSON files that reenact split did not write.`);
  for (const [name, content] of files) if (before.get(name) !== content) replaceText(join(folder, name), content);
  for (const name of before.keys()) if (!files.has(name)) rmSync(join(folder, name));
  terminal.stdout.write(`${amount(files.size, 'file')} in ${folder}\n`);
  const joined = joinGame(files);
  if (joined !== text) {
    let at = 0;
    while (joined[at] === text[at]) at++;
    const { line, column } = new Lines(text).at(at);
    const from = `${path}:${line}:${column}`;
    terminal.stderr.write(`From ${from} on, reenact join will write the same content in a different format.\n`);
  }
  return exitCodes.ok;
}

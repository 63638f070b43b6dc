import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import type { Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { replaceText } from '../write-text.ts';
import type { JoinOptions } from './command.ts';
import { type GameParts, joinGame, rootFile } from './game-parts.ts';

export function join(folder: string, { output }: JoinOptions, { stdout }: Terminal) {
  const parts = readParts(folder);
  if (!parts.has(rootFile))
    throw new Failure('unreadable-file', `${folder} is not a folder of a split game: it contains no ${rootFile}.`);
  const text = joinGame(parts);
  if (output === undefined) stdout.write(text);
  else replaceText(output, text);
  return exitCodes.ok;
}

/** The JSON files in a folder and below it, by path. */
export function readParts(folder: string): GameParts {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return new Map(names.map((name) => [name.replaceAll('\\', '/'), readFileSync(pathOf(folder, name), 'utf8')]));
}

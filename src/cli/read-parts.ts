import { joinIssues } from '../../engine/core/index.ts';
import { type LoadedGame, loadDefinition } from '../../engine/index.ts';
import { loadFile } from '../load/index.ts';
import { type GameParts, partsOf } from '../review/index.ts';
import type { Terminal } from '../text/index.ts';
import { exitCodes, Failure } from './failure.ts';
import { prettyIssues, wantsColor } from './issues/pretty.ts';

interface ReadParts {
  readonly name: string;
  readonly text: string;
  readonly game: LoadedGame;
  readonly parts: GameParts;
}

/** Reads a game to show it. A file that is not a game is an error of usage: there is nothing to show. */
export async function readParts(path: string, terminal: Terminal): Promise<ReadParts> {
  const { name, text, document, issues } = await loadFile(path, terminal);
  const loaded = document === undefined ? undefined : loadDefinition(document);
  if (loaded?.game !== undefined) return { name, text, game: loaded.game, parts: partsOf(document, loaded.game) };
  const all = joinIssues(issues.list, loaded?.issues ?? []);
  const unreadable = all.find(({ code }) => code === 'unreadable-file');
  if (unreadable !== undefined) throw new Failure('unreadable-file', unreadable.message);
  const { stderr, env } = terminal;
  stderr.write(prettyIssues([{ file: name, text, issues: all }], wantsColor(stderr, env)));
  throw new Failure('not-playable', `${name} is not a game definition that can be read.`, exitCodes.usage);
}

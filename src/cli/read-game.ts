import { type Issue, type LoadedGame, loadDefinition } from '../../engine/index.ts';
import { loadFile } from '../load/load-file.ts';
import type { Terminal } from '../text/terminal.ts';
import { exitCodes, Failure } from './failure.ts';
import { formatIssues, wantsColor } from './format-issues.ts';

export interface ReadGame {
  /** The path as given, or `<stdin>`. */
  readonly name: string;
  /** What was parsed; `''` when nothing could be read. */
  readonly text: string;
  /** Undefined when there is nothing to play; `issues` say why. */
  readonly game: LoadedGame | undefined;
  /** What is wrong with the document and with the definition's data, not with its scripts. Some of it is looked for when this is read. */
  readonly issues: readonly Issue[];
  readonly readMs: number;
  readonly parseMs: number;
  readonly loadMs: number;
}

/** A source as a game. Never throws for what is wrong with the source. */
export async function readGame(path: string, terminal: Terminal): Promise<ReadGame> {
  const { name, text, document, issues, readMs, parseMs } = await loadFile(path, { stdin: terminal.stdin });
  const start = performance.now();
  const loaded = document === undefined ? undefined : loadDefinition(document);
  return {
    name,
    text,
    game: loaded?.game,
    get issues() {
      return [...issues.list, ...(loaded?.issues ?? [])];
    },
    readMs,
    parseMs,
    loadMs: performance.now() - start,
  };
}

export function unreadable(issues: readonly Issue[]): Issue | undefined {
  return issues.find((issue) => issue.code === 'unreadable-file');
}

/** The game, for commands that can do nothing without; otherwise a `Failure`, after saying what is wrong with the definition. */
export function needGame(file: ReadGame, { stderr, env }: Terminal): LoadedGame {
  const { name, text, game } = file;
  if (game !== undefined) return game;
  const { issues } = file;
  const missing = unreadable(issues);
  if (missing !== undefined) throw new Failure(missing.code, missing.message);
  stderr.write(formatIssues([{ file: name, text, issues }], 'pretty', { color: wantsColor(stderr, env) }));
  throw new Failure('not-playable', `${name} holds no game definition.`, exitCodes.errors);
}

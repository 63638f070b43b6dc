import { joinIssues } from '../../engine/core/index.ts';
import { type HostWords, type Issue, type LoadedGame, loadDefinition } from '../../engine/index.ts';
import { type Change, literalOf, loadFile, stdinSource, withChanges } from '../load/index.ts';
import type { Terminal } from '../text/index.ts';
import { exitCodes, Failure } from './failure.ts';
import { nearestConfig } from './issues/config-file.ts';
import { prettyIssues, wantsColor } from './issues/pretty.ts';

interface ReadGame {
  /** The path as given, or `<stdin>`. */
  readonly name: string;
  /** The text that was parsed; `''` if nothing could be read. */
  readonly text: string;
  /** The loaded game; undefined if it cannot be run, for the reasons in `issues`. */
  readonly game: LoadedGame | undefined;
  /**
   * The issues of the document and of the definition's data, without those of its scripts. Some are computed on access.
   */
  readonly issues: readonly Issue[];
  readonly readMs: number;
  readonly parseMs: number;
  readonly loadMs: number;
}

/** Loads a game after applying `change` to its document. Never throws because of the content of the file. */
export async function readGame(
  path: string,
  terminal: Terminal,
  change: (document: unknown) => unknown = (document) => document,
): Promise<ReadGame> {
  const { name, text, document, issues, readMs, parseMs } = await loadFile(path, terminal);
  const start = performance.now();
  const loaded = document === undefined ? undefined : loadDefinition(change(document), await hostWords(path, terminal));
  return {
    name,
    text,
    game: loaded?.game,
    get issues() {
      return joinIssues(issues.list, loaded?.issues ?? []);
    },
    readMs,
    parseMs,
    loadMs: performance.now() - start,
  };
}

/**
 * The operations and triggers that the host of a game's project adds, if any. The code that checks configurations is
 * loaded only for games with a host, because loading it takes as long as loading a small game.
 */
export async function hostWords(path: string, terminal: Terminal): Promise<HostWords | undefined> {
  const config = path === stdinSource ? undefined : (nearestConfig(path)?.value as { host?: unknown } | null);
  if (config?.host === undefined) return undefined;
  const { hostWordsOf } = await import('./host-words.ts');
  return hostWordsOf(path, terminal);
}

export function unreadable(issues: readonly Issue[]): Issue | undefined {
  return issues.find((issue) => issue.code === 'unreadable-file');
}

/**
 * The game, for commands that need one. If it cannot be run, prints the issues of the definition and throws `Failure`.
 * `isShown`: the command only shows the game, so a file that is not a game counts as invalid usage.
 */
export function requireGame(file: ReadGame, terminal: Terminal, isShown = false): LoadedGame {
  const { name, text, game } = file;
  if (game !== undefined) return game;
  const { stderr } = terminal;
  const { issues } = file;
  const missing = unreadable(issues);
  if (missing !== undefined) throw new Failure('unreadable-file', missing.message);
  stderr.write(prettyIssues([{ file: name, text, issues }], wantsColor(terminal, stderr)));
  throw new Failure(
    'not-playable',
    `${name} is not a game definition that can be ${isShown ? 'read' : 'run'}.`,
    isShown ? exitCodes.usage : exitCodes.errors,
  );
}

/**
 * Returns a function that applies the changes of a command line, each `path=value`, to a document. It throws `Failure`
 * for a change that the document does not allow.
 */
export function changesOf(texts: readonly string[]): (document: unknown) => unknown {
  const changes = texts.map(changeOf);
  return (document) => withChanges(document, changes);
}

/**
 * Parses a change such as `unitTypes.zombie.attributes.speed.value=9`. The value is JSON if it parses, otherwise a
 * string. Throws `Failure` without a `=`.
 */
function changeOf(text: string): Change {
  const at = text.indexOf('=');
  if (at < 1) throw new Failure('bad-setting', `"${text}" does not have the form path=value.`);
  return { path: text.slice(0, at), value: literalOf(text.slice(at + 1)) };
}

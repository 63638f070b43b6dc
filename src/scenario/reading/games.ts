import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { cached, isRecord, messageOf, UserError } from '../../../engine/core/index.ts';
import { type HostWords, type LoadedGame, loadDefinition } from '../../../engine/index.ts';
import { programsOfGame } from '../../../engine/tools.ts';
import { packGame } from '../../load/index.ts';
import { closestWord } from '../../text/index.ts';
import { mergedWith } from './cases.ts';

/** A definition that cannot be loaded. */
export class GameUnreadable extends UserError {
  readonly code = 'not-playable';
}

/** A game, given by the path of its file. */
interface NamedGame {
  /** The path of the definition. */
  readonly game: string;
  /** Overrides for the data of the definition. */
  readonly definition?: Readonly<Record<string, unknown>> | undefined;
  /** The operations and triggers that the host of the game adds. They are always the same for a path. */
  readonly host?: HostWords | undefined;
}

/** The games of a test run: each file is read once, and each set of overrides is loaded and compiled once. */
export class Games {
  private readonly documents = new Map<string, unknown>();
  private readonly games = new Map<string, LoadedGame>();
  private readonly texts = new Map<string, string>();

  document(path: string): unknown {
    return cached(this.documents, path, () => read(path));
  }

  /** The packed game. It is cached, because all recordings of the game contain it. */
  packed(named: NamedGame): string {
    const key = keyOf(named);
    return cached(this.texts, key, () => packGame(JSON.stringify(this.definition(named)), named.host));
  }

  /** The document with the overrides of a scenario applied. */
  definition({ game, definition }: NamedGame): unknown {
    return withOverrides(this.document(game), definition);
  }

  game(named: NamedGame): LoadedGame {
    const key = keyOf(named);
    return cached(this.games, key, () => gameOf(this.definition(named), named.game, named.host));
  }

  /** Replaces the content of a file for everything loaded after this call. */
  replace(path: string, document: unknown) {
    this.games.clear();
    this.texts.clear();
    this.documents.set(path, document);
  }
}

function keyOf({ game, definition }: NamedGame) {
  return `${game}\n${definition === undefined ? '' : JSON.stringify(definition)}`;
}

/** Loads a game whose conditions report to an observer when they are false. Throws `GameUnreadable`. */
export function gameOf(document: unknown, name: string, words?: HostWords): LoadedGame {
  const loaded = loadDefinition(document, words);
  if (loaded.game !== undefined) return programsOfGame(loaded.game).watched('conditions');
  throw new GameUnreadable(`${name} is not a game definition: ${loaded.issues[0]?.message ?? 'it is empty'}`);
}

function read(path: string): unknown {
  try {
    const bytes = readFileSync(path);
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return JSON.parse((isGzip ? gunzipSync(new Uint8Array(bytes)) : bytes).toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new GameUnreadable(`File ${path} not found.${meant(path)}`);
    throw new GameUnreadable(`${path} cannot be read: ${messageOf(error)}`);
  }
}

/**
 * Suggests a file in the same folder as a missing one. Extensions are ignored, because they would make all names
 * similar.
 */
function meant(path: string) {
  const folder = dirname(path);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => ending.test(name)) : [];
  const names = new Map(files.map((file) => [file.replace(ending, ''), file]));
  const found = closestWord(basename(path).replace(ending, ''), names.keys());
  return found === undefined ? '' : ` Did you mean ${join(folder, names.get(found)!)}?`;
}

const ending = /\.json(?:\.gz)?$/;

/** Applies overrides to the data of a definition, which may be at the top, in `data` or in `gameJson.data`. */
export function withOverrides(document: unknown, overrides: Readonly<Record<string, unknown>> | undefined): unknown {
  if (overrides === undefined || !isRecord(document)) return document;
  const { gameJson, data } = document;
  if (isRecord(gameJson))
    return { ...document, gameJson: { ...gameJson, data: mergedWith(gameJson['data'] ?? {}, overrides) } };
  if (isRecord(data)) return { ...document, data: mergedWith(data, overrides) };
  return mergedWith(document, overrides);
}

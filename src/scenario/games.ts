import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type LoadedGame, loadDefinition } from '../../engine/index.ts';
import { insideOfGame } from '../../engine/internal.ts';
import { closestWord } from '../text/near.ts';
import { overlaid } from './cases.ts';
import { isRecord } from './is-record.ts';

/** A definition that cannot be played. */
export class GameUnreadable extends Error {}

/** The games of a run: every file is read once, every set of overrides loaded and compiled once. */
export class Games {
  private readonly documents = new Map<string, unknown>();
  private readonly games = new Map<string, LoadedGame>();
  private readonly texts = new Map<string, string>();

  document(path: string): unknown {
    let document = this.documents.get(path);
    if (document === undefined) {
      document = read(path);
      this.documents.set(path, document);
    }
    return document;
  }

  /** The same as text, which all recordings of a game share. */
  definitionText(path: string, overrides: Readonly<Record<string, unknown>> | undefined): string {
    const key = keyOf(path, overrides);
    let text = this.texts.get(key);
    if (text === undefined) {
      text = JSON.stringify(this.definition(path, overrides));
      this.texts.set(key, text);
    }
    return text;
  }

  /** The document with what a scenario has otherwise. */
  definition(path: string, overrides: Readonly<Record<string, unknown>> | undefined): unknown {
    const document = this.document(path);
    return overrides === undefined ? document : withOverrides(document, overrides);
  }

  game(path: string, overrides: Readonly<Record<string, unknown>> | undefined): LoadedGame {
    const key = keyOf(path, overrides);
    let game = this.games.get(key);
    if (game === undefined) {
      game = gameOf(this.definition(path, overrides), path);
      this.games.set(key, game);
    }
    return game;
  }

  /** In place of the file, for all that is loaded from now on. */
  replace(path: string, document: unknown): void {
    this.games.clear();
    this.texts.clear();
    this.documents.set(path, document);
  }
}

function keyOf(path: string, overrides: Readonly<Record<string, unknown>> | undefined): string {
  return `${path}\n${overrides === undefined ? '' : JSON.stringify(overrides)}`;
}

/** A loaded game whose conditions report to a scene which of them was false. */
export function gameOf(document: unknown, name: string): LoadedGame {
  const loaded = loadDefinition(document);
  if (loaded.game !== undefined) return insideOfGame(loaded.game).watched('conditions');
  throw new GameUnreadable(`${name} holds no game definition: ${loaded.issues[0]?.message ?? 'nothing is there'}`);
}

function read(path: string): unknown {
  try {
    const bytes = readFileSync(path);
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return JSON.parse((isGzip ? gunzipSync(new Uint8Array(bytes)) : bytes).toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new GameUnreadable(`There is no ${path}.${meant(path)}`);
    throw new GameUnreadable(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A file beside the one that is not there. Their endings are alike anyway, so that names are compared without them. */
function meant(path: string): string {
  const folder = dirname(path);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => ending.test(name)) : [];
  const names = new Map(files.map((file) => [file.replace(ending, ''), file]));
  const found = closestWord(basename(path).replace(ending, ''), names.keys());
  return found === undefined ? '' : ` Did you mean ${join(folder, names.get(found)!)}?`;
}

const ending = /\.json(?:\.gz)?$/;

/** Overrides belong to the data of a definition, whichever envelope that comes in. */
export function withOverrides(document: unknown, overrides: Readonly<Record<string, unknown>>): unknown {
  if (!isRecord(document)) return document;
  const { gameJson, data } = document;
  if (isRecord(gameJson))
    return { ...document, gameJson: { ...gameJson, data: overlaid(gameJson['data'] ?? {}, overrides) } };
  if (isRecord(data)) return { ...document, data: overlaid(data, overrides) };
  return overlaid(document, overrides);
}

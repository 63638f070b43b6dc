import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Connection, ResponseError, type TextDocumentIdentifier, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { stackOf } from '../../engine/core/index.ts';
import type { DialectName } from '../../engine/index.ts';
import { Games, isScenarioFile } from '../scenario/index.ts';
import { GameFile, looksLikeGame } from './game-file.ts';
import { OpenGame } from './open-game.ts';

/** The files of an editor: those that are open in it, and the definitions that its scenarios use. */
export class Editor {
  readonly documents = new TextDocuments(TextDocument);
  dialect: DialectName = 'standard';
  isSnippet = false;
  /** Whether the editor trusts the project, so that its code may run. */
  isTrusted = false;
  commands: ReadonlySet<string> = new Set();
  private readonly games = new Map<string, OpenGame>();
  /** The definitions that scenarios use and that are not open in the editor, by path. */
  private readonly onDisk = new Map<string, { readonly stamp: string; readonly file: GameFile }>();

  constructor(readonly connection: Connection) {}

  /** The current version of an open definition; undefined for other documents. */
  gameOf(uri: string): OpenGame | undefined {
    const document = this.documents.get(uri);
    if (document === undefined || isScenarioFile(uri)) return undefined;
    let game = this.games.get(uri);
    if (game?.version !== document.version) {
      if (game === undefined && !looksLikeGame(document.getText())) return undefined;
      game = new OpenGame(document, this.dialect, game);
      this.games.set(uri, game);
    }
    return game;
  }

  /** Like `gameOf`, but undefined for a text that is refused, for example because it is too large. */
  acceptedGameOf(uri: string): OpenGame | undefined {
    const game = this.gameOf(uri);
    return game?.isRefused ? undefined : game;
  }

  forget(uri: string) {
    this.games.delete(uri);
  }

  /** The games that scenarios use. Those that are open are taken from the editor, not from disk. */
  openGames(): Games {
    const found = new Games();
    for (const uri of this.games.keys()) {
      const document = this.gameOf(uri)?.readable.document;
      if (document !== undefined) found.replace(pathOf(uri), document);
    }
    return found;
  }

  gameAt(path: string): GameFile | undefined {
    const open = this.gameOf(pathToFileURL(path).href)?.readable;
    if (open !== undefined) return open;
    const { mtimeMs, size } = statSync(path);
    const stamp = `${mtimeMs} ${size}`;
    let known = this.onDisk.get(path);
    if (known?.stamp !== stamp) {
      known = { stamp, file: new GameFile(readFileSync(path, 'utf8'), this.dialect) };
      this.onDisk.set(path, known);
    }
    return known.file;
  }

  /**
   * A function that does `work`. If it throws, the error is written to the log of the editor, and `otherwise` is
   * returned.
   */
  answer<Asked, Answer>(what: string, work: (asked: Asked) => Answer, otherwise: Answer): (asked: Asked) => Answer {
    return (asked) => {
      try {
        return work(asked);
      } catch (error) {
        if (error instanceof ResponseError) throw error;
        this.complain(what, error);
        return otherwise;
      }
    };
  }

  /** Like `answer`, for requests about an accepted definition. `otherwise` is the answer about other documents, too. */
  answerGame<Asked extends { readonly textDocument: TextDocumentIdentifier }, Answer>(
    what: string,
    work: (game: OpenGame, asked: Asked) => Answer,
    otherwise: Answer,
  ): (asked: Asked) => Answer {
    return this.answer(
      what,
      (asked) => {
        const game = this.acceptedGameOf(asked.textDocument.uri);
        return game === undefined ? otherwise : work(game, asked);
      },
      otherwise,
    );
  }

  complain(what: string, error: unknown) {
    this.connection.console.error(`${what}: ${stackOf(error)}`);
  }
}

export function pathOf(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
}

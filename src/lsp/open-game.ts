import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { DialectName, HostWords, Issue } from '../../engine/index.ts';
import type { LocatedIssue } from './diagnostics.ts';
import { GameFile, isRefused } from './game-file.ts';

/** One version of a definition that is open in the editor. It is parsed on demand. */
export class OpenGame {
  readonly version: number;
  /**
   * `issues` has all issues of this version, `placed` those that the editor shows. Both are empty until the version has
   * been checked.
   */
  issues: readonly Issue[] = [];
  placed: readonly LocatedIssue[] = [];
  /**
   * The operations and triggers that the project's host adds, as found by the last check. They are stored here, because
   * only the thread of a check may run code of the project.
   */
  private words: HostWords | undefined;
  private readonly earlier: GameFile | undefined;
  private own: GameFile | undefined;
  private refused: boolean | undefined;

  constructor(
    readonly document: TextDocument,
    private readonly dialect: DialectName,
    before: OpenGame | undefined,
  ) {
    this.version = document.version;
    this.words = before?.words;
    this.earlier = before?.own?.game === undefined ? before?.earlier : before.own;
  }

  learn(words: HostWords | undefined) {
    if (JSON.stringify(words) === JSON.stringify(this.words)) return;
    this.words = words;
    this.own = undefined;
  }

  get isRefused(): boolean {
    this.refused ??= isRefused(this.document.getText());
    return this.refused;
  }

  get file(): GameFile {
    this.own ??= new GameFile(this.document.getText(), this.dialect, this.earlier, undefined, undefined, this.words);
    return this.own;
  }

  /** The newest valid version that has already been parsed. Parses this version only if there is no other. */
  get known(): GameFile {
    return this.own?.game === undefined ? (this.earlier ?? this.file) : this.own;
  }

  /** This version if it is a valid definition, otherwise the last valid one. If no version was valid, this version. */
  get readable(): GameFile {
    return this.file.game === undefined ? (this.earlier ?? this.file) : this.file;
  }
}

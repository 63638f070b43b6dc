import { defaultJsonLimits, guardJson, type JsonLimits, joinIssues } from '../../engine/core/index.ts';
import { type DialectName, type HostWords, type Issue, type LoadedGame, loadDefinition } from '../../engine/index.ts';
import { keepScripts } from '../../engine/tools.ts';
import { checkGame, type Rules } from '../check/index.ts';
import { parseDocument, tooLargeMessage } from '../load/index.ts';
import { modelOf } from '../model/index.ts';
import { GameNames } from './game-names.ts';

/**
 * Matches names of sections that hardly occur in JSON documents other than games. `scripts` and `map` occur in others,
 * too.
 */
const looksLike =
  /"(?:gameJson|defaultData|(?:unit|item|projectile|player|attribute|buff|body|animation|particle)Types|entityTypeVariables|playerTypeVariables)"\s*:/;

/** Whether a JSON text looks like a game definition, even if it is broken. */
export function looksLikeGame(text: string): boolean {
  return looksLike.test(text) && !/"\$schema"\s*:\s*"https?:\/\/json-schema\.org/.test(text.slice(0, 1000));
}

/**
 * The limits for a document in an editor. A longer text would block the editor for seconds after each key press.
 * `reenact check` reads up to 64 MB.
 */
const editorLimits: JsonLimits = { ...defaultJsonLimits, bytesMax: 16 * 1024 * 1024 };

const tooLarge: Issue = {
  code: 'too-large',
  severity: 'info',
  pointer: '',
  message: `${tooLargeMessage(editorLimits.bytesMax)} The editor does not check the file; run \`reenact check\`.`,
};

/** Whether a text is too large or too deeply nested for any analysis, even by a parser that tolerates errors. */
export function isRefused(text: string): boolean {
  return guardJson(text, editorLimits).refusal !== undefined;
}

/** One version of a definition in an editor. It is parsed immediately; everything else is computed on demand. */
export class GameFile {
  readonly document: unknown;
  readonly game: LoadedGame | undefined;
  private readonly ofDocument: () => readonly Issue[];
  private found: readonly Issue[] | undefined;
  private named: GameNames | undefined;
  /** The names of an earlier version that has the same data outside of its scripts. */
  private readonly earlierNames: GameNames | undefined;

  /**
   * `earlier` is an earlier version of the definition. If the data outside of the scripts is the same, the results for
   * unchanged scripts are taken from it. `own`: the rules of the project. `words`: the operations and triggers that the
   * project's host adds.
   */
  constructor(
    readonly text: string,
    readonly dialect: DialectName,
    earlier?: GameFile,
    private readonly own?: Rules,
    limits = editorLimits,
    words?: HostWords,
  ) {
    const { document, issues } = parseDocument(text, limits);
    const loaded = document === undefined ? undefined : loadDefinition(document, words);
    this.document = document;
    this.game = loaded?.game;
    if (this.game !== undefined && earlier?.game !== undefined)
      if (keepScripts(this.game.definition, earlier.game.definition)) this.earlierNames = earlier.anyNames;
    this.ofDocument = () =>
      issues.list[0]?.code === 'too-large' ? [tooLarge] : joinIssues(issues.list, loaded?.issues ?? []);
  }

  /** The issues that `reenact check` reports. */
  get issues(): readonly Issue[] {
    this.found ??=
      this.game === undefined
        ? this.ofDocument()
        : joinIssues(this.ofDocument(), checkGame(this.game, this.dialect, this.own));
    return this.found;
  }

  /** All names in the definition; undefined if the text is not a valid definition. */
  get names(): GameNames | undefined {
    if (this.game !== undefined)
      this.named ??= new GameNames(modelOf(this.game.definition), this.document, this.dialect, this.anyNames);
    return this.named;
  }

  private get anyNames() {
    return this.named ?? this.earlierNames;
  }
}

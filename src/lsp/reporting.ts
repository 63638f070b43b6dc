import type { Issue } from '../../engine/index.ts';
import { isScenarioFile } from '../scenario/index.ts';
import type { CheckTask } from './check-thread.ts';
import { Checker } from './checker.ts';
import { placed } from './diagnostics.ts';
import { type Editor, pathOf } from './editor.ts';
import type { OpenGame } from './open-game.ts';
import { scenarioDiagnostics } from './scenario-file.ts';

/**
 * The delay in ms between the last key press and the check, so that fast typing does not start a check for each key.
 */
const quietMs = 10;

/**
 * The delay in ms between the check and the search for names. This work is done in advance, so that the first hover or
 * name request after a change is fast, too.
 */
const idleMs = 200;

export interface Project {
  /** The modules that apply to a file: those with the project's rules, and the one with its host. May throw. */
  codeOf(file: string): Pick<CheckTask, 'rules' | 'host'>;
  /** Applies the project's severities and exceptions to the issues of a file. May throw. */
  configured(file: string, issues: readonly Issue[]): readonly Issue[];
}

/** Checks documents after their changes, and sends the diagnostics. */
export class Reporting {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly checker = new Checker();
  /**
   * The URIs of the definitions that the thread is checking. The next check of the same definition starts when the
   * current one has ended.
   */
  private readonly checking = new Set<string>();

  constructor(
    private readonly editor: Editor,
    private readonly project: Project,
  ) {}

  later(uri: string, ms = quietMs) {
    clearTimeout(this.timers.get(uri));
    this.timers.set(
      uri,
      setTimeout(
        this.editor.answer('check', () => this.report(uri), undefined),
        ms,
      ),
    );
  }

  end(uri: string) {
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    void this.editor.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  private report(uri: string) {
    this.timers.delete(uri);
    const { documents, connection } = this.editor;
    const document = documents.get(uri);
    if (document === undefined) return;
    if (isScenarioFile(uri)) {
      const diagnostics = scenarioDiagnostics(document, pathOf(uri), this.editor.openGames());
      void connection.sendDiagnostics({ uri, version: document.version, diagnostics });
      return;
    }
    const game = this.editor.gameOf(uri);
    if (game !== undefined && !this.checking.has(uri)) void this.check(uri, game);
  }

  private async check(uri: string, game: OpenGame) {
    const { editor, project, checking } = this;
    const { dialect, isTrusted } = editor;
    checking.add(uri);
    try {
      const none = { rules: [] };
      const mayRun = isTrusted && uri.startsWith('file:');
      const code = mayRun ? editor.answer('rules', project.codeOf, none)(pathOf(uri)) : none;
      const { issues, words } = await this.checker.check({ text: game.document.getText(), dialect, ...code });
      game.learn(words);
      if (editor.gameOf(uri) === game) this.publish(uri, game, issues);
    } catch (error) {
      editor.complain('check', error);
    } finally {
      checking.delete(uri);
    }
    const now = editor.gameOf(uri);
    if (now !== undefined && now !== game && !this.timers.has(uri)) this.later(uri, 0);
  }

  private publish(uri: string, game: OpenGame, issues: readonly Issue[]) {
    const { editor, project } = this;
    const shown = editor.answer(
      'configuration',
      (path: string) => project.configured(path, issues),
      issues,
    )(pathOf(uri));
    game.issues = issues;
    game.placed = placed(shown, game.document);
    const diagnostics = game.placed.map(({ diagnostic }) => diagnostic);
    void editor.connection.sendDiagnostics({ uri, version: game.version, diagnostics });
    for (const other of editor.documents.all()) if (isScenarioFile(other.uri)) this.later(other.uri);
    // `of` searches all scripts, and the result is cached, so that the next request about a name is fast.
    const prepare = () => editor.gameOf(uri) === game && game.readable.names?.of('script', '');
    setTimeout(editor.answer('names', prepare, undefined), idleMs);
  }
}

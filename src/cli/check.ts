import { checkGame, type DialectName } from '../../engine/index.ts';
import { stdinSource } from '../load/load-text.ts';
import type { Terminal } from '../text/terminal.ts';
import { exitCodes, Failure } from './failure.ts';
import { type FileIssues, formatIssues, type IssueFormat, wantsColor } from './format-issues.ts';
import { countSeverities } from './format-issues-file.ts';
import { readGame, unreadable } from './read-game.ts';

export interface CheckOptions {
  readonly format: IssueFormat;
  readonly strict?: boolean;
  readonly dialect: DialectName;
  readonly all?: boolean;
}

/** Reports on all files, whatever is wrong with one of them. */
export async function check(paths: readonly string[], options: CheckOptions, terminal: Terminal): Promise<number> {
  const { format, strict = false, dialect, all = false } = options;
  if (paths.filter((path) => path === stdinSource).length > 1) {
    throw new Failure('duplicate-argument', 'The standard input (-) can be read only once.');
  }
  const files: FileIssues[] = [];
  let code: number = exitCodes.ok;
  for (const path of paths) {
    const { name, text, game, issues } = await readGame(path, terminal);
    const found = game === undefined ? issues : [...issues, ...checkGame(game, dialect)];
    files.push({ file: name, text, issues: found });
    if (unreadable(found) !== undefined) code = exitCodes.usage;
    else if (code === exitCodes.ok && fails(countSeverities(found), strict)) code = exitCodes.errors;
  }
  const { stdout, env } = terminal;
  stdout.write(formatIssues(files, format, { color: wantsColor(stdout, env), all }));
  return code;
}

function fails({ error, warning }: ReturnType<typeof countSeverities>, strict: boolean): boolean {
  return error > 0 || (strict && warning > 0);
}

import { readFileSync } from 'node:fs';
import { joinIssues, severityCounts } from '../../engine/core/issue.ts';
import { checkGame, type DialectName, type Issue } from '../../engine/index.ts';
import { stdinSource } from '../load/load-text.ts';
import type { Terminal } from '../text/terminal.ts';
import { amount } from '../text/words.ts';
import { exitCodes, Failure } from './failure.ts';
import { type FixedText, fixIssues } from './issues/fix.ts';
import { type FileIssues, formatIssues, type IssueFormat, wantsColor } from './issues/format.ts';
import { readGame, unreadable } from './read-game.ts';
import { replaceText } from './write-text.ts';

export interface CheckOptions {
  readonly format: IssueFormat;
  readonly strict?: boolean;
  readonly dialect: DialectName;
  readonly all?: boolean;
  readonly fix?: boolean;
}

/** Reports on all files, even if some cannot be read. */
export async function check(paths: readonly string[], options: CheckOptions, terminal: Terminal): Promise<number> {
  const { format, strict = false, dialect, all = false, fix = false } = options;
  if (paths.filter((path) => path === stdinSource).length > 1) {
    throw new Failure('duplicate-argument', 'Standard input (-) can be given only once.');
  }
  if (fix && paths.includes(stdinSource))
    throw new Failure('nothing-to-fix', 'Standard input cannot be repaired; give a file.');
  const files: FileIssues[] = [];
  let code: number = exitCodes.ok;
  for (const path of paths) {
    const { name, text, found } = await checked(path, dialect, fix, terminal);
    files.push({ file: name, text, issues: found });
    if (unreadable(found) !== undefined) code = exitCodes.usage;
    else if (code === exitCodes.ok && fails(severityCounts(found), strict)) code = exitCodes.errors;
  }
  const { stdout, env } = terminal;
  stdout.write(formatIssues(files, format, { color: wantsColor(stdout, env), all }));
  return code;
}

interface Checked {
  readonly name: string;
  readonly text: string;
  readonly found: readonly Issue[];
}

/** The issues of a file; with `fix`, those that remain after repairs. */
async function checked(path: string, dialect: DialectName, fix: boolean, terminal: Terminal): Promise<Checked> {
  const { name, text, game, issues } = await readGame(path, terminal);
  const found = game === undefined ? issues : joinIssues(issues, checkGame(game, dialect));
  if (!fix || game === undefined) return { name, text, found };
  const repair = fixIssues(text, found);
  const parts = partsOf(repair);
  if (parts.length === 0) return { name, text, found };
  replaceText(path, `${markOf(path, text)}${repair.text}`);
  terminal.stderr.write(`fixed: ${parts.join(', ')} in ${name}\n`);
  return checked(path, dialect, false, terminal);
}

function partsOf({ fixed, respelt }: FixedText): string[] {
  const numbers = respelt.filter(({ kind }) => kind === 'number').length;
  const names = respelt.length - numbers;
  return [
    ...(fixed.length === 0 ? [] : [amount(fixed.length, 'issue')]),
    ...(numbers === 0 ? [] : [`${amount(numbers, 'number')} written as text`]),
    ...(names === 0 ? [] : [amount(names, 'old field name')]),
  ];
}

/**
 * The byte order mark of a file, or nothing. Throws `Failure` if the file contains more than the text, such as
 * compressed data, because rewriting would then change more than intended.
 */
function markOf(path: string, text: string): string {
  const written = readFileSync(path, 'utf8');
  for (const mark of ['', '\ufeff']) if (written === `${mark}${text}`) return mark;
  throw new Failure(
    'cannot-write',
    `${path} is compressed, or changed while it was read. Decompress it, then run the command again.`,
  );
}

function fails({ error, warning }: ReturnType<typeof severityCounts>, strict: boolean): boolean {
  return error > 0 || (strict && warning > 0);
}

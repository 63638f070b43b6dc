import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { cached, defaultJsonLimits, joinIssues, Lines, severityCounts } from '../../../engine/core/index.ts';
import type { Issue, LoadedGame } from '../../../engine/index.ts';
import { checkGame } from '../../check/index.ts';
import { type FixedText, fixIssues, misspeltMax, stdinSource } from '../../load/index.ts';
import { type CheckTask, loadChecker, loadCheckThread } from '../../lsp/index.ts';
import { canRunInThread } from '../../run/index.ts';
import { amount, printable, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { configure, type FoundConfig, findConfig, requireOwnCodes } from '../issues/config.ts';
import { type FileIssues, formatIssues } from '../issues/format.ts';
import { issuesAsData } from '../issues/json.ts';
import { wantsColor } from '../issues/pretty.ts';
import { readGame, unreadable } from '../read-game.ts';
import { replaceText } from '../write-text.ts';
import type { CheckOptions } from './command.ts';

/** How many repairs are listed per file without `--all`. */
const repairsShownMax = 20;

/** Reports on all files, even if some cannot be read. */
export async function check(paths: readonly string[], given: CheckOptions, terminal: Terminal) {
  const options: CheckOptions = given.json ? { ...given, format: 'json' } : given;
  const { format, strict = false, all = false, fix = false } = options;
  if (paths.filter((path) => path === stdinSource).length > 1) {
    throw new Failure('duplicate-argument', 'Standard input (-) can be given only once.');
  }
  if (fix && paths.includes(stdinSource))
    throw new Failure('nothing-to-fix', '--fix cannot repair standard input. Give the path of a file.');
  const files: FileIssues[] = [];
  const hints: string[] = [];
  const configs = new Map<string, FoundConfig>();
  let code: number = exitCodes.ok;
  for (const path of paths) {
    const { name, text, found, hint = '' } = await checked(path, options, terminal);
    hints.push(hint);
    const config = path === stdinSource ? undefined : configOf(path, configs);
    const { issues, suppressed } = configure(path, found, config);
    files.push({ file: name, text, issues, suppressed });
    const warningsMax = options.maxWarnings ?? (strict ? 0 : (config?.check.maxWarnings ?? Infinity));
    const { error, warning } = severityCounts(issues);
    if (unreadable(found) !== undefined) code = exitCodes.usage;
    else if (code === exitCodes.ok && (error > 0 || warning > warningsMax)) code = exitCodes.errors;
  }
  for (const { file, unmatched } of configs.values()) {
    for (const { code, at, file: game } of unmatched) {
      if (game === undefined || paths.some((path) => resolve(path) === resolve(dirname(file), game)))
        terminal.stderr.write(`${file}: the exception for ${code} at ${at} matches no issue\n`);
    }
  }
  const { stdout } = terminal;
  terminal.onAnswer?.(issuesAsData(files));
  stdout.write(formatIssues(files, format, wantsColor(terminal), all));
  stdout.write(hints.join(''));
  return code;
}

interface Checked {
  readonly name: string;
  readonly text: string;
  readonly found: readonly Issue[];
  /**
   * A text about what `--fix` would repair, and which suggestions it would not apply; undefined if there are neither.
   */
  readonly hint?: string | undefined;
}

/** Reads and checks a file. With `fix`, repairs it and returns the issues that remain. */
async function checked(path: string, options: CheckOptions, terminal: Terminal): Promise<Checked> {
  const { fix = false, dryRun = false, format } = options;
  const { name, text, game, issues } = await readGame(path, terminal);
  const found = game === undefined ? issues : await judged(path, text, game, issues, options, terminal);
  const isHinting =
    format === 'pretty' && found.filter(({ suggestion }) => suggestion !== undefined).length <= misspeltMax;
  if (game === undefined || (!fix && !isHinting)) return { name, text, found };
  const repair = fixIssues(text, found);
  const parts = partsOf(repair);
  if (!fix || parts.length === 0) return { name, text, found, hint: hintOf(parts, repair, found, name) };
  const mark = markOf(path, text);
  terminal.stderr.write(repairsText(name, text, repair, options));
  terminal.stderr.write(`${dryRun ? 'would fix' : 'fixed'}: ${parts.join(', ')} in ${name}\n`);
  if (dryRun) return { name, text, found };
  replaceText(path, `${mark}${repair.text}`);
  return checked(path, { ...options, fix: false }, terminal);
}

/**
 * The issues of a game, including those from rules of its project. Rules of a project run in a separate thread, unless
 * this program runs from TypeScript sources, which threads cannot run.
 */
async function judged(
  path: string,
  text: string,
  game: LoadedGame,
  read: readonly Issue[],
  { dialect }: CheckOptions,
  { isTrusted = true }: Terminal,
) {
  const config = path === stdinSource || !isTrusted ? undefined : findConfig(path);
  const rules = config?.rules ?? [];
  const task = { text, dialect, rules, host: config?.host, limits: defaultJsonLimits };
  const { issues, codes } =
    rules.length === 0 ? { issues: joinIssues(read, checkGame(game, dialect)), codes: [] } : await checkedApart(task);
  const [first] = issues;
  if (first?.code === 'bad-rules' || first?.code === 'bad-host') throw new Failure(first.code, first.message);
  if (config !== undefined) requireOwnCodes(config, codes);
  return issues;
}

async function checkedApart(task: CheckTask) {
  const thread = await loadCheckThread();
  return canRunInThread(thread) ? (await loadChecker()).checkedByRules(task) : thread.checkInThread(task);
}

/** A line for each repair with its location; without `all`, only for the first ones. */
function repairsText(name: string, text: string, { edits }: FixedText, { all = false }: CheckOptions) {
  const lines = new Lines(text);
  const shown = all ? edits : edits.slice(0, repairsShownMax);
  const texts = shown.map(({ offset, length, content }) => {
    const { line, column } = lines.at(offset);
    return printable(`${name}:${line}:${column}: ${text.slice(offset, offset + length)} → ${content}`);
  });
  if (shown.length < edits.length) texts.push(`… and ${edits.length - shown.length} more (--all lists all of them)`);
  return texts.map((each) => `${each}\n`).join('');
}

function hintOf(parts: readonly string[], { fixed }: FixedText, found: readonly Issue[], name: string) {
  const repaired = new Set(fixed);
  const left = found.filter((issue) => issue.suggestion !== undefined && !repaired.has(issue)).length;
  const can = parts.length === 0 ? [] : [`--fix can repair ${parts.join(', ')} (--dry-run shows the repairs)`];
  const cannot = left === 0 ? [] : [`--fix does not apply ${amount(left, 'uncertain suggestion')}`];
  return can.length + cannot.length === 0 ? undefined : `${name}: ${[...can, ...cannot].join('; ')}\n`;
}

function partsOf({ fixed, respelt }: FixedText) {
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
export function markOf(path: string, text: string): string {
  const written = readFileSync(path, 'utf8');
  for (const mark of ['', '\ufeff']) if (written === `${mark}${text}`) return mark;
  throw new Failure(
    'cannot-write',
    `${path} was not written, because the file is compressed or changed in the meantime. Decompress a compressed file, then run the command again.`,
  );
}

/**
 * Games with the same configuration file share one object, which then knows the exceptions that matched no issue of any
 * of them.
 */
function configOf(path: string, known: Map<string, FoundConfig>) {
  const config = findConfig(path);
  return config && cached(known, config.file, () => config);
}

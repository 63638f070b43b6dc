import { dirname, resolve } from 'node:path';
import type { Issue } from '../../../engine/index.ts';
import { issueCodes } from '../../check/index.ts';
import {
  array,
  errorTexts,
  type Infer,
  integer,
  object,
  optional,
  record,
  string,
  validate,
  words,
} from '../../schema/index.ts';
import { closestWord } from '../../text/index.ts';
import { Failure } from '../failure.ts';
import { nearestConfig } from './config-file.ts';

const code = string({ [validate]: wrongCode });

function wrongCode(value: unknown) {
  // Codes with a "/" belong to rules of the project, which are not loaded yet.
  return (value as string).includes('/') ? undefined : unknownCode(value as string, Object.keys(issueCodes));
}

function unknownCode(value: string, known: readonly string[]) {
  if (known.includes(value)) return undefined;
  const meant = closestWord(value, known);
  const hint = meant === undefined ? 'See `reenact codes`.' : `Did you mean \`${meant}\`?`;
  return `There is no issue code "${value}". ${hint}`;
}

const exception = object({
  code,
  /** An exception for all issues of the code at this location and below it. */
  at: string({ description: 'JSON Pointer. The exception applies to issues at this place and below it.' }),
  file: optional(string({ description: 'Path of the only game, relative to this file; if missing, all games.' })),
  because: optional(string({ description: 'Why the issue is not a mistake.' })),
});
type Exception = Infer<typeof exception>;

const checkConfig = object({
  severity: optional(
    record(words(['error', 'warning', 'info', 'off']), {
      description: 'The severity of issues with a code; `off` hides them.',
      [validate]: (value: unknown) =>
        Object.keys(value as object)
          .map(wrongCode)
          .find((wrong) => wrong !== undefined),
    }),
  ),
  exceptions: optional(array(exception)),
  maxWarnings: optional(integer({ minimum: 0, description: 'The check fails if there are more warnings than this.' })),
});

/** The contents of `reenact.config.json`, or of the key `reenact` in `package.json`. */
const configSchema = object({
  $schema: optional(string()),
  check: optional(checkConfig),
  host: optional(
    string({ description: 'Path of a module that exports the words of the host, relative to this file.' }),
  ),
  rules: optional(array(string({ description: 'Path of a module that exports rules, relative to this file.' }))),
});
type Config = Infer<typeof configSchema>;

/** A configuration and where it was found. */
export interface FoundConfig {
  readonly file: string;
  readonly check: NonNullable<Config['check']>;
  /** The absolute path of the module that exports the operations and triggers of the host. */
  readonly host: string | undefined;
  /** The absolute paths of the modules with the project's own rules. */
  readonly rules: readonly string[];
  /** The exceptions that have not matched any issue so far. */
  readonly unmatched: Set<Exception>;
}

export interface SuppressedIssue {
  readonly issue: Issue;
  readonly because: string | undefined;
}

/**
 * The configuration for a game: `reenact.config.json` in its folder or the nearest one above, or the key `reenact` of a
 * `package.json` there. Throws `Failure` if it is not valid.
 */
export function findConfig(game: string): FoundConfig | undefined {
  const found = nearestConfig(game);
  if (found === undefined) return undefined;
  const { file, value } = found;
  const wrong = errorTexts(configSchema, value);
  if (wrong.length > 0) throw new Failure('bad-config', `${file} is not a valid configuration.`, undefined, wrong);
  const { check = {}, rules = [], host } = value as Config;
  return {
    file,
    check,
    host: host && resolve(dirname(file), host),
    rules: rules.map((path) => resolve(dirname(file), path)),
    unmatched: new Set(check.exceptions),
  };
}

/**
 * `codes` are those of the project's own rules. Throws `Failure` if a severity or an exception names a project's code
 * that is not among them.
 */
export function requireOwnCodes(
  { file, check: { severity = {}, exceptions = [] } }: FoundConfig,
  codes: readonly string[],
) {
  const named = [...Object.keys(severity), ...exceptions.map(({ code }) => code)];
  const wrong = named.flatMap((code) => (code.includes('/') ? (unknownCode(code, codes) ?? []) : []));
  if (wrong.length > 0) throw new Failure('bad-config', `${file} is not a valid configuration.`, undefined, wrong);
}

/**
 * Applies severities and exceptions to the issues of a game. Returns the remaining issues, and those that exceptions
 * have suppressed.
 */
export function configure(game: string, issues: readonly Issue[], config: FoundConfig | undefined) {
  const suppressed: SuppressedIssue[] = [];
  if (config === undefined) return { issues, suppressed };
  const { severity = {}, exceptions = [] } = config.check;
  const own = exceptions.filter(
    ({ file }) => file === undefined || resolve(dirname(config.file), file) === resolve(game),
  );
  const kept: Issue[] = [];
  for (const issue of issues) {
    const as = severity[issue.code];
    if (as === 'off') continue;
    const match = own.find(({ code, at }) => code === issue.code && isWithin(issue.pointer, at));
    if (match === undefined) kept.push(as === undefined ? issue : { ...issue, severity: as });
    else {
      config.unmatched.delete(match);
      suppressed.push({ issue, because: match.because });
    }
  }
  return { issues: kept, suppressed };
}

function isWithin(pointer: string, at: string) {
  return pointer === at || pointer.startsWith(`${at}/`);
}

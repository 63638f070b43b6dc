import { existsSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Dictionary, mapMembers } from '../../../engine/core/index.ts';
import { casesOf, findScenarioFiles, InvalidFile, readScenarioFile } from '../../scenario/index.ts';
import { array, boolean, type Fields, object, optional, type Schema, string, words } from '../../schema/index.ts';
import type { Terminal } from '../../text/index.ts';
import { besideGame } from '../add/add.ts';
import { exitCodes } from '../failure.ts';
import { collected, schemaOf } from '../options.ts';
import { journalIn } from '../read-journal.ts';
import type { Call } from '../settings.ts';
import type { Folder } from './mcp-folder.ts';

export interface ToolContext extends Pick<Call, 'main'> {
  readonly folder: Folder;
  readonly env: Terminal['env'];
  /** Aborted when the client cancels the request. */
  readonly signal: AbortSignal;
}

interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  /** The answer as data, if the tool has one. */
  readonly data?: object | undefined;
}

/** The values of a call, which the schema of its tool has accepted. */
type Values = Dictionary;

/** A command that assistants can use. */
interface Offer {
  /** The names of the command's arguments and options that assistants can set. */
  readonly takes: readonly string[];
  /** A text that is appended to the command's description. */
  readonly about?: string;
  /** Values of arguments and options that the assistant did not set, if they differ from the command's defaults. */
  readonly otherwise?: Values;
  /** Whether the command writes files: findings into the folder `.reenact`, or changes into a game. */
  readonly writes?: boolean;
}

const played = ['for', 'seed', 'bots', 'dialect', 'except'] as const;
const searched = ['for', 'seed', 'players', 'dialect', 'except'] as const;

const offers: Dictionary<Offer> = {
  check: { takes: ['file', 'dialect', 'except', 'all'], about: 'Each issue has its code, line and, if known, a fix.' },
  graph: {
    takes: ['file', 'name'],
    about:
      'Returns the states of variables with their transitions, and for each script what starts it and which variables it sets.',
    otherwise: { json: true },
  },
  print: { takes: ['file', 'script'] },
  ops: { takes: ['word'] },
  codes: { takes: ['code'] },
  run: { takes: ['file', ...played, 'until', 'state'] },
  test: {
    takes: ['path', 'filter', 'coverage'],
    about: 'Says for each failure what was expected, what was found and why.',
    otherwise: { path: ['.'], pictures: '' },
  },
  why: {
    takes: ['file', 'value', 'game', 'at', 'depth', ...played],
    about: 'A recording is a file *.rj, such as those that explore and reach write.',
  },
  explore: {
    takes: ['file', ...searched, 'never', 'always', 'within'],
    about:
      'Each finding is replayed, shortened, and written to .reenact/explore as a recording for `why` and a scenario for `test`.',
    otherwise: { for: '20s' },
    writes: true,
  },
  reach: {
    takes: ['file', 'expression', ...searched, 'within'],
    about: 'The run is written to .reenact/reach as a recording and a scenario.',
    otherwise: { for: '20s' },
    writes: true,
  },
  diff: { takes: ['old', 'new', 'play', 'dialect', 'except'] },
  add: { takes: ['recipes', 'game', 'unit', 'undo', 'dryRun'], writes: true },
};

export interface Tool extends Offer {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the values, which are validated before a call. */
  readonly parameters: Schema;
  call(values: Values, context: ToolContext): Promise<ToolAnswer>;
}

/** A tool for each command that is offered. */
export function toolsOf({ commands }: CommandUnknownOpts): readonly Tool[] {
  return commands.flatMap((command) => {
    const name = command.name();
    const offer = offers[name];
    if (offer === undefined) return [];
    const { takes, about = '', otherwise } = offer;
    const does = command.description();
    return {
      ...offer,
      name,
      description: `${does.charAt(0).toUpperCase()}${does.slice(1)}. ${about}`.trim(),
      parameters: object(Object.fromEntries(takes.map((word) => [word, fieldOf(command, word)]))),
      call: (values, context) => {
        const inside = insideFolder(name, { ...otherwise, ...values }, context.folder);
        return answerOf([name, ...wordsOf(command, inside)], context);
      },
    };
  });
}

function fieldOf({ registeredArguments, options }: CommandUnknownOpts, word: string): Fields[string] {
  const argument = registeredArguments.find((each) => each.name() === word);
  if (argument !== undefined) {
    const { description, variadic, required } = argument;
    const schema: Schema = variadic ? array(string(), { description }) : string({ description });
    return required ? schema : optional(schema);
  }
  const option = optionOf(options, word);
  const { description, argChoices, parseArg } = option;
  if (option.isBoolean()) return optional(boolean({ description }));
  if (argChoices !== undefined) return optional(words(argChoices, { description }));
  if (parseArg === collected) return optional(array(string(), { description }));
  const schema = schemaOf(parseArg);
  return optional<unknown>({
    ...schema,
    ...(schema['type'] === 'string' && { type: ['string', 'number'] }),
    description,
  });
}

function optionOf(options: CommandUnknownOpts['options'], word: string) {
  return options.find((each) => each.attributeName() === word)!;
}

/** Converts the values of a call to the words of a command line. */
function wordsOf({ registeredArguments, options }: CommandUnknownOpts, values: Values) {
  const given = registeredArguments.flatMap((each) => [values[each.name()] ?? []].flat().map(String));
  const flags = Object.keys(values).flatMap((word) => {
    if (registeredArguments.some((each) => each.name() === word)) return [];
    const { long } = optionOf(options, word);
    return [values[word]]
      .flat()
      .flatMap((value) => (value === true ? long! : value === false ? [] : `${long}=${value}`));
  });
  return [...flags, '--', ...given];
}

/** Names of values that are paths. */
const pathWords: readonly string[] = ['file', 'path', 'old', 'new', 'game'];

/**
 * The values with paths relative to the folder. Throws `Failure` if the command would use a file outside the folder.
 */
function insideFolder(name: string, values: Values, folder: Folder): Values {
  const inside = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(inside) : folder.inside(value as string);
  const found: Values = mapMembers(values, (value, word) => (pathWords.includes(word) ? inside(value) : value));
  if (name === 'test') requireGamesInside(found['path'] as string[], folder);
  if (name === 'why' && found['game'] === undefined) {
    // The command itself reports why a recording cannot be read.
    const source = journalIn(found['file'] as string)?.journal.head.source;
    if (source !== undefined) folder.inside(source);
  }
  const recipes = name === 'add' ? ((found['recipes'] as string[] | undefined) ?? []) : [];
  const written = ['recipes.json', ...recipes.map((recipe) => `${recipe}.scenario.yaml`)].map((ending) =>
    besideGame((found['game'] as string | undefined) ?? 'game.json', ending),
  );
  for (const file of ['.reenact', ...written]) if (existsSync(file)) folder.inside(file);
  return found;
}

/** Runs a command, and returns its output as a terminal would show it. */
async function answerOf(args: readonly string[], { env, signal, main }: ToolContext): Promise<ToolAnswer> {
  let text = '';
  let data: object | undefined;
  const output = { write: (part: string) => (text += part) };
  const code = await main(args, {
    stdin: nothing(),
    stdout: output,
    stderr: output,
    isTrusted: false,
    onAnswer: (answer) => {
      data = answer;
    },
    env: { ...env, NO_COLOR: '1' },
    onInterrupt(listener) {
      signal.addEventListener('abort', listener, { once: true });
      return () => signal.removeEventListener('abort', listener);
    },
  });
  // A failed scenario or a finding also ends with an exit code other than 0, but the answer is not an error of the
  // tool.
  const isAnswered = code === exitCodes.ok || (data !== undefined && code !== exitCodes.usage);
  return { text, isError: !isAnswered, data };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Checks that all games of the scenarios are inside the folder. */
function requireGamesInside(paths: readonly string[], folder: Folder) {
  const { files } = findScenarioFiles(paths);
  for (const each of files) {
    try {
      for (const { game } of casesOf(readScenarioFile(folder.inside(each)))) folder.inside(game);
    } catch (error) {
      // The command itself reports errors in scenario files, with their lines.
      if (!(error instanceof InvalidFile)) throw error;
    }
  }
}

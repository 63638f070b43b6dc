import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type CommandUnknownOpts, InvalidArgumentError, type Option } from '@commander-js/extra-typings';
import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument } from 'yaml';
import type { Dictionary } from '../../engine/core/index.ts';
import { errorCode, fileErrorMessage } from '../load/index.ts';
import { closestWord, inColumns, printable, type Terminal } from '../text/index.ts';
import { Failure } from './failure.ts';
import { type JsonSchemaOf, schemaOf } from './options.ts';

/** The key in a configuration file that holds the arguments of the command. */
const argumentsKey = 'games';

const fileBytesMax = 64 * 1024;

/** Options that can be given only on the command line. */
const commandLineOnly = new Set(['config', 'check-config', 'help']);

/** A value from a file or from the environment. It is parsed like a value on the command line. */
interface Setting {
  readonly name: string;
  readonly values: readonly string[] | boolean;
  /** The location at which the value is written, for messages. */
  readonly place: string;
  readonly source: 'config' | 'env';
}

/** The key of an option in a configuration file: `no-page` is set as `page`. */
function keyOf(option: Option) {
  return option.name().replace(/^no-/, '');
}

function settable(command: CommandUnknownOpts) {
  return command.options.filter((option) => !commandLineOnly.has(option.name()));
}

function variableOf(command: CommandUnknownOpts, key: string) {
  return `REENACT_${command.name()}_${key}`.toUpperCase().replaceAll('-', '_');
}

/** The context that some commands need in addition to their arguments and options. */
export interface Call {
  readonly command: CommandUnknownOpts;
  /** The settings from the configuration file and the environment; undefined for all commands but `serve`. */
  readonly settings: AppliedSettings | undefined;
  /** Runs another command line, and returns its exit code. */
  main(args: readonly string[], terminal: Terminal): Promise<number>;
  /** The declarations of all commands. */
  program(): Promise<CommandUnknownOpts>;
}

/** The result of applying a configuration file and the environment. */
export interface AppliedSettings {
  /** A line for each wrong value, with its location. */
  readonly wrong: readonly string[];
  /**
   * The location of a setting, for messages: `serve.yaml:3:1: data`, or `--data` for an option of the command line or a
   * default.
   */
  placeOf(name: string): string;
}

/**
 * Fills in options and arguments that the command line does not set: from environment variables first, then from the
 * configuration file. Every value goes through the parser of its option; an option with a wrong value is left
 * unchanged. Throws `Failure` if the file cannot be read.
 */
export function applySettings(command: CommandUnknownOpts, env: Dictionary<string | undefined>): AppliedSettings {
  const wrong: string[] = [];
  const places = new Map<string, string>();
  const file = command.getOptionValue('config') ?? env[variableOf(command, 'config')];
  const settings = [
    ...environmentSettings(command, env, wrong),
    ...(typeof file === 'string' ? fileSettings(command, file, wrong) : []),
  ];
  for (const setting of settings) {
    if (setting.name === argumentsKey) {
      if (typeof setting.values === 'boolean')
        wrong.push(`${setting.place}: ${argumentsKey}: Expected a list of files.`);
      else if (argumentsOf(command).length === 0) {
        command.processedArgs[0] = setting.values;
        places.set(argumentsKey, `${setting.place}: ${argumentsKey}`);
      }
      continue;
    }
    const option = settable(command).find((each) => keyOf(each) === setting.name)!;
    const source = command.getOptionValueSource(option.attributeName());
    if (source !== undefined && source !== 'default') continue;
    const place = `${setting.place}: ${setting.name}`;
    places.set(setting.name, place);
    try {
      command.setOptionValueWithSource(option.attributeName(), parse(option, setting.values), setting.source);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      wrong.push(`${place}: ${error.message}`);
    }
  }
  return {
    wrong,
    // The value of `store` or `journal` may come from the file that `store-url-file` or `journal-url-file` names.
    placeOf: (name) =>
      places.get(name) ?? places.get(`${name}-url-file`) ?? (name === argumentsKey ? name : `--${name}`),
  };
}

/** Throws a `Failure` that lists the wrong values, if there are any. */
export function demandValid({ wrong }: Pick<AppliedSettings, 'wrong'>) {
  if (wrong.length === 0) return;
  throw new Failure('bad-config', 'The configuration is not valid.', undefined, wrong.map(printable));
}

/**
 * Fills in options that the command line does not set with the settings that another command gives to options of the
 * same name.
 */
export function applySettingsOf(
  other: CommandUnknownOpts,
  command: CommandUnknownOpts,
  env: Parameters<typeof applySettings>[1],
) {
  other.setOptionValue('config', command.getOptionValue('config'));
  demandValid(applySettings(other, env));
  for (const name of settable(command).map((option) => option.attributeName())) {
    const source = other.getOptionValueSource(name);
    const isSet = source === 'config' || source === 'env';
    if (isSet && command.getOptionValueSource(name) !== 'cli') {
      command.setOptionValueWithSource(name, other.getOptionValue(name), source);
    }
  }
}

function argumentsOf(command: CommandUnknownOpts) {
  return (command.processedArgs[0] as readonly string[] | undefined) ?? [];
}

function parse(option: Option, values: Setting['values']): unknown {
  if (option.isBoolean() || option.negate) {
    if (typeof values === 'boolean') return values;
    const [word = ''] = values;
    if (word === 'true' || word === 'false') return word === 'true';
    throw new InvalidArgumentError('Expected true or false.');
  }
  if (typeof values === 'boolean') throw new InvalidArgumentError('Expected a value, not true or false.');
  if (!option.variadic && values.length !== 1) throw new InvalidArgumentError('Expected one value.');
  if (option.parseArg === undefined) return option.variadic ? values : values[0];
  return values.reduce<unknown>(
    (before, value) => option.parseArg!(value, before as never),
    option.variadic ? option.defaultValue : undefined,
  );
}

function unknown(key: string, keys: readonly string[], named: (key: string) => string) {
  const meant = closestWord(key, keys);
  return `${named(key)}: there is no such setting.${meant === undefined ? '' : ` Did you mean ${named(meant)}?`}`;
}

function keysOf(command: CommandUnknownOpts) {
  return [argumentsKey, ...settable(command).map(keyOf)];
}

function environmentSettings(
  command: CommandUnknownOpts,
  env: Dictionary<string | undefined>,
  wrong: string[],
): readonly Setting[] {
  const prefix = variableOf(command, '');
  const keys = keysOf(command);
  const isList = (key: string) =>
    key === argumentsKey || settable(command).some((option) => option.variadic && keyOf(option) === key);
  return Object.entries(env).flatMap(([variable, text]): readonly Setting[] => {
    if (text === undefined || !variable.startsWith(prefix) || variable === variableOf(command, 'config')) return [];
    const key = keys.find((each) => variableOf(command, each) === variable);
    if (key === undefined) {
      const written = variable.slice(prefix.length).toLowerCase().replaceAll('_', '-');
      wrong.push(unknown(written, keys, (each) => variableOf(command, each)));
      return [];
    }
    const values = isList(key) ? text.split(/[\s,]+/).filter((word) => word !== '') : [text];
    return [{ name: key, values, place: variable, source: 'env' }];
  });
}

function fileSettings(command: CommandUnknownOpts, file: string, wrong: string[]): readonly Setting[] {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number | undefined) => {
    const { line, col } = lines.linePos(offset ?? 0);
    return `${file}:${line}:${col}`;
  };
  // Warnings count, too: for example, the value of an unknown tag would be taken as a string.
  const faults = [...document.errors, ...document.warnings];
  for (const { message, pos } of faults) wrong.push(`${placeAt(pos[0])}: ${message}`);
  const { contents } = document;
  if (contents !== null && !isMap(contents)) wrong.push(`${placeAt(0)}: Expected an object of settings.`);
  // Syntax errors are reported immediately: with them, settings that are in the file would seem to be missing.
  if (faults.length > 0 || !isMap(contents)) {
    demandValid({ wrong });
    return [];
  }
  const keys = keysOf(command);
  const folder = dirname(resolve(file));
  return contents.items.flatMap(({ key, value }: Pair): readonly Setting[] => {
    const name = isScalar(key) ? String(key.value) : '';
    const place = placeAt(isScalar(key) ? key.range?.[0] : undefined);
    if (name === '$schema') return [];
    if (!keys.includes(name)) {
      wrong.push(`${place}: ${unknown(name, keys, (each) => each)}`);
      return [];
    }
    const scalars = isSeq(value) ? value.items : [value];
    const texts = scalars.map((each) => (isScalar(each) ? each.value : undefined));
    if (texts.some((each) => !['string', 'number', 'boolean'].includes(typeof each))) {
      wrong.push(
        `${place}: ${name}: Expected ${isSeq(value) ? 'a list of texts' : 'a text, a number, or true or false'}.`,
      );
      return [];
    }
    if (typeof texts[0] === 'boolean' && !isSeq(value)) return [{ name, values: texts[0], place, source: 'config' }];
    const option = settable(command).find((each) => keyOf(each) === name);
    // Relative paths in a configuration file are resolved against its folder.
    const isPath = option === undefined || /<(?:file|folder)>/.test(option.flags);
    const values = texts.map((each) => (isPath && each !== '' ? resolve(folder, String(each)) : String(each)));
    return [{ name, values, place, source: 'config' }];
  });
}

function readText(file: string) {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new Failure('unreadable-file', fileErrorMessage(file, errorCode(error)));
  }
  // The size is limited, because parsing time grows with the square of the number of keys.
  if (bytes.length > fileBytesMax)
    throw new Failure('bad-config', `${file} is larger than ${fileBytesMax / 1024} KiB.`);
  if (!isUtf8(bytes)) throw new Failure('bad-config', `${file} is not UTF-8 text.`);
  return bytes.toString('utf8');
}

/** The settings of a command and the source of each: `--port 8080 (default)`. Options without a value are left out. */
export function settingsText(command: CommandUnknownOpts): string {
  const sources: Record<string, string> = {
    cli: 'command line',
    env: 'environment',
    config: 'file',
    default: 'default',
  };
  const rows = settable(command).flatMap((option) => {
    const key = option.attributeName();
    const value: unknown = command.getOptionValue(key);
    if (value === undefined) return [];
    const shown = printable(withoutPassword(Array.isArray(value) ? value.join(', ') : String(value)));
    const source = sources[command.getOptionValueSource(key) ?? 'default'];
    return [[keyOf(option), `${shown === '' ? '""' : shown}  (${source})`]];
  });
  const lines = inColumns([[argumentsKey, printable(argumentsOf(command).join(', '))], ...rows]);
  return `${lines.join('\n')}\n`;
}

/** Hides the password in a URL. The password may itself contain `/` or `@`, or be given as a parameter. */
function withoutPassword(text: string) {
  return text.replace(/^([\w+.-]+:\/\/[^:@]*:).*@/s, '$1…@').replace(/([?&][^=&]*pass[^=&]*=)[^&#]*/gi, '$1…');
}

/** The JSON Schema of the configuration file of a command. */
export function settingsSchema(command: CommandUnknownOpts): object {
  const texts = { type: 'array', items: { type: 'string' } };
  const properties = Object.fromEntries(
    settable(command).map((option) => [keyOf(option), { description: option.description, ...typeOf(option) }]),
  );
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Configuration of reenact ${command.name()}`,
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      [argumentsKey]: { description: command.registeredArguments[0]?.description, ...texts },
      ...properties,
    },
  };
}

function typeOf(option: Option): JsonSchemaOf {
  if (option.isBoolean() || option.negate) return { type: 'boolean' };
  const one: JsonSchemaOf =
    option.argChoices === undefined ? schemaOf(option.parseArg) : { type: 'string', enum: option.argChoices };
  return option.variadic ? { type: 'array', items: one } : one;
}

import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Dictionary } from '../../engine/core/index.ts';
import type { DialectName } from '../../engine/index.ts';
import { type BotGroup, countBots, readGroup, triesDefault } from '../bots/index.ts';
import { playersDefault } from '../explore/index.ts';
import { type Duration, readDuration } from '../text/index.ts';
import { Failure } from './failure.ts';

const dialectNames = ['standard', 'moddio'] as const satisfies readonly DialectName[];

/** The options that a command declares, with the types of their values. */
export type OptionsOf<D extends () => Pick<CommandUnknownOpts, 'opts'>> = Settable<ReturnType<ReturnType<D>['opts']>>;
/** Programs may also pass false for a flag, and any name of a dialect, including those with `except`. */
type Settable<O> = {
  readonly [K in keyof O]: K extends 'dialect' ? DialectName : true extends O[K] ? boolean | O[K] : O[K];
};

export const fileHelp = 'game definition, plain or gzip; - for standard input';
const daySeconds = 24 * 3600;
export const weekSeconds = 7 * daySeconds;

/** Collects the values of a repeated option. */
export function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** The option for the bots of a play; it can be repeated for several groups. */
export function botsOption() {
  const unset: BotGroup[] = [{ count: 0 }];
  return new Option(
    '--bots <group>',
    'bots that join and play: a number, or winner:EXPR for a bot that plans ahead to maximise an expression (3:winner:EXPR for three); repeatable',
  )
    .default(unset, '0')
    .argParser((text, before: BotGroup[]): BotGroup[] => {
      const group = readGroup(text);
      const groups = group === undefined ? [] : [...(before === unset ? [] : before), group];
      if (group !== undefined && countBots(groups) <= botsMax) return groups;
      throw new InvalidArgumentError(`Expected a number, or [NUMBER:]winner:EXPRESSION, of at most ${botsMax} bots.`);
    });
}

export function triesOption() {
  return new Option(
    '--tries <number>',
    `number of plans that a winner bot compares for each decision (default: ${triesDefault})`,
  ).argParser(wholeNumber(1, 1000));
}

/** The option for the number of players of a play. */
export function playersOption() {
  return new Option('--players <range>', 'number of players in a run, such as 2 or 1..8')
    .argParser(playerRange)
    .default(playersDefault, playersDefault.join('..'));
}

/** The option `--for` of commands whose length can be a time or a number of ticks. */
export function lengthOption(description: string, otherwise: string, secondsMax = daySeconds) {
  const parse = (text: string): Duration => {
    const length = readDuration(text);
    if (length !== undefined && (!('seconds' in length) || length.seconds <= secondsMax)) return length;
    throw new InvalidArgumentError(`Expected a length such as 60s, 2min or 1200ticks, at most ${secondsMax}s.`);
  };
  return new Option('--for <length>', `${description}, such as 60s, 2min or 1200ticks`)
    .argParser(parse)
    .default(parse(otherwise), otherwise);
}

/** The option `--for` of commands whose length can only be a time. */
export function timeOption(description: string, otherwise: string) {
  return new Option('--for <time>', `${description}, such as 60s or 2min`)
    .argParser(secondsOfTime)
    .default(secondsOfTime(otherwise), otherwise);
}

/** The option for the number of threads. */
export function jobsOption() {
  return new Option('--jobs <number>', 'number of threads (default: one for each core)').argParser(wholeNumber(1, 64));
}

export function dialectOption() {
  return openDialectOption().default('standard' satisfies DialectName);
}

/** The dialect option without a default; `note` says which dialect applies if it is not given. */
export function openDialectOption(note?: string) {
  const text = 'which rules apply where the specification (standard) and the original engine (moddio) differ';
  return new Option('--dialect <name>', note === undefined ? text : `${text} (default: ${note})`).choices(dialectNames);
}

/** The option for exceptions, which become part of the dialect's name: see `withExceptions`. */
export function exceptOption() {
  const text = 'rules to take from the other dialect, separated by commas, such as lastKeyWins,dropsKeepHeldAngle';
  return new Option('--except <names>', text);
}

/**
 * Turns `--dialect moddio --except a,b` into the dialect `moddio except a, b`. Throws `Failure` for unknown exceptions,
 * and if `--except` is given without `--dialect`.
 */
export async function withExceptions(command: CommandUnknownOpts) {
  const { dialect, except } = command.opts() as { readonly dialect?: string; readonly except?: string };
  if (except === undefined) return;
  if (dialect === undefined) throw new Failure('bad-option', '--except needs --dialect.');
  const { dialectNamed, UsageError } = await import('../../engine/index.ts');
  try {
    command.setOptionValue('dialect', dialectNamed(`${dialect} except ${except}`).name);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new Failure(error.code, `${error.message} The differences are listed in docs/semantics.`);
  }
}

/** A JSON Schema for the value of an option in a configuration file. */
export type JsonSchemaOf = Dictionary;

type Parser<T> = (text: string) => T;

const schemas = new WeakMap<object, JsonSchemaOf>();

/** The schema of the values that a parser accepts; the schema of a string if the parser declares none. */
export function schemaOf(parser: object | undefined): JsonSchemaOf {
  return (parser && schemas.get(parser)) ?? { type: 'string' };
}

function described<T>(schema: JsonSchemaOf, parser: Parser<T>): Parser<T> {
  schemas.set(parser, schema);
  return parser;
}

/** Parses the value of an option as an integer from `least` to `most`. */
export function wholeNumber(least: number, most: number): Parser<number> {
  return described({ type: 'integer', minimum: least, maximum: most }, (text) =>
    numberOf(text, /^\d+$/, 'an integer', least, most),
  );
}

function numberOf(text: string, form: RegExp, noun: string, least: number, most: number) {
  const number = form.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return number;
  throw new InvalidArgumentError(`Expected ${noun} from ${least} to ${most}.`);
}

/** Parses several integers from `least` to `most`, separated by commas. */
export function wholeNumbers(least: number, most: number): Parser<number[]> {
  const one = wholeNumber(least, most);
  return (text) => text.split(',').map(one);
}

/** Parses a range of integers such as `1..8`, or a single integer. Throws `InvalidArgumentError` for anything else. */
function playerRange(text: string): readonly [least: number, most: number] {
  const [from, to, ...rest] = text.split('..').map(wholeNumber(1, botsMax));
  const range = [from!, to ?? from!] as const;
  if (rest.length === 0 && range[0] <= range[1]) return range;
  throw new InvalidArgumentError(`Expected a number or a range such as 1..8, between 1 and ${botsMax}.`);
}

/**
 * Parses a time such as `60s` or `2 min`, and returns it in seconds. Throws `InvalidArgumentError` for anything else.
 */
export function secondsOfTime(text: string): number {
  const time = readDuration(text);
  if (time !== undefined && 'seconds' in time && time.seconds > 0) return time.seconds;
  throw new InvalidArgumentError('Expected a time such as 60s or 2 min.');
}

/** Parses a decimal number from `least` to `most`. */
export function decimalNumber(least: number, most: number): Parser<number> {
  return described({ type: 'number', minimum: least, maximum: most }, (text) =>
    numberOf(text, /^\d+(\.\d*)?$|^\.\d+$/, 'a number', least, most),
  );
}

/** The maximum number of bots of a run. */
export const botsMax = 1000;

/** Options for the bots that play a game before it is debugged: the parser of each, and its default. */
export const debuggedPlay = {
  seconds: { read: decimalNumber(0, 24 * 3600), otherwise: 60 },
  bots: { read: wholeNumber(0, botsMax), otherwise: 4 },
} as const;
export const debugSeed = '0';

/** A command about a play: a recording, or a game that bots play first. */
export function playedCommand(name: string) {
  const { seconds, bots } = debuggedPlay;
  return new Command(name)
    .argument('<file>', 'game definition, or file written by reenact run --record')
    .option('--game <file>', 'game definition of a recording (default: the path recorded in it)')
    .addOption(lengthOption('how long bots play the game', `${seconds.otherwise}s`))
    .option('--bots <number>', 'number of bots that play the game', bots.read, bots.otherwise)
    .option('--seed <text>', 'seed of the run', debugSeed)
    .addOption(dialectOption())
    .addOption(exceptOption());
}

/**
 * Returns the path of an output file. Throws `InvalidArgumentError` for `-`, so that nothing runs before the mistake is
 * reported.
 */
export function outputFile(text: string): string {
  if (text !== '-') return text;
  throw new InvalidArgumentError('Expected a file name. For a file named "-", write ./-');
}

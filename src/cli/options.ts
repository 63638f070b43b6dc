import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DialectName } from '../../engine/index.ts';
import { readShard, type Shard, shardsMax } from '../run/shard.ts';
import type { ProtocolName } from '../server/protocols/index.ts';
import { AddressList } from '../server/session/limits.ts';
import { Failure } from './failure.ts';

const dialectNames = ['standard', 'moddio'] as const satisfies readonly DialectName[];

export function dialectOption(): Option {
  return openDialectOption().default('standard' satisfies DialectName);
}

/** Without a default of its own; `note` says what holds where nothing is given. */
export function openDialectOption(note?: string): Option {
  const text = 'who is right where the specification and the reference engines differ';
  return new Option('--dialect <name>', note === undefined ? text : `${text} (default: ${note})`).choices(dialectNames);
}

/** Becomes part of the name of the dialect: see `withExceptions`. */
export function exceptOption(): Option {
  const text =
    'differences that are played as in the other dialect, with commas between: lastKeyWins,dropsKeepHeldAngle';
  return new Option('--except <names>', text);
}

/** Makes `--dialect moddio --except a,b` the dialect `moddio except a, b`. */
export async function withExceptions(command: Command): Promise<void> {
  const { dialect, except } = command.opts<{ readonly dialect?: string; readonly except?: string }>();
  if (except === undefined) return;
  if (dialect === undefined) throw new Failure('bad-option', '--except goes with --dialect.');
  const { dialectNamed, UsageError } = await import('../../engine/index.ts');
  try {
    command.setOptionValue('dialect', dialectNamed(`${dialect} except ${except}`).name);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new Failure(error.code, `${error.message} They are listed in docs/semantics.`);
  }
}

/** Protocols of `serve`, by name; the server's own list is not loaded for the sake of the help. */
const protocolNames = ['reenact', 'moddio'] as const satisfies readonly ProtocolName[];

/** Several names, with spaces or commas between, or by several options. */
export function protocolOption(): Option {
  const option = new Option(
    '--protocol <names...>',
    'protocols that clients may speak; the first is for clients that request none',
  );
  const unset: ProtocolName[] = ['reenact'];
  return option
    .choices(protocolNames)
    .default(unset)
    .argParser((text, before: ProtocolName[]): ProtocolName[] => {
      const names = text.split(',').map((word) => {
        const name = protocolNames.find((each) => each === word.trim());
        if (name === undefined) throw new InvalidArgumentError(`Allowed choices are ${protocolNames.join(', ')}.`);
        return name;
      });
      return before === unset ? names : [...before, ...names];
    });
}

/** A parser of an option's text: a whole number from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Several of them, with commas between. */
export function wholeNumbers(least: number, most: number): (text: string) => number[] {
  const one = wholeNumber(least, most);
  return (text) => text.split(',').map(one);
}

/** The same with a fraction. */
export function decimalNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d+(\.\d*)?$|^\.\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`);
  };
}

export function shardOption(): Option {
  return new Option(
    '--shard <part>',
    'only one part of the work, such as 2/8; reenact merge puts the parts together',
  ).argParser((text): Shard => {
    const shard = readShard(text);
    if (shard !== undefined) return shard;
    throw new InvalidArgumentError(`Expected a part such as 2/8, of ${shardsMax} at most.`);
  });
}

/** A file that is written. `-` is refused before anything is played. */
export function outputFile(text: string): string {
  if (text !== '-') return text;
  throw new InvalidArgumentError('Expected the name of a file; for one that is called so: ./-');
}

/** The same, for an option that may be given several times. */
export function outputFiles(text: string, before: readonly string[] = []): string[] {
  return [...before, outputFile(text)];
}

/** The address of a WebSocket. */
export function webSocketUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['ws:', 'wss:'].includes(url.protocol)) {
    throw new InvalidArgumentError('Expected ws://… or wss://….');
  }
  return url.href;
}

/** Addresses and subnets of a list, one by one. */
export function addresses(text: string, before: string[] = []): string[] {
  try {
    new AddressList([text]);
  } catch {
    throw new InvalidArgumentError('Expected an address or a subnet, such as 192.0.2.1 or 10.0.0.0/8.');
  }
  return [...before, text];
}

/** Sites as browsers name them, one by one; `*` for all. */
export function origins(text: string, before: string[] = []): string[] {
  if (text === '*') return [...before, text];
  const [, site] = /^([a-z][a-z\d+.-]*:\/\/[^/?#@\s]+)\/?$/.exec(text.toLowerCase()) ?? [];
  if (site === undefined || !URL.canParse(site)) {
    throw new InvalidArgumentError('Expected a site such as https://play.example.org, or *.');
  }
  const { origin } = new URL(site);
  // Of other schemes than those of the web there is no standard form.
  return [...before, origin === 'null' ? site : origin];
}

/** Names of hosts as browsers send them, one by one; `*` for any. */
export function hostNames(text: string, before: string[] = []): string[] {
  if (text === '*') return [...before, text];
  const isName = /^[^\s/:?#@[\]]+$/.test(text) && URL.canParse(`http://${text}`);
  if (!isName) throw new InvalidArgumentError('Expected the name of a host such as play.example.org, or *.');
  return [...before, new URL(`http://${text}`).hostname];
}

/** Hosts of a list, one by one, with a port or without. */
export function hosts(text: string, before: string[] = []): string[] {
  const isHost = /^(\[[\da-f:.]+\]|[^\s/:?#@[\]]+)(:\d+)?$/i.test(text) && URL.canParse(`http://${text}`);
  if (!isHost) throw new InvalidArgumentError('Expected a host such as api.example.org or api.example.org:8443.');
  return [...before, text.toLowerCase()];
}

import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { AddressList, type ProtocolName, type Quota } from '../../server/index.ts';
import { readDuration } from '../../text/index.ts';

/** The protocols of `serve`. Repeated here so that `--help` need not load the server. */
const protocolNames = ['reenact', 'moddio'] as const satisfies readonly ProtocolName[];

/** An option for several names, separated by spaces or commas, or given by repeating the option. */
export function protocolOption() {
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

/**
 * Parses the value of an option as a time such as `150ms` of at most `most` ms, and returns it in ms. Throws
 * `InvalidArgumentError` for anything else.
 */
export function milliseconds(most: number) {
  return (text: string) => {
    const duration = readDuration(text);
    const ms = duration !== undefined && 'seconds' in duration ? duration.seconds * 1000 : NaN;
    if (ms <= most) return ms;
    throw new InvalidArgumentError(`Expected a time such as 150ms, at most ${most}ms.`);
  };
}

const quotaUnits = { rooms: 1, memory: 1024 * 1024, cores: 1 } as const;

/**
 * Checks a quota such as `rooms=20,memory=500,cores=1.5`. Throws `InvalidArgumentError` if it is not one. The value
 * remains a string, so that settings are shown as they were given.
 */
export function quota(text: string): string {
  quotaOf(text);
  return text;
}

export function quotaOf(text: string): Partial<Quota> {
  const parts = new Map(
    text.split(',').map((part) => {
      const [, name, number] = /^(rooms|memory|cores)=(\d+(?:\.\d+)?)$/.exec(part) ?? [];
      const isWhole = name !== 'rooms' || Number.isInteger(Number(number));
      if (name === undefined || Number(number) <= 0 || !isWhole) {
        throw new InvalidArgumentError('Expected a quota such as rooms=20,memory=500,cores=1.5.');
      }
      return [name === 'memory' ? 'stateBytes' : name, Number(number) * quotaUnits[name as keyof typeof quotaUnits]];
    }),
  );
  return Object.fromEntries(parts);
}

/**
 * Parses a WebSocket URL. Throws `InvalidArgumentError` for other URLs, and for hosts that clients cannot connect to
 * (0.0.0.0, [::]).
 */
export function webSocketUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['ws:', 'wss:'].includes(url.protocol)) {
    throw new InvalidArgumentError('Expected a WebSocket URL: ws://… or wss://….');
  }
  if (['0.0.0.0', '[::]'].includes(url.hostname)) {
    throw new InvalidArgumentError(`Others cannot connect to ${url.hostname}. Give the address of this machine.`);
  }
  return url.href;
}

/** Collects the IP addresses and subnets of a repeated option. Throws `InvalidArgumentError` for anything else. */
export function addresses(text: string, before: string[] = []): string[] {
  try {
    new AddressList([text]);
  } catch {
    throw new InvalidArgumentError('Expected an address or a subnet, such as 192.0.2.1 or 10.0.0.0/8.');
  }
  return [...before, text];
}

/**
 * Collects the origins of a repeated option, in the form that browsers use; `*` stands for all. Throws
 * `InvalidArgumentError` for anything else.
 */
export function origins(text: string, before: string[] = []): string[] {
  if (text === '*') return [...before, text];
  const [, site] = /^([a-z][a-z\d+.-]*:\/\/[^/?#@\s]+)\/?$/.exec(text.toLowerCase()) ?? [];
  if (site === undefined || !URL.canParse(site)) {
    throw new InvalidArgumentError('Expected an origin such as https://play.example.org, or *.');
  }
  const { origin, protocol } = new URL(site);
  // Pages of apps have schemes of their own, such as capacitor://localhost, whose origins have no standard form.
  if (origin === 'null') return [...before, site];
  if (/^https?:$/.test(protocol)) return [...before, origin];
  throw new InvalidArgumentError(
    `Pages cannot have an origin that starts with ${protocol}//. Expected an origin such as https://play.example.org.`,
  );
}

/**
 * Collects the host names of a repeated option, in the form that browsers send; `*` stands for any. Throws
 * `InvalidArgumentError` for anything else.
 */
export function hostNames(text: string, before: string[] = []): string[] {
  if (text === '*') return [...before, text];
  const isName = /^[^\s/:?#@[\]]+$/.test(text) && URL.canParse(`http://${text}`);
  if (!isName) throw new InvalidArgumentError('Expected a host name such as play.example.org, or *.');
  return [...before, new URL(`http://${text}`).hostname];
}

/** Collects the hosts of a repeated option, with or without a port. Throws `InvalidArgumentError` for anything else. */
export function hosts(text: string, before: string[] = []): string[] {
  const isHost = /^(\[[\da-f:.]+\]|[^\s/:?#@[\]]+)(:\d+)?$/i.test(text) && URL.canParse(`http://${text}`);
  if (!isHost) throw new InvalidArgumentError('Expected a host such as api.example.org or api.example.org:8443.');
  return [...before, text.toLowerCase()];
}

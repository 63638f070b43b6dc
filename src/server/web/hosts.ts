import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { messageOf } from '../../../engine/core/index.ts';
import { ServerError } from '../../cluster/index.ts';

/** `any`, or the accepted host names in lower case. IP addresses and `localhost` are always accepted. */
export type HostRule = 'any' | readonly string[];

interface Listening {
  /** The address that the server listens on. */
  readonly host: string;
  readonly trustProxy: boolean;
  readonly hostNames?: HostRule | undefined;
  /** The URL of this process for clients. */
  readonly publicUrl?: string | undefined;
}

/**
 * Completes the operator's rule. By default, a server on the loopback accepts only the names of the local machine. A
 * server behind a proxy accepts any name, because the proxy checks names; so does a server that listens on a network,
 * because it cannot know its own name.
 */
export function hostRuleOf({ host, trustProxy, hostNames, publicUrl }: Listening): HostRule {
  const rule = hostNames ?? (isLoopback(host) && !trustProxy ? [] : 'any');
  return rule === 'any' || publicUrl === undefined ? rule : [...rule, new URL(publicUrl).hostname];
}

/**
 * Whether the Host header of a request names this server. This check protects against DNS rebinding: after a page was
 * loaded, the owner of its host name can make that name resolve to this machine. The browser then treats this server as
 * the page's own and sends no foreign origin, but the Host header still has the page's name. IP addresses and
 * `localhost` cannot be rebound.
 */
export function isHostAllowed({ headers }: Pick<IncomingMessage, 'headers'>, rule: HostRule): boolean {
  if (rule === 'any' || headers.host === undefined) return true;
  const [, address, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(headers.host) ?? [];
  if (address !== undefined) return isIP(address) === 6;
  const plain = name.toLowerCase().replace(/\.$/, '');
  return isIP(plain) === 4 || plain === 'localhost' || plain.endsWith('.localhost') || rule.includes(plain);
}

/** The name in a Host header, without the port. */
export function nameOfHost(host: string): string {
  return host.replace(/:\d*$/, '');
}

/**
 * Whether a request has more than one Host header. Such a request is refused: a proxy may have checked another of its
 * Host headers than this server reads.
 */
export function hasSeveralHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length > 1;
}
export const severalHosts = 'The request has more than one Host header.';

/**
 * The URL at which other processes reach a server that listens on this address: `ws://HOST:PORT`. If the server listens
 * on all addresses, the URL contains the first address of the machine on its network.
 */
export function insideUrlOf(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::' || host === '';
  const address = isAny ? outerAddress() : host;
  return `ws://${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
}

function outerAddress() {
  let networks: NetworkInterfaceInfo[];
  try {
    networks = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  } catch (error) {
    // Listing the network interfaces fails, for example, in a sandbox without AF_NETLINK.
    const message = messageOf(error);
    throw new ServerError(
      'bad-listen',
      `The addresses of this machine cannot be read: ${message} Give an address with --host.`,
    );
  }
  const outer = networks.filter(({ internal }) => !internal);
  const found = outer.find(({ family }) => family === 'IPv4') ?? outer.find(({ scopeid }) => !scopeid);
  return found?.address ?? '127.0.0.1';
}

function isLoopback(host: string) {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

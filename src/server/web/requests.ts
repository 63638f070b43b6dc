import type { IncomingMessage, Server } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Observer } from '../../cluster/index.ts';
import type { Clock } from '../../machine/index.ts';
import { TokenBucket } from '../../net/index.ts';
import { networkOf, plainAddress } from '../session/addresses.ts';
import type { HostRule } from './hosts.ts';

/** `any`, or the accepted origins in addition to the server's own. */
export type OriginRule = 'any' | readonly string[];

/**
 * Whether the Origin header of a request is allowed: pages of other sites must not act on behalf of their visitors.
 * Programs other than browsers send no such header.
 */
export function isOriginAllowed({ headers }: Pick<IncomingMessage, 'headers'>, rule: OriginRule): boolean {
  const { origin, host } = headers;
  if (rule === 'any' || origin === undefined || rule.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Logs a page that was refused, with the option that would allow it. */
type OnForeignPage = (option: 'origin' | 'host-name', name: string) => void;

/** Rules that decide which pages may use a server. */
export interface PageRules {
  readonly hosts: HostRule;
  readonly origins: OriginRule;
  readonly onForeignPage: OnForeignPage;
  readonly trustProxy: boolean;
}

/** The rate at which the log names refused pages. It is limited, because a client can send any number of names. */
const namedPages = { size: 20, perSecond: 0.1 };
const namedPagesMax = 1000;
const nameUnitsMax = 256;

/** Logs each refused page once. */
export function foreignPages(observer: Pick<Observer, 'event'>, clock: Clock): OnForeignPage {
  const named = new Set<string>();
  const bucket = new TokenBucket(namedPages, clock.now());
  return (option, name) => {
    const shown = name.slice(0, nameUnitsMax);
    if (named.has(shown) || !bucket.spend(1, clock.now())) return;
    if (named.size >= namedPagesMax) named.clear();
    named.add(shown);
    // Files and sandboxed frames have the origin `null`, which can be allowed only together with all others.
    observer.event('page-refused', { [option]: shown, allow: `--${option} ${shown === 'null' ? '*' : shown}` });
  };
}

/** The client's IP address, for limits and bans. Behind a trusted proxy, it is taken from `X-Forwarded-For`. */
export function addressOf(request: Pick<IncomingMessage, 'headers' | 'socket'>, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  // The trusted proxy appends the address that it saw, so only the last entry can be trusted.
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded)?.split(',').at(-1)?.trim();
  const named = plainAddress(withoutPort(last ?? ''));
  // Some proxies write `unknown`. Without this check, each such string would count as a separate client.
  return isIP(named) === 0 ? plainAddress(request.socket.remoteAddress ?? '') : named;
}

/** Removes the port that some proxies append; otherwise each connection would count as a separate client. */
function withoutPort(entry: string) {
  const [, inBrackets, plain] = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(entry) ?? [];
  return inBrackets ?? plain ?? entry;
}

/**
 * Closes connections beyond `most` from one network before reading from them. Otherwise, idle connections could use up
 * all file descriptors of the process. Returns a function that exempts a connection from the limit.
 */
export function limitConnections(
  server: Server,
  most: number,
  isTrusted: (address: string) => boolean,
): (socket: Duplex) => void {
  const counted = new WeakMap<Duplex, () => void>();
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = addressOf({ headers: {}, socket }, false);
    if (isTrusted(address)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    const discount = () => {
      if (!counted.delete(socket)) return;
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    };
    counted.set(socket, discount);
    socket.once('close', discount);
  });
  return (socket) => counted.get(socket)?.();
}

/** Whether the client accepts gzip. */
export function takesGzip({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const codings = String(headers['accept-encoding'] ?? '').split(',');
  return codings.some((coding) => /^\s*gzip\s*(;|$)/i.test(coding) && !/;\s*q=0(\.0*)?\s*$/i.test(coding));
}

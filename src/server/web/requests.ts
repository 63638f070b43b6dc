import type { IncomingMessage, Server } from 'node:http';
import { networkOf } from '../session/limits.ts';

/** `any`; or those of the server's own host and the ones named. */
export type OriginRule = 'any' | readonly string[];

/** A page of another site may not act for its visitors; programs that are no pages name no origin. */
export function isOriginAllowed({ headers }: Pick<IncomingMessage, 'headers'>, rule: OriginRule): boolean {
  const { origin, host } = headers;
  if (rule === 'any' || origin === undefined) return true;
  if (rule.includes(origin)) return true;
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}

/** The address that limits and bans go by; that of the proxy's client where a proxy is trusted to say it. */
export function addressOf(request: Pick<IncomingMessage, 'headers' | 'socket'>, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  // The last entry is the one that the trusted proxy has added.
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded)?.split(',').at(-1)?.trim();
  const address = last === undefined || last === '' ? (request.socket.remoteAddress ?? '') : withoutPort(last);
  // One client of two kinds of addresses is one client.
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/** Some proxies say the port, too: with it each connection would be a client of its own. */
function withoutPort(entry: string): string {
  const [, inBrackets, plain] = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(entry) ?? [];
  return inBrackets ?? plain ?? entry;
}

/**
 * Closes connections beyond so many of one network, before anything is read of them. Connections that send nothing could otherwise take all files
 * that the process may open.
 */
export function limitConnections(server: Server, most: number, isTrusted: (address: string) => boolean): void {
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
    socket.once('close', () => {
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/** Whether the answer may be packed. */
export function takesGzip({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const codings = String(headers['accept-encoding'] ?? '').split(',');
  return codings.some((coding) => /^\s*gzip\s*(;|$)/i.test(coding) && !/;\s*q=0(\.0*)?\s*$/i.test(coding));
}

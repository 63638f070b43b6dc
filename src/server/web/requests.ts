import type { IncomingMessage } from 'node:http';

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
  const address = last === undefined || last === '' ? (request.socket.remoteAddress ?? '') : last;
  // One client of two kinds of addresses is one client.
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '');
}

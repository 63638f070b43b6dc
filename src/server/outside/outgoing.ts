import { lookup as resolve } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Dictionary, defined } from '../../../engine/core/index.ts';
import { AddressList, plainAddress } from '../session/addresses.ts';

/** The limits of one request. */
export interface OutgoingLimits {
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /** Whether requests may be sent to private networks. */
  readonly allowPrivate?: boolean | undefined;
}

const requestBytesMax = 64 * 1024;

/**
 * The networks that are not public: this machine, private networks and multicast; for IPv6, everything outside
 * 2000::/3, and all addresses that contain an IPv4 address. Each family has a list of its own, because an IPv4 address
 * would otherwise match an IPv6 network through its mapped form.
 */
const closed = {
  4: new AddressList(
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3'.split(
      ' ',
    ),
  ),
  6: new AddressList('::/3 4000::/2 8000::/1 2001::/23 2002::/16'.split(' ')),
};

/** Whether an IP address is public. IPv4-mapped IPv6 addresses count as IPv4. */
export function isPublicAddress(given: string): boolean {
  const version = isIP(plainAddress(given)) as 0 | 4 | 6;
  return version !== 0 && !closed[version].has(given);
}

export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly type: string | undefined;
  readonly body: string | undefined;
  /** Headers in addition to the standard ones. */
  readonly headers?: Dictionary<string> | undefined;
}

/** Sends a request and returns the body of a successful response. Does not follow redirects. */
export function fetchBody(
  target: URL,
  { method, type, body, headers: more }: Outgoing,
  { timeoutMs, answerBytesMax, allowPrivate = false }: OutgoingLimits,
): Promise<string> {
  if (body !== undefined && body.length > requestBytesMax)
    return Promise.reject(new Error('The request is too large.'));
  const host = target.hostname.replace(/^\[|\]$/g, '');
  // If the host is an IP address, there is no lookup, so the address is checked here.
  if (isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host)) {
    return Promise.reject(new Error('The address belongs to a private network.'));
  }
  // The result of the lookup itself is checked, so that a name cannot resolve to another address after the check.
  const lookup: LookupFunction = (name, options, callback) => {
    const done = callback as (error: Error | null, address: unknown, family?: number) => void;
    resolve(name, { ...options, all: true }, (error, found) => {
      const open = error === null ? found.filter(({ address }) => allowPrivate || isPublicAddress(address)) : [];
      const problem = error ?? (open.length === 0 ? new Error('The name resolves to a private network.') : null);
      if (problem !== null || options.all === true) done(problem, open);
      else done(null, open[0]!.address, open[0]!.family);
    });
  };
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolveBody, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = {
      accept: 'application/json, text/plain, */*',
      'user-agent': 'reenact',
      ...defined({ 'content-type': type }),
      ...more,
    };
    const request = send(target, { method, lookup, signal, headers, agent: false }, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode < 200 || statusCode >= 300) {
        response.destroy();
        reject(new Error(`The response has the status ${statusCode}.`));
        return;
      }
      let text = '';
      let length = 0;
      response.on('data', (part: Buffer) => {
        length += part.length;
        if (length > answerBytesMax) {
          response.destroy();
          reject(new Error(`The response is larger than ${answerBytesMax} bytes.`));
        } else text += part.toString('latin1');
      });
      response.on('end', () => resolveBody(Buffer.from(text, 'latin1').toString('utf8')));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

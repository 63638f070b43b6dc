import { lookup as resolve } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { OutputEvent } from '../../engine/index.ts';
import type { Observer } from './base/observer.ts';
import type { Room } from './lobby/room.ts';

export interface WebOptions {
  /** Names of hosts that games may ask, with a port where it is not that of the protocol. None: no game reaches the network. */
  readonly allowed: readonly string[];
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  readonly atOnceMax: number;
  /** For tests, whose hosts are here. */
  readonly allowPrivate?: boolean | undefined;
}

export const defaultWeb: Omit<WebOptions, 'allowed'> = {
  timeoutMs: 10_000,
  answerBytesMax: 256 * 1024,
  atOnceMax: 32,
};

const requestBytesMax = 64 * 1024;

/** Addresses of this machine, of its networks, and of what answers no single host. */
const closed = new BlockList();
const closedSubnets = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const;
for (const [subnet, bits] of closedSubnets) closed.addSubnet(subnet, bits, 'ipv4');
for (const [subnet, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
  ['2002::', 16],
] as const) {
  closed.addSubnet(subnet, bits, 'ipv6');
}

/** Whether an address is one that a game may reach. IPv4 addresses written as IPv6 are those. */
export function isPublicAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isPublicAddress(mapped);
  const family = isIP(address);
  return family !== 0 && !/^::ffff:/i.test(address) && !closed.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** What a game asks: as the output event `http` says. */
interface Asked {
  readonly op?: unknown;
  readonly url?: unknown;
  readonly body?: unknown;
  readonly options?: unknown;
  readonly requestId?: unknown;
}

/**
 * Asks the web for games: only hosts that the operator has named, no address of a private network whatever a name resolves to, no redirection,
 * and no more than so many bytes and so long.
 */
export class WebRequests {
  private readonly options: WebOptions;
  private readonly observer: Observer;
  private atOnce = 0;

  constructor(options: WebOptions, observer: Observer) {
    this.options = options;
    this.observer = observer;
  }

  /** The answer has no body where there is none. */
  ask(room: Room, event: OutputEvent, answer: (requestId: number, body: unknown) => void): void {
    const { op, url, body, options, requestId } = event as OutputEvent & Asked;
    if (typeof requestId !== 'number') return;
    const about = { room: room.identity.id };
    const target = this.targetOf(url);
    if (target === undefined || op === 'securePost' || this.atOnce >= this.options.atOnceMax) {
      const host = typeof url === 'string' && URL.canParse(url) ? new URL(url).host : '';
      this.observer.problem('http-refused', `A request to "${host}" is not allowed.`, about);
      answer(requestId, undefined);
      return;
    }
    this.atOnce++;
    fetchBody(target, requestOf(op, body, options), this.options)
      .then((text) => answer(requestId, op === 'post' ? jsonOrNothing(text) : text))
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        this.observer.problem('http-failed', `${target.host}: ${message}`, about);
        answer(requestId, undefined);
      })
      .finally(() => this.atOnce--);
  }

  private targetOf(url: unknown): URL | undefined {
    if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
    const target = new URL(url);
    if (target.protocol !== 'https:' && target.protocol !== 'http:') return undefined;
    return this.options.allowed.includes(target.host) && target.username === '' ? target : undefined;
  }
}

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly type: string | undefined;
  readonly body: string | undefined;
}

function requestOf(op: unknown, body: unknown, options: unknown): Sent {
  // The older action sends the members of its text as a form.
  if (op === 'post') return { method: 'POST', ...formOf(body) };
  const { method, form, json, body: content } = (options ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof method === 'string' && method.toUpperCase() === 'GET') {
    return { method: 'GET', type: undefined, body: undefined };
  }
  if (form !== undefined) return { method: 'POST', ...formOf(form) };
  const value = typeof json === 'object' && json !== null ? json : (content ?? {});
  return { method: 'POST', type: 'application/json', body: textOf(value) };
}

function formOf(value: unknown): Pick<Sent, 'type' | 'body'> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const form = new URLSearchParams(members.map(([key, member]): [string, string] => [key, textOf(member)]));
  return { type: 'application/x-www-form-urlencoded', body: form.toString() };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function fetchBody(
  target: URL,
  { method, type, body }: Sent,
  { timeoutMs, answerBytesMax, allowPrivate = false }: WebOptions,
): Promise<string> {
  if (body !== undefined && body.length > requestBytesMax)
    return Promise.reject(new Error('The request is too large.'));
  const host = target.hostname.replace(/^\[|\]$/g, '');
  // A host that is an address is not looked up.
  if (isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host)) {
    return Promise.reject(new Error('The address is of a private network.'));
  }
  // Looked up and checked at once, so that a name cannot resolve to one address when it is checked and to another when it is used.
  const lookup: LookupFunction = (name, options, callback) => {
    const done = callback as (error: Error | null, address: unknown, family?: number) => void;
    resolve(name, { ...options, all: true }, (error, found) => {
      const open = error === null ? found.filter(({ address }) => allowPrivate || isPublicAddress(address)) : [];
      const problem = error ?? (open.length === 0 ? new Error('The name is of a private network.') : null);
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
      ...(type === undefined ? {} : { 'content-type': type }),
    };
    const request = send(target, { method, lookup, signal, headers, agent: false }, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode < 200 || statusCode >= 300) {
        response.destroy();
        reject(new Error(`The answer's status is ${statusCode}.`));
        return;
      }
      let text = '';
      let length = 0;
      response.on('data', (part: Buffer) => {
        length += part.length;
        if (length > answerBytesMax) {
          response.destroy();
          reject(new Error(`The answer is larger than ${answerBytesMax} bytes.`));
        } else text += part.toString('latin1');
      });
      response.on('end', () => resolveBody(Buffer.from(text, 'latin1').toString('utf8')));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

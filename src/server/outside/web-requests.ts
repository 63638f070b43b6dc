import { type Dictionary, guardJson, isObject, messageOf } from '../../../engine/core/index.ts';
import type { OutputEvent } from '../../../engine/index.ts';
import type { Observer } from '../../cluster/index.ts';
import type { RoomEntry } from '../lobby/room.ts';
import { fetchBody, type Outgoing, type OutgoingLimits } from './outgoing.ts';
import type { Endpoint } from './platform.ts';

export interface WebOptions extends OutgoingLimits {
  /**
   * The host names to which games may send requests, with the port unless it is the default of the protocol. An empty
   * list denies games all network access.
   */
  readonly allowed: readonly string[];
  /** The maximum number of concurrent requests. */
  readonly atOnceMax: number;
  /** The endpoints for requests with credentials, by the id that games use. */
  readonly credentials?: ReadonlyMap<string, Endpoint> | undefined;
}

const defaultPorts: Dictionary<string> = { 'http:': '80', 'https:': '443' };

export const defaultWeb: Omit<WebOptions, 'allowed' | 'credentials'> = {
  timeoutMs: 10_000,
  answerBytesMax: 256 * 1024,
  atOnceMax: 32,
};

type HttpEvent = OutputEvent<'http'>;

/**
 * Makes web requests for games: only to hosts that the operator allows, never to private networks (whatever a name
 * resolves to), without following redirects, and with limits on size and time.
 */
export class WebRequests {
  private atOnce = 0;

  constructor(
    private readonly options: WebOptions,
    private readonly observer: Observer,
  ) {}

  /** Makes the request of an event. `answer` is called with an undefined body if there is no usable answer. */
  ask(room: RoomEntry, event: HttpEvent, answer: (requestId: number, body: unknown) => void) {
    const { op, requestId } = event;
    if (requestId === undefined) return;
    const about = { room: room.identity.id };
    const asked = op === 'securePost' ? this.secureOf(event) : this.openOf(event);
    if (asked === undefined || this.atOnce >= this.options.atOnceMax) {
      this.observer.problem('http-refused', asked === undefined ? refusalOf(event) : tooManyPending, about);
      answer(requestId, undefined);
      return;
    }
    const { target, request, limits } = asked;
    this.atOnce++;
    fetchBody(target, request, limits)
      .then((text) => answer(requestId, op === 'request' ? text : jsonIn(text, op === 'post' ? undefined : text)))
      .catch((error: unknown) => {
        const message = messageOf(error);
        this.observer.problem('http-failed', `The request to ${target.host} failed: ${message}`, about);
        answer(requestId, undefined);
      })
      .finally(() => this.atOnce--);
  }

  private openOf({ url, op, body, options }: HttpEvent) {
    const target = this.targetOf(url);
    return target && { target, request: requestOf(op, body, options), limits: this.options };
  }

  /**
   * A request with credentials, which goes to the operator's URL with the operator's headers. The game learns neither.
   */
  private secureOf({ credentialsId, body }: HttpEvent) {
    const endpoint = credentialsId === undefined ? undefined : this.options.credentials?.get(credentialsId);
    if (endpoint === undefined) return undefined;
    const { url, headers } = endpoint;
    const request: Outgoing = { method: 'POST', type: 'application/json', body: textOf(body ?? {}), headers };
    return { target: url, request, limits: { ...this.options, allowPrivate: true } };
  }

  private targetOf(url: string | undefined): URL | undefined {
    if (url === undefined || !URL.canParse(url)) return undefined;
    const target = new URL(url);
    if (target.protocol !== 'https:' && target.protocol !== 'http:') return undefined;
    const { allowed } = this.options;
    const port = target.port === '' ? defaultPorts[target.protocol] : target.port;
    const isAllowed = allowed.includes(target.host) || allowed.includes(`${target.hostname}:${port}`);
    return isAllowed && target.username === '' && target.password === '' ? target : undefined;
  }
}

const tooManyPending = 'Too many requests from games are pending.';

function refusalOf({ op, url }: HttpEvent) {
  if (op === 'securePost') return 'A script used credentials that the platform file does not define.';
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : '';
  return host === '' ? 'A script requested an invalid URL.' : `The host ${host} is not in --allow-http.`;
}

function requestOf(op: unknown, body: unknown, options: unknown): Outgoing {
  // The action `post`, the older of the two, sends the members of its object as form fields.
  if (op === 'post') return { method: 'POST', ...formOf(body) };
  const { method, form, json, body: content } = (options ?? {}) as Dictionary;
  if (typeof method === 'string' && method.toUpperCase() === 'GET') {
    return { method: 'GET', type: undefined, body: undefined };
  }
  if (form !== undefined) return { method: 'POST', ...formOf(form) };
  const value = isObject(json) ? json : (content ?? {});
  return { method: 'POST', type: 'application/json', body: textOf(value) };
}

function formOf(value: unknown): Pick<Outgoing, 'type' | 'body'> {
  const members = isObject(value) ? Object.entries(value) : [];
  const form = new URLSearchParams(members.map(([key, member]): [string, string] => [key, textOf(member)]));
  return { type: 'application/x-www-form-urlencoded', body: form.toString() };
}

function textOf(value: unknown) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function jsonIn(text: string, otherwise: unknown): unknown {
  // Values that are nested too deeply cannot be sent to the thread of a room.
  if (guardJson(text).refusal !== undefined) return otherwise;
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

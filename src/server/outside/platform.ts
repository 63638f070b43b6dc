import { type Dictionary, defined, isObject, isRecord, messageOf } from '../../../engine/core/index.ts';
import { isInput } from '../../../engine/index.ts';
import { type Observer, ServerError } from '../../cluster/index.ts';
import { type Machine, pause, randomDigits } from '../../machine/index.ts';
import {
  anyOf,
  checkAgainst,
  type Infer,
  object,
  optional,
  record,
  type Schema,
  string,
  validate,
} from '../../schema/index.ts';
import { readSecretFile } from '../base/secret-file.ts';
import type { RoomEntry } from '../lobby/room.ts';
import type { PlatformInput, PlatformRequest } from '../room/room-messages.ts';
import type { ChatFilter } from '../session/chat-filter.ts';
import { fetchBody } from './outgoing.ts';

/** The URL and headers of requests. */
export interface Endpoint {
  readonly url: URL;
  readonly headers: Dictionary<string>;
}

/** The endpoints of the operator's platform. */
export interface PlatformOptions {
  /** The endpoint that shows an advertisement. */
  readonly ads?: Endpoint | undefined;
  /** The endpoint that transfers coins. */
  readonly coins?: Endpoint | undefined;
  /** The endpoint that checks chat messages. */
  readonly chat?: Endpoint | undefined;
  /** The endpoints for games' requests with credentials, by the id that games use. */
  readonly credentials: ReadonlyMap<string, Endpoint>;
}

const webUrl: Schema<string> = {
  ...string(),
  [validate]: (value) =>
    URL.canParse(value as string) && /^https?:$/.test(new URL(value as string).protocol)
      ? undefined
      : 'Must be an http: or https: URL.',
};
const endpoint = anyOf([webUrl, object({ url: webUrl, headers: optional(record(string())) })]);
const platformFile = object({
  ads: optional(endpoint),
  coins: optional(endpoint),
  chat: optional(endpoint),
  credentials: optional(record(endpoint)),
});

/** The timeout of a request, ms. It is long, because watching an advertisement takes time. */
const timeoutMs = 120_000;
const answerBytesMax = 4096;
const filterMs = 2000;
const attemptsMax = 3;
const retryMs = 1000;

/**
 * Makes games' requests to the operator's platform. A request without an answer is repeated with the same idempotency
 * key, so that the platform performs it only once. An answer without a result means that the result will follow by
 * `POST /rooms/:id/results`.
 */
export class Platform {
  constructor(
    private readonly options: PlatformOptions,
    private readonly observer: Observer,
    private readonly machine: Pick<Machine, 'clock' | 'random'>,
  ) {}

  /**
   * Makes a request for a game. `answer` receives the result and the idempotency key, so that the result is delivered
   * only once. It is not called if the operator has configured no endpoint for the request, or if the platform gives no
   * result.
   */
  async ask(
    room: RoomEntry,
    request: PlatformRequest,
    answer: (input: PlatformInput, key: string) => void,
  ): Promise<void> {
    const endpoint = request.kind === 'ad' ? this.options.ads : this.options.coins;
    if (endpoint === undefined) return;
    const { id, slug } = room.identity;
    const { player } = request;
    const userId = room.seats.get(player)?.userId;
    const key = randomDigits(this.machine, 16);
    const body = JSON.stringify({ ...request, room: id, game: slug, ...defined({ userId }) });
    for (let attempt = 1; ; attempt++) {
      try {
        const headers = { ...endpoint.headers, 'idempotency-key': key };
        const text = await post({ url: endpoint.url, headers }, body, timeoutMs);
        const answered = text === '' ? undefined : (JSON.parse(text) as unknown);
        if (answered === undefined || (isObject(answered) && !('result' in answered))) return;
        const input = platformInput({ ...(answered as object), kind: `${request.kind}Result`, player });
        if (input === undefined) throw new Error('The response is not a valid result.');
        answer(input, key);
        return;
      } catch (error) {
        const message = messageOf(error);
        this.observer.problem('platform-failed', `The request to ${endpoint.url.host} failed: ${message}`, {
          room: id,
          kind: request.kind,
          attempt,
        });
        if (attempt === attemptsMax) return;
        await pause(this.machine.clock, retryMs * 2 ** attempt);
      }
    }
  }
}

/** A filter that asks the platform about each chat message; undefined if the platform has none. */
export function platformFilter({ chat }: PlatformOptions): ChatFilter | undefined {
  if (chat === undefined) return undefined;
  return async (message) => {
    const answer = await post(chat, JSON.stringify({ kind: 'chat', ...message }), filterMs);
    const { result, text } = JSON.parse(answer) as Record<string, unknown>;
    if (result === 'refuse') return undefined;
    if (result === 'publish' && (text === undefined || typeof text === 'string')) return text ?? message.text;
    throw new Error('The response is not a valid result.');
  };
}

function post({ url, headers }: Endpoint, body: string, timeoutMs: number): Promise<string> {
  const sent = { method: 'POST', type: 'application/json', body, headers } as const;
  return fetchBody(url, sent, { timeoutMs, answerBytesMax, allowPrivate: true });
}

/** A result of the platform as an input; undefined if it is invalid. */
export function platformInput(given: unknown): PlatformInput | undefined {
  if (!isRecord(given)) return undefined;
  const { kind, player, result, coins } = given;
  if (kind !== 'adResult' && kind !== 'coinsResult') return undefined;
  const hasCoins = kind === 'coinsResult' && coins !== undefined;
  const input: unknown = { kind, player, result, ...(hasCoins && { coins }) };
  return isInput(input) ? (input as PlatformInput) : undefined;
}

/**
 * Reads the operator's file: JSON with `ads`, `coins`, `chat` and `credentials` (by id). Each endpoint is a URL, or an
 * object with `url` and `headers`. Rejects with `ServerError`.
 */
export async function readPlatform(path: string, { disk }: Pick<Machine, 'disk'>): Promise<PlatformOptions> {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder().decode(await readSecretFile(disk, path)));
  } catch (error) {
    if (error instanceof ServerError) throw error;
    throw new ServerError('bad-platform', `${path}: ${messageOf(error)}`);
  }
  checkAgainst(platformFile, content, [], (place, message) => {
    // The message does not quote the value, because it may be a secret.
    throw new ServerError('bad-platform', `${path}: /${place.join('/')}: ${message.replace(/; found .*/s, '.')}`);
  });
  const { ads, coins, chat, credentials = {} } = content as Infer<typeof platformFile>;
  return {
    ads: endpointOf(ads),
    coins: endpointOf(coins),
    chat: endpointOf(chat),
    credentials: new Map(Object.entries(credentials).map(([id, given]) => [id, endpointOf(given)!])),
  };
}

function endpointOf(given: Infer<typeof endpoint> | undefined): Endpoint | undefined {
  if (given === undefined) return undefined;
  const { url, headers = {} } = typeof given === 'string' ? { url: given } : given;
  return { url: new URL(url), headers };
}

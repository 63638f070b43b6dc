import { isInput } from '../../../engine/index.ts';
import { ServerError } from '../base/codes.ts';
import type { Observer } from '../base/observer.ts';
import { readSecretFile } from '../base/secret-file.ts';
import type { RoomEntry } from '../lobby/room.ts';
import type { Machine } from '../machine/machine.ts';
import { randomDigits } from '../machine/machine.ts';
import type { PlatformInput, PlatformRequest } from '../room/messages.ts';
import { fetchBody } from './outgoing.ts';

/** Where something is asked, and with which headers. */
export interface Endpoint {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** How the platform behind the games is asked. */
interface PlatformOptions {
  /** Whether an advertisement was watched. */
  readonly ads?: Endpoint | undefined;
  /** Whether coins can be moved. */
  readonly coins?: Endpoint | undefined;
  /** Of secure requests of games, by the id that a game names. */
  readonly credentials: ReadonlyMap<string, Endpoint>;
}

/** An advertisement takes its time. */
const timeoutMs = 120_000;
const answerBytesMax = 4096;
const attemptsMax = 3;
const retryMs = 1000;

/**
 * Asks the platform of the operator for games. A request is sent again when no answer came, under the same key, so that the platform
 * recognises one that it has carried out. An answer without a result says that it comes later, by `POST /rooms/:id/results`.
 */
export class Platform {
  private readonly options: PlatformOptions;
  private readonly observer: Observer;
  private readonly machine: Pick<Machine, 'clock' | 'random'>;

  constructor(options: PlatformOptions, observer: Observer, machine: Pick<Machine, 'clock' | 'random'>) {
    this.options = options;
    this.observer = observer;
    this.machine = machine;
  }

  /** Nothing is answered where the operator has no platform for it, or the platform gives no answer. */
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
    const body = JSON.stringify({ ...request, room: id, game: slug, ...(userId === undefined ? {} : { userId }) });
    for (let attempt = 1; ; attempt++) {
      try {
        const headers = { ...endpoint.headers, 'idempotency-key': key };
        const sent = { method: 'POST', type: 'application/json', body, headers } as const;
        const text = await fetchBody(endpoint.url, sent, { timeoutMs, answerBytesMax, allowPrivate: true });
        const said = text === '' ? undefined : (JSON.parse(text) as unknown);
        if (hasNoResult(said)) return;
        const input = platformInput({ ...(said as object), kind: `${request.kind}Result`, player });
        if (input === undefined) throw new Error('The answer is no result.');
        answer(input, key);
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        this.observer.problem('platform-failed', `${endpoint.url.host}: ${message}`, { room: id });
        if (attempt === attemptsMax) return;
        await new Promise<void>((resolve) => this.machine.clock.after(retryMs * 2 ** attempt, resolve));
      }
    }
  }
}

function hasNoResult(said: unknown): boolean {
  return said === undefined || (typeof said === 'object' && said !== null && !('result' in said));
}

/** The platform's data of a player, checked; undefined for anything else. */
export function platformInput(given: unknown): PlatformInput | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { kind, player, result, coins } = given as Readonly<Record<string, unknown>>;
  if (kind !== 'adResult' && kind !== 'coinsResult') return undefined;
  const hasCoins = kind === 'coinsResult' && coins !== undefined;
  const input: unknown = { kind, player, result, ...(hasCoins ? { coins } : {}) };
  return isInput(input) ? (input as PlatformInput) : undefined;
}

/** Reads the operator's file: JSON with `ads`, `coins` and `credentials`, each an address or an object of `url` and `headers`. Throws `ServerError`. */
export async function readPlatform(path: string, { disk }: Pick<Machine, 'disk'>): Promise<PlatformOptions> {
  let said: unknown;
  try {
    said = JSON.parse(new TextDecoder().decode(await readSecretFile(disk, path)));
  } catch (error) {
    if (error instanceof ServerError) throw error;
    throw new ServerError('bad-platform', `${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const members = membersOf(said, path, '');
  const unknown = [...members.keys()].find((name) => !['ads', 'coins', 'credentials'].includes(name));
  if (unknown !== undefined)
    throw new ServerError('bad-platform', `${path}: /${unknown} is none of ads, coins and credentials.`);
  const endpoint = (name: string): Endpoint | undefined =>
    members.has(name) ? endpointOf(members.get(name), path, `/${name}`) : undefined;
  const credentials = members.has('credentials')
    ? membersOf(members.get('credentials'), path, '/credentials')
    : new Map();
  return {
    ads: endpoint('ads'),
    coins: endpoint('coins'),
    credentials: new Map(
      Array.from(credentials, ([id, value]) => [id, endpointOf(value, path, `/credentials/${id}`)] as const),
    ),
  };
}

function endpointOf(value: unknown, path: string, place: string): Endpoint {
  const { url, headers = {} } =
    typeof value === 'string' ? { url: value } : Object.fromEntries(membersOf(value, path, place));
  const isAddress = typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isAddress) throw new ServerError('bad-platform', `${path}: ${place} has no address with http: or https:.`);
  const pairs = [...membersOf(headers, path, `${place}/headers`)];
  if (pairs.some(([, text]) => typeof text !== 'string')) {
    throw new ServerError('bad-platform', `${path}: a header in ${place}/headers is no text.`);
  }
  return { url: new URL(url), headers: Object.fromEntries(pairs) as Record<string, string> };
}

function membersOf(value: unknown, path: string, place: string): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServerError('bad-platform', `${path}: ${place === '' ? 'the file' : place} holds no object.`);
  }
  return new Map(Object.entries(value));
}

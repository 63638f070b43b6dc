import { createHash } from 'node:crypto';
import { type Clock, within } from '../../machine/index.ts';

/** The part of a Redis client that this program uses. A client makes a single connection. */
export interface RedisClient {
  connect(): Promise<unknown>;
  /** Sends a command. Strings in the reply are returned as bytes. Rejects if the connection is lost. */
  send(args: readonly (string | Buffer)[]): Promise<unknown>;
  /** Closes the connection immediately, if there is one. May be called several times. */
  destroy(): void;
}

/** Creates a client for a URL. `connectMs` is the timeout for connecting. */
export type ClientMaker = (url: string, connectMs: number) => RedisClient;

type Argument = string | number | Uint8Array | Buffer;

/** A Lua script, which Redis runs atomically. */
export class RedisScript {
  readonly digest: string;

  constructor(readonly text: string) {
    this.digest = createHash('sha1').update(text).digest('hex');
  }
}

/**
 * The fraction of the time for an answer that `WAIT` may spend waiting for replicas. Commands queued behind it, such as
 * heartbeats, must still be answered in time.
 */
const waitShare = 1 / 4;

/** Runs a script on a connection. Calls before the first await are pipelined. */
type Ask = (script: RedisScript, keys: readonly string[], args?: readonly Argument[]) => Promise<unknown>;

/**
 * A connection to Redis, opened on demand. If a request fails or times out, the connection is closed, and the next
 * request opens another. Redis may have executed the failed request nevertheless.
 */
export class RedisConnection {
  private open: Promise<RedisClient> | undefined;
  /** The client of the latest `open`, available before it is connected. */
  private connecting: RedisClient | undefined;
  private hasEnded = false;

  /** Connects at the first request. `replicas`: how many replicas must have the writes of `commit`. */
  constructor(
    private readonly make: ClientMaker,
    private readonly url: string,
    private readonly answerMs: number,
    private readonly scripts: readonly RedisScript[],
    private readonly clock: Clock,
    private readonly replicas = 0,
  ) {}

  /** Runs a script. */
  run(script: RedisScript, keys: readonly string[], args?: readonly Argument[]): Promise<unknown> {
    return this.ask((ask) => ask(script, keys, args));
  }

  /** Runs a script that writes; see `commit`. */
  write(script: RedisScript, keys: readonly string[], args?: readonly Argument[]): Promise<unknown> {
    return this.commit((ask) => ask(script, keys, args));
  }

  /** Runs scripts on one connection. `requests` must await the results of all of them. */
  async ask<T>(requests: (ask: Ask) => Promise<T>): Promise<T> {
    return this.request((client) => requests(askOf(client)));
  }

  /**
   * Runs scripts that write, and rejects unless enough replicas have the writes. `WAIT` covers only writes of this
   * connection, so each script must write something, even if it repeats an earlier call. `requests` must not await
   * anything before it has run its last script.
   */
  async commit<T>(requests: (ask: Ask) => Promise<T>): Promise<T> {
    const { replicas, answerMs } = this;
    if (replicas === 0) return this.ask(requests);
    return this.request(async (client) => {
      const waitMs = Math.round(answerMs * waitShare);
      const [result, count] = await Promise.all([
        requests(askOf(client)),
        client.send(['WAIT', String(replicas), String(waitMs)]),
      ]);
      // The error closes the connection, because a new connection may lead to another primary.
      if ((count as number) < replicas) {
        throw new Error(
          `Only ${count} of the ${replicas} replicas that must store each write had stored a write after ${waitMs} ms.`,
        );
      }
      return result;
    });
  }

  /** A section of Redis' `INFO`, by field. */
  async info(section: string): Promise<ReadonlyMap<string, string>> {
    const text = String(await this.request((client) => client.send(['INFO', section])));
    return new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
  }

  /** Closes the connection for good. */
  end() {
    this.hasEnded = true;
    this.close();
  }

  /** Closes the connection. The next request opens a new one. */
  private close() {
    const { open } = this;
    this.open = undefined;
    open?.catch(() => {});
    // The client is destroyed immediately, because otherwise a server that accepts connections but never answers would
    // keep the process alive.
    this.connecting?.destroy();
  }

  private async request<T>(request: (client: RedisClient) => Promise<T>): Promise<T> {
    if (this.hasEnded) throw new Error('The journal is closed.');
    this.open ??= this.connect();
    const { open, clock, answerMs } = this;
    const answer = open.then(request);
    try {
      // After the process was suspended, timers fire before the answers are read that have arrived in the meantime.
      // Therefore, the timeout is followed by another one of 1 ms.
      const isInTime = (await within(clock, answerMs, answer)) || (await within(clock, 1, answer));
      if (!isInTime) throw new Error(`Redis did not answer within ${answerMs} ms.`);
      return await answer;
    } catch (error) {
      if (this.open === open) this.close();
      throw error;
    }
  }

  private async connect(): Promise<RedisClient> {
    const client = this.make(this.url, this.answerMs);
    this.connecting = client;
    try {
      await client.connect();
      await Promise.all(this.scripts.map(({ text }) => client.send(['SCRIPT', 'LOAD', text])));
    } catch (error) {
      client.destroy();
      throw error;
    }
    return client;
  }
}

function askOf(client: RedisClient): Ask {
  return (script, keys, args = []) =>
    client.send(['EVALSHA', script.digest, String(keys.length), ...keys, ...args.map(sendable)]);
}

function sendable(argument: Argument): string | Buffer {
  if (typeof argument === 'string') return argument;
  if (typeof argument === 'number') return String(argument);
  return Buffer.from(argument.buffer as ArrayBuffer, argument.byteOffset, argument.length);
}

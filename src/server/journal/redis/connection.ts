import { createHash } from 'node:crypto';
import { ServerError } from '../../base/codes.ts';
import type { Clock, Timer } from '../../machine/clock.ts';

/** The part of a client of Redis that is used: one connection, made once. */
export interface RedisClient {
  connect(): Promise<unknown>;
  /** Texts of the answer are bytes. Rejects when the connection is gone. */
  send(args: readonly (string | Buffer)[]): Promise<unknown>;
  /** Closes the connection at once; nothing where there is none. */
  destroy(): void;
}

/** Makes clients for an address, which give up connecting after so many ms. */
export type ClientMaker = (url: string, connectMs: number) => RedisClient;

export type Argument = string | number | Uint8Array | Buffer;

/** A program that Redis runs as one step, in between which nothing else is done. */
export class Script {
  readonly text: string;
  readonly digest: string;

  constructor(text: string) {
    this.text = text;
    this.digest = createHash('sha1').update(text).digest('hex');
  }
}

/** Asks within one connection. Questions before the first awaited answer go out together. */
type Ask = (script: Script, keys: readonly string[], args?: readonly Argument[]) => Promise<unknown>;

/**
 * One connection to Redis, opened when it is needed. A question that fails, or is not answered in time, closes it; the next one opens another. A
 * caller that asks again knows only that the first question may have arrived.
 */
export class RedisConnection {
  private readonly make: ClientMaker;
  private readonly url: string;
  private readonly answerMs: number;
  private readonly scripts: readonly Script[];
  private readonly clock: Clock;
  private open: Promise<RedisClient> | undefined;
  /** Of `open`, from the moment at which it begins to connect. */
  private connecting: RedisClient | undefined;
  private hasEnded = false;

  /** Connects with the first question. */
  constructor(make: ClientMaker, url: string, answerMs: number, scripts: readonly Script[], clock: Clock) {
    this.make = make;
    this.url = url;
    this.answerMs = answerMs;
    this.scripts = scripts;
    this.clock = clock;
  }

  /** All questions of one call, of which none may be left unanswered. */
  async ask<T>(questions: (ask: Ask) => Promise<T>): Promise<T> {
    return this.within((client) =>
      questions((script, keys, args = []) =>
        client.send(['EVALSHA', script.digest, String(keys.length), ...keys, ...args.map(sendable)]),
      ),
    );
  }

  /** A section of what the server says of itself, by name. */
  async info(section: string): Promise<ReadonlyMap<string, string>> {
    const text = String(await this.within((client) => client.send(['INFO', section])));
    return new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
  }

  /** Nothing can be asked any more. */
  end(): void {
    this.hasEnded = true;
    this.close();
  }

  /** The next question opens another connection. */
  private close(): void {
    const { open, connecting } = this;
    this.open = undefined;
    this.connecting = undefined;
    open?.catch(() => {});
    // At once: a server that takes connections and answers nothing would keep the process from ending.
    connecting?.destroy();
  }

  private async within<T>(question: (client: RedisClient) => Promise<T>): Promise<T> {
    if (this.hasEnded) throw new Error('The journal is closed.');
    this.open ??= this.connect();
    const { open } = this;
    let timer: Timer | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = this.clock.after(this.answerMs, () =>
        reject(new Error(`Redis has not answered for ${this.answerMs} ms.`)),
      );
    });
    try {
      return await Promise.race([open.then(question), late]);
    } catch (error) {
      if (this.open === open) this.close();
      throw error;
    } finally {
      timer?.cancel();
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

/** Clients of the package `@redis/client`, which is loaded where an address asks for it. Throws `ServerError` where it is not installed. */
export async function installedClient(): Promise<ClientMaker> {
  const { createClient, RESP_TYPES } = await import('@redis/client').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'MODULE_NOT_FOUND') throw error;
    throw new ServerError('bad-journal', 'This journal needs the package @redis/client: npm install @redis/client');
  });
  return (url, connectMs) => {
    const client = createClient({
      url,
      disableOfflineQueue: true,
      socket: { connectTimeout: connectMs, reconnectStrategy: false },
    });
    // Callers get the error; as an event without a listener it would end the process.
    client.on('error', () => {});
    return {
      connect: () => client.connect(),
      send: (args) => client.sendCommand([...args], { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } }),
      destroy: () => {
        if (client.isOpen) client.destroy();
      },
    };
  };
}

function sendable(argument: Argument): string | Buffer {
  if (typeof argument === 'string') return argument;
  if (typeof argument === 'number') return String(argument);
  return Buffer.from(argument.buffer as ArrayBuffer, argument.byteOffset, argument.length);
}

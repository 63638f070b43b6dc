import { createHash } from 'node:crypto';
import type { Clock, Timer } from '../../../machine/clock.ts';
import { ServerError } from '../../base/codes.ts';

/** The client package, loaded where an address asks for it. */
type Package = typeof import('@redis/client');
/** The part of a client that is used, whatever modules it has. */
interface Client {
  readonly isOpen: boolean;
  sendCommand<T = unknown>(
    args: readonly (string | Buffer)[],
    options?: { readonly typeMapping: Readonly<Record<number, typeof Buffer>> },
  ): Promise<T>;
  destroy(): void;
}

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
export type Ask = (script: Script, keys: readonly string[], args?: readonly Argument[]) => Promise<unknown>;

/**
 * One connection to Redis, opened when it is needed. A question that fails, or is not answered in time, closes it; the next one opens another. A
 * caller that asks again knows only that the first question may have arrived.
 */
export class RedisConnection {
  private readonly client: Package;
  private readonly url: string;
  private readonly answerMs: number;
  private readonly scripts: readonly Script[];
  private readonly clock: Clock;
  private open: Promise<Client> | undefined;
  /** Of `open`, from the moment at which it begins to connect. */
  private connecting: Client | undefined;
  private hasEnded = false;

  private constructor(client: Package, url: string, answerMs: number, scripts: readonly Script[], clock: Clock) {
    this.client = client;
    this.url = url;
    this.answerMs = answerMs;
    this.scripts = scripts;
    this.clock = clock;
  }

  /** Throws `ServerError` where the package is not installed. Connects with the first question. */
  static async load(url: string, answerMs: number, scripts: readonly Script[], clock: Clock): Promise<RedisConnection> {
    const client = await import('@redis/client').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'MODULE_NOT_FOUND') throw error;
      throw new ServerError('bad-journal', 'This journal needs the package @redis/client: npm install @redis/client');
    });
    return new RedisConnection(client, url, answerMs, scripts, clock);
  }

  /** All questions of one call, of which none may be left unanswered. */
  async ask<T>(questions: (ask: Ask) => Promise<T>): Promise<T> {
    return this.within((client) =>
      questions((script, keys, args = []) =>
        client.sendCommand(['EVALSHA', script.digest, String(keys.length), ...keys, ...args.map(sendable)], {
          typeMapping: { [this.client.RESP_TYPES.BLOB_STRING]: Buffer },
        }),
      ),
    );
  }

  /** A section of what the server says of itself, by name. */
  async info(section: string): Promise<ReadonlyMap<string, string>> {
    const text = await this.within((client) => client.sendCommand<string>(['INFO', section]));
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
    if (connecting !== undefined) end(connecting);
  }

  private async within<T>(question: (client: Client) => Promise<T>): Promise<T> {
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

  private async connect(): Promise<Client> {
    const client = this.client.createClient({
      url: this.url,
      disableOfflineQueue: true,
      socket: { connectTimeout: this.answerMs, reconnectStrategy: false },
    });
    // Callers get the error; as an event without a listener it would end the process.
    client.on('error', () => {});
    this.connecting = client;
    try {
      await client.connect();
      await Promise.all(this.scripts.map(({ text }) => client.sendCommand(['SCRIPT', 'LOAD', text])));
    } catch (error) {
      end(client);
      throw error;
    }
    return client;
  }
}

function sendable(argument: Argument): string | Buffer {
  if (typeof argument === 'string') return argument;
  if (typeof argument === 'number') return String(argument);
  return Buffer.from(argument.buffer as ArrayBuffer, argument.byteOffset, argument.length);
}

function end(client: Client): void {
  if (client.isOpen) client.destroy();
}

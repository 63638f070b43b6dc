import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { RandomStream } from '../../engine/core/random.ts';
import type { RedisClient } from '../../src/cluster/redis/connection.ts';
import type { RedisPorts } from '../../src/cluster/redis/ports.ts';
import type { Process } from './process.ts';
import { type Reply, scriptRunner } from './redis-scripts.ts';
import type { Timeline } from './timeline.ts';

/** A value under a key. */
type Value =
  | { readonly kind: 'text'; text: Buffer }
  | { readonly kind: 'hash'; readonly fields: Map<string, Buffer> }
  | { readonly kind: 'set'; readonly members: Set<string> }
  | { readonly kind: 'stream'; entries: readonly StreamEntry[] };
interface StreamEntry {
  /** The number in its id, which ends with `-0`. */
  readonly number: number;
  readonly fields: readonly Buffer[];
}
type Kept = Value & { expiresMs: number };

/** `full`: commands that need memory are refused. */
export type RedisTrouble = 'none' | 'gone' | 'deaf' | 'slow' | 'full';

const needMemory = new Set(['HSET', 'HINCRBY', 'SADD', 'SET', 'XADD']);

/** The data of a Redis, with the commands that scripts of the journal use; the scripts themselves run unchanged. */
export class RedisData {
  isFull = false;
  private readonly keys = new Map<string, Kept>();
  private nowMs = 0;
  private hasWritten = false;

  /** Throws what Redis returns as an error. */
  evaluate(text: string, keys: readonly string[], args: readonly Buffer[], nowMs: number): Reply {
    this.nowMs = nowMs;
    this.hasWritten = false;
    return scriptRunner.run(text, keys, args, (words) => this.command(words));
  }

  delete(key: string): void {
    this.keys.delete(key);
  }

  /** The keys with a prefix that have not expired at a time. */
  named(prefix: string, atMs: number): string[] {
    return [...this.keys].flatMap(([key, { expiresMs }]) => (key.startsWith(prefix) && expiresMs > atMs ? [key] : []));
  }

  get size(): number {
    return this.keys.size;
  }

  /** A copy with the same content. */
  copy(): RedisData {
    const copy = new RedisData();
    copy.become(this);
    return copy;
  }

  /** Replaces its content by that of another. */
  become(other: RedisData): void {
    this.keys.clear();
    for (const [key, value] of other.keys) this.keys.set(key, copied(value));
  }

  private command(args: readonly Buffer[]): Reply {
    const name = String(args[0]).toUpperCase();
    const words = args.slice(1).map(String);
    const [key = '', second = '', third = ''] = words;
    // A script that has begun to write may continue.
    if (this.isFull && !this.hasWritten && needMemory.has(name)) {
      throw new Error("OOM command not allowed when used memory > 'maxmemory'.");
    }
    if (needMemory.has(name)) this.hasWritten = true;
    const at = this.at(key);
    switch (name) {
      case 'EXISTS':
        return at === undefined ? 0 : 1;
      case 'DEL': {
        const there = words.filter((each) => this.at(each) !== undefined);
        for (const each of there) this.keys.delete(each);
        return there.length;
      }
      case 'GET':
        return at?.kind === 'text' ? at.text : null;
      case 'SET': {
        if (third !== 'PX') throw new Error(`SET ${third} is not known here.`);
        this.keys.set(key, { kind: 'text', text: args[2]!, expiresMs: this.nowMs + Number(words[3]) });
        return Buffer.from('OK');
      }
      case 'PEXPIRE':
        if (at === undefined) return 0;
        at.expiresMs = this.nowMs + Number(second);
        return 1;
      case 'PTTL':
        if (at === undefined) return -2;
        return at.expiresMs === Number.POSITIVE_INFINITY ? -1 : Math.round(at.expiresMs - this.nowMs);
      case 'HGET':
        return this.hash(key)?.get(second) ?? null;
      case 'HMGET':
        return words.slice(1).map((field) => this.hash(key)?.get(field) ?? null);
      case 'HSET': {
        const fields = this.hash(key, true)!;
        for (let i = 2; i < args.length; i += 2) fields.set(String(args[i]), args[i + 1]!);
        return (args.length - 2) / 2;
      }
      case 'HDEL': {
        const fields = this.hash(key);
        const there = words.slice(1).filter((field) => fields?.delete(field));
        if (fields?.size === 0) this.keys.delete(key);
        return there.length;
      }
      case 'HINCRBY': {
        const fields = this.hash(key, true)!;
        const next = Number(String(fields.get(second) ?? 0)) + Number(third);
        fields.set(second, Buffer.from(String(next)));
        return next;
      }
      case 'SADD': {
        const members = this.set(key, true)!;
        const news = words.slice(1).filter((member) => !members.has(member));
        for (const member of news) members.add(member);
        return news.length;
      }
      case 'SREM': {
        const members = this.set(key);
        const there = words.slice(1).filter((member) => members?.delete(member));
        if (members?.size === 0) this.keys.delete(key);
        return there.length;
      }
      case 'SMEMBERS':
        return [...(this.set(key) ?? [])].map((member) => Buffer.from(member));
      case 'SCARD':
        return this.set(key)?.size ?? 0;
      case 'XADD':
        return this.addToStream(key, args);
      case 'XTRIM': {
        if (second !== 'MINID') throw new Error(`XTRIM ${second} is not known here.`);
        const stream = this.stream(key);
        if (stream === undefined) return 0;
        const before = stream.entries.length;
        stream.entries = stream.entries.filter(({ number }) => number >= numberOf(third));
        return before - stream.entries.length;
      }
      case 'XRANGE':
        if (second !== '-' || third !== '+') throw new Error('XRANGE of a part is not known here.');
        return (this.stream(key)?.entries ?? []).map(({ number, fields }) => [Buffer.from(`${number}-0`), fields]);
      default:
        throw new Error(`The command ${name} is not known here.`);
    }
  }

  private addToStream(key: string, args: readonly Buffer[]): Reply {
    const isBounded = String(args[2]) === 'MAXLEN';
    const [id, ...fields] = args.slice(isBounded ? 4 : 2);
    const stream = this.stream(key, true)!;
    const number = numberOf(String(id));
    if (number <= (stream.entries.at(-1)?.number ?? 0)) {
      throw new Error('ERR The ID specified in XADD is equal or smaller than the target stream top item');
    }
    const entries = [...stream.entries, { number, fields }];
    stream.entries = isBounded ? entries.slice(-Number(String(args[3]))) : entries;
    return id!;
  }

  private at(key: string): Kept | undefined {
    const value = this.keys.get(key);
    if (value === undefined || value.expiresMs > this.nowMs) return value;
    this.keys.delete(key);
    return undefined;
  }

  private hash(key: string, isMade = false): Map<string, Buffer> | undefined {
    const value = this.of(key, 'hash', isMade ? () => ({ kind: 'hash', fields: new Map() }) : undefined);
    return value?.kind === 'hash' ? value.fields : undefined;
  }

  private set(key: string, isMade = false): Set<string> | undefined {
    const value = this.of(key, 'set', isMade ? () => ({ kind: 'set', members: new Set() }) : undefined);
    return value?.kind === 'set' ? value.members : undefined;
  }

  private stream(key: string, isMade = false): (Value & { kind: 'stream' }) | undefined {
    const value = this.of(key, 'stream', isMade ? () => ({ kind: 'stream', entries: [] }) : undefined);
    return value?.kind === 'stream' ? value : undefined;
  }

  private of(key: string, kind: Value['kind'], make: (() => Value) | undefined): Value | undefined {
    const value = this.at(key);
    if (value !== undefined && value.kind !== kind) throw new Error('WRONGTYPE Operation against a key');
    if (value !== undefined || make === undefined) return value;
    const made = { ...make(), expiresMs: Number.POSITIVE_INFINITY };
    this.keys.set(key, made);
    return made;
  }
}

function copied(value: Kept): Kept {
  switch (value.kind) {
    case 'hash':
      return { ...value, fields: new Map(value.fields) };
    case 'set':
      return { ...value, members: new Set(value.members) };
    default:
      return { ...value };
  }
}

function numberOf(id: string): number {
  return Number(id.split('-')[0]);
}

/** A Redis on its own machine, and the network to it. */
export class VirtualRedis {
  readonly data = new RedisData();
  trouble: RedisTrouble = 'none';
  /** Processes that cannot reach it at present. */
  readonly cutOff = new Set<Process>();
  readonly clients = new Set<VirtualRedisClient>();
  questions = 0;
  readonly timeline: Timeline;
  readonly random: RandomStream;

  constructor(timeline: Timeline, random: RandomStream) {
    this.timeline = timeline;
    this.random = random;
  }

  /** Ports for a process. `asks` is called before each command, and tells whether the process dies of it. */
  portsOf(process: Process, asks: () => boolean): RedisPorts {
    return { ...compression, makeClient: (_url, connectMs) => new VirtualRedisClient(this, process, connectMs, asks) };
  }

  /** Ports to a copy of the current content, which answers immediately. */
  portsOfCopy(): RedisPorts {
    const data = this.data.copy();
    const { nowMs } = this.timeline;
    return {
      ...compression,
      makeClient: () => ({
        connect: async () => {},
        send: async (args) => answer(data, args, nowMs),
        destroy: () => {},
      }),
    };
  }

  begin(trouble: RedisTrouble): void {
    this.trouble = trouble;
    this.data.isFull = trouble === 'full';
    if (trouble === 'gone') for (const client of [...this.clients]) client.reset();
  }

  /** One-way delay to or from it, ms. */
  wayMs(): number {
    const { trouble, random } = this;
    return trouble === 'slow' ? random.between(50, 4000) : random.between(0.2, 3);
  }
}

/** Compression takes no simulated time: results from other threads would arrive in a nondeterministic order. */
const compression: Pick<RedisPorts, 'deflate' | 'inflate'> = {
  deflate: async (bytes, options) => deflateRawSync(bytes, options ?? {}),
  inflate: async (bytes) => inflateRawSync(bytes),
};

function answer(data: RedisData, args: readonly (string | Buffer)[], nowMs: number): Reply {
  const words = args.map((arg) => (typeof arg === 'string' ? Buffer.from(arg) : arg));
  const [name, first = ''] = args;
  switch (name) {
    case 'INFO':
      return Buffer.from('aof_enabled:1\r\nmaxmemory_policy:noeviction');
    case 'SCRIPT':
      return Buffer.from(scriptRunner.load(String(args[2])));
    case 'EVALSHA': {
      const text = scriptRunner.loaded(String(first));
      if (text === undefined) throw new Error('NOSCRIPT No matching script.');
      const count = Number(String(args[2]));
      const keys = words.slice(3, 3 + count).map(String);
      return data.evaluate(text, keys, words.slice(3 + count), nowMs);
    }
    default:
      throw new Error(`The command ${String(name)} is not known here.`);
  }
}

interface Question {
  readonly args: readonly (string | Buffer)[];
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** A process's connection to the database. Commands and replies keep their order. */
class VirtualRedisClient implements RedisClient {
  private isOpen = false;
  private isOver = false;
  private lastMs = 0;
  private lastAnswerMs = 0;
  private readonly waiting = new Set<Question>();
  /** Commands in transit, replies in transit: each arrival delivers the oldest one. */
  private readonly questions: { readonly question: Question; readonly isHeard: boolean }[] = [];
  private readonly answers: { readonly question: Question; readonly reply: Reply | Error }[] = [];
  private readonly redis: VirtualRedis;
  private readonly process: Process;
  private readonly connectMs: number;
  private readonly asks: () => boolean;

  constructor(redis: VirtualRedis, process: Process, connectMs: number, asks: () => boolean) {
    this.redis = redis;
    this.process = process;
    this.connectMs = connectMs;
    this.asks = asks;
  }

  connect(): Promise<void> {
    const { redis, process } = this;
    const { timeline } = redis;
    redis.clients.add(this);
    return new Promise((resolve, reject) => {
      const refuse = (ms: number, why: string): void => {
        timeline.after(ms, () => process.run(() => reject(new Error(why))));
      };
      if (redis.trouble === 'gone') refuse(1, 'connect ECONNREFUSED');
      else if (this.isUnreachable) refuse(this.connectMs, 'Connection timeout');
      else {
        timeline.after(redis.wayMs(), () =>
          process.run(() => {
            if (this.isOver) reject(new Error('The client is closed'));
            else {
              this.isOpen = true;
              resolve();
            }
          }),
        );
      }
    });
  }

  send(args: readonly (string | Buffer)[]): Promise<Reply> {
    const { redis } = this;
    if (!this.isOpen || this.isOver) return Promise.reject(new Error('The client is closed'));
    redis.questions++;
    const isFatal = this.asks();
    return new Promise((resolve, reject) => {
      const question: Question = { args, resolve, reject };
      this.waiting.add(question);
      const { nowMs } = redis.timeline;
      this.lastMs = Math.max(this.lastMs, nowMs + redis.wayMs());
      // The last command of a dying process may or may not arrive.
      const isHeard = !isFatal || redis.random.chance(0.5);
      this.questions.push({ question, isHeard });
      redis.timeline.after(this.lastMs - nowMs, () => this.arrive());
    });
  }

  destroy(): void {
    this.end('The client is closed');
  }

  /** Resets the connection: this end gets the error. Commands in transit may still arrive. */
  reset(): void {
    this.redis.timeline.after(1, () => this.process.run(() => this.end('Socket closed unexpectedly')));
    this.isOpen = false;
  }

  private get isUnreachable(): boolean {
    return this.redis.trouble === 'deaf' || this.redis.cutOff.has(this.process);
  }

  /**
   * Delivers a command, or holds it while the database accepts none. A command of a closed connection may arrive as
   * well.
   */
  private arrive(): void {
    const { redis } = this;
    const { isHeard } = this.questions[0]!;
    if (isHeard && redis.trouble !== 'gone' && this.isUnreachable) {
      redis.timeline.after(redis.random.between(20, 200), () => this.arrive());
      return;
    }
    const { question } = this.questions.shift()!;
    if (!isHeard || redis.trouble === 'gone' || (this.isOver && redis.random.chance(0.5))) return;
    let reply: Reply | Error;
    try {
      reply = answer(redis.data, question.args, redis.timeline.nowMs);
    } catch (error) {
      reply = error as Error;
    }
    const { nowMs } = redis.timeline;
    this.lastAnswerMs = Math.max(this.lastAnswerMs, nowMs + redis.wayMs());
    this.answers.push({ question, reply });
    redis.timeline.after(this.lastAnswerMs - nowMs, () => this.tell());
  }

  /** A reply that cannot be delivered waits until it can be, as with TCP. */
  private tell(): void {
    if (this.isUnreachable && !this.isOver) {
      this.redis.timeline.after(this.redis.random.between(20, 200), () => this.tell());
      return;
    }
    const { question, reply } = this.answers.shift()!;
    this.process.run(() => {
      if (!this.waiting.delete(question)) return;
      if (reply instanceof Error) question.reject(reply);
      else question.resolve(reply);
    });
  }

  private end(why: string): void {
    this.isOpen = false;
    this.isOver = true;
    this.redis.clients.delete(this);
    for (const question of [...this.waiting]) {
      this.waiting.delete(question);
      question.reject(new Error(why));
    }
  }
}

import type { Clock, Timer } from '../machine/clock.ts';
import type { ClientInput, ClientInputKind } from '../protocol/inputs.ts';
import {
  type BucketOptions,
  type ClientLimits,
  defaultClientLimits,
  isLarge,
  modestFill,
  repeatedResultsMax,
  TokenBucket,
} from '../protocol/limits.ts';
import { type ClientMessage, encodeClientMessage, type InputResult, renumberedInput } from '../protocol/messages.ts';

interface OutboxPorts {
  readonly time: Clock;
  /** Hands bytes to the connection. */
  put(bytes: Uint8Array<ArrayBuffer>): void;
  /** An input has its result, by the number that `add` gave it. */
  result(result: InputResult): void;
}

interface Entry {
  /** The number that the caller knows. */
  readonly sequence: number;
  readonly kind: ClientInputKind;
  /** The message, under any number. */
  bytes: Uint8Array;
  readonly isScheduled: boolean;
}

/** An input that has no result yet, under its number on the connection; or a ping, whose answer says that all inputs before it have arrived. */
type Unconfirmed =
  | { readonly kind: 'input'; readonly number: number; readonly bytes: number; readonly isLarge: boolean }
  | { readonly kind: 'ping'; readonly number: number };

/** Inputs that wait for the server's limits to refill are tried again after this. */
const tryAgainMs = 20;
/** More inputs than people make in an outage. Further ones are refused. */
const waitingMax = 8192;
/** Inputs of which only the newest counts, unless something else was done in between. */
const pointing: ReadonlySet<string> = new Set(['mouse', 'absoluteAngle'] satisfies ClientInputKind[]);

/**
 * The messages of a client, at the pace that its server allows. Inputs wait here while there is no connection, and while the server might refuse them; of
 * waiting places of a mouse only the newest is kept. An input that was sent is kept until it has its result, and is sent again over the next connection
 * if the server did not take it.
 */
export class Outbox {
  private readonly ports: OutboxPorts;
  private limits = defaultClientLimits;
  private buckets: { readonly [name in 'messages' | 'bytes' | 'large']: TokenBucket };
  private isOpen = false;
  private timer: Timer | undefined;
  /** The newest number that `add` gave. */
  private sequence = 0;
  /** The newest number on the connection. It differs where a server that lost its newest ticks counts on from an earlier one. */
  private number = 0;
  private waiting: Entry[] = [];
  /** Sent, and without a result, by number on the connection. */
  private sent = new Map<number, Entry>();
  /** The same, of earlier connections: the server has these, and sends their results again. */
  private taken = new Map<number, Entry>();
  /** The buckets of the server may still have to pay for these. */
  private unconfirmed: Unconfirmed[] = [];

  constructor(ports: OutboxPorts) {
    this.ports = ports;
    this.buckets = this.fullBuckets();
  }

  /** A connection is made. Until its server tells its limits, those of the last one hold. */
  connected(): void {
    this.unconfirmed = [];
    this.buckets = this.fullBuckets();
  }

  limit(limits: ClientLimits): void {
    this.limits = limits;
    this.buckets = this.fullBuckets();
  }

  /** The player is in the room; `number` is that of its newest input there. */
  open(number: number): void {
    const again: Entry[] = [];
    const isRepeated = (each: number): boolean => each <= number && each > number - repeatedResultsMax;
    this.taken = new Map([...this.taken].filter(([each]) => isRepeated(each)));
    for (const [each, entry] of this.sent) {
      if (each > number) again.push(entry);
      else this.taken.set(each, entry);
    }
    this.sent.clear();
    this.waiting = [...again, ...this.waiting];
    this.number = number;
    this.sequence = Math.max(this.sequence, number);
    this.isOpen = true;
    this.pump();
  }

  /** The connection is lost. */
  close(): void {
    this.isOpen = false;
    this.timer?.cancel();
    this.timer = undefined;
  }

  /** Another player plays from now on: the inputs of the last one are of no use. */
  abandon(): void {
    const all = [...this.taken.values(), ...this.sent.values(), ...this.waiting];
    this.taken.clear();
    this.sent.clear();
    this.waiting = [];
    for (const { sequence } of all) this.ports.result({ sequence, refused: 'no-such-player' });
  }

  /** Sends an input as soon as the server allows. Its result has the number that is returned; places that replace each other share one. */
  add(input: ClientInput, tick: number | undefined): number {
    const { kind } = input;
    const bytes = encodeClientMessage({ kind: 'input', sequence: 0, input, ...(tick === undefined ? {} : { tick }) });
    const replaced = tick === undefined ? this.replaceable(kind) : undefined;
    if (replaced !== undefined) {
      replaced.bytes = bytes;
      return replaced.sequence;
    }
    const sequence = ++this.sequence;
    if (this.waiting.length >= waitingMax) {
      this.ports.time.after(0, () => this.ports.result({ sequence, refused: 'too-many' }));
      return sequence;
    }
    this.waiting.push({ sequence, kind, bytes, isScheduled: tick !== undefined });
    this.pump();
    return sequence;
  }

  /** A message that does not wait. */
  send(message: Exclude<ClientMessage, { kind: 'input' }>): void {
    const bytes = encodeClientMessage(message);
    this.spend(bytes.length, isLarge(message.kind, bytes.length));
    if (message.kind === 'ping') this.unconfirmed.push({ kind: 'ping', number: message.time });
    this.ports.put(bytes);
  }

  /** A result as the server sent it. One that comes again is passed over. */
  answered(result: InputResult): void {
    const { sequence: number } = result;
    const entry = this.sent.get(number) ?? this.taken.get(number);
    this.confirm('input', number);
    this.sent.delete(number);
    this.taken.delete(number);
    if (entry !== undefined) this.ports.result({ ...result, sequence: entry.sequence });
    this.pump();
  }

  /** The server answered a ping. */
  ponged(time: number): void {
    this.confirm('ping', time);
    this.pump();
  }

  private fullBuckets(): Outbox['buckets'] {
    const now = this.ports.time.now();
    const { messages, bytes, large } = this.limits;
    return {
      messages: new TokenBucket(messages, now),
      bytes: new TokenBucket(bytes, now),
      large: new TokenBucket(large, now),
    };
  }

  private replaceable(kind: string): Entry | undefined {
    if (!pointing.has(kind)) return undefined;
    for (let i = this.waiting.length - 1; i >= 0; i--) {
      const entry = this.waiting[i]!;
      if (entry.isScheduled || !pointing.has(entry.kind)) return undefined;
      if (entry.kind === kind) return entry;
    }
    return undefined;
  }

  private pump(): void {
    if (!this.isOpen) return;
    for (;;) {
      const [entry] = this.waiting;
      if (entry === undefined) return;
      const number = this.number + 1;
      const bytes = renumberedInput(entry.bytes, number);
      const isOfLarge = isLarge(entry.kind, bytes.length);
      if (!this.mayPut(bytes.length, isOfLarge)) break;
      // A listener to the traffic may send something itself.
      this.waiting.shift();
      this.number = number;
      this.sent.set(number, entry);
      this.unconfirmed.push({ kind: 'input', number, bytes: bytes.length, isLarge: isOfLarge });
      this.ports.put(bytes);
    }
    this.timer ??= this.ports.time.after(tryAgainMs, () => {
      this.timer = undefined;
      this.pump();
    });
  }

  /**
   * Whether the server is sure to take the message. It may read everything that is unconfirmed at one time, this message included. Unless it is large for
   * the limit, enough is left that the connection counts as modest.
   */
  private mayPut(bytes: number, isOfLarge: boolean): boolean {
    let [messagesAhead, bytesAhead, largeAhead] = [0, 0, 0];
    for (const each of this.unconfirmed) {
      if (each.kind === 'ping') continue;
      messagesAhead++;
      bytesAhead += each.bytes;
      if (each.isLarge) largeAhead++;
    }
    if (this.sent.size >= Math.max(1, this.limits.inputs)) return false;
    const now = this.ports.time.now();
    const fits = (name: 'messages' | 'bytes', ahead: number, amount: number): boolean => {
      return this.buckets[name].left(now) - ahead >= amount + reserveOf(this.limits[name], amount);
    };
    if (!fits('messages', messagesAhead, 1) || !fits('bytes', bytesAhead, bytes)) return false;
    return !isOfLarge || this.buckets.large.left(now) - largeAhead >= 1;
  }

  /** The server has read a message, and all before it. */
  private confirm(kind: Unconfirmed['kind'], number: number): void {
    const at = this.unconfirmed.findIndex((each) => each.kind === kind && each.number === number);
    for (const each of this.unconfirmed.splice(0, at + 1)) {
      if (each.kind === 'input') this.spend(each.bytes, each.isLarge);
    }
  }

  private spend(bytes: number, isOfLarge: boolean): void {
    const now = this.ports.time.now();
    this.buckets.messages.drain(1, now);
    this.buckets.bytes.drain(bytes, now);
    if (isOfLarge) this.buckets.large.drain(1, now);
  }
}

function reserveOf({ size }: BucketOptions, amount: number): number {
  return amount > (size * (1 - modestFill)) / 2 ? 0 : size * modestFill;
}

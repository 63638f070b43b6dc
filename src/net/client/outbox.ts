import type { Clock, Timer } from '../../machine/index.ts';
import {
  type BucketOptions,
  type ClientLimits,
  defaultClientLimits,
  exemptFill,
  isLarge,
  resentResultsMax,
  TokenBucket,
} from '../protocol/limits.ts';
import type { ClientInput, ClientInputKind } from '../protocol/messages/inputs.ts';
import {
  type ClientMessage,
  encodeClientMessage,
  type InputResult,
  renumberedInput,
} from '../protocol/messages/messages.ts';

interface OutboxPorts {
  readonly time: Clock;
  /** Sends bytes over the connection. */
  put(bytes: Uint8Array<ArrayBuffer>): void;
  /** Reports the result of an input. Its sequence number is the one that `add` returned. */
  result(result: InputResult): void;
}

interface Entry {
  /** The number that `add` returned for the input. */
  readonly sequence: number;
  readonly kind: ClientInputKind;
  /** The message; its sequence number is replaced when it is sent. */
  bytes: Uint8Array;
  readonly isScheduled: boolean;
}

/**
 * A sent message that the server may not have read yet: an input, with its number on the connection, or a ping, whose
 * answer confirms all inputs sent before it.
 */
type Unconfirmed =
  | { readonly kind: 'input'; readonly number: number; readonly bytes: number; readonly isLarge: boolean }
  | { readonly kind: 'ping'; readonly number: number };

/** The interval at which inputs are retried that wait for the server's limits to refill. */
const retryMs = 20;
/**
 * The maximum number of queued inputs: more than people make during an outage. Further ones are refused, except
 * releases of keys.
 */
const waitingMax = 8192;
/** Kinds of inputs that replace each other: of consecutive queued inputs of such a kind, only the newest is sent. */
const pointing: ReadonlySet<string> = new Set(['mouse', 'absoluteAngle'] satisfies ClientInputKind[]);

/**
 * Sends the messages of a client within the server's limits. Inputs are queued while there is no connection and while
 * the server might refuse them; of consecutive mouse positions in the queue only the newest is kept. A sent input is
 * kept until its result arrives, and sent again on the next connection if the server did not receive it.
 */
export class Outbox {
  private limits = defaultClientLimits;
  private buckets: { readonly [name in 'messages' | 'bytes' | 'large']: TokenBucket };
  private isOpen = false;
  private timer: Timer | undefined;
  /** The newest number that `add` returned. */
  private sequence = 0;
  /**
   * The newest number on the connection. It differs from `sequence` after a server lost its newest ticks and continues
   * from an earlier number.
   */
  private number = 0;
  private waiting: Entry[] = [];
  /** The sent inputs that have no result yet, by number on the connection. */
  private sent = new Map<number, Entry>();
  /**
   * Inputs without a result from earlier connections. The server has received them and will send their results again.
   */
  private received = new Map<number, Entry>();
  /** Messages that the server may not have charged to its limits yet. */
  private unconfirmed: Unconfirmed[] = [];

  constructor(private readonly ports: OutboxPorts) {
    this.buckets = this.fullBuckets();
  }

  /** Prepares for a new connection. Until the server sends its limits, those of the previous connection apply. */
  connected() {
    this.unconfirmed = [];
    this.buckets = this.fullBuckets();
  }

  limit(limits: ClientLimits) {
    this.limits = limits;
    this.buckets = this.fullBuckets();
  }

  /**
   * Starts sending. Call it when the player is in the room. `number` is the number of the player's newest input that
   * the server has received; later ones are sent again.
   */
  open(number: number) {
    const unreceived: Entry[] = [];
    const isResent = (each: number) => each <= number && each > number - resentResultsMax;
    this.received = new Map([...this.received].filter(([each]) => isResent(each)));
    for (const [each, entry] of this.sent) {
      if (each > number) unreceived.push(entry);
      else this.received.set(each, entry);
    }
    this.sent.clear();
    this.waiting = [...unreceived, ...this.waiting];
    this.number = number;
    this.sequence = Math.max(this.sequence, number);
    this.isOpen = true;
    this.pump();
  }

  /** Stops sending, because the connection was lost. */
  close() {
    this.isOpen = false;
    this.timer?.cancel();
    this.timer = undefined;
  }

  /** Drops all inputs, because the connection now belongs to another player. */
  abandon() {
    const all = [...this.received.values(), ...this.sent.values(), ...this.waiting];
    this.received.clear();
    this.sent.clear();
    this.waiting = [];
    for (const { sequence } of all) this.ports.result({ sequence, refused: 'no-such-player' });
  }

  /**
   * Sends an input as soon as the server allows it. Returns the number that its result will have; an input that
   * replaces a queued one shares its number.
   */
  add(input: ClientInput, tick: number | undefined): number {
    const { kind } = input;
    const bytes = encodeClientMessage({ kind: 'input', sequence: 0, input, ...(tick !== undefined && { tick }) });
    const replaced = tick === undefined ? this.replaceable(kind) : undefined;
    if (replaced !== undefined) {
      replaced.bytes = bytes;
      return replaced.sequence;
    }
    const sequence = ++this.sequence;
    if (this.waiting.length >= waitingMax && kind !== 'keyUp') {
      this.ports.time.after(0, () => this.ports.result({ sequence, refused: 'too-many' }));
      return sequence;
    }
    this.waiting.push({ sequence, kind, bytes, isScheduled: tick !== undefined });
    this.pump();
    return sequence;
  }

  /** Whether an input has not reached the server yet, as far as is known. */
  has(sequence: number): boolean {
    return [...this.sent.values(), ...this.waiting].some((entry) => entry.sequence === sequence);
  }

  /** Sends a message immediately. */
  send(message: Exclude<ClientMessage, { kind: 'input' }>) {
    const bytes = encodeClientMessage(message);
    this.spend(bytes.length, isLarge(message.kind, bytes.length));
    if (message.kind === 'ping') this.unconfirmed.push({ kind: 'ping', number: message.time });
    this.ports.put(bytes);
  }

  /** Handles a result from the server. Duplicates are ignored. */
  answered(result: InputResult) {
    const { sequence: number } = result;
    const entry = this.sent.get(number) ?? this.received.get(number);
    this.confirm('input', number);
    this.sent.delete(number);
    this.received.delete(number);
    if (entry !== undefined) this.ports.result({ ...result, sequence: entry.sequence });
    this.pump();
  }

  /** Handles the answer to a ping. */
  ponged(time: number) {
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
    for (let i = this.waiting.length - 1; i >= 0; i--) {
      const entry = this.waiting[i]!;
      if (entry.isScheduled || !pointing.has(entry.kind)) return undefined;
      if (entry.kind === kind) return entry;
    }
    return undefined;
  }

  private pump() {
    if (!this.isOpen) return;
    for (;;) {
      const [entry] = this.waiting;
      if (entry === undefined) return;
      const number = this.number + 1;
      const bytes = renumberedInput(entry.bytes, number);
      const isOfLarge = isLarge(entry.kind, bytes.length);
      if (!this.mayPut(bytes.length, isOfLarge)) break;
      // The queue is updated before `put`, because a `traffic` listener may send another input.
      this.waiting.shift();
      this.number = number;
      this.sent.set(number, entry);
      this.unconfirmed.push({ kind: 'input', number, bytes: bytes.length, isLarge: isOfLarge });
      this.ports.put(bytes);
    }
    this.timer ??= this.ports.time.after(retryMs, () => {
      this.timer = undefined;
      this.pump();
    });
  }

  /**
   * Whether the server will certainly accept the message, even if it reads it together with all unconfirmed messages. A
   * small message must also leave the share `exemptFill` of both buckets, so that the shared limits of the IP address
   * do not apply to this connection.
   */
  private mayPut(bytes: number, isOfLarge: boolean) {
    let [messagesAhead, bytesAhead, largeAhead] = [0, 0, 0];
    for (const each of this.unconfirmed) {
      if (each.kind === 'ping') continue;
      messagesAhead++;
      bytesAhead += each.bytes;
      if (each.isLarge) largeAhead++;
    }
    if (this.sent.size >= Math.max(1, this.limits.inputs)) return false;
    const now = this.ports.time.now();
    const fits = (name: 'messages' | 'bytes', ahead: number, amount: number) => {
      return this.buckets[name].left(now) - ahead >= amount + reserveOf(this.limits[name], amount);
    };
    if (!fits('messages', messagesAhead, 1) || !fits('bytes', bytesAhead, bytes)) return false;
    return !isOfLarge || this.buckets.large.left(now) - largeAhead >= 1;
  }

  /** Notes that the server has read this message, and everything sent before it. */
  private confirm(kind: Unconfirmed['kind'], number: number) {
    const at = this.unconfirmed.findIndex((each) => each.kind === kind && each.number === number);
    for (const each of this.unconfirmed.splice(0, at + 1)) {
      if (each.kind === 'input') this.spend(each.bytes, each.isLarge);
    }
  }

  private spend(bytes: number, isOfLarge: boolean) {
    const now = this.ports.time.now();
    this.buckets.messages.drain(1, now);
    this.buckets.bytes.drain(bytes, now);
    if (isOfLarge) this.buckets.large.drain(1, now);
  }
}

function reserveOf({ size }: BucketOptions, amount: number) {
  return amount > (size * (1 - exemptFill)) / 2 ? 0 : size * exemptFill;
}

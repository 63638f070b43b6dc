import {
  defined,
  EventEmitter,
  messageOf,
  requireKnownOptions,
  type StopListening,
  unknownWord,
} from '../../../engine/core/index.ts';
import { walkingKeys } from '../../../engine/tools.ts';
import { type Clock, hostClock, type Timer } from '../../machine/index.ts';
import { type Applied, FrameReader, type Replica } from '../protocol/frames/frame-reader.ts';
import { type Code, codeOfClose } from '../protocol/messages/codes.ts';
import type { ClientEvent } from '../protocol/messages/event-kinds.ts';
import { type ClientInput, requireClientInput } from '../protocol/messages/inputs.ts';
import {
  decodeServerMessage,
  type InputResult,
  protocolVersion,
  type ServerMessage,
} from '../protocol/messages/messages.ts';
import { RoomClock } from './clock.ts';
import { Interpolator, type Pose } from './interpolation.ts';
import { Outbox } from './outbox.ts';
import { ShownTexts } from './shown-texts.ts';
import { bytesOf, type ClientSocket, type ClientSocketClass, hostSocket } from './socket.ts';

export type Welcome = Extract<ServerMessage, { kind: 'welcome' }>;
export type Motion = Omit<Extract<ServerMessage, { kind: 'motion' }>, 'kind'>;
type RoomPace = Omit<Extract<ServerMessage, { kind: 'pace' }>, 'kind'>;

type MapChange = ClientEvent<'map.tiles' | 'map.replace'>;

/** Predicts the client's own unit. `Prediction` implements it. */
export interface Predictor {
  /** The tick for which an input should be sent now; undefined for the server's next tick. */
  readonly inputTick: number | undefined;
  /** Called with each input that was sent, and the number that `send` returns. */
  sent(sequence: number, input: ClientInput, tick: number | undefined): void;
  /** The position at which to draw an entity now; undefined if the entity is not predicted. */
  placeOf(replica: Replica): Pose | undefined;
}

export interface RoomClientOptions {
  /** The URL of the server: `ws://…` or `wss://…`. */
  readonly url: string;
  readonly name: string;
  /**
   * The id of a room, the name of a game, a game with properties (`arena?mode=ranked`), or the code of a private room
   * (`#K7QM2XPW`). By default, the server chooses.
   */
  readonly room?: string;
  /** Identifies the player's account to the server. */
  readonly token?: string;
  /** Watches the room without a player. `name` and `resume` are ignored then. */
  readonly watch?: boolean;
  /** The resume token of an earlier `welcome`, to continue as that player; or the token of a reserved seat. */
  readonly resume?: string;
  /**
   * The class for connections. Default: the host's `WebSocket`. Node before version 22 has none; pass that of the
   * package `ws`.
   */
  readonly WebSocket?: unknown;
  /** How long to retry a lost connection, seconds; 0 disables reconnecting. Default 30. */
  readonly reconnectSeconds?: number;
  /** The clock and timers. Default: those of the host. */
  readonly time?: Clock;
  /** How far drawing lags behind the server, ms; at least two ticks. Default 100. */
  readonly delayMs?: number;
}

const optionNames = Object.keys({
  url: true,
  name: true,
  room: true,
  token: true,
  watch: true,
  resume: true,
  WebSocket: true,
  reconnectSeconds: true,
  time: true,
  delayMs: true,
} satisfies Record<keyof RoomClientOptions, true>);

/** The events that a client emits. */
export type RoomClientEvents = {
  /** The client has joined the room, or rejoined it after an outage. */
  welcome: Welcome;
  /** A frame was applied to `state`. */
  frame: Applied;
  /** An event that is not part of the state: a sound, a text, a chat message. */
  event: ClientEvent & { readonly tick: number };
  /** The result of an input. */
  result: InputResult;
  /** Data for predicting the own unit; it applies from the next frame on. */
  motion: Motion;
  /** The room has become slow, or runs at full speed again. */
  pace: RoomPace;
  /** The operator has received a report of this client. */
  reported: { readonly report: string };
  /** The server refused a request. */
  refused: { readonly code: Code; readonly text: string };
  /** The connection was lost; the client is reconnecting. */
  lost: { readonly code: Code | undefined };
  /** The connection has ended for good. */
  end: { readonly code: Code | undefined };
  /** A listener threw this error. */
  error: unknown;
  /** Bytes were received or sent. */
  traffic: { readonly received: number; readonly sent: number };
};

const eventNames = Object.keys({
  welcome: true,
  frame: true,
  event: true,
  result: true,
  motion: true,
  pace: true,
  reported: true,
  refused: true,
  lost: true,
  end: true,
  error: true,
  traffic: true,
} satisfies Record<keyof RoomClientEvents, true>);

/** Thrown if the server refuses the join or cannot be reached. */
export class RoomError extends Error {
  override readonly name = 'RoomError';

  constructor(
    /** The reason that the server gave; undefined if no server answered. */
    readonly code: Code | undefined,
    message: string,
  ) {
    super(message);
  }
}

const subprotocol = 'reenact';
const acknowledgeMs = 1000;
const fullStateRetryMs = 2000;
const pingMs = 2000;
/** The first pings follow each other quickly, to set the clock. */
const firstPingMs = 200;
const firstPings = 3;
/** A connection without an answer for this long counts as lost, because sockets do not always report a loss. */
const silentMs = 10_000;
const retryFirstMs = 200;
const retryMaxMs = 5000;
/** The members of a `map.tiles` event that select the tiles to set. */
const area = ['layer', 'x', 'y', 'width', 'height'] as const;
/** Codes after which reconnecting is pointless. */
const final: ReadonlySet<Code> = new Set([
  'protocol-version',
  'no-such-room',
  'banned',
  'guests-not-allowed',
  'not-permitted',
  'token-invalid',
  'token-missing',
  'origin-not-allowed',
  'resume-unknown',
  'match-lost',
  'left',
  'replaced',
  'kicked',
  'room-ended',
  'room-failed',
  'too-many',
]);

/** A player or spectator in a room of a server: connects and reconnects, keeps the room's state, and sends inputs. */
export class RoomClient {
  /** The state of the room as far as this client knows it. */
  readonly state = new FrameReader();
  readonly clock = new RoomClock();
  /** The latest data for predicting the own unit; empty before the server has sent any. */
  motion: Motion = {};
  /** The latest message about the speed of the room; undefined before the first. */
  pace: RoomPace | undefined;
  /** The prediction of the own unit; undefined without one. */
  predictor: Predictor | undefined;
  private readonly emitter: EventEmitter<RoomClientEvents>;
  private readonly interpolator = new Interpolator();
  private readonly texts = new ShownTexts();
  private changesOfMap: MapChange[] = [];
  private socket: ClientSocket | undefined;
  private welcomed: Welcome | undefined;
  private resume: string | undefined;
  private readonly outbox: Outbox;
  /** How far back in time the room judges hits, ms; 0 for a room without lag compensation. */
  lagCompensationMs = 0;
  /** The keys that are held, with the input that pressed them and its number. */
  private readonly held = new Map<string, readonly [input: ClientInput, sequence: number]>();
  /** Numbers of inputs that the client sends without a call of `send`; their results are not reported. */
  private readonly silent = new Set<number>();
  private acknowledgedMs = -Infinity;
  /** When this client last asked for the full state after an unusable frame, ms of its clock. */
  private fullStateAskedMs = -Infinity;
  private pings = 0;
  private isOpen = false;
  /** The time of the first ping sent since the last message from the server; undefined while no answer is due. */
  private silentSinceMs: number | undefined;
  private readonly time: Clock;
  private pingTimer: Timer | undefined;
  private retryTimer: Timer | undefined;
  private retryMs = retryFirstMs;
  private lostMs: number | undefined;
  private isOver = false;
  /** The reason that the server gave for ending the connection; undefined if it gave none. */
  private endCode: Code | undefined;
  /** The message of the browser or of Node about the failure of the newest connection; undefined if there is none. */
  private failure: string | undefined;
  /** The URL of the room's server, as told by another server. It is used for one attempt to connect. */
  private elsewhere: string | undefined;
  private waiting:
    | { readonly resolve: (welcome: Welcome) => void; readonly reject: (error: RoomError) => void }
    | undefined;

  /** Throws `UsageError` for an unknown option. */
  constructor(private readonly options: RoomClientOptions) {
    requireKnownOptions(options, optionNames);
    this.time = options.time ?? hostClock;
    this.resume = options.resume;
    this.outbox = new Outbox({
      time: this.time,
      put: (bytes) => this.put(bytes),
      result: (result) => this.answered(result),
    });
    this.emitter = new EventEmitter<RoomClientEvents>((event, error) => {
      if (event !== 'error') this.emitter.emit('error', error);
    });
  }

  /** Returns a function that removes the listener. Throws `UsageError` for an unknown event. */
  on<E extends keyof RoomClientEvents>(event: E, listener: (detail: RoomClientEvents[E]) => void): StopListening {
    if (!eventNames.includes(event)) throw unknownWord('unknown-event', 'event', event, eventNames);
    return this.emitter.on(event, listener);
  }

  /** Opens the connection and joins. Rejects with a `RoomError`. Call it only once. */
  connect(): Promise<Welcome> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.open();
    });
  }

  /** The latest welcome; undefined before the first. */
  get welcome(): Welcome | undefined {
    return this.welcomed;
  }

  /** The client's own player; undefined until the room has sent it. */
  get player(): Replica | undefined {
    return this.welcomed && this.state.find(this.welcomed.player);
  }

  get isConnected(): boolean {
    return this.socket !== undefined && this.welcomed !== undefined && this.lostMs === undefined && !this.isOver;
  }

  /**
   * Sends an input and returns its number, which the event `result` repeats. `tick` is the earliest tick in which it
   * may take effect. Inputs are queued while the connection is lost and while the server's limits are used up. Of
   * consecutive mouse positions (and of angles) in the queue only the newest is sent; they share a number. Keys that
   * are still held after an outage are pressed again. Throws `UsageError` for an invalid input, and an error for a
   * client that watches.
   */
  send(input: ClientInput, tick?: number): number {
    if (this.options.watch === true) throw new Error('A client that watches cannot send inputs.');
    requireClientInput(input);
    const { predictor } = this;
    const at = tick ?? predictor?.inputTick;
    if (this.lagCompensationMs > 0 && input.kind === 'keyDown' && !walkingKeys.has(input.key)) this.tellSeen(at);
    const sequence = this.outbox.add(input, at);
    predictor?.sent(sequence, input, at);
    if (input.kind === 'keyDown') this.held.set(input.key, [input, sequence]);
    else if (input.kind === 'keyUp') this.held.delete(input.key);
    return sequence;
  }

  private tellSeen(at: number | undefined) {
    this.silent.add(this.outbox.add({ kind: 'seen', tick: this.drawnTick }, at));
  }

  private answered(result: InputResult) {
    if (!this.silent.delete(result.sequence)) this.emitter.emit('result', result);
  }

  /**
   * Reports another player of the room to the operator. `text` gives the reason in up to 500 characters. The event
   * `reported` or `refused` follows. Throws for a client that watches or is not connected.
   */
  report(player: string, text: string) {
    if (this.options.watch === true || !this.isConnected)
      throw new Error('Only a connected player can report another player.');
    this.outbox.send({ kind: 'report', player, text });
  }

  /** The estimated current tick of the server, with the fraction. */
  get tick(): number {
    return this.clock.tickAt(this.time.now());
  }

  /**
   * The tick to draw. It lags a little behind the server, so that there are frames before and after it to interpolate
   * between.
   */
  get drawnTick(): number {
    const rate = this.welcomed?.rate ?? 0;
    const delayTicks = Math.max(2, ((this.options.delayMs ?? 100) * rate) / 1000);
    return this.tick - delayTicks;
  }

  /** The client's clock, ms. */
  get nowMs(): number {
    return this.time.now();
  }

  /**
   * The position at which to draw an entity at `tick`, or now if `tick` is omitted. The position now comes from the
   * predictor for the entities that it predicts. A carried item is drawn at its carrier.
   */
  placeOf(replica: Replica, tick?: number): Pose {
    const carrier = replica.isPlaced || replica.kind !== 'item' ? undefined : replica.owner;
    const placed = carrier ?? replica;
    const predicted = tick === undefined ? this.predictor?.placeOf(placed) : undefined;
    return predicted ?? this.interpolator.at(placed, tick ?? this.drawnTick);
  }

  /**
   * The contents of the text areas of the screen, by area. They are HTML from the game: sanitize it before a page shows
   * it.
   */
  get shownTexts(): ReadonlyMap<string, string> {
    return this.texts.shown(this.time.now());
  }

  /** The events that turn the map of the definition into the current map of the room. */
  get mapChanges(): readonly MapChange[] {
    return this.changesOfMap;
  }

  /** Makes the player leave the game, and closes the connection. */
  leave() {
    if (this.isConnected) this.outbox.send({ kind: 'leave' });
    this.finish('left');
  }

  /**
   * Closes the connection. The player stays in the game for a while, and can be resumed with the token of the
   * `welcome`.
   */
  close() {
    this.finish(undefined);
  }

  private open() {
    const { WebSocket = hostSocket() } = this.options;
    const url = this.elsewhere ?? this.options.url;
    this.elsewhere = undefined;
    if (typeof WebSocket !== 'function') {
      this.finish(
        undefined,
        'This environment has no WebSocket class. Pass a class in the option "WebSocket", such as the class of the package "ws".',
      );
      return;
    }
    let socket: ClientSocket;
    try {
      socket = new (WebSocket as ClientSocketClass)(url, subprotocol);
    } catch (error) {
      this.finish(undefined, messageOf(error));
      return;
    }
    this.socket = socket;
    this.endCode = undefined;
    this.isOpen = false;
    this.silentSinceMs = this.time.now();
    this.pings = 0;
    this.ping();
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.isOpen = true;
      this.outbox.connected();
      this.join();
    };
    socket.onmessage = (event: { readonly data?: unknown }) => {
      const bytes = bytesOf(event);
      if (socket === this.socket && bytes !== undefined) this.receive(bytes);
    };
    socket.onclose = ({ code }: { readonly code?: number }) => {
      if (socket === this.socket) this.closed(this.endCode ?? codeOfClose(code ?? 0));
    };
    // `onclose` is called next, and uses this message. Browsers give no reason, so `message` may be undefined.
    socket.onerror = ({ message }: { readonly message?: string }) => {
      if (socket === this.socket) this.failure = message;
    };
  }

  /**
   * The URL to which a server refers the client; undefined if the URL would lead from an encrypted connection to an
   * unencrypted one.
   */
  private acceptableAddress(text: string) {
    const isFit = text.startsWith('wss://') || (text.startsWith('ws://') && this.options.url.startsWith('ws://'));
    return isFit ? text : undefined;
  }

  private join() {
    const { name, room, token, watch } = this.options;
    const { resume } = this;
    // The account's token may have expired since the client joined; the resume token that it then received is
    // sufficient.
    const isProven = this.welcomed !== undefined && watch !== true;
    const where = { protocol: protocolVersion, ...defined({ room, token: isProven ? undefined : token }) };
    if (watch === true) this.outbox.send({ kind: 'watch', ...where });
    else this.outbox.send({ kind: 'join', name, ...where, ...defined({ resume }) });
  }

  private put(bytes: Uint8Array<ArrayBuffer>) {
    this.socket?.send(bytes);
    this.emitter.emit('traffic', { received: 0, sent: bytes.length });
  }

  private receive(bytes: Uint8Array) {
    this.silentSinceMs = undefined;
    this.emitter.emit('traffic', { received: bytes.length, sent: 0 });
    const decoded = decodeServerMessage(bytes);
    // Unknown messages of a newer server are ignored.
    if (!decoded.ok) return;
    const { message } = decoded;
    switch (message.kind) {
      case 'welcome':
        this.enter(message);
        return;
      case 'frame':
        this.apply(message.bytes);
        return;
      case 'events':
        for (const event of message.events) {
          this.texts.take(event, this.time.now());
          if (event.kind === 'map.tiles' || event.kind === 'map.replace') this.changeMap(event as MapChange);
          this.emitter.emit('event', { ...event, tick: message.tick });
        }
        return;
      case 'inputResults':
        for (const result of message.results) this.outbox.answered(result);
        return;
      case 'motion': {
        const { kind: _, ...motion } = message;
        this.motion = { ...this.motion, ...motion };
        this.emitter.emit('motion', motion);
        return;
      }
      case 'pace':
        this.pace = { speed: message.speed, reason: message.reason };
        this.emitter.emit('pace', this.pace);
        return;
      case 'lagCompensation':
        this.lagCompensationMs = message.ms;
        // From now on, the room remembers past positions of units, so it must know the tick that this client sees.
        this.tellSeen(undefined);
        return;
      case 'refused':
        // Before the welcome, a refusal is the answer to the join.
        if (this.waiting !== undefined || this.lostMs !== undefined) this.endCode = message.code;
        if (message.code === 'elsewhere') this.elsewhere = this.acceptableAddress(message.text);
        this.emitter.emit('refused', { code: message.code, text: message.text });
        return;
      case 'reported':
        this.emitter.emit('reported', { report: message.report });
        return;
      case 'pong':
        this.clock.answered(message.time, this.time.now(), message.tick);
        this.outbox.ponged(message.time);
        return;
      case 'limits':
        this.outbox.limit(message.limits);
        return;
      case 'bye':
        this.endCode = message.code;
        return;
    }
  }

  private changeMap(change: MapChange) {
    const isReplaced = (earlier: MapChange) =>
      change.kind === 'map.replace' ||
      (earlier.kind === 'map.tiles' && area.every((name) => earlier[name] === change[name]));
    this.changesOfMap = [...this.changesOfMap.filter((earlier) => !isReplaced(earlier)), change];
  }

  private enter(welcome: Welcome) {
    if (this.welcomed !== undefined && this.welcomed.player !== welcome.player) this.outbox.abandon();
    this.lagCompensationMs = 0;
    this.pace = undefined;
    this.welcomed = welcome;
    this.changesOfMap = [];
    this.resume = welcome.resume;
    this.state.player = welcome.player;
    this.lostMs = undefined;
    this.retryMs = retryFirstMs;
    this.clock.begin(welcome.rate, welcome.tick, this.time.now());
    if (this.options.watch !== true) this.outbox.open(welcome.sequence);
    this.pings = 0;
    this.ping();
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(welcome);
    this.emitter.emit('welcome', welcome);
    // The server released all keys when the connection was lost, so keys that are still held are pressed again.
    for (const [input, sequence] of [...this.held.values()]) if (!this.outbox.has(sequence)) this.send(input);
  }

  private ping() {
    this.pingTimer?.cancel();
    const { socket } = this;
    if (socket === undefined) return;
    const now = this.time.now();
    if (this.silentSinceMs !== undefined && now - this.silentSinceMs > silentMs) {
      this.closed(undefined);
      socket.close();
      return;
    }
    if (this.isOpen) {
      this.silentSinceMs ??= now;
      this.outbox.send({ kind: 'ping', time: now });
      this.pings++;
    }
    this.pingTimer = this.time.after(this.pings < firstPings ? firstPingMs : pingMs, () => this.ping());
  }

  private apply(bytes: Uint8Array) {
    const applied = this.state.apply(bytes);
    const now = this.time.now();
    if (!applied.ok) {
      if (now - this.fullStateAskedMs >= fullStateRetryMs) {
        this.fullStateAskedMs = now;
        this.outbox.send({ kind: 'ack', frame: 0 });
      }
      return;
    }
    this.fullStateAskedMs = -Infinity;
    this.interpolator.record(this.state);
    if (applied.frame > 0 && (applied.isWhole || now - this.acknowledgedMs >= acknowledgeMs)) {
      this.acknowledgedMs = now;
      this.outbox.send({ kind: 'ack', frame: applied.frame });
    }
    this.emitter.emit('frame', applied);
  }

  private closed(code: Code | undefined) {
    this.socket = undefined;
    this.outbox.close();
    this.pingTimer?.cancel();
    const { reconnectSeconds = 30 } = this.options;
    const now = this.time.now();
    const isFirst = this.welcomed === undefined;
    this.lostMs ??= now;
    // A referral is followed immediately, but only once in a row, because two servers may refer to each other.
    const isReferred = code === 'elsewhere' && this.elsewhere !== undefined && this.retryMs === retryFirstMs;
    const isTooLate = !isReferred && now - this.lostMs + this.retryMs > reconnectSeconds * 1000;
    const isRefused = isFirst && code !== 'elsewhere';
    if (this.isOver || isRefused || isTooLate || (code !== undefined && final.has(code))) {
      this.finish(code);
      return;
    }
    if (!isFirst) this.emitter.emit('lost', { code });
    this.retryTimer = this.time.after(isReferred ? 0 : this.retryMs, () => this.open());
    this.retryMs = Math.min(retryMaxMs, this.retryMs * 2);
  }

  private finish(code: Code | undefined, text?: string) {
    if (this.isOver) return;
    this.isOver = true;
    this.outbox.close();
    this.pingTimer?.cancel();
    this.retryTimer?.cancel();
    const { socket, waiting } = this;
    this.socket = undefined;
    this.waiting = undefined;
    // A close without a code makes the server keep the player for its whole grace period.
    socket?.close(code === 'left' ? 1000 : undefined);
    const reason =
      text ??
      (code === undefined
        ? `The server cannot be reached${this.failure ? `: ${this.failure}` : ''}.`
        : `The server refused the connection: ${code}.`);
    waiting?.reject(new RoomError(code, reason));
    this.emitter.emit('end', { code });
  }
}

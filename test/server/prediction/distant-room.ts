import { type DialectName, defaultLimits, loadDefinition } from '../../../engine/index.ts';
import { defaultPlay, type PlayOptions } from '../../../src/server/base/options.ts';
import { type Replica, RoomClient } from '../../../src/server/client/index.ts';
import { slowSocket } from '../../../src/server/crowd/slow-link.ts';
import { type Clock, hostClock } from '../../../src/server/machine/clock.ts';
import { Prediction } from '../../../src/server/prediction/index.ts';
import {
  type ClientMessage,
  decodeClientMessage,
  encodeServerMessage,
  protocolVersion,
} from '../../../src/server/protocol/messages.ts';
import { protocols } from '../../../src/server/protocols/index.ts';
import type { TickRecord } from '../../../src/server/room/messages.ts';
import { Room } from '../../../src/server/room/room.ts';

/** Time that only the test lets pass. */
export class TestClock implements Clock {
  private ms = 0;
  private timers: { atMs: number; act: () => void }[] = [];

  now(): number {
    return this.ms;
  }

  date(): number {
    return this.ms;
  }

  after(ms: number, act: () => void) {
    const timer = { atMs: this.ms + ms, act };
    this.timers.push(timer);
    return { cancel: () => (this.timers = this.timers.filter((each) => each !== timer)) };
  }

  passTo(ms: number): void {
    for (;;) {
      const next = this.timers.reduce<(typeof this.timers)[0] | undefined>(
        (first, each) => (each.atMs <= ms && (first === undefined || each.atMs < first.atMs) ? each : first),
        undefined,
      );
      if (next === undefined) break;
      this.timers = this.timers.filter((each) => each !== next);
      this.ms = Math.max(this.ms, next.atMs);
      next.act();
    }
    this.ms = ms;
  }
}

export type InputMessage = Extract<ClientMessage, { kind: 'input' }>;

interface Distance {
  readonly roundTripMs?: number;
  readonly jitterMs?: number;
  readonly lossShare?: number;
}

/** How long the journal takes to keep an input. Its result waits for that, its frame does not. */
const journalMs = 8;
const pictureMs = 1000 / 60;

/** The real room and the real client of one player, with a distance between them, on a clock of the test. */
export class DistantRoom {
  readonly clock = new TestClock();
  readonly client: RoomClient;
  private readonly document: unknown;
  prediction: Prediction;
  readonly room: Room;
  readonly errors: number[] = [];
  readonly late: number[] = [];
  readonly corrections: number[] = [];
  /** How often the server put the unit elsewhere. */
  serverJumps = 0;
  /** Bytes that the server sent, by kind of message. */
  readonly sentBytes = { motion: 0, all: 0 };
  /** Called for each input that the server receives. */
  onInput: ((message: InputMessage) => void) | undefined;
  /** Called before each picture. */
  onPicture: (() => void) | undefined;
  readonly refused: string[] = [];
  private stalledMs = 0;
  readonly failures: unknown[] = [];
  private seed = 1;
  private readonly records: TickRecord[] = [];
  private readonly open: () => Room;

  constructor(
    document: unknown,
    distance: Distance = {},
    dialect: DialectName = 'standard',
    play: Partial<PlayOptions> = {},
  ) {
    const { game } = loadDefinition(document);
    const { clock } = this;
    const identity = { id: 'r', slug: 'game', version: 'v', seed: 's', epochMs: 0, limits: defaultLimits, dialect };
    const serverClock = { ...hostClock, now: () => clock.now(), date: () => clock.date(), busy: () => 0 };
    const open = () =>
      new Room(game!, identity, { ...defaultPlay, ...play }, new Map([['reenact', protocols.reenact.room]]), {
        ...serverClock,
        every: () => ({ cancel: () => {} }),
        soon: () => {},
      });
    const room = open();
    this.open = open;
    room.begin(0);
    this.room = room;
    const { sim } = room;
    let tickedMs = 0;
    let put: ((bytes: Uint8Array) => void) | undefined;
    const tick = (): void => {
      if (clock.now() < this.stalledMs) {
        clock.after(this.stalledMs - clock.now(), tick);
        return;
      }
      tickedMs = clock.now();
      const { record, sendings, results, admissions } = room.tick(clock.date(), 0);
      this.records.push(record);
      for (const { player } of admissions) {
        const { tick, rate } = sim;
        const welcome = { room: 'r', player, tick, rate, resume: '', sequence: 0, slug: 'game', hash: 'h' };
        put?.(encodeServerMessage({ kind: 'welcome', protocol: protocolVersion, ...welcome }));
      }
      for (const { bytes } of sendings) {
        this.sentBytes.all += bytes.length;
        if (bytes[0] === 10) this.sentBytes.motion += bytes.length;
        put?.(bytes);
      }
      const told = results.map(({ sequence, tick, code }) => (code ? { sequence, refused: code } : { sequence, tick }));
      if (told.length > 0)
        clock.after(journalMs, () => put?.(encodeServerMessage({ kind: 'inputResults', results: told })));
      clock.after(1000 / sim.rate, tick);
    };
    clock.after(1000 / sim.rate, tick);
    const received = (message: InputMessage): void => this.onInput?.(message);
    class Socket {
      binaryType = '';
      onopen: ((event: never) => void) | null = null;
      onmessage: ((event: never) => void) | null = null;
      onclose: ((event: never) => void) | null = null;
      onerror: ((event: never) => void) | null = null;

      constructor() {
        put = (bytes) => this.onmessage?.({ data: bytes } as never);
        clock.after(0, () => this.onopen?.({} as never));
      }

      send(bytes: Uint8Array): void {
        const decoded = decodeClientMessage(bytes);
        if (!decoded.ok) throw new Error(`The client sent something ${decoded.fault}.`);
        const { message } = decoded;
        if (message.kind === 'join') room.join(1, 'reenact', { kind: 'join', clientId: 'p1', name: message.name });
        else if (message.kind === 'ack') room.acknowledge(1, message.frame);
        else if (message.kind === 'ping') {
          const share = ((clock.now() - tickedMs) * sim.rate) / 1000;
          put?.(encodeServerMessage({ kind: 'pong', time: message.time, tick: sim.tick + share }));
        } else if (message.kind === 'input') {
          const { sequence, tick = 0, input } = message;
          received(message);
          const refused = room.input(1, 'p1', sequence, tick, { ...input, player: 'p1' } as never);
          if (refused) put?.(encodeServerMessage({ kind: 'inputResults', results: [{ sequence, refused }] }));
        }
      }

      close(): void {}
    }
    const random = (): number => {
      this.seed = (this.seed * 48271) % 2147483647;
      return this.seed / 2147483647;
    };
    const { roundTripMs = 0, jitterMs = 0, lossShare = 0 } = distance;
    const WebSocket = slowSocket(Socket as never, { roundTripMs, jitterMs, lossShare, time: clock, random });
    this.client = new RoomClient({ url: 'ws://room', name: 'Ada', WebSocket, time: clock });
    this.document = document;
    this.prediction = this.predict();
    this.client.on('error', (error) => {
      console.error(error);
      this.failures.push(error);
    });
    this.client.on('result', (result) => {
      if ('refused' in result) this.refused.push(result.refused);
    });
    void this.client.connect();
  }

  predict(definition = this.document): Prediction {
    this.prediction = new Prediction(this.client, {
      definition,
      observer: {
        truth: (px) => this.errors.push(px),
        applied: (ticks) => this.late.push(ticks),
        corrected: (px, byServerPx) => {
          this.corrections.push(px);
          if (byServerPx > 24) this.serverJumps++;
        },
      },
    });
    return this.prediction;
  }

  /** The room as its journal replays it, and the first tick that differs. */
  replayed(): { readonly room: Room; readonly differsAt: number | undefined } {
    const room = this.open();
    return { room, differsAt: room.replay(this.records).differsAt };
  }

  /** Lets time pass, and draws 60 pictures a second. */
  play(seconds: number): void {
    const endMs = this.clock.now() + seconds * 1000;
    while (this.clock.now() < endMs) {
      this.clock.passTo(Math.min(endMs, this.clock.now() + pictureMs));
      this.onPicture?.();
      const { unit } = this;
      if (unit !== undefined) this.client.placeOf(unit);
    }
  }

  /** The server plays no ticks for a while, and skips those that it has missed. */
  stall(seconds: number): void {
    this.stalledMs = this.clock.now() + seconds * 1000;
  }

  get unit(): Replica | undefined {
    return this.client.player?.selectedUnit;
  }

  /** Where the unit is drawn. */
  get drawn() {
    return this.client.placeOf(this.unit!);
  }

  press(key: string): void {
    this.client.send({ kind: 'keyDown', key });
  }

  release(key: string): void {
    this.client.send({ kind: 'keyUp', key });
  }
}

import { type DialectName, defaultLimits } from '../../../engine/index.ts';
import type { TickRecord } from '../../../src/cluster/stored-room.ts';
import { type Clock, hostClock } from '../../../src/machine/clock.ts';
import type { ClientSocket, ClientSocketClass } from '../../../src/net/client/socket.ts';
import {
  type ClientMessage,
  decodeClientMessage,
  encodeServerMessage,
  type InputResult,
  protocolVersion,
  type ServerMessage,
} from '../../../src/net/protocol/messages/messages.ts';
import { defaultPlay, type PlayOptions } from '../../../src/server/base/options.ts';
import { protocols } from '../../../src/server/client-protocols/index.ts';
import { ServedDefinition } from '../../../src/server/definitions/served.ts';
import { Room } from '../../../src/server/room/room.ts';
import { slowSocket } from '../../support/slow-link.ts';

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

/** The distance between a client and the server. */
export interface Distance {
  readonly roundTripMs?: number;
  readonly jitterMs?: number;
  readonly lossShare?: number;
}

/** How long the journal takes to keep an input. Its result waits for that, its frame does not. */
const journalMs = 8;
export const pictureMs = 1000 / 60;

/** The real room and its connections, on a clock of the test. */
export class VirtualServer {
  readonly clock = new TestClock();
  /** The definition that clients receive. */
  readonly definition: unknown;
  readonly room: Room;
  /** Called for each input that the server receives. */
  onInput: ((message: InputMessage) => void) | undefined;
  private readonly records: TickRecord[] = [];
  private readonly open: () => Room;
  private readonly connections = new Map<number, (bytes: Uint8Array) => void>();
  private sessions = 0;
  private tickedMs = 0;
  private stalledMs = 0;
  private speed = 1;
  private atOnce = 1;

  constructor(document: unknown, dialect: DialectName = 'standard', play: Partial<PlayOptions> = {}) {
    const { game, public: shown } = ServedDefinition.of(JSON.stringify(document), 'game')!;
    this.definition = JSON.parse(shown.json);
    const { clock } = this;
    const identity = { id: 'r', slug: 'game', version: 'v', seed: 's', epochMs: 0, limits: defaultLimits, dialect };
    const serverClock = { ...hostClock, now: () => clock.now(), date: () => clock.date(), busy: () => 0 };
    this.open = () =>
      new Room(game, identity, { ...defaultPlay, ...play }, new Map([['reenact', protocols.reenact.room]]), {
        ...serverClock,
        every: () => ({ cancel: () => {} }),
        soon: () => {},
      });
    this.room = this.open();
    this.room.begin(0);
    this.scheduleTick();
  }

  /** The room as its journal replays it, and the first tick that differs. */
  replayed(): { readonly room: Room; readonly differsAt: number | undefined } {
    const room = this.open();
    return { room, differsAt: room.replay(this.records).differsAt };
  }

  /** The server plays no ticks for a while, and skips those that it has missed. */
  stall(seconds: number): void {
    this.stalledMs = this.clock.now() + seconds * 1000;
  }

  /**
   * From now on the server plays this share of the ticks that are due, so many at once, and skips the others. Clients
   * are told, as they are of a real room.
   */
  starve(speed: number, atOnce = 1): void {
    this.speed = speed;
    this.atOnce = atOnce;
    const reason = speed < 0.9 ? 'long-ticks' : '';
    for (const session of this.connections.keys()) this.put(session, { kind: 'pace', speed, reason });
  }

  /** A class of sockets to the room. Each socket is a session of a player of its own: `p1`, `p2` and so on. */
  socketClass(distance: Distance, random: () => number): ClientSocketClass {
    const { clock, room, connections } = this;
    const nextSession = (): number => ++this.sessions;
    const answer = (session: number, message: ServerMessage): void => this.put(session, message);
    const received = (message: InputMessage): void => this.onInput?.(message);
    const share = (): number => Math.min(1, ((clock.now() - this.tickedMs) * room.sim.rate) / 1000);
    class Socket implements ClientSocket {
      binaryType = '';
      onopen: ClientSocket['onopen'] = null;
      onmessage: ClientSocket['onmessage'] = null;
      onclose: ClientSocket['onclose'] = null;
      onerror: ClientSocket['onerror'] = null;
      private readonly session = nextSession();

      constructor() {
        connections.set(this.session, (bytes) => this.onmessage?.({ data: bytes } as never));
        clock.after(0, () => this.onopen?.({} as never));
      }

      send(bytes: Uint8Array): void {
        const decoded = decodeClientMessage(bytes);
        if (!decoded.ok) throw new Error(`The client sent something ${decoded.fault}.`);
        const { message } = decoded;
        const { session } = this;
        const player = `p${session}`;
        if (message.kind === 'join')
          room.join(session, 'reenact', { kind: 'join', clientId: player, name: message.name });
        else if (message.kind === 'leave') room.leave(player);
        else if (message.kind === 'ack') room.acknowledge(session, message.frame);
        else if (message.kind === 'ping')
          answer(session, { kind: 'pong', time: message.time, tick: room.sim.tick + share() });
        else if (message.kind === 'input') {
          const { sequence, tick = 0, input } = message;
          received(message);
          const refused = room.input(session, player, sequence, tick, { ...input, player } as never);
          if (refused) answer(session, { kind: 'inputResults', results: [{ sequence, refused }] });
        } else throw new Error(`The client sent a message ${message.kind}, which this server does not know.`);
      }

      close(): void {
        connections.delete(this.session);
        room.detach(this.session);
      }
    }
    const { roundTripMs = 0, jitterMs = 0, lossShare = 0 } = distance;
    return slowSocket(Socket, { roundTripMs, jitterMs, lossShare, time: clock, random });
  }

  private put(session: number, message: ServerMessage): void {
    this.connections.get(session)?.(encodeServerMessage(message));
  }

  private scheduleTick(): void {
    const { atOnce } = this;
    this.clock.after((atOnce * 1000) / this.room.sim.rate / this.speed, () => {
      for (let i = 0; i < atOnce; i++) this.tick(i === atOnce - 1);
    });
  }

  private tick(isLast = true): void {
    const { clock, room } = this;
    if (clock.now() < this.stalledMs) {
      clock.after(this.stalledMs - clock.now(), () => this.tick());
      return;
    }
    this.tickedMs = clock.now();
    const { record, sendings, results, admissions } = room.tick(clock.date(), 0);
    this.records.push(record);
    for (const { player, session, code } of admissions) {
      if (code !== undefined) {
        this.put(session, { kind: 'refused', code, text: code });
        continue;
      }
      const { tick, rate } = room.sim;
      const welcome = { room: 'r', player, tick, rate, resume: '', sequence: 0, slug: 'game', hash: 'h' };
      this.put(session, { kind: 'welcome', protocol: protocolVersion, ...welcome });
    }
    for (const { bytes, sessions } of sendings) for (const session of sessions) this.connections.get(session)?.(bytes);
    const told = new Map<number, InputResult[]>();
    for (const { session, sequence, tick, code } of results) {
      const list = told.get(session) ?? [];
      told.set(session, list);
      list.push(code ? { sequence, refused: code } : { sequence, tick });
    }
    for (const [session, list] of told)
      clock.after(journalMs, () => this.put(session, { kind: 'inputResults', results: list }));
    if (isLast) this.scheduleTick();
  }
}

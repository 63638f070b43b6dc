import type { OutputEvent } from '../../../engine/index.ts';
import type { ServedDefinition } from '../definitions/library.ts';
import type { ListedRoom } from '../journal/journal.ts';
import type { Timer } from '../machine/clock.ts';
import type { Code } from '../protocol/codes.ts';
import type { Admission, InputResult, PlatformRequest, RoomIdentity, Sending } from '../room/messages.ts';
import { Insights } from './insights.ts';
import { Pace } from './pace.ts';
import type { RoomThread } from './threads.ts';

/** A place in a room: of a player in the game, or of somebody about to join. */
export interface Seat {
  readonly player: string;
  readonly userId: string | undefined;
  /** The connection that plays it; undefined while it is lost. */
  session: number | undefined;
  /** Whether the player is in the game. */
  isIn: boolean;
  /** Whether the player is about to leave the game: nobody can take it over, and what it saves last is still to come. */
  isLeaving: boolean;
  /** When it joined, as far as is known. A resume token for another player with its id is not good. */
  joinedMs: number | undefined;
  /** Whether a lost connection can be taken up again. Where tickets identify guests, a guest without a ticket cannot come back. */
  readonly canReturn: boolean;
  /** Runs out when the connection has been lost for too long. */
  grace: Timer | undefined;
}

/** A room as the thread of the sockets knows it. */
export interface RoomEntry {
  readonly identity: RoomIdentity;
  readonly definition: ServedDefinition;
  thread: RoomThread;
  /** Ticks done, as last reported. */
  tick: number;
  /** When they were reported, ms of the clock. */
  tickAtMs: number;
  rate: number;
  state: 'opening' | 'open' | 'closing' | 'failed';
  /** Whether its thread has it, or gets it. */
  isBegun: boolean;
  readonly seats: Map<string, Seat>;
  /** Connections that watch without a player. */
  readonly watchers: Set<number>;
  /** Operators that look into it. */
  readonly insights: Insights;
  /** Players that there have been: no id is given twice. */
  playersMade: number;
  /** When it failed, ms of the clock. */
  failures: number[];
  /** Whether it came from another process, whose place this one fills beside its own. */
  isTaken: boolean;
  /** Its last tick was played: no snapshot of it can be taken any more. */
  isOver: boolean;
  /** A snapshot was asked for, because ticks before it are lost. */
  isSnapshotDue: boolean;
  /** Processor time of one tick, smoothed, ms. */
  busyMs: number;
  pace: Pace;
}

/** All rooms of a server, by id. */
export type RoomsById = ReadonlyMap<string, RoomEntry>;

/** The messages of rooms to their connections. */
export interface RoomsListener {
  /** `isKept`: that the player is in the game outlasts the process. */
  admitted(room: RoomEntry, admission: Admission, isKept: boolean): void;
  results(room: RoomEntry, results: readonly InputResult[]): void;
  sending(sending: Sending): void;
  /** The outcome of a `watch`; a code says why it was refused or has ended. */
  watched(room: RoomEntry, session: number, code: Code | undefined): void;
  /** The seat is taken away: its player left, or the room is no more. */
  unseated(room: RoomEntry, seat: Seat, code: Code, message: string | undefined): void;
  /** The room goes on and the connection cannot: it shall come again. */
  dropped(session: number): void;
  /** The room is played by another process: the connection shall go there. `url` is empty where that is not known. */
  moved(session: number, url: string): void;
}

/** The requests of a game to its host, once the tick that made them is kept. */
export interface HostServices {
  /** `comesAgain`: it was performed before, as far as is known: its tick is played again after a crash. */
  save(room: RoomEntry, event: OutputEvent, atMs: number, comesAgain: boolean): void;
  /** The player has joined without its data, which could not be read. */
  loadLater(room: RoomEntry, seat: Seat): void;
  request(room: RoomEntry, event: OutputEvent): void;
  askPlatform(room: RoomEntry, request: PlatformRequest): void;
}

export function newRoom(
  identity: RoomIdentity,
  definition: ServedDefinition,
  thread: RoomThread,
  nowMs: number,
): RoomEntry {
  return {
    identity,
    definition,
    thread,
    tick: 0,
    tickAtMs: nowMs,
    rate: 60,
    state: 'opening',
    isBegun: false,
    seats: new Map(),
    watchers: new Set(),
    insights: new Insights(),
    playersMade: 0,
    failures: [],
    isTaken: false,
    isOver: false,
    isSnapshotDue: false,
    busyMs: 0,
    pace: new Pace(nowMs),
  };
}

/** Rooms of a definition, of whatever version. */
export function roomsOf(rooms: RoomsById, slug: string): RoomEntry[] {
  return [...rooms.values()].filter((room) => room.identity.slug === slug);
}

/** Players at most. */
export function placesIn({ identity, definition }: RoomEntry): number {
  const { limits, dialect } = identity;
  return Math.min(limits.players, definition.placesIn(dialect) ?? limits.players);
}

/** The public data of the room. */
export function listedRoom(room: RoomEntry): ListedRoom {
  const { id, slug, version } = room.identity;
  const { rate, seats, watchers, state, definition } = room;
  const { speed, isSlow } = room.pace;
  const players = [...seats.values()].filter(({ isIn }) => isIn).length;
  const isOpen = state === 'open' && hasPlace(room);
  return { id, slug, version, title: definition.title, rate, players, watchers: watchers.size, isOpen, speed, isSlow };
}

export function hasPlace(room: RoomEntry): boolean {
  return room.seats.size < placesIn(room);
}

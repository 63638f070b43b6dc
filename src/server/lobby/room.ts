import type { OutputEvent } from '../../../engine/index.ts';
import type { ListedRoom, RoomIdentity } from '../../cluster/index.ts';
import type { Timer } from '../../machine/index.ts';
import type { Code } from '../../net/index.ts';
import type { Quota } from '../base/options.ts';
import type { ServedDefinition } from '../definitions/served.ts';
import type { Admission, CommandToRoom, InputResult, PlatformRequest, Said, Sending } from '../room/room-messages.ts';
import { Pace } from './pace.ts';
import type { RecentPlay } from './recent-play.ts';
import type { RoomThread } from './threads.ts';

/** The seat of a player in a room. It is taken before the player joins the game. */
export class Seat {
  /** Whether the player is in the game. */
  isIn = false;
  /**
   * Whether the player is leaving the game. No connection can take over the seat then, and the player's last save is
   * still to come.
   */
  isLeaving = false;
  /**
   * When the player joined, if known. Distinguishes the player from an earlier one with the same id, whose resume token
   * is not valid for this seat.
   */
  joinedMs: number | undefined;
  /** When the newest resume token was issued, ms since 1970; 0 before the first. */
  givenMs = 0;
  /** Resume tokens issued before this time are invalid, ms since 1970. */
  resumableFromMs = 0;
  /** Whether the client of the player has ever shown that it receives anything. */
  hasAnswered = false;
  /** Whether the client of the player seems to be gone, so that a newcomer may take the seat. */
  isSilent = false;
  /** The timer that makes the player leave when its connection has been lost for too long. */
  grace: Timer | undefined;

  constructor(
    readonly player: string,
    readonly userId: string | undefined,
    /**
     * Whether the player can be resumed after its connection was lost. A guest of a protocol with tickets cannot be
     * resumed without a ticket.
     */
    readonly canReturn: boolean,
    /** The connection that plays in this seat; undefined while the connection is lost. */
    public session: number | undefined,
    /** The id of the reservation with which the player joined; undefined without one. */
    readonly reservation?: string | undefined,
  ) {}
}

/** A seat reserved for the holder of a token. */
interface Reservation {
  /** The only account that may use the reservation; undefined if anyone with the token may. */
  readonly userId: string | undefined;
  /** The wall time at which the reservation ends, ms since 1970. */
  readonly untilMs: number;
  /** The timer that ends the reservation. */
  readonly expiry: Timer;
}

/** What the main thread knows about a room. */
export class RoomEntry {
  /** The thread to which an operator is moving the room. */
  movesTo: RoomThread | undefined;
  /** The newest reported tick. */
  tick = 0;
  rate = 60;
  state: 'opening' | 'open' | 'closing' | 'failed' = 'opening';
  /** Whether the thread has been told to open or resume the room. */
  isBegun = false;
  /** The seats, by player id. */
  readonly seats = new Map<string, Seat>();
  /** The connections of spectators. */
  readonly watchers = new Set<number>();
  /** The largest number in the ids of its players so far, so that no id is used twice. */
  playersMade = 0;
  /** The times of the room's recent failures, ms of the clock. */
  failures: number[] = [];
  /**
   * Whether the room was taken over from another process although no client asked for it. Such a room may end when it
   * has no players, if this process has enough rooms of its own.
   */
  isTaken = false;
  /** The time since which the room has been surplus (see `Capacity`), ms of the clock. */
  surplusSinceMs: number | undefined;
  /** Whether the last tick of the room was played. From then on, the room takes no snapshots. */
  isOver = false;
  /** Whether a snapshot was requested to replace ticks that the journal lost. */
  isSnapshotDue = false;
  /** Seats that are reserved, by id. */
  readonly reserved = new Map<string, Reservation>();
  /** Whether an operator has closed the room to new players. */
  isClosed = false;
  /** The size of the room's newest snapshot, bytes. */
  stateBytes = 0;
  pace = new Pace(60);

  constructor(
    readonly identity: RoomIdentity,
    readonly definition: ServedDefinition,
    public thread: RoomThread,
    /** When the newest tick was reported, ms of the clock. */
    public tickAtMs: number,
    /** The recording of the last seconds, for reports of players; undefined if reports are disabled. */
    readonly recent?: RecentPlay | undefined,
  ) {}
}

/** All rooms of a server, by id. */
export type RoomsById = ReadonlyMap<string, RoomEntry>;

/** Receives messages of rooms that concern connections. */
export interface RoomsListener {
  /** The outcome of a join. `isKept`: whether the join is in the journal, so that it survives the process. */
  admitted(room: RoomEntry, admission: Admission, isKept: boolean): void;
  results(room: RoomEntry, results: readonly InputResult[]): void;
  /** The room has become slow, or runs at full speed again. */
  paced(room: RoomEntry): void;
  sending(sending: Sending): void;
  /** The outcome of a request to watch, or the end of watching. `code` is the reason for the refusal or the end. */
  watched(room: RoomEntry, session: number, code: Code | undefined): void;
  /** The seat was freed: its player left, or the room has ended. */
  unseated(room: RoomEntry, seat: Seat, code: Code, message: string | undefined): void;
  /**
   * The room continues without the connection. Without a code, the client must reconnect. With `elsewhere`, it must
   * connect to the process whose URL is `text`; the text is empty if the URL is unknown.
   */
  dropped(session: number, code?: Code, text?: string): void;
}

/** Performs the requests of a game to its host, after the tick that made them is in the journal. */
export interface HostServices {
  /** `isRepeated`: the event comes from the replay of a tick after a crash, and may have been performed before. */
  save(room: RoomEntry, event: OutputEvent<'persistence'>, atMs: number, isRepeated: boolean): void;
  request(room: RoomEntry, event: OutputEvent<'http'>): void;
  askPlatform(room: RoomEntry, request: PlatformRequest): void;
  /** A moderator in the game has banned a player. */
  banned(room: RoomEntry, event: OutputEvent<'server'>): void;
  /** A player has written in the chat. */
  said(room: RoomEntry, said: Said, atMs: number): void;
  /** Passes an event of the room to the host module. */
  notify(room: RoomEntry, what: HostNotice): void;
}

/** The room was opened or resumed here; the room is over or played elsewhere; or a script ran an action of the host. */
export type HostNotice = 'opened' | 'closed' | OutputEvent<'host'>;

/** Whether a room is still in this process: it is neither over nor taken over by another process. */
export function isHere(rooms: RoomsById, room: RoomEntry): boolean {
  return rooms.get(room.identity.id) === room;
}

/** Sends a command for a room to its thread. */
export function tell(room: RoomEntry, command: CommandToRoom) {
  room.thread.send({ ...command, room: room.identity.id });
}

/** Makes the thread of a room release it, so that another thread can continue the room. */
export function release(room: RoomEntry) {
  room.state = 'opening';
  tell(room, { kind: 'release' });
}

/** The fraction of a core that a room needs to play at its rate. */
export function shareOf({ pace, rate, seats }: RoomEntry): number {
  return seats.size === 0 ? 0 : (pace.busyMs * rate) / 1000;
}

/** Whether rooms together use less than a quota allows. */
export function isWithin(rooms: readonly RoomEntry[], quota: Quota): boolean {
  const sum = (of: (room: RoomEntry) => number) => rooms.reduce((total, room) => total + of(room), 0);
  return (
    rooms.length < quota.rooms && sum(({ stateBytes }) => stateBytes) < quota.stateBytes && sum(shareOf) < quota.cores
  );
}

/** All rooms of a game, whichever version of its definition they play. */
export function roomsOf(rooms: RoomsById, slug: string): RoomEntry[] {
  return [...rooms.values()].filter((room) => room.identity.slug === slug);
}

/** The maximum number of players in a room. */
export function capacityOf({ identity, definition }: RoomEntry): number {
  const { limits, dialect } = identity;
  return Math.min(limits.players, definition.playersMax(dialect) ?? limits.players);
}

/** The public data of a room. */
export function listedRoom(room: RoomEntry, nowMs: number): ListedRoom {
  const { id, slug, version, properties, code } = room.identity;
  const { rate, seats, watchers, definition } = room;
  const { isSlow, reason } = room.pace;
  const players = [...seats.values()].filter(({ isIn }) => isIn).length;
  const isOpen = takesNewcomers(room);
  return {
    id,
    slug,
    version,
    title: definition.title,
    rate,
    players,
    watchers: watchers.size,
    isOpen,
    speed: room.pace.speedAt(nowMs),
    isSlow,
    slowReason: reason,
    properties,
    code,
  };
}

/** Whether a new player may enter. */
export function takesNewcomers(room: RoomEntry): boolean {
  return room.state === 'open' && !room.isClosed && freeSeats(room) > 0;
}

/**
 * The number of seats that newcomers can take: those that are neither taken nor reserved, and those of clients that
 * seem to be gone.
 */
export function freeSeats(room: RoomEntry): number {
  return capacityOf(room) - seatsOf(room).filter(({ isSilent }) => !isSilent).length - room.reserved.size;
}

/**
 * All seats except those whose players are leaving: a room plays the departure of a player before the arrival of a
 * later one.
 */
export function seatsOf({ seats }: RoomEntry): Seat[] {
  return [...seats.values()].filter(({ isLeaving }) => !isLeaving);
}

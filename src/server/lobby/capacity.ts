import type { DialectName } from '../../../engine/index.ts';
import type { Clock } from '../../machine/index.ts';
import type { Quota } from '../base/options.ts';
import type { Definitions } from '../definitions/served.ts';
import { isWithin, type RoomEntry, type RoomsById, roomsOf } from './room.ts';

export interface CapacityOptions {
  readonly dialect: DialectName;
  /** The number of rooms of each definition that are open from the start. */
  readonly rooms: number;
  /** The maximum number of rooms. */
  readonly roomsMax: number;
  readonly perGame: Quota;
  readonly perAuthor: Quota;
  /** How long a surplus room stays open without players, ms. */
  readonly idleMs: number;
}

/**
 * How long no room of a game is opened after one of its rooms has used too much memory or time, ms. The pause doubles
 * with each repetition, up to the maximum.
 */
const restMs = 10_000;
const restMaxMs = 300_000;

/**
 * Decides how many rooms there may be, and which of them are surplus: opened because the others were full, and without
 * players since.
 */
export class Capacity {
  /**
   * The versions of games whose rooms used too much memory or time, with the length of the pause in which no room of
   * the version is opened. Without the pause, such rooms would end and be opened again every few seconds.
   */
  private readonly resting = new Map<string, { readonly ms: number; readonly untilMs: number }>();

  constructor(
    private readonly options: CapacityOptions,
    private readonly rooms: RoomsById,
    private readonly library: Definitions,
    private readonly clock: Clock,
  ) {}

  /** Whether the room plays what newcomers to its game should play: the current version and dialect. */
  isCurrent({ identity: { slug, version, dialect } }: RoomEntry): boolean {
    return this.library.get(slug)?.version === version && dialect === this.options.dialect;
  }

  /** Whether there are more open rooms like this one than should stay open without players. */
  hasSpare({ identity: { slug, properties, code } }: RoomEntry): boolean {
    const labels = JSON.stringify(properties);
    const alike = roomsOf(this.rooms, slug).filter(
      (room) =>
        room.state === 'open' &&
        room.identity.code === undefined &&
        JSON.stringify(room.identity.properties) === labels &&
        this.isCurrent(room),
    );
    return code === undefined && alike.length > (properties === undefined ? this.options.rooms : 1);
  }

  /**
   * Whether another room may be opened, if necessary in place of a surplus one. Without `slug`, the limits of games and
   * authors are ignored.
   */
  mayAdd(slug?: string): boolean {
    return this.hasPlace(slug) || this.roomInPlaceOf(slug) !== undefined;
  }

  /**
   * Whether another room of a game may be opened: `mayAdd` allows it, and none of its rooms has recently used too much.
   */
  mayOpen(slug: string): boolean {
    const { version = '' } = this.library.get(slug) ?? {};
    const isResting = (this.resting.get(version)?.untilMs ?? 0) > this.clock.now();
    return this.mayAdd(slug) && !isResting;
  }

  /**
   * Opens no rooms of a version for a while, because one of its rooms has used too much memory or time. Returns the
   * length of the pause, ms.
   */
  rest(version: string): number {
    const now = this.clock.now();
    const last = this.resting.get(version);
    const ms = last !== undefined && now < last.untilMs + restMaxMs ? Math.min(2 * last.ms, restMaxMs) : restMs;
    this.resting.set(version, { ms, untilMs: now + ms });
    return ms;
  }

  /** Forgets the pause of a version that is no longer used. */
  forget(version: string) {
    this.resting.delete(version);
  }

  /**
   * The surplus room that must close before another room of a game can open. Undefined if there is free capacity, or if
   * closing one surplus room would not be enough.
   */
  roomInPlaceOf(slug?: string): RoomEntry | undefined {
    if (this.hasPlace(slug)) return undefined;
    return [...this.rooms.values()].find((room) => this.isSurplus(room) && this.hasPlace(slug, room));
  }

  /** Calls `close` for each surplus room that has been empty for too long. */
  sweep(close: (room: RoomEntry) => void) {
    const now = this.clock.now();
    for (const room of [...this.rooms.values()]) {
      if (!this.isSurplus(room)) room.surplusSinceMs = undefined;
      else {
        room.surplusSinceMs ??= now;
        if (now - room.surplusSinceMs >= this.options.idleMs) close(room);
      }
    }
  }

  private isSurplus(room: RoomEntry) {
    const { identity, state, seats, reserved, watchers } = room;
    const isEmpty = seats.size + reserved.size + watchers.size === 0;
    return identity.isExtra === true && state === 'open' && isEmpty && this.hasSpare(room);
  }

  /** Whether there is capacity for another room. `without`: a room to treat as ended. */
  private hasPlace(slug: string | undefined, without?: RoomEntry) {
    const { perGame, perAuthor, roomsMax } = this.options;
    const rooms = [...this.rooms.values()].filter((room) => room !== without && room.state !== 'closing');
    if (rooms.length >= roomsMax) return false;
    if (slug === undefined) return true;
    const author = this.library.get(slug)?.author;
    const ofAuthor = author === undefined ? [] : rooms.filter(({ definition }) => definition.author === author);
    const ofGame = rooms.filter(({ identity }) => identity.slug === slug);
    return isWithin(ofGame, perGame) && isWithin(ofAuthor, perAuthor);
  }
}

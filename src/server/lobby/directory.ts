import type { Definitions, ServedDefinition } from '../definitions/library.ts';
import type { RoomLocation, SharedRooms } from '../journal/journal.ts';
import type { Clock } from '../machine/clock.ts';
import type { Code } from '../protocol/codes.ts';
import { EndedAtStart } from './openings.ts';
import { hasFreeSeat, type RoomEntry, type RoomsById, roomsOf } from './room.ts';

/** How long to wait for a room that is being resumed here; after that its clients must reconnect. */
const resumeMs = 5000;
const findRetryMs = 100;

interface DirectoryParts {
  readonly rooms: RoomsById;
  readonly library: Definitions;
  readonly clock: Clock;
  /** Undefined if the journal is not shared. */
  readonly shared: SharedRooms | undefined;
  readonly open: (definition: ServedDefinition) => Promise<RoomEntry>;
  readonly mayOpen: () => boolean;
  readonly isDraining: () => boolean;
}

/** Finds a room for a client, in this process or another. */
export class Directory {
  private readonly parts: DirectoryParts;
  private readonly finding = new Map<string, Promise<RoomEntry | string | undefined>>();
  /** Rooms that are being opened because all others are full, by version of the definition. */
  private readonly openingFor = new Map<string, Promise<RoomEntry>>();

  constructor(parts: DirectoryParts) {
    this.parts = parts;
  }

  /** The room for a new player: the fullest one with a free seat and the newest version of the definition, or a new one if all are full. */
  async roomFor(slug: string | undefined): Promise<RoomEntry | Code> {
    const { library, rooms, mayOpen, open } = this.parts;
    const definition = slug === undefined ? library.all[0] : library.get(slug);
    if (definition === undefined) return 'no-such-room';
    const fitting = roomsOf(rooms, definition.slug).filter(
      (room) => room.state === 'open' && room.identity.version === definition.version && hasFreeSeat(room),
    );
    fitting.sort((a, b) => b.seats.size - a.seats.size);
    if (fitting[0] !== undefined) return fitting[0];
    // If many clients find all rooms full at the same time, one room is opened, and then they search again.
    const isOpening = this.openingFor.get(definition.version);
    if (isOpening === undefined && !mayOpen()) return 'server-full';
    const opening = isOpening ?? open(definition);
    this.openingFor.set(definition.version, opening);
    try {
      const room = await opening;
      if (isOpening === undefined) return room;
    } catch (error) {
      if (error instanceof EndedAtStart) return 'room-ended';
      throw error;
    } finally {
      if (isOpening === undefined) this.openingFor.delete(definition.version);
    }
    return this.roomFor(slug);
  }

  /** The room for a spectator: the fullest one of the game. No room is opened for spectators. */
  roomToWatch(requested: string | undefined): RoomEntry | Code {
    const { rooms, library } = this.parts;
    const slug = requested ?? library.all[0]?.slug ?? '';
    const [fullest] = roomsOf(rooms, slug)
      .filter(({ state }) => state === 'open')
      .sort((a, b) => b.seats.size - a.seats.size);
    return fullest ?? 'no-such-room';
  }

  /** Whether `requested` is the name of a game, not the id of a room. */
  isGame(requested: string): boolean {
    return this.parts.library.get(requested) !== undefined;
  }

  /**
   * Finds a room by its id, in any process. Waits while the room is being resumed or taken over. Returns the address of the process if it is
   * another one; an empty string if that is not known yet; undefined if the room does not exist any more.
   */
  find(id: string): Promise<RoomEntry | string | undefined> {
    const room = this.parts.rooms.get(id);
    if (room?.state === 'open') return Promise.resolve(room);
    // Shared, because all clients of a room look for it at once after its process or thread has died.
    let finding = this.finding.get(id);
    if (finding === undefined) {
      finding = this.findLater(id).finally(() => this.finding.delete(id));
      this.finding.set(id, finding);
    }
    return finding;
  }

  /** Finds a room by its id in this process, and takes it over if its process has died. */
  async findHere(id: string): Promise<RoomEntry | undefined> {
    const { clock, shared, rooms, isDraining } = this.parts;
    const until = clock.now() + (shared?.takeoverMs ?? resumeMs);
    for (;;) {
      const room = rooms.get(id);
      if (room?.state === 'open') return room;
      if (room !== undefined && room.state !== 'opening') return undefined;
      const location = room === undefined ? await shared?.adopt(id).catch(() => 'unsure' as const) : 'unsure';
      if (location === undefined && !rooms.has(id)) return undefined;
      if (isDraining() || clock.now() > until) return undefined;
      await new Promise<void>((resolve) => clock.after(findRetryMs, resolve));
    }
  }

  private async findLater(id: string): Promise<RoomEntry | string | undefined> {
    const { clock, shared, rooms, isDraining } = this.parts;
    const unsure: RoomLocation = { isOurs: false, isAlive: false, url: undefined };
    const until = clock.now() + (shared?.takeoverMs ?? resumeMs);
    do {
      const room = rooms.get(id);
      if (room?.state === 'open') return room;
      if (room !== undefined && room.state !== 'opening') return undefined;
      if (room === undefined) {
        const location = await shared?.locate(id).catch(() => unsure);
        if (location === undefined && !rooms.has(id)) return undefined;
        // Without an address, clients cannot be referred to the other process. It may have died with its lease still running.
        if (location?.isAlive && !location.isOurs && location.url !== undefined) return location.url;
      }
      await new Promise<void>((resolve) => clock.after(findRetryMs, resolve));
    } while (!isDraining() && clock.now() < until);
    return '';
  }
}

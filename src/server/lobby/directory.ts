import type { Definitions, ServedDefinition } from '../definitions/library.ts';
import type { RoomPlace, SharedRooms } from '../journal/journal.ts';
import type { Clock } from '../machine/clock.ts';
import type { Code } from '../protocol/codes.ts';
import { EndedAtStart } from './openings.ts';
import { hasPlace, type RoomEntry, type RoomsById, roomsOf } from './room.ts';

/** A room that is resumed here is there after this, ms, or its clients come again. */
const resumeMs = 5000;
const findAgainMs = 100;

interface DirectoryParts {
  readonly rooms: RoomsById;
  readonly library: Definitions;
  readonly clock: Clock;
  /** Of a journal that several processes share. */
  readonly shared: SharedRooms | undefined;
  readonly open: (definition: ServedDefinition) => Promise<RoomEntry>;
  readonly mayOpen: () => boolean;
  readonly isDraining: () => boolean;
}

/** Finds the room that somebody wants, wherever it is played. */
export class Directory {
  private readonly parts: DirectoryParts;
  private readonly finding = new Map<string, Promise<RoomEntry | string | undefined>>();
  /** Rooms that are opened because all others are full, by version of the definition. */
  private readonly openingFor = new Map<string, Promise<RoomEntry>>();

  constructor(parts: DirectoryParts) {
    this.parts = parts;
  }

  /** Where somebody without a wish plays: the fullest room of the newest version with a place; a new one where all are full. */
  async roomFor(slug: string | undefined): Promise<RoomEntry | Code> {
    const { library, rooms, mayOpen, open } = this.parts;
    const definition = slug === undefined ? library.all[0] : library.get(slug);
    if (definition === undefined) return 'no-such-room';
    const fitting = roomsOf(rooms, definition.slug).filter(
      (room) => room.state === 'open' && room.identity.version === definition.version && hasPlace(room),
    );
    fitting.sort((a, b) => b.seats.size - a.seats.size);
    if (fitting[0] !== undefined) return fitting[0];
    // Many may come at once where all rooms are full: one room is opened, and then they look again.
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

  /** The room that somebody may watch: the fullest of a slug. None is opened for it. */
  roomToWatch(wish: string | undefined): RoomEntry | Code {
    const { rooms, library } = this.parts;
    const slug = wish ?? library.all[0]?.slug ?? '';
    const [fullest] = roomsOf(rooms, slug)
      .filter(({ state }) => state === 'open')
      .sort((a, b) => b.seats.size - a.seats.size);
    return fullest ?? 'no-such-room';
  }

  /** Whether a wish names a definition that is served, and so no room. */
  isGame(wish: string): boolean {
    return this.parts.library.get(wish) !== undefined;
  }

  /**
   * A room by its id, wherever it is. Waits while the room is resumed or taken over. A text is the address of another process that has it, empty
   * where that is not known yet. Undefined for a room that is no more.
   */
  find(id: string): Promise<RoomEntry | string | undefined> {
    const room = this.parts.rooms.get(id);
    if (room?.state === 'open') return Promise.resolve(room);
    // Many look for it at once, after its process or its thread is gone.
    let finding = this.finding.get(id);
    if (finding === undefined) {
      finding = this.findLater(id).finally(() => this.finding.delete(id));
      this.finding.set(id, finding);
    }
    return finding;
  }

  /** The same where only rooms of this process are of use: one whose process is gone is taken over. */
  async findHere(id: string): Promise<RoomEntry | undefined> {
    const { clock, shared, rooms, isDraining } = this.parts;
    const until = clock.now() + (shared?.takeoverMs ?? resumeMs);
    for (;;) {
      const room = rooms.get(id);
      if (room?.state === 'open') return room;
      if (room !== undefined && room.state !== 'opening') return undefined;
      const place = room === undefined ? await shared?.adopt(id).catch(() => 'unsure' as const) : 'unsure';
      if (place === undefined && !rooms.has(id)) return undefined;
      if (isDraining() || clock.now() > until) return undefined;
      await new Promise<void>((resolve) => clock.after(findAgainMs, resolve));
    }
  }

  private async findLater(id: string): Promise<RoomEntry | string | undefined> {
    const { clock, shared, rooms, isDraining } = this.parts;
    const unsure: RoomPlace = { isOurs: false, isAlive: false, url: undefined };
    const until = clock.now() + (shared?.takeoverMs ?? resumeMs);
    do {
      const room = rooms.get(id);
      if (room?.state === 'open') return room;
      if (room !== undefined && room.state !== 'opening') return undefined;
      if (room === undefined) {
        const place = await shared?.locate(id).catch(() => unsure);
        if (place === undefined && !rooms.has(id)) return undefined;
        // Without an address there is nowhere to send anybody: its process may be dead, and its lease not yet.
        if (place?.isAlive && !place.isOurs && place.url !== undefined) return place.url;
      }
      await new Promise<void>((resolve) => clock.after(findAgainMs, resolve));
    } while (!isDraining() && clock.now() < until);
    return '';
  }
}

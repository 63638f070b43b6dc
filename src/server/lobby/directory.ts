import { cached } from '../../../engine/core/index.ts';
import type { ListedProcess, Reach, RoomLocation, RoomProperties, SharedRooms } from '../../cluster/index.ts';
import { type Clock, pause, resultWithin, within } from '../../machine/index.ts';
import type { Code } from '../../net/index.ts';
import type { ServedDefinition } from '../definitions/served.ts';
import { EndedAtStart } from './openings.ts';
import type { LobbyParts } from './parts.ts';
import { type RoomEntry, takesNewcomers } from './room.ts';
import { byPreference, matches, type PlacementPolicy, type RoomFilter } from './room-choice.ts';

/** How long to wait for a room that is being resumed here, ms; after that, its clients must reconnect. */
const resumeMs = 5000;
const findRetryMs = 100;
/** How long the list of other processes' rooms may be reused, and how long a new player waits for it, ms. */
const listedMs = 500;
/** The URLs of a process that has announced none. */
const unknownReach: Reach = { url: undefined, inside: undefined };

interface DirectoryParts extends Pick<LobbyParts, 'rooms' | 'library'> {
  readonly clock: Clock;
  /** The access to other processes; undefined if the journal is not shared. */
  readonly shared: SharedRooms | undefined;
  readonly placement: PlacementPolicy;
  /** Opens another room because all are full. */
  readonly open: (definition: ServedDefinition, properties: RoomProperties | undefined) => Promise<RoomEntry>;
  readonly mayOpen: (slug: string) => boolean;
  /** See `Capacity.isCurrent`. */
  readonly isCurrent: (room: RoomEntry) => boolean;
  readonly isDraining: () => boolean;
  /** Whether this process admits newcomers. */
  readonly admits: () => boolean;
}

/** Finds a room for a client, in this process or in another. */
export class Directory {
  private readonly finding = new Map<string, Promise<RoomEntry | Reach | undefined>>();
  private listedAtMs = -Infinity;
  private listed: Promise<readonly ListedProcess[]> = Promise.resolve([]);
  /** Rooms that are being opened because all others are full, by version of the definition and properties. */
  private readonly openingFor = new Map<string, Promise<RoomEntry>>();

  constructor(private readonly parts: DirectoryParts) {}

  /**
   * Finds a room for a new player, among the rooms of the game `slug`, or of all games, that have a free seat, the
   * newest version of their definition and the wanted properties; `placement` decides among them. If all are full, a
   * new room is opened. With `mayLeave`, the result may be another process that has a better room, so that players do
   * not scatter. Returns a code if the player gets no room.
   */
  async roomFor(
    slug: string | undefined,
    mayLeave = false,
    filter: RoomFilter = new Map(),
  ): Promise<RoomEntry | Reach | Code> {
    const { library, mayOpen, open, admits, placement } = this.parts;
    const games = library.all.filter((game) => slug === undefined || game.slug === slug);
    const own = this.publicRooms(slug).filter(
      (room) => this.parts.isCurrent(room) && matches(room.identity.properties, filter),
    );
    const fitting = own.filter((room) => admits() && takesNewcomers(room));
    const [best] = byPreference(fitting, ({ seats }) => seats.size, placement);
    const elsewhere = (isNew: boolean) => this.betterElsewhere(games, best?.seats.size, filter, isNew);
    const isMissing = filter.size > 0 && own.length === 0;
    const better = mayLeave ? ((await elsewhere(false)) ?? (isMissing ? await elsewhere(true) : undefined)) : undefined;
    if (better !== undefined) return better;
    if (best !== undefined) return best;
    const other = mayLeave && !admits() ? await this.admittingProcess() : undefined;
    if (other !== undefined) return other;
    // With properties, a room is opened only if one with the same properties exists: players must not be able to fill
    // the server with rooms of arbitrary properties.
    const alike = filter.size === 0 ? undefined : own[0];
    const game = games.find((each) => mayOpen(each.slug)) ?? games[0];
    const definition = filter.size === 0 ? game : alike?.definition;
    if (definition === undefined) return 'no-such-room';
    const { properties } = alike?.identity ?? {};
    // If many clients find all rooms full at the same time, one room is opened for all of them, and each client then
    // searches again.
    const what = JSON.stringify([definition.version, properties]);
    const isOpening = this.openingFor.get(what);
    if (isOpening === undefined && !mayOpen(definition.slug))
      return this.parts.isDraining() ? 'shutting-down' : admits() ? 'server-full' : 'not-accepting';
    const opening = isOpening ?? open(definition, properties);
    this.openingFor.set(what, opening);
    try {
      const room = await opening;
      if (isOpening === undefined) return room;
    } catch (error) {
      if (error instanceof EndedAtStart) return 'room-ended';
      throw error;
    } finally {
      if (isOpening === undefined) this.openingFor.delete(what);
    }
    return this.roomFor(slug, mayLeave, filter);
  }

  /**
   * The process with the best room for a new player, if that room is better than the best one here, which has `players`
   * players. `players` is undefined if no room here has a free seat.
   */
  private async betterElsewhere(
    games: readonly ServedDefinition[],
    players: number | undefined,
    filter: RoomFilter,
    isNew: boolean,
  ): Promise<Reach | undefined> {
    const { placement, shared } = this.parts;
    // If processes have public URLs, the client has already chosen this process by its URL, so it is not sent
    // elsewhere.
    if (shared?.self.url !== undefined) return undefined;
    const found = (await this.listedProcesses(isNew)).flatMap(({ url, inside, rooms }) =>
      rooms
        .filter(
          (room) =>
            inside !== undefined &&
            room.isOpen &&
            room.code === undefined &&
            games.some(({ slug, version }) => room.slug === slug && room.version === version),
        )
        .filter(({ properties }) => matches(properties, filter))
        .map((room) => ({ players: room.players, reach: { url, inside } })),
    );
    const [best] = byPreference(found, (room) => room.players, placement);
    const isBetter =
      players === undefined ||
      (placement === 'fill' ? (best?.players ?? -1) > players : (best?.players ?? players) < players);
    return isBetter ? best?.reach : undefined;
  }

  /** The process with the fewest players among those that admit newcomers; undefined if there is none. */
  async admittingProcess(): Promise<Reach | undefined> {
    const admitting = (await this.listedProcesses()).filter(
      ({ admits, inside, url }) => admits && (inside ?? url) !== undefined,
    );
    const playersOf = ({ rooms }: ListedProcess) => rooms.reduce((sum, { players }) => sum + players, 0);
    const [best] = admitting.sort((a, b) => playersOf(a) - playersOf(b));
    return best && { url: best.url, inside: best.inside };
  }

  /** The private room with a code, in any process; undefined if there is none. */
  async roomOfCode(code: string): Promise<RoomEntry | Reach | undefined> {
    for (const room of this.parts.rooms.values()) if (room.identity.code === code) return this.find(room.identity.id);
    for (const isNew of [false, true]) {
      const elsewhere = (await this.listedProcesses(isNew)).flatMap(({ rooms }) => rooms);
      const room = elsewhere.find((each) => each.code === code);
      if (room !== undefined) return this.find(room.id);
    }
    return undefined;
  }

  /** Publishes the rooms of this process to the other processes, so that clients who are told of a new room find it. */
  async publish(): Promise<void> {
    const { shared, clock } = this.parts;
    if (shared !== undefined) await within(clock, listedMs, shared.publish());
  }

  /**
   * The other processes; empty if the journal does not answer within `listedMs`. The list may be up to `listedMs` old,
   * unless `isNew`.
   */
  async listedProcesses(isNew = false): Promise<readonly ListedProcess[]> {
    const { shared, clock } = this.parts;
    if (shared === undefined) return [];
    if (isNew || clock.now() - this.listedAtMs >= listedMs) {
      this.listedAtMs = clock.now();
      this.listed = shared.listed().catch(() => []);
    }
    return (await resultWithin(clock, listedMs, this.listed)) ?? [];
  }

  /** The room for a spectator: the fullest one, of the game `slug` or of all. No room is opened for spectators. */
  roomToWatch(slug: string | undefined): RoomEntry | Code {
    const open = this.publicRooms(slug).filter(({ state }) => state === 'open');
    return byPreference(open, ({ seats }) => seats.size, 'fill')[0] ?? 'no-such-room';
  }

  /** The rooms without a code, of the game `slug` or of all. */
  private publicRooms(slug: string | undefined): RoomEntry[] {
    return [...this.parts.rooms.values()].filter(
      ({ identity }) => identity.code === undefined && (slug === undefined || identity.slug === slug),
    );
  }

  /** Whether `requested` is the name of a game, not the id of a room. */
  isGame(requested: string): boolean {
    return this.parts.library.get(requested) !== undefined;
  }

  /**
   * Finds a room by its id, in any process. Waits while the room is being resumed or taken over. If another process
   * plays the room, returns that process's URLs, which are undefined if they are not known yet. Undefined if the room
   * no longer exists.
   */
  find(id: string): Promise<RoomEntry | Reach | undefined> {
    const room = this.parts.rooms.get(id);
    if (room?.state === 'open') return Promise.resolve(room);
    // The search is shared, because all clients of a room look for it at the same time after its process or thread has
    // died.
    return cached(this.finding, id, () => this.search(id, 'locate').finally(() => this.finding.delete(id)));
  }

  /** Finds a room by its id in this process, and takes it over if its process has died. */
  async findHere(id: string): Promise<RoomEntry | undefined> {
    const found = await this.search(id, 'adopt');
    return found !== undefined && 'identity' in found ? found : undefined;
  }

  /** Waits until a room is open here, or `locate` says that another process plays it. */
  private async search(id: string, how: 'locate' | 'adopt'): Promise<RoomEntry | Reach | undefined> {
    const { clock, shared, rooms, isDraining } = this.parts;
    const unsure: RoomLocation = { isOurs: false, isAlive: false, reach: unknownReach };
    const until = clock.now() + (shared?.takeoverMs ?? resumeMs);
    do {
      const room = rooms.get(id);
      if (room?.state === 'open') return room;
      if (room !== undefined && room.state !== 'opening') return undefined;
      if (room === undefined) {
        const location = await shared?.[how](id).catch(() => unsure);
        if (location === undefined && !rooms.has(id)) return undefined;
        // Clients cannot be sent to a process without a URL. A process may also have died although its lease is still
        // valid.
        const { url, inside } = location?.reach ?? unknownReach;
        const isReachable = how === 'locate' && (url !== undefined || inside !== undefined);
        if (location?.isAlive && !location.isOurs && isReachable) return { url, inside };
      }
      await pause(clock, findRetryMs);
    } while (!isDraining() && clock.now() < until);
    return unknownReach;
  }
}

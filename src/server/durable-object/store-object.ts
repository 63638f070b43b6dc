import { randomUUID } from 'node:crypto';
import type { Dictionary } from '../../../engine/core/index.ts';
import type { AccountData, Store } from '../../store/index.ts';
import { matches } from '../lobby/room-choice.ts';
import type { describedRoom } from '../web/admin/overview.ts';
import { Pieces } from './pieces.ts';
import { askObject, type Bindings, type ObjectContext } from './platform.ts';
import type { DefinitionTexts } from './sql-journal.ts';

/** A room as listed in the directory of its game. Figures that change with each tick are those of its last report. */
export type DirectoryRoom = ReturnType<typeof describedRoom> & {
  readonly capacity: number;
  /** The clients with a seat: accounts by their ids, guests by the ids of their players. */
  readonly owners: readonly string[];
};

/** A room to which clients were sent, but which has not reported to the directory yet. */
type FreshRoom = Pick<DirectoryRoom, 'id' | 'version' | 'capacity' | 'players' | 'isOpen' | 'properties' | 'code'>;

interface Entry extends FreshRoom {
  /**
   * For each client that was sent to the room and has not joined yet: the time at which it was sent, ms since 1970.
   * Such a client counts as a player until its time to join is over.
   */
  readonly sent: readonly number[];
  readonly owners?: readonly string[] | undefined;
}

interface Wanted {
  readonly version: string;
  /** The id of a room that may be opened; undefined for a client that returns to a seat. */
  readonly fresh: string | undefined;
  /** The owners of a seat that may be this client: its account, or its player as a guest. */
  readonly own: readonly unknown[];
  readonly capacity: number;
  readonly filter: readonly (readonly [name: string, value: string])[];
}

interface Claim {
  readonly claim: string;
  readonly others: readonly string[];
}

/** How long a client may take to join the room to which it was sent, ms. */
const joinMs = 10_000;
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

/**
 * An object that stores something for all rooms. What it stores depends on its name: the directory of a game, the data
 * of an account, the text of a definition, or the secret. Only this worker can reach it.
 *
 * @experimental
 */
export class ReenactStore {
  private readonly pieces: Pieces;
  private entries: Map<string, Entry> | undefined;
  private claimed: string | undefined;
  /** When the records last changed, ms since 1970. An object that was started again counts as changed. */
  private changedMs = Date.now();

  constructor(private readonly context: ObjectContext) {
    this.pieces = new Pieces(context.storage);
  }

  async fetch(request: Request): Promise<Response> {
    const what = new URL(request.url).pathname.slice(1);
    const act = (this.acts as Dictionary<(body: never) => unknown>)[what];
    const answer = act?.((await request.json()) as never);
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
  }

  private readonly acts = {
    /** The content of the object. */
    read: () => this.json('content'),
    write: (content: unknown) => this.keep('content', content),
    /** The secret. It is created at the first request. */
    secret: () => {
      if (this.json('content') === undefined) this.keep('content', randomUUID() + randomUUID());
      return this.json('content');
    },
    /**
     * `use` adds a room to the users of the content; the first user sets the content. The content is deleted when it
     * has no users left.
     */
    use: ({ room, content }: { room: string; content: unknown }) => {
      const users = this.users;
      if (users.length === 0) this.keep('content', content);
      if (!users.includes(room)) this.keep('users', [...users, room]);
    },
    disuse: ({ room }: { room: string }) => {
      const users = this.users.filter((each) => each !== room);
      this.keep('users', users);
      if (users.length === 0) void this.context.storage.deleteAll().then(() => this.pieces.forget());
    },
    /**
     * A room claims the account. The answer contains the other rooms that may still have to write data of the account,
     * and the id of this claim.
     */
    claim: ({ room }: { room: string }) => {
      const others = this.users.filter((each) => each !== room);
      if (others.length === this.users.length) this.keep('users', [...others, room]);
      this.claimed = randomUUID();
      return { claim: this.claimed, others };
    },
    /**
     * Removes rooms that the account has left and that have written everything. Ignored if there is a newer claim,
     * because one of these rooms may have made it.
     */
    release: ({ claim, rooms }: { claim: string; rooms: readonly string[] }) => {
      if (claim !== this.claimed || rooms.length === 0) return;
      this.keep(
        'users',
        this.users.filter((each) => !rooms.includes(each)),
      );
    },
    // Records:
    put: ({ id, record }: { id: string; record: object }) => {
      this.keep('record', record, id);
      this.changed();
    },
    get: ({ id }: { id: string }) => this.json('record', id),
    remove: ({ id }: { id: string }) => {
      const isThere = this.json('record', id) !== undefined;
      this.pieces.delete('record', id);
      this.changed();
      return isThere;
    },
    list: () => this.pieces.names('record').map((id) => [id, this.json('record', id)]),
    version: () => this.changedMs,
    // The requests of a directory:
    rooms: () => [...this.directory.values()].map(({ sent, owners, ...room }) => room),
    /**
     * The room in which the client has a seat; for a newcomer, the fullest one with a free seat, otherwise a new one
     * with the id `fresh`. If properties are wanted that no room has, the answer is undefined, because players must not
     * open rooms with arbitrary properties.
     */
    assign: ({ version, fresh, capacity, filter, own }: Wanted) => {
      const rooms = [...this.directory.values()];
      const entered = rooms.find(({ owners = [] }) => owners.some((owner) => own.includes(owner)));
      if (entered !== undefined || fresh === undefined) return entered?.id;
      const now = Date.now();
      const wanted = new Map(filter);
      const alike = rooms.filter(
        (room) => room.code === undefined && room.version === version && matches(room.properties, wanted),
      );
      const { properties } = (wanted.size > 0 && alike[0]) || {};
      if (wanted.size > 0 && properties === undefined) return undefined;
      const free = alike
        .filter((room) => room.isOpen && playersOf(room, now) < room.capacity)
        .sort((a, b) => playersOf(b, now) - playersOf(a, now));
      const room = free[0] ?? { id: fresh, version, players: 0, capacity, isOpen: true, properties, sent: [] };
      this.list({ ...room, sent: [...room.sent.filter((at) => at > now - joinMs), now] }, free[0] === undefined);
      return room.id;
    },
    /** The entry of a room with this id; undefined if a client may not open the room. */
    expects: ({ id }: { id: string }) => {
      const room = this.directory.get(id);
      return room?.code === undefined ? room : undefined;
    },
    report: (room: DirectoryRoom) => {
      const { players = 0, sent = [] } = this.directory.get(room.id) ?? {};
      // It is assumed that the clients that have joined since the last report are those that were sent first.
      this.list({ ...room, sent: sent.slice(Math.max(0, room.players - players)) }, true);
    },
    ended: ({ id }: { id: string }) => {
      this.pieces.delete('room', id);
      this.directory.delete(id);
    },
  };

  /** Changes the version of the records. */
  private changed() {
    this.changedMs = Math.max(Date.now(), this.changedMs + 1);
  }

  private get users() {
    return (this.json('users') as readonly string[] | undefined) ?? [];
  }

  private json(kind: string, name = ''): unknown {
    const bytes = this.pieces.get(kind, name);
    return bytes && JSON.parse(decoder.decode(bytes));
  }

  private keep(kind: string, content: unknown, name = '') {
    this.pieces.put(kind, name, encoder.encode(JSON.stringify(content)));
  }

  private get directory(): Map<string, Entry> {
    if (this.entries === undefined) {
      const ids = this.pieces.names('room');
      this.entries = new Map(ids.map((id) => [id, this.json('room', id) as Entry]));
    }
    return this.entries;
  }

  /**
   * Sets an entry. A change of `sent` alone is not written to the storage: after a loss of the object, a room may be a
   * little fuller than the directory assumes.
   */
  private list(entry: Entry, isWritten: boolean) {
    this.directory.set(entry.id, entry);
    if (isWritten) this.keep('room', entry, entry.id);
  }
}

function playersOf({ players, sent }: Entry, nowMs: number) {
  return players + sent.filter((at) => at > nowMs - joinMs).length;
}

/**
 * The store of players' saved data, as used by `room`. Each account has an object, which knows the rooms in which the
 * account has played. When the account joins another room, the earlier rooms are woken, so that they write the saves
 * that they could not write when their machine died.
 */
export function objectStore({ STORE, ROOMS }: Bindings, room: string): Store {
  const nameOf = (gameId: string, userId: string) => `account ${JSON.stringify([gameId, userId])}`;
  return {
    load: async (gameId, userId) => (await askObject(STORE, nameOf(gameId, userId), 'read')) as AccountData | undefined,
    save: async (gameId, userId, kept) => {
      await askObject(STORE, nameOf(gameId, userId), 'write', kept);
    },
    claim: async (gameId, userId) => {
      const name = nameOf(gameId, userId);
      const { claim, others } = (await askObject(STORE, name, 'claim', { room })) as Claim;
      const playing = await Promise.all(others.map((other) => askObject(ROOMS, other, `${other}/settle`, userId)));
      await askObject(STORE, name, 'release', { claim, rooms: others.filter((_, i) => playing[i] !== true) });
    },
  };
}

/** The name of the object that stores the room of a code. */
export function codeName(code: string): string {
  return `code ${code}`;
}

/** The texts of definitions. Each version has an object, which exists as long as any room plays that version. */
export function objectTexts({ STORE }: Bindings, room: string): DefinitionTexts {
  const nameOf = (version: string) => `definition ${version}`;
  return {
    keepDefinition: async (version, content) => {
      await askObject(STORE, nameOf(version), 'use', { room, content });
    },
    readDefinition: async (version) => (await askObject(STORE, nameOf(version), 'read')) as string | undefined,
    forgetDefinition: async (version) => {
      await askObject(STORE, nameOf(version), 'disuse', { room });
    },
  };
}

/** The key with which all tokens are signed. */
export async function secretOf({ STORE, REENACT_SECRET }: Bindings): Promise<Uint8Array> {
  return encoder.encode(REENACT_SECRET ?? String(await askObject(STORE, 'secret', 'secret')));
}

/** The rooms of some games, as listed by their directories. */
export async function listedRooms({ STORE }: Bindings, games: readonly string[]): Promise<readonly DirectoryRoom[]> {
  const rooms = await Promise.all(games.map((game) => askObject(STORE, `directory ${game}`, 'rooms')));
  return (rooms as DirectoryRoom[][]).flat();
}

import { assemble } from '../assembly.ts';
import { ServerError } from '../base/codes.ts';
import type { JournalFailurePolicy, PlayOptions } from '../base/options.ts';
import { colyseusMessageType } from '../client/colyseus-socket.ts';
import type { ServerCore } from '../core.ts';
import { onlyDefinition, ServedDefinition } from '../definitions/library.ts';
import { capacityOf, type RoomEntry } from '../lobby/room.ts';
import type { LogLevel } from '../logging.ts';
import { closeCodeOf } from '../protocol/codes.ts';
import { reenact } from '../protocols/reenact.ts';
import type { Connection } from '../session/connection.ts';
import type { Socket } from '../session/socket.ts';
import type { Identify } from '../session/tokens.ts';

export interface ReenactRoomOptions {
  /** `redis://…`, so that rooms outlive their process; `file:FOLDER` or `off`. Default: off. */
  readonly journal?: string;
  /** A process without a sign of life for so long loses its rooms, ms. Default 3000. */
  readonly leaseMs?: number;
  /** Of the tokens by which players come back; the same for all processes. Needed with a journal. */
  readonly tokenSecretFile?: string;
  /** Saved data of players, as for `reenact serve`. Default: none outlives the process. */
  readonly store?: string;
  readonly onJournalFailure?: JournalFailurePolicy;
  /** Decides who somebody is; default: tokens signed with the secret, and guests without one. */
  readonly identify?: Identify;
  /** Of every room; without one, each room has its own by chance. */
  readonly seed?: string;
  readonly play?: Partial<PlayOptions>;
  /** How long a player stays whose connection is lost, seconds. Default 30. */
  readonly graceSeconds?: number;
  /** JSON lines on the standard output. Default `info`. */
  readonly log?: LogLevel;
}

/** The part of Colyseus' client that bytes go through. */
interface Wire {
  readonly ref: unknown;
  sendBytes(type: string, bytes: Uint8Array): void;
  leave(code?: number, reason?: string): void;
}

/** The close code of a leave that was meant: the SDK does not try again by itself. */
const consentedCode = 4000;

/** The rooms of one definition in one process, as another engine hosts them: all of a server but its transport and its matchmaking. */
export class RoomsHost {
  private readonly definition: ServedDefinition;
  private readonly options: ReenactRoomOptions;
  private opening: Promise<ServerCore> | undefined;
  private closeStore: (() => Promise<void>) | undefined;
  /** Ids of rooms that are hosted. */
  private readonly hosted = new Set<string>();

  /** Throws `ServerError` for a document that holds no definition that can be played, and for a journal without a secret. */
  constructor(document: unknown, options: ReenactRoomOptions) {
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    const definition = ServedDefinition.of(text, 'game');
    if (definition === undefined) throw new ServerError('no-definition', 'The document holds no definition.');
    const { journal = 'off', tokenSecretFile } = options;
    if (journal !== 'off' && tokenSecretFile === undefined) {
      throw new ServerError('bad-secret', 'Rooms that outlive their process need a tokenSecretFile.');
    }
    this.definition = definition;
    this.options = options;
  }

  /** A new room; or, by its id, one whose process is gone. Rejects where it cannot be here. */
  async host(wish: string | undefined): Promise<HostedRoom> {
    const core = await this.core();
    const room =
      wish === undefined ? await core.rooms.open(this.definition) : await core.rooms.directory.findHere(wish);
    if (room === undefined || this.hosted.has(room.identity.id)) {
      throw new Error(`The room "${wish}" is no more, or is played elsewhere.`);
    }
    this.hosted.add(room.identity.id);
    return new HostedRoom(core, room);
  }

  /** The room is over, or, where the whole process ends, is left to other processes as it stands. */
  async release(room: HostedRoom, isLeft: boolean): Promise<void> {
    this.hosted.delete(room.id);
    if (!isLeft) await room.end();
    else if (this.hosted.size === 0) await this.close();
  }

  /** Writes what is to be written, and gives the leases up. */
  async close(): Promise<void> {
    const { opening, closeStore } = this;
    this.opening = undefined;
    const core = await opening?.catch(() => undefined);
    await core?.settle();
    await core?.close();
    await closeStore?.();
  }

  private core(): Promise<ServerCore> {
    this.opening ??= this.open().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async open(): Promise<ServerCore> {
    const { journal = 'off', leaseMs, tokenSecretFile, store, onJournalFailure = 'go-on', identify } = this.options;
    const { seed, play, graceSeconds = 30, log = 'info' } = this.options;
    const assembly = await assemble(
      {
        journal,
        leaseMs,
        tokenSecretFile,
        store,
        onJournalFailure,
        identify,
        seed,
        play,
        graceMs: graceSeconds * 1000,
        log,
        rooms: 0,
        roomsMax: Number.MAX_SAFE_INTEGER,
        watchersMax: 0,
        workers: 0,
        protocols: [reenact],
        sync: 'always',
        endMs: 10_000,
        takes: 'asked',
        logTo: process.stdout,
      },
      async () => onlyDefinition(this.definition),
    );
    this.closeStore = () => assembly.store.close();
    await assembly.core.start();
    return assembly.core;
  }
}

/** One room with the connections that lead to it. */
export class HostedRoom {
  readonly id: string;
  /** Players at most. */
  readonly places: number;
  private readonly core: ServerCore;
  private readonly room: RoomEntry;
  private readonly connections = new Map<string, Connection>();

  constructor(core: ServerCore, room: RoomEntry) {
    this.core = core;
    this.room = room;
    this.id = room.identity.id;
    this.places = capacityOf(room);
  }

  /** Whether it is still played here. */
  get isHere(): boolean {
    return this.core.rooms.byId.get(this.id) === this.room;
  }

  /** A wire leads here from now on; the first message on it is a `join`. */
  connect(session: string, wire: Wire, address: string): void {
    this.lose(session);
    const refusal = this.core.hub.mayConnect(address);
    if (refusal !== undefined) throw new Error(`The server says ${refusal}.`);
    this.connections.set(session, this.core.hub.connect(socketOf(wire, address, this.id), reenact.codec));
  }

  receive(session: string, bytes: Uint8Array): void {
    const connection = this.connections.get(session);
    if (connection !== undefined) this.core.hub.receive(connection, bytes);
  }

  /** The wire is gone; the player stays for a while. */
  lose(session: string): void {
    const connection = this.connections.get(session);
    this.connections.delete(session);
    if (connection !== undefined) this.core.hub.lost(connection);
  }

  async end(): Promise<void> {
    if (this.isHere) await this.core.rooms.close(this.room);
  }
}

function socketOf(wire: Wire, address: string, onlyRoom: string): Socket {
  const { ref } = wire as { readonly ref: { readonly bufferedAmount?: number } };
  return {
    address,
    onlyRoom,
    get backlogBytes() {
      return ref.bufferedAmount ?? 0;
    },
    send: (bytes) => wire.sendBytes(colyseusMessageType, bytes),
    // Why was said in a message of the protocol: close codes are the other engine's.
    end: (code) => wire.leave(consentedCode, String(closeCodeOf(code))),
    drop: () => wire.leave(consentedCode),
  };
}

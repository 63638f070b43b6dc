import { defined, requireKnownOptions } from '../../../engine/core/index.ts';
import { ServerError } from '../../cluster/index.ts';
import { closeCodeOf, colyseusMessageType } from '../../net/index.ts';
import { type AssemblyOptions, assemble } from '../assembly.ts';
import { defaultPlay } from '../base/options.ts';
import { reenact } from '../client-protocols/reenact.ts';
import type { ServerCore } from '../core.ts';
import { onlyDefinition, ServedDefinition } from '../definitions/served.ts';
import { capacityOf, type RoomEntry } from '../lobby/room.ts';
import { wordsOf } from '../outside/host-module.ts';
import type { Connection } from '../session/connection.ts';
import type { Socket } from '../session/socket.ts';
import { type Corkable, TurnCork } from '../session/turn-cork.ts';

export interface ReenactRoomOptions
  extends Partial<
    Pick<
      AssemblyOptions,
      'leaseMs' | 'store' | 'onJournalFailure' | 'identify' | 'hostModule' | 'seed' | 'play' | 'log'
    >
  > {
  /** The journal: `redis://…` (rooms survive their process), `file:FOLDER` or `off`. Default `off`. */
  readonly journal?: string;
  /** The file with the secret of resume tokens, the same for all processes. Required with a journal. */
  readonly tokenSecretFile?: string;
  /** How long a player stays in the game after its connection was lost, seconds. Default 30. */
  readonly graceSeconds?: number;
}

const defaults = {
  journal: 'off',
  onJournalFailure: 'go-on',
  play: {},
  graceSeconds: 30,
  log: 'info',
} satisfies ReenactRoomOptions;

/** The options without a default. */
const optional = ['leaseMs', 'tokenSecretFile', 'store', 'identify', 'hostModule', 'seed'];

/** The part of Colyseus' `Client` that is used for sending. */
interface Wire {
  readonly ref: unknown;
  sendBytes(type: string, bytes: Uint8Array): void;
  leave(code?: number, reason?: string): void;
}

/** Colyseus' close code for an intended leave, after which its SDK does not reconnect. */
const consentedCode = 4000;

/** The rooms of one definition in one process, for a host with its own transport and matchmaking. */
export class RoomsHost {
  private readonly definition: ServedDefinition;
  /** The given options, with their defaults. */
  readonly options;
  private opening: Promise<ServerCore> | undefined;
  private closeStore: (() => Promise<void>) | undefined;
  /** The ids of the rooms that this host has handed out and not released yet. */
  private readonly hosted = new Set<string>();

  /**
   * Throws `UsageError` for an unknown option, and `ServerError` if the document is not a playable definition or a
   * journal has no secret.
   */
  constructor(document: unknown, given: ReenactRoomOptions) {
    this.options = { ...defaults, ...defined(given) };
    requireKnownOptions(given, [...Object.keys(defaults), ...optional]);
    const { journal, tokenSecretFile, hostModule, play } = this.options;
    requireKnownOptions(play, Object.keys(defaultPlay), 'option of play');
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    const definition = ServedDefinition.of(text, 'game', wordsOf(hostModule));
    if (definition === undefined) throw new ServerError('no-definition', 'The document is not a playable definition.');
    if (journal !== 'off' && tokenSecretFile === undefined) {
      throw new ServerError('bad-secret', 'The option "journal" requires "tokenSecretFile".');
    }
    this.definition = definition;
  }

  /**
   * Without an id, opens a new room; with an id, takes over that room from a process that has died. Rejects if the room
   * has ended, or if it is hosted already.
   */
  async host(id: string | undefined): Promise<HostedRoom> {
    const core = await this.core();
    const room = id === undefined ? await core.rooms.open(this.definition) : await core.rooms.directory.findHere(id);
    if (room === undefined || this.hosted.has(room.identity.id)) {
      throw new Error(`The room "${id}" has ended, or is played by another process.`);
    }
    this.hosted.add(room.identity.id);
    return new HostedRoom(core, room);
  }

  /** Ends a room. If the whole process is shutting down, the room is left to other processes instead. */
  async release(room: HostedRoom, isShuttingDown: boolean): Promise<void> {
    this.hosted.delete(room.id);
    if (!isShuttingDown) await room.end();
    else if (this.hosted.size === 0) await this.close();
  }

  /** Writes everything pending, and releases the rooms. */
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
    const assembly = await assemble(
      {
        ...this.options,
        graceMs: this.options.graceSeconds * 1000,
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

/** One room with its connections. */
export class HostedRoom {
  readonly id: string;
  /** The maximum number of players. */
  readonly capacity: number;
  private readonly connections = new Map<string, Connection>();

  constructor(
    private readonly core: ServerCore,
    private readonly room: RoomEntry,
  ) {
    this.id = room.identity.id;
    this.capacity = capacityOf(room);
  }

  /** Whether this process still plays the room. */
  get isHere(): boolean {
    return this.core.rooms.byId.get(this.id) === this.room;
  }

  /** Adds a connection, whose first message must be a `join`. */
  connect(session: string, wire: Wire, address: string) {
    this.lose(session);
    const refusal = this.core.hub.mayConnect(address);
    if (refusal !== undefined) throw new Error(`The server refused the connection: ${refusal}.`);
    this.connections.set(session, this.core.hub.connections.open(socketOf(wire, address, this.id), reenact.codec));
  }

  receive(session: string, bytes: Uint8Array) {
    const connection = this.connections.get(session);
    if (connection !== undefined) this.core.hub.receive(connection, bytes);
  }

  /** Handles the end of a connection. Its player stays in the game for a while. */
  lose(session: string, closeCode?: number) {
    const connection = this.connections.get(session);
    this.connections.delete(session);
    if (connection !== undefined) this.core.hub.connections.lost(connection, closeCode);
  }

  async end(): Promise<void> {
    if (this.isHere) await this.core.rooms.close(this.room);
  }
}

function socketOf(wire: Wire, address: string, onlyRoom: string): Socket {
  // A connection of the package `ws` can be corked; other transports write each message immediately.
  const { ref } = wire as { readonly ref: { readonly bufferedAmount?: number; readonly _socket?: Partial<Corkable> } };
  const turn = new TurnCork(typeof ref._socket?.cork === 'function' ? (ref._socket as Corkable) : undefined);
  return {
    address,
    onlyRoom,
    get backlogBytes() {
      return ref.bufferedAmount ?? 0;
    },
    send(bytes) {
      turn.cork();
      wire.sendBytes(colyseusMessageType, bytes);
    },
    // The client has received the reason in a message of our protocol, because close codes belong to Colyseus.
    end: (code) => wire.leave(consentedCode, String(closeCodeOf(code))),
    drop: () => wire.leave(consentedCode),
  };
}

import { type AuthContext, type Client, matchMaker, Room } from '@colyseus/core';
import { colyseusMessageType } from '../../net/index.ts';
import { type HostedRoom, type ReenactRoomOptions, RoomsHost } from './host.ts';

/** The options of a client for `onCreate`. */
interface CreateOptions {
  /** The id of a room to continue after its process has died. */
  readonly room?: unknown;
}

interface ReenactRoomClass {
  new (): Room;
  /**
   * Closes the resources that the rooms of this class share. Needed only if the process continues without these rooms.
   */
  close(): Promise<void>;
}

/**
 * Returns a room class for `gameServer.define`. Its rooms play a definition as `reenact serve` does, with our protocol
 * inside their messages. Colyseus is responsible for matchmaking, seats, presence and reconnection; our journal lets
 * rooms survive their process, with the same room id. `document` is a definition in any of its forms. Throws
 * `ServerError` if it is not playable, and `UsageError` for an unknown option.
 */
export function reenactRoom(document: unknown, options: ReenactRoomOptions = {}): ReenactRoomClass {
  const host = new RoomsHost(document, options);
  const { graceSeconds } = host.options;

  return class ReenactRoom extends Room {
    private hosted: HostedRoom | undefined;

    static close(): Promise<void> {
      return host.close();
    }

    override async onCreate(options: CreateOptions = {}): Promise<void> {
      const { room } = options;
      const hosted = await host.host(typeof room === 'string' ? room : undefined);
      this.hosted = hosted;
      // The dead process has left a listing of the room, which would keep clients from finding it here.
      if (typeof room === 'string') await matchMaker.driver.remove(hosted.id);
      this.roomId = hosted.id;
      this.maxClients = hosted.capacity;
      // The room has no Colyseus state. A timestep of one second is set, because otherwise the clock of Colyseus, which
      // the room does not use, would wake the thread 60 times a second.
      this.setTimestep(() => {}, 1000);
      this.patchRate = null;
      this.onMessageBytes(colyseusMessageType, (client: Client, bytes: Uint8Array) =>
        hosted.receive(client.sessionId, bytes),
      );
    }

    override onAuth(_client: Client, _options: unknown, context: AuthContext): unknown {
      return { address: [context.ip].flat()[0] };
    }

    override onJoin(client: Client) {
      // The room has ended here, or another process has taken it over. A client finds out which when it requests the
      // room by its id.
      if (this.hosted?.isHere !== true) {
        void this.disconnect();
        throw new Error(`The room "${this.roomId}" has ended, or is played by another process.`);
      }
      this.connect(client);
    }

    override onDrop(client: Client, closeCode?: number) {
      this.hosted?.lose(client.sessionId, closeCode);
      if (this.hosted?.isHere === true) this.allowReconnection(client, graceSeconds).catch(() => {});
    }

    override onReconnect(client: Client) {
      this.connect(client);
    }

    override onLeave(client: Client) {
      this.hosted?.lose(client.sessionId);
    }

    override async onDispose(): Promise<void> {
      const { hosted } = this;
      this.hosted = undefined;
      if (hosted === undefined) return;
      await host.release(hosted, matchMaker.state === matchMaker.MatchMakerState.SHUTTING_DOWN);
    }

    private connect(client: Client) {
      const { address } = (client.auth ?? {}) as { readonly address?: string };
      this.hosted?.connect(client.sessionId, client, address ?? client.sessionId);
    }
  };
}

import { type AuthContext, type Client, matchMaker, Room } from '@colyseus/core';
import { colyseusMessageType } from '../client/colyseus-socket.ts';
import { type HostedRoom, type ReenactRoomOptions, RoomsHost } from './host.ts';

/** The options that a client gives `onCreate`. */
interface Wishes {
  /** The id of a room that lost its process. */
  readonly room?: unknown;
}

interface ReenactRoomClass {
  new (): Room;
  /** Gives up everything that the rooms of this class share: for a process that goes on without them. */
  close(): Promise<void>;
}

/**
 * A class of rooms for `gameServer.define`: each plays the definition as `reenact serve` does, with our protocol as its messages. Matchmaking, seats, presence
 * and reconnection are Colyseus'; what outlives the process is in our journal, under the id that the room has there as well. `document` is a definition in
 * any of its forms. Throws `ServerError` for one that cannot be played.
 */
export function reenactRoom(document: unknown, options: ReenactRoomOptions = {}): ReenactRoomClass {
  const host = new RoomsHost(document, options);
  const graceSeconds = options.graceSeconds ?? 30;

  return class ReenactRoom extends Room {
    private hosted: HostedRoom | undefined;

    static close(): Promise<void> {
      return host.close();
    }

    override async onCreate(wishes: Wishes = {}): Promise<void> {
      const { room } = wishes;
      const hosted = await host.host(typeof room === 'string' ? room : undefined);
      this.hosted = hosted;
      // The listing of its lost process would keep others from finding it here.
      if (typeof room === 'string') await matchMaker.driver.remove(hosted.id);
      this.roomId = hosted.id;
      this.maxClients = hosted.places;
      // Nothing of the room is state to Colyseus.
      this.patchRate = null;
      this.onMessageBytes(colyseusMessageType, (client: Client, bytes: Uint8Array) =>
        hosted.receive(client.sessionId, bytes),
      );
    }

    override onAuth(_client: Client, _options: unknown, context: AuthContext): unknown {
      return { address: [context.ip].flat()[0] };
    }

    override onJoin(client: Client): void {
      // Another process took it over, or it ended: a client that asks for it by its id finds it, or gets an error.
      if (this.hosted?.isHere !== true) {
        void this.disconnect();
        throw new Error(`The room "${this.roomId}" is not here any more.`);
      }
      this.connect(client);
    }

    override onDrop(client: Client): void {
      this.hosted?.lose(client.sessionId);
      if (this.hosted?.isHere === true) this.allowReconnection(client, graceSeconds).catch(() => {});
    }

    override onReconnect(client: Client): void {
      this.connect(client);
    }

    override onLeave(client: Client): void {
      this.hosted?.lose(client.sessionId);
    }

    override async onDispose(): Promise<void> {
      const { hosted } = this;
      this.hosted = undefined;
      if (hosted === undefined) return;
      await host.release(hosted, matchMaker.state === matchMaker.MatchMakerState.SHUTTING_DOWN);
    }

    private connect(client: Client): void {
      const { address } = (client.auth ?? {}) as { readonly address?: string };
      this.hosted?.connect(client.sessionId, client, address ?? client.sessionId);
    }
  };
}

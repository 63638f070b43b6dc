import type { ClientSocket, ClientSocketClass } from './socket.ts';

/** The Colyseus message type that carries the bytes of our protocol, in both directions. */
export const colyseusMessageType = 'r';

type Listen<A extends readonly unknown[]> = (listener: (...args: A) => void) => unknown;

/** The part of the Colyseus SDK's `Room` that is used. */
export interface ColyseusRoom {
  readonly roomId: string;
  readonly reconnection: { maxRetries: number; minUptime: number };
  readonly onLeave: Listen<[code: number]>;
  readonly onReconnect: Listen<[]>;
  onMessage(type: string, listener: (bytes: Uint8Array) => void): unknown;
  sendBytes(type: string, bytes: Uint8Array): void;
  leave(consented?: boolean): Promise<unknown>;
}

/** The part of the Colyseus SDK's `Client` that is used. */
export interface ColyseusClient {
  joinOrCreate(name: string, options: object): Promise<ColyseusRoom>;
  joinById(roomId: string, options: object): Promise<ColyseusRoom>;
  create(name: string, options: object): Promise<ColyseusRoom>;
}

export interface ColyseusOptions {
  readonly room?: string;
  readonly [option: string]: unknown;
}

/** How often the SDK retries a lost connection before the room is looked up again, possibly on another server. */
const retries = 3;

/**
 * Returns a class for the option `WebSocket` of a `RoomClient`, to play in a room of a Colyseus server made by
 * `reenactRoom`. `clients` are SDK clients, one for each server address, tried in turn. `name` is the name given to
 * `gameServer.define`. `options` are passed to `onAuth` and `onCreate`; `options.room` is the id of a room to return
 * to. If the process of the room has died, the room is requested by its id, so that another process takes it over.
 */
export function colyseusSocket(
  clients: readonly ColyseusClient[],
  name: string,
  options: ColyseusOptions = {},
): ClientSocketClass {
  let room: ColyseusRoom | undefined;
  let roomId = options.room;
  let attempts = 0;
  /** The newest socket. Events for older sockets are dropped. */
  let open: ThroughColyseus | undefined;

  async function enter(): Promise<ColyseusRoom> {
    if (room !== undefined) return room;
    const client = clients[attempts++ % clients.length]!;
    let entered: ColyseusRoom;
    if (roomId === undefined) entered = await client.joinOrCreate(name, options);
    else {
      const id = roomId;
      entered = await client.joinById(id, options).catch(() => client.create(name, { ...options, room: id }));
    }
    attempts--;
    room = entered;
    roomId = entered.roomId;
    entered.reconnection.maxRetries = retries;
    entered.reconnection.minUptime = 0;
    entered.onMessage(colyseusMessageType, (bytes) => open?.receive(bytes));
    // The SDK has opened a new connection, on which the client must join again.
    entered.onReconnect(() => open?.lose());
    entered.onLeave(() => {
      room = undefined;
      open?.lose();
    });
    return entered;
  }

  class ThroughColyseus implements ClientSocket {
    binaryType = 'arraybuffer';
    onopen: ClientSocket['onopen'] = null;
    onmessage: ClientSocket['onmessage'] = null;
    onclose: ClientSocket['onclose'] = null;
    onerror: ClientSocket['onerror'] = null;

    constructor() {
      open = this;
      enter().then(
        () => this.call(this.onopen, {}),
        () => this.lose(),
      );
    }

    receive(data: Uint8Array) {
      this.call(this.onmessage, { data });
    }

    lose() {
      if (open !== this) return;
      this.call(this.onclose, {});
      open = undefined;
    }

    send(bytes: Uint8Array) {
      room?.sendBytes(colyseusMessageType, bytes);
    }

    close() {
      const left = room;
      room = undefined;
      open = undefined;
      void left?.leave(true).catch(() => {});
    }

    private call(listener: ((event: never) => void) | null, event: object) {
      if (open === this) listener?.(event as never);
    }
  }
  return ThroughColyseus;
}

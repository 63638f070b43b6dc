import type { ServerClock, Timer } from '../../machine/index.ts';
import type { Code } from '../../net/index.ts';
import type { TrafficLimits } from '../base/options.ts';
import type { Codec } from './codec.ts';
import { Connection, type ConnectionServices } from './connection.ts';
import type { Origins } from './origins.ts';
import type { Socket } from './socket.ts';

/** The interval between searches for clients that seem to be gone, ms. */
const listenMs = 1000;

/** All connections of this process, by id. */
export class Connections {
  private readonly byId = new Map<number, Connection>();
  private readonly listening: Timer;
  private made = 0;

  constructor(
    private readonly traffic: TrafficLimits,
    private readonly origins: Origins,
    private readonly services: ConnectionServices & { readonly clock: ServerClock },
  ) {
    this.listening = services.clock.every(listenMs, () => {
      for (const each of this.byId.values()) if (each.seat !== undefined && each.isSilent) each.seat.isSilent = true;
    });
  }

  get size(): number {
    return this.byId.size;
  }

  of(session: number | undefined): Connection | undefined {
    return session === undefined ? undefined : this.byId.get(session);
  }

  open(socket: Socket, codec: Codec): Connection {
    const origin = this.origins.of(socket.address);
    const connection = new Connection(++this.made, socket, codec, origin, this.traffic, this.services);
    this.byId.set(connection.id, connection);
    return connection;
  }

  /** Removes a connection that has ended. Call it once for each connection, whichever side closed it. */
  lost(connection: Connection, closeCode: number | undefined) {
    this.byId.delete(connection.id);
    connection.lost(closeCode);
  }

  close(code: Code) {
    this.listening.cancel();
    for (const connection of [...this.byId.values()]) connection.finish(code);
  }
}

import type { ServerClock } from '../../machine/index.ts';
import { type HostOptions, RoomHost } from '../room/host.ts';
import type { RoomReport } from '../room/room.ts';
import type { RoomCommand } from '../room/room-messages.ts';
import type { RoomProtocols } from '../room/room-protocol.ts';

/** A thread that plays rooms. */
export interface RoomThread {
  readonly id: number;
  send(command: RoomCommand): void;
  /**
   * The id of the room whose tick has not ended since the last two calls; '' if there is none. Call this function every
   * second. A thread without the function cannot detect such ticks.
   */
  stuckIn?(): string;
  close(): Promise<void>;
}

export interface ThreadListener {
  report(thread: RoomThread, report: RoomReport): void;
  /**
   * Called when the thread has ended, together with all of its rooms. If its memory ran out, `guilty` is the room that
   * it was playing at that moment.
   */
  died(thread: RoomThread, message: string, guilty?: string): void;
}

/** Plays rooms in the server's own thread. */
export class LocalThread implements RoomThread {
  private readonly host: RoomHost;

  constructor(
    readonly id: number,
    options: HostOptions,
    protocols: RoomProtocols,
    clock: ServerClock,
    listener: ThreadListener,
  ) {
    // Reports are deferred, so that they arrive after the sender of a command has finished, as reports of real threads
    // do.
    const report = (report: RoomReport) => queueMicrotask(() => listener.report(this, report));
    this.host = new RoomHost(options, protocols, clock, report);
  }

  send(command: RoomCommand) {
    this.host.handle(command);
  }

  async close(): Promise<void> {
    this.host.close();
  }
}

import { Worker } from 'node:worker_threads';
import type { ServerClock } from '../machine/clock.ts';
import { type HostOptions, RoomHost } from '../room/host.ts';
import type { RoomCommand, RoomReport } from '../room/messages.ts';
import type { RoomProtocols } from '../room/protocol.ts';

/** A thread that plays rooms. */
export interface RoomThread {
  readonly id: number;
  send(command: RoomCommand): void;
  close(): Promise<void>;
}

export interface ThreadListener {
  report(thread: RoomThread, report: RoomReport): void;
  /** The thread has ended, and with it all of its rooms. */
  died(thread: RoomThread, message: string): void;
}

/** Plays rooms in the server's own thread. */
export class LocalThread implements RoomThread {
  readonly id: number;
  private readonly host: RoomHost;

  constructor(
    id: number,
    options: HostOptions,
    protocols: RoomProtocols,
    clock: ServerClock,
    listener: ThreadListener,
  ) {
    this.id = id;
    // Deferred, so that reports arrive after the sender of the command has finished, as they do from other threads.
    const report = (report: RoomReport): void => queueMicrotask(() => listener.report(this, report));
    this.host = new RoomHost(options, protocols, clock, report);
  }

  send(command: RoomCommand): void {
    this.host.handle(command);
  }

  async close(): Promise<void> {
    this.host.close();
  }
}

/** The `workerData` of a thread. `kind` distinguishes it from threads of other programs that load the same file. */
export interface ThreadData {
  readonly kind: 'reenact-rooms';
  readonly options: HostOptions;
}

/** Plays rooms in a worker thread. */
export class WorkerThread implements RoomThread {
  readonly id: number;
  private readonly worker: Worker;
  private readonly listener: ThreadListener;
  private isClosing = false;

  constructor(id: number, url: string, options: HostOptions, listener: ThreadListener) {
    this.id = id;
    const workerData: ThreadData = { kind: 'reenact-rooms', options };
    this.worker = new Worker(new URL(url), { workerData, name: `rooms-${id}` });
    let message = '';
    this.listener = listener;
    this.worker.on('message', (report: RoomReport) => listener.report(this, report));
    this.worker.on('error', (error) => {
      message = error instanceof Error ? error.message : String(error);
    });
    this.worker.on('exit', (code) => {
      if (!this.isClosing) listener.died(this, message === '' ? `The thread ended with exit code ${code}.` : message);
    });
  }

  send(command: RoomCommand): void {
    try {
      this.worker.postMessage(command);
    } catch (error) {
      // Fails only this room, not the server or its other rooms.
      if (!('room' in command)) throw error;
      const { room } = command;
      const message = `A command could not be sent to the thread of the room: ${error instanceof Error ? error.message : String(error)}`;
      queueMicrotask(() =>
        this.listener.report(this, { kind: 'failed', room: typeof room === 'string' ? room : room.id, message }),
      );
    }
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.worker.terminate();
  }
}

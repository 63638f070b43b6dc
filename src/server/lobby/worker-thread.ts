import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../engine/core/index.ts';
import { threadMemoryFactor } from '../base/options.ts';
import type { HostOptions } from '../room/host.ts';
import type { RoomReport } from '../room/room.ts';
import type { RoomCommand } from '../room/room-messages.ts';
import type { RoomThread, ThreadListener } from './threads.ts';

/** The `workerData` of a thread. `kind` distinguishes it from threads of other programs that load the same file. */
export interface ThreadData {
  readonly kind: 'reenact-rooms';
  readonly options: HostOptions;
  /** Holds the id of the room that is being played; see `noteRoom`. */
  readonly playing: Uint8Array;
}

const idBytesMax = 255;

/** Writes the id of a room into memory that outlives the thread: its length, then its characters, which are ASCII. */
export function noteRoom(playing: Uint8Array, room: string) {
  playing[0] = room.length;
  for (let i = 0; i < room.length; i++) playing[i + 1] = room.charCodeAt(i);
}

function notedRoom(playing: Uint8Array) {
  return String.fromCharCode(...playing.subarray(1, 1 + playing[0]!));
}

/** Plays rooms in a worker thread. */
export class WorkerThread implements RoomThread {
  private readonly worker: Worker;
  private readonly playing = new Uint8Array(new SharedArrayBuffer(idBytesMax + 1));
  /** How often `stuckIn` was called since the thread's last report. */
  private silentCalls = 0;
  private isClosing = false;

  constructor(
    readonly id: number,
    url: string,
    options: HostOptions,
    private readonly listener: ThreadListener,
  ) {
    const { playing } = this;
    const workerData: ThreadData = { kind: 'reenact-rooms', options, playing };
    const heapMegabytes = Math.ceil((options.play.stateBytesMax * threadMemoryFactor) / 1024 / 1024);
    const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes };
    this.worker = new Worker(new URL(url), { workerData, name: `rooms-${id}`, resourceLimits });
    let message = '';
    let guilty: string | undefined;
    this.worker.on('message', (report: RoomReport) => {
      this.silentCalls = 0;
      listener.report(this, report);
    });
    this.worker.on('error', (error) => {
      message = messageOf(error);
      const isOutOfMemory = (error as { readonly code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (isOutOfMemory) guilty = notedRoom(playing);
    });
    this.worker.on('exit', (code) => {
      if (!this.isClosing) {
        listener.died(this, message === '' ? `The thread ended with exit code ${code}.` : message, guilty);
      }
    });
  }

  send(command: RoomCommand) {
    try {
      this.worker.postMessage(command);
    } catch (error) {
      // Makes only this room fail, not the server or its other rooms.
      if (!('room' in command)) throw error;
      const { room } = command;
      const message = `A command could not be sent to the thread of the room: ${messageOf(error)}`;
      queueMicrotask(() =>
        this.listener.report(this, { kind: 'failed', room: typeof room === 'string' ? room : room.id, message }),
      );
    }
  }

  stuckIn(): string {
    return this.silentCalls++ < 2 ? '' : notedRoom(this.playing);
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.worker.terminate();
  }
}

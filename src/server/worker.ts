import { constants, setPriority } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { nodeClock } from '../machine/index.ts';
import { protocols } from './client-protocols/index.ts';
import { noteRoom, type ThreadData } from './lobby/worker-thread.ts';
import { RoomHost } from './room/host.ts';
import type { RoomCommand } from './room/room-messages.ts';

/** The URL of this module, from which threads are started, whether bundled or not. */
export const workerUrl = import.meta.url;

/**
 * `workerData` is checked, because this module is also imported only for its URL, and threads of other programs may
 * load it.
 */
const data = workerData as Partial<ThreadData> | null;
if (parentPort !== null && data?.kind === 'reenact-rooms' && data.options !== undefined) {
  const port = parentPort;
  // With the lowest priority, slow rooms get only the time that all other threads leave. On systems other than Linux,
  // the call would change the priority of the whole process.
  if (data.options.isForSlow && process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
  const { playing } = data as ThreadData;
  const inRooms = new Map(Object.values(protocols).map(({ room }) => [room.name, room]));
  const host = new RoomHost(data.options, inRooms, nodeClock, (report) => port.postMessage(report), {
    used() {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      return used / limit;
    },
    playing: (room) => noteRoom(playing, room),
  });
  port.on('message', (command: RoomCommand) => host.handle(command));
}

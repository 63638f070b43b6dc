import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from './lobby/threads.ts';
import { nodeClock } from './machine/node-clock.ts';
import { protocols } from './protocols/index.ts';
import { RoomHost } from './room/host.ts';
import type { RoomCommand } from './room/messages.ts';

/** Where a thread finds this file, bundled or not. */
export const workerUrl = import.meta.url;

/** The file is also loaded to ask for its address, and by threads that are somebody else's. */
const data = workerData as Partial<ThreadData> | null;
if (parentPort !== null && data?.kind === 'reenact-rooms' && data.options !== undefined) {
  const port = parentPort;
  const inRooms = new Map(Object.values(protocols).map(({ room }) => [room.name, room]));
  const host = new RoomHost(data.options, inRooms, nodeClock, (report) => port.postMessage(report));
  port.on('message', (command: RoomCommand) => host.handle(command));
}

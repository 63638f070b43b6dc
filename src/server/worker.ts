import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from './lobby/threads.ts';
import { nodeClock } from './machine/node-clock.ts';
import { protocols } from './protocols/index.ts';
import { RoomHost } from './room/host.ts';
import type { RoomCommand } from './room/messages.ts';

/** The URL of this file, bundled or not, for starting threads. */
export const workerUrl = import.meta.url;

/** Checked, because this file is also imported for its URL, and may be loaded by threads of other programs. */
const data = workerData as Partial<ThreadData> | null;
if (parentPort !== null && data?.kind === 'reenact-rooms' && data.options !== undefined) {
  const port = parentPort;
  const inRooms = new Map(Object.values(protocols).map(({ room }) => [room.name, room]));
  const host = new RoomHost(data.options, inRooms, nodeClock, (report) => port.postMessage(report));
  port.on('message', (command: RoomCommand) => host.handle(command));
}

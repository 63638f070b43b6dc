/** Names of everything that a journal has in Redis. */
const prefix = 'reenact:';

export const processesKey = `${prefix}processes`;
/** Of them those that have ended in good order: their rooms can be taken at once. */
export const leftKey = `${prefix}left`;
/** Behind it stands the id of a process. */
export const leasePrefix = `${prefix}lease:`;

/** Behind it stands the id of a process: its rooms, as others list them. */
export const listPrefix = `${prefix}list:`;
export const leaseKey = (id: string): string => `${leasePrefix}${id}`;
export const roomsKey = (id: string): string => `${prefix}rooms:${id}`;
export const textKey = (version: string): string => `${prefix}definition:${version}`;

interface RoomKeys {
  readonly meta: string;
  readonly ticks: string;
  readonly snapshots: string;
}

export function roomKeys(id: string): RoomKeys {
  const room = `${prefix}room:${id}`;
  return { meta: room, ticks: `${room}:ticks`, snapshots: `${room}:snapshots` };
}

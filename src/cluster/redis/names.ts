/** The keys of a journal in Redis. */
const prefix = 'reenact:';

export const processesKey = `${prefix}processes`;
/** The set of processes that left gracefully. Their rooms can be taken over immediately. */
export const leftKey = `${prefix}left`;
/** Followed by the id of a process. */
export const leasePrefix = `${prefix}lease:`;

/** The list of a process's rooms for others. Followed by the id of the process. */
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

/**
 * The keys of a kind of records: the records themselves (the prefix is followed by an id), their ids, and the number of
 * changes.
 */
export function recordKeys(kind: string): {
  readonly prefix: string;
  readonly index: string;
  readonly version: string;
} {
  return {
    prefix: `${prefix}community:${kind}:`,
    index: `${prefix}community:${kind}`,
    version: `${prefix}community-version:${kind}`,
  };
}

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

/** The hash of a room: its owner, its fencing token, its newest tick. */
export const metaKey = (id: string): string => `${prefix}room:${id}`;
/** The stream of the ticks of a room. */
export const ticksKey = (id: string): string => `${metaKey(id)}:ticks`;

/** All keys of a room: its hash, its ticks and its snapshots. */
export function roomKeys(id: string): [meta: string, ticks: string, snapshots: string] {
  return [metaKey(id), ticksKey(id), `${metaKey(id)}:snapshots`];
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

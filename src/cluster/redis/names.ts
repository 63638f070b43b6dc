/** The prefix of all keys of a journal in Redis. */
const prefix = 'reenact:';

export const processesKey = `${prefix}processes`;
/** The set of processes that left gracefully. Their rooms can be taken over immediately. */
export const leftKey = `${prefix}left`;
/** The prefix of the keys of leases; the id of a process follows. */
export const leasePrefix = `${prefix}lease:`;

/** The prefix of the keys of published room lists; the id of a process follows. */
export const listPrefix = `${prefix}list:`;
export const leaseKey = (id: string): string => `${leasePrefix}${id}`;
export const roomsKey = (id: string): string => `${prefix}rooms:${id}`;
export const textKey = (version: string): string => `${prefix}definition:${version}`;

/** The key of a room's hash, which contains its owner, its fencing token and its newest tick. */
export const metaKey = (id: string): string => `${prefix}room:${id}`;
/** The key of the stream with the ticks of a room. */
export const ticksKey = (id: string): string => `${metaKey(id)}:ticks`;

/** All keys of a room: its hash, its ticks and its snapshots. */
export function roomKeys(id: string): [meta: string, ticks: string, snapshots: string] {
  return [metaKey(id), ticksKey(id), `${metaKey(id)}:snapshots`];
}

/**
 * The keys for a kind of records: the prefix of the records (their ids follow), the set of ids, and the number of
 * changes.
 */
export function recordKeys(kind: string): {
  readonly prefix: string;
  readonly index: string;
  readonly version: string;
} {
  return {
    prefix: `${prefix}records:${kind}:`,
    index: `${prefix}records:${kind}`,
    version: `${prefix}records-version:${kind}`,
  };
}

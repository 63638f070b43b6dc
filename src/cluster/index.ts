/**
 * Everything that several processes need to play rooms together: the journal that they share, leases of rooms,
 * forwarding of connections to the process of their room, handing over of rooms, and stores of saved data. A single
 * process uses the same formats and interfaces.
 */

// Reports to operators.

export { operatorCodes, ServerError } from './operator/codes.ts';
export type * from './operator/observer.ts';

// The journal, and the format in which it stores rooms.

export * from './journal.ts';
export * from './stored-forms.ts';
export type * from './stored-room.ts';

// Redis: its URLs, the shared journal, and the store of records.

export { isSharedJournal, requireDatabaseUrl } from './addresses.ts';
export { installedClient } from './redis/installed-client.ts';
export { RedisJournal } from './redis/redis-journal.ts';
export { RedisRecordStore } from './redis/redis-record-store.ts';
export { isSentinelUrl } from './redis/sentinel.ts';

// Other processes: forwarding connections and handing over rooms.

export { Forwarder } from './forwarding/forwarder.ts';
export * from './forwarding/forward-header.ts';
export * from './forwarding/forwarding.ts';
export type * from './forwarding/relay.ts';
export { HandOver } from './hand-over.ts';
export { plainBytes } from './plain-bytes.ts';

// Stores of players' saved data.

export { openStore, storeMark } from './stores/stores.ts';

/**
 * What several processes need to play rooms together: the journal that they share, leases of rooms, connections
 * continued to the process of their room, rooms handed over, and stores of saved data. A single process uses the same
 * forms and ports.
 */

// What operators are told.

export { operatorCodes, ServerError } from './operator/codes.ts';
export type * from './operator/observer.ts';

// Rooms as a journal keeps them, and the journal itself.

export * from './journal.ts';
export * from './stored-forms.ts';
export type * from './stored-room.ts';

// Redis: its addresses, the shared journal, and the records beside it.

export { isSharedJournal, requireDatabaseUrl } from './addresses.ts';
export type * from './record-store.ts';
export { installedClient } from './redis/installed-client.ts';
export { RedisJournal } from './redis/redis-journal.ts';
export { RedisRecordStore } from './redis/redis-record-store.ts';
export { isSentinelUrl } from './redis/sentinel.ts';

// Other processes: connections continued to them, rooms handed over to them.

export { Forwarder } from './forwarding/forwarder.ts';
export * from './forwarding/forwarding.ts';
export type * from './forwarding/relay.ts';
export { HandOver } from './hand-over.ts';
export { plainBytes } from './plain-bytes.ts';

// Stores of players' data.

export { type OpenStore, openStore, storeMark } from './stores/stores.ts';

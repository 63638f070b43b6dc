/**
 * What several processes need to play rooms together: the journal that they share, leases of rooms, connections continued to the process of their
 * room, rooms handed over, and stores of saved data. A single process uses the same forms and ports.
 */

// What operators are told.

export { operatorCodes, ServerError } from './operator/codes.ts';
export type { About, LateDataOutcome, Observer } from './operator/observer.ts';

// Rooms as a journal keeps them, and the journal itself.

export {
  type Fleet,
  type JournalListener,
  type ListedProcess,
  type ListedRoom,
  NoJournal,
  type Reach,
  type RoomJournal,
  type RoomLocation,
  type SharedListener,
  type SharedRooms,
  type WriteOutcome,
} from './journal.ts';
export {
  decodeRecord,
  encodeRecord,
  isIdentity,
  isRow,
  isSnapshot,
  joined,
  type LogRecord,
  storedRoom,
  withoutReplacedTicks,
} from './stored-forms.ts';
export type {
  ReservedUntil,
  RoomIdentity,
  RoomPlayer,
  RoomSnapshot,
  StoredRoom,
  TickRecord,
} from './stored-room.ts';

// Redis: its addresses, the shared journal, and the records beside it.

export { isSharedJournal, requireDatabaseUrl } from './addresses.ts';
export type { RecordKind, RecordStore } from './record-store.ts';
export { installedClient } from './redis/installed-client.ts';
export { RedisJournal } from './redis/redis-journal.ts';
export { RedisRecordStore } from './redis/redis-record-store.ts';
export { isSentinelUrl } from './redis/sentinel.ts';

// Other processes: connections continued to them, rooms handed over to them.

export { Forwarder } from './forwarding/forwarder.ts';
export {
  type Forwarded,
  type ForwardTokens,
  forwardHeader,
  forwarding,
  forwardRequest,
  forwardTokenOf,
} from './forwarding/forwarding.ts';
export type { ForwardableSocket, Opening, OpenRelay, Relay } from './forwarding/relay.ts';
export { HandOver } from './hand-over.ts';
export { plainBytes } from './plain-bytes.ts';

// Stores of players' data.

export { type OpenStore, openStore, storeMark } from './stores/stores.ts';

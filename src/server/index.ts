/**
 * Plays games with people: rooms in threads, a lobby, sessions, what administrators do, the web. Published as
 * `@reenact/server`, for the commands `serve`, `load` and `data`. Its room for Colyseus is in `colyseus/index.ts`,
 * because it needs a package that few users have.
 */

// A server, from its options to its shutdown.

export { ServerError, isSharedJournal, openStore } from '../cluster/index.ts';
export type { Attempt } from './assembly.ts';
export {
  defaultIdleMs,
  defaultLeaseMs,
  type EndPolicy,
  endPolicies,
  journalFailurePolicies,
  type Quota,
  type Readiness,
  readinesses,
  syncPolicies,
  threadMemoryFactor,
} from './base/options.ts';
export { type ProtocolName, protocols } from './client-protocols/index.ts';
export { readSecretFile } from './base/secret-file.ts';
export { ServedDefinition } from './definitions/served.ts';
export { hasJournal, requireJournalUrl } from './journals.ts';
export { type PlacementPolicy, placements } from './lobby/room-choice.ts';
export type { LogLevel } from './logging.ts';
export type { HostModule, HostRoom } from './outside/host-module.ts';
export { readHostModule } from './outside/read-host-module.ts';
export { GameServer, type ServerOptions, workerUrl } from './server.ts';
export { AddressList } from './session/addresses.ts';
export { Admins } from './web/admins.ts';
export { pageFiles, type ViewerScripts, viewerScripts } from './web/page.ts';
export { httpCodes } from './web/refusals.ts';

// The records of administrators: bans, reports, chat.

export { type CommunityLine, CommunityRestore, communityLines, isCommunityLine } from './community/backup.ts';
export type { Ban } from './community/bans.ts';
export { openRecordStore } from './community/open-record-store.ts';
export { PlayersChat } from './community/players-chat.ts';
export { Reports } from './community/reports.ts';

// A crowd of bots that puts load on a server.

export { playCrowd } from './crowd/crowd.ts';
export { crowdText } from './crowd/crowd-text.ts';
export { quantileOf, ServerFigures } from './crowd/server-figures.ts';

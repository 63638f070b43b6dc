import type { DialectName, Limits } from '../../../engine/index.ts';
import type { StyleHosts } from '../../html/index.ts';
import { type BucketOptions, type ClientLimits, defaultClientLimits } from '../../net/index.ts';

/**
 * When the journal is synced to disk: before inputs are acknowledged, once a second, or when the operating system
 * decides. With each of the three, the journal survives a crash of the process.
 */
export const syncPolicies = ['always', 'second', 'never'] as const;
export type SyncPolicy = (typeof syncPolicies)[number];

/** What rooms do while the journal cannot be written: continue without it, or pause. */
export const journalFailurePolicies = ['go-on', 'stop'] as const;
export type JournalFailurePolicy = (typeof journalFailurePolicies)[number];

/** What `/readyz` reports: only whether players can join, or also whether the journal can be written. */
export const readinesses = ['players', 'journal'] as const;
export type Readiness = (typeof readinesses)[number];

/**
 * What happens to rooms when their process ends. `keep`: other processes that share the journal continue them; if there
 * are none, the next process that opens the journal does. `hand-over`: other processes continue them; if there are
 * none, the games end. `end`: the games end.
 */
export const endPolicies = ['keep', 'hand-over', 'end'] as const;
export type EndPolicy = (typeof endPolicies)[number];

/** How long a room that is no longer needed stays open without players, ms. */
export const defaultIdleMs = 60_000;

/** How long a process may fail to renew its lease before its rooms are taken over, ms. */
export const defaultLeaseMs = 3000;

/** Limits per connection and per IP address. */
export interface TrafficLimits extends ClientLimits {
  /** Limits for the messages of all connections from an IP address together. */
  readonly addressMessages: BucketOptions;
  readonly addressBytes: BucketOptions;
  readonly connectionsPerAddress: number;
  /** IP addresses and subnets that have no limits per address; only the limits per connection apply to them. */
  readonly trustedAddresses: readonly string[];
  /** Limits for new connections per IP address. */
  readonly connects: BucketOptions;
  /** The number of refused messages after which a connection is ended; one is forgiven each second. */
  readonly strikesMax: number;
  readonly handshakeMs: number;
  /** How long a client may show no sign that it receives anything before its seat may be given to a newcomer, ms. */
  readonly silentMs: number;
  /** How long an HTTP request, including a WebSocket upgrade, may take to arrive, ms. */
  readonly requestMs: number;
  /**
   * If more bytes than this are queued for a connection, it is ended. Frames cannot be skipped instead, because each
   * builds on the previous one.
   */
  readonly backlogBytesMax: number;
}

export const defaultTraffic: TrafficLimits = {
  ...defaultClientLimits,
  addressMessages: { size: 4000, perSecond: 3000 },
  addressBytes: { size: 512 * 1024, perSecond: 192 * 1024 },
  connectionsPerAddress: 64,
  trustedAddresses: [],
  connects: { size: 100, perSecond: 10 },
  strikesMax: 50,
  handshakeMs: 5000,
  silentMs: 10_000,
  requestMs: 10_000,
  backlogBytesMax: 512 * 1024,
};

/** The default limits of a room. They are lower than those of a single simulation, because rooms share a process. */
const roomLimits: Partial<Limits> = {
  actionsPerTick: 100_000,
  entities: 8192,
  // A tick in which all these contacts are new takes a tenth of a second, and nothing can interrupt it.
  contacts: 10_000,
  pairs: 1_000_000,
  players: 256,
};

/** The memory limit of a thread of rooms, as a multiple of the limit for the state of one room. */
export const threadMemoryFactor = 32;

/** How rooms are played. */
export interface PlayOptions {
  readonly dialect: DialectName;
  readonly limits: Partial<Limits>;
  /** The maximum number of ticks that a late room catches up on; further ones are skipped. */
  readonly catchUpTicksMax: number;
  /** The interval between snapshots, in seconds of play. */
  readonly snapshotSeconds: number;
  /** The interval between recorded hashes, in seconds of play. */
  readonly hashSeconds: number;
  /** Global variables that clients receive in addition to those that the definition streams. */
  readonly variables: readonly string[];
  /** How far clients see, px; Infinity means the whole map. */
  readonly sight: number;
  /** The maximum size of a room's state in bytes. A room that exceeds it is ended. */
  readonly stateBytesMax: number;
  /** How far back in time hits are judged at most, ms; with 0, hits are judged by the current positions. */
  readonly lagCompensationMs: number;
  /** The hosts from which styles of games may load pictures and fonts. */
  readonly styleHosts: StyleHosts;
}

/**
 * The resources that the rooms of one game, or of one author, may use together. Once any of them is exhausted, no more
 * of their rooms are opened.
 */
export interface Quota {
  readonly rooms: number;
  /** The total size of the rooms' states, bytes. */
  readonly stateBytes: number;
  /** The processor time of the rooms' ticks, in cores. */
  readonly cores: number;
}

export const noQuota: Quota = {
  rooms: Infinity,
  stateBytes: Infinity,
  cores: Infinity,
};

export const defaultPlay: PlayOptions = {
  dialect: 'standard',
  limits: roomLimits,
  catchUpTicksMax: 5,
  snapshotSeconds: 10,
  hashSeconds: 1,
  variables: [],
  sight: Infinity,
  stateBytesMax: 64 * 1024 * 1024,
  lagCompensationMs: 0,
  styleHosts: [],
};

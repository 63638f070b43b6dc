import type { DialectName, Limits } from '../../../engine/index.ts';
import type { StyleHosts } from '../../text/css.ts';
import { type BucketOptions, type ClientLimits, defaultClientLimits } from '../protocol/limits.ts';

/** When what is written reaches the disk: before it is acknowledged, once a second, or when the system wants. All survive the end of the process. */
const syncPolicies = ['always', 'second', 'never'] as const;
export type SyncPolicy = (typeof syncPolicies)[number];

/** The handling of rooms while the journal cannot be written. */
const journalFailurePolicies = ['go-on', 'stop'] as const;
export type JournalFailurePolicy = (typeof journalFailurePolicies)[number];

/** What `/readyz` follows: whether players may come, or also whether what they do can be kept. */
export const readinesses = ['players', 'journal'] as const;
export type Readiness = (typeof readinesses)[number];

/** The handling of rooms in a shared journal when their process is to end. Others play them on, where there are any; they are kept for later processes; they end. */
export const endPolicies = ['hand-over', 'keep', 'end'] as const;
export type EndPolicy = (typeof endPolicies)[number];
export const defaultEndPolicy: EndPolicy = 'hand-over';

/** Whether processes can share the rooms of a journal with this address. */
export function isSharedJournal(address: string | undefined): boolean {
  return /^rediss?:/i.test(address ?? '');
}

/** How long a process is believed to live without a sign of it, ms. */
export const defaultLeaseMs = 3000;

/** The messages that one connection, and one address, may send. */
export interface TrafficLimits extends Omit<ClientLimits, 'inputs'> {
  /** Of all connections of an address together. */
  readonly addressMessages: BucketOptions;
  readonly addressBytes: BucketOptions;
  readonly connectionsPerAddress: number;
  /** Addresses and subnets whose connections have no limits in common, only those of each. */
  readonly trustedAddresses: readonly string[];
  /** Connections that one address may open. */
  readonly connects: BucketOptions;
  /** Messages over the limit, or not understood, after which a connection ends; one is forgiven each second. */
  readonly strikesMax: number;
  readonly handshakeMs: number;
  /** How long a request by HTTP may take to arrive, a wish for a WebSocket among them. */
  readonly requestMs: number;
  /** Unsent bytes of a connection beyond which it ends: each frame builds upon the one before, so that none can be left out. */
  readonly backlogBytesMax: number;
}

export const defaultTraffic: TrafficLimits = {
  messages: defaultClientLimits.messages,
  bytes: defaultClientLimits.bytes,
  large: defaultClientLimits.large,
  addressMessages: { size: 4000, perSecond: 3000 },
  addressBytes: { size: 512 * 1024, perSecond: 192 * 1024 },
  connectionsPerAddress: 64,
  trustedAddresses: [],
  connects: { size: 100, perSecond: 10 },
  strikesMax: 50,
  handshakeMs: 5000,
  requestMs: 10_000,
  backlogBytesMax: 512 * 1024,
};

/** Default limits of rooms: less than for a play on its own, because others play beside it. */
const roomLimits: Partial<Limits> = { actionsPerTick: 100_000, entities: 8192, players: 256 };

/** How rooms are played, in whatever thread. */
export interface PlayOptions {
  readonly dialect: DialectName;
  readonly limits: Partial<Limits>;
  /** Ticks that are made up for when a room is late; what it is later than that is given up. */
  readonly catchUpTicksMax: number;
  /** From one snapshot of a room to the next, seconds of play. */
  readonly snapshotSeconds: number;
  /** From one recorded hash to the next, seconds of play. */
  readonly hashSeconds: number;
  /** Global variables that clients get beside those that the definition streams. */
  readonly variables: readonly string[];
  /** How far clients see, px; Infinity for the whole map. */
  readonly sight: number;
  /** Hosts from which styles of games may load pictures and fonts. */
  readonly styleHosts: StyleHosts;
}

export const defaultPlay: PlayOptions = {
  dialect: 'standard',
  limits: roomLimits,
  catchUpTicksMax: 5,
  snapshotSeconds: 10,
  hashSeconds: 1,
  variables: [],
  sight: Number.POSITIVE_INFINITY,
  styleHosts: [],
};

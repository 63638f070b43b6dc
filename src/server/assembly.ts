import { join } from 'node:path';
import type { DestinationStream } from 'pino';
import { forwarding, type Observer, openStore, storeMark } from '../cluster/index.ts';
import { thisMachine } from '../machine/index.ts';
import {
  defaultIdleMs,
  defaultLeaseMs,
  defaultPlay,
  defaultTraffic,
  type EndPolicy,
  type PlayOptions,
  type SyncPolicy,
  type TrafficLimits,
} from './base/options.ts';
import { readSecret } from './base/secret-file.ts';
import type { ClientProtocol } from './client-protocols/client-protocol.ts';
import { ChatLog } from './community/chat-log.ts';
import { openRecordStore } from './community/open-record-store.ts';
import { type CoreOptions, ServerCore } from './core.ts';
import type { Definitions } from './definitions/served.ts';
import { hasJournal, openJournal, requireJournalUrl } from './journals.ts';
import type { PlacementPolicy } from './lobby/room-choice.ts';
import { LocalThread } from './lobby/threads.ts';
import { WorkerThread } from './lobby/worker-thread.ts';
import { createLog, type LogLevel, observe } from './logging.ts';
import { Metrics } from './metrics.ts';
import type { HostModule } from './outside/host-module.ts';
import { Platform, type PlatformOptions, platformFilter, readPlatform } from './outside/platform.ts';
import { defaultWeb, type WebOptions, WebRequests } from './outside/web-requests.ts';
import type { ChatFilter } from './session/chat-filter.ts';
import { type Identify, Tokens } from './session/tokens.ts';

export interface AssemblyOptions
  extends Omit<CoreOptions, 'play' | 'traffic' | 'placement' | 'idleMs' | 'takes' | 'onEnd'> {
  readonly play?: Partial<PlayOptions> | undefined;
  readonly traffic?: Partial<TrafficLimits> | undefined;
  readonly web?: Partial<WebOptions> | undefined;
  /** Which room a new player enters. Default: `fill`. */
  readonly placement?: PlacementPolicy | undefined;
  /**
   * How long a room that was opened because the others were full stays open once it has no players, ms. Default 60,000.
   */
  readonly idleMs?: number | undefined;
  /** The number of threads that play rooms; 0 plays them in the thread of the sockets. */
  readonly workers: number;
  /** The URL of the script that the threads run; required unless `workers` is 0. */
  readonly workerUrl?: string | undefined;
  readonly protocols: readonly [ClientProtocol, ...ClientProtocol[]];
  /** The folder of all persistent data. Without it, no data is persisted, unless `store` or `journal` is given. */
  readonly data?: string | undefined;
  readonly store?: string | undefined;
  /** The journal: `off`, `file:FOLDER`, `redis://…`, `redis-sentinel://…`. Default: a folder within `data`. */
  readonly journal?: string | undefined;
  /**
   * For a shared journal: how long a process may fail to renew its lease before other processes take over its rooms,
   * ms.
   */
  readonly leaseMs?: number | undefined;
  /**
   * For a shared journal: the number of Redis replicas that must have a write before it is acknowledged. Default: 1
   * with sentinels, otherwise none.
   */
  readonly journalReplicas?: number | undefined;
  /** The `wss://…` URL of this process, to which other processes refer clients whose room is here. */
  readonly publicUrl?: string | undefined;
  readonly sync: SyncPolicy;
  /** What happens to rooms when the process ends. Default: `keep` with a journal, otherwise `end`. */
  readonly onEnd?: EndPolicy | undefined;
  /** The operator's file that describes the requests to the platform. */
  readonly platform?: string | undefined;
  /**
   * The contents of the file with the administrators' tokens. Without it, there are no routes for administrators, no
   * bans and no reports.
   */
  readonly adminToken?: string | undefined;
  readonly tokenSecretFile?: string | undefined;
  readonly identify?: Identify | undefined;
  /** The operations and triggers that the host adds to the script language, and the code that performs them. */
  readonly hostModule?: HostModule | undefined;
  /** Checks chat messages of players. Default: the platform, if it has `chat`. */
  readonly filterChat?: ChatFilter | undefined;
  /** The number of days for which the data folder keeps what players say in the chat. By default, no chat is kept. */
  readonly chatLogDays?: number | undefined;
  /** Whether the rooms of dead processes are taken over immediately, or only when a client asks for one. */
  readonly takes?: 'all' | 'asked' | undefined;
  readonly log: LogLevel;
  readonly logTo: DestinationStream;
}

/** A server without a transport. */
export type Assembly<L extends Definitions> = Awaited<ReturnType<typeof assemble<L>>>;

/** Creates the parts of a server and connects them. Rejects with `ServerError` if it cannot start. */
export async function assemble<L extends Definitions>(
  options: AssemblyOptions,
  openLibrary: (onNotice: Observer['problem']) => Promise<L>,
) {
  let core: ServerCore | undefined;
  const metrics = new Metrics({
    rooms: () => core?.rooms.listed() ?? [],
    connections: () => core?.hub.connections.size ?? 0,
    isStoreFailing: () => core?.accounts.isStoreFailing === true,
  });
  const observer = observe(createLog(options.log, options.logTo), metrics);
  const onNotice = observer.problem.bind(observer);
  const library = await openLibrary(onNotice);
  const secret = await secretOf(options);
  const tokens = new Tokens(secret, thisMachine.clock);
  const store = await openStore(options.store, options.data);
  const play: PlayOptions = { ...defaultPlay, ...options.play };
  const { workers, workerUrl, takes = 'all' } = options;
  const inRooms = new Map(options.protocols.map(({ room }) => [room.name, room]));
  const { journal, data, sync, leaseMs = defaultLeaseMs, publicUrl } = options;
  const asks: PlatformOptions =
    options.platform === undefined ? { credentials: new Map() } : await readPlatform(options.platform, thisMachine);
  const traffic = { ...defaultTraffic, ...options.traffic };
  let onTaken = () => {};
  const taken = new Promise<void>((resolve) => {
    onTaken = resolve;
  });
  core = await ServerCore.open(
    {
      ...options,
      play,
      traffic,
      idleMs: options.idleMs ?? defaultIdleMs,
      takes,
      onEnd: options.onEnd ?? (hasJournal(journal, data) ? 'keep' : 'end'),
      placement: options.placement ?? 'fill',
    },
    {
      observer,
      library,
      tokens,
      store,
      records: options.adminToken === undefined ? undefined : await openRecordStore(journal, data, thisMachine),
      chatLog:
        options.chatLogDays === undefined || data === undefined
          ? undefined
          : new ChatLog({ data, days: options.chatLogDays }, thisMachine, observer),
      filterChat: options.filterChat ?? platformFilter(asks),
      onTaken,
      hostModule: options.hostModule,
      machine: thisMachine,
      identify: options.identify ?? tokens.identify,
      openRelay: forwarding(tokens),
      openJournal: (listener) =>
        openJournal({
          journal,
          data,
          sync,
          leaseMs,
          replicas: options.journalReplicas,
          publicUrl,
          secret,
          storeMark: storeMark(options.store, data, thisMachine.processes),
          takes,
          listener,
          onNotice,
          machine: thisMachine,
        }),
      web: new WebRequests({ ...defaultWeb, allowed: [], credentials: asks.credentials, ...options.web }, observer),
      platform: new Platform(asks, observer, thisMachine),
      threads: {
        count: Math.max(1, workers),
        areThreads: workers > 0 && workerUrl !== undefined,
        make: (id, isForSlow, listener) =>
          workers === 0 || workerUrl === undefined
            ? new LocalThread(id, { play, isForSlow, movesGreedy: false }, inRooms, thisMachine.clock, listener)
            : new WorkerThread(id, workerUrl, { play, isForSlow, movesGreedy: true }, listener),
      },
    },
  );
  return {
    core,
    observer,
    metrics,
    library,
    tokens,
    store,
    play,
    traffic,
    /** Resolves if another process takes over the journal. This process has dropped all its rooms then. */
    taken,
  };
}

async function secretOf({ tokenSecretFile, data }: AssemblyOptions): Promise<Uint8Array> {
  if (tokenSecretFile !== undefined) return readSecret(tokenSecretFile, false, thisMachine);
  return data === undefined ? thisMachine.random(32) : readSecret(join(data, 'secret'), true, thisMachine);
}

/**
 * Performs a step that depends on a setting, given by its name as an option of `reenact serve`. The caller decides
 * whether a `ServerError` of the step is thrown or collected; if it is collected, the step returns undefined.
 */
export type Attempt = <T>(setting: string, act: () => Promise<T>) => Promise<T | undefined>;

/** Checks the URLs and files in the options, without connecting to anything and without creating a secret. */
export async function checkAssembly(options: AssemblyOptions, attempt: Attempt): Promise<void> {
  const { tokenSecretFile, platform, store, data, journal } = options;
  if (tokenSecretFile !== undefined) {
    await attempt('token-secret-file', () => readSecret(tokenSecretFile, false, thisMachine));
  }
  if (platform !== undefined) await attempt('platform', () => readPlatform(platform, thisMachine));
  await attempt('journal', async () => requireJournalUrl(journal));
  await attempt('store', async () => (await openStore(store, data)).close());
}

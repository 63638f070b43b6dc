import { defined, messageOf } from '../../engine/core/index.ts';
import type { Observer, OpenRelay, Reach, RoomJournal, SharedListener } from '../cluster/index.ts';
import { type Machine, within } from '../machine/index.ts';
import type { Store, WatchedStore } from '../store/index.ts';
import { type EndPolicy, noQuota, type PlayOptions, type Quota, type TrafficLimits } from './base/options.ts';
import type { ChatLog } from './community/chat-log.ts';
import { Community } from './community/community.ts';
import type { Definitions } from './definitions/served.ts';
import { exportJournal } from './journal/export.ts';
import { Accounts } from './lobby/accounts.ts';
import { type HostServices, type RoomEntry, tell } from './lobby/room.ts';
import { Rooms, type RoomsOptions } from './lobby/rooms.ts';
import type { ThreadsOptions } from './lobby/thread-pool.ts';
import { HostHandlers, type HostModule } from './outside/host-module.ts';
import type { Platform } from './outside/platform.ts';
import type { WebRequests } from './outside/web-requests.ts';
import type { ChatFilter } from './session/chat-filter.ts';
import { Hub } from './session/hub.ts';
import type { Identify, ResumeTokens } from './session/tokens.ts';

export interface CoreOptions
  extends Omit<RoomsOptions, 'dialect' | 'limits' | 'perGame' | 'perAuthor' | 'keepsRecent'> {
  readonly play: PlayOptions;
  readonly traffic: TrafficLimits;
  /** The resources that the rooms of one game, or of one author, may use. Default: no limit. */
  readonly perGame?: Partial<Quota> | undefined;
  readonly perAuthor?: Partial<Quota> | undefined;
  /** How long shutting down may take, ms. */
  readonly endMs: number;
  /** Whether the rooms of dead processes are taken over immediately, or only when a client asks for one. */
  readonly takes: 'all' | 'asked';
  /** What happens to rooms when the process ends. */
  readonly onEnd: EndPolicy;
}

/** The dependencies of a server. All its effects outside of the process go through one of these. */
interface CoreParts {
  readonly machine: Pick<Machine, 'clock' | 'random'>;
  readonly observer: Observer;
  readonly library: Definitions;
  readonly tokens: ResumeTokens;
  readonly identify: Identify;
  readonly store: Store;
  /** The store of bans and reports. Without it, the server keeps no bans or reports. */
  readonly records?: WatchedStore | undefined;
  /** Logs what players say in the chat. */
  readonly chatLog?: ChatLog | undefined;
  /** Checks what players say in the chat. */
  readonly filterChat?: ChatFilter | undefined;
  readonly hostModule?: HostModule | undefined;
  readonly openJournal: (listener: SharedListener) => Promise<RoomJournal>;
  readonly threads: ThreadsOptions;
  /** Forwards connections to other processes that share the journal. */
  readonly openRelay?: OpenRelay | undefined;
  /**
   * Called if another process takes over the journal with all of its rooms. From then on, this server cannot play any
   * room.
   */
  readonly onTaken?: (() => void) | undefined;
  readonly web: Pick<WebRequests, 'ask'>;
  readonly platform?: Pick<Platform, 'ask'> | undefined;
}

/**
 * A server without sockets and HTTP: its rooms, sessions, journal and accounts, and the order in which they start and
 * stop.
 */
export class ServerCore {
  readonly rooms: Rooms;
  readonly hub: Hub;
  /** The bans and reports; undefined without an administrators' token. */
  readonly community: Community | undefined;
  readonly accounts: Accounts;

  /** Opens the journal and creates the server. Rejects with `ServerError` if the journal cannot be used. */
  static async open(options: CoreOptions, parts: CoreParts): Promise<ServerCore> {
    let core: ServerCore | undefined;
    const journal = await parts.openJournal({
      failing: (message) => core?.rooms.journalFails(message),
      working: () => core?.rooms.journalWorks(),
      lost: (room) => core?.rooms.journalLost(room),
      taken(room) {
        if (room === undefined) parts.onTaken?.();
        core?.rooms.journalTook(room);
      },
      found: async (room) => core?.rooms.takeOver(room, options.takes === 'asked'),
      mayTake: () => options.takes === 'all' && core?.rooms.mayTake === true,
      admits: () => core?.rooms.admits === true,
      newer: (isThere) => core?.rooms.outdate(isThere),
      rooms: () => core?.rooms.listed() ?? [],
    });
    core = new ServerCore(options, parts, journal);
    void core.accounts.begin();
    return core;
  }

  private constructor(
    private readonly options: CoreOptions,
    private readonly parts: CoreParts,
    readonly journal: RoomJournal,
  ) {
    const { machine, observer, library, threads } = parts;
    const { play, traffic } = options;
    const { dialect, limits } = play;
    this.accounts = new Accounts(parts.store, observer, machine.clock);
    const { hostModule } = parts;
    const handlers =
      hostModule && new HostHandlers(hostModule, observer, (room, input) => this.rooms.hostInput(room, input));
    const services: HostServices = {
      save: (room, event, atMs, isRepeated) => this.accounts.save(room, event, atMs, isRepeated),
      request: (room, event) =>
        parts.web.ask(room, event, (requestId, body) =>
          tell(room, { kind: 'answer', requestId, ...defined({ body }) }),
        ),
      askPlatform: (room, request) =>
        void parts.platform?.ask(room, request, (input, key) => void this.rooms.deliver(room, input, key)),
      banned: (room, event) => void this.community?.bannedByGame(room, event),
      said: (room, said, atMs) => parts.chatLog?.add(room.identity, said, atMs),
      notify: (room, what) => handlers?.notify(room, what),
    };
    this.rooms = new Rooms(
      {
        ...options,
        dialect,
        limits,
        perGame: { ...noQuota, ...options.perGame },
        perAuthor: { ...noQuota, ...options.perAuthor },
        keepsRecent: parts.records !== undefined,
      },
      { library, observer, journal, services, machine },
      threads,
    );
    this.community = parts.records && new Community(parts.records, this.rooms, observer, machine);
    const loadSavedData = (room: RoomEntry, userId: string) => this.accounts.savedDataOf(room, userId);
    const { clock } = machine;
    this.hub = new Hub(traffic, {
      ...parts,
      rooms: this.rooms,
      loadSavedData,
      clock,
      moderator: this.community,
    });
  }

  /** Resumes the rooms in the journal, then opens rooms up to the configured number. */
  async start(): Promise<void> {
    const { community } = this;
    if (community !== undefined) {
      community.bans.onAdded = () => this.hub.moderation.enforceBans();
      await community.bans.begin();
    }
    await this.rooms.start();
  }

  /** The URLs of the process that plays a room, if it is another process; otherwise undefined. */
  async reachOf(room: string): Promise<Reach | undefined> {
    const location = await this.journal.shared?.locate(room);
    return location?.isAlive === true && !location.isOurs ? location.reach : undefined;
  }

  /**
   * Shuts down gracefully: admits no new players, fires the games' trigger `serverShuttingDown` or leaves rooms to
   * other processes, and writes everything pending. Call `close` afterwards.
   */
  async end(): Promise<void> {
    const { machine, observer } = this.parts;
    const { clock } = machine;
    const endsAt = clock.now() + this.options.endMs;
    const leftMs = () => Math.max(100, endsAt - clock.now());
    observer.event('draining', { rooms: this.rooms.byId.size, connections: this.hub.connections.size });
    const { shared } = this.journal;
    const others = await this.others();
    if (others !== undefined) {
      await within(clock, leftMs(), this.rooms.handOver(others === 0));
      // Players' data is saved before the rooms are released, because the process that takes over a room reads this
      // data from the store.
      await this.accounts.close(leftMs() / 2);
      const released = shared?.release().catch((error: unknown) => {
        observer.problem('journal-failed', `Rooms could not be released for other processes: ${messageOf(error)}`);
      });
      await within(clock, leftMs(), released ?? Promise.resolve());
      await within(
        clock,
        leftMs(),
        this.rooms.handOvers.announce(shared, others === 0 ? 0 : Math.min(leftMs() - 1000, shared!.takeoverMs)),
      );
    } else await within(clock, leftMs(), this.rooms.drain());
    this.hub.close('shutting-down');
    await within(clock, leftMs(), this.journal.settled());
    if (!(await this.accounts.close(leftMs()))) {
      observer.problem(
        'store-failed',
        'The server stops before the store has saved all player data; unsaved data is lost.',
      );
    }
  }

  /**
   * The number of processes that can take over rooms when this one ends; 0 if the next process continues them, and
   * undefined if they end with this process.
   */
  private async others(): Promise<number | undefined> {
    const { onEnd } = this.options;
    if (onEnd === 'end') return undefined;
    const others = (await this.journal.shared?.others().catch(() => 0)) ?? 0;
    // Rooms of an outdated version are not kept: a newer process would not continue them, and clients would wait in
    // vain.
    return others > 0 || (onEnd === 'keep' && !this.rooms.isOutdated) ? others : undefined;
  }

  /** Writes everything pending as far as time allows, without ending the games. */
  async settle(): Promise<void> {
    const { clock } = this.parts.machine;
    await within(clock, this.options.endMs, this.journal.settled());
    await this.accounts.close(this.options.endMs);
  }

  /** Closes everything immediately. */
  async close(): Promise<void> {
    this.hub.close('shutting-down');
    await this.rooms.stop();
    await this.journal.close();
    this.community?.close();
    await this.parts.chatLog?.close();
  }

  /** The journal of a room so far, in the format of `reenact replay`; undefined if the room has no journal. */
  async journalOf(room: RoomEntry): Promise<Uint8Array | undefined> {
    const last = await this.rooms.questions.ask(room, 'hash');
    const stored = await this.journal.history(room.identity.id);
    if (stored === undefined || last === undefined) return undefined;
    return exportJournal(stored, room, last);
  }

  /** The id of this process among those that share the journal. */
  get id(): string {
    return this.journal.shared?.self.id ?? 'single';
  }
}

import { defined, messageOf } from '../../../engine/core/index.ts';
import { defaultLimits, type Limits } from '../../../engine/index.ts';
import {
  HandOver,
  type ListedRoom,
  type Observer,
  type RoomIdentity,
  type RoomJournal,
  type RoomPlayer,
  type RoomProperties,
  type StoredRoom,
  type WriteOutcome,
} from '../../cluster/index.ts';
import { type Machine, pause, randomDigits, type Timer } from '../../machine/index.ts';
import type { Code } from '../../net/index.ts';
import type { JournalFailurePolicy } from '../base/options.ts';
import type { Definitions, ServedDefinition } from '../definitions/served.ts';
import { lostPlayersMax } from '../room/lost-players.ts';
import type { RoomReport, TickReport } from '../room/room.ts';
import type { HostInput, PlatformInput, RoomInput } from '../room/room-messages.ts';
import { Capacity, type CapacityOptions } from './capacity.ts';
import { Directory } from './directory.ts';
import { JournalWrites } from './journal-writes.ts';
import { EndedAtStart, Openings } from './openings.ts';
import { PaceMonitor } from './pace-monitor.ts';
import type { LobbyParts } from './parts.ts';
import { Questions } from './questions.ts';
import { RecentPlay } from './recent-play.ts';
import { Recovery } from './recovery.ts';
import { Results } from './results.ts';
import { type HostServices, isHere, listedRoom, RoomEntry, release, roomsOf, tell } from './room.ts';
import { newCode, type PlacementPolicy } from './room-choice.ts';
import { type RoomEnd, RoomEnds } from './room-ends.ts';
import { Seats, type SeatsOptions } from './seats.ts';
import { ThreadPool, type ThreadsOptions } from './thread-pool.ts';
import type { RoomThread, ThreadListener } from './threads.ts';
import { TickDispatcher } from './tick-dispatcher.ts';

export interface RoomsOptions extends SeatsOptions, CapacityOptions {
  readonly limits: Partial<Limits>;
  /** The seed of every room. By default, each room has its own random seed. */
  readonly seed?: string | undefined;
  readonly onJournalFailure: JournalFailurePolicy;
  /** Whether the last seconds of each room are recorded, for reports of players. */
  readonly keepsRecent: boolean;
  /** Which room a new player enters. */
  readonly placement: PlacementPolicy;
}

/** The dependencies of rooms, besides their threads. */
interface RoomsParts extends Pick<LobbyParts, 'library' | 'observer' | 'journal'> {
  readonly services: HostServices;
  readonly machine: Pick<Machine, 'clock' | 'random'>;
}

/** After this time, failed deliveries to rooms and failed attempts to open a room are repeated, ms. */
const retryMs = 1000;
/** The maximum number of attempts to deliver a platform result. */
const deliveriesMax = 60;
/** How long a room waits for players if its version is already outdated when it opens, ms. */
const outdatedRoomMs = 1000;
/** The maximum interval between checks for surplus rooms, ms. */
const sweepMs = 5000;

/**
 * All rooms of the server: opens and closes them, and mediates between their threads, the journal and the connections.
 */
export class Rooms implements ThreadListener {
  readonly byId = new Map<string, RoomEntry>();
  readonly seats: Seats;
  readonly directory: Directory;
  readonly services: HostServices;
  isDraining = false;
  /**
   * Whether an operator is draining this process: it admits no newcomers, and its rooms end with their last players.
   */
  isEmptying = false;
  /**
   * Whether a process of a newer version shares the journal: newcomers go there, and the rooms here end with their last
   * players.
   */
  isOutdated = false;
  private readonly library: Definitions;
  private readonly observer: Observer;
  private readonly journal: RoomJournal;
  private readonly machine: RoomsParts['machine'];
  readonly pool: ThreadPool;
  private readonly capacity: Capacity;
  private readonly openings: Openings;
  private readonly recovery: Recovery;
  readonly handOvers: HandOver<RoomEntry>;
  /** Which rooms are left to other processes when this process ends: those with players, or all. */
  private handsOver: 'played' | 'all' | undefined;
  readonly writes: JournalWrites;
  private readonly pace: PaceMonitor;
  private readonly dispatcher: TickDispatcher;
  readonly questions = new Questions();
  readonly ends = new RoomEnds();
  private readonly results = new Results();
  private sweeper: Timer | undefined;
  private isStopped = false;

  constructor(
    private readonly options: RoomsOptions,
    { library, observer, journal, services, machine }: RoomsParts,
    threads: ThreadsOptions,
  ) {
    const { clock } = machine;
    this.library = library;
    this.observer = observer;
    this.journal = journal;
    this.services = services;
    this.machine = machine;
    this.seats = new Seats(options, clock);
    this.pool = new ThreadPool(threads, this.byId, this);
    const { byId: rooms, seats, pool, results } = this;
    const parts: LobbyParts = { rooms, library, observer, journal, clock, pool, seats };
    this.capacity = new Capacity(options, rooms, library, clock);
    this.writes = new JournalWrites(parts);
    this.openings = new Openings(parts, () => this.writes.isFailing && options.onJournalFailure === 'stop');
    const { writes, openings } = this;
    this.recovery = new Recovery({
      ...parts,
      openings,
      writes,
      add: (identity, definition) => this.add(identity, definition),
      giveUp: (room) => this.end(room, 'room-failed'),
    });
    this.pace = new PaceMonitor(parts);
    this.dispatcher = new TickDispatcher({ ...parts, writes, results, services });
    this.handOvers = new HandOver(parts);
    this.directory = new Directory({
      ...parts,
      shared: journal.shared,
      placement: options.placement,
      open: (definition, properties) => this.open(definition, { properties, isExtra: true }),
      isCurrent: (room) => this.capacity.isCurrent(room),
      mayOpen: (slug) => this.mayOpen(slug),
      isDraining: () => this.isDraining,
      admits: () => this.admits,
    });
  }

  /** Resumes the rooms in the journal, then opens rooms up to the configured number. */
  async start(): Promise<void> {
    await Promise.all(this.journal.stored.map((stored) => this.recovery.resume(stored)));
    await this.journal.shared?.begin();
    for (const definition of this.library.all) await this.ensureOpen(definition);
    this.seats.begin(this.byId.values());
    const everyMs = Math.min(sweepMs, this.options.idleMs);
    const { clock } = this.machine;
    this.sweeper = clock.every(everyMs, () => this.capacity.sweep((room) => void this.close(room)));
    this.pace.begin();
  }

  /**
   * Opens rooms of a definition up to the configured number. Closes those of its older versions that have no players.
   */
  private async ensureOpen(definition: ServedDefinition) {
    for (const room of [...this.byId.values()]) this.closeIfIdle(room);
    const has = roomsOf(this.byId, definition.slug).filter((room) => this.capacity.isCurrent(room)).length;
    for (let missing = this.options.rooms - has; missing > 0 && this.mayOpen(definition.slug); missing--) {
      try {
        await this.open(definition);
      } catch (error) {
        if (error instanceof EndedAtStart) return;
        throw error;
      }
    }
  }

  /**
   * Calls `ensureOpen` for the current definition of a game, with retries, because it fails while the journal cannot be
   * written.
   */
  openMissing(slug: string) {
    const definition = this.library.get(slug);
    if (this.isDraining || definition === undefined) return;
    this.ensureOpen(definition).catch((error: unknown) => {
      this.observer.problem('room-failed', `A new room could not be opened; this is retried: ${messageOf(error)}`, {
        slug,
      });
      this.machine.clock.after(retryMs, () => this.openMissing(slug));
    });
  }

  /** Whether this process admits newcomers. */
  get admits(): boolean {
    return !this.isDraining && !this.isEmptying && !this.isOutdated;
  }

  /**
   * Whether another room of a game may be opened: the game and its author are within their quotas, no room of the game
   * has recently ended for using too much, and a thread has time for another room.
   */
  mayOpen(slug: string): boolean {
    return this.admits && this.capacity.mayOpen(slug) && !this.pool.isFull;
  }

  /**
   * Whether a room of another process may be taken over. This is also allowed in an outdated process, because only it
   * can play rooms of its version.
   */
  get mayTake(): boolean {
    return !this.isDraining && !this.isEmptying && this.capacity.mayAdd();
  }

  /**
   * Opens a new room. Rejects if the room does not start, or (with the policy `stop`) cannot be written to the journal.
   */
  async open(
    definition: ServedDefinition,
    given: {
      /** An id that no room has ever had. By default, a new id is made. */
      readonly id?: string | undefined;
      readonly seed?: string | undefined;
      readonly properties?: RoomProperties | undefined;
      readonly isPrivate?: boolean | undefined;
      readonly isExtra?: boolean | undefined;
    } = {},
  ): Promise<RoomEntry> {
    const id = given.id ?? this.freeId(definition.slug);
    const identity: RoomIdentity = {
      id,
      slug: definition.slug,
      version: definition.version,
      seed: given.seed ?? this.options.seed ?? randomDigits(this.machine, 8),
      dialect: this.options.dialect,
      limits: { ...defaultLimits, ...this.options.limits },
      epochMs: this.machine.clock.date(),
      ...defined({ properties: given.properties }),
      ...(given.isPrivate && { code: newCode((count) => this.machine.random(count)) }),
      ...(given.isExtra && { isExtra: true }),
    };
    const room = this.add(identity, definition);
    try {
      await this.writes.keepRoom(room);
    } catch (error) {
      this.observer.problem('journal-failed', `The new room could not be written: ${messageOf(error)}`, { room: id });
      if (this.options.onJournalFailure === 'stop') {
        this.discard(room);
        throw error;
      }
      this.writes.keepRoomLater(room);
    }
    try {
      return await this.openings.begin(room, { kind: 'open' });
    } catch (error) {
      this.discard(room);
      throw error;
    }
  }

  /** Removes a room that could not be opened. */
  private discard(room: RoomEntry) {
    if (!isHere(this.byId, room)) return;
    this.remove(room, 'over');
    this.writes.remove(room.identity.id);
  }

  /**
   * Ends a room after a last tick, in which the trigger `serverShuttingDown` fires. If the process is ending, the room
   * may be released for another process instead (`handOver`). Resolves when the room has left this process.
   */
  close(room: RoomEntry): Promise<RoomEnd> {
    const ended = this.ends.of(room.identity.id);
    if (room.state === 'open') {
      room.state = 'closing';
      const isUsed = room.seats.size + room.reserved.size > 0;
      const isKept = this.handsOver === 'all' || (this.handsOver === 'played' && isUsed);
      tell(room, isKept ? { kind: 'release', isHandedOver: true } : { kind: 'close' });
    }
    return ended;
  }

  /**
   * Reserves a seat for `ms`, for one account or, without `userId`, for anyone with its token. Returns the id of the
   * reservation.
   */
  reserve(room: RoomEntry, userId: string | undefined, ms: number): string {
    const id = randomDigits(this.machine, 16);
    this.seats.reserve(room, id, userId, ms);
    return id;
  }

  /** Admits no more players and ends all games. */
  async drain(): Promise<void> {
    this.isDraining = true;
    await Promise.all(
      [...this.byId.values()].filter(({ state }) => state !== 'failed').map((room) => this.close(room)),
    );
  }

  /**
   * Admits no more players. Leaves the rooms with players or reserved seats to other processes (with `isOfAll`, all
   * rooms) and ends the others. Resolves when every room is either in the journal or over.
   */
  async handOver(isOfAll: boolean): Promise<void> {
    this.handsOver = isOfAll ? 'all' : 'played';
    await this.drain();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.sweeper?.cancel();
    this.pace.stop();
    this.writes.stop();
    for (const room of this.byId.values()) this.seats.stopWaiting(room);
    await this.pool.close();
  }

  /**
   * Takes over a room whose process has died. If no client has asked for it (`isAsked`), the room may end once it has
   * no players.
   */
  async takeOver(stored: StoredRoom, isAsked: boolean): Promise<void> {
    const room = await this.recovery.resume(stored);
    if (room === undefined || isAsked || !isHere(this.byId, room)) return;
    room.isTaken = true;
    this.closeIfIdle(room);
  }

  /**
   * Delivers an input to a player or the room, at most once per key. Resolves when the input is in the journal or has
   * been lost.
   */
  hostInput(room: RoomEntry, input: HostInput | RoomInput, key?: string): Promise<WriteOutcome> {
    // If no thread plays the room, nothing would settle the request.
    if (!room.isBegun) return Promise.resolve('lost');
    const { id } = room.identity;
    return this.results.add(id, 'player' in input ? input.player : undefined, key, (request) =>
      tell(room, { kind: 'hostInput', input, request }),
    );
  }

  /** Delivers a platform result. Retries, because the platform sends it only once and the room may be resuming. */
  async deliver(room: RoomEntry, input: PlatformInput, key: string): Promise<void> {
    for (let attempt = 1; attempt <= deliveriesMax; attempt++) {
      if ((await this.hostInput(room, input, key)) === 'kept') return;
      await pause(this.machine.clock, retryMs);
      if (this.isStopped || !isHere(this.byId, room) || !room.seats.has(input.player)) return;
    }
  }

  /** Starts or stops draining this process: no new players enter, and rooms without players end. */
  empty(on: boolean) {
    this.isEmptying = on;
    this.admissionChanged();
  }

  /** Notes whether there is a process of a newer version. While there is, no newcomers are admitted here. */
  outdate(isOutdated: boolean) {
    if (this.isOutdated === isOutdated) return;
    this.isOutdated = isOutdated;
    this.observer.event('newer-version', { isThere: isOutdated });
    this.admissionChanged();
  }

  private admissionChanged() {
    if (!this.admits) for (const room of [...this.byId.values()]) this.closeIfIdle(room);
    else for (const { slug } of this.library.all) this.openMissing(slug);
  }

  /** The public data of all rooms, for other processes. */
  listed(): ListedRoom[] {
    return Array.from(this.byId.values(), (room) => this.summary(room));
  }

  /** The public data of a room. */
  summary(room: RoomEntry): ListedRoom {
    const listed = listedRoom(room, this.machine.clock.now());
    return this.admits ? listed : { ...listed, isOpen: false };
  }

  private async completeHandOver(room: RoomEntry, report: Extract<RoomReport, { kind: 'released' }>) {
    for (const event of report.saves) this.services.save(room, event, this.machine.clock.date(), false);
    await this.handOvers.keep(room, report, this.handsOver === 'all' ? 'room-kept' : 'room-handed-over');
    this.remove(room, 'elsewhere');
  }

  private add(identity: RoomIdentity, definition: ServedDefinition): RoomEntry {
    const surplus = this.capacity.roomInPlaceOf(identity.slug);
    if (surplus !== undefined) void this.close(surplus);
    const recent = this.options.keepsRecent ? new RecentPlay() : undefined;
    const room = new RoomEntry(
      identity,
      definition,
      this.pool.forNewRoom(definition.version),
      this.machine.clock.now(),
      recent,
    );
    this.byId.set(identity.id, room);
    return room;
  }

  private freeId(slug: string) {
    let id: string;
    do id = `${slug}-${randomDigits(this.machine, 6)}`;
    while (this.byId.has(id));
    return id;
  }

  /**
   * Closes a room without players if no new player would be sent to it. There are four reasons: its version is
   * outdated; it is private, and its players have left; this process admits no newcomers; or the room was taken over
   * from another process although this process has enough rooms of its own.
   */
  private closeIfIdle(room: RoomEntry) {
    if (room.seats.size + room.reserved.size > 0 || room.state !== 'open') return;
    const { capacity } = this;
    const isLeft = room.identity.code !== undefined && room.tick > 0;
    const isSpare = room.isTaken && capacity.hasSpare(room);
    if (!capacity.isCurrent(room) || isLeft || !this.admits || isSpare) void this.close(room);
  }

  /** Closes a room whose definition changed while it was being opened, unless players who waited for it join. */
  private closeLaterIfOutdated(room: RoomEntry) {
    if (this.capacity.isCurrent(room)) return;
    this.machine.clock.after(outdatedRoomMs, () => {
      if (isHere(this.byId, room)) this.closeIfIdle(room);
    });
  }

  // Reports of threads:

  died(thread: RoomThread, message: string, guilty?: string) {
    this.observer.problem('worker-failed', `The thread ended, and its rooms are resumed: ${message}`, {
      thread: thread.id,
    });
    this.pool.replace(thread);
    for (const room of [...this.byId.values()]) {
      if (room.thread !== thread) continue;
      if (room.identity.id === guilty) this.endExcessive(room, 'room-too-large', message);
      else if (room.isBegun) this.failed(room, message);
      else room.thread = this.pool.leastBusy();
    }
  }

  report(thread: RoomThread, report: RoomReport) {
    const room = this.byId.get(report.room);
    // The room was moved to another thread in the meantime, so the report is outdated.
    if (room === undefined || room.thread !== thread) return;
    const about = { room: report.room, slug: room.identity.slug };
    switch (report.kind) {
      case 'tick':
        this.ticked(room, report);
        return;
      case 'opened':
        if (report.ended) this.endedAtStart(room);
        else {
          this.nowOpen(room, report.tick, report.rate, []);
          this.services.notify(room, 'opened');
          this.observer.event('room-opened', about);
          this.closeLaterIfOutdated(room);
        }
        return;
      case 'resumed':
        this.resumed(room, report);
        return;
      case 'watched':
        if (report.code !== undefined) room.watchers.delete(report.session);
        this.seats.listener.watched(room, report.session, report.code);
        for (const sending of report.sendings) this.seats.listener.sending(sending);
        return;
      case 'inputResults':
        this.seats.listener.results(room, report.results);
        return;
      case 'answered':
        this.questions.answer(report.request, report.answer);
        return;
      case 'snapshot':
        room.isSnapshotDue = false;
        this.dispatcher.snapshot(room, report.snapshot);
        return;
      case 'released':
        this.endRequests(report.room);
        if (this.handsOver !== undefined) void this.completeHandOver(room, report);
        else void this.recovery.move(room, report.snapshot);
        return;
      case 'overrun':
        this.pace.overrun(room, report.ticks, report.why);
        return;
      case 'failed':
        if (report.excess !== undefined) this.endExcessive(room, report.excess, report.message);
        else {
          this.observer.problem('room-failed', report.message, { room: report.room });
          this.failed(room, report.message);
        }
        return;
    }
  }

  private endedAtStart(room: RoomEntry) {
    const error = new EndedAtStart(room);
    this.observer.problem('game-ended-at-start', error.message, { slug: room.identity.slug });
    this.discard(room);
    this.openings.fail(room, error);
  }

  /** Ends all requests to a room that has left its thread: nothing would answer them. */
  private endRequests(id: string) {
    this.results.lose(id);
    this.questions.end(id);
  }

  private failed(room: RoomEntry, message: string) {
    this.endRequests(room.identity.id);
    if (!this.openings.fail(room, new Error(message))) void this.recovery.recover(room);
  }

  /** Ends a room that uses too much memory or time, rather than resuming it. */
  private endExcessive(room: RoomEntry, code: 'room-too-large' | 'room-too-slow', message: string) {
    const { id, slug, version } = room.identity;
    const ms = this.capacity.rest(version);
    this.machine.clock.after(ms, () => this.openMissing(slug));
    const rest = `For ${ms / 1000} s, no new room of the game is opened.`;
    this.observer.problem(code, `${message} ${rest}`, { room: id, slug });
    this.endRequests(id);
    this.openings.fail(room, new Error(message));
    if (isHere(this.byId, room)) this.end(room, 'room-failed');
  }

  private resumed(room: RoomEntry, report: Extract<RoomReport, { kind: 'resumed' }>) {
    const { tick, hash, saves, differsAt, playersMade, players, rate, ended } = report;
    for (const { event, atMs } of saves) this.services.save(room, event, atMs, true);
    if (differsAt !== undefined) {
      this.observer.problem('resume-differs', `The state after tick ${differsAt} differs from the recorded hash.`, {
        room: report.room,
      });
    }
    room.playersMade = Math.max(room.playersMade, playersMade) + (this.journal.isLossy ? lostPlayersMax : 0);
    this.nowOpen(room, tick, rate, players);
    this.observer.event('room-resumed', {
      room: report.room,
      slug: room.identity.slug,
      players: players.length,
      tick,
      hash,
      ...(!this.capacity.isCurrent(room) && { isOutdated: true }),
    });
    // The process or thread died after the last tick of the room was written, but before the journal recorded the end.
    if (ended) {
      this.end(room, 'room-ended');
      return;
    }
    this.services.notify(room, 'opened');
    // The next resumption can start from this new snapshot, without replaying these ticks again.
    tell(room, { kind: 'snapshot' });
    this.closeIfIdle(room);
  }

  private nowOpen(room: RoomEntry, tick: number, rate: number, players: readonly RoomPlayer[]) {
    room.tick = tick;
    room.tickAtMs = this.machine.clock.now();
    this.pace.opened(room, rate);
    this.seats.settle(room, players);
    room.state = 'open';
    this.openings.done(room);
    if (this.isDraining || this.ends.isAwaited(room.identity.id)) void this.close(room);
  }

  private ticked(room: RoomEntry, report: TickReport) {
    const { record, ended, snapshot } = report;
    room.tick = record.tick;
    room.tickAtMs = this.machine.clock.now();
    this.pace.ticked(room, report);
    this.dispatcher.ticked(room, report, () => {
      this.closeIfIdle(room);
      if (ended) this.finish(room);
    });
    if (ended) {
      room.isOver = true;
      if (room.isSnapshotDue) this.finish(room);
    }
    if (snapshot !== undefined) this.dispatcher.snapshot(room, snapshot);
  }

  /**
   * Moves a room to another thread; its clients must reconnect. Returns false if the room is not open or there is no
   * other thread.
   */
  move(room: RoomEntry): boolean {
    const other = this.pool.otherFor(room);
    if (other === undefined || room.state !== 'open') return false;
    room.movesTo = other;
    release(room);
    return true;
  }

  /**
   * Ends a room whose last tick was played, once that tick is in the journal, or can never be, because earlier ticks
   * are lost.
   */
  private finish(room: RoomEntry) {
    if (isHere(this.byId, room)) this.end(room, this.isDraining ? 'shutting-down' : 'room-ended');
  }

  private end(room: RoomEntry, code: Code) {
    const { id, slug, version } = room.identity;
    room.state = 'failed';
    this.seats.clear(room, code);
    this.remove(room, 'over');
    this.observer.event('room-ended', { room: id, slug, code });
    if (code === 'room-failed') {
      this.writes.remove(id, 'setAside');
      return;
    }
    this.writes.remove(id);
    this.openMissing(slug);
    this.dropUnused(version);
  }

  /**
   * Drops a definition that is outdated and that no room plays any more. Otherwise, an author who saves often would
   * fill memory and disk.
   */
  private dropUnused(version: string) {
    const isUsed = [...this.byId.values()].some(({ identity }) => identity.version === version);
    if (isUsed || this.library.all.some((definition) => definition.version === version)) return;
    this.pool.forget(version);
    this.capacity.forget(version);
    this.writes.forgetDefinition(version);
  }

  /** Removes a room, and notifies those who wait for its end. */
  private remove(room: RoomEntry, end: RoomEnd) {
    const { id } = room.identity;
    this.services.notify(room, 'closed');
    this.byId.delete(id);
    this.writes.left(id);
    this.endRequests(id);
    this.observer.roomGone(id);
    this.ends.left(id, end);
  }

  // Events of the journal:

  journalFails(message: string) {
    this.writes.isFailing = true;
    this.observer.problem('journal-failed', `The journal cannot be written; this is retried: ${message}`);
    this.pauseAll(true);
  }

  journalWorks() {
    const lost = this.writes.works();
    this.observer.event('journal-working', {});
    this.pauseAll(false);
    // While the journal failed, snapshots could not replace these lost ticks, so they are requested now.
    for (const id of lost) this.journalLost(id);
  }

  /**
   * Handles ticks that are missing in the journal, of one room or of all: a snapshot of the current state must replace
   * them.
   */
  journalLost(id: string | undefined) {
    for (const room of this.byId.values()) {
      if ((room.state !== 'open' && room.state !== 'closing') || (id !== undefined && room.identity.id !== id))
        continue;
      this.writes.lose(room.identity.id);
      if (room.isOver) {
        if (!this.writes.isFailing) this.finish(room);
        continue;
      }
      room.isSnapshotDue = true;
      tell(room, { kind: 'snapshot' });
    }
  }

  /**
   * Handles the takeover of one room, or of all, by another process. The clients must reconnect and will find the room
   * there.
   */
  journalTook(id: string | undefined) {
    if (id === undefined) {
      this.isDraining = true;
      for (const each of [...this.byId.keys()]) this.journalTook(each);
      return;
    }
    const room = this.byId.get(id);
    if (room === undefined) return;
    this.observer.problem('room-fenced', 'The lease of this process ran out, and another process took over the room.', {
      room: id,
    });
    room.state = 'failed';
    tell(room, { kind: 'drop' });
    this.seats.stopWaiting(room);
    this.seats.drop(room);
    room.seats.clear();
    this.remove(room, 'elsewhere');
    this.openings.fail(room, new Error('Another process took over the room.'));
    if (this.library.get(room.identity.slug) === room.definition) this.openMissing(room.identity.slug);
  }

  private pauseAll(on: boolean) {
    if (this.options.onJournalFailure !== 'stop') return;
    for (const room of this.byId.values()) tell(room, { kind: 'pause', on });
  }
}

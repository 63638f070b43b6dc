import { type DialectName, defaultLimits, type Limits, type OutputEvent } from '../../../engine/index.ts';
import type { Observer } from '../base/observer.ts';
import type { JournalFailurePolicy } from '../base/options.ts';
import type { Definitions, ServedDefinition } from '../definitions/library.ts';
import type { Fate, ListedRoom, RoomJournal, SharedRooms, StoredRoom } from '../journal/journal.ts';
import type { Timer } from '../machine/clock.ts';
import { type Machine, randomDigits } from '../machine/machine.ts';
import type { Code } from '../protocol/codes.ts';
import { lostPlayersMax } from '../room/lost-players.ts';
import type {
  HostInput,
  PlatformInput,
  RoomCommand,
  RoomIdentity,
  RoomPlayer,
  RoomReport,
  RoomSnapshot,
  TickReport,
} from '../room/messages.ts';
import { undurable } from '../room/recent-results.ts';
import { Directory } from './directory.ts';
import { HandOver } from './hand-over.ts';
import { EndedAtStart, Openings } from './openings.ts';
import { Pace } from './pace.ts';
import { messageOf, Recovery } from './recovery.ts';
import { Results } from './results.ts';
import { type HostServices, listedRoom, newRoom, type RoomEntry, roomsOf } from './room.ts';
import { Seats, type SeatsOptions } from './seats.ts';
import { ThreadPool } from './thread-pool.ts';
import type { RoomThread, ThreadListener } from './threads.ts';

interface RoomsOptions extends SeatsOptions {
  readonly dialect: DialectName;
  readonly limits: Partial<Limits>;
  readonly seed: string | undefined;
  /** Rooms of each definition that are open from the start, and the most that may be open at all. */
  readonly rooms: number;
  readonly roomsMax: number;
  readonly onJournalFailure: JournalFailurePolicy;
}

/** The services that rooms need beside their threads. */
interface RoomsParts {
  readonly library: Definitions;
  readonly observer: Observer;
  readonly journal: RoomJournal;
  readonly machine: Pick<Machine, 'clock' | 'random'>;
}

/** Threads of rooms, as the server has them. */
export interface ThreadsOptions {
  readonly count: number;
  /** Whether each is a thread of its own, so that more of them are of use. */
  readonly areThreads: boolean;
  readonly make: (id: number, isForSlow: boolean, listener: ThreadListener) => RoomThread;
}

/** How a room leaves this process: it is over, or another process has it. */
type Gone = 'over' | 'elsewhere';

/** A room that failed is kept for a look. */
type Farewell = 'forget' | 'setAside';

/** The hash of a room's state behind a tick. */
interface StateHash {
  readonly tick: number;
  readonly hash: string;
}

/** A room that could not be written down is tried again after this. */
const keepAgainMs = 1000;
/** A result of the platform is brought to its room so often, at these intervals. */
const bringsMax = 60;
/** A room that is of an old version when it opens has so long to get a player. */
const oldRoomMs = 1000;
/** Rooms that are over, of which that is remembered. */
const overMax = 1000;

/** All rooms of the server: opens and closes them, and stands between their threads, the journal and the connections. */
export class Rooms implements ThreadListener {
  readonly byId = new Map<string, RoomEntry>();
  readonly seats: Seats;
  readonly directory: Directory;
  services!: HostServices;
  isDraining = false;
  private readonly options: RoomsOptions;
  private readonly library: Definitions;
  private readonly observer: Observer;
  private readonly journal: RoomJournal;
  private readonly machine: RoomsParts['machine'];
  private readonly pool: ThreadPool;
  private readonly openings: Openings;
  private readonly recovery: Recovery;
  private readonly handing: HandOver;
  /** Rooms with players go to other processes. */
  private isHandingOver = false;
  /** Definitions that the journal has, by version. */
  private readonly kept = new Set<string>();
  private readonly hashes = new Map<number, { readonly room: string; readonly found: (hash?: StateHash) => void }>();
  private readonly ends = new Map<string, ((way: Gone) => void)[]>();
  private readonly results = new Results();
  private requests = 0;
  private isJournalFailing = false;
  /** The newest of those that are over. */
  private readonly ended = new Set<string>();
  /** Rooms of which ticks are lost. */
  private readonly lost = new Set<string>();
  /** Rooms that are over, and that the journal still has. */
  private readonly unforgotten: { readonly id: string; readonly how: Farewell }[] = [];
  private forgetAgain: Timer | undefined;
  private isStopped = false;

  constructor(options: RoomsOptions, { library, observer, journal, machine }: RoomsParts, threads: ThreadsOptions) {
    const { clock } = machine;
    this.options = options;
    this.library = library;
    this.observer = observer;
    this.journal = journal;
    this.machine = machine;
    this.seats = new Seats(options, clock);
    this.pool = new ThreadPool({ ...threads, make: (id, isForSlow) => threads.make(id, isForSlow, this) }, this.byId);
    const isPaused = () => this.isJournalFailing && options.onJournalFailure === 'stop';
    this.openings = new Openings({ pool: this.pool, clock, journal, isPaused });
    this.recovery = new Recovery({
      ...{ library, observer, journal, clock, pool: this.pool, seats: this.seats, openings: this.openings },
      add: (identity, definition) => this.add(identity, definition),
      isHere: (room) => this.byId.get(room.identity.id) === room,
      setAside: (id) => this.forget(id, 'setAside'),
      keepDefinition: (definition) => this.keepDefinition(definition),
      giveUp: (room) => this.end(room, 'room-failed'),
    });
    this.handing = new HandOver({ journal, observer, clock, seats: this.seats });
    this.directory = new Directory({
      ...{ rooms: this.byId, library, clock, shared: journal.shared },
      open: (definition) => this.open(definition),
      mayOpen: () => this.mayOpen,
      isDraining: () => this.isDraining,
    });
  }

  /** Resumes what the journal has, and opens what is still missing. */
  async start(): Promise<void> {
    await Promise.all(this.journal.stored.map((stored) => this.recovery.resume(stored)));
    await this.journal.shared?.begin();
    for (const definition of this.library.all) await this.keepOpen(definition);
  }

  /** As many rooms of a definition as there shall be from the start. Those of its older versions end where they have no players. */
  private async keepOpen(definition: ServedDefinition): Promise<void> {
    for (const room of [...this.byId.values()]) this.closeIfIdle(room);
    const has = this.of(definition.slug).filter((room) => room.identity.version === definition.version).length;
    for (let missing = this.options.rooms - has; missing > 0 && this.mayOpen; missing--) {
      try {
        await this.open(definition);
      } catch (error) {
        if (error instanceof EndedAtStart) return;
        throw error;
      }
    }
  }

  /** The same for the definition that is served now. Where that fails, as it does while nothing can be written, it is tried again. */
  openMissing(slug: string): void {
    const definition = this.library.get(slug);
    if (this.isDraining || definition === undefined) return;
    this.keepOpen(definition).catch((error: unknown) => {
      this.observer.problem('room-failed', messageOf(error), { slug });
      this.machine.clock.after(keepAgainMs, () => this.openMissing(slug));
    });
  }

  /** Whether one more room is within what the operator allows. */
  get mayOpen(): boolean {
    return !this.isDraining && this.byId.size < this.options.roomsMax;
  }

  /** A new room. Rejects where it cannot be written down or does not start. */
  async open(definition: ServedDefinition, wishes: { seed?: string | undefined } = {}): Promise<RoomEntry> {
    const id = this.freeId(definition.slug);
    const identity: RoomIdentity = {
      id,
      slug: definition.slug,
      version: definition.version,
      seed: wishes.seed ?? this.options.seed ?? randomDigits(this.machine, 8),
      dialect: this.options.dialect,
      limits: { ...defaultLimits, ...this.options.limits },
      epochMs: this.machine.clock.date(),
    };
    const room = this.add(identity, definition);
    try {
      await this.keep(room);
    } catch (error) {
      this.observer.problem('journal-failed', messageOf(error), { room: id });
      if (this.options.onJournalFailure === 'stop') {
        this.discard(room);
        throw error;
      }
      this.keepLater(room);
    }
    try {
      return await this.openings.begin(room, { kind: 'open' });
    } catch (error) {
      this.discard(room);
      throw error;
    }
  }

  /** A room without players, before it opens. */
  private discard(room: RoomEntry): void {
    const { id } = room.identity;
    if (this.byId.get(id) !== room) return;
    this.gone(room, 'over');
    this.forget(id);
  }

  /** Plays the last tick, in which a trigger fires for it, and is done when the room is gone. While rooms are handed over, one that is played is given up. */
  close(room: RoomEntry): Promise<Gone> {
    return this.letGo(room, this.isHandingOver && room.seats.size > 0 ? 'release' : 'close');
  }

  /** No new players from now on; the games end. */
  async drain(): Promise<void> {
    this.isDraining = true;
    await Promise.all(
      [...this.byId.values()].filter(({ state }) => state !== 'failed').map((room) => this.close(room)),
    );
  }

  /** No new players from now on. Rooms that somebody plays are given up as they stand; the others end. Resolves when all are kept, or over. */
  async handOver(): Promise<void> {
    this.isHandingOver = true;
    await this.drain();
  }

  /** Sends the connections of rooms that were handed over their new place. */
  announceMoves(shared: SharedRooms, patienceMs: number): Promise<void> {
    return this.handing.announce(shared, patienceMs);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.forgetAgain?.cancel();
    for (const room of this.byId.values()) this.seats.stopWaiting(room);
    await this.pool.close();
  }

  /** A room whose process is gone. Unless a player has asked for it, it ends when it has no players. */
  async takeOver(stored: StoredRoom, isAsked: boolean): Promise<void> {
    const room = await this.recovery.resume(stored);
    if (room === undefined || isAsked || this.byId.get(room.identity.id) !== room) return;
    room.isTaken = true;
    this.closeIfIdle(room);
  }

  /** Whether a room has ended here in good order, as far as that is remembered. */
  hasEnded(id: string): boolean {
    return this.ended.has(id);
  }

  /** Whether the journal can be written, as far as is known: a folder shows it when something is to be written. */
  get isJournalWorking(): boolean {
    return !this.isJournalFailing;
  }

  send(room: RoomEntry, command: Exclude<RoomCommand, { kind: 'define' | 'undefine' | 'open' | 'resume' }>): void {
    room.thread.send(command);
  }

  /** Something for a player, such as a result of the platform under the key of its request. Resolves once it is in the journal, or cannot come there any more. */
  hostInput(room: RoomEntry, input: HostInput, key: string | undefined): Promise<Fate> {
    // No thread has it: nothing would settle the request.
    if (!room.isBegun) return Promise.resolve('lost');
    const { id } = room.identity;
    return this.results.add(id, input.player, key, (request) =>
      this.send(room, { kind: 'hostInput', room: id, input, request }),
    );
  }

  /** A result that the platform gives once: it waits for a room that is resumed. */
  async bring(room: RoomEntry, input: PlatformInput, key: string): Promise<void> {
    const { id } = room.identity;
    for (let attempt = 1; attempt <= bringsMax; attempt++) {
      if ((await this.hostInput(room, input, key)) === 'kept') return;
      await new Promise<void>((resolve) => this.machine.clock.after(keepAgainMs, resolve));
      if (this.isStopped || this.byId.get(id) !== room || !room.seats.has(input.player)) return;
    }
  }

  /** Of the room's state, at a tick that it says. Undefined where no thread has the room, where it ends before it answers, or goes on in another thread. */
  hash(room: RoomEntry): Promise<StateHash | undefined> {
    if (!room.isBegun) return Promise.resolve(undefined);
    const { id } = room.identity;
    const request = ++this.requests;
    return new Promise((found) => {
      this.hashes.set(request, { room: id, found });
      room.thread.send({ kind: 'hash', room: id, request });
    });
  }

  /** The thread of a room has let it go: it answers nothing any more. */
  private endHashes(id: string): void {
    for (const [request, { room, found }] of this.hashes) {
      if (room !== id) continue;
      this.hashes.delete(request);
      found();
    }
  }

  /** As other processes list them. */
  listed(): ListedRoom[] {
    return Array.from(this.byId.values(), listedRoom);
  }

  private letGo(room: RoomEntry, kind: 'close' | 'release'): Promise<Gone> {
    const { id } = room.identity;
    const gone = new Promise<Gone>((resolve) => this.ends.set(id, [...(this.ends.get(id) ?? []), resolve]));
    if (room.state === 'open') {
      room.state = 'closing';
      room.thread.send({ kind, room: id });
    }
    return gone;
  }

  private async handedOver(room: RoomEntry, given: Extract<RoomReport, { kind: 'released' }>): Promise<void> {
    await this.handing.keep(room, given);
    this.gone(room, 'elsewhere');
  }

  private of(slug: string): RoomEntry[] {
    return roomsOf(this.byId, slug);
  }

  private add(identity: RoomIdentity, definition: ServedDefinition): RoomEntry {
    const room = newRoom(identity, definition, this.pool.free(), this.machine.clock.now());
    this.byId.set(identity.id, room);
    return room;
  }

  private async keep({ identity, definition }: RoomEntry): Promise<void> {
    await this.journal.keepRoom(identity, () => this.keepDefinition(definition));
  }

  /** The room is played although it is not written down: until it is, its journal says of none of its ticks that it is kept. */
  private keepLater(room: RoomEntry): void {
    this.machine.clock.after(keepAgainMs, () => {
      if (this.byId.get(room.identity.id) !== room) return;
      this.keep(room).catch(() => this.keepLater(room));
    });
  }

  private async keepDefinition({ version, text }: ServedDefinition): Promise<void> {
    if (this.kept.has(version)) return;
    await this.journal.keepDefinition(version, text);
    this.kept.add(version);
  }

  private freeId(slug: string): string {
    let id: string;
    do id = `${slug}-${randomDigits(this.machine, 6)}`;
    while (this.byId.has(id));
    return id;
  }

  /**
   * Rooms that new players do not enter, or do not need, end when they have no players. The first are of a version that is not served any more and
   * take places from others. The second were opened by another process and are not needed where there are rooms enough.
   */
  private closeIfIdle(room: RoomEntry): void {
    if (room.seats.size > 0 || room.state !== 'open') return;
    const { slug, version } = room.identity;
    const isServed = this.library.get(slug)?.version === version;
    if (!isServed || (room.isTaken && this.hasSpare(slug, version))) void this.close(room);
  }

  /** A definition may have changed while its room was opened. Players that waited for that room come in first. */
  private closeLaterIfOld(room: RoomEntry): void {
    const { id, slug, version } = room.identity;
    if (this.library.get(slug)?.version === version) return;
    this.machine.clock.after(oldRoomMs, () => {
      if (this.byId.get(id) === room) this.closeIfIdle(room);
    });
  }

  private hasSpare(slug: string, version: string): boolean {
    const open = this.of(slug).filter((room) => room.identity.version === version && room.state === 'open');
    return open.length > this.options.rooms;
  }

  // Reports of threads.

  died(thread: RoomThread, message: string): void {
    this.observer.problem('worker-failed', message, { thread: thread.id });
    this.pool.replace(thread);
    for (const room of [...this.byId.values()]) {
      if (room.thread !== thread) continue;
      if (room.isBegun) this.failed(room, message);
      else room.thread = this.pool.free();
    }
  }

  report(thread: RoomThread, report: RoomReport): void {
    const room = this.byId.get(report.room);
    // Of a room that was given to another thread meanwhile.
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
          this.observer.event('room-opened', about);
          this.closeLaterIfOld(room);
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
      case 'hash':
        this.hashes.get(report.request)?.found({ tick: report.tick, hash: report.hash });
        this.hashes.delete(report.request);
        return;
      case 'snapshot':
        room.isSnapshotDue = false;
        this.keepSnapshot(room, report.snapshot);
        room.insights.snapshot(report.snapshot);
        return;
      case 'released':
        this.results.lose(report.room);
        this.endHashes(report.room);
        if (this.isHandingOver) void this.handedOver(room, report);
        else void this.recovery.move(room, report.snapshot);
        return;
      case 'overrun':
        room.pace.gaveUp(report.ticks);
        this.observer.overrun(report.room, report.ticks);
        return;
      case 'failed':
        this.observer.problem('room-failed', report.message, { room: report.room });
        this.failed(room, report.message);
        return;
    }
  }

  private endedAtStart(room: RoomEntry): void {
    const error = new EndedAtStart(room);
    this.observer.problem('game-ended-at-start', error.message, { slug: room.identity.slug });
    this.discard(room);
    this.openings.fail(room, error);
  }

  private failed(room: RoomEntry, message: string): void {
    this.results.lose(room.identity.id);
    this.endHashes(room.identity.id);
    if (!this.openings.fail(room, new Error(message))) void this.recovery.recover(room);
  }

  private resumed(room: RoomEntry, report: Extract<RoomReport, { kind: 'resumed' }>): void {
    const { tick, hash, saves, differsAt, playersMade, players, rate, ended } = report;
    for (const { event, atMs } of saves) this.services.save(room, event, atMs, true);
    if (differsAt !== undefined) {
      this.observer.problem('resume-differs', `The state of tick ${differsAt} is not what was recorded.`, {
        room: report.room,
      });
    }
    room.playersMade = Math.max(room.playersMade, playersMade) + (this.journal.isLossy ? lostPlayersMax : 0);
    this.nowOpen(room, tick, rate, players);
    this.observer.event('room-resumed', { room: report.room, slug: room.identity.slug, tick, hash });
    // Its last tick was kept, and that it had ended was not. Else what was replayed need not be replayed again.
    if (ended) {
      this.end(room, 'room-ended');
      return;
    }
    room.thread.send({ kind: 'snapshot', room: report.room });
    this.closeIfIdle(room);
  }

  private nowOpen(room: RoomEntry, tick: number, rate: number, players: readonly RoomPlayer[]): void {
    room.tick = tick;
    room.tickAtMs = this.machine.clock.now();
    room.rate = rate;
    room.pace = new Pace(room.tickAtMs);
    this.seats.settle(room, players);
    for (const { id, awaitsData } of players) {
      if (awaitsData === true) this.services.loadLater(room, room.seats.get(id)!);
    }
    room.state = 'open';
    this.openings.done(room);
    if (this.isDraining || this.ends.has(room.identity.id)) void this.close(room);
  }

  private ticked(room: RoomEntry, report: TickReport): void {
    // The report as a whole must not wait for the journal: it holds the frames of all clients.
    const { record, sendings, results, admissions, departures, outputs, platform, applied, ended } = report;
    const { listener } = this.seats;
    room.tick = record.tick;
    room.tickAtMs = this.machine.clock.now();
    room.busyMs += (report.busyMs - room.busyMs) * 0.05;
    this.follow(room, report.players);
    this.observer.tick(room.identity.id, { ...report, speed: room.pace.speed });
    // Frames are sent at once; promises wait until they are kept.
    for (const sending of sendings) listener.sending(sending);
    room.insights.ticked(report);
    if (this.isJournalFailing) for (const admission of admissions) this.seats.admit(room, admission, false);
    const pending = this.isJournalFailing ? [] : admissions;
    this.journal.append(room.identity.id, record, (fate) => {
      for (const admission of pending) this.seats.admit(room, admission, fate === 'kept');
      const isKept = fate === 'kept';
      if (results.length > 0) {
        listener.results(room, isKept ? results : results.map(undurable));
      }
      for (const event of outputs) this.perform(room, event, record.atMs);
      for (const request of platform) this.services.askPlatform(room, request);
      for (const request of applied) this.results.settle(request, fate, record.tick);
      for (const departure of departures) {
        this.seats.depart(room, departure);
        this.results.lose(room.identity.id, departure.player);
      }
      this.closeIfIdle(room);
      if (ended) this.over(room);
    });
    if (ended) {
      room.isOver = true;
      if (room.isSnapshotDue) this.over(room);
    }
    if (report.snapshot !== undefined) this.keepSnapshot(room, report.snapshot);
  }

  /** Says when a room becomes slow. A greedy one goes to a thread for slow rooms, where there are such; its players reconnect. */
  private follow(room: RoomEntry, players: number): void {
    const { tickAtMs, pace } = room;
    if (pace.ticked(tickAtMs)) {
      const { isSlow, speed } = pace;
      this.observer.event(isSlow ? 'room-slow' : 'room-keeps-up', { room: room.identity.id, speed });
    }
    // It falls asleep, and has kept up when it wakes.
    if (players === 0) room.pace = new Pace(tickAtMs);
    if (room.state !== 'open' || !this.pool.isGreedy(room)) return;
    room.state = 'opening';
    room.thread.send({ kind: 'release', room: room.identity.id });
  }

  private keepSnapshot(room: RoomEntry, snapshot: RoomSnapshot): void {
    const { id } = room.identity;
    this.journal.keepSnapshot(id, snapshot).then(
      () => this.results.snapshotKept(id, snapshot.tick),
      (error: unknown) => this.observer.problem('journal-failed', messageOf(error), { room: id }),
    );
  }

  private perform(room: RoomEntry, event: OutputEvent, atMs: number): void {
    if (event.kind === 'persistence') this.services.save(room, event, atMs, false);
    else if (event.kind === 'http') this.services.request(room, event);
  }

  /** Its last tick is kept, or can never be: a snapshot would have to lead to it, and none can be taken any more. */
  private over(room: RoomEntry): void {
    if (this.byId.get(room.identity.id) === room) this.end(room, this.isDraining ? 'shutting-down' : 'room-ended');
  }

  private end(room: RoomEntry, code: Code): void {
    const { id, slug, version } = room.identity;
    room.state = 'failed';
    this.seats.clear(room, code);
    this.gone(room, 'over');
    this.observer.event('room-ended', { room: id, slug, code });
    if (code === 'room-failed') {
      this.forget(id, 'setAside');
      return;
    }
    this.forget(id);
    this.openMissing(slug);
    this.dropUnused(version);
  }

  /** Where that fails, it is tried again: a process that starts would play a room that is over. */
  private forget(id: string, how: Farewell = 'forget'): void {
    this.journal[how](id).catch(() => {
      if (this.isStopped) return;
      this.unforgotten.push({ id, how });
      this.forgetAgain ??= this.machine.clock.after(keepAgainMs, () => {
        this.forgetAgain = undefined;
        for (const each of this.unforgotten.splice(0)) this.forget(each.id, each.how);
      });
    });
  }

  /** A version of a definition goes with its last room, unless new players play it. Otherwise an author who saves each minute fills memory and disk. */
  private dropUnused(version: string): void {
    const isUsed = [...this.byId.values()].some(({ identity }) => identity.version === version);
    if (isUsed || this.library.all.some((definition) => definition.version === version)) return;
    this.pool.forget(version);
    if (this.kept.delete(version)) void this.journal.forgetDefinition(version).catch(() => {});
  }

  /** The room is not here any more; callers that wait for that are called. */
  private gone({ identity: { id } }: RoomEntry, way: Gone): void {
    if (way === 'over') {
      this.ended.add(id);
      const [oldest] = this.ended;
      if (this.ended.size > overMax && oldest !== undefined) this.ended.delete(oldest);
    }
    this.byId.delete(id);
    this.results.lose(id);
    this.endHashes(id);
    this.observer.roomGone(id);
    for (const resolve of this.ends.get(id) ?? []) resolve(way);
    this.ends.delete(id);
  }

  // Events of the journal.

  journalFails(message: string): void {
    this.isJournalFailing = true;
    this.observer.problem('journal-failed', message);
    this.pauseAll(true);
  }

  journalWorks(): void {
    this.isJournalFailing = false;
    this.observer.event('journal-working', {});
    this.pauseAll(false);
    // While it failed, no snapshot could take the place of what is lost.
    const lost = [...this.lost];
    this.lost.clear();
    for (const id of lost) this.journalLost(id);
  }

  /** Ticks of a room, or of all, are missing in the journal: it is kept by what it is now, not by what it was. */
  journalLost(id: string | undefined): void {
    for (const room of this.byId.values()) {
      if ((room.state !== 'open' && room.state !== 'closing') || (id !== undefined && room.identity.id !== id))
        continue;
      if (this.isJournalFailing) this.lost.add(room.identity.id);
      if (room.isOver) {
        if (!this.isJournalFailing) this.over(room);
        continue;
      }
      room.isSnapshotDue = true;
      room.thread.send({ kind: 'snapshot', room: room.identity.id });
    }
  }

  /** Another process plays the room, or all of them. Its players come again, and find it there. */
  journalTook(id: string | undefined): void {
    if (id === undefined) {
      this.isDraining = true;
      for (const each of [...this.byId.keys()]) this.journalTook(each);
      return;
    }
    const room = this.byId.get(id);
    if (room === undefined) return;
    this.observer.problem('room-fenced', 'Another process took the room over; here it is given up.', { room: id });
    room.state = 'failed';
    room.thread.send({ kind: 'drop', room: id });
    this.seats.stopWaiting(room);
    this.seats.drop(room);
    room.seats.clear();
    this.gone(room, 'elsewhere');
    this.openings.fail(room, new Error('Another process took the room over.'));
    if (this.library.get(room.identity.slug) === room.definition) this.openMissing(room.identity.slug);
  }

  private pauseAll(on: boolean): void {
    if (this.options.onJournalFailure !== 'stop') return;
    for (const room of this.byId.values()) room.thread.send({ kind: 'pause', room: room.identity.id, on });
  }
}

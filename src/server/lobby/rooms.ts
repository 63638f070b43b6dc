import { type DialectName, defaultLimits, type Limits, type OutputEvent } from '../../../engine/index.ts';
import type { Timer } from '../../machine/clock.ts';
import { type Machine, randomDigits } from '../../machine/machine.ts';
import type { Code } from '../../protocol/codes.ts';
import type { Observer } from '../base/observer.ts';
import type { JournalFailurePolicy } from '../base/options.ts';
import { type Definitions, ServedDefinition } from '../definitions/library.ts';
import type { RoomJournal, RoomPlace, StoredRoom } from '../journal/journal.ts';
import type {
  Admission,
  Departure,
  InputResult,
  JoinInput,
  RoomCommand,
  RoomIdentity,
  RoomPlayer,
  RoomReport,
  RoomSnapshot,
  Sending,
  TickReport,
} from '../room/messages.ts';
import type { RoomThread, ThreadListener } from './threads.ts';

/** A place in a room: of a player in the game, or of somebody about to join. */
export interface Seat {
  readonly player: string;
  readonly userId: string | undefined;
  /** The connection that plays it; undefined while it is lost. */
  session: number | undefined;
  /** Whether the player is in the game. */
  isIn: boolean;
  /** Runs out when the connection has been lost for too long. */
  grace: Timer | undefined;
}

export interface Room {
  readonly identity: RoomIdentity;
  readonly definition: ServedDefinition;
  thread: RoomThread;
  /** Ticks done, as last told. */
  tick: number;
  /** When it was told, ms of the clock. */
  tickAtMs: number;
  rate: number;
  state: 'opening' | 'open' | 'closing' | 'failed';
  readonly seats: Map<string, Seat>;
  /** Connections that watch and play nobody. */
  readonly watchers: Set<number>;
  /** Players that there have been: no id is given twice. */
  playersMade: number;
  /** When it failed, ms of the clock. */
  failures: number[];
  /** Whether it came from another process, whose place this one fills beside its own. */
  isTaken: boolean;
  /** Time of one tick, smoothed, ms, and of how many. */
  tickMs: number;
  ticksTimed: number;
}

/** What connections are told of their rooms. */
export interface RoomsListener {
  /** `isKept`: that the player is in the game outlasts the process. */
  admitted(room: Room, admission: Admission, isKept: boolean): void;
  results(room: Room, results: readonly InputResult[]): void;
  sending(sending: Sending): void;
  /** What became of a `watch`; a code says why it is none, or is none any more. */
  watched(room: Room, session: number, code: Code | undefined): void;
  /** The seat is taken away: its player left, or the room is no more. */
  unseated(room: Room, seat: Seat, code: Code, message: string | undefined): void;
  /** The room goes on and the connection cannot: it shall come again. */
  dropped(session: number): void;
}

/** What a game wants of the host, once the tick in which it did is kept. */
export interface HostServices {
  save(room: Room, event: OutputEvent, atMs: number): void;
  request(room: Room, event: OutputEvent): void;
}

export interface RoomsOptions {
  readonly dialect: DialectName;
  readonly limits: Partial<Limits>;
  readonly seed: string | undefined;
  /** Rooms of each definition that are open from the start, and the most that may be open at all. */
  readonly rooms: number;
  readonly roomsMax: number;
  /** Connections that may watch one room without playing. */
  readonly watchersMax: number;
  readonly graceMs: number;
  readonly onJournalFailure: JournalFailurePolicy;
}

type RoomsMachine = Pick<Machine, 'clock' | 'random'>;

/** What rooms need beside their threads. */
export interface RoomsParts {
  readonly library: Definitions;
  readonly observer: Observer;
  readonly journal: RoomJournal;
  readonly machine: RoomsMachine;
}

/** A room that needs more than this of its thread, ms a second, delays those that share it: it gets a thread for slow rooms. */
const slowMsPerSecond = 500;
/** And so many times what any of its neighbours needs. */
const slowTimes = 3;
/** Ticks by which its time is known. */
const slowTicksMin = 40;
const slowThreadsMax = 4;

/** A room that is resumed here is there after this, ms, or its clients come again. */
const resumeMs = 5000;
const findAgainMs = 100;

const failuresMax = 3;
const failuresWithinMs = 60_000;

/** A room whose journal cannot be read for this many seconds is closed. */
const readsMax = 60;
const readAgainMs = 1000;

/** All rooms of the server: opens, finds, resumes and closes them, and stands between their threads, the journal and the connections. */
export class Rooms implements ThreadListener {
  readonly byId = new Map<string, Room>();
  listener!: RoomsListener;
  services!: HostServices;
  isDraining = false;
  private readonly options: RoomsOptions;
  private readonly library: Definitions;
  private readonly observer: Observer;
  private readonly journal: RoomJournal;
  private readonly machine: RoomsMachine;
  private readonly threads: RoomThread[] = [];
  /** Definitions that each thread has. */
  private readonly defined = new Map<RoomThread, Set<string>>();
  private readonly kept = new Set<string>();
  private readonly opened = new Map<string, { resolve(room: Room): void; reject(error: Error): void }>();
  private readonly hashes = new Map<number, (found: { tick: number; hash: string }) => void>();
  private readonly ends = new Map<string, (() => void)[]>();
  private requests = 0;
  private isJournalFailing = false;
  /** Rooms of which ticks are lost. */
  private readonly lost = new Set<string>();
  private readonly makeThread: (id: number) => RoomThread;
  /** Threads from this number on are for slow rooms, and made when there is one. */
  private readonly slowFrom: number;
  private readonly canIsolate: boolean;

  constructor(
    options: RoomsOptions,
    { library, observer, journal, machine }: RoomsParts,
    threads: {
      readonly count: number;
      /** Whether each is a thread of its own, so that more of them are of use. */
      readonly areThreads: boolean;
      readonly make: (id: number, listener: ThreadListener) => RoomThread;
    },
  ) {
    this.options = options;
    this.library = library;
    this.observer = observer;
    this.journal = journal;
    this.machine = machine;
    this.makeThread = (id) => threads.make(id, this);
    this.slowFrom = threads.count;
    this.canIsolate = threads.areThreads;
    for (let id = 0; id < threads.count; id++) this.addThread(id);
  }

  /** Resumes what the journal has, and opens what is still missing. */
  async start(): Promise<void> {
    await Promise.all(this.journal.stored.map((stored) => this.resumeStored(stored)));
    await this.journal.shared?.begin();
    for (const definition of this.library.all) await this.keepOpen(definition);
  }

  /** As many rooms of a definition as there shall be from the start. */
  async keepOpen(definition: ServedDefinition): Promise<void> {
    const has = this.of(definition.slug).filter((room) => room.identity.version === definition.version).length;
    for (let missing = this.options.rooms - has; missing > 0 && this.mayOpen; missing--) {
      await this.open(definition);
    }
  }

  of(slug: string): Room[] {
    return [...this.byId.values()].filter((room) => room.identity.slug === slug);
  }

  /** A new room. Rejects where it cannot be written down or does not start. */
  async open(
    definition: ServedDefinition,
    wishes: { seed?: string | undefined; id?: string | undefined } = {},
  ): Promise<Room> {
    const id = wishes.id ?? this.freeId(definition.slug);
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
      await this.keepDefinition(definition);
      await this.journal.keepRoom(identity);
    } catch (error) {
      this.observer.problem('journal-failed', messageOf(error), { room: id });
      if (this.options.onJournalFailure === 'stop') {
        this.byId.delete(id);
        void this.journal.forget(id).catch(() => {});
        throw error;
      }
    }
    return this.begin(room, { kind: 'open', room: identity });
  }

  /** Plays the last tick, in which scripts hear of it, and is done when the room is gone. */
  close(room: Room): Promise<void> {
    const { id } = room.identity;
    const gone = new Promise<void>((resolve) => this.ends.set(id, [...(this.ends.get(id) ?? []), resolve]));
    if (room.state === 'open') {
      room.state = 'closing';
      room.thread.send({ kind: 'close', room: id });
    }
    return gone;
  }

  /** No new players from now on; the games end. */
  async drain(): Promise<void> {
    this.isDraining = true;
    await Promise.all(
      [...this.byId.values()].filter(({ state }) => state !== 'failed').map((room) => this.close(room)),
    );
  }

  async stop(): Promise<void> {
    for (const room of this.byId.values()) for (const seat of room.seats.values()) seat.grace?.cancel();
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  // Seats.

  /** Where somebody without a wish plays: the fullest room of the newest version with a place; a new one where all are full. */
  async roomFor(slug: string | undefined): Promise<Room | Code> {
    const definition = slug === undefined ? this.library.all[0] : this.library.get(slug);
    if (definition === undefined) return 'no-such-room';
    const fitting = this.of(definition.slug).filter(
      (room) => room.state === 'open' && room.identity.version === definition.version && this.hasPlace(room),
    );
    fitting.sort((a, b) => b.seats.size - a.seats.size);
    if (fitting[0] !== undefined) return fitting[0];
    // Many may come at once where all rooms are full: one room is opened, and then they look again.
    const isOpening = this.openingFor.get(definition.version);
    if (isOpening === undefined && !this.mayOpen) return 'server-full';
    const opening = isOpening ?? this.open(definition);
    this.openingFor.set(definition.version, opening);
    try {
      const room = await opening;
      if (isOpening === undefined) return room;
    } finally {
      if (isOpening === undefined) this.openingFor.delete(definition.version);
    }
    return this.roomFor(slug);
  }
  /** Rooms that are opened because all others are full, by version of the definition. */
  private readonly openingFor = new Map<string, Promise<Room>>();

  /** Whether one more room is within what the operator allows. */
  get mayOpen(): boolean {
    return !this.isDraining && this.byId.size < this.options.roomsMax;
  }

  /**
   * A room by its id, wherever it is. Waits while the room is resumed or taken over; a text says where another process has it, and is empty where
   * that is not known yet. Undefined for a room that is no more.
   */
  find(id: string): Promise<Room | string | undefined> {
    const room = this.byId.get(id);
    if (room?.state === 'open') return Promise.resolve(room);
    // Many look for it at once, after its process or its thread is gone.
    let finding = this.finding.get(id);
    if (finding === undefined) {
      finding = this.findLater(id).finally(() => this.finding.delete(id));
      this.finding.set(id, finding);
    }
    return finding;
  }
  private readonly finding = new Map<string, Promise<Room | string | undefined>>();

  /** The same where only rooms of this process are of use: one whose process is gone is taken over. */
  async findHere(id: string): Promise<Room | undefined> {
    const { clock } = this.machine;
    const { shared } = this.journal;
    const until = clock.now() + (shared?.takeoverMs ?? resumeMs);
    for (;;) {
      const room = this.byId.get(id);
      if (room?.state === 'open') return room;
      if (room !== undefined && room.state !== 'opening') return undefined;
      const place = room === undefined ? await shared?.adopt(id).catch(() => 'unsure' as const) : 'unsure';
      if (place === undefined && !this.byId.has(id)) return undefined;
      if (this.isDraining || clock.now() > until) return undefined;
      await new Promise<void>((resolve) => clock.after(findAgainMs, resolve));
    }
  }

  private async findLater(id: string): Promise<Room | string | undefined> {
    const { shared } = this.journal;
    const unsure: RoomPlace = { isOurs: false, isAlive: false, url: undefined };
    const { clock } = this.machine;
    const until = clock.now() + (shared?.takeoverMs ?? resumeMs);
    do {
      const room = this.byId.get(id);
      if (room?.state === 'open') return room;
      if (room !== undefined && room.state !== 'opening') return undefined;
      if (room === undefined) {
        const place = await shared?.locate(id).catch(() => unsure);
        if (place === undefined && !this.byId.has(id)) return undefined;
        // Without an address there is nowhere to send anybody: its process may be dead, and its lease not yet.
        if (place?.isAlive && !place.isOurs && place.url !== undefined) return place.url;
      }
      await new Promise<void>((resolve) => clock.after(findAgainMs, resolve));
    } while (!this.isDraining && clock.now() < until);
    return '';
  }

  /** Whether a wish names a definition that is served, and so no room. */
  isGame(wish: string): boolean {
    return this.library.get(wish) !== undefined;
  }

  hasPlace(room: Room): boolean {
    return room.seats.size < this.placesIn(room);
  }

  /** Players at most. */
  placesIn({ identity, definition }: Room): number {
    const { limits, dialect } = identity;
    return Math.min(limits.players, definition.placesIn(dialect) ?? limits.players);
  }

  /** `wish`: an id for the player that nobody has. */
  takeSeat(room: Room, userId: string | undefined, session: number, wish?: string): Seat {
    const player = wish ?? `p${++room.playersMade}`;
    const seat: Seat = { player, userId, session, isIn: false, grace: undefined };
    room.seats.set(player, seat);
    return seat;
  }

  /** The room that somebody may watch: the fullest of a slug. None is opened for it. */
  roomToWatch(wish: string | undefined): Room | Code {
    const slug = wish ?? this.library.all[0]?.slug ?? '';
    const [fullest] = this.of(slug)
      .filter(({ state }) => state === 'open')
      .sort((a, b) => b.seats.size - a.seats.size);
    return fullest ?? 'no-such-room';
  }

  /** A code says why there is no place for one more. The room's answer comes as `watched`. */
  watch(
    room: Room,
    session: number,
    protocol: string,
    request: Extract<RoomCommand, { kind: 'watch' }>['request'],
  ): Code | undefined {
    if (room.watchers.size >= this.options.watchersMax) return 'server-full';
    room.watchers.add(session);
    room.thread.send({ kind: 'watch', room: room.identity.id, session, protocol, request });
    return undefined;
  }

  unwatch(room: Room, session: number): void {
    if (room.watchers.delete(session)) room.thread.send({ kind: 'detach', room: room.identity.id, session });
  }

  join(room: Room, session: number, protocol: string, input: JoinInput & { readonly clientId: string }): void {
    room.thread.send({ kind: 'join', room: room.identity.id, session, protocol, input });
  }

  /** Gives a seat to another connection. */
  attach(room: Room, seat: Seat, session: number, protocol: string, isBack: boolean): void {
    seat.grace?.cancel();
    seat.grace = undefined;
    seat.session = session;
    room.thread.send({ kind: 'attach', room: room.identity.id, session, protocol, player: seat.player, isBack });
  }

  /** The connection of a seat is lost; its player stays for a while. */
  lose(room: Room, seat: Seat, session: number): void {
    room.thread.send({ kind: 'detach', room: room.identity.id, session });
    if (seat.session !== session) return;
    seat.session = undefined;
    this.wait(room, seat);
  }

  leave(room: Room, seat: Seat): void {
    seat.grace?.cancel();
    seat.grace = undefined;
    if (seat.isIn) this.sendAway(room, seat.player);
    else room.seats.delete(seat.player);
  }

  send(room: Room, command: Exclude<RoomCommand, { kind: 'define' | 'open' | 'resume' }>): void {
    room.thread.send(command);
  }

  /** Of the room's state, at a tick that it says. */
  hash(room: Room): Promise<{ tick: number; hash: string }> {
    const request = ++this.requests;
    return new Promise((resolve) => {
      this.hashes.set(request, resolve);
      room.thread.send({ kind: 'hash', room: room.identity.id, request });
    });
  }

  private sendAway(room: Room, player: string): void {
    room.thread.send({ kind: 'leave', room: room.identity.id, player });
  }

  private wait(room: Room, seat: Seat): void {
    seat.grace?.cancel();
    seat.grace = this.machine.clock.after(this.options.graceMs, () => this.leave(room, seat));
  }

  // Threads.

  private addThread(id: number): RoomThread {
    const thread = this.makeThread(id);
    this.threads[id] = thread;
    this.defined.set(thread, new Set());
    return thread;
  }

  /** The one with the least to do. */
  private freeThread(among: readonly RoomThread[] = this.threads.slice(0, this.slowFrom)): RoomThread {
    const load = new Map(among.map((thread) => [thread, 0]));
    for (const { thread, tickMs, rate } of this.byId.values()) {
      if (load.has(thread)) load.set(thread, load.get(thread)! + 1 + tickMs * rate);
    }
    return [...load].sort(([, a], [, b]) => a - b)[0]![0];
  }

  /** A room that delays its neighbours goes to a thread where it delays none but slow ones. Its players come again. */
  private isolateIfSlow(room: Room): void {
    const isSlow = room.tickMs * room.rate > slowMsPerSecond;
    if (!isSlow || !this.canIsolate || room.state !== 'open' || room.thread.id >= this.slowFrom) return;
    // On a machine that has too much to do all rooms are slow, and moving one of them helps nobody.
    const neighbours = [...this.byId.values()].filter((other) => other !== room && other.thread === room.thread);
    const isOutlier = neighbours.every(({ tickMs }) => room.tickMs > slowTimes * tickMs);
    if (neighbours.length === 0 || !isOutlier) return;
    room.state = 'opening';
    room.thread.send({ kind: 'give', room: room.identity.id });
  }

  private async move(room: Room, snapshot: RoomSnapshot): Promise<void> {
    const { id } = room.identity;
    this.dropSessions(room);
    const slow = this.threads.slice(this.slowFrom);
    room.thread = slow.length < slowThreadsMax ? this.addThread(this.slowFrom + slow.length) : this.freeThread(slow);
    this.observer.event('room-moved', { room: id, thread: room.thread.id });
    try {
      await this.begin(room, { kind: 'resume', room: room.identity, snapshot, ticks: [] });
    } catch (error) {
      this.observer.problem('resume-failed', messageOf(error), { room: id });
      this.end(room, 'room-failed');
    }
  }

  private dropSessions(room: Room): void {
    for (const seat of room.seats.values()) {
      if (seat.session !== undefined) this.listener.dropped(seat.session);
      seat.session = undefined;
    }
    for (const session of room.watchers) this.listener.dropped(session);
    room.watchers.clear();
  }

  private add(identity: RoomIdentity, definition: ServedDefinition): Room {
    const room: Room = {
      identity,
      definition,
      thread: this.freeThread(),
      tick: 0,
      tickAtMs: this.machine.clock.now(),
      rate: 60,
      state: 'opening',
      seats: new Map(),
      watchers: new Set(),
      playersMade: 0,
      failures: [],
      isTaken: false,
      tickMs: 0,
      ticksTimed: 0,
    };
    this.byId.set(identity.id, room);
    return room;
  }

  private begin(room: Room, command: Extract<RoomCommand, { kind: 'open' | 'resume' }>): Promise<Room> {
    const { thread, definition } = room;
    const known = this.defined.get(thread)!;
    if (!known.has(definition.version)) {
      known.add(definition.version);
      thread.send({ kind: 'define', version: definition.version, text: definition.text });
    }
    return new Promise((resolve, reject) => {
      this.opened.set(room.identity.id, { resolve, reject });
      thread.send(command);
      if (this.isJournalFailing && this.options.onJournalFailure === 'stop') {
        thread.send({ kind: 'pause', room: room.identity.id, on: true });
      }
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

  // Recovery.

  /** A room whose process is gone. Unless somebody has asked for it, it ends when nobody plays it. */
  async takeOver(stored: StoredRoom, isAsked: boolean): Promise<void> {
    await this.resumeStored(stored);
    const room = this.byId.get(stored.room.id);
    if (room === undefined || isAsked) return;
    room.isTaken = true;
    this.closeIfIdle(room);
  }

  /** A room that another process opened is not kept for newcomers where there are rooms enough. */
  private closeIfIdle(room: Room): void {
    const { slug, version } = room.identity;
    if (!room.isTaken || room.seats.size > 0 || room.state !== 'open') return;
    const open = this.of(slug).filter((each) => each.identity.version === version && each.state === 'open');
    if (open.length > this.options.rooms || this.library.get(slug)?.version !== version) void this.close(room);
  }

  private async resumeStored({ room: identity, snapshot, ticks }: StoredRoom): Promise<void> {
    try {
      const known = this.library.all.find(({ version }) => version === identity.version);
      const definition = known ?? (await this.storedDefinition(identity));
      const room = this.add(identity, definition);
      await this.keepDefinition(definition).catch(() => {});
      await this.begin(room, { kind: 'resume', room: identity, snapshot, ticks });
    } catch (error) {
      this.byId.delete(identity.id);
      this.observer.problem('resume-failed', messageOf(error), { room: identity.id });
      await this.journal.setAside(identity.id);
    }
  }

  private async storedDefinition({ version, slug }: RoomIdentity): Promise<ServedDefinition> {
    const text = await this.journal.readDefinition(version);
    const definition = text === undefined ? undefined : ServedDefinition.of(text, slug);
    if (definition === undefined) throw new Error(`Its definition ${version} is not there any more.`);
    return definition;
  }

  /** The room is played on from what is kept of it; connections come again. */
  private async recover(room: Room): Promise<void> {
    const { id } = room.identity;
    const now = this.machine.clock.now();
    room.failures = [...room.failures.filter((at) => at > now - failuresWithinMs), now];
    room.state = 'opening';
    this.dropSessions(room);
    const stored = room.failures.length > failuresMax ? undefined : await this.readAgain(id);
    if (stored === undefined) {
      this.end(room, 'room-failed');
      return;
    }
    room.thread = this.freeThread();
    try {
      await this.begin(room, { kind: 'resume', room: room.identity, snapshot: stored.snapshot, ticks: stored.ticks });
    } catch (error) {
      this.observer.problem('resume-failed', messageOf(error), { room: id });
      this.end(room, 'room-failed');
    }
  }

  /** What is kept of a room; a disk that fails is asked again. Undefined where it cannot be read for so long. */
  private async readAgain(id: string): Promise<StoredRoom | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.journal.read(id);
      } catch (error) {
        this.observer.problem('journal-failed', messageOf(error), { room: id });
        if (attempt === readsMax) return undefined;
        await new Promise<void>((resolve) => this.machine.clock.after(readAgainMs, resolve));
      }
    }
  }

  // What threads say.

  died(thread: RoomThread, message: string): void {
    this.observer.problem('worker-failed', message, { thread: thread.id });
    this.defined.delete(thread);
    this.addThread(thread.id);
    for (const room of [...this.byId.values()]) {
      if (room.thread !== thread) continue;
      const opening = this.takeOpening(room);
      if (opening === undefined) void this.recover(room);
      else opening.reject(new Error(message));
    }
  }

  report(thread: RoomThread, report: RoomReport): void {
    const room = this.byId.get(report.room);
    // Of a room that was given to another thread meanwhile.
    if (room === undefined || room.thread !== thread) return;
    switch (report.kind) {
      case 'tick':
        this.ticked(room, report);
        return;
      case 'opened':
        this.nowOpen(room, report.tick, report.rate, []);
        this.observer.event('room-opened', { room: report.room, slug: room.identity.slug });
        return;
      case 'resumed': {
        for (const { event, atMs } of report.saves) this.services.save(room, event, atMs);
        if (report.differsAt !== undefined) {
          this.observer.problem('resume-differs', `The state of tick ${report.differsAt} is not what was recorded.`, {
            room: report.room,
          });
        }
        room.playersMade = Math.max(room.playersMade, report.playersMade);
        this.nowOpen(room, report.tick, report.rate, report.players);
        const { tick, hash } = report;
        this.observer.event('room-resumed', { room: report.room, slug: room.identity.slug, tick, hash });
        // Its last tick was kept, and that it had ended was not.
        if (report.ended) {
          this.end(room, 'room-ended');
          return;
        }
        // What was replayed need not be replayed again.
        thread.send({ kind: 'snapshot', room: report.room });
        return;
      }
      case 'watched':
        if (report.code !== undefined) room.watchers.delete(report.session);
        this.listener.watched(room, report.session, report.code);
        for (const sending of report.sendings) this.listener.sending(sending);
        return;
      case 'turnedDown':
        this.listener.results(room, report.results);
        return;
      case 'hash':
        this.hashes.get(report.request)?.({ tick: report.tick, hash: report.hash });
        this.hashes.delete(report.request);
        return;
      case 'snapshot':
        this.keepSnapshot(room, report.snapshot);
        return;
      case 'given':
        void this.move(room, report.snapshot);
        return;
      case 'overrun':
        this.observer.overrun(report.room, report.ticks);
        return;
      case 'failed': {
        this.observer.problem('room-failed', report.message, { room: report.room });
        const opening = this.takeOpening(room);
        if (opening === undefined) void this.recover(room);
        else opening.reject(new Error(report.message));
        return;
      }
    }
  }

  private takeOpening(room: Room) {
    const { id } = room.identity;
    const opening = this.opened.get(id);
    this.opened.delete(id);
    return opening;
  }

  private nowOpen(room: Room, tick: number, rate: number, players: readonly RoomPlayer[]): void {
    room.tick = tick;
    room.tickAtMs = this.machine.clock.now();
    room.rate = rate;
    const present = new Set(players.map(({ id }) => id));
    for (const seat of [...room.seats.values()]) if (!present.has(seat.player)) room.seats.delete(seat.player);
    for (const { id: player, userId } of players) {
      const known = room.seats.get(player);
      const seat: Seat = known ?? { player, userId, session: undefined, isIn: true, grace: undefined };
      room.seats.set(player, seat);
      seat.isIn = true;
      if (seat.session === undefined) this.wait(room, seat);
    }
    room.state = 'open';
    this.takeOpening(room)?.resolve(room);
    if (this.isDraining || this.ends.has(room.identity.id)) void this.close(room);
  }

  private ticked(room: Room, report: TickReport): void {
    const { record, sendings, results, admissions, departures, outputs } = report;
    room.tick = record.tick;
    room.tickAtMs = this.machine.clock.now();
    room.tickMs += (report.tickMs + report.encodeMs - room.tickMs) * 0.05;
    room.ticksTimed++;
    if (room.ticksTimed > slowTicksMin) this.isolateIfSlow(room);
    this.observer.tick(room.identity.id, report);
    // What is seen is sent at once; what is promised waits until it is kept.
    for (const sending of sendings) this.listener.sending(sending);
    if (this.isJournalFailing) for (const admission of admissions) this.admit(room, admission, false);
    const pending = this.isJournalFailing ? [] : admissions;
    this.journal.append(room.identity.id, record, (fate) => {
      for (const admission of pending) this.admit(room, admission, fate === 'kept');
      const isKept = fate === 'kept';
      if (results.length > 0) {
        const said = isKept
          ? results
          : results.map((result): InputResult => ({ ...result, code: result.code ?? 'not-durable' }));
        this.listener.results(room, said);
      }
      for (const event of outputs) this.perform(room, event, record.atMs);
      for (const departure of departures) this.depart(room, departure);
      if (report.ended) this.end(room, this.isDraining ? 'shutting-down' : 'room-ended');
    });
    if (report.snapshot !== undefined) this.keepSnapshot(room, report.snapshot);
  }

  private keepSnapshot(room: Room, snapshot: NonNullable<TickReport['snapshot']>): void {
    this.journal.keepSnapshot(room.identity.id, snapshot).catch((error: unknown) => {
      this.observer.problem('journal-failed', messageOf(error), { room: room.identity.id });
    });
  }

  private perform(room: Room, event: OutputEvent, atMs: number): void {
    if (event.kind === 'persistence') this.services.save(room, event, atMs);
    else if (event.kind === 'http') this.services.request(room, event);
  }

  private admit(room: Room, admission: Admission, isKept: boolean): void {
    const seat = room.seats.get(admission.player);
    // Its place was given back while it joined: nobody would miss it, and the room would never sleep.
    if (seat === undefined && admission.code === undefined) this.sendAway(room, admission.player);
    if (admission.code !== undefined && seat !== undefined && !seat.isIn) room.seats.delete(admission.player);
    else if (seat !== undefined && admission.code === undefined) {
      seat.isIn = true;
      // Its connection was lost while it joined.
      if (seat.session === undefined && seat.grace === undefined) this.wait(room, seat);
    }
    this.listener.admitted(room, admission, isKept);
  }

  private depart(room: Room, { player, reason, message }: Departure): void {
    const seat = room.seats.get(player);
    if (seat === undefined) return;
    seat.grace?.cancel();
    room.seats.delete(player);
    this.listener.unseated(room, seat, reason, message);
    this.closeIfIdle(room);
  }

  private end(room: Room, code: Code): void {
    const { id, slug } = room.identity;
    room.state = 'failed';
    for (const seat of room.seats.values()) {
      seat.grace?.cancel();
      this.listener.unseated(room, seat, code, undefined);
    }
    room.seats.clear();
    for (const session of room.watchers) this.listener.watched(room, session, code);
    room.watchers.clear();
    this.byId.delete(id);
    this.observer.roomGone(id);
    this.observer.event('room-ended', { room: id, slug, code });
    void (code === 'room-failed' ? this.journal.setAside(id) : this.journal.forget(id)).catch(() => {});
    for (const resolve of this.ends.get(id) ?? []) resolve();
    this.ends.delete(id);
    const definition = this.library.get(slug);
    if (!this.isDraining && definition !== undefined && code !== 'room-failed') {
      void this.keepOpen(definition).catch((error: unknown) => {
        this.observer.problem('room-failed', messageOf(error), { slug });
      });
    }
  }

  // What the journal says.

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
      if (room.state !== 'open' || (id !== undefined && room.identity.id !== id)) continue;
      if (this.isJournalFailing) this.lost.add(room.identity.id);
      room.thread.send({ kind: 'snapshot', room: room.identity.id });
    }
  }

  /** Another process plays the room. Its players come again, and find it there. */
  journalTook(id: string): void {
    const room = this.byId.get(id);
    if (room === undefined) return;
    this.observer.problem('room-fenced', 'Another process took the room over; here it is given up.', { room: id });
    this.byId.delete(id);
    this.observer.roomGone(id);
    room.state = 'failed';
    room.thread.send({ kind: 'drop', room: id });
    for (const seat of room.seats.values()) seat.grace?.cancel();
    this.dropSessions(room);
    room.seats.clear();
    this.takeOpening(room)?.reject(new Error('Another process took the room over.'));
    for (const resolve of this.ends.get(id) ?? []) resolve();
    this.ends.delete(id);
    if (this.library.get(room.identity.slug) === room.definition) void this.keepOpen(room.definition).catch(() => {});
  }

  private pauseAll(on: boolean): void {
    if (this.options.onJournalFailure !== 'stop') return;
    for (const room of this.byId.values()) room.thread.send({ kind: 'pause', room: room.identity.id, on });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

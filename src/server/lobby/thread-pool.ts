import type { SlowReason } from '../../net/index.ts';
import type { RoomCommand } from '../room/room-messages.ts';
import { type RoomEntry, type RoomsById, shareOf } from './room.ts';
import type { RoomThread, ThreadListener } from './threads.ts';

const slowThreadsMax = 4;
/** A thread is full if its rooms need this fraction of its time. */
const fullShare = 0.9;
/**
 * If the rooms of a thread need more than this fraction of its time, the thread is never idle. The operating system
 * then interrupts it, which makes all of its rooms late.
 */
const idleBelow = 0.8;
/**
 * After this many ticks that blocked their threads, the rooms of a definition are played by the threads for slow rooms.
 */
const stallsMax = 2;

export interface ThreadsOptions {
  readonly count: number;
  /** Whether the rooms run in worker threads, rather than in the server's own thread. */
  readonly areThreads: boolean;
  readonly make: (id: number, isForSlow: boolean, listener: ThreadListener) => RoomThread;
}

/** The threads that play rooms. Decides which thread plays which room. */
export class ThreadPool {
  /**
   * Threads from index `count` on are for slow rooms. They have a low priority, and are started when the first slow
   * room appears.
   */
  private readonly threads: RoomThread[] = [];
  /** The versions of the definitions that each thread has received. */
  private readonly defined = new Map<RoomThread, Set<string>>();
  /** How many ticks have blocked their threads, by the version of the definition. */
  private readonly stalls = new Map<string, number>();

  constructor(
    private readonly options: ThreadsOptions,
    private readonly rooms: RoomsById,
    private readonly listener: ThreadListener,
  ) {
    for (let id = 0; id < options.count; id++) this.add(id);
  }

  /** The number of threads that play rooms, not counting those for slow rooms. */
  get count(): number {
    return this.options.count;
  }

  /**
   * Whether no thread has time for another room. Each room counts with at most the share that it would have if its
   * thread had one room more: a greedy room would be slowed down by another one, so it must not keep that one from
   * being opened.
   */
  get isFull(): boolean {
    return this.threads.slice(0, this.options.count).every((thread) => {
      const shares = [...this.rooms.values()].flatMap((room) => (room.thread === thread ? [shareOf(room)] : []));
      const played = shares.filter((share) => share > 0);
      const most = 1 / (played.length + 1);
      return played.reduce((sum, share) => sum + Math.min(share, most), 0) >= fullShare;
    });
  }

  /** Counts a tick that blocked the other rooms of its thread for a noticeable time. */
  noteStall({ definition: { version } }: RoomEntry) {
    this.stalls.set(version, (this.stalls.get(version) ?? 0) + 1);
  }

  /** The thread for a new room of a definition. */
  forNewRoom(version: string): RoomThread {
    return this.options.areThreads && this.stallsOften(version) ? this.forSlowRoom() : this.leastBusy();
  }

  /** The thread with the lowest load. */
  leastBusy(): RoomThread {
    return this.leastBusyOf(this.threads.slice(0, this.options.count));
  }

  /** The least busy thread other than the room's own; undefined if there is none. */
  otherFor({ thread }: RoomEntry): RoomThread | undefined {
    const others = this.threads.slice(0, this.options.count).filter((each) => each !== thread);
    return others.length === 0 ? undefined : this.leastBusyOf(others);
  }

  /** A thread for a slow room, where the room delays only other slow rooms. */
  forSlowRoom(): RoomThread {
    const { count } = this.options;
    const slow = this.threads.slice(count);
    return slow.length < slowThreadsMax ? this.add(count + slow.length) : this.leastBusyOf(slow);
  }

  /**
   * Whether a room should move to a thread for slow rooms. There are two cases:
   *
   * - Ticks of its definition block their threads, and its thread also plays other games.
   * - The room is slow and needs more than its share of its thread, other rooms of the thread keep up, and the thread
   *   would hardly be idle even without the rooms that need still more.
   */
  isGreedy(room: RoomEntry): boolean {
    const { count, areThreads } = this.options;
    const { version } = room.definition;
    const stalls = this.stallsOften(version);
    if (!(stalls || room.pace.isSlow) || !areThreads || room.thread.id >= count) return false;
    const played = [...this.rooms.values()].filter(({ thread, seats }) => thread === room.thread && seats.size > 0);
    if (stalls && played.some(({ definition }) => definition.version !== version)) return true;
    if (!room.pace.isSlow) return false;
    const needOf = ({ pace, rate }: RoomEntry) => pace.busyMs * rate;
    const need = needOf(room);
    const needed = played.map(needOf).reduce((sum, each) => (each > need ? sum : sum + each), 0);
    // If the thread is sometimes idle, or the room needs less than its share, the room is slow because of the machine
    // or of other rooms.
    if (needed < 1000 * idleBelow || need < 1000 / played.length) return false;
    // If all rooms of the thread are slow, moving one of them does not help.
    return played.some(({ pace }) => !pace.isSlow);
  }

  /** The reason why a room is slow although its own ticks are not too long. */
  reasonOf({ thread }: RoomEntry): SlowReason {
    const shares = [...this.rooms.values()].map((room) => (room.thread === thread ? shareOf(room) : 0));
    return shares.reduce((sum, share) => sum + share) >= idleBelow ? 'full-thread' : 'busy-machine';
  }

  /** Sends a room to its thread, after the definition if the thread lacks it. */
  begin(room: RoomEntry, command: Extract<RoomCommand, { kind: 'open' | 'resume' }>) {
    const { thread, definition } = room;
    const known = this.defined.get(thread)!;
    if (!known.has(definition.version)) {
      known.add(definition.version);
      thread.send({ kind: 'define', version: definition.version, text: definition.text });
    }
    room.isBegun = true;
    thread.send(command);
  }

  /** For each thread, the room whose tick does not end; see `RoomThread`. */
  stuckIn(): readonly (string | undefined)[] {
    return this.threads.map((thread) => thread.stuckIn?.());
  }

  /** Removes a version of a definition from all threads. */
  forget(version: string) {
    this.stalls.delete(version);
    for (const [thread, known] of this.defined) if (known.delete(version)) thread.send({ kind: 'undefine', version });
  }

  /** Starts a thread in place of one that has ended. */
  replace(thread: RoomThread) {
    this.defined.delete(thread);
    this.add(thread.id);
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private stallsOften(version: string) {
    return (this.stalls.get(version) ?? 0) >= stallsMax;
  }

  private add(id: number): RoomThread {
    const thread = this.options.make(id, id >= this.options.count, this.listener);
    this.threads[id] = thread;
    this.defined.set(thread, new Set());
    return thread;
  }

  private leastBusyOf(threads: readonly RoomThread[]): RoomThread {
    const load = new Map(threads.map((thread) => [thread, 0]));
    for (const { thread, pace, rate } of this.rooms.values()) {
      if (load.has(thread)) load.set(thread, load.get(thread)! + 1 + pace.busyMs * rate);
    }
    return [...load].sort(([, a], [, b]) => a - b)[0]![0];
  }
}

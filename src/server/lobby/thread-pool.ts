import type { RoomCommand } from '../room/messages.ts';
import type { Room, RoomsById } from './room.ts';
import type { RoomThread } from './threads.ts';

/** A room that needs more processor time of its thread than this, ms a second, delays those that share it. It gets a thread for slow rooms. */
const slowMsPerSecond = 500;
/** And so many times what any of its neighbours needs. */
const slowTimes = 3;
/** Ticks by which its time is known. */
const slowTicksMin = 40;
const slowThreadsMax = 4;

export interface ThreadPoolOptions {
  readonly count: number;
  /** Whether each is a thread of its own, so that more of them are of use. */
  readonly areThreads: boolean;
  readonly make: (id: number) => RoomThread;
}

/** The threads in which rooms are played, and which room goes to which. */
export class ThreadPool {
  private readonly options: ThreadPoolOptions;
  private readonly rooms: RoomsById;
  /** Those from `count` on are for slow rooms, and made when there is one. */
  private readonly threads: RoomThread[] = [];
  /** Definitions that each thread has. */
  private readonly defined = new Map<RoomThread, Set<string>>();

  constructor(options: ThreadPoolOptions, rooms: RoomsById) {
    this.options = options;
    this.rooms = rooms;
    for (let id = 0; id < options.count; id++) this.add(id);
  }

  /** The one with the least to do. */
  free(): RoomThread {
    return this.freeAmong(this.threads.slice(0, this.options.count));
  }

  /** One in which a slow room delays none but slow ones. */
  forSlow(): RoomThread {
    const { count } = this.options;
    const slow = this.threads.slice(count);
    return slow.length < slowThreadsMax ? this.add(count + slow.length) : this.freeAmong(slow);
  }

  /** Whether a room delays its neighbours, and could be where it does not. */
  isTooSlow(room: Room): boolean {
    const { count, areThreads } = this.options;
    const isSlow = room.ticksTimed > slowTicksMin && room.busyMs * room.rate > slowMsPerSecond;
    if (!isSlow || !areThreads || room.thread.id >= count) return false;
    // Where all are slow, moving one of them does not help.
    const neighbours = [...this.rooms.values()].filter((other) => other !== room && other.thread === room.thread);
    return neighbours.length > 0 && neighbours.every(({ busyMs }) => room.busyMs > slowTimes * busyMs);
  }

  /** Begins a room in its thread, which is given the definition first. */
  begin(room: Room, command: Extract<RoomCommand, { kind: 'open' | 'resume' }>): void {
    const { thread, definition } = room;
    const known = this.defined.get(thread)!;
    if (!known.has(definition.version)) {
      known.add(definition.version);
      thread.send({ kind: 'define', version: definition.version, text: definition.text });
    }
    room.isBegun = true;
    thread.send(command);
  }

  /** No room plays the version any more. */
  forget(version: string): void {
    for (const [thread, known] of this.defined) if (known.delete(version)) thread.send({ kind: 'undefine', version });
  }

  /** Another thread in the place of one that has ended. */
  replace(thread: RoomThread): void {
    this.defined.delete(thread);
    this.add(thread.id);
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private add(id: number): RoomThread {
    const thread = this.options.make(id);
    this.threads[id] = thread;
    this.defined.set(thread, new Set());
    return thread;
  }

  private freeAmong(threads: readonly RoomThread[]): RoomThread {
    const load = new Map(threads.map((thread) => [thread, 0]));
    for (const { thread, busyMs, rate } of this.rooms.values()) {
      if (load.has(thread)) load.set(thread, load.get(thread)! + 1 + busyMs * rate);
    }
    return [...load].sort(([, a], [, b]) => a - b)[0]![0];
  }
}

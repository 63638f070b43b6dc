import type { RoomCommand } from '../room/messages.ts';
import type { RoomEntry, RoomsById } from './room.ts';
import type { RoomThread } from './threads.ts';

const slowThreadsMax = 4;

interface ThreadPoolOptions {
  readonly count: number;
  /** Whether each is a thread of its own, so that more of them are of use. */
  readonly areThreads: boolean;
  readonly make: (id: number, isForSlow: boolean) => RoomThread;
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

  /** Whether a room is slow because it needs more than its share of its thread, and others keep up. A thread for slow rooms is the place for it. */
  isGreedy(room: RoomEntry): boolean {
    const { count, areThreads } = this.options;
    if (!room.pace.isSlow || !areThreads || room.thread.id >= count) return false;
    const played = [...this.rooms.values()].filter(({ thread, seats }) => thread === room.thread && seats.size > 0);
    const needOf = ({ busyMs, rate }: RoomEntry): number => busyMs * rate;
    const needed = played.reduce((sum, each) => sum + needOf(each), 0);
    // Where the thread has time enough, or the room needs less than its share, it is slow because of the machine.
    if (needed < 1000 || needOf(room) < 1000 / played.length) return false;
    // Where all are slow, moving one of them does not help.
    return played.some(({ pace }) => pace.keepsUp);
  }

  /** Begins a room in its thread, which is given the definition first. */
  begin(room: RoomEntry, command: Extract<RoomCommand, { kind: 'open' | 'resume' }>): void {
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
    const thread = this.options.make(id, id >= this.options.count);
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

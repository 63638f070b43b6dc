import type { RedisConnection } from './connection.ts';
import type { RedisJournalOptions } from './journal-options.ts';
import { leaseKey, leasePrefix, leftKey, listPrefix, processesKey, roomsKey } from './names.ts';
import type { ProcessDirectory } from './process-directory.ts';
import { isNewerForm } from './room-form.ts';
import * as scripts from './scripts.ts';

/** How many times a lease is extended within its duration. */
export const beatsPerLease = 4;
/** The maximum factor by which the lease of a process is extended if its heartbeats come late. */
const leasesMax = 5;
/** How fast late heartbeats are forgotten: at each heartbeat, the recorded lateness is multiplied by this. */
const lateDecay = 0.9;
/**
 * After connecting to Redis, a process ignores expired leases for this many lease durations, because no process could
 * extend its lease while Redis was unreachable. The period is longer than a hanging request (one lease duration) and
 * the heartbeat that follows it.
 */
const leasesToReturn = 1.25;

/**
 * The lease of this process, which heartbeats extend, and what the heartbeats tell about the leases of other processes.
 */
export class Leases {
  private beatDueMs = Infinity;
  private nextBeatMs: number;
  /** The recent lateness of heartbeats, ms, which decays. */
  private lateMs = 0;
  /** When the last heartbeat succeeded. */
  private beatMs = -Infinity;
  /** The time from which on every heartbeat has succeeded in time. */
  private presentSinceMs = Infinity;
  /** When each process was first seen without a lease. */
  private readonly goneSinceMs = new Map<string, number>();
  /** Processes that left gracefully. */
  private left: ReadonlySet<string> = new Set();
  /** The formats of the rooms that other living processes can play. */
  private forms: ReadonlySet<string | undefined> = new Set();

  constructor(
    private readonly redis: RedisConnection,
    private readonly directory: ProcessDirectory,
    private readonly options: Pick<RedisJournalOptions, 'leaseMs' | 'machine'>,
  ) {
    this.nextBeatMs = options.leaseMs / beatsPerLease;
  }

  /** Extends the lease of this process, or takes a new one. */
  async renew() {
    const { redis, directory } = this;
    const { leaseMs } = this.options;
    const id = directory.ownId;
    this.lateMs = Math.max(this.now - this.beatDueMs, this.lateMs * lateDecay);
    this.nextBeatMs = leaseMs / beatsPerLease;
    // If the process has too little processor time, its lease is longer, so that its rooms are not taken over: other
    // processes on the same machine would be no better off.
    const ownLeaseMs = Math.round(leaseMs + Math.min(beatsPerLease * this.lateMs, (leasesMax - 1) * leaseMs));
    const [missing, nextMs, gone, own, left, infos] = (await redis.run(
      scripts.renewLease,
      [processesKey, leaseKey(id), roomsKey(id), leftKey],
      [id, ownLeaseMs, directory.ownEntry(), leasePrefix],
    )) as readonly [
      missing: number,
      nextMs: number,
      gone: readonly Buffer[],
      own: readonly Buffer[],
      left: readonly Buffer[],
      infos: readonly (readonly [id: Buffer, sealed: Buffer])[],
    ];
    const wasMissing = missing === 1;
    const expired = gone.map(String);
    this.recordPresence(wasMissing);
    this.recordGone(expired);
    this.left = new Set(left.map(String));
    this.forms = new Set(infos.map(([process, sealed]) => directory.read(sealed, process.toString())?.form));
    // The next heartbeat is also due when the next lease of another process would expire, and when an expired lease
    // proves that its process is dead.
    const untilSure = expired.map((process) => this.untilSure(process)).filter((ms) => ms > 0);
    this.nextBeatMs = Math.min(this.nextBeatMs, ...[nextMs, ...untilSure].map((ms) => ms + 5));
    return {
      /** Whether the lease of this process had expired. */
      wasMissing,
      /** The rooms of this process, according to the database. */
      own: own.map(String),
      /** The processes that are certainly dead. */
      dead: expired.filter((process) => this.isSurelyGone(process)),
    };
  }

  /** Returns in how many ms the next heartbeat is due. A heartbeat after that time is late. */
  plan(): number {
    this.beatDueMs = this.now + this.nextBeatMs;
    return this.nextBeatMs;
  }

  /** Gives up the lease, so that others can take over the rooms of this process immediately. */
  async leave(): Promise<void> {
    const id = this.directory.ownId;
    await this.redis.run(scripts.leave, [processesKey, roomsKey(id), leaseKey(id), listPrefix + id, leftKey], [id]);
  }

  /** Whether a process without a lease is certainly dead, or left gracefully. */
  isSurelyGone(process: string): boolean {
    return this.left.has(process) || this.untilSure(process) === 0;
  }

  /** How long a process has been without a lease, ms. */
  goneMs(process: string): number {
    const { now } = this;
    return now - (this.goneSinceMs.get(process) ?? now);
  }

  /**
   * Whether a process has been replaced by another version: it left gracefully, and no living process can play the
   * format of its rooms. A process that crashed may be started again, so it does not count.
   */
  isReplaced(process: string, form: string): boolean {
    return this.left.has(process) && !this.forms.has(form);
  }

  /** Whether a process of a newer version is running. */
  get isNewerThere(): boolean {
    return [...this.forms].some((form) => form !== undefined && isNewerForm(form));
  }

  /** Records a successful heartbeat. `isMissed`: whether the lease of this process had expired. */
  private recordPresence(isMissed: boolean) {
    const { now } = this;
    const intervalMs = this.options.leaseMs / beatsPerLease;
    // If Redis did not answer for half a lease, other processes may have been unable to extend their leases, too.
    if (isMissed || now - this.beatMs > 2 * intervalMs) this.presentSinceMs = now;
    this.beatMs = now;
  }

  private recordGone(gone: readonly string[]) {
    for (const id of this.goneSinceMs.keys()) if (!gone.includes(id)) this.goneSinceMs.delete(id);
    for (const id of gone) if (!this.goneSinceMs.has(id)) this.goneSinceMs.set(id, this.now);
  }

  /**
   * How long it takes, in ms, until a missing lease proves that its process is dead. By then, the process has had
   * enough time to reconnect to Redis, whether this process was cut off or only the other one.
   */
  private untilSure(process: string) {
    const sinceMs = Math.min(this.presentSinceMs, this.goneSinceMs.get(process) ?? Infinity);
    return Math.max(0, sinceMs + this.options.leaseMs * leasesToReturn - this.now);
  }

  private get now() {
    return this.options.machine.clock.now();
  }
}

import { join } from 'node:path';
import { ServerError } from '../../cluster/index.ts';
import {
  type Disk,
  ifExists,
  type Processes,
  pause,
  readIfExists,
  replaceFile,
  type ServerClock,
  type Timer,
} from '../../machine/index.ts';
import { defaultLeaseMs } from '../base/options.ts';

const lockName = 'lock';
/** Prefix of claim files; a process has one while it acquires the lock. */
const claimName = 'lock-claim-';
/** Prefix of heartbeat files; a process changes its own for as long as it lives. */
const beatName = 'beat-';
/** A process on another machine that has not changed its heartbeat file for this long is considered dead. */
const leaseMs = defaultLeaseMs;
const beatMs = leaseMs / 4;
/** How long another process may take from its claim to its lock, and the interval at which this is checked, ms. */
const claimMs = leaseMs + 5000;
const stepMs = 20;

/** A process: its id, and the namespace (of a machine or container) in which that id is unique. */
interface Owner {
  readonly number: number;
  readonly place: string;
}

interface FolderLockOptions {
  readonly disk: Disk;
  readonly clock: ServerClock;
  readonly processes: Processes;
  readonly folder: string;
  /** Whether the lock must survive a power failure. */
  readonly sync: boolean;
  /** Called once if another process takes over the folder. */
  readonly onTaken: () => void;
}

/**
 * The lock of a folder to which only one process may write. Processes on the same machine find out by the process id
 * whether the owner is alive; processes in other containers and on other machines watch its heartbeat, a file that the
 * owner keeps changing. An owner that was suspended for longer than its lease may lose the folder, so it must call
 * `holds` after each write, and acknowledge nothing before that. A process that takes over the folder reads it only
 * after it has written its own name into the lock.
 */
export class FolderLock {
  private readonly own: Owner;
  private readonly name: string;
  private hasBeaten = false;
  private beating: Promise<void> | undefined;
  private heartbeat: Timer | undefined;
  private isHeld = false;
  private isTaken = false;

  private constructor(private readonly options: FolderLockOptions) {
    const { pid: number, namespace: place } = options.processes;
    this.own = { number, place };
    this.name = nameOf(this.own);
  }

  /**
   * Acquires the lock. Rejects with `journal-in-use` if another process has the folder, and with the error of the disk
   * if it fails.
   */
  static async take(options: FolderLockOptions): Promise<FolderLock> {
    const lock = new FolderLock(options);
    try {
      await lock.beat();
      lock.heartbeat = options.clock.every(beatMs, () => void lock.beatAndCheck());
      await lock.claim();
      lock.isHeld = true;
    } catch (error) {
      await lock.stopBeating();
      throw error;
    }
    return lock;
  }

  /**
   * Whether this process still has the folder. If so, any process that takes over later will find everything that was
   * written before this call.
   */
  async holds(): Promise<boolean> {
    if (this.isTaken) return false;
    const found = await ifExists(this.options.disk.readSmall(this.path(lockName)));
    if (found !== undefined && textOf(found) === this.name) return true;
    if (!this.isTaken) {
      this.isTaken = true;
      this.heartbeat?.cancel();
      this.options.onTaken();
    }
    return false;
  }

  /** Releases the lock. If its file cannot be removed, it counts as the lock of a crashed process. */
  async release(): Promise<void> {
    await this.stopBeating();
    const isOwn = await this.holds().catch(() => false);
    if (isOwn) await this.options.disk.remove(this.path(lockName)).catch(() => {});
  }

  /**
   * Acquires the lock if it is free or its process is dead. Several processes can try this at the same time. Each first
   * writes its claim and then looks for other claims, so that of any two processes, at least one sees the claim of the
   * other. A process yields to a claim with a lower name, and waits for a claim with a higher name, whose process may
   * have looked before this claim was written. So exactly one of the processes succeeds.
   */
  private async claim() {
    const { disk, folder, sync } = this.options;
    const claim = this.path(claimName + this.name);
    await (await disk.open(claim, 'replace')).close();
    try {
      for (const file of await disk.list(folder)) {
        if (!file.startsWith(claimName)) continue;
        const other = this.ownerIn(file.slice(claimName.length));
        if (nameOf(other) === this.name) continue;
        if (isBefore(other, this.own)) await this.yieldTo(other);
        else await this.claimEnds(this.path(file), other);
        await disk.remove(this.path(file));
      }
      // The lock is read after the claims, because a process whose claim has disappeared may have acquired it.
      const path = this.path(lockName);
      const found = await readIfExists(disk, path);
      const before = found === undefined ? undefined : this.ownerIn(textOf(found));
      if (before !== undefined) await this.yieldTo(before);
      await replaceFile(disk, path, new TextEncoder().encode(`${this.name}\n`), { sync });
      if (before !== undefined && nameOf(before) !== this.name) await this.removeBeat(before);
    } finally {
      await disk.remove(claim).catch(() => {});
    }
  }

  /** Waits until a claim is withdrawn or its process is dead. Rejects after `claimMs`. */
  private async claimEnds(claim: string, owner: Owner) {
    const { disk, clock } = this.options;
    const until = clock.now() + claimMs;
    while ((await readIfExists(disk, claim)) !== undefined && (await this.isAlive(owner))) {
      if (clock.now() >= until) throw this.inUse(owner);
      await pause(clock, stepMs);
    }
  }

  /** Rejects if the process that owns the claim or the lock is alive. */
  private async yieldTo(owner: Owner) {
    if (await this.isAlive(owner)) throw this.inUse(owner);
  }

  private inUse({ number, place }: Owner): ServerError {
    const where = place === this.own.place ? '' : ' of another container or machine';
    return new ServerError('journal-in-use', `Process ${number}${where} is using ${this.options.folder}.`);
  }

  private async isAlive(owner: Owner) {
    const { processes, clock } = this.options;
    const { number, place } = owner;
    if (!(number > 0) || nameOf(owner) === this.name) return false;
    if (place === this.own.place) return processes.isAlive(number);
    const first = await this.beatOf(owner);
    for (const until = clock.now() + leaseMs; clock.now() < until; ) {
      await pause(clock, stepMs);
      if ((await this.beatOf(owner)) !== first) return true;
    }
    return false;
  }

  /**
   * The length of a heartbeat file; undefined if there is none. The content is read, because network file systems may
   * cache the size.
   */
  private async beatOf(owner: Owner) {
    return (await readIfExists(this.options.disk, this.path(beatName + nameOf(owner))))?.length;
  }

  private beat() {
    this.beating ??= this.writeBeat().finally(() => {
      this.beating = undefined;
    });
    return this.beating;
  }

  private async writeBeat() {
    // Each heartbeat appends one byte (115 kB a day). The file is closed each time, because network file systems
    // publish changes on close.
    const file = await this.options.disk.open(this.path(beatName + this.name), this.hasBeaten ? 'append' : 'replace');
    this.hasBeaten = true;
    try {
      await file.write(new Uint8Array([0x2e]));
    } finally {
      await file.close();
    }
  }

  /** Disk errors are ignored here: the log, which writes more often, reports them. */
  private async beatAndCheck() {
    await this.beat().catch(() => {});
    // The lock is checked here, too, because sleeping rooms write nothing.
    if (this.isHeld) await this.holds().catch(() => false);
  }

  private async stopBeating() {
    this.heartbeat?.cancel();
    await this.beating?.catch(() => {});
    await this.removeBeat(this.own);
  }

  private async removeBeat(owner: Owner) {
    await this.options.disk.remove(this.path(beatName + nameOf(owner))).catch(() => {});
  }

  private path(name: string) {
    return join(this.options.folder, name);
  }

  /** The process that a file name stands for. A name without a namespace belongs to this machine. */
  private ownerIn(name: string): Owner {
    const [number = '', place = this.own.place] = name.split('@');
    return { number: Number(number), place };
  }
}

function nameOf({ number, place }: Owner) {
  return `${number}@${place}`;
}

function isBefore(a: Owner, b: Owner) {
  return a.number === b.number ? a.place < b.place : a.number < b.number;
}

function textOf(bytes: Uint8Array) {
  return new TextDecoder().decode(bytes).trim();
}

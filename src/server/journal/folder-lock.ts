import { join } from 'node:path';
import { type Disk, readIfExists, replaceFile } from '../../machine/disk.ts';
import type { Processes } from '../../machine/processes.ts';
import { ServerError } from '../base/codes.ts';
import { defaultLeaseMs } from '../base/options.ts';
import type { ServerClock, Timer } from '../machine/clock.ts';

const lockName = 'lock';
/** Begins the name of a file that says which process is about to take the lock. */
const claimName = 'lock-claim-';
/** Begins the name of a file that a process changes for as long as it lives. */
const beatName = 'beat-';
/** A process in another place that has not changed its file for so long is taken for dead. */
const leaseMs = defaultLeaseMs;
const beatMs = leaseMs / 4;
/** How long another process may take from its claim to its lock, and how often it is looked at, ms. */
const claimMs = leaseMs + 5000;
const stepMs = 20;

/** A process by its number and the place in which that number is its own. */
interface Owner {
  readonly number: number;
  readonly place: string;
}

interface FolderLockOptions {
  readonly disk: Disk;
  readonly clock: ServerClock;
  readonly processes: Processes;
  readonly folder: string;
  /** Whether the lock is to outlast a power failure. */
  readonly sync: boolean;
  /** Called once, when another process has taken the folder. */
  readonly onTaken: () => void;
}

/**
 * A folder that one process writes to. Processes of one place know one another by their numbers. Those of other containers and machines see the
 * heartbeat of the owner: a file that it changes. An owner that stood still for longer than its lease may lose the folder. So it asks `holds` after
 * each write, and promises nothing before the answer. A process that takes the folder reads it only when the lock has its own name.
 */
export class FolderLock {
  private readonly options: FolderLockOptions;
  private readonly own: Owner;
  private readonly name: string;
  private hasBeaten = false;
  private beating: Promise<void> | undefined;
  private pulse: Timer | undefined;
  private isHeld = false;
  private isTaken = false;

  private constructor(options: FolderLockOptions) {
    this.options = options;
    const { pid: number, namespace: place } = options.processes;
    this.own = { number, place };
    this.name = nameOf(this.own);
  }

  /** Rejects with `journal-in-use` where another process has the folder, and as the disk does. */
  static async take(options: FolderLockOptions): Promise<FolderLock> {
    const lock = new FolderLock(options);
    try {
      await lock.beat();
      lock.pulse = options.clock.every(beatMs, () => void lock.beatAndLook());
      await lock.claim();
      lock.isHeld = true;
    } catch (error) {
      await lock.stopBeating();
      throw error;
    }
    return lock;
  }

  /** Whether the folder is this process's own. A process that takes it later finds everything that was written before the call. */
  async holds(): Promise<boolean> {
    if (this.isTaken) return false;
    const found = await readIfExists(this.options.disk, this.path(lockName));
    if (found !== undefined && textOf(found) === this.name) return true;
    if (!this.isTaken) {
      this.isTaken = true;
      this.pulse?.cancel();
      this.options.onTaken();
    }
    return false;
  }

  /** A lock that cannot be removed stays, and is taken for that of a crash. */
  async release(): Promise<void> {
    await this.stopBeating();
    const isOwn = await this.holds().catch(() => false);
    if (isOwn) await this.options.disk.remove(this.path(lockName)).catch(() => {});
  }

  /**
   * A lock whose process is gone is a crash's. Several processes can find such a lock at the same time. Each makes its claim before it looks for other
   * claims, so that never two of them go on. A process gives way to one with a lower name. It waits for one with a higher name, which may have
   * looked before the claim was there. So one of them goes on.
   */
  private async claim(): Promise<void> {
    const { disk, folder, sync } = this.options;
    const claim = this.path(claimName + this.name);
    await (await disk.open(claim, 'replace')).close();
    try {
      for (const file of await disk.list(folder)) {
        if (!file.startsWith(claimName)) continue;
        const other = this.ownerIn(file.slice(claimName.length));
        if (nameOf(other) === this.name) continue;
        if (isBefore(other, this.own)) await this.refuseBeside(other);
        else await this.claimEnds(this.path(file), other);
        await disk.remove(this.path(file));
      }
      // After the claims: a process without one may have taken the lock meanwhile.
      const path = this.path(lockName);
      const found = await readIfExists(disk, path);
      const before = found === undefined ? undefined : this.ownerIn(textOf(found));
      if (before !== undefined) await this.refuseBeside(before);
      await replaceFile(disk, path, new TextEncoder().encode(`${this.name}\n`), { sync });
      if (before !== undefined && nameOf(before) !== this.name) await this.removeBeat(before);
    } finally {
      await disk.remove(claim).catch(() => {});
    }
  }

  /** The claim is given up, or its process is gone. Rejects for a claim that stays. */
  private async claimEnds(claim: string, owner: Owner): Promise<void> {
    const { disk, clock } = this.options;
    const until = clock.now() + claimMs;
    while ((await readIfExists(disk, claim)) !== undefined && (await this.isAlive(owner))) {
      if (clock.now() >= until) throw this.inUse(owner);
      await this.wait();
    }
  }

  private async refuseBeside(owner: Owner): Promise<void> {
    if (await this.isAlive(owner)) throw this.inUse(owner);
  }

  private inUse({ number, place }: Owner): ServerError {
    const where = place === this.own.place ? '' : ' of another container or machine';
    return new ServerError('journal-in-use', `The process ${number}${where} writes to ${this.options.folder}.`);
  }

  private async isAlive(owner: Owner): Promise<boolean> {
    const { processes, clock } = this.options;
    const { number, place } = owner;
    if (!(number > 0) || nameOf(owner) === this.name) return false;
    if (place === this.own.place) return processes.isAlive(number);
    const first = await this.beatOf(owner);
    for (const until = clock.now() + leaseMs; clock.now() < until; ) {
      await this.wait();
      if ((await this.beatOf(owner)) !== first) return true;
    }
    return false;
  }

  /** Read, and not asked for its size, which a network may remember from before. */
  private async beatOf(owner: Owner): Promise<number | undefined> {
    return (await readIfExists(this.options.disk, this.path(beatName + nameOf(owner))))?.length;
  }

  private beat(): Promise<void> {
    this.beating ??= this.writeBeat().finally(() => {
      this.beating = undefined;
    });
    return this.beating;
  }

  private async writeBeat(): Promise<void> {
    // It grows by a byte each time: 115 kB a day. Closed each time, because a network's file is there for others when it is closed.
    const file = await this.options.disk.open(this.path(beatName + this.name), this.hasBeaten ? 'append' : 'replace');
    this.hasBeaten = true;
    try {
      await file.write(new Uint8Array([0x2e]));
    } finally {
      await file.close();
    }
  }

  /** Errors of the disk are reported by the log, which writes more often. */
  private async beatAndLook(): Promise<void> {
    await this.beat().catch(() => {});
    // Rooms that sleep write nothing.
    if (this.isHeld) await this.holds().catch(() => false);
  }

  private async stopBeating(): Promise<void> {
    this.pulse?.cancel();
    await this.beating?.catch(() => {});
    await this.removeBeat(this.own);
  }

  private async removeBeat(owner: Owner): Promise<void> {
    await this.options.disk.remove(this.path(beatName + nameOf(owner))).catch(() => {});
  }

  private wait(): Promise<void> {
    return new Promise((resolve) => this.options.clock.after(stepMs, resolve));
  }

  private path(name: string): string {
    return join(this.options.folder, name);
  }

  /** A number alone is one of this place. */
  private ownerIn(name: string): Owner {
    const [number = '', place = this.own.place] = name.split('@');
    return { number: Number(number), place };
  }
}

function nameOf({ number, place }: Owner): string {
  return `${number}@${place}`;
}

function isBefore(a: Owner, b: Owner): boolean {
  return a.number === b.number ? a.place < b.place : a.number < b.number;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).trim();
}

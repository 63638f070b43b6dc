import { createHash, randomBytes } from 'node:crypto';
import type { ServerClock } from './clock.ts';
import type { Disk } from './disk.ts';
import { nodeClock } from './node-clock.ts';
import { nodeDisk } from './node-disk.ts';
import { nodeProcesses, type Processes } from './processes.ts';

/** The parts of the machine that a server needs, other than sockets. Tests can simulate them. */
export interface Machine {
  readonly clock: ServerClock;
  readonly disk: Disk;
  readonly processes: Processes;
  /** Cryptographically secure random bytes. */
  random(count: number): Uint8Array;
}

export const thisMachine: Machine = {
  clock: nodeClock,
  disk: nodeDisk,
  processes: nodeProcesses,
  random: (count) => new Uint8Array(randomBytes(count)),
};

/** The first `length` hexadecimal digits of the SHA-256 hash of a text. */
export function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** `count` random bytes as hexadecimal digits, two per byte. */
export function randomDigits(machine: Pick<Machine, 'random'>, count: number): string {
  return Array.from(machine.random(count), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

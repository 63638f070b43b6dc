import { randomBytes } from 'node:crypto';
import type { Disk } from '../../machine/disk.ts';
import { nodeDisk } from '../../machine/node-disk.ts';
import { nodeProcesses, type Processes } from '../../machine/processes.ts';
import type { ServerClock } from './clock.ts';
import { nodeClock } from './node-clock.ts';

/** All that a server asks of the machine it runs on, beside sockets. A server that is given another one runs on that. */
export interface Machine {
  readonly clock: ServerClock;
  readonly disk: Disk;
  readonly processes: Processes;
  /** Bytes that cannot be guessed. */
  random(count: number): Uint8Array;
}

export const thisMachine: Machine = {
  clock: nodeClock,
  disk: nodeDisk,
  processes: nodeProcesses,
  random: (count) => new Uint8Array(randomBytes(count)),
};

/** Random bytes as hexadecimal digits, two for each. */
export function randomDigits(machine: Pick<Machine, 'random'>, count: number): string {
  return Array.from(machine.random(count), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Processes of the machine, as a program is given them. */
export interface Processes {
  /** The number of this one. */
  readonly own: number;
  /** Where numbers name processes: the same for all processes that see one another, and another for every other container and machine. */
  readonly place: string;
  /** Of a process in the same place. */
  isAlive(process: number): boolean;
}

export const nodeProcesses: Processes = {
  own: process.pid,
  get place() {
    place ??= placeOfNumbers();
    return place;
  },
  isAlive(number) {
    try {
      process.kill(number, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  },
};

let place: string | undefined;

/** Numbers mean nothing after a restart of the machine, nor in another container. Linux names the start and the container; elsewhere there is the name of the host. */
function placeOfNumbers(): string {
  const found = [
    () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'),
    () => readlinkSync('/proc/self/ns/pid'),
    hostname,
  ].map((read) => {
    try {
      return read();
    } catch {
      return '';
    }
  });
  return createHash('sha256').update(JSON.stringify(found)).digest('hex').slice(0, 12);
}

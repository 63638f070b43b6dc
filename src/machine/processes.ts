import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The processes of this machine as an interface, so that tests can simulate them. */
export interface Processes {
  /** The id of this process. */
  readonly pid: number;
  /**
   * Identifies the scope in which process ids are valid. It is the same for all processes that can see one another, and
   * differs between containers and machines.
   */
  readonly namespace: string;
  /** Whether the process with this id, in the namespace of this process, is alive. */
  isAlive(process: number): boolean;
}

export const nodeProcesses: Processes = {
  pid: process.pid,
  get namespace() {
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

/**
 * A process id is meaningless after a reboot and in another container. On Linux, the boot id and the PID namespace tell
 * these apart; on other systems, only the host name does.
 */
function placeOfNumbers() {
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

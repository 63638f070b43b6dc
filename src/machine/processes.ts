/** Processes of the machine, as a program is given them. */
export interface Processes {
  /** The number of this one. */
  readonly own: number;
  isAlive(process: number): boolean;
}

export const nodeProcesses: Processes = {
  own: process.pid,
  isAlive(number) {
    try {
      process.kill(number, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  },
};

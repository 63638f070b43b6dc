/**
 * The machine that a program runs on: its clock, disk and processes, the package of the program, and the compile cache.
 */

// Interfaces to the machine, which tests can simulate, and their implementations.
export { digest, type Machine, randomDigits, thisMachine } from './machine.ts';
export { type Clock, hostClock, pause, resultWithin, type ServerClock, type Timer, within } from './clock.ts';
export { nodeClock } from './node-clock.ts';
export { type Disk, type DiskFile, ifExists, readIfExists, replaceFile, writeFully } from './disk.ts';
export { nodeDisk } from './node-disk.ts';
export type { Processes } from './processes.ts';

// Packages: the program's own, and optional ones that may be missing.
export { ownPackage, type Package } from './own-package.ts';
export { isMissing } from './missing-package.ts';

// The cache of compiled code for the next start.
export { enableCompileCache } from './compile-cache.ts';

export { loadCompileCache } from './on-demand.ts';

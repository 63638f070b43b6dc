/** The machine that a program runs on: clock, disk, processes, its own package, compiled code. */

// All of it as interfaces that tests can simulate.
export { type Machine, randomDigits, thisMachine } from './machine.ts';
export { type Clock, hostClock, pause, resultWithin, type ServerClock, type Timer, within } from './clock.ts';
export { nodeClock } from './node-clock.ts';
export { type Disk, type DiskFile, ifExists, readIfExists, replaceFile, writeFully } from './disk.ts';
export { nodeDisk } from './node-disk.ts';
export { nodeProcesses, type Processes } from './processes.ts';

// Packages: our own, and those that may be missing.
export { ownPackage, type Package } from './own-package.ts';
export { isMissing } from './missing-package.ts';

// Compiled code, kept for the next start.
export { cacheCompiledCode } from './compile-cache.ts';

export { loadCompileCache } from './on-demand.ts';

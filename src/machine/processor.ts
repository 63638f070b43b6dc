import { openSync, readSync } from 'node:fs';

/**
 * The first word of this file is the processor time of the thread in ns. A file that a thread has opened keeps showing
 * the time of that thread.
 */
const statistics = '/proc/thread-self/schedstat';
const space = 32;
const zero = 48;

/** The type of `process.threadCpuUsage`, which only newer versions of Node have. */
type ThreadUsage = () => { readonly user: number; readonly system: number };

let read: (() => number) | undefined;

/**
 * Processor time of the calling thread in ms. Only the difference of two values has a meaning. Uses elapsed time if the
 * system does not provide processor time.
 */
export function threadBusyMs(): number {
  read ??= readerOf();
  return read();
}

function readerOf(): () => number {
  const { threadCpuUsage } = process as { readonly threadCpuUsage?: ThreadUsage };
  if (threadCpuUsage !== undefined) {
    return () => {
      const { user, system } = threadCpuUsage.call(process);
      return (user + system) / 1000;
    };
  }
  let file: number;
  try {
    file = openSync(statistics, 'r');
  } catch {
    return () => performance.now();
  }
  const bytes = new Uint8Array(64); // All calls share this buffer.
  return () => {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    let ns = 0;
    for (let i = 0; i < length && bytes[i] !== space; i++) ns = ns * 10 + bytes[i]! - zero;
    return ns / 1e6;
  };
}

import { openSync, readSync } from 'node:fs';

/** Where Linux says what a thread has used, in ns, as the first word. The file that is opened stays that of the thread. */
const statistics = '/proc/thread-self/schedstat';
const space = 32;
const zero = 48;

/** Newer versions of Node ask the system themselves. */
type ThreadUsage = () => { readonly user: number; readonly system: number };

let read: (() => number) | undefined;

/**
 * Processor time that the calling thread has used, ms from some moment on: time in which other threads had the processor does not count.
 * Where the system does not say it, the time that has passed.
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
  const bytes = new Uint8Array(64); // reused by every call
  return () => {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    let ns = 0;
    for (let i = 0; i < length && bytes[i] !== space; i++) ns = ns * 10 + bytes[i]! - zero;
    return ns / 1e6;
  };
}

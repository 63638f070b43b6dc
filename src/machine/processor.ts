import { openSync, readSync } from 'node:fs';

/** Its first word is the processor time of the thread, ns. An open file stays that of the thread that opened it. */
const statistics = '/proc/thread-self/schedstat';
const space = 32;
const zero = 48;

/** `process.threadCpuUsage`, in newer versions of Node. */
type ThreadUsage = () => { readonly user: number; readonly system: number };

let read: (() => number) | undefined;

/**
 * Processor time of the calling thread, ms; only differences are meaningful. Falls back to elapsed time if the system
 * does not provide it.
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

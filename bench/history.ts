import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ratio, ratioBetween } from '../src/statistics/index.ts';
import type { Report } from './report.ts';

/** Results of a suite at one commit, on one machine. */
export interface Entry {
  /** Short hash, with a `+` if there were uncommitted changes. */
  readonly commit: string;
  readonly node: string;
  readonly machine: string;
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  readonly notes: readonly string[];
  readonly samples: Readonly<Record<string, readonly number[]>>;
}

interface History {
  readonly suite: string;
  /** Oldest first. */
  readonly entries: readonly Entry[];
}

const entriesMax = 20;

export function readHistory(folder: string, suite: string): History {
  let text: string;
  try {
    text = readFileSync(fileOf(folder, suite), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { suite, entries: [] };
    throw error;
  }
  const history = JSON.parse(text) as Partial<History>;
  if (!Array.isArray(history.entries))
    throw new Error(`${fileOf(folder, suite)} is no history of results; delete it to begin anew.`);
  return history as History;
}

/**
 * Adds the results of a suite. Replaces those of the same commit, Node and machine, and drops the oldest. Returns the
 * new history.
 */
export function saveEntry(folder: string, suite: string, entry: Entry): History {
  const { entries } = readHistory(folder, suite);
  const isAnother = (each: Entry): boolean =>
    each.commit !== entry.commit || each.node !== entry.node || each.machine !== entry.machine;
  const history = { suite, entries: [...entries.filter(isAnother), entry].slice(-entriesMax) };
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder, suite), `${historyText(history)}\n`);
  return history;
}

export function entryOf(report: Report, from: Pick<Entry, 'commit' | 'node' | 'machine'>): Entry {
  const rows = report.rows.map((row) => Object.fromEntries(report.head.map((column, i) => [column, row[i] ?? null])));
  return { ...from, rows, notes: report.notes ?? [], samples: report.samples ?? {} };
}

interface Change {
  readonly name: string;
  /** The cost now divided by the cost then. */
  readonly ratio: Ratio;
  /** Judged by the whole interval: `unclear` if it contains 1 or there are too few rounds. */
  readonly verdict: 'slower' | 'faster' | 'unclear';
}

/** The change of each cost that both entries have, in the order of the newer one. */
export function changesSince(now: Entry, then: Entry): Change[] {
  const changes: Change[] = [];
  for (const [name, samples] of Object.entries(now.samples)) {
    const before = then.samples[name];
    if (before === undefined) continue;
    const ratio = ratioBetween(samples, before);
    const isSlower = ratio.low !== null && ratio.low > 1;
    const isFaster = ratio.high !== null && ratio.high < 1;
    changes.push({ name, ratio, verdict: isSlower ? 'slower' : isFaster ? 'faster' : 'unclear' });
  }
  return changes;
}

export function changesText(changes: readonly Change[], then: Entry): string {
  const since = `since ${then.commit} (${then.node}, ${then.machine})`;
  if (changes.length === 0) return `nothing to compare ${since}`;
  const lines = changes.map(({ name, ratio: { value, low, high }, verdict }) => {
    const interval = low === null || high === null ? 'too few rounds' : `95 %: ${low.toFixed(3)} to ${high.toFixed(3)}`;
    return `  ${verdict.padEnd(7)}  ${value.toFixed(3)} (${interval})  ${name}`;
  });
  return [`cost now by cost ${since}:`, ...lines].join('\n');
}

function fileOf(folder: string, suite: string): string {
  return join(folder, `${suite}.json`);
}

/** Indented, with each list of numbers on one line, so that diffs are readable. */
function historyText(history: History): string {
  return JSON.stringify(history, null, 2).replace(/\[\s+(-?\d[^[\]{}"]*?)\s+\]/g, (_all, numbers: string) => {
    return `[${numbers.replace(/\s+/g, ' ')}]`;
  });
}

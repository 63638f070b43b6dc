import type { JournalRecord, LoadedGame, Recorder, Simulation } from '../../engine/index.ts';
import { type HeavyFailure, HeavyTwin } from './heavy.ts';
import { journalBytes } from './journal-bytes.ts';
import { JournalWriter } from './journal-file.ts';

export interface RecordingOptions {
  /** File to write a journal to. */
  readonly record?: string | undefined;
  /** Hash the state every tick. Default: once a simulated second. */
  readonly hashesEveryTick?: boolean | undefined;
  /** Prove snapshots at every tick. */
  readonly heavy?: boolean | undefined;
  /** Keep the journal in memory as well. */
  readonly isKept?: boolean | undefined;
  /** Where the definition comes from. */
  readonly source: string;
}

export interface Recorded {
  readonly file: string | undefined;
  readonly bytes: number;
  readonly heavyTicks: number | undefined;
  readonly failure: HeavyFailure | undefined;
  /** As the file has it, where it was to be kept. */
  readonly journal: Uint8Array | undefined;
}

const snapshotTicks = 600;

/** The work of `run` beside playing: record the game, prove a recording, or both. Undefined where neither is asked for. */
export class Recording {
  private readonly recorder: Recorder;
  private readonly file: string | undefined;
  private readonly writer: JournalWriter | undefined;
  private readonly heavy: HeavyTwin | undefined;
  private readonly kept: JournalRecord[] | undefined;

  constructor(
    loaded: LoadedGame,
    sim: Simulation,
    { record, hashesEveryTick, heavy, isKept, source }: RecordingOptions,
  ) {
    this.kept = isKept === true ? [] : undefined;
    this.file = record;
    this.writer = record === undefined ? undefined : new JournalWriter(record);
    this.heavy = heavy === true ? new HeavyTwin(loaded, () => sim) : undefined;
    const everyTick = { hashTicks: 1, snapshotTicks: 1 };
    const often = { snapshotTicks, ...(hashesEveryTick === true && { hashTicks: 1 }) };
    this.recorder = sim.journal(this.put, { ...(this.heavy === undefined ? often : everyTick), source });
  }

  /** Ends the recording. */
  end(): Recorded {
    this.recorder.end();
    this.writer?.close();
    return {
      file: this.file,
      bytes: this.writer?.bytesWritten ?? 0,
      heavyTicks: this.heavy?.ticksEqual,
      failure: this.heavy?.failure,
      journal: this.kept && journalBytes(this.kept),
    };
  }

  private readonly put = (record: JournalRecord): void => {
    this.heavy?.put(record);
    // Of the snapshots that only prove something none is worth its place in a file.
    const isKept = record.kind !== 'snapshot' || record.tick % snapshotTicks === 0;
    if (!isKept) return;
    this.writer?.put(record);
    this.kept?.push(record);
  };
}

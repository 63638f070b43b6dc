import type { JournalRecord, LoadedGame, Recorder, Simulation } from '../../engine/index.ts';
import { journalBytes } from './journal-bytes.ts';
import { JournalWriter } from './journal-file.ts';
import { type SnapshotFailure, SnapshotVerifier } from './snapshot-verifier.ts';

export interface RecordingOptions {
  /** The journal file to write. */
  readonly record?: string | undefined;
  /** Whether to hash the state on every tick. Default: once per simulated second. */
  readonly hashesEveryTick?: boolean | undefined;
  /** Whether to verify snapshots on every tick. */
  readonly heavy?: boolean | undefined;
  /** Whether to keep the journal in memory as well. */
  readonly keepsInMemory?: boolean | undefined;
  /** Describes where the definition comes from. */
  readonly source: string;
}

export interface RecordingResult {
  readonly file: string | undefined;
  readonly bytes: number;
  readonly heavyTicks: number | undefined;
  readonly failure: SnapshotFailure | undefined;
  /** The bytes of the journal, if it was kept in memory. */
  readonly journal: Uint8Array | undefined;
}

const snapshotTicks = 600;

/** Records a run of `reenact run`, verifies its snapshots, or both. */
export class Recording {
  private readonly recorder: Recorder;
  private readonly file: string | undefined;
  private readonly writer: JournalWriter | undefined;
  private readonly heavy: SnapshotVerifier | undefined;
  private readonly kept: JournalRecord[] | undefined;

  constructor(
    loaded: LoadedGame,
    sim: Simulation,
    { record, hashesEveryTick, heavy, keepsInMemory, source }: RecordingOptions,
  ) {
    this.kept = keepsInMemory === true ? [] : undefined;
    this.file = record;
    this.writer = record === undefined ? undefined : new JournalWriter(record);
    this.heavy = heavy === true ? new SnapshotVerifier(loaded, () => sim) : undefined;
    const everyTick = { hashTicks: 1, snapshotTicks: 1 };
    const often = { snapshotTicks, ...(hashesEveryTick === true && { hashTicks: 1 }) };
    this.recorder = sim.journal(this.put, { ...(this.heavy === undefined ? often : everyTick), source });
  }

  /** Ends the recording and closes the file. */
  end(): RecordingResult {
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
    // Snapshots that are only needed for verification are not written to the file.
    const isKept = record.kind !== 'snapshot' || record.tick % snapshotTicks === 0;
    if (!isKept) return;
    this.writer?.put(record);
    this.kept?.push(record);
  };
}

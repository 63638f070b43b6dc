import type { JournalRecord, Recorder, Simulation } from '../../engine/index.ts';
import { journalBytes } from './journal-bytes.ts';
import { JournalWriter } from './journal-file.ts';

export interface RecordingOptions {
  /** The journal file to write. */
  readonly record?: string | undefined;
  /** Whether to hash the state on every tick. Default: once per simulated second. */
  readonly hashesEveryTick?: boolean | undefined;
  /** Whether to keep the journal in memory as well. */
  readonly keepsInMemory?: boolean | undefined;
  /** Describes where the definition comes from. */
  readonly source: string;
}

export interface RecordingResult {
  readonly file: string | undefined;
  readonly bytes: number;
  /** The bytes of the journal, if it was kept in memory. */
  readonly journal: Uint8Array | undefined;
}

const snapshotTicks = 600;

/** Records a run of `reenact run`. */
export class Recording {
  private readonly recorder: Recorder;
  private readonly file: string | undefined;
  private readonly writer: JournalWriter | undefined;
  private readonly kept: JournalRecord[] | undefined;

  constructor(sim: Simulation, { record, hashesEveryTick, keepsInMemory, source }: RecordingOptions) {
    this.kept = keepsInMemory === true ? [] : undefined;
    this.file = record;
    this.writer = record === undefined ? undefined : new JournalWriter(record);
    const often = { snapshotTicks, ...(hashesEveryTick === true && { hashTicks: 1 }) };
    this.recorder = sim.journal(this.put, { ...often, source });
  }

  /** Ends the recording and closes the file. */
  end(): RecordingResult {
    this.recorder.end();
    this.writer?.close();
    return {
      file: this.file,
      bytes: this.writer?.bytesWritten ?? 0,
      journal: this.kept && journalBytes(this.kept),
    };
  }

  private readonly put = (record: JournalRecord) => {
    this.writer?.put(record);
    this.kept?.push(record);
  };
}

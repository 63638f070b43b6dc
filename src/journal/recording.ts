import type { JournalRecord, LoadedGame, Recorder, Simulation } from '../../engine/index.ts';
import { type HeavyFailure, HeavyTwin } from './heavy.ts';
import { JournalWriter } from './journal-file.ts';

export interface RecordingOptions {
  /** File to write a journal to. */
  readonly record?: string | undefined;
  /** Prove snapshots at every tick. */
  readonly heavy?: boolean | undefined;
  /** Where the definition comes from. */
  readonly source: string;
}

export interface Recorded {
  readonly file: string | undefined;
  readonly bytes: number;
  readonly heavyTicks: number | undefined;
  readonly failure: HeavyFailure | undefined;
}

const snapshotTicks = 600;

/** What `run` does beside playing: write it down, prove it, or both. Undefined where neither is asked for. */
export class Recording {
  private readonly recorder: Recorder;
  private readonly file: string | undefined;
  private readonly writer: JournalWriter | undefined;
  private readonly heavy: HeavyTwin | undefined;

  constructor(loaded: LoadedGame, sim: Simulation, { record, heavy, source }: RecordingOptions) {
    this.file = record;
    this.writer = record === undefined ? undefined : new JournalWriter(record);
    this.heavy = heavy === true ? new HeavyTwin(loaded, () => sim) : undefined;
    this.recorder = sim.journal(this.put, { snapshotTicks: this.heavy === undefined ? snapshotTicks : 1, source });
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
    };
  }

  private readonly put = (record: JournalRecord): void => {
    this.heavy?.put(record);
    // Of the snapshots that only prove something none is worth its place in a file.
    const isKept = record.kind !== 'snapshot' || record.tick % snapshotTicks === 0;
    if (isKept) this.writer?.put(record);
  };
}

import { defined } from '../core/plain-object.ts';
import { formatValue, UsageError } from '../core/usage-error.ts';
import type { Edit } from './editor.ts';
import type { Input } from './input.ts';
import type { SnapshotHead } from './snapshot.ts';

/**
 * How a recorded game started. A replay needs this head, the definition, the inputs and the edits; if the recording
 * began after tick 0, it also needs the first snapshot.
 */
export interface JournalHead extends SnapshotHead {
  readonly epochMs: number;
  /** Ticks per simulated second. */
  readonly rate: number;
  /** The tick at which the recording began. Unless it is 0, a snapshot follows. */
  readonly tick: number;
  /** The origin of the definition, such as the path of a file; shown to people who read the journal. */
  readonly source?: string | undefined;
}

/** The records of a journal: a head, followed by the events of each tick. */
export type JournalRecord =
  | ({ readonly kind: 'head' } & JournalHead)
  /** The inputs that took effect in a tick, in order. */
  | { readonly kind: 'inputs'; readonly tick: number; readonly inputs: readonly Input[] }
  /** The hash of the state after a tick. */
  | { readonly kind: 'hash'; readonly tick: number; readonly hash: string }
  | { readonly kind: 'snapshot'; readonly tick: number; readonly bytes: Uint8Array }
  /** The editor changed the state after a tick. */
  | ({ readonly kind: 'edit'; readonly tick: number } & Edit)
  /** The recording ended as intended. */
  | { readonly kind: 'end'; readonly tick: number; readonly hash: string };

export interface JournalOptions {
  /**
   * Ticks between hashes. Default: one simulated second. With 1, a replay finds the exact tick at which it diverges
   * from the recording.
   */
  readonly hashTicks?: number;
  /**
   * Ticks between snapshots; 0 for none. Default 600. Snapshots make seeking fast and show which field differs after a
   * divergence.
   */
  readonly snapshotTicks?: number;
  readonly source?: string | undefined;
}

/** The members of a simulation that a recorder needs. */
interface Recorded {
  tick(): number;
  hash(): string;
  /** A snapshot without pending inputs, because these are recorded when they take effect. */
  snapshot(): Uint8Array;
}

/** Records a simulation while it plays. Made by `Simulation.journal`. */
export class Recorder {
  private readonly hashTicks: number;
  private readonly snapshotTicks: number;
  private ended = false;
  /** Whether the editor has changed the state since the last hash was recorded. */
  private isEdited = false;
  /**
   * The origin of the next edits, such as the name of a tool, which is recorded with each of them for people who read
   * the journal.
   */
  editsBy: string | undefined;

  constructor(
    private readonly sim: Recorded,
    head: JournalHead,
    options: JournalOptions,
    private readonly put: (record: JournalRecord) => void,
  ) {
    this.hashTicks = options.hashTicks ?? head.rate;
    this.snapshotTicks = options.snapshotTicks ?? 600;
    put({ kind: 'head', ...head });
    if (head.tick > 0) put({ kind: 'snapshot', tick: head.tick, bytes: sim.snapshot() });
    put({ kind: 'hash', tick: head.tick, hash: sim.hash() });
  }

  /** Whether the recorder is still recording. */
  get isOn(): boolean {
    return !this.ended;
  }

  beforeTick(tick: number, inputs: readonly Input[]): void {
    if (this.ended) return;
    // All edits between two ticks share one hash.
    if (this.isEdited) this.put({ kind: 'hash', tick: tick - 1, hash: this.sim.hash() });
    this.isEdited = false;
    if (inputs.length > 0) this.put({ kind: 'inputs', tick, inputs });
  }

  afterTick(tick: number): void {
    if (this.ended) return;
    if (tick % this.hashTicks === 0) this.put({ kind: 'hash', tick, hash: this.sim.hash() });
    if (this.snapshotTicks > 0 && tick % this.snapshotTicks === 0) {
      this.put({ kind: 'snapshot', tick, bytes: this.sim.snapshot() });
    }
  }

  recordEdit(edit: Edit): void {
    if (this.ended) return;
    this.isEdited = true;
    this.put({ kind: 'edit', tick: this.sim.tick(), ...edit, ...defined({ by: this.editsBy }) });
  }

  /** Stops recording. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.put({ kind: 'end', tick: this.sim.tick(), hash: this.sim.hash() });
  }
}

/** A journal in memory, indexed for replaying. */
export interface Journal {
  readonly head: JournalHead;
  readonly inputs: ReadonlyMap<number, readonly Input[]>;
  readonly hashes: ReadonlyMap<number, string>;
  /** The snapshots, oldest first. */
  readonly snapshots: readonly { readonly tick: number; readonly bytes: Uint8Array }[];
  /** The edits, keyed by the tick after which they were made; those of one tick are in order. */
  readonly edits: ReadonlyMap<number, readonly Edit[]>;
  /** The last tick that was certainly played. */
  readonly lastTick: number;
  /** False if the recording was cut short, so that the journal has no end record. */
  readonly isComplete: boolean;
}

/** Indexes the records of a journal; undefined if they do not start with a head. Records out of order are ignored. */
export function arrangeJournal(records: Iterable<JournalRecord>): Journal | undefined {
  if (typeof records?.[Symbol.iterator] !== 'function') {
    throw new UsageError('bad-value', `The records of a journal must be a list, not ${formatValue(records)}.`);
  }
  let head: JournalHead | undefined;
  const inputs = new Map<number, readonly Input[]>();
  const hashes = new Map<number, string>();
  const snapshots: { tick: number; bytes: Uint8Array }[] = [];
  const edits = new Map<number, Edit[]>();
  let lastTick = 0;
  let isComplete = false;
  for (const record of records) {
    if (head === undefined) {
      if (record.kind !== 'head') return undefined;
      head = record;
      lastTick = record.tick;
      continue;
    }
    if (record.kind === 'head' || record.tick < lastTick) continue;
    if (record.kind === 'inputs') {
      // Inputs are recorded before their tick is played, so an inputs record alone does not prove that the tick was
      // played.
      inputs.set(record.tick, record.inputs);
      continue;
    }
    lastTick = record.tick;
    if (record.kind === 'snapshot') snapshots.push(record);
    else if (record.kind === 'edit') {
      const ofTick = edits.get(record.tick) ?? [];
      edits.set(record.tick, [...ofTick, record]);
      // A hash of this tick that was recorded before the edit does not cover the edit.
      hashes.delete(record.tick);
    } else hashes.set(record.tick, record.hash);
    if (record.kind === 'end') isComplete = true;
  }
  return head === undefined ? undefined : { head, inputs, hashes, snapshots, edits, lastTick, isComplete };
}

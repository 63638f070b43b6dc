import type { Input, Journal, JournalHead, JournalRecord } from '../../engine/index.ts';

/** When the snapshots exceed this many bytes, every second one is dropped to save memory. */
const snapshotBytesMax = 64 * 1024 * 1024;

/** The journal of a running play. It can be replayed while records are still being added. */
export class GrowingJournal implements Journal {
  readonly inputs = new Map<number, readonly Input[]>();
  readonly hashes = new Map<number, string>();
  readonly edits: Journal['edits'] = new Map();
  readonly isComplete = false;
  snapshots: { readonly tick: number; readonly bytes: Uint8Array }[] = [];
  lastTick = 0;
  private begun: JournalHead | undefined;
  private snapshotBytes = 0;

  get head(): JournalHead {
    return this.begun!;
  }

  readonly put = (record: JournalRecord) => {
    switch (record.kind) {
      case 'head':
        this.begun = record;
        this.lastTick = record.tick;
        break;
      case 'inputs':
        this.inputs.set(record.tick, record.inputs);
        break;
      case 'hash':
        this.hashes.set(record.tick, record.hash);
        break;
      case 'snapshot':
        this.keep(record);
        break;
    }
  };

  /** The journal as records, from which it can be read again. `hash` is the state hash after the last tick. */
  *records(hash: string): Generator<JournalRecord> {
    yield { kind: 'head', ...this.head };
    const snapshots = new Map(this.snapshots.map((each) => [each.tick, each]));
    for (let tick = this.head.tick; tick <= this.lastTick; tick++) {
      const inputs = this.inputs.get(tick);
      if (inputs !== undefined) yield { kind: 'inputs', tick, inputs };
      const snapshot = snapshots.get(tick);
      if (snapshot !== undefined) yield { kind: 'snapshot', ...snapshot };
      const known = this.hashes.get(tick);
      if (known !== undefined) yield { kind: 'hash', tick, hash: known };
    }
    yield { kind: 'end', tick: this.lastTick, hash };
  }

  private keep(snapshot: GrowingJournal['snapshots'][number]) {
    this.snapshots.push(snapshot);
    this.snapshotBytes += snapshot.bytes.length;
    if (this.snapshotBytes <= snapshotBytesMax) return;
    // The first snapshot is always kept, because the journal may begin with it.
    this.snapshots = this.snapshots.filter((_, i) => i % 2 === 0);
    this.snapshotBytes = this.snapshots.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }
}

import { Packr, Unpackr } from 'msgpackr';
import type { Input, JournalRecord } from '../../engine/index.ts';

/**
 * Journals for pages: inputs are stored by column, so that gzip finds what they have in common. That takes a third less
 * than the format of files, in which each record can be read on its own.
 */
interface PackedJournal {
  /** All records but inputs. */
  readonly others: readonly JournalRecord[];
  /** Of each record of inputs: its position among all records, its tick, and how many inputs it has. */
  readonly at: Column;
  readonly ticks: Column;
  readonly counts: Column;
  /** The members of inputs, and which of these lists each input has. */
  readonly shapes: readonly (readonly string[])[];
  readonly shapeOf: Column;
  /** By shape, then by member. */
  readonly columns: readonly (readonly Column[])[];
}

/** Numbers; or distinct values and which of them each row has; or what is neither. */
type Column =
  | { readonly numbers: Uint8Array }
  | { readonly values: readonly unknown[]; readonly index: Uint8Array }
  | { readonly rows: readonly unknown[] };

const packr = new Packr({ useRecords: false });
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: 'number' });

export function packJournal(records: readonly JournalRecord[]): Uint8Array {
  const others: JournalRecord[] = [];
  const [at, ticks, counts, shapeOf]: number[][] = [[], [], [], []];
  const shapes: string[][] = [];
  const numbers = new Map<string, number>();
  const rows: unknown[][][] = [];
  for (const [position, record] of records.entries()) {
    if (record.kind !== 'inputs') {
      others.push(record);
      continue;
    }
    at!.push(position);
    ticks!.push(record.tick);
    counts!.push(record.inputs.length);
    for (const input of record.inputs) {
      const members = Object.keys(input);
      const key = JSON.stringify(members);
      let shape = numbers.get(key);
      if (shape === undefined) {
        shape = shapes.push(members) - 1;
        numbers.set(key, shape);
        rows.push(members.map(() => []));
      }
      shapeOf!.push(shape);
      for (const [i, value] of Object.values(input).entries()) rows[shape]![i]!.push(value);
    }
  }
  const packed: PackedJournal = {
    others,
    at: columnOf(at!),
    ticks: columnOf(ticks!),
    counts: columnOf(counts!),
    shapes,
    shapeOf: columnOf(shapeOf!.map(String)),
    columns: rows.map((members) => members.map(columnOf)),
  };
  return Uint8Array.from(packr.pack(packed));
}

/** Throws if the bytes are damaged. */
export function unpackJournal(bytes: Uint8Array): JournalRecord[] {
  const { others, shapes, ...packed } = unpackr.unpack(bytes) as PackedJournal;
  const [ticks, counts] = [rowsOf(packed.ticks), rowsOf(packed.counts)] as [number[], number[]];
  const shapeOf = rowsOf(packed.shapeOf).map(Number);
  const columns = packed.columns.map((members) => members.map(rowsOf));
  const next = shapes.map(() => 0);
  let read = 0;
  const input = (): Input => {
    const shape = shapeOf[read++]!;
    const row = next[shape]!++;
    const members = shapes[shape]!;
    const made: Record<string, unknown> = {};
    for (let i = 0; i < members.length; i++) made[members[i]!] = columns[shape]![i]![row];
    return made as unknown as Input;
  };
  const records: JournalRecord[] = [];
  let other = 0;
  for (const [i, position] of (rowsOf(packed.at) as number[]).entries()) {
    while (records.length < position) records.push(others[other++]!);
    records.push({ kind: 'inputs', tick: ticks[i]!, inputs: Array.from({ length: counts[i]! }, input) });
  }
  return [...records, ...others.slice(other)];
}

/** Values that are neither numbers nor texts nor flags are stored as they are. */
function columnOf(values: readonly unknown[]): Column {
  if (values.every((value) => typeof value === 'number'))
    return { numbers: planes(new Float64Array(values as number[])) };
  const isPlain = values.every((value) => typeof value === 'string' || typeof value === 'boolean');
  const distinct = [...new Set(values)];
  if (!isPlain || distinct.length > 0xffff) return { rows: values };
  const numberOf = new Map(distinct.map((value, number) => [value, number]));
  return { values: distinct, index: planes(new Uint16Array(values.map((value) => numberOf.get(value)!))) };
}

function rowsOf(column: Column): readonly unknown[] {
  if ('rows' in column) return column.rows;
  if ('numbers' in column) return [...new Float64Array(unplaned(column.numbers, 8))];
  return Array.from(new Uint16Array(unplaned(column.index, 2)), (number) => column.values[number]);
}

/** The first bytes of all numbers, then the second ones, and so on: those of equal significance resemble each other. */
function planes({ buffer, length, BYTES_PER_ELEMENT: size }: Float64Array | Uint16Array): Uint8Array {
  const bytes = new Uint8Array(buffer);
  const planes = new Uint8Array(bytes.length);
  for (let byte = 0, at = 0; byte < size; byte++)
    for (let i = 0; i < length; i++) planes[at++] = bytes[i * size + byte]!;
  return planes;
}

function unplaned(bytes: Uint8Array, size: number): ArrayBuffer {
  const length = bytes.length / size;
  const rows = new Uint8Array(bytes.length);
  for (let byte = 0, at = 0; byte < size; byte++) for (let i = 0; i < length; i++) rows[i * size + byte] = bytes[at++]!;
  return rows.buffer;
}

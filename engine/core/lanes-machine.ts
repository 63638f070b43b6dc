import { LOW } from './float-bits.ts';
import { LANE_FACTOR, LANE_TURN, laneCount } from './lanes.ts';

/**
 * `absorbRows` as a small program of WebAssembly, with four lanes in one register. It takes less than half of the time, the copy of the numbers into
 * its memory included. The program is put together here, instruction by instruction, when the first hasher of many numbers asks for it.
 */

/** The part of `WebAssembly` that is needed here. */
export interface Assembler {
  readonly Module: new (program: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}
declare const WebAssembly: Assembler | undefined;

interface Program {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Addresses and the `stride` from one row to the next in bytes; `count` rows are listed, of `pairs` of floats each. */
  readonly absorb: (list: number, count: number, table: number, stride: number, pairs: number) => void;
}

const pageBytes = 65_536;
/** 64 MiB: more than the bodies of any game. */
const pagesMax = 1024;
const pairBytes = 16;
const listedBytes = 4;
const lanesBytes = laneCount * 4;

/** Its memory holds the lanes, a list of rows and a table, all of which every call fills anew. */
export class LanesMachine {
  private readonly program: Program;
  private words: Int32Array;
  private floats: Float64Array;

  private constructor(program: Program) {
    this.program = program;
    this.words = new Int32Array(program.memory.buffer);
    this.floats = new Float64Array(program.memory.buffer);
  }

  /** Undefined where there is no WebAssembly, or a page's policy forbids it: then `absorbRows` is the only way. */
  static make(assembler: Assembler | undefined): LanesMachine | undefined {
    // Its memory has the low half of a float first on every machine, and typed arrays have not.
    if (assembler === undefined || LOW !== 0) return undefined;
    try {
      const known = compiled.get(assembler);
      const module = known ?? new assembler.Module(Uint8Array.from(programBytes()));
      if (known === undefined) compiled.set(assembler, module);
      return new LanesMachine(new assembler.Instance(module).exports as Program);
    } catch {
      return undefined;
    }
  }

  /** As `absorbRows`; more rows than one have an even `width`. False where the numbers have no room: then nothing was done. */
  absorb(
    lanes: Int32Array,
    table: Float64Array,
    rows: Int32Array,
    count: number,
    stride: number,
    width: number,
  ): boolean {
    const start = Math.ceil((lanesBytes + count * listedBytes) / pairBytes) * pairBytes;
    // A row of an odd width ends in a float of zeros.
    if (!this.reserve(start + table.byteLength + pairBytes)) return false;
    const { words, floats, program } = this;
    words.set(lanes);
    words.set(rows.subarray(0, count), lanesBytes / words.BYTES_PER_ELEMENT);
    floats.set(table, start / floats.BYTES_PER_ELEMENT);
    floats[start / floats.BYTES_PER_ELEMENT + table.length] = 0;
    program.absorb(lanesBytes, count, start, stride * floats.BYTES_PER_ELEMENT, Math.ceil(width / 2));
    for (let i = 0; i < laneCount; i++) lanes[i] = words[i]!;
    return true;
  }

  private reserve(bytes: number): boolean {
    const { memory } = this.program;
    const missing = Math.ceil((bytes - this.words.byteLength) / pageBytes);
    if (missing <= 0) return true;
    try {
      memory.grow(missing);
    } catch {
      return false;
    }
    this.words = new Int32Array(memory.buffer);
    this.floats = new Float64Array(memory.buffer);
    return true;
  }
}

/** By host. A program never changes, so that all hashers may have the same. */
const compiled = new WeakMap<Assembler, object>();

export function hostAssembler(): Assembler | undefined {
  return typeof WebAssembly === 'undefined' ? undefined : WebAssembly;
}

type Code = readonly number[];

/** LEB128, as all numbers of the format are. */
function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  const isLast = value >= -64 && value < 64;
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const sized = (code: Code): Code => [...unsigned(code.length), ...code];
const section = (id: number, items: readonly Code[]): Code => [id, ...sized(list(items))];
const named = (name: string): Code => sized(Array.from(name, (letter) => letter.charCodeAt(0)));

const I32 = 0x7f;
const V128 = 0x7b;
const VOID = 0x40;
const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const number = (value: number): Code => [0x41, ...signed(value)];
const block = (...body: readonly Code[]): Code => [0x02, VOID, ...body.flat(), 0x0b];
const loop = (...body: readonly Code[]): Code => [0x03, VOID, ...body.flat(), 0x0b];
/** To the end of a block or the start of a loop, counted from the innermost. */
const branch = (depth: number): Code => [0x0c, depth];
const branchIf = (depth: number): Code => [0x0d, depth];
const loadInteger: Code = [0x28, 2, 0];
const isZero: Code = [0x45];
const isBelow: Code = [0x48];
const isAtMost: Code = [0x4c];
const add: Code = [0x6a];
const subtract: Code = [0x6b];
const multiply: Code = [0x6c];
const vector = (operation: number): Code => [0xfd, ...unsigned(operation)];
const loadVector = (offset: number): Code => [...vector(0x00), 3, ...unsigned(offset)];
const storeVector = (offset: number): Code => [...vector(0x0b), 3, ...unsigned(offset)];
const or = vector(0x50);
const xor = vector(0x51);
const areNotEqual = vector(0x48);
const shiftLeft = vector(0xab);
const shiftRight = vector(0xad);
const multiplyLanes = vector(0xb5);
const allLanes = (value: number): Code => [...number(value), ...vector(0x11)];

function programBytes(): Code {
  const [listed, count, table, stride, pairs, at, left, word] = [0, 1, 2, 3, 4, 5, 6, 7];
  const integers = 2;
  const groups = Array.from({ length: laneCount / 4 }, (_, i) => word + 1 + i);

  /** The pair of floats at a place of the row goes into four lanes. */
  const absorbPair = (group: number, place: number): Code => [
    ...[...get(at), ...loadVector(place * pairBytes), ...set(word)],
    // Nothing but a NaN is not equal to itself: all its bits are set.
    ...[...get(word), ...get(word), ...get(word), ...areNotEqual, ...or],
    ...[...get(group), ...xor, ...set(word)],
    ...[...get(word), ...number(LANE_TURN), ...shiftLeft],
    ...[...get(word), ...number(32 - LANE_TURN), ...shiftRight, ...or],
    ...[...allLanes(LANE_FACTOR | 0), ...multiplyLanes, ...set(group)],
  ];
  const eachGroup = (code: (group: number, place: number) => Code): Code => groups.flatMap(code);

  const body: Code = [
    ...eachGroup((group, i) => [...number(0), ...loadVector(i * pairBytes), ...set(group)]),
    ...block(
      loop(
        [...get(count), ...isZero, ...branchIf(1)],
        [...get(table), ...get(listed), ...loadInteger, ...get(stride), ...multiply, ...add, ...set(at)],
        [...get(pairs), ...set(left)],
        block(
          loop(
            [...get(left), ...number(groups.length), ...isBelow, ...branchIf(1)],
            eachGroup(absorbPair),
            [...get(at), ...number(groups.length * pairBytes), ...add, ...set(at)],
            [...get(left), ...number(groups.length), ...subtract, ...set(left)],
            branch(0),
          ),
        ),
        block(
          eachGroup((group, i) => [...get(left), ...number(i), ...isAtMost, ...branchIf(0), ...absorbPair(group, i)]),
        ),
        [...get(listed), ...number(listedBytes), ...add, ...set(listed)],
        [...get(count), ...number(1), ...subtract, ...set(count)],
        branch(0),
      ),
    ),
    ...eachGroup((group, i) => [...number(0), ...get(group), ...storeVector(i * pairBytes)]),
    0x0b,
  ];
  const locals = list([
    [integers, I32],
    [1 + groups.length, V128],
  ]);
  return [
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [[0x60, 5, I32, I32, I32, I32, I32, 0]]),
    ...section(3, [[0]]),
    ...section(5, [[0x01, 1, ...unsigned(pagesMax)]]),
    ...section(7, [
      [...named('memory'), 0x02, 0],
      [...named('absorb'), 0x00, 0],
    ]),
    ...section(10, [sized([...locals, ...body])]),
  ];
}

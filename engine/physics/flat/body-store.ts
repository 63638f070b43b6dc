import { enlarged } from '../../core/enlarged.ts';
import { IndexSet } from '../../core/index-set.ts';
import { type Box, isCircle, type Shape } from '../shape.ts';
import { at, bodyTypes, flagNames, staticType, stride, surfaceFields } from './body-fields.ts';
import { cornerStride, noOutline, outlineOf } from './outline.ts';

/** Marks the end of a body's list of contacts. */
export const noEdge = -1;

/** Numbers per body in `sineCosineCache`: angle, sine and cosine, twice. */
export const sineCosineCacheStride = 6;
const turnAngles = [0, 3] as const;

/** The margin that `setReach` adds, in metres. It exceeds the rounding error of a distance. */
const reachMargin = 1e-6;

const bytes = [...flagNames, 'mobile', 'type', 'sensor'] as const;
const integers = ['stamp', 'contactCount', 'firstEdge', 'leaf', 'rank'] as const;
const floats = [...surfaceFields, 'entity'] as const;

/**
 * All bodies as rows of numbers; each body has one shape. A row belongs to one body as long as the body exists, and is
 * then reused.
 *
 * Each body also has a rank, which is higher the newer the body is. The results of a step depend on the order of
 * planck's list, from the newest body to the oldest. Walking down the ranks gives the same order, and a set of ranks
 * can leave out all bodies at rest.
 */
export class BodyStore {
  private capacity = 16;
  /** The numbers of each body: `stride` per row, at the offsets in `at`. */
  numbers = new Float64Array(this.capacity * stride);
  awake = new Uint8Array(this.capacity);
  /**
   * 1 for bodies that are awake and not static. Only these bodies move, and contacts are updated only if one of their
   * bodies is mobile.
   */
  mobile = new Uint8Array(this.capacity);
  /** An index of `bodyTypes`. */
  type = new Uint8Array(this.capacity);
  maySleep = new Uint8Array(this.capacity);
  bullet = new Uint8Array(this.capacity);
  fixedRotation = new Uint8Array(this.capacity);
  sensor = new Uint8Array(this.capacity);
  /** The step in which the body was last part of an island. */
  stamp = new Int32Array(this.capacity);
  /** The number of contacts, touching or not. */
  contactCount = new Int32Array(this.capacity);
  /** The newest contact of the body, in `ContactStore.nextEdges`. */
  firstEdge = new Int32Array(this.capacity);
  /** The node with the body's box in the arrays of the broad phase's tree, even if the box is in the grid instead. */
  leaf = new Int32Array(this.capacity);
  rank = new Int32Array(this.capacity);
  friction = new Float64Array(this.capacity);
  restitution = new Float64Array(this.capacity);
  density = new Float64Array(this.capacity);
  category = new Float64Array(this.capacity);
  mask = new Float64Array(this.capacity);
  entity = new Float64Array(this.capacity);
  /** Angles whose sine and cosine are known; see `computeSineAndCosine`. */
  sineCosineCache = new Float64Array(this.capacity * sineCosineCacheStride);
  shapes: (Shape | undefined)[] = [];
  outlines: Float64Array[] = [];

  /** The row of the body with a rank; -1 if that body is gone. */
  rowByRank = new Int32Array(this.capacity);
  /** All ranks in use are below this number. */
  rankCount = 0;
  /** Ranks of mobile bodies. */
  readonly mobileRanks = new IndexSet();
  /** Ranks of bodies that the current step has moved. */
  readonly movedRanks = new IndexSet();

  private readonly free: number[] = [];
  private rowCount = 0;

  /** Makes room for this number of bodies. */
  reserve(bodies: number): void {
    let { capacity } = this;
    while (capacity < bodies) capacity *= 2;
    if (capacity > this.capacity) this.growTo(capacity);
    if (bodies > this.rowByRank.length) this.rowByRank = enlarged(this.rowByRank, capacity);
    this.reserveRanks();
  }

  /**
   * Adds the newest body and returns its row. The body is static and asleep, and its numbers are zeros, except those of
   * its shape.
   */
  add(shape: Shape, isSensor: boolean): number {
    const freed = this.free.pop();
    const row = freed ?? this.rowCount++;
    if (row >= this.capacity) this.growTo(this.capacity * 2);
    if (this.rankCount === this.rowByRank.length) this.renumber();
    if (freed !== undefined) {
      this.numbers.fill(0, row * stride, (row + 1) * stride);
      for (const name of [...bytes, ...integers, ...floats] as const) this[name][row] = 0;
    }
    for (const angle of turnAngles) this.sineCosineCache[row * sineCosineCacheStride + angle] = NaN;
    this.firstEdge[row] = noEdge;
    this.rank[row] = this.rankCount;
    this.rowByRank[this.rankCount++] = row;
    this.reserveRanks();
    this.shapes[row] = shape;
    this.outlines[row] = outlineOf(shape);
    this.sensor[row] = isSensor ? 1 : 0;
    const i = row * stride;
    this.numbers[i + at.radius] = shape.m_radius;
    if (isCircle(shape)) {
      this.numbers[i + at.circleX] = shape.m_p.x;
      this.numbers[i + at.circleY] = shape.m_p.y;
    }
    return row;
  }

  remove(row: number): void {
    this.mobileRanks.delete(this.rank[row]!);
    this.movedRanks.delete(this.rank[row]!);
    this.rowByRank[this.rank[row]!] = -1;
    this.shapes[row] = undefined;
    this.outlines[row] = noOutline;
    this.free.push(row);
  }

  /** A number of a body; `field` is an offset from `at`. */
  get(row: number, field: number): number {
    return this.numbers[row * stride + field]!;
  }

  shapeOf(row: number): Shape {
    return this.shapes[row]!;
  }

  /** The shape of a body that is not a circle. */
  boxOf(row: number): Box {
    return this.shapes[row] as Box;
  }

  isCircle(row: number): boolean {
    return this.outlines[row]!.length === 0;
  }

  /** All rows, the newest first, as in planck's list of bodies. */
  newestFirst(): number[] {
    return Array.from(this.rowByRank.subarray(0, this.rankCount))
      .filter((row) => row >= 0)
      .reverse();
  }

  setType(row: number, name: (typeof bodyTypes)[number]): void {
    this.type[row] = bodyTypes.indexOf(name);
    this.setAwake(row, this.awake[row] === 1);
  }

  /**
   * Sets only the flags `awake` and `mobile`. The function `setAwake` of `body.ts` also resets the time to sleep, the
   * velocity and the forces.
   */
  setAwake(row: number, isAwake: boolean): void {
    const isMobile = isAwake && this.type[row] !== staticType;
    this.awake[row] = isAwake ? 1 : 0;
    this.mobile[row] = isMobile ? 1 : 0;
    if (isMobile) this.mobileRanks.add(this.rank[row]!);
    else this.mobileRanks.delete(this.rank[row]!);
  }

  /** Computes how far the shape reaches from the centre of mass, in metres, including a margin for rounding errors. */
  setReach(row: number): void {
    const { numbers: n } = this;
    const i = row * stride;
    const x = n[i + at.localCentreX]!;
    const y = n[i + at.localCentreY]!;
    const outline = this.outlines[row]!;
    let farthest = this.isCircle(row) ? distance(n[i + at.circleX]! - x, n[i + at.circleY]! - y) : 0;
    for (let c = 0; c < outline.length; c += cornerStride)
      farthest = Math.max(farthest, distance(outline[c]! - x, outline[c + 1]! - y));
    n[i + at.reach] = farthest + n[i + at.radius]! + reachMargin;
  }

  private growTo(capacity: number) {
    this.capacity = capacity;
    this.numbers = enlarged(this.numbers, capacity * stride);
    this.sineCosineCache = enlarged(this.sineCosineCache, capacity * sineCosineCacheStride);
    for (const name of bytes) this[name] = enlarged(this[name], capacity);
    for (const name of integers) this[name] = enlarged(this[name], capacity);
    for (const name of floats) this[name] = enlarged(this[name], capacity);
  }

  /**
   * Closes the gaps among the ranks. This is rare, because half of the ranks are then free for new bodies. Must not be
   * called during a step.
   */
  private renumber() {
    const { rowByRank } = this;
    let count = 0;
    for (let rank = 0; rank < this.rankCount; rank++) {
      const row = rowByRank[rank]!;
      if (row === -1) continue;
      rowByRank[count] = row;
      this.rank[row] = count++;
    }
    this.rankCount = count;
    if (count * 2 > rowByRank.length) this.rowByRank = enlarged(rowByRank, rowByRank.length * 2);
    this.reserveRanks();
    this.mobileRanks.clear();
    for (let rank = 0; rank < count; rank++) if (this.mobile[this.rowByRank[rank]!] === 1) this.mobileRanks.add(rank);
  }

  private reserveRanks() {
    this.mobileRanks.reserve(this.rowByRank.length);
    this.movedRanks.reserve(this.rowByRank.length);
  }
}

function distance(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

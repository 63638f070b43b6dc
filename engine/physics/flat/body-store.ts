import { grown } from '../../core/grown.ts';
import { bodyTypes, flagNames, staticType, stride } from './body-fields.ts';
import type { EdgeNode, FixtureNode } from './graph.ts';
import { RankSet } from './rank-set.ts';

/** The `leaf` of a body whose fixtures have not been looked at since they changed, and of one that has no single leaf. */
export const unknownLeaf = -2;
export const noLeaf = -1;
/** Where the list of contacts of a body ends. */
export const noEdge = -1;

/** A body, to its store. */
export interface RowOwner {
  readonly m_fixtureList: FixtureNode | null;
  readonly m_contactList: EdgeNode | null;
  /** Makes it a view of another row, which holds its numbers already. */
  moveTo(store: BodyStore, row: number): void;
  synchronizeFixtures(): void;
}

/** Numbers from the remembered turns of one body to those of the next: two of angle, sine and cosine. */
export const turnStride = 6;
const turnAngles = [0, 3] as const;

/**
 * All bodies of a world as rows of numbers. Bodies of planck are views of these rows, so that its own code, ours and a snapshot see the same
 * numbers. A row belongs to one body for as long as that is in the world; then it is used again.
 *
 * Bodies also have a rank: the newer, the higher. Results of a step depend on the order of planck's list, from the newest body to the oldest. A walk
 * down the ranks has the same order, and a set of ranks leaves out everything at rest.
 */
export class BodyStore {
  /** By row, `stride` apart. */
  numbers: Float64Array;
  awake: Uint8Array;
  /** 1 for what is awake and not static. Only such bodies move, and only their contacts are looked at. */
  lively: Uint8Array;
  /** A place in `bodyTypes`. */
  type: Uint8Array;
  active: Uint8Array;
  maySleep: Uint8Array;
  bullet: Uint8Array;
  fixedRotation: Uint8Array;
  /** The step in which the body was last part of an island. */
  stamp: Int32Array;
  /** How many contacts the body has, touching or not. */
  contactCount: Int32Array;
  /** The newest contact of the body, in `ContactStore.nextEdges`. */
  firstEdge: Int32Array;
  /** The leaf of the only shape of a body; `noLeaf` if it has more than one or none that the step knows, `unknownLeaf` if not found out yet. */
  leaf: Int32Array;
  /** Angles whose sine and cosine are known. */
  turns: Float64Array;
  bodies: (RowOwner | undefined)[] = [];

  /** By rank, the row of a body; -1 for ranks that have been left. */
  order: Int32Array;
  /** All ranks in use are below. */
  rankCount = 0;
  /** Ranks of lively bodies. */
  readonly lives = new RankSet();
  /** Ranks of bodies that the present step has moved. */
  readonly moved = new RankSet();

  private readonly free: number[] = [];
  private capacity: number;
  private count = 0;
  private rank: Int32Array;

  constructor(capacity = 64) {
    this.capacity = capacity;
    this.numbers = new Float64Array(capacity * stride);
    this.awake = new Uint8Array(capacity);
    this.lively = new Uint8Array(capacity);
    this.type = new Uint8Array(capacity);
    this.active = new Uint8Array(capacity);
    this.maySleep = new Uint8Array(capacity);
    this.bullet = new Uint8Array(capacity);
    this.fixedRotation = new Uint8Array(capacity);
    this.stamp = new Int32Array(capacity);
    this.contactCount = new Int32Array(capacity);
    this.firstEdge = new Int32Array(capacity);
    this.leaf = new Int32Array(capacity);
    this.turns = new Float64Array(capacity * turnStride);
    this.order = new Int32Array(capacity);
    this.rank = new Int32Array(capacity);
  }

  /** How many rows belong to a body. */
  get bodyCount(): number {
    return this.count - this.free.length;
  }

  /** Room for so many bodies at once, where it is known that they come. */
  reserve(bodies: number): void {
    let { capacity } = this;
    while (capacity < bodies) capacity *= 2;
    if (capacity > this.capacity) this.growTo(capacity);
    if (bodies <= this.order.length) return;
    this.order = grown(this.order, capacity);
    this.reserveRanks();
  }

  /** A row for a new body, which is the newest. */
  add(body: RowOwner): number {
    const left = this.free.pop();
    const row = left ?? this.count++;
    if (row >= this.capacity) this.growTo(this.capacity * 2);
    if (this.rankCount === this.order.length) this.renumber();
    // A row that no body has had yet is zeros.
    if (left !== undefined) this.numbers.fill(0, row * stride, (row + 1) * stride);
    this.stamp[row] = 0;
    this.contactCount[row] = 0;
    this.firstEdge[row] = noEdge;
    this.leaf[row] = unknownLeaf;
    for (const angle of turnAngles) this.turns[row * turnStride + angle] = Number.NaN;
    this.bodies[row] = body;
    this.awake[row] = 0;
    this.type[row] = staticType;
    this.lively[row] = 0;
    this.rank[row] = this.rankCount;
    this.order[this.rankCount++] = row;
    this.reserveRanks();
    return row;
  }

  /** Gives a row back; the body keeps its numbers in a store of its own, as planck's destroyed bodies do. */
  remove(row: number): void {
    const body = this.bodies[row]!;
    const own = new BodyStore(1);
    body.moveTo(own, own.takeOver(this, row, body));
    this.lives.delete(this.rank[row]!);
    this.moved.delete(this.rank[row]!);
    this.order[this.rank[row]!] = -1;
    this.bodies[row] = undefined;
    this.free.push(row);
  }

  setAwake(row: number, isAwake: boolean): void {
    this.setFlag('awake', row, isAwake);
    this.updateLively(row);
  }

  setFlag(name: (typeof flagNames)[number], row: number, isSet: boolean): void {
    this[name][row] = isSet ? 1 : 0;
  }

  setType(row: number, name: (typeof bodyTypes)[number]): void {
    this.type[row] = bodyTypes.indexOf(name);
    this.updateLively(row);
  }

  rankOf(row: number): number {
    return this.rank[row]!;
  }

  private updateLively(row: number): void {
    const isLively = this.awake[row] === 1 && this.type[row] !== staticType;
    this.lively[row] = isLively ? 1 : 0;
    if (isLively) this.lives.add(this.rank[row]!);
    else this.lives.delete(this.rank[row]!);
  }

  private takeOver(from: BodyStore, row: number, body: RowOwner): number {
    const own = this.add(body);
    this.numbers.set(from.numbers.subarray(row * stride, (row + 1) * stride), own * stride);
    for (const flag of [...flagNames, 'type'] as const) this[flag][own] = from[flag][row]!;
    return own;
  }

  private growTo(capacity: number): void {
    this.capacity = capacity;
    this.numbers = grown(this.numbers, capacity * stride);
    this.turns = grown(this.turns, capacity * turnStride);
    this.stamp = grown(this.stamp, capacity);
    this.contactCount = grown(this.contactCount, capacity);
    this.firstEdge = grown(this.firstEdge, capacity);
    this.leaf = grown(this.leaf, capacity);
    this.rank = grown(this.rank, capacity);
    for (const flag of [...flagNames, 'lively', 'type'] as const) this[flag] = grown(this[flag], capacity);
  }

  /** Closes the gaps among the ranks. Half of them stay free for bodies to come, so that this is rare. Never during a step. */
  private renumber(): void {
    const { order } = this;
    let count = 0;
    for (let rank = 0; rank < this.rankCount; rank++) {
      const row = order[rank]!;
      if (row === -1) continue;
      order[count] = row;
      this.rank[row] = count++;
    }
    this.rankCount = count;
    if (count * 2 > order.length) this.order = grown(order, order.length * 2);
    this.reserveRanks();
    this.lives.clear();
    for (let rank = 0; rank < count; rank++) {
      const row = this.order[rank]!;
      if (this.lively[row] === 1) this.lives.add(rank);
    }
  }

  private reserveRanks(): void {
    this.lives.reserve(this.order.length);
    this.moved.reserve(this.order.length);
  }
}

import { enlarged } from '../../core/enlarged.ts';
import { type BodyStore, noEdge } from './body-store.ts';
import { PairTable } from './pair-table.ts';

/** Bits of the flags of a contact. Only contacts with exactly the flags `touching` and `enabled` are solved. */
export const ContactFlag = { touching: 1, enabled: 2, sensor: 4 } as const;
export const isSolved = ContactFlag.touching | ContactFlag.enabled;

/** The two shapes of a contact. In a contact of a box and a circle, the box is the first body. */
export const ContactKind = { circles: 0, boxCircle: 1, boxes: 2 } as const;
type ContactKind = (typeof ContactKind)[keyof typeof ContactKind];

/** Each contact has two elements in `ends`: the rows of its bodies. */
export const endStride = 2;

/**
 * planck's kinds of manifold: between two circles, or with the normal of a face of the first (A) or second (B) body.
 */
export const ManifoldType = { circles: 0, faceA: 1, faceB: 2 } as const;

/**
 * The offsets of a manifold's numbers, in the order of snapshots. All of them are in the frames of the bodies. The
 * numbers of the second point follow those of the first.
 */
export const Manifold = { normalX: 0, normalY: 1, pointX: 2, pointY: 3, points: 4 } as const;
/**
 * The offsets of the numbers of a manifold's point: its position, its impulses in the last step, and the corners or
 * sides of the shapes that produced it (`features`), by which the next step recognises the same point.
 */
export const ManifoldPoint = { x: 0, y: 1, normalImpulse: 2, tangentImpulse: 3, features: 4 } as const;
export const featureCount = 4;
export const manifoldPointStride = ManifoldPoint.features + featureCount;
export const manifoldStride = Manifold.points + 2 * manifoldPointStride;

const bytes = ['flags', 'kinds', 'pointCounts', 'manifoldTypes', 'impactCounts', 'impactsKnown'] as const;
const integers = ['stamps', 'impactStamps', 'order', 'places'] as const;
const floats = ['friction', 'restitution', 'impacts'] as const;

/** All contacts, touching or not, as rows of numbers; in order of creation, and by their pair of bodies. */
export class ContactStore {
  private capacity = 16;
  ends = new Int32Array(this.capacity * endStride);
  /** Bits of `ContactFlag`. */
  flags = new Uint8Array(this.capacity);
  kinds = new Uint8Array(this.capacity);
  /** The step in which a contact was last part of an island. */
  stamps = new Int32Array(this.capacity);
  /**
   * Linked lists of the contacts of each body. A contact has two edges: number 2 * row for its first body, and the
   * following number for its second.
   */
  nextEdges = new Int32Array(this.capacity * 2);
  pointCounts = new Uint8Array(this.capacity);
  manifoldTypes = new Uint8Array(this.capacity);
  /** The numbers of the manifolds, which are `manifoldStride` apart. */
  manifolds = new Float64Array(this.capacity * manifoldStride);
  friction = new Float64Array(this.capacity);
  restitution = new Float64Array(this.capacity);

  // The number of the step, as counted by `ImpactSolver`, for which the element of `impacts` is valid.
  impactStamps = new Int32Array(this.capacity);
  /** The fraction of the step at which the two bodies meet, if known; 1 if they do not meet. */
  impacts = new Float64Array(this.capacity);
  impactsKnown = new Uint8Array(this.capacity);
  impactCounts = new Uint8Array(this.capacity);

  /** Rows in order of creation, the newest last; -1 where a contact has ended. planck's list is the reverse. */
  order = new Int32Array(this.capacity);
  orderCount = 0;
  private ended = 0;
  private places = new Int32Array(this.capacity);
  private formerEdges = new Int32Array(this.capacity * 2);

  private readonly pairs = new PairTable();
  private readonly free: number[] = [];
  private rowCount = 0;

  constructor(private readonly bodies: BodyStore) {}

  get count(): number {
    return this.orderCount - this.ended;
  }

  has(bodyA: number, bodyB: number): boolean {
    return this.pairs.has(bodyA, bodyB);
  }

  /** Adds a contact of two bodies that do not touch yet. Returns its row. */
  add(older: number, newer: number): number {
    const { bodies } = this;
    const row = this.free.pop() ?? this.rowCount++;
    if (row >= this.capacity || this.orderCount === this.order.length) this.growTo(this.capacity * 2);
    const isTurned = bodies.isCircle(older) && !bodies.isCircle(newer);
    const bodyA = isTurned ? newer : older;
    const bodyB = isTurned ? older : newer;
    this.ends[row * endStride] = bodyA;
    this.ends[row * endStride + 1] = bodyB;
    this.pairs.set(bodyA, bodyB, row);
    this.kinds[row] = this.kindOf(bodyA, bodyB);
    const isSensor = bodies.sensor[bodyA] === 1 || bodies.sensor[bodyB] === 1;
    this.flags[row] = ContactFlag.enabled | (isSensor ? ContactFlag.sensor : 0);
    this.friction[row] = Math.sqrt(bodies.friction[bodyA]! * bodies.friction[bodyB]!);
    const { restitution } = bodies;
    this.restitution[row] = restitution[bodyA]! > restitution[bodyB]! ? restitution[bodyA]! : restitution[bodyB]!;
    this.pointCounts[row] = 0;
    this.stamps[row] = 0;
    this.impactStamps[row] = 0;
    this.places[row] = this.orderCount;
    this.order[this.orderCount++] = row;
    this.link(row * 2, bodyA);
    this.link(row * 2 + 1, bodyB);
    return row;
  }

  remove(row: number): void {
    const bodyA = this.ends[row * endStride]!;
    const bodyB = this.ends[row * endStride + 1]!;
    this.pairs.delete(bodyA, bodyB, row);
    this.unlink(row * 2, bodyA);
    this.unlink(row * 2 + 1, bodyB);
    this.order[this.places[row]!] = -1;
    this.ended++;
    this.free.push(row);
  }

  /** The body at the other end of an edge. */
  otherEnd(edge: number): number {
    return this.ends[(edge >> 1) * endStride + 1 - (edge & 1)]!;
  }

  /** Closes the gaps that ended contacts left. Must not be called while `order` is walked. */
  compact(): void {
    if (this.ended * 2 < this.orderCount) return;
    const { order, places } = this;
    let count = 0;
    for (let i = 0; i < this.orderCount; i++) {
      const row = order[i]!;
      if (row === -1) continue;
      places[row] = count;
      order[count++] = row;
    }
    this.orderCount = count;
    this.ended = 0;
  }

  private kindOf(bodyA: number, bodyB: number): ContactKind {
    if (this.bodies.isCircle(bodyA)) return ContactKind.circles;
    return this.bodies.isCircle(bodyB) ? ContactKind.boxCircle : ContactKind.boxes;
  }

  /** Inserts an edge at the start of the list of a body, as planck does. */
  private link(edge: number, body: number) {
    const { firstEdge, contactCount } = this.bodies;
    const next = firstEdge[body]!;
    this.nextEdges[edge] = next;
    this.formerEdges[edge] = noEdge;
    if (next !== noEdge) this.formerEdges[next] = edge;
    firstEdge[body] = edge;
    contactCount[body]!++;
  }

  private unlink(edge: number, body: number) {
    const { firstEdge, contactCount } = this.bodies;
    const next = this.nextEdges[edge]!;
    const former = this.formerEdges[edge]!;
    if (former === noEdge) firstEdge[body] = next;
    else this.nextEdges[former] = next;
    if (next !== noEdge) this.formerEdges[next] = former;
    contactCount[body]!--;
  }

  private growTo(capacity: number) {
    this.capacity = capacity;
    this.ends = enlarged(this.ends, capacity * endStride);
    this.nextEdges = enlarged(this.nextEdges, capacity * 2);
    this.formerEdges = enlarged(this.formerEdges, capacity * 2);
    this.manifolds = enlarged(this.manifolds, capacity * manifoldStride);
    for (const name of bytes) this[name] = enlarged(this[name], capacity);
    for (const name of integers) this[name] = enlarged(this[name], capacity);
    for (const name of floats) this[name] = enlarged(this[name], capacity);
  }
}

import { grown } from '../../core/grown.ts';
import type { Manifold, PolygonShape } from '../planck/planck.ts';
import { type BodyStore, noEdge } from './body-store.ts';
import { ContactFlag, FlatContact } from './contact.ts';
import type { FixtureNode } from './graph.ts';
import { isCircle, isPolygon, outlineOf } from './outline.ts';
import { PairTable } from './pair-table.ts';

/** The facts of a contact that need no help of planck. */
export const ContactKind = {
  /** Anything that the step leaves to planck. */
  other: 0,
  circles: 1,
  circlesSensor: 2,
  polygonCircle: 3,
  polygonCircleSensor: 4,
  polygons: 5,
  polygonsSensor: 6,
} as const;
export type ContactKind = (typeof ContactKind)[keyof typeof ContactKind];

/** Of a contact in `ends`, `endStride` apart: rows of its bodies and leaves of its fixtures. */
export const endStride = 4;

/** Of a contact in `shapes`, `shapeStride` apart: centres of its circles in the frames of their bodies, and both radii. */
export const shapeStride = 6;

const noOutline = new Float64Array(0);

/** The contacts of a world in the order of their making, in rows of numbers, and by the pair of their leaves. */
export class ContactStore {
  contacts: FlatContact[] = [];
  /** The points of the manifolds, which a contact has for ever. */
  points: Manifold['points'][] = [];
  ends = new Int32Array(64 * endStride);
  /** Bits of `ContactFlag`. */
  flags = new Uint8Array(64);
  /** The step in which a contact was last part of an island. */
  stamps = new Int32Array(64);
  /** The lists of a body's contacts, as planck's edges. Each contact has two: 2 * row for its first body, and the next for its second. */
  nextEdges = new Int32Array(128);
  kinds = new Uint8Array(64);
  /** 1 where planck has to look whether the two may still collide. */
  toFilter = new Uint8Array(64);
  /** 1 where the manifold was made by somebody else, or for other kinds of fixtures, and has to be made in full. */
  stale = new Uint8Array(64);
  shapes = new Float64Array(64 * shapeStride);
  /** Outlines of polygons; empty for circles. */
  outlinesA: Float64Array[] = [];
  outlinesB: Float64Array[] = [];

  /** Rows by age, the newest last; -1 where a contact has ended. planck's list is the same from the other end. */
  order = new Int32Array(64);
  orderCount = 0;
  private ended = 0;
  private formerEdges = new Int32Array(128);
  private places = new Int32Array(64);

  private readonly bodies: BodyStore;
  private readonly pairs = new PairTable();
  private readonly spare: FlatContact[] = [];

  constructor(bodies: BodyStore) {
    this.bodies = bodies;
  }

  /** Whether these leaves have a contact. */
  has(leafA: number, leafB: number): boolean {
    return this.pairs.has(leafA, leafB);
  }

  /** A contact of no bodies. */
  take(): FlatContact {
    return this.spare.pop() ?? new FlatContact(this);
  }

  /** Keeps a contact whose fixtures are set, as the newest. */
  add(contact: FlatContact): void {
    if (contact.row === -1) {
      contact.row = this.contacts.length;
      this.contacts.push(contact);
      this.points.push(contact.m_manifold.points);
    }
    const { row } = contact;
    if (row >= this.kinds.length || this.orderCount === this.order.length) this.makeRoom();
    this.places[row] = this.orderCount;
    this.order[this.orderCount++] = row;
    this.toFilter[row] = 0;
    this.stamps[row] = 0;
    this.flags[row] = ContactFlag.enabled;
    this.describe(contact);
    this.link(row * 2, this.ends[row * endStride]!);
    this.link(row * 2 + 1, this.ends[row * endStride + 1]!);
  }

  remove(contact: FlatContact): void {
    const { row } = contact;
    const end = row * endStride;
    this.pairs.delete(this.ends[end + 2]!, this.ends[end + 3]!, row);
    this.unlink(row * 2, this.ends[end]!);
    this.unlink(row * 2 + 1, this.ends[end + 1]!);
    this.order[this.places[row]!] = -1;
    this.ended++;
    contact.impactStamp = 0;
    contact.recycle();
    this.spare.push(contact);
  }

  refresh(contact: FlatContact): void {
    const { row } = contact;
    const end = row * endStride;
    this.pairs.delete(this.ends[end + 2]!, this.ends[end + 3]!, row);
    this.describe(contact);
    this.stale[row] = 1;
  }

  /** Closes the gaps of contacts that ended. Not while anybody walks over the order. */
  tidy(): void {
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

  private describe(contact: FlatContact): void {
    const { row, m_fixtureA: a, m_fixtureB: b } = contact;
    const end = row * endStride;
    const leafA = a.m_proxies[contact.m_indexA]!.leaf;
    const leafB = b.m_proxies[contact.m_indexB]!.leaf;
    this.ends[end] = a.m_body.row;
    this.ends[end + 1] = b.m_body.row;
    this.ends[end + 2] = leafA;
    this.ends[end + 3] = leafB;
    this.pairs.set(leafA, leafB, row);
    this.kinds[row] = kindOf(a, b);
    this.flags[row]! &= ~ContactFlag.sensor;
    if (a.m_isSensor || b.m_isSensor) this.flags[row]! |= ContactFlag.sensor;
    this.stale[row] = 0;
    const shape = row * shapeStride;
    this.setCentre(shape, a);
    this.setCentre(shape + 2, b);
    this.shapes[shape + 4] = a.m_shape.m_radius;
    this.shapes[shape + 5] = b.m_shape.m_radius;
    this.outlinesA[row] = outline(a);
    this.outlinesB[row] = outline(b);
  }

  /** At the start of the list of a body, where planck puts it. */
  private link(edge: number, body: number): void {
    const { firstEdge, contactCount } = this.bodies;
    const next = firstEdge[body]!;
    this.nextEdges[edge] = next;
    this.formerEdges[edge] = noEdge;
    if (next !== noEdge) this.formerEdges[next] = edge;
    firstEdge[body] = edge;
    contactCount[body]!++;
  }

  private unlink(edge: number, body: number): void {
    const { firstEdge, contactCount } = this.bodies;
    const next = this.nextEdges[edge]!;
    const former = this.formerEdges[edge]!;
    if (former === noEdge) firstEdge[body] = next;
    else this.nextEdges[former] = next;
    if (next !== noEdge) this.formerEdges[next] = former;
    contactCount[body]!--;
  }

  private setCentre(place: number, { m_shape }: FixtureNode): void {
    const isRound = isCircle(m_shape);
    const { x, y } = isRound ? (m_shape as unknown as { m_p: { x: number; y: number } }).m_p : { x: 0, y: 0 };
    this.shapes[place] = x;
    this.shapes[place + 1] = y;
  }

  private makeRoom(): void {
    const rows = Math.max(this.contacts.length, this.kinds.length) * 2;
    this.ends = grown(this.ends, rows * endStride);
    this.flags = grown(this.flags, rows);
    this.stamps = grown(this.stamps, rows);
    this.nextEdges = grown(this.nextEdges, rows * 2);
    this.formerEdges = grown(this.formerEdges, rows * 2);
    this.kinds = grown(this.kinds, rows);
    this.toFilter = grown(this.toFilter, rows);
    this.stale = grown(this.stale, rows);
    this.shapes = grown(this.shapes, rows * shapeStride);
    this.places = grown(this.places, rows);
    this.order = grown(this.order, rows);
  }
}

function outline({ m_shape }: FixtureNode): Float64Array {
  return isPolygon(m_shape) ? outlineOf(m_shape as PolygonShape) : noOutline;
}

function kindOf(a: FixtureNode, b: FixtureNode): ContactKind {
  const isSensor = a.m_isSensor || b.m_isSensor;
  if (isCircle(a.m_shape) && isCircle(b.m_shape)) return isSensor ? ContactKind.circlesSensor : ContactKind.circles;
  if (!isPolygon(a.m_shape)) return ContactKind.other;
  if (isCircle(b.m_shape)) return isSensor ? ContactKind.polygonCircleSensor : ContactKind.polygonCircle;
  if (isPolygon(b.m_shape)) return isSensor ? ContactKind.polygonsSensor : ContactKind.polygons;
  return ContactKind.other;
}

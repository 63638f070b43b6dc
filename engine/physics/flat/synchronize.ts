import type { PolygonShape } from '../planck/planck.ts';
import { at, stride } from './body-fields.ts';
import { type BodyStore, noLeaf, unknownLeaf } from './body-store.ts';
import type { FlatBroadPhase } from './broad-phase.ts';
import { cornerStride, isCircle, isPolygon, outlineOf } from './outline.ts';
import { turn, turned } from './turn.ts';

const {
  x: positionX,
  y: positionY,
  sine,
  cosine,
  localCentreX,
  localCentreY,
  centreX,
  centreY,
  angle,
  formerCentreX,
  formerCentreY,
  formerAngle,
} = at;

/** Numbers of the only shape of a body: centre of a circle and radius. */
const roundStride = 3;

/**
 * Puts the fixtures of bodies that a step has moved where they are now. The order is that of planck's list of bodies, because the shape of the tree
 * depends on it. A box in the tree holds a fixture from the start of its step to its end.
 */
export class Synchronizer {
  private readonly bodies: BodyStore;
  private readonly broadPhase: FlatBroadPhase;
  /** By row of bodies with a single leaf. */
  private rounds = new Float64Array(0);
  private outlines: (Float64Array | undefined)[] = [];

  constructor(bodies: BodyStore, broadPhase: FlatBroadPhase) {
    this.bodies = bodies;
    this.broadPhase = broadPhase;
  }

  synchronizeMoved(): void {
    const { bodies } = this;
    const { moved, order } = bodies;
    for (let rank = moved.below(bodies.rankCount); rank >= 0; rank = moved.below(rank)) this.synchronize(order[rank]!);
    moved.clear();
  }

  private synchronize(row: number): void {
    const { bodies } = this;
    if (bodies.leaf[row] === unknownLeaf) bodies.leaf[row] = this.findLeaf(row);
    const leaf = bodies.leaf[row]!;
    if (leaf === noLeaf) bodies.bodies[row]!.synchronizeFixtures();
    else if (this.outlines[row] === undefined) this.moveCircle(row, leaf);
    else this.movePolygon(row, leaf, this.outlines[row]!);
  }

  private moveCircle(row: number, leaf: number): void {
    const { numbers: n, turns } = this.bodies;
    const i = row * stride;
    const x = this.rounds[row * roundStride]!;
    const y = this.rounds[row * roundStride + 1]!;
    const radius = this.rounds[row * roundStride + 2]!;
    turned[2] = 1 * n[i + formerAngle]! + 0 * n[i + angle]!;
    turn(turns, row);
    const s = turned[0]!;
    const c = turned[1]!;
    const lx = n[i + localCentreX]!;
    const ly = n[i + localCentreY]!;
    const fromX = 1 * n[i + formerCentreX]! + 0 * n[i + centreX]! - (c * lx - s * ly);
    const fromY = 1 * n[i + formerCentreY]! + 0 * n[i + centreY]! - (s * lx + c * ly);
    const toX = n[i + positionX]!;
    const toY = n[i + positionY]!;
    const x1 = c * x - s * y + fromX;
    const y1 = s * x + c * y + fromY;
    const x2 = n[i + cosine]! * x - n[i + sine]! * y + toX;
    const y2 = n[i + sine]! * x + n[i + cosine]! * y + toY;
    const { target } = this.broadPhase;
    target[0] = Math.min(x1 - radius, x2 - radius);
    target[1] = Math.min(y1 - radius, y2 - radius);
    target[2] = Math.max(x2 + radius, x1 + radius);
    target[3] = Math.max(y2 + radius, y1 + radius);
    target[4] = toX - fromX;
    target[5] = toY - fromY;
    this.broadPhase.move(leaf);
  }

  private movePolygon(row: number, leaf: number, outline: Float64Array): void {
    const { numbers: n, turns } = this.bodies;
    const i = row * stride;
    const radius = this.rounds[row * roundStride + 2]!;
    turned[2] = 1 * n[i + formerAngle]! + 0 * n[i + angle]!;
    turn(turns, row);
    const s1 = turned[0]!;
    const c1 = turned[1]!;
    const lx = n[i + localCentreX]!;
    const ly = n[i + localCentreY]!;
    const fromX = 1 * n[i + formerCentreX]! + 0 * n[i + centreX]! - (c1 * lx - s1 * ly);
    const fromY = 1 * n[i + formerCentreY]! + 0 * n[i + centreY]! - (s1 * lx + c1 * ly);
    const toX = n[i + positionX]!;
    const toY = n[i + positionY]!;
    const s2 = n[i + sine]!;
    const c2 = n[i + cosine]!;
    let left1 = Number.POSITIVE_INFINITY;
    let top1 = Number.POSITIVE_INFINITY;
    let right1 = Number.NEGATIVE_INFINITY;
    let bottom1 = Number.NEGATIVE_INFINITY;
    let left2 = Number.POSITIVE_INFINITY;
    let top2 = Number.POSITIVE_INFINITY;
    let right2 = Number.NEGATIVE_INFINITY;
    let bottom2 = Number.NEGATIVE_INFINITY;
    for (let corner = 0; corner < outline.length; corner += cornerStride) {
      const vx = outline[corner]!;
      const vy = outline[corner + 1]!;
      const x1 = c1 * vx - s1 * vy + fromX;
      const y1 = s1 * vx + c1 * vy + fromY;
      const x2 = c2 * vx - s2 * vy + toX;
      const y2 = s2 * vx + c2 * vy + toY;
      left1 = Math.min(left1, x1);
      right1 = Math.max(right1, x1);
      top1 = Math.min(top1, y1);
      bottom1 = Math.max(bottom1, y1);
      left2 = Math.min(left2, x2);
      right2 = Math.max(right2, x2);
      top2 = Math.min(top2, y2);
      bottom2 = Math.max(bottom2, y2);
    }
    const { target } = this.broadPhase;
    target[0] = Math.min(left1 - radius, left2 - radius);
    target[1] = Math.min(top1 - radius, top2 - radius);
    target[2] = Math.max(right2 + radius, right1 + radius);
    target[3] = Math.max(bottom2 + radius, bottom1 + radius);
    target[4] = toX - fromX;
    target[5] = toY - fromY;
    this.broadPhase.move(leaf);
  }

  private findLeaf(row: number): number {
    const fixture = this.bodies.bodies[row]!.m_fixtureList;
    if (fixture === null || fixture.m_next !== null || fixture.m_proxyCount !== 1) return noLeaf;
    const { m_shape: shape } = fixture;
    if (!isCircle(shape) && !isPolygon(shape)) return noLeaf;
    if (this.rounds.length < (row + 1) * roundStride) {
      const grown = new Float64Array((row + 1) * 2 * roundStride);
      grown.set(this.rounds);
      this.rounds = grown;
    }
    const centre = isCircle(shape) ? (shape as unknown as { m_p: { x: number; y: number } }).m_p : { x: 0, y: 0 };
    this.rounds.set([centre.x, centre.y, shape.m_radius], row * roundStride);
    this.outlines[row] = isCircle(shape) ? undefined : outlineOf(shape as PolygonShape);
    return fixture.m_proxies[0]!.leaf;
  }
}

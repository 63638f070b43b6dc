import { at, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';
import { ContactKind, type ContactStore, endStride, shapeStride } from './contact-store.ts';
import { StepNumber, type StepNumbers } from './step-numbers.ts';
import { turn, turned } from './turn.ts';

/** The numbers of a constraint in `numbers`, `constraintStride` apart. */
export const Constraint = {
  normalX: 0,
  normalY: 1,
  friction: 2,
  tangentSpeed: 3,
  massA: 4,
  inertiaA: 5,
  massB: 6,
  inertiaB: 7,
  /** The manifold, in the frames of the bodies. */
  pointX: 8,
  pointY: 9,
  localNormalX: 10,
  localNormalY: 11,
  radiusA: 12,
  radiusB: 13,
  /** How two points act on each other, and the inverse of that; both are symmetric. */
  k11: 14,
  k12: 15,
  k22: 16,
  inverse11: 17,
  inverse12: 18,
  inverse22: 19,
  /** Numbers of the first point; then those of the second. */
  points: 20,
} as const;
/** The numbers of one point of a constraint. */
export const Point = {
  /** From the centres of mass to the point. */
  armAX: 0,
  armAY: 1,
  armBX: 2,
  armBY: 3,
  normalImpulse: 4,
  tangentImpulse: 5,
  normalMass: 6,
  tangentMass: 7,
  bias: 8,
  localX: 9,
  localY: 10,
} as const;
export const pointStride = 11;
export const constraintStride = Constraint.points + 2 * pointStride;

/** Whole numbers of a constraint in `links`, `linkStride` apart. */
export const Link = { rowA: 0, rowB: 1, manifold: 2, velocityPoints: 3, positionPoints: 4, isCentred: 5 } as const;
export const linkStride = 6;

/** planck's kinds of manifold. */
export const Manifold = { circles: 0, faceA: 1, faceB: 2 } as const;

const {
  inverseMass,
  inverseInertia,
  localCentreX,
  localCentreY,
  centreX,
  centreY,
  angle,
  velocityX,
  velocityY,
  angularVelocity,
} = at;

/** planck's EPSILON, squared. */
const nothingSquared = 1e-9 * 1e-9;
/** Two points further from independent than this are solved as one. */
const conditionMax = 1000;

/** An island is read in the order of rows from so many contacts on, if they are such a part of all. Fewer fit into the cache of a processor core. */
const largeIsland = { count: 4096, part: 1 / 8 } as const;

/** The contacts of one island as numbers to be solved. Filled anew for each island. */
export class Constraints {
  count = 0;
  /** Rows of the contacts, in the order in which they are solved. */
  readonly rows: number[] = [];
  numbers = new Float64Array(64 * constraintStride);
  links = new Int32Array(64 * linkStride);
  /** Indices of the constraints, in the order in which contacts are read. */
  private reading = new Int32Array(64);
  /** By row of a contact: one more than its index; all 0 between two uses. */
  private indices = new Int32Array(0);

  clear(): void {
    this.count = 0;
  }

  add(row: number): void {
    this.rows[this.count++] = row;
  }

  /** Reads the manifolds of all contacts that were added. Velocities are those before any impulse of this step. */
  prepare(bodies: BodyStore, store: ContactStore, step: StepNumbers): void {
    this.makeRoom();
    this.orderReading(store.contacts.length);
    for (let i = 0; i < this.count; i++) this.prepareOne(this.reading[i]!, bodies, store, step);
  }

  /** Hands the impulses to the manifolds, for the next step to start with. */
  storeImpulses({ points: pointsByRow }: ContactStore): void {
    const { numbers, links, rows, reading, count } = this;
    for (let k = 0; k < count; k++) {
      const i = reading[k]!;
      const points = pointsByRow[rows[i]!]!;
      const points0 = i * constraintStride + Constraint.points;
      for (let j = 0; j < links[i * linkStride + Link.velocityPoints]!; j++) {
        const p = points0 + j * pointStride;
        points[j]!.normalImpulse = numbers[p + Point.normalImpulse]!;
        points[j]!.tangentImpulse = numbers[p + Point.tangentImpulse]!;
      }
    }
  }

  /**
   * Contacts lie in memory in the order of their rows, and each is some twenty objects. In an island of thousands they are read several times as fast in
   * that order as in another. It does not matter to the results.
   */
  private orderReading(rowCount: number): void {
    const { reading, rows, count } = this;
    if (count < largeIsland.count || count < rowCount * largeIsland.part) {
      for (let i = 0; i < count; i++) reading[i] = i;
      return;
    }
    if (this.indices.length < rowCount) this.indices = new Int32Array(rowCount * 2);
    const { indices } = this;
    for (let i = 0; i < count; i++) indices[rows[i]!] = i + 1;
    let k = 0;
    for (let row = 0; row < rowCount; row++) {
      const index = indices[row]!;
      if (index === 0) continue;
      reading[k++] = index - 1;
      indices[row] = 0;
    }
  }

  private makeRoom(): void {
    if (this.count * linkStride <= this.links.length) return;
    this.reading = new Int32Array(this.count * 2);
    this.numbers = new Float64Array(this.count * 2 * constraintStride);
    this.links = new Int32Array(this.count * 2 * linkStride);
  }

  private prepareOne(index: number, bodies: BodyStore, store: ContactStore, step: StepNumbers): void {
    const { numbers: n, links } = this;
    const { numbers: body, turns } = bodies;
    const { ends, shapes } = store;
    const row = this.rows[index]!;
    const contact = store.contacts[row]!;
    const { m_manifold: manifold } = contact;
    const points = store.points[row]!;
    // Two circles always have the same manifold: it is known without reading its many objects.
    const isKnown = store.kinds[row] === ContactKind.circles && store.stale[row] === 0;
    const shape = row * shapeStride;
    const type = isKnown ? Manifold.circles : (manifold.type as number);
    const count = isKnown ? 1 : manifold.pointCount;
    const q = index * constraintStride;
    const link = index * linkStride;
    const rowA = ends[row * endStride]!;
    const rowB = ends[row * endStride + 1]!;
    const a = rowA * stride;
    const b = rowB * stride;
    const radiusA = shapes[shape + 4]!;
    const radiusB = shapes[shape + 5]!;
    const lx = isKnown ? shapes[shape]! : manifold.localPoint.x;
    const ly = isKnown ? shapes[shape + 1]! : manifold.localPoint.y;
    const lnx = isKnown ? 0 : manifold.localNormal.x;
    const lny = isKnown ? 0 : manifold.localNormal.y;
    const mA = body[a + inverseMass]!;
    const iA = body[a + inverseInertia]!;
    const mB = body[b + inverseMass]!;
    const iB = body[b + inverseInertia]!;
    links[link + Link.rowA] = rowA;
    links[link + Link.rowB] = rowB;
    links[link + Link.manifold] = type;
    links[link + Link.velocityPoints] = count;
    links[link + Link.positionPoints] = count;
    n[q + Constraint.friction] = contact.m_friction;
    n[q + Constraint.tangentSpeed] = contact.m_tangentSpeed;
    n[q + Constraint.massA] = mA;
    n[q + Constraint.inertiaA] = iA;
    n[q + Constraint.massB] = mB;
    n[q + Constraint.inertiaB] = iB;
    n[q + Constraint.pointX] = lx;
    n[q + Constraint.pointY] = ly;
    n[q + Constraint.localNormalX] = lnx;
    n[q + Constraint.localNormalY] = lny;
    n[q + Constraint.radiusA] = radiusA;
    n[q + Constraint.radiusB] = radiusB;

    // Both transforms.
    turned[2] = body[a + angle]!;
    turn(turns, rowA);
    const sA = turned[0]!;
    const cA = turned[1]!;
    turned[2] = body[b + angle]!;
    turn(turns, rowB);
    const sB = turned[0]!;
    const cB = turned[1]!;
    const centreAX = body[a + centreX]!;
    const centreAY = body[a + centreY]!;
    const centreBX = body[b + centreX]!;
    const centreBY = body[b + centreY]!;
    const lcAX = body[a + localCentreX]!;
    const lcAY = body[a + localCentreY]!;
    const lcBX = body[b + localCentreX]!;
    const lcBY = body[b + localCentreY]!;
    const pAX = centreAX - (cA * lcAX - sA * lcAY);
    const pAY = centreAY - (sA * lcAX + cA * lcAY);
    const pBX = centreBX - (cB * lcBX - sB * lcBY);
    const pBY = centreBY - (sB * lcBX + cB * lcBY);
    const vAX = body[a + velocityX]!;
    const vAY = body[a + velocityY]!;
    const wA = body[a + angularVelocity]!;
    const vBX = body[b + velocityX]!;
    const vBY = body[b + velocityY]!;
    const wB = body[b + angularVelocity]!;

    // The face of a polygon: its normal and a point of it, in the world.
    let faceX = 1;
    let faceY = 0;
    let planeX = 0;
    let planeY = 0;
    if (type === Manifold.faceA) {
      faceX = cA * lnx - sA * lny;
      faceY = sA * lnx + cA * lny;
      planeX = cA * lx - sA * ly + pAX;
      planeY = sA * lx + cA * ly + pAY;
    } else if (type === Manifold.faceB) {
      faceX = cB * lnx - sB * lny;
      faceY = sB * lnx + cB * lny;
      planeX = cB * lx - sB * ly + pBX;
      planeY = sB * lx + cB * ly + pBY;
    }
    let nx = type === Manifold.faceB ? -faceX : faceX;
    let ny = type === Manifold.faceB ? -faceY : faceY;
    let isCentred = type === Manifold.circles && lx === 0 && ly === 0;
    isCentred &&= lcAX === 0 && lcAY === 0 && lcBX === 0 && lcBY === 0;

    for (let j = 0; j < count; j++) {
      const p = q + Constraint.points + j * pointStride;
      const point = points[j]!;
      const ux = isKnown ? shapes[shape + 2]! : point.localPoint.x;
      const uy = isKnown ? shapes[shape + 3]! : point.localPoint.y;
      isCentred &&= ux === 0 && uy === 0;
      // Where the surfaces of the two are; between these lies the point.
      let onAX = 0;
      let onAY = 0;
      let onBX = 0;
      let onBY = 0;
      if (type === Manifold.circles) {
        const ax = cA * lx - sA * ly + pAX;
        const ay = sA * lx + cA * ly + pAY;
        const bx = cB * ux - sB * uy + pBX;
        const by = sB * ux + cB * uy + pBY;
        const dx = bx - ax;
        const dy = by - ay;
        const squared = dx * dx + dy * dy;
        if (squared > nothingSquared) {
          const inverse = 1 / Math.sqrt(squared);
          nx = inverse * dx;
          ny = inverse * dy;
        }
        onAX = 1 * ax + radiusA * nx;
        onAY = 1 * ay + radiusA * ny;
        onBX = 1 * bx + -radiusB * nx;
        onBY = 1 * by + -radiusB * ny;
      } else if (type === Manifold.faceA) {
        const x = cB * ux - sB * uy + pBX;
        const y = sB * ux + cB * uy + pBY;
        const depth = radiusA - ((x - planeX) * faceX + (y - planeY) * faceY);
        onAX = 1 * x + depth * faceX;
        onAY = 1 * y + depth * faceY;
        onBX = 1 * x + -radiusB * faceX;
        onBY = 1 * y + -radiusB * faceY;
      } else {
        const x = cA * ux - sA * uy + pAX;
        const y = sA * ux + cA * uy + pAY;
        const depth = radiusB - ((x - planeX) * faceX + (y - planeY) * faceY);
        onBX = 1 * x + depth * faceX;
        onBY = 1 * y + depth * faceY;
        onAX = 1 * x + -radiusA * faceX;
        onAY = 1 * y + -radiusA * faceY;
      }
      const worldX = 0.5 * onAX + 0.5 * onBX;
      const worldY = 0.5 * onAY + 0.5 * onBY;
      const rAX = worldX - centreAX;
      const rAY = worldY - centreAY;
      const rBX = worldX - centreBX;
      const rBY = worldY - centreBY;
      const normalA = rAX * ny - rAY * nx;
      const normalB = rBX * ny - rBY * nx;
      const kNormal = mA + mB + iA * normalA * normalA + iB * normalB * normalB;
      const tx = 1 * ny;
      const ty = -1 * nx;
      const tangentA = rAX * ty - rAY * tx;
      const tangentB = rBX * ty - rBY * tx;
      const kTangent = mA + mB + iA * tangentA * tangentA + iB * tangentB * tangentB;
      let approach = 0;
      approach += nx * vBX + ny * vBY;
      approach += nx * (-wB * rBY) + ny * (wB * rBX);
      approach -= nx * vAX + ny * vAY;
      approach -= nx * (-wA * rAY) + ny * (wA * rAX);
      n[p + Point.armAX] = rAX;
      n[p + Point.armAY] = rAY;
      n[p + Point.armBX] = rBX;
      n[p + Point.armBY] = rBY;
      n[p + Point.normalImpulse] = step.warmStarting ? step.values[StepNumber.impulseRatio]! * point.normalImpulse : 0;
      n[p + Point.tangentImpulse] = step.warmStarting
        ? step.values[StepNumber.impulseRatio]! * point.tangentImpulse
        : 0;
      n[p + Point.normalMass] = kNormal > 0 ? 1 / kNormal : 0;
      n[p + Point.tangentMass] = kTangent > 0 ? 1 / kTangent : 0;
      n[p + Point.bias] =
        approach < -step.values[StepNumber.velocityThreshold]! ? -contact.m_restitution * approach : 0;
      n[p + Point.localX] = ux;
      n[p + Point.localY] = uy;
    }
    n[q + Constraint.normalX] = nx;
    n[q + Constraint.normalY] = ny;
    links[link + Link.isCentred] = isCentred ? 1 : 0;
    if (count === 2 && step.blockSolve) this.prepareBlock(index);
  }

  /** Two points are solved together, unless they say nearly the same. */
  private prepareBlock(index: number): void {
    const { numbers: n, links } = this;
    const q = index * constraintStride;
    const p1 = q + Constraint.points;
    const p2 = p1 + pointStride;
    const nx = n[q + Constraint.normalX]!;
    const ny = n[q + Constraint.normalY]!;
    const mA = n[q + Constraint.massA]!;
    const iA = n[q + Constraint.inertiaA]!;
    const mB = n[q + Constraint.massB]!;
    const iB = n[q + Constraint.inertiaB]!;
    const a1 = n[p1 + Point.armAX]! * ny - n[p1 + Point.armAY]! * nx;
    const b1 = n[p1 + Point.armBX]! * ny - n[p1 + Point.armBY]! * nx;
    const a2 = n[p2 + Point.armAX]! * ny - n[p2 + Point.armAY]! * nx;
    const b2 = n[p2 + Point.armBX]! * ny - n[p2 + Point.armBY]! * nx;
    const k11 = mA + mB + iA * a1 * a1 + iB * b1 * b1;
    const k22 = mA + mB + iA * a2 * a2 + iB * b2 * b2;
    const k12 = mA + mB + iA * a1 * a2 + iB * b1 * b2;
    if (!(k11 * k11 < conditionMax * (k11 * k22 - k12 * k12))) {
      links[index * linkStride + Link.velocityPoints] = 1;
      return;
    }
    let determinant = k11 * k22 - k12 * k12;
    if (determinant !== 0) determinant = 1 / determinant;
    n[q + Constraint.k11] = k11;
    n[q + Constraint.k12] = k12;
    n[q + Constraint.k22] = k22;
    n[q + Constraint.inverse11] = determinant * k22;
    n[q + Constraint.inverse12] = -determinant * k12;
    n[q + Constraint.inverse22] = determinant * k11;
  }
}

import { at, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';
import {
  type ContactStore,
  endStride,
  Manifold,
  ManifoldPoint,
  ManifoldType,
  manifoldPointStride,
  manifoldStride,
} from './contact-store.ts';
import { bounceThreshold, epsilon } from './settings.ts';
import { computeSineAndCosine, sineAndCosine } from './sine-cosine.ts';
import type { Step } from './step.ts';

/** The offsets of a constraint's numbers in `numbers`, where constraints are `constraintStride` apart. */
export const Constraint = {
  normalX: 0,
  normalY: 1,
  friction: 2,
  /** The inverse masses and the inverse moments of inertia of the two bodies. */
  massA: 3,
  inertiaA: 4,
  massB: 5,
  inertiaB: 6,
  /** The manifold, in the frames of the bodies. */
  pointX: 7,
  pointY: 8,
  localNormalX: 9,
  localNormalY: 10,
  radiusA: 11,
  radiusB: 12,
  /** The effective mass matrix of two points, and its inverse; both are symmetric. */
  k11: 13,
  k12: 14,
  k22: 15,
  inverse11: 16,
  inverse12: 17,
  inverse22: 18,
  /** Start of the numbers of the first point, which are followed by those of the second. */
  points: 19,
} as const;
/** The offsets of the numbers of one point within a constraint. */
export const Point = {
  /** The vectors from the centres of mass of the two bodies to the point. */
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

/** The offsets of a constraint's whole numbers in `links`, where constraints are `linkStride` apart. */
export const Link = { rowA: 0, rowB: 1, manifold: 2, velocityPoints: 3, positionPoints: 4 } as const;
export const linkStride = 5;

/** The highest condition number at which two points are solved together; above it, they are solved as one point. */
const conditionMax = 1000;

/** The contacts of one island as numbers for the solver. Refilled for each island. */
export class Constraints {
  count = 0;
  /** Rows of the contacts, in the order in which they are solved. */
  private readonly rows: number[] = [];
  numbers = new Float64Array(8 * constraintStride);
  links = new Int32Array(8 * linkStride);

  clear(): void {
    this.count = 0;
  }

  add(row: number): void {
    this.rows[this.count++] = row;
  }

  /** Reads bodies and manifolds of all contacts. Must be called before any impulse of this step changes a velocity. */
  prepare(bodies: BodyStore, contacts: ContactStore, step: Step): void {
    if (this.count * linkStride > this.links.length) {
      this.numbers = new Float64Array(this.count * 2 * constraintStride);
      this.links = new Int32Array(this.count * 2 * linkStride);
    }
    for (let i = 0; i < this.count; i++) this.prepareOne(i, bodies, contacts, step);
  }

  /** Gives all bodies except these two infinite mass, until the next `prepare`. */
  fixOthers(bodyA: number, bodyB: number): void {
    const { numbers: n, links } = this;
    for (let i = 0; i < this.count; i++) {
      const q = i * constraintStride;
      const rowA = links[i * linkStride + Link.rowA]!;
      const rowB = links[i * linkStride + Link.rowB]!;
      if (rowA !== bodyA && rowA !== bodyB) n.fill(0, q + Constraint.massA, q + Constraint.inertiaA + 1);
      if (rowB !== bodyA && rowB !== bodyB) n.fill(0, q + Constraint.massB, q + Constraint.inertiaB + 1);
    }
  }

  /** Stores the impulses in the manifolds, for the next step to start with. */
  storeImpulses({ manifolds }: ContactStore): void {
    const { numbers, links, rows, count } = this;
    for (let i = 0; i < count; i++) {
      let p = i * constraintStride + Constraint.points;
      let point = rows[i]! * manifoldStride + Manifold.points;
      for (let j = 0; j < links[i * linkStride + Link.velocityPoints]!; j++) {
        manifolds[point + ManifoldPoint.normalImpulse] = numbers[p + Point.normalImpulse]!;
        manifolds[point + ManifoldPoint.tangentImpulse] = numbers[p + Point.tangentImpulse]!;
        p += pointStride;
        point += manifoldPointStride;
      }
    }
  }

  private prepareOne(index: number, bodies: BodyStore, contacts: ContactStore, step: Step) {
    const { numbers: n, links } = this;
    const { numbers: body, sineCosineCache } = bodies;
    const { ends, manifolds } = contacts;
    const row = this.rows[index]!;
    const manifold = row * manifoldStride;
    const type = contacts.manifoldTypes[row]!;
    const count = contacts.pointCounts[row]!;
    const restitution = contacts.restitution[row]!;
    const q = index * constraintStride;
    const link = index * linkStride;
    const rowA = ends[row * endStride]!;
    const rowB = ends[row * endStride + 1]!;
    const a = rowA * stride;
    const b = rowB * stride;
    const radiusA = body[a + at.radius]!;
    const radiusB = body[b + at.radius]!;
    const lx = manifolds[manifold + Manifold.pointX]!;
    const ly = manifolds[manifold + Manifold.pointY]!;
    const lnx = manifolds[manifold + Manifold.normalX]!;
    const lny = manifolds[manifold + Manifold.normalY]!;
    const mA = body[a + at.inverseMass]!;
    const iA = body[a + at.inverseInertia]!;
    const mB = body[b + at.inverseMass]!;
    const iB = body[b + at.inverseInertia]!;
    links[link + Link.rowA] = rowA;
    links[link + Link.rowB] = rowB;
    links[link + Link.manifold] = type;
    links[link + Link.velocityPoints] = count;
    links[link + Link.positionPoints] = count;
    n[q + Constraint.friction] = contacts.friction[row]!;
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

    // Computes the transforms of both bodies.
    sineAndCosine[2] = body[a + at.angle]!;
    computeSineAndCosine(sineCosineCache, rowA);
    const sA = sineAndCosine[0]!;
    const cA = sineAndCosine[1]!;
    sineAndCosine[2] = body[b + at.angle]!;
    computeSineAndCosine(sineCosineCache, rowB);
    const sB = sineAndCosine[0]!;
    const cB = sineAndCosine[1]!;
    const centreAX = body[a + at.centreX]!;
    const centreAY = body[a + at.centreY]!;
    const centreBX = body[b + at.centreX]!;
    const centreBY = body[b + at.centreY]!;
    const lcAX = body[a + at.localCentreX]!;
    const lcAY = body[a + at.localCentreY]!;
    const lcBX = body[b + at.localCentreX]!;
    const lcBY = body[b + at.localCentreY]!;
    const pAX = centreAX - (cA * lcAX - sA * lcAY);
    const pAY = centreAY - (sA * lcAX + cA * lcAY);
    const pBX = centreBX - (cB * lcBX - sB * lcBY);
    const pBY = centreBY - (sB * lcBX + cB * lcBY);
    const vAX = body[a + at.velocityX]!;
    const vAY = body[a + at.velocityY]!;
    const wA = body[a + at.angularVelocity]!;
    const vBX = body[b + at.velocityX]!;
    const vBY = body[b + at.velocityY]!;
    const wB = body[b + at.angularVelocity]!;

    // The face of a box, if the manifold has one: its normal and a point of it, in the world.
    const isFaceB = type === ManifoldType.faceB;
    const c = isFaceB ? cB : cA;
    const s = isFaceB ? sB : sA;
    const faceX = c * lnx - s * lny;
    const faceY = s * lnx + c * lny;
    const planeX = c * lx - s * ly + (isFaceB ? pBX : pAX);
    const planeY = s * lx + c * ly + (isFaceB ? pBY : pAY);
    // The normal of two circles with the same centre is (1, 0).
    let nx = type === ManifoldType.circles ? 1 : isFaceB ? -faceX : faceX;
    let ny = type === ManifoldType.circles ? 0 : isFaceB ? -faceY : faceY;

    for (let j = 0; j < count; j++) {
      const p = q + Constraint.points + j * pointStride;
      const point = manifold + Manifold.points + j * manifoldPointStride;
      const ux = manifolds[point + ManifoldPoint.x]!;
      const uy = manifolds[point + ManifoldPoint.y]!;
      // The point lies halfway between the two surfaces.
      let worldX = 0;
      let worldY = 0;
      if (type === ManifoldType.circles) {
        const ax = cA * lx - sA * ly + pAX;
        const ay = sA * lx + cA * ly + pAY;
        const bx = cB * ux - sB * uy + pBX;
        const by = sB * ux + cB * uy + pBY;
        const dx = bx - ax;
        const dy = by - ay;
        const squared = dx * dx + dy * dy;
        if (squared > epsilon * epsilon) {
          const inverse = 1 / Math.sqrt(squared);
          nx = inverse * dx;
          ny = inverse * dy;
        }
        worldX = 0.5 * (1 * ax + radiusA * nx) + 0.5 * (1 * bx + -radiusB * nx);
        worldY = 0.5 * (1 * ay + radiusA * ny) + 0.5 * (1 * by + -radiusB * ny);
      } else {
        const x = isFaceB ? cA * ux - sA * uy + pAX : cB * ux - sB * uy + pBX;
        const y = isFaceB ? sA * ux + cA * uy + pAY : sB * ux + cB * uy + pBY;
        const depth = (isFaceB ? radiusB : radiusA) - ((x - planeX) * faceX + (y - planeY) * faceY);
        const beyond = -(isFaceB ? radiusA : radiusB);
        worldX = 0.5 * (1 * x + depth * faceX) + 0.5 * (1 * x + beyond * faceX);
        worldY = 0.5 * (1 * y + depth * faceY) + 0.5 * (1 * y + beyond * faceY);
      }
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
      n[p + Point.normalImpulse] = step.warmStarting ? step.ratio * manifolds[point + ManifoldPoint.normalImpulse]! : 0;
      n[p + Point.tangentImpulse] = step.warmStarting
        ? step.ratio * manifolds[point + ManifoldPoint.tangentImpulse]!
        : 0;
      n[p + Point.normalMass] = kNormal > 0 ? 1 / kNormal : 0;
      n[p + Point.tangentMass] = kTangent > 0 ? 1 / kTangent : 0;
      n[p + Point.bias] = approach < -bounceThreshold ? -restitution * approach : 0;
      n[p + Point.localX] = ux;
      n[p + Point.localY] = uy;
    }
    n[q + Constraint.normalX] = nx;
    n[q + Constraint.normalY] = ny;
    if (count === 2) this.prepareBlock(index);
  }

  /**
   * Prepares the matrices to solve two points together. If the points are nearly the same, only one of them will be
   * solved.
   */
  private prepareBlock(index: number) {
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

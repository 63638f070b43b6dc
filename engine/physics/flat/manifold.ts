import { CollidePolygons, Manifold as PlanckManifold, Transform, testOverlap } from '../planck.ts';
import { at, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';
import {
  ContactFlag,
  ContactKind,
  type ContactStore,
  endStride,
  featureCount,
  Manifold,
  ManifoldPoint,
  ManifoldType,
  manifoldPointStride,
  manifoldStride,
} from './contact-store.ts';
import { cornerStride } from './outline.ts';
import { epsilon } from './settings.ts';

/**
 * In metres. planck's iterative distance and the direct computation below can disagree on whether two shapes touch only
 * if the shapes are closer than this to touching.
 */
const hair = 1e-6;
/** In metres. If shapes overlap by more than this, planck's distance certainly finds an overlap, too. */
const depth = 1e-4;

// Reused by every call.
const transformA = Transform.identity();
const transformB = Transform.identity();
const made = new PlanckManifold();
const formerPoints = new Float64Array(2 * manifoldPointStride);
/**
 * The result of `findNearestSide`, in the frame of the box: the centre of the circle, the highest separation from a
 * side, and the offset of that side in the outline.
 */
const nearest = new Float64Array(4);
const circleX = 0;
const circleY = 1;
const separationTo = 2;
const corner = 3;

/**
 * Whether the shapes of a contact touch now. For solid bodies, also creates or updates the manifold, which says where
 * they touch; points that remain keep their impulses.
 */
export function collide(contacts: ContactStore, bodies: BodyStore, row: number): boolean {
  if ((contacts.flags[row]! & ContactFlag.sensor) !== 0) return overlaps(contacts, bodies, row);
  const kind = contacts.kinds[row];
  if (kind === ContactKind.circles) return collideCircles(contacts, bodies, row);
  return kind === ContactKind.boxCircle ? collideBoxCircle(contacts, bodies, row) : collideBoxes(contacts, bodies, row);
}

// Solid bodies. The arithmetic is planck's, in planck's order.

function collideCircles(contacts: ContactStore, bodies: BodyStore, row: number): boolean {
  const { numbers: n } = bodies;
  const a = contacts.ends[row * endStride]! * stride;
  const b = contacts.ends[row * endStride + 1]! * stride;
  const radii = n[a + at.radius]! + n[b + at.radius]!;
  const isTouching = !(centreDistanceSquared(bodies, a, b) > radii * radii);
  if (isTouching && contacts.pointCounts[row] === 0) {
    // The manifold of two circles never changes.
    const { manifolds: m } = contacts;
    const i = row * manifoldStride;
    m[i + Manifold.normalX] = 0;
    m[i + Manifold.normalY] = 0;
    m[i + Manifold.pointX] = n[a + at.circleX]!;
    m[i + Manifold.pointY] = n[a + at.circleY]!;
    contacts.manifoldTypes[row] = ManifoldType.circles;
    startPoint(contacts, row, n[b + at.circleX]!, n[b + at.circleY]!);
  }
  contacts.pointCounts[row] = isTouching ? 1 : 0;
  return isTouching;
}

/** Makes a new point without impulses the only point of a manifold. */
function startPoint({ manifolds }: ContactStore, row: number, x: number, y: number) {
  const point = row * manifoldStride + Manifold.points;
  manifolds.fill(0, point, point + manifoldPointStride);
  manifolds[point + ManifoldPoint.x] = x;
  manifolds[point + ManifoldPoint.y] = y;
}

function centreDistanceSquared({ numbers: n }: BodyStore, a: number, b: number): number {
  const ax = n[a + at.circleX]!;
  const ay = n[a + at.circleY]!;
  const bx = n[b + at.circleX]!;
  const by = n[b + at.circleY]!;
  const dx =
    n[b + at.cosine]! * bx -
    n[b + at.sine]! * by +
    n[b + at.x]! -
    (n[a + at.cosine]! * ax - n[a + at.sine]! * ay + n[a + at.x]!);
  const dy =
    n[b + at.sine]! * bx +
    n[b + at.cosine]! * by +
    n[b + at.y]! -
    (n[a + at.sine]! * ax + n[a + at.cosine]! * ay + n[a + at.y]!);
  return dx * dx + dy * dy;
}

function collideBoxCircle(contacts: ContactStore, bodies: BodyStore, row: number): boolean {
  const { numbers: n } = bodies;
  const bodyA = contacts.ends[row * endStride]!;
  const a = bodyA * stride;
  const b = contacts.ends[row * endStride + 1]! * stride;
  const radii = n[a + at.radius]! + n[b + at.radius]!;
  const hadPoint = contacts.pointCounts[row] === 1;
  contacts.pointCounts[row] = 0;
  findNearestSide(bodies, a, b, bodies.outlines[bodyA]!, radii);
  if (nearest[separationTo]! > radii) return false;
  const outline = bodies.outlines[bodyA]!;
  const x = nearest[circleX]!;
  const y = nearest[circleY]!;
  const one = nearest[corner]!;
  const two = one + cornerStride < outline.length ? one + cornerStride : 0;
  const x1 = outline[one]!;
  const y1 = outline[one + 1]!;
  const x2 = outline[two]!;
  const y2 = outline[two + 1]!;
  // First assumes that the circle touches the side itself; the code below checks the corners.
  let normalX = outline[one + 2]!;
  let normalY = outline[one + 3]!;
  let pointX = 0.5 * x1 + 0.5 * x2;
  let pointY = 0.5 * y1 + 0.5 * y2;
  if (nearest[separationTo]! >= epsilon) {
    const u1 = x * x2 + y * y2 - (x * x1 + y * y1) - (x1 * x2 + y1 * y2) + (x1 * x1 + y1 * y1);
    const u2 = x * x1 + y * y1 - (x * x2 + y * y2) - (x2 * x1 + y2 * y1) + (x2 * x2 + y2 * y2);
    if (u1 <= 0 || u2 <= 0) {
      pointX = u1 <= 0 ? x1 : x2;
      pointY = u1 <= 0 ? y1 : y2;
      normalX = x - pointX;
      normalY = y - pointY;
      const squared = normalX * normalX + normalY * normalY;
      if (squared > radii * radii) return false;
      const length = Math.sqrt(squared);
      if (length > 0) {
        const inverse = 1 / length;
        normalX *= inverse;
        normalY *= inverse;
      }
    } else if (x * normalX + y * normalY - (pointX * normalX + pointY * normalY) > radii) return false;
  }
  const { manifolds: m } = contacts;
  const i = row * manifoldStride;
  m[i + Manifold.normalX] = normalX;
  m[i + Manifold.normalY] = normalY;
  m[i + Manifold.pointX] = pointX;
  m[i + Manifold.pointY] = pointY;
  contacts.manifoldTypes[row] = ManifoldType.faceA;
  contacts.pointCounts[row] = 1;
  if (!hadPoint) startPoint(contacts, row, n[b + at.circleX]!, n[b + at.circleY]!);
  return true;
}

/**
 * Finds the side of a box that is nearest to a circle, and stores the result in `nearest`. Stops early at the first
 * side from which the circle is farther away than `enough`.
 */
function findNearestSide({ numbers: n }: BodyStore, a: number, b: number, outline: Float64Array, enough: number) {
  const bx = n[b + at.circleX]!;
  const by = n[b + at.circleY]!;
  const worldX = n[b + at.cosine]! * bx - n[b + at.sine]! * by + n[b + at.x]!;
  const worldY = n[b + at.sine]! * bx + n[b + at.cosine]! * by + n[b + at.y]!;
  const px = worldX - n[a + at.x]!;
  const py = worldY - n[a + at.y]!;
  const x = n[a + at.cosine]! * px + n[a + at.sine]! * py;
  const y = -n[a + at.sine]! * px + n[a + at.cosine]! * py;
  let highest = -Infinity;
  let side = 0;
  for (let c = 0; c < outline.length; c += cornerStride) {
    const nx = outline[c + 2]!;
    const ny = outline[c + 3]!;
    const separation = nx * x + ny * y - (nx * outline[c]! + ny * outline[c + 1]!);
    if (separation > highest) {
      highest = separation;
      side = c;
    }
    if (separation > enough) break;
  }
  nearest[circleX] = x;
  nearest[circleY] = y;
  nearest[separationTo] = highest;
  nearest[corner] = side;
}

/**
 * Collides two boxes. Most boxes whose contact has no points do not touch, and finding that out first is cheaper than
 * computing planck's whole manifold.
 */
function collideBoxes(contacts: ContactStore, bodies: BodyStore, row: number): boolean {
  const bodyA = contacts.ends[row * endStride]!;
  const bodyB = contacts.ends[row * endStride + 1]!;
  const formerCount = contacts.pointCounts[row]!;
  if (formerCount === 0 && boxSeparation(bodies, bodyA, bodyB) > radiiOf(bodies, bodyA, bodyB)) return false;
  setTransform(transformA, bodies, bodyA);
  setTransform(transformB, bodies, bodyB);
  made.recycle();
  CollidePolygons(made, bodies.boxOf(bodyA), transformA, bodies.boxOf(bodyB), transformB);
  const { manifolds: m } = contacts;
  const i = row * manifoldStride;
  const points = i + Manifold.points;
  for (let j = 0; j < formerPoints.length; j++) formerPoints[j] = m[points + j]!;
  contacts.pointCounts[row] = made.pointCount;
  if (made.pointCount === 0) return false;
  contacts.manifoldTypes[row] = made.type;
  m[i + Manifold.normalX] = made.localNormal.x;
  m[i + Manifold.normalY] = made.localNormal.y;
  m[i + Manifold.pointX] = made.localPoint.x;
  m[i + Manifold.pointY] = made.localPoint.y;
  for (let j = 0; j < made.pointCount; j++) {
    const point = points + j * manifoldPointStride;
    const { localPoint, id } = made.points[j]!;
    m[point + ManifoldPoint.x] = localPoint.x;
    m[point + ManifoldPoint.y] = localPoint.y;
    m[point + ManifoldPoint.features] = id.indexA;
    m[point + ManifoldPoint.features + 1] = id.typeA;
    m[point + ManifoldPoint.features + 2] = id.indexB;
    m[point + ManifoldPoint.features + 3] = id.typeB;
    const former = formerPointLike(m, point, formerCount);
    m[point + ManifoldPoint.normalImpulse] = former < 0 ? 0 : formerPoints[former + ManifoldPoint.normalImpulse]!;
    m[point + ManifoldPoint.tangentImpulse] = former < 0 ? 0 : formerPoints[former + ManifoldPoint.tangentImpulse]!;
  }
  return true;
}

/** The offset in `formerPoints` of the point with the same features; -1 if there is none. */
function formerPointLike(manifolds: Float64Array, point: number, formerCount: number): number {
  for (let former = 0; former < formerCount * manifoldPointStride; former += manifoldPointStride) {
    let isSame = true;
    for (let i = ManifoldPoint.features; i < ManifoldPoint.features + featureCount; i++)
      if (manifolds[point + i] !== formerPoints[former + i]) isSame = false;
    if (isSame) return former;
  }
  return -1;
}

function radiiOf({ numbers: n }: BodyStore, bodyA: number, bodyB: number): number {
  return n[bodyA * stride + at.radius]! + n[bodyB * stride + at.radius]!;
}

/** The highest separation of two boxes along a side of either, as planck computes it. */
function boxSeparation(bodies: BodyStore, bodyA: number, bodyB: number): number {
  const first = separationAlong(bodies, bodyA, bodyB);
  const second = separationAlong(bodies, bodyB, bodyA);
  return first > second ? first : second;
}

/** The highest separation along a side of the first box, in the frame of the second. */
function separationAlong({ numbers: n, outlines }: BodyStore, bodyA: number, bodyB: number): number {
  const a = bodyA * stride;
  const b = bodyB * stride;
  const outlineA = outlines[bodyA]!;
  const outlineB = outlines[bodyB]!;
  const cA = n[a + at.cosine]!;
  const sA = n[a + at.sine]!;
  const cB = n[b + at.cosine]!;
  const sB = n[b + at.sine]!;
  const dx = n[a + at.x]! - n[b + at.x]!;
  const dy = n[a + at.y]! - n[b + at.y]!;
  const c = cB * cA + sB * sA;
  const s = cB * sA - sB * cA;
  const px = cB * dx + sB * dy;
  const py = -sB * dx + cB * dy;
  let highest = -Infinity;
  for (let i = 0; i < outlineA.length; i += cornerStride) {
    const nx = c * outlineA[i + 2]! - s * outlineA[i + 3]!;
    const ny = s * outlineA[i + 2]! + c * outlineA[i + 3]!;
    const vx = c * outlineA[i]! - s * outlineA[i + 1]! + px;
    const vy = s * outlineA[i]! + c * outlineA[i + 1]! + py;
    const offset = nx * vx + ny * vy;
    let lowest = Infinity;
    for (let j = 0; j < outlineB.length; j += cornerStride) {
      const separation = nx * outlineB[j]! + ny * outlineB[j + 1]! - offset;
      if (separation < lowest) lowest = separation;
    }
    if (lowest > highest) highest = lowest;
  }
  return highest;
}

/** Fills one of planck's transforms with the frame of a body. */
export function setTransform({ p, q }: Transform, { numbers }: BodyStore, row: number): void {
  const i = row * stride;
  p.x = numbers[i + at.x]!;
  p.y = numbers[i + at.y]!;
  q.s = numbers[i + at.sine]!;
  q.c = numbers[i + at.cosine]!;
}

// Whether a sensor and a body overlap; sensors have no manifold. planck measures the distance iteratively, with an
// error of at most `hair`, so planck is called only if the shapes are that close to touching.

function overlaps(contacts: ContactStore, bodies: BodyStore, row: number): boolean {
  const bodyA = contacts.ends[row * endStride]!;
  const bodyB = contacts.ends[row * endStride + 1]!;
  const kind = contacts.kinds[row];
  if (kind === ContactKind.circles) return circlesOverlap(bodies, bodyA, bodyB);
  if (kind === ContactKind.boxes) {
    const separation = boxSeparation(bodies, bodyA, bodyB);
    if (separation < -depth) return true;
    if (separation > radiiOf(bodies, bodyA, bodyB) + hair) return false;
  } else {
    const beyond = circleBeyondBox(bodies, bodyA, bodyB);
    if (beyond < 0) return true;
    if (beyond > 0) return false;
  }
  setTransform(transformA, bodies, bodyA);
  setTransform(transformB, bodies, bodyB);
  return testOverlap(bodies.shapeOf(bodyA), 0, bodies.shapeOf(bodyB), 0, transformA, transformB);
}

/** Whether two circles overlap, computed as by planck, which needs no iteration for circles. */
function circlesOverlap(bodies: BodyStore, bodyA: number, bodyB: number): boolean {
  const radii = radiiOf(bodies, bodyA, bodyB);
  const distance = Math.sqrt(centreDistanceSquared(bodies, bodyA * stride, bodyB * stride));
  return !(distance > radii && distance > epsilon) || distance - radii < 10 * epsilon;
}

/** Above 0 if a circle certainly does not touch a box, below 0 if it certainly overlaps the box, otherwise 0. */
function circleBeyondBox(bodies: BodyStore, bodyA: number, bodyB: number): number {
  const outline = bodies.outlines[bodyA]!;
  const radii = radiiOf(bodies, bodyA, bodyB);
  findNearestSide(bodies, bodyA * stride, bodyB * stride, outline, radii + hair);
  const separation = nearest[separationTo]!;
  if (separation > radii + hair) return 1;
  if (separation < -depth) return -1;
  if (separation < 0) return 0;
  const one = nearest[corner]!;
  const two = one + cornerStride < outline.length ? one + cornerStride : 0;
  const sideX = outline[two]! - outline[one]!;
  const sideY = outline[two + 1]! - outline[one + 1]!;
  const x = nearest[circleX]! - outline[one]!;
  const y = nearest[circleY]! - outline[one + 1]!;
  const along = (x * sideX + y * sideY) / (sideX * sideX + sideY * sideY);
  const part = along < 0 ? 0 : along > 1 ? 1 : along;
  const dx = x - part * sideX;
  const dy = y - part * sideY;
  const distance = Math.sqrt(dx * dx + dy * dy);
  if (distance > radii + hair) return 1;
  return distance < radii - hair ? -1 : 0;
}

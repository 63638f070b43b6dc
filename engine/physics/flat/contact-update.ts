import { at, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';
import type { FlatBroadPhase } from './broad-phase.ts';
import { ContactFlag, type FlatContact } from './contact.ts';
import { ContactKind, type ContactStore, endStride, shapeStride } from './contact-store.ts';
import { cornerStride } from './outline.ts';

const { x: positionX, y: positionY, sine, cosine } = at;

/** The part of the world that the update needs. */
interface ContactUpdateHost {
  /** Whether two that had a filter changed may still touch. */
  mayCollide(contact: FlatContact): boolean;
  destroyContact(contact: FlatContact): void;
  /** planck's own update: manifold, impulses, flags, and calls of all listeners. */
  updateInFull(contact: FlatContact): void;
}

/** planck's EPSILON: distances below mean nothing. */
const nothing = 1e-9;
/** A hair: what is this far from touching, or from not touching, planck's distance finds no other way round. */
const hair = 1e-6;
/** Overlaps deeper than this are overlaps for planck's distance, too. */
const depth = 1e-4;

/** The result of a look at a contact. */
const Found = { unknown: 0, apart: 1, touching: 2 } as const;
type Found = (typeof Found)[keyof typeof Found];

/**
 * Ends contacts whose fat boxes are apart, and brings the others up to date, the newest first. Most contacts neither begin nor end touching. Of most
 * of these the manifold is right as it is, because it is kept in the frames of the bodies. They are only looked at.
 */
export function updateContacts(
  store: ContactStore,
  bodies: BodyStore,
  { tree }: FlatBroadPhase,
  host: ContactUpdateHost,
): void {
  store.tidy();
  for (let i = store.orderCount - 1; i >= 0; i--) {
    const row = store.order[i]!;
    if (row === -1) continue;
    if (store.toFilter[row] === 1) {
      const contact = store.contacts[row]!;
      if (!host.mayCollide(contact)) {
        host.destroyContact(contact);
        continue;
      }
      store.toFilter[row] = 0;
    }
    const end = row * endStride;
    const { ends } = store;
    if (bodies.lively[ends[end]!] === 0 && bodies.lively[ends[end + 1]!] === 0) continue;
    if (!tree.overlaps(ends[end + 2]!, ends[end + 3]!)) {
      host.destroyContact(store.contacts[row]!);
      continue;
    }
    const wasTouching = (store.flags[row]! & ContactFlag.touching) !== 0;
    if (store.stale[row] === 0 && staysAsItIs(store, bodies, row, wasTouching)) {
      store.flags[row]! |= ContactFlag.enabled;
      continue;
    }
    store.stale[row] = 0;
    host.updateInFull(store.contacts[row]!);
  }
}

/** Whether a contact goes on touching, or not touching, with a right manifold. Where that is not certain, it does not. */
function staysAsItIs(store: ContactStore, bodies: BodyStore, row: number, wasTouching: boolean): boolean {
  const expected = wasTouching ? Found.touching : Found.apart;
  switch (store.kinds[row]) {
    case ContactKind.circles:
      return circles(store, bodies, row) === expected;
    case ContactKind.circlesSensor:
      return circleInSensor(store, bodies, row) === expected;
    case ContactKind.polygonCircle:
      return wasTouching ? staysOnPolygon(store, bodies, row) : circleAtPolygon(store, bodies, row) === Found.apart;
    case ContactKind.polygonCircleSensor:
      return circleAtPolygonSensor(store, bodies, row) === expected;
    case ContactKind.polygons:
      return !wasTouching && polygonsSeparation(store, bodies, row) > radiiOf(store, row);
    case ContactKind.polygonsSensor: {
      const separation = polygonsSeparation(store, bodies, row);
      if (wasTouching) return separation < -depth;
      return separation > radiiOf(store, row) + hair;
    }
    default:
      return false;
  }
}

function radiiOf({ shapes }: ContactStore, row: number): number {
  return shapes[row * shapeStride + 4]! + shapes[row * shapeStride + 5]!;
}

/** planck's test of two circles. */
function circles(store: ContactStore, bodies: BodyStore, row: number): Found {
  const radii = radiiOf(store, row);
  return centresApart(store, bodies, row) > radii * radii ? Found.apart : Found.touching;
}

/** The same of a sensor, which planck measures with its general distance. */
function circleInSensor(store: ContactStore, bodies: BodyStore, row: number): Found {
  const radii = radiiOf(store, row);
  const distance = Math.sqrt(centresApart(store, bodies, row));
  const isTouching = !(distance > radii && distance > nothing) || distance - radii < 10 * nothing;
  return isTouching ? Found.touching : Found.apart;
}

/** Between the centres of two circles, squared. */
function centresApart({ ends, shapes }: ContactStore, { numbers: n }: BodyStore, row: number): number {
  const a = ends[row * endStride]! * stride;
  const b = ends[row * endStride + 1]! * stride;
  const i = row * shapeStride;
  const ax = shapes[i]!;
  const ay = shapes[i + 1]!;
  const bx = shapes[i + 2]!;
  const by = shapes[i + 3]!;
  const dx =
    n[b + cosine]! * bx -
    n[b + sine]! * by +
    n[b + positionX]! -
    (n[a + cosine]! * ax - n[a + sine]! * ay + n[a + positionX]!);
  const dy =
    n[b + sine]! * bx +
    n[b + cosine]! * by +
    n[b + positionY]! -
    (n[a + sine]! * ax + n[a + cosine]! * ay + n[a + positionY]!);
  return dx * dx + dy * dy;
}

// Reused: where a circle is in the frame of a polygon, its highest separation from a side, and which side that is.
const nearest = new Float64Array(4);
const centreX = 0;
const centreY = 1;
const separationTo = 2;
const corner = 3;

/** Fills `nearest`, but stops at the first side that the circle is further from than `enough`. */
function findNearestSide(
  { ends, shapes, outlinesA }: ContactStore,
  { numbers: n }: BodyStore,
  row: number,
  margin: number,
): void {
  const a = ends[row * endStride]! * stride;
  const b = ends[row * endStride + 1]! * stride;
  const i = row * shapeStride;
  const bx = shapes[i + 2]!;
  const by = shapes[i + 3]!;
  const enough = shapes[i + 4]! + shapes[i + 5]! + margin;
  const outline = outlinesA[row]!;
  const worldX = n[b + cosine]! * bx - n[b + sine]! * by + n[b + positionX]!;
  const worldY = n[b + sine]! * bx + n[b + cosine]! * by + n[b + positionY]!;
  const px = worldX - n[a + positionX]!;
  const py = worldY - n[a + positionY]!;
  const x = n[a + cosine]! * px + n[a + sine]! * py;
  const y = -n[a + sine]! * px + n[a + cosine]! * py;
  let highest = Number.NEGATIVE_INFINITY;
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
  nearest[centreX] = x;
  nearest[centreY] = y;
  nearest[separationTo] = highest;
  nearest[corner] = side;
}

/** planck's test of a polygon and a circle, as far as it can find them apart by the side or by one of its corners. */
function circleAtPolygon(store: ContactStore, bodies: BodyStore, row: number): Found {
  findNearestSide(store, bodies, row, 0);
  const radii = radiiOf(store, row);
  if (nearest[separationTo]! > radii) return Found.apart;
  if (nearest[separationTo]! < nothing) return Found.unknown;
  const outline = store.outlinesA[row]!;
  const x = nearest[centreX]!;
  const y = nearest[centreY]!;
  const one = nearest[corner]!;
  const two = one + cornerStride < outline.length ? one + cornerStride : 0;
  const x1 = outline[one]!;
  const y1 = outline[one + 1]!;
  const x2 = outline[two]!;
  const y2 = outline[two + 1]!;
  const u1 = x * x2 + y * y2 - (x * x1 + y * y1) - (x1 * x2 + y1 * y2) + (x1 * x1 + y1 * y1);
  const u2 = x * x1 + y * y1 - (x * x2 + y * y2) - (x2 * x1 + y2 * y1) + (x2 * x2 + y2 * y2);
  if (u1 > 0 && u2 > 0) return Found.unknown;
  const dx = u1 <= 0 ? x - x1 : x - x2;
  const dy = u1 <= 0 ? y - y1 : y - y2;
  return dx * dx + dy * dy > radii * radii ? Found.apart : Found.unknown;
}

/**
 * A circle that touches a polygon moves along it, so that the manifold is made anew, as planck makes it. Its one point is the same, and keeps its
 * impulses. False, and nothing changed, for one that has left.
 */
function staysOnPolygon(store: ContactStore, bodies: BodyStore, row: number): boolean {
  const { pointCount, localNormal, localPoint } = store.contacts[row]!.m_manifold;
  if (pointCount !== 1) return false;
  findNearestSide(store, bodies, row, 0);
  const radii = radiiOf(store, row);
  if (nearest[separationTo]! > radii) return false;
  const outline = store.outlinesA[row]!;
  const x = nearest[centreX]!;
  const y = nearest[centreY]!;
  const one = nearest[corner]!;
  const two = one + cornerStride < outline.length ? one + cornerStride : 0;
  const x1 = outline[one]!;
  const y1 = outline[one + 1]!;
  const x2 = outline[two]!;
  const y2 = outline[two + 1]!;
  const middleX = 0.5 * x1 + 0.5 * x2;
  const middleY = 0.5 * y1 + 0.5 * y2;
  const normalX = outline[one + 2]!;
  const normalY = outline[one + 3]!;
  if (nearest[separationTo]! >= nothing) {
    const u1 = x * x2 + y * y2 - (x * x1 + y * y1) - (x1 * x2 + y1 * y2) + (x1 * x1 + y1 * y1);
    const u2 = x * x1 + y * y1 - (x * x2 + y * y2) - (x2 * x1 + y2 * y1) + (x2 * x2 + y2 * y2);
    if (u1 <= 0 || u2 <= 0) {
      const cornerX = u1 <= 0 ? x1 : x2;
      const cornerY = u1 <= 0 ? y1 : y2;
      const dx = x - cornerX;
      const dy = y - cornerY;
      const square = dx * dx + dy * dy;
      if (square > radii * radii) return false;
      const length = Math.sqrt(square);
      const inverse = length > 0 ? 1 / length : 1;
      localNormal.x = dx * inverse;
      localNormal.y = dy * inverse;
      localPoint.x = cornerX;
      localPoint.y = cornerY;
      return true;
    }
    if (x * normalX + y * normalY - (middleX * normalX + middleY * normalY) > radii) return false;
  }
  localNormal.x = normalX;
  localNormal.y = normalY;
  localPoint.x = middleX;
  localPoint.y = middleY;
  return true;
}

/** planck measures a sensor with its general distance, which comes to the same unless it is a hair from touching. */
function circleAtPolygonSensor(store: ContactStore, bodies: BodyStore, row: number): Found {
  findNearestSide(store, bodies, row, hair);
  const radii = radiiOf(store, row);
  const separation = nearest[separationTo]!;
  if (separation > radii + hair) return Found.apart;
  if (separation < -depth) return Found.touching;
  if (separation < 0) return Found.unknown;
  const outline = store.outlinesA[row]!;
  const one = nearest[corner]!;
  const two = one + cornerStride < outline.length ? one + cornerStride : 0;
  const sideX = outline[two]! - outline[one]!;
  const sideY = outline[two + 1]! - outline[one + 1]!;
  const x = nearest[centreX]! - outline[one]!;
  const y = nearest[centreY]! - outline[one + 1]!;
  const along = (x * sideX + y * sideY) / (sideX * sideX + sideY * sideY);
  const part = along < 0 ? 0 : along > 1 ? 1 : along;
  const dx = x - part * sideX;
  const dy = y - part * sideY;
  const distance = Math.sqrt(dx * dx + dy * dy);
  if (distance > radii + hair) return Found.apart;
  return distance < radii - hair ? Found.touching : Found.unknown;
}

/** The higher of both separations of two polygons along a side, as planck computes them. */
function polygonsSeparation(store: ContactStore, bodies: BodyStore, row: number): number {
  const a = store.ends[row * endStride]! * stride;
  const b = store.ends[row * endStride + 1]! * stride;
  const outlineA = store.outlinesA[row]!;
  const outlineB = store.outlinesB[row]!;
  const first = separationAlong(bodies, a, outlineA, b, outlineB);
  const second = separationAlong(bodies, b, outlineB, a, outlineA);
  return first > second ? first : second;
}

/** The highest separation along a side of the first. In the frame of the second, as planck does it. */
function separationAlong(
  { numbers: n }: BodyStore,
  a: number,
  outlineA: Float64Array,
  b: number,
  outlineB: Float64Array,
): number {
  const cA = n[a + cosine]!;
  const sA = n[a + sine]!;
  const cB = n[b + cosine]!;
  const sB = n[b + sine]!;
  const dx = n[a + positionX]! - n[b + positionX]!;
  const dy = n[a + positionY]! - n[b + positionY]!;
  const c = cB * cA + sB * sA;
  const s = cB * sA - sB * cA;
  const px = cB * dx + sB * dy;
  const py = -sB * dx + cB * dy;
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < outlineA.length; i += cornerStride) {
    const nx = c * outlineA[i + 2]! - s * outlineA[i + 3]!;
    const ny = s * outlineA[i + 2]! + c * outlineA[i + 3]!;
    const vx = c * outlineA[i]! - s * outlineA[i + 1]! + px;
    const vy = s * outlineA[i]! + c * outlineA[i + 1]! + py;
    const offset = nx * vx + ny * vy;
    let lowest = Number.POSITIVE_INFINITY;
    for (let j = 0; j < outlineB.length; j += cornerStride) {
      const separation = nx * outlineB[j]! + ny * outlineB[j + 1]! - offset;
      if (separation < lowest) lowest = separation;
    }
    if (lowest > highest) highest = lowest;
  }
  return highest;
}

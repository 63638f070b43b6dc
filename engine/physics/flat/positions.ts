import { at, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';
import { Constraint, type Constraints, constraintStride, Link, linkStride, Point, pointStride } from './constraints.ts';
import { ManifoldType } from './contact-store.ts';
import { linearSlop, maxLinearCorrection } from './settings.ts';
import { computeSineAndCosine, sineAndCosine } from './sine-cosine.ts';

/**
 * Pushes overlapping bodies apart by a part of the overlap in each iteration, until the deepest overlap is at most
 * `enough` times `linearSlop`. Returns whether that was reached.
 */
export function solvePositions(
  constraints: Constraints,
  bodies: BodyStore,
  iterations: number,
  part: number,
  enough: number,
): boolean {
  for (let i = 0; i < iterations; i++) {
    if (solveOnce(constraints, bodies, part) >= -enough * linearSlop) return true;
  }
  return false;
}

/** Runs one iteration over all contacts. Returns the lowest separation in metres, 0 at most. */
function solveOnce(
  { numbers: n, links, count }: Constraints,
  { numbers: body, sineCosineCache }: BodyStore,
  part: number,
): number {
  let lowest = 0;
  for (let i = 0; i < count; i++) {
    const q = i * constraintStride;
    const link = i * linkStride;
    const rowA = links[link + Link.rowA]!;
    const rowB = links[link + Link.rowB]!;
    const a = rowA * stride;
    const b = rowB * stride;
    const type = links[link + Link.manifold]!;
    const first = q + Constraint.points;
    const end = first + links[link + Link.positionPoints]! * pointStride;
    const mA = n[q + Constraint.massA]!;
    const iA = n[q + Constraint.inertiaA]!;
    const mB = n[q + Constraint.massB]!;
    const iB = n[q + Constraint.inertiaB]!;
    const radiusA = n[q + Constraint.radiusA]!;
    const radiusB = n[q + Constraint.radiusB]!;
    for (let p = first; p < end; p += pointStride) {
      const centreAX = body[a + at.centreX]!;
      const centreAY = body[a + at.centreY]!;
      const centreBX = body[b + at.centreX]!;
      const centreBY = body[b + at.centreY]!;
      sineAndCosine[2] = body[a + at.angle]!;
      computeSineAndCosine(sineCosineCache, rowA);
      const sA = sineAndCosine[0]!;
      const cA = sineAndCosine[1]!;
      sineAndCosine[2] = body[b + at.angle]!;
      computeSineAndCosine(sineCosineCache, rowB);
      const sB = sineAndCosine[0]!;
      const cB = sineAndCosine[1]!;
      const lcAX = body[a + at.localCentreX]!;
      const lcAY = body[a + at.localCentreY]!;
      const lcBX = body[b + at.localCentreX]!;
      const lcBY = body[b + at.localCentreY]!;
      const pAX = centreAX - (cA * lcAX - sA * lcAY);
      const pAY = centreAY - (sA * lcAX + cA * lcAY);
      const pBX = centreBX - (cB * lcBX - sB * lcBY);
      const pBY = centreBY - (sB * lcBX + cB * lcBY);
      const lx = n[q + Constraint.pointX]!;
      const ly = n[q + Constraint.pointY]!;
      const ux = n[p + Point.localX]!;
      const uy = n[p + Point.localY]!;
      let nx = 0;
      let ny = 0;
      let x = 0;
      let y = 0;
      let separation = 0;
      if (type === ManifoldType.circles) {
        const ax = cA * lx - sA * ly + pAX;
        const ay = sA * lx + cA * ly + pAY;
        const bx = cB * ux - sB * uy + pBX;
        const by = sB * ux + cB * uy + pBY;
        nx = bx - ax;
        ny = by - ay;
        const length = Math.sqrt(nx * nx + ny * ny);
        if (length > 0) {
          const inverse = 1 / length;
          nx *= inverse;
          ny *= inverse;
        }
        x = 0.5 * ax + 0.5 * bx;
        y = 0.5 * ay + 0.5 * by;
        separation = bx * nx + by * ny - (ax * nx + ay * ny) - radiusA - radiusB;
      } else {
        // The point is on the body that does not have the face.
        const isFaceA = type === ManifoldType.faceA;
        const c = isFaceA ? cA : cB;
        const s = isFaceA ? sA : sB;
        const lnx = n[q + Constraint.localNormalX]!;
        const lny = n[q + Constraint.localNormalY]!;
        nx = c * lnx - s * lny;
        ny = s * lnx + c * lny;
        const planeX = c * lx - s * ly + (isFaceA ? pAX : pBX);
        const planeY = s * lx + c * ly + (isFaceA ? pAY : pBY);
        x = isFaceA ? cB * ux - sB * uy + pBX : cA * ux - sA * uy + pAX;
        y = isFaceA ? sB * ux + cB * uy + pBY : sA * ux + cA * uy + pAY;
        separation = x * nx + y * ny - (planeX * nx + planeY * ny) - radiusA - radiusB;
        if (!isFaceA) {
          nx = -nx;
          ny = -ny;
        }
      }
      const rAX = x - centreAX;
      const rAY = y - centreAY;
      const rBX = x - centreBX;
      const rBY = y - centreBY;
      lowest = Math.min(lowest, separation);
      const wanted = part * (separation + linearSlop);
      const correction = wanted < -maxLinearCorrection ? -maxLinearCorrection : wanted > 0 ? 0 : wanted;
      const normalA = rAX * ny - rAY * nx;
      const normalB = rBX * ny - rBY * nx;
      const k = mA + mB + iA * normalA * normalA + iB * normalB * normalB;
      const impulse = k > 0 ? -correction / k : 0;
      const px = impulse * nx;
      const py = impulse * ny;
      body[a + at.centreX] = centreAX - mA * px;
      body[a + at.centreY] = centreAY - mA * py;
      body[a + at.angle]! -= iA * (rAX * py - rAY * px);
      body[b + at.centreX] = centreBX + mB * px;
      body[b + at.centreY] = centreBY + mB * py;
      body[b + at.angle]! += iB * (rBX * py - rBY * px);
    }
  }
  return lowest;
}

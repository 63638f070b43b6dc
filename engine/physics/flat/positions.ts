import { at, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';
import { Constraint, type Constraints, constraintStride, Link, linkStride, Point, pointStride } from './constraints.ts';
import { ManifoldType } from './contact-store.ts';
import { linearSlop, maxLinearCorrection } from './settings.ts';
import { turn, turned } from './turn.ts';

const { localCentreX, localCentreY, centreX, centreY, angle } = at;

/**
 * Pushes overlapping bodies apart by a part of the overlap in each iteration, until the deepest is at most `enough` slops. Returns whether that
 * was reached.
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

/** Returns the lowest separation, 0 at most. */
function solveOnce({ numbers: n, links, count }: Constraints, bodies: BodyStore, part: number): number {
  const { numbers: body, turns } = bodies;
  let lowest = 0;
  for (let i = 0; i < count; i++) {
    const q = i * constraintStride;
    const link = i * linkStride;
    const rowA = links[link + Link.rowA]!;
    const rowB = links[link + Link.rowB]!;
    const a = rowA * stride;
    const b = rowB * stride;
    const type = links[link + Link.manifold]!;
    const isCentred = links[link + Link.isCentred] === 1;
    const first = q + Constraint.points;
    const end = first + links[link + Link.positionPoints]! * pointStride;
    const mA = n[q + Constraint.massA]!;
    const iA = n[q + Constraint.inertiaA]!;
    const mB = n[q + Constraint.massB]!;
    const iB = n[q + Constraint.inertiaB]!;
    const radiusA = n[q + Constraint.radiusA]!;
    const radiusB = n[q + Constraint.radiusB]!;
    for (let p = first; p < end; p += pointStride) {
      const centreAX = body[a + centreX]!;
      const centreAY = body[a + centreY]!;
      const centreBX = body[b + centreX]!;
      const centreBY = body[b + centreY]!;
      let nx = 0;
      let ny = 0;
      let x = 0;
      let y = 0;
      let separation = 0;
      // Circles around their centres of mass need no rotation. On an axis of the world it could change the sign of a zero, so there it is made.
      if (isCentred && centreAX !== 0 && centreAY !== 0 && centreBX !== 0 && centreBY !== 0) {
        nx = centreBX - centreAX;
        ny = centreBY - centreAY;
        const length = Math.sqrt(nx * nx + ny * ny);
        if (length > 0) {
          const inverse = 1 / length;
          nx *= inverse;
          ny *= inverse;
        }
        x = 0.5 * centreAX + 0.5 * centreBX;
        y = 0.5 * centreAY + 0.5 * centreBY;
        separation = centreBX * nx + centreBY * ny - (centreAX * nx + centreAY * ny) - radiusA - radiusB;
      } else {
        turned[2] = body[a + angle]!;
        turn(turns, rowA);
        const sA = turned[0]!;
        const cA = turned[1]!;
        turned[2] = body[b + angle]!;
        turn(turns, rowB);
        const sB = turned[0]!;
        const cB = turned[1]!;
        const lcAX = body[a + localCentreX]!;
        const lcAY = body[a + localCentreY]!;
        const lcBX = body[b + localCentreX]!;
        const lcBY = body[b + localCentreY]!;
        const pAX = centreAX - (cA * lcAX - sA * lcAY);
        const pAY = centreAY - (sA * lcAX + cA * lcAY);
        const pBX = centreBX - (cB * lcBX - sB * lcBY);
        const pBY = centreBY - (sB * lcBX + cB * lcBY);
        const lx = n[q + Constraint.pointX]!;
        const ly = n[q + Constraint.pointY]!;
        const ux = n[p + Point.localX]!;
        const uy = n[p + Point.localY]!;
        if (type === ManifoldType.circles) {
          const ax = cA * lx - sA * ly + pAX;
          const ay = sA * lx + cA * ly + pAY;
          // planck takes the first point here whatever the count.
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
          const lnx = n[q + Constraint.localNormalX]!;
          const lny = n[q + Constraint.localNormalY]!;
          if (type === ManifoldType.faceA) {
            nx = cA * lnx - sA * lny;
            ny = sA * lnx + cA * lny;
            const planeX = cA * lx - sA * ly + pAX;
            const planeY = sA * lx + cA * ly + pAY;
            x = cB * ux - sB * uy + pBX;
            y = sB * ux + cB * uy + pBY;
            separation = x * nx + y * ny - (planeX * nx + planeY * ny) - radiusA - radiusB;
          } else {
            nx = cB * lnx - sB * lny;
            ny = sB * lnx + cB * lny;
            const planeX = cB * lx - sB * ly + pBX;
            const planeY = sB * lx + cB * ly + pBY;
            x = cA * ux - sA * uy + pAX;
            y = sA * ux + cA * uy + pAY;
            separation = x * nx + y * ny - (planeX * nx + planeY * ny) - radiusA - radiusB;
            nx = -nx;
            ny = -ny;
          }
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
      body[a + centreX] = centreAX - mA * px;
      body[a + centreY] = centreAY - mA * py;
      body[a + angle]! -= iA * (rAX * py - rAY * px);
      body[b + centreX] = centreBX + mB * px;
      body[b + centreY] = centreBY + mB * py;
      body[b + angle]! += iB * (rBX * py - rBY * px);
    }
  }
  return lowest;
}

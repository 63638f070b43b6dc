import { at, stride } from './body-fields.ts';
import { Constraint, type Constraints, constraintStride, Link, linkStride, Point, pointStride } from './constraints.ts';

/** Applies the impulses of the last step to the velocities, so that solving starts close to the result. */
export function warmStart({ numbers: n, links, count }: Constraints, body: Float64Array): void {
  for (let i = 0; i < count; i++) {
    const q = i * constraintStride;
    const a = links[i * linkStride + Link.rowA]! * stride;
    const b = links[i * linkStride + Link.rowB]! * stride;
    const nx = n[q + Constraint.normalX]!;
    const ny = n[q + Constraint.normalY]!;
    const tx = 1 * ny;
    const ty = -1 * nx;
    const points = links[i * linkStride + Link.velocityPoints]!;
    for (let j = 0, p = q + Constraint.points; j < points; j++, p += pointStride) {
      const px = n[p + Point.normalImpulse]! * nx + n[p + Point.tangentImpulse]! * tx;
      const py = n[p + Point.normalImpulse]! * ny + n[p + Point.tangentImpulse]! * ty;
      body[a + at.angularVelocity]! -=
        n[q + Constraint.inertiaA]! * (n[p + Point.armAX]! * py - n[p + Point.armAY]! * px);
      body[a + at.velocityX]! -= n[q + Constraint.massA]! * px;
      body[a + at.velocityY]! -= n[q + Constraint.massA]! * py;
      body[b + at.angularVelocity]! +=
        n[q + Constraint.inertiaB]! * (n[p + Point.armBX]! * py - n[p + Point.armBY]! * px);
      body[b + at.velocityX]! += n[q + Constraint.massB]! * px;
      body[b + at.velocityY]! += n[q + Constraint.massB]! * py;
    }
  }
}

/**
 * Runs one iteration over all contacts of an island. Friction comes first, because non-penetration is more important.
 */
export function solveVelocities({ numbers: n, links, count }: Constraints, body: Float64Array): void {
  for (let i = 0; i < count; i++) {
    const q = i * constraintStride;
    const link = i * linkStride;
    const a = links[link + Link.rowA]! * stride;
    const b = links[link + Link.rowB]! * stride;
    const points = links[link + Link.velocityPoints]!;
    const first = q + Constraint.points;
    const end = first + points * pointStride;
    const nx = n[q + Constraint.normalX]!;
    const ny = n[q + Constraint.normalY]!;
    const tx = 1 * ny;
    const ty = -1 * nx;
    const mA = n[q + Constraint.massA]!;
    const iA = n[q + Constraint.inertiaA]!;
    const mB = n[q + Constraint.massB]!;
    const iB = n[q + Constraint.inertiaB]!;
    const friction = n[q + Constraint.friction]!;
    let ax = body[a + at.velocityX]!;
    let ay = body[a + at.velocityY]!;
    let wA = body[a + at.angularVelocity]!;
    let bx = body[b + at.velocityX]!;
    let by = body[b + at.velocityY]!;
    let wB = body[b + at.angularVelocity]!;

    for (let p = first; p < end; p += pointStride) {
      const rAX = n[p + Point.armAX]!;
      const rAY = n[p + Point.armAY]!;
      const rBX = n[p + Point.armBX]!;
      const rBY = n[p + Point.armBY]!;
      const dx = 0 + bx + -wB * rBY - ax - -wA * rAY;
      const dy = 0 + by + wB * rBX - ay - wA * rAX;
      const speed = dx * tx + dy * ty;
      const old = n[p + Point.tangentImpulse]!;
      const most = friction * n[p + Point.normalImpulse]!;
      const wanted = old + n[p + Point.tangentMass]! * -speed;
      const made = wanted < -most ? -most : wanted > most ? most : wanted;
      const change = made - old;
      n[p + Point.tangentImpulse] = made;
      const px = change * tx;
      const py = change * ty;
      ax -= mA * px;
      ay -= mA * py;
      wA -= iA * (rAX * py - rAY * px);
      bx += mB * px;
      by += mB * py;
      wB += iB * (rBX * py - rBY * px);
    }

    if (points === 1) {
      for (let p = first; p < end; p += pointStride) {
        const rAX = n[p + Point.armAX]!;
        const rAY = n[p + Point.armAY]!;
        const rBX = n[p + Point.armBX]!;
        const rBY = n[p + Point.armBY]!;
        const dx = 0 + bx + -wB * rBY - ax - -wA * rAY;
        const dy = 0 + by + wB * rBX - ay - wA * rAX;
        const speed = dx * nx + dy * ny;
        const old = n[p + Point.normalImpulse]!;
        const made = Math.max(old + -n[p + Point.normalMass]! * (speed - n[p + Point.bias]!), 0);
        const change = made - old;
        n[p + Point.normalImpulse] = made;
        const px = change * nx;
        const py = change * ny;
        ax -= mA * px;
        ay -= mA * py;
        wA -= iA * (rAX * py - rAY * px);
        bx += mB * px;
        by += mB * py;
        wB += iB * (rBX * py - rBY * px);
      }
    } else {
      // Solves both points together: a linear complementarity problem with four cases, tried in planck's order.
      const second = first + pointStride;
      const r1AX = n[first + Point.armAX]!;
      const r1AY = n[first + Point.armAY]!;
      const r1BX = n[first + Point.armBX]!;
      const r1BY = n[first + Point.armBY]!;
      const r2AX = n[second + Point.armAX]!;
      const r2AY = n[second + Point.armAY]!;
      const r2BX = n[second + Point.armBX]!;
      const r2BY = n[second + Point.armBY]!;
      const old1 = n[first + Point.normalImpulse]!;
      const old2 = n[second + Point.normalImpulse]!;
      const d1x = 0 + bx + -wB * r1BY - ax - -wA * r1AY;
      const d1y = 0 + by + wB * r1BX - ay - wA * r1AX;
      const d2x = 0 + bx + -wB * r2BY - ax - -wA * r2AY;
      const d2y = 0 + by + wB * r2BX - ay - wA * r2AX;
      const k11 = n[q + Constraint.k11]!;
      const k12 = n[q + Constraint.k12]!;
      const k22 = n[q + Constraint.k22]!;
      const inverse12 = n[q + Constraint.inverse12]!;
      let b1 = d1x * nx + d1y * ny - n[first + Point.bias]!;
      let b2 = d2x * nx + d2y * ny - n[second + Point.bias]!;
      b1 -= k11 * old1 + k12 * old2;
      b2 -= k12 * old1 + k22 * old2;
      let x1 = -(n[q + Constraint.inverse11]! * b1 + inverse12 * b2);
      let x2 = -(inverse12 * b1 + n[q + Constraint.inverse22]! * b2);
      let isSolved = x1 >= 0 && x2 >= 0;
      if (!isSolved) {
        x1 = -n[first + Point.normalMass]! * b1;
        x2 = 0;
        isSolved = x1 >= 0 && k12 * x1 + b2 >= 0;
      }
      if (!isSolved) {
        x1 = 0;
        x2 = -n[second + Point.normalMass]! * b2;
        isSolved = x2 >= 0 && k12 * x2 + b1 >= 0;
      }
      if (!isSolved) {
        x1 = 0;
        x2 = 0;
        isSolved = b1 >= 0 && b2 >= 0;
      }
      if (isSolved) {
        const change1 = x1 - old1;
        const change2 = x2 - old2;
        const p1x = change1 * nx;
        const p1y = change1 * ny;
        const p2x = change2 * nx;
        const p2y = change2 * ny;
        ax = -mA * p1x + -mA * p2x + 1 * ax;
        ay = -mA * p1y + -mA * p2y + 1 * ay;
        wA -= iA * (r1AX * p1y - r1AY * p1x + (r2AX * p2y - r2AY * p2x));
        bx = mB * p1x + mB * p2x + 1 * bx;
        by = mB * p1y + mB * p2y + 1 * by;
        wB += iB * (r1BX * p1y - r1BY * p1x + (r2BX * p2y - r2BY * p2x));
        n[first + Point.normalImpulse] = x1;
        n[second + Point.normalImpulse] = x2;
      }
    }

    body[a + at.velocityX] = ax;
    body[a + at.velocityY] = ay;
    body[a + at.angularVelocity] = wA;
    body[b + at.velocityX] = bx;
    body[b + at.velocityY] = by;
    body[b + at.angularVelocity] = wB;
  }
}

import { at, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';
import { cornerStride } from './outline.ts';
import { computeSineAndCosine, sineAndCosine } from './sine-cosine.ts';

// Computes the bounding boxes of bodies. The arithmetic is planck's.

/** Sine, cosine, x and y of the frame of a body at the start of a movement. */
const start = new Float64Array(4);

/** Fills `target` with the current box of a body (left, top, right, bottom) and a movement of 0 in x and y. */
export function boundBody(bodies: BodyStore, row: number, target: Float64Array): void {
  const { numbers: n } = bodies;
  const i = row * stride;
  start[0] = n[i + at.sine]!;
  start[1] = n[i + at.cosine]!;
  start[2] = n[i + at.x]!;
  start[3] = n[i + at.y]!;
  boundMovement(bodies, row, target);
}

/**
 * Fills `target` with the box that contains a body at the start and at the end of its step, and its movement in x and
 * y.
 */
export function boundStep(bodies: BodyStore, row: number, target: Float64Array): void {
  const { numbers: n } = bodies;
  const i = row * stride;
  sineAndCosine[2] = 1 * n[i + at.formerAngle]! + 0 * n[i + at.angle]!;
  computeSineAndCosine(bodies.sineCosineCache, row);
  const s = sineAndCosine[0]!;
  const c = sineAndCosine[1]!;
  const lx = n[i + at.localCentreX]!;
  const ly = n[i + at.localCentreY]!;
  start[0] = s;
  start[1] = c;
  start[2] = 1 * n[i + at.formerCentreX]! + 0 * n[i + at.centreX]! - (c * lx - s * ly);
  start[3] = 1 * n[i + at.formerCentreY]! + 0 * n[i + at.centreY]! - (s * lx + c * ly);
  boundMovement(bodies, row, target);
}

function boundMovement(bodies: BodyStore, row: number, target: Float64Array) {
  const { numbers: n } = bodies;
  const outline = bodies.outlines[row]!;
  const i = row * stride;
  const s1 = start[0]!;
  const c1 = start[1]!;
  const fromX = start[2]!;
  const fromY = start[3]!;
  const s2 = n[i + at.sine]!;
  const c2 = n[i + at.cosine]!;
  const toX = n[i + at.x]!;
  const toY = n[i + at.y]!;
  const radius = n[i + at.radius]!;
  target[4] = toX - fromX;
  target[5] = toY - fromY;
  if (outline.length === 0) {
    const x = n[i + at.circleX]!;
    const y = n[i + at.circleY]!;
    const x1 = c1 * x - s1 * y + fromX;
    const y1 = s1 * x + c1 * y + fromY;
    const x2 = c2 * x - s2 * y + toX;
    const y2 = s2 * x + c2 * y + toY;
    target[0] = Math.min(x1 - radius, x2 - radius);
    target[1] = Math.min(y1 - radius, y2 - radius);
    target[2] = Math.max(x2 + radius, x1 + radius);
    target[3] = Math.max(y2 + radius, y1 + radius);
    return;
  }
  let left1 = Infinity;
  let top1 = Infinity;
  let right1 = -Infinity;
  let bottom1 = -Infinity;
  let left2 = Infinity;
  let top2 = Infinity;
  let right2 = -Infinity;
  let bottom2 = -Infinity;
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
  target[0] = Math.min(left1 - radius, left2 - radius);
  target[1] = Math.min(top1 - radius, top2 - radius);
  target[2] = Math.max(right2 + radius, right1 + radius);
  target[3] = Math.max(bottom2 + radius, bottom1 + radius);
}

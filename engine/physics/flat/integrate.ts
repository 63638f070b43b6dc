import { at, dynamicType, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';
import { maxRotation, maxTranslation, secondsToSleep, sleepSpeed, sleepTurnSpeed } from './settings.ts';
import { computeSineAndCosine, sineAndCosine } from './sine-cosine.ts';
import type { Step } from './step.ts';

// The arithmetic is planck's, written out in its order. A sum in another order, or an omitted factor of 1, can change
// the last bit or the sign of a zero. A difference in one body soon spreads to all.

/** Stores the position of a body at the start of its step, and applies gravity, forces and damping to its velocity. */
export function integrateVelocity({ numbers, type }: BodyStore, row: number, step: Step): void {
  const i = row * stride;
  numbers[i + at.formerCentreX] = numbers[i + at.centreX]!;
  numbers[i + at.formerCentreY] = numbers[i + at.centreY]!;
  numbers[i + at.formerAngle] = numbers[i + at.angle]!;
  if (type[row] !== dynamicType) return;
  const { seconds } = step;
  const pull = seconds * numbers[i + at.gravityScale]!;
  const push = seconds * numbers[i + at.inverseMass]!;
  const damping = 1 / (1 + seconds * numbers[i + at.linearDamping]!);
  let vx = numbers[i + at.velocityX]! + pull * step.gravityX;
  let vy = numbers[i + at.velocityY]! + pull * step.gravityY;
  vx += push * numbers[i + at.forceX]!;
  vy += push * numbers[i + at.forceY]!;
  numbers[i + at.velocityX] = damping * vx;
  numbers[i + at.velocityY] = damping * vy;
  const w = numbers[i + at.angularVelocity]! + seconds * numbers[i + at.inverseInertia]! * numbers[i + at.torque]!;
  numbers[i + at.angularVelocity] = w * (1 / (1 + seconds * numbers[i + at.angularDamping]!));
}

/** Moves a body by its velocity, which is clamped. */
export function integratePosition({ numbers }: BodyStore, row: number, step: Step): void {
  const i = row * stride;
  const { seconds } = step;
  let vx = numbers[i + at.velocityX]!;
  let vy = numbers[i + at.velocityY]!;
  let w = numbers[i + at.angularVelocity]!;
  const dx = seconds * vx;
  const dy = seconds * vy;
  const squared = dx * dx + dy * dy;
  if (squared > maxTranslation * maxTranslation) {
    const ratio = maxTranslation / Math.sqrt(squared);
    vx *= ratio;
    vy *= ratio;
    numbers[i + at.velocityX] = vx;
    numbers[i + at.velocityY] = vy;
  }
  const rotation = seconds * w;
  if (rotation * rotation > maxRotation * maxRotation) {
    w *= maxRotation / Math.abs(rotation);
    numbers[i + at.angularVelocity] = w;
  }
  numbers[i + at.centreX]! += seconds * vx;
  numbers[i + at.centreY]! += seconds * vy;
  numbers[i + at.angle]! += seconds * w;
}

/** Computes the frame of a body from its centre of mass and angle. */
export function updateFrame({ numbers, sineCosineCache }: BodyStore, row: number): void {
  const i = row * stride;
  sineAndCosine[2] = 0 * numbers[i + at.formerAngle]! + 1 * numbers[i + at.angle]!;
  computeSineAndCosine(sineCosineCache, row);
  const s = sineAndCosine[0]!;
  const c = sineAndCosine[1]!;
  const lx = numbers[i + at.localCentreX]!;
  const ly = numbers[i + at.localCentreY]!;
  numbers[i + at.sine] = s;
  numbers[i + at.cosine] = c;
  numbers[i + at.x] = 0 * numbers[i + at.formerCentreX]! + 1 * numbers[i + at.centreX]! - (c * lx - s * ly);
  numbers[i + at.y] = 0 * numbers[i + at.formerCentreY]! + 1 * numbers[i + at.centreY]! - (s * lx + c * ly);
}

/** Measures how long a body has been slow; returns whether that is long enough for the body to sleep. */
export function restsLongEnough({ numbers, maySleep }: BodyStore, row: number, step: Step): boolean {
  const i = row * stride;
  const vx = numbers[i + at.velocityX]!;
  const vy = numbers[i + at.velocityY]!;
  const w = numbers[i + at.angularVelocity]!;
  const isSlow =
    maySleep[row] === 1 && !(w * w > sleepTurnSpeed * sleepTurnSpeed) && !(vx * vx + vy * vy > sleepSpeed * sleepSpeed);
  numbers[i + at.sleepTime] = isSlow ? numbers[i + at.sleepTime]! + step.seconds : 0;
  return numbers[i + at.sleepTime]! >= secondsToSleep;
}

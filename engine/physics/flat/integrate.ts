import { at, dynamicType, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';
import { maxRotation, maxTranslation, secondsToSleep, sleepSpeed, sleepTurnSpeed } from './settings.ts';
import type { Step } from './step.ts';
import { turn, turned } from './turn.ts';

const {
  inverseMass,
  inverseInertia,
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
  forceX,
  forceY,
  torque,
  velocityX,
  velocityY,
  angularVelocity,
  linearDamping,
  angularDamping,
  gravityScale,
  sleepTime,
} = at;

// The arithmetic is planck's, written out in its order. A sum in another order, or an omitted factor of 1, can change the last bit or the sign of a zero.
// A difference in one body soon spreads to all.

/** Remembers where a body starts its step, and applies gravity, forces and damping to its velocity. */
export function integrateVelocity({ numbers, type }: BodyStore, row: number, step: Step): void {
  const i = row * stride;
  numbers[i + formerCentreX] = numbers[i + centreX]!;
  numbers[i + formerCentreY] = numbers[i + centreY]!;
  numbers[i + formerAngle] = numbers[i + angle]!;
  if (type[row] !== dynamicType) return;
  const { seconds } = step;
  const pull = seconds * numbers[i + gravityScale]!;
  const push = seconds * numbers[i + inverseMass]!;
  const damping = 1 / (1 + seconds * numbers[i + linearDamping]!);
  let vx = numbers[i + velocityX]! + pull * step.gravityX;
  let vy = numbers[i + velocityY]! + pull * step.gravityY;
  vx += push * numbers[i + forceX]!;
  vy += push * numbers[i + forceY]!;
  numbers[i + velocityX] = damping * vx;
  numbers[i + velocityY] = damping * vy;
  const w = numbers[i + angularVelocity]! + seconds * numbers[i + inverseInertia]! * numbers[i + torque]!;
  numbers[i + angularVelocity] = w * (1 / (1 + seconds * numbers[i + angularDamping]!));
}

/** Moves a body by its velocity, which is clamped. */
export function integratePosition({ numbers }: BodyStore, row: number, step: Step): void {
  const i = row * stride;
  const { seconds } = step;
  let vx = numbers[i + velocityX]!;
  let vy = numbers[i + velocityY]!;
  let w = numbers[i + angularVelocity]!;
  const dx = seconds * vx;
  const dy = seconds * vy;
  const squared = dx * dx + dy * dy;
  if (squared > maxTranslation * maxTranslation) {
    const ratio = maxTranslation / Math.sqrt(squared);
    vx *= ratio;
    vy *= ratio;
    numbers[i + velocityX] = vx;
    numbers[i + velocityY] = vy;
  }
  const rotation = seconds * w;
  if (rotation * rotation > maxRotation * maxRotation) {
    w *= maxRotation / Math.abs(rotation);
    numbers[i + angularVelocity] = w;
  }
  numbers[i + centreX]! += seconds * vx;
  numbers[i + centreY]! += seconds * vy;
  numbers[i + angle]! += seconds * w;
}

/** Computes the frame of a body from its centre of mass and angle. */
export function updateFrame({ numbers, turns }: BodyStore, row: number): void {
  const i = row * stride;
  turned[2] = 0 * numbers[i + formerAngle]! + 1 * numbers[i + angle]!;
  turn(turns, row);
  const s = turned[0]!;
  const c = turned[1]!;
  const lx = numbers[i + localCentreX]!;
  const ly = numbers[i + localCentreY]!;
  numbers[i + sine] = s;
  numbers[i + cosine] = c;
  numbers[i + positionX] = 0 * numbers[i + formerCentreX]! + 1 * numbers[i + centreX]! - (c * lx - s * ly);
  numbers[i + positionY] = 0 * numbers[i + formerCentreY]! + 1 * numbers[i + centreY]! - (s * lx + c * ly);
}

/** Counts how long a body has been slow; returns whether that is long enough to sleep. */
export function restsLongEnough({ numbers, maySleep }: BodyStore, row: number, step: Step): boolean {
  const i = row * stride;
  const vx = numbers[i + velocityX]!;
  const vy = numbers[i + velocityY]!;
  const w = numbers[i + angularVelocity]!;
  const isSlow =
    maySleep[row] === 1 && !(w * w > sleepTurnSpeed * sleepTurnSpeed) && !(vx * vx + vy * vy > sleepSpeed * sleepSpeed);
  numbers[i + sleepTime] = isSlow ? numbers[i + sleepTime]! + step.seconds : 0;
  return numbers[i + sleepTime]! >= secondsToSleep;
}

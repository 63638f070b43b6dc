import { at, dynamicType, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';
import { StepNumber, type StepNumbers } from './step-numbers.ts';
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

// The arithmetic is planck's, written out in its order. A sum in another order, or an omitted factor of 1, can differ in the last bit or in the sign
// of a zero. A difference in one body is soon one in all.

/** Remembers where the step of a body starts, and lets gravity, forces and damping act on its velocity. */
export function integrateVelocity({ numbers, type }: BodyStore, row: number, { values }: StepNumbers): void {
  const i = row * stride;
  numbers[i + formerCentreX] = numbers[i + centreX]!;
  numbers[i + formerCentreY] = numbers[i + centreY]!;
  numbers[i + formerAngle] = numbers[i + angle]!;
  if (type[row] !== dynamicType) return;
  const seconds = values[StepNumber.seconds]!;
  const pull = seconds * numbers[i + gravityScale]!;
  const push = seconds * numbers[i + inverseMass]!;
  const damping = 1 / (1 + seconds * numbers[i + linearDamping]!);
  let vx = numbers[i + velocityX]! + pull * values[StepNumber.gravityX]!;
  let vy = numbers[i + velocityY]! + pull * values[StepNumber.gravityY]!;
  vx += push * numbers[i + forceX]!;
  vy += push * numbers[i + forceY]!;
  numbers[i + velocityX] = damping * vx;
  numbers[i + velocityY] = damping * vy;
  const w = numbers[i + angularVelocity]! + seconds * numbers[i + inverseInertia]! * numbers[i + torque]!;
  numbers[i + angularVelocity] = w * (1 / (1 + seconds * numbers[i + angularDamping]!));
}

/** Moves a body with its velocity, which is cut to planck's limits. */
export function integratePosition({ numbers }: BodyStore, row: number, { values }: StepNumbers): void {
  const i = row * stride;
  const seconds = values[StepNumber.seconds]!;
  let vx = numbers[i + velocityX]!;
  let vy = numbers[i + velocityY]!;
  let w = numbers[i + angularVelocity]!;
  const dx = seconds * vx;
  const dy = seconds * vy;
  const way = dx * dx + dy * dy;
  if (way > values[StepNumber.translationMaxSquared]!) {
    const ratio = values[StepNumber.translationMax]! / Math.sqrt(way);
    vx *= ratio;
    vy *= ratio;
    numbers[i + velocityX] = vx;
    numbers[i + velocityY] = vy;
  }
  const turning = seconds * w;
  if (turning * turning > values[StepNumber.rotationMaxSquared]!) {
    w *= values[StepNumber.rotationMax]! / Math.abs(turning);
    numbers[i + angularVelocity] = w;
  }
  numbers[i + centreX]! += seconds * vx;
  numbers[i + centreY]! += seconds * vy;
  numbers[i + angle]! += seconds * w;
}

/** Position and rotation of a body from where its centre of mass came to be. */
export function placeAtEnd({ numbers, turns }: BodyStore, row: number): void {
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

/** Counts how long a body has been slow; returns whether it has been so for long enough to sleep. */
export function restsLongEnough({ numbers, maySleep }: BodyStore, row: number, { values }: StepNumbers): boolean {
  const i = row * stride;
  const vx = numbers[i + velocityX]!;
  const vy = numbers[i + velocityY]!;
  const w = numbers[i + angularVelocity]!;
  const isSlow =
    maySleep[row] === 1 &&
    !(w * w > values[StepNumber.angularToleranceSquared]!) &&
    !(vx * vx + vy * vy > values[StepNumber.linearToleranceSquared]!);
  numbers[i + sleepTime] = isSlow ? numbers[i + sleepTime]! + values[StepNumber.seconds]! : 0;
  return numbers[i + sleepTime]! >= values[StepNumber.secondsToSleep]!;
}

/** As planck's `setAwake(false)`. */
export function putToSleep(bodies: BodyStore, row: number): void {
  const { numbers } = bodies;
  const i = row * stride;
  bodies.setAwake(row, false);
  numbers[i + sleepTime] = 0;
  numbers[i + velocityX] = 0;
  numbers[i + velocityY] = 0;
  numbers[i + angularVelocity] = 0;
  clearForces(bodies, row);
}

export function clearForces({ numbers }: BodyStore, row: number): void {
  const i = row * stride;
  numbers[i + forceX] = 0;
  numbers[i + forceY] = 0;
  numbers[i + torque] = 0;
}

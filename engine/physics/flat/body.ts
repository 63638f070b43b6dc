import { atan2, cos, sin } from '../../core/dmath.ts';
import { at, dynamicType, staticType, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';

// The operations of planck's bodies, on rows of the store. The arithmetic is planck's, in planck's order.

/** Wakes a body or puts it to sleep. A body that falls asleep loses its velocity and forces. */
export function setAwake(bodies: BodyStore, row: number, isAwake: boolean): void {
  const { numbers } = bodies;
  const i = row * stride;
  bodies.setAwake(row, isAwake);
  numbers[i + at.sleepTime] = 0;
  if (isAwake) return;
  numbers[i + at.velocityX] = 0;
  numbers[i + at.velocityY] = 0;
  numbers[i + at.angularVelocity] = 0;
  clearForces(bodies, row);
}

export function clearForces({ numbers }: BodyStore, row: number): void {
  const i = row * stride;
  numbers[i + at.forceX] = 0;
  numbers[i + at.forceY] = 0;
  numbers[i + at.torque] = 0;
}

/** Wakes the body unless the velocity is zero. Does nothing for static bodies. */
export function setVelocity(bodies: BodyStore, row: number, x: number, y: number): void {
  if (bodies.type[row] === staticType) return;
  if (x * x + y * y > 0) setAwake(bodies, row, true);
  bodies.numbers[row * stride + at.velocityX] = x;
  bodies.numbers[row * stride + at.velocityY] = y;
}

export function setAngularVelocity(bodies: BodyStore, row: number, radiansPerSecond: number): void {
  if (bodies.type[row] === staticType) return;
  if (radiansPerSecond * radiansPerSecond > 0) setAwake(bodies, row, true);
  bodies.numbers[row * stride + at.angularVelocity] = radiansPerSecond;
}

/** Applies a force at the centre of mass for the next step. Only dynamic bodies are moved by forces. */
export function applyForce(bodies: BodyStore, row: number, x: number, y: number): void {
  if (!wakeDynamic(bodies, row)) return;
  bodies.numbers[row * stride + at.forceX]! += x;
  bodies.numbers[row * stride + at.forceY]! += y;
}

export function applyTorque(bodies: BodyStore, row: number, torque: number): void {
  if (wakeDynamic(bodies, row)) bodies.numbers[row * stride + at.torque]! += torque;
}

function wakeDynamic(bodies: BodyStore, row: number): boolean {
  if (bodies.type[row] !== dynamicType) return false;
  if (bodies.awake[row] === 0) setAwake(bodies, row, true);
  return true;
}

/**
 * Puts the frame of a body at a position, and with it the centre of mass, both the current one and the one at the start
 * of the step.
 */
export function setFrame({ numbers: n }: BodyStore, row: number, x: number, y: number, angle: number): void {
  const i = row * stride;
  const s = sin(angle);
  const c = cos(angle);
  const lx = n[i + at.localCentreX]!;
  const ly = n[i + at.localCentreY]!;
  const centreX = c * lx - s * ly + x;
  const centreY = s * lx + c * ly + y;
  const turned = atan2(s, c);
  n[i + at.x] = x;
  n[i + at.y] = y;
  n[i + at.sine] = s;
  n[i + at.cosine] = c;
  n[i + at.centreX] = centreX;
  n[i + at.centreY] = centreY;
  n[i + at.angle] = turned;
  n[i + at.formerCentreX] = centreX;
  n[i + at.formerCentreY] = centreY;
  n[i + at.formerAngle] = turned;
}

/**
 * Computes mass, inertia and centre of mass from the density. A dynamic body without density has mass 1 and turns
 * freely, as in planck.
 */
export function setMass(bodies: BodyStore, row: number): void {
  const { numbers: n } = bodies;
  const i = row * stride;
  if (bodies.type[row] !== dynamicType) {
    if (!(bodies.density[row]! > 0)) return;
    n[i + at.formerCentreX] = n[i + at.x]!;
    n[i + at.formerCentreY] = n[i + at.y]!;
    n[i + at.centreX] = n[i + at.x]!;
    n[i + at.centreY] = n[i + at.y]!;
    n[i + at.formerAngle] = n[i + at.angle]!;
    return;
  }
  let mass = 0;
  let inertia = 0;
  let x = 0;
  let y = 0;
  if (bodies.density[row]! > 0) {
    const data = { mass: 0, center: { x: 0, y: 0 }, I: 0 };
    bodies.shapeOf(row).computeMass(data, bodies.density[row]!);
    mass = data.mass;
    inertia = data.I;
    // Adding to 0 turns -0 into 0.
    x = 0 + data.mass * data.center.x;
    y = 0 + data.mass * data.center.y;
  }
  n[i + at.inverseMass] = 1;
  if (mass > 0) {
    n[i + at.inverseMass] = 1 / mass;
    x *= n[i + at.inverseMass]!;
    y *= n[i + at.inverseMass]!;
  } else mass = 1;
  n[i + at.mass] = mass;
  if (inertia > 0 && bodies.fixedRotation[row] === 0) {
    inertia -= mass * (x * x + y * y);
    n[i + at.inertia] = inertia;
    n[i + at.inverseInertia] = 1 / inertia;
  }
  if (!(bodies.density[row]! > 0)) return;
  n[i + at.localCentreX] = x;
  n[i + at.localCentreY] = y;
  const centreX = n[i + at.cosine]! * x - n[i + at.sine]! * y + n[i + at.x]!;
  const centreY = n[i + at.sine]! * x + n[i + at.cosine]! * y + n[i + at.y]!;
  n[i + at.centreX] = centreX;
  n[i + at.centreY] = centreY;
  n[i + at.formerCentreX] = centreX;
  n[i + at.formerCentreY] = centreY;
}

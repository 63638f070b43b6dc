import * as fc from 'fast-check';
import {
  applyForce,
  applyTorque,
  setAngularVelocity,
  setAwake,
  setVelocity,
} from '../../../engine/physics/flat/body.ts';
import type { PairOrder } from '../../../engine/physics/flat/broad-phase.ts';
import { type BodyDefinition, Space } from '../../../engine/physics/flat/space.ts';
import { makeShape } from '../../../engine/physics/shape.ts';
import { Mirror } from './mirror.ts';

/** Plays that fast-check generates: a space, its bodies, and what is done to them before each step. */

export interface BodyPlan extends Omit<BodyDefinition, 'entity' | 'shape'> {
  readonly isCircle: boolean;
  readonly width: number;
  readonly height: number;
  readonly middleX: number;
  readonly middleY: number;
  readonly vx: number;
  readonly vy: number;
  readonly spin: number;
}

const acts = [
  ...(['create', 'destroy', 'place', 'turn', 'velocity', 'spin', 'force', 'torque', 'awake'] as const),
  ...(['ray', 'area'] as const),
] as const;

/** An act on a body, which `who` selects whatever the number of bodies is. */
export interface Act {
  readonly what: (typeof acts)[number];
  readonly who: number;
  readonly x: number;
  readonly y: number;
  readonly yes: boolean;
  readonly body: BodyPlan;
}

export interface Play {
  readonly gravityX: number;
  readonly gravityY: number;
  readonly continuous: boolean;
  readonly rate: number;
  readonly bodies: readonly BodyPlan[];
  /** The acts before each step. */
  readonly steps: readonly (readonly Act[])[];
}

const coordinate = (range: number) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.double({ min: -range, max: range, noNaN: true }) },
    { weight: 2, arbitrary: fc.integer({ min: -range, max: range }) },
    { weight: 1, arbitrary: fc.constantFrom(0, -0) },
  );
const size = fc.double({ min: 0.1, max: 1.5, noNaN: true });
const offset = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.double({ min: -1, max: 1, noNaN: true }));
const speed = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, coordinate(20), coordinate(200));
const rarely = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true));

const bodyPlan = (range: number): fc.Arbitrary<BodyPlan> =>
  fc.record({
    type: fc.oneof(
      { weight: 7, arbitrary: fc.constant('dynamic' as const) },
      { weight: 2, arbitrary: fc.constant('static' as const) },
      { weight: 1, arbitrary: fc.constant('kinematic' as const) },
    ),
    x: coordinate(range),
    y: coordinate(range),
    angle: fc.oneof(fc.constantFrom(0, -0, Math.PI / 2), fc.double({ min: -7, max: 7, noNaN: true })),
    vx: speed,
    vy: speed,
    spin: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, coordinate(15)),
    fixedRotation: fc.boolean(),
    bullet: rarely,
    maySleep: fc.boolean(),
    gravityScale: fc.constantFrom(1, 1, 0, 0.5),
    linearDamping: fc.constantFrom(0, 0, 1, 5),
    angularDamping: fc.constantFrom(0, 0, 1, 5),
    isCircle: fc.boolean(),
    width: size,
    height: size,
    middleX: offset,
    middleY: offset,
    density: fc.constantFrom(0, 1, 1, 1, 2.5),
    friction: fc.constantFrom(0, 0.2, 0.9),
    restitution: fc.constantFrom(0, 0.3, 1),
    isSensor: rarely,
    category: fc.constantFrom(1, 1, 2, 4),
    mask: fc.constantFrom(0xffff, 0xffff, 0xffff, 3, 5),
  });

/** Plays of so many steps, with `bodies` to twice as many bodies at the start in a square of ± `range` m. */
export function playOf(steps: number, bodies: number, range: number): fc.Arbitrary<Play> {
  const act: fc.Arbitrary<Act> = fc.record({
    what: fc.constantFrom(...acts),
    who: fc.nat(1000),
    x: coordinate(range),
    y: coordinate(range),
    yes: fc.boolean(),
    body: bodyPlan(range),
  });
  return fc.record({
    gravityX: fc.constantFrom(0, 0, 3),
    gravityY: fc.constantFrom(0, 10, 10),
    continuous: fc.boolean(),
    rate: fc.constantFrom(20, 60),
    bodies: fc.array(bodyPlan(range), { minLength: bodies, maxLength: bodies * 2 }),
    steps: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: fc.array(act, { minLength: 1, maxLength: 2 }) },
      ),
      { minLength: steps, maxLength: steps },
    ),
  });
}

/** A space in which a play is played, with planck beside it. */
export class PlayedSpace {
  readonly space: Space;
  readonly mirror: Mirror;
  private readonly rate: number;
  private made = 0;

  constructor({ gravityX, gravityY, continuous, rate, bodies }: Play, order: PairOrder = 'tree') {
    this.rate = rate;
    this.space = new Space({ gravityX, gravityY, continuous, order, contactsMax: 100_000 }, () => {});
    this.mirror = new Mirror(this.space);
    for (const body of bodies) this.create(body);
  }

  /** Throws if planck does anything else. */
  step(acts: readonly Act[]): void {
    for (const act of acts) this.perform(act);
    // Each step copies the motion of bodies to planck, so whether planck's own acts do the same is compared before.
    const found = acts.length > 0 ? this.mirror.difference() : undefined;
    if (found !== undefined) throw new Error(`acts: ${found}`);
    this.space.step(1 / this.rate);
  }

  create(plan: BodyPlan): void {
    const { isCircle, width, height, middleX, middleY, vx, vy, spin, ...more } = plan;
    const sizes = { circle: isCircle, width, height: isCircle ? 0 : height, middleX, middleY };
    const body = this.space.createBody({ ...more, entity: ++this.made, shape: makeShape(sizes) });
    this.push(body, vx, vy, spin);
  }

  private push(body: number, vx: number, vy: number, spin: number): void {
    const { bodies } = this.space;
    const theirs = this.mirror.bodies.get(body)!;
    setVelocity(bodies, body, vx, vy);
    setAngularVelocity(bodies, body, spin);
    theirs.setLinearVelocity({ x: vx, y: vy });
    theirs.setAngularVelocity(spin);
  }

  private perform({ what, who, x, y, yes, body: plan }: Act): void {
    const { space, mirror } = this;
    const { bodies } = space;
    if (what === 'create') this.create(plan);
    if (what === 'ray') space.castRay(plan.x, plan.y, x, y, () => -1);
    if (what === 'area') space.bodiesInArea(Math.min(x, plan.x), y, Math.max(x, plan.x), y + plan.height);
    const rows = bodies.newestFirst();
    const row = rows[who % rows.length];
    if (row === undefined) return;
    const theirs = mirror.bodies.get(row)!;
    const angle = theirs.getAngle();
    if (what === 'destroy') space.destroyBody(row);
    if (what === 'place') space.place(row, x, y, yes ? angle : plan.angle);
    if (what === 'turn') space.place(row, theirs.getPosition().x, theirs.getPosition().y, plan.angle);
    if (what === 'velocity') this.push(row, x, y, theirs.getAngularVelocity());
    if (what === 'spin') this.push(row, theirs.getLinearVelocity().x, theirs.getLinearVelocity().y, x);
    if (what === 'force') {
      applyForce(bodies, row, x * 20, y * 20);
      theirs.applyForceToCenter({ x: x * 20, y: y * 20 }, true);
    }
    if (what === 'torque') {
      applyTorque(bodies, row, x * 10);
      theirs.applyTorque(x * 10, true);
    }
    if (what === 'awake') {
      setAwake(bodies, row, yes);
      theirs.setAwake(yes);
    }
  }
}

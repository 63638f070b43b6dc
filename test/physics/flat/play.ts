import * as fc from 'fast-check';
import {
  type Body,
  BoxShape,
  ChainShape,
  CircleShape,
  type Contact,
  EdgeShape,
  type Fixture,
  PolygonShape,
  type Shape,
  Vec2,
  type World,
} from '../../../engine/physics/planck/planck.ts';

/**
 * Plays that fast-check makes up: a world, what is in it, and what is done to it before each step. Played with planck's world and with ours, they
 * have to leave the same numbers after every step.
 */

export interface WorldPlan {
  readonly gravityX: number;
  readonly gravityY: number;
  readonly continuousPhysics: boolean;
  readonly allowSleep: boolean;
  readonly warmStarting: boolean;
  readonly blockSolve: boolean;
  readonly rate: number;
  readonly listensTo: 'contacts' | 'and meddles';
}

export interface BodyPlan {
  readonly type: 'static' | 'kinematic' | 'dynamic';
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly vx: number;
  readonly vy: number;
  readonly spin: number;
  readonly fixedRotation: boolean;
  readonly bullet: boolean;
  readonly allowSleep: boolean;
  readonly awake: boolean;
  readonly active: boolean;
  readonly gravityScale: number;
  readonly linearDamping: number;
  readonly angularDamping: number;
  readonly fixtures: readonly FixturePlan[];
}

export interface FixturePlan {
  readonly shape: 'circle' | 'box' | 'triangle' | 'edge' | 'chain';
  readonly size: number;
  readonly offsetX: number;
  readonly offsetY: number;
  readonly density: number;
  readonly friction: number;
  readonly restitution: number;
  readonly isSensor: boolean;
  readonly category: number;
  readonly mask: number;
  readonly group: number;
}

/** An act on a body, which `who` points at whatever the number of bodies is. */
export interface Act {
  readonly what: (typeof acts)[number];
  readonly who: number;
  readonly other: number;
  readonly x: number;
  readonly y: number;
  readonly yes: boolean;
  readonly body: BodyPlan;
}

export const acts = [
  'create',
  'destroy',
  'move',
  'turn',
  'velocity',
  'spin',
  'impulse',
  'force',
  'torque',
  'awake',
  'type',
  'active',
  'bullet',
  'maySleep',
  'fixedRotation',
  'filter',
  'sensor',
  'addFixture',
  'destroyFixture',
  'mass',
  'density',
  'damping',
  'gravity',
  'continuous',
  'sleeping',
  'origin',
  'friction',
] as const;

export interface Play {
  readonly world: WorldPlan;
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

const fixturePlan = (isOdd: boolean): fc.Arbitrary<FixturePlan> =>
  fc.record({
    shape: isOdd
      ? fc.constantFrom('circle', 'box', 'triangle', 'edge', 'chain')
      : fc.oneof(
          { weight: 4, arbitrary: fc.constant('circle' as const) },
          { weight: 3, arbitrary: fc.constant('box' as const) },
          { weight: 1, arbitrary: fc.constant('triangle' as const) },
        ),
    size: fc.double({ min: 0.1, max: 1.5, noNaN: true }),
    offsetX: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.double({ min: -1, max: 1, noNaN: true })),
    offsetY: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.double({ min: -1, max: 1, noNaN: true })),
    density: fc.constantFrom(0, 1, 1, 1, 2.5),
    friction: fc.constantFrom(0, 0.2, 0.9),
    restitution: fc.constantFrom(0, 0.3, 1),
    isSensor: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    category: fc.constantFrom(1, 1, 2, 4),
    mask: fc.constantFrom(0xffff, 0xffff, 0xffff, 3, 5),
    group: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1)),
  });

const bodyPlan = (range: number, isOdd: boolean): fc.Arbitrary<BodyPlan> =>
  fc.record({
    type: fc.oneof(
      { weight: 7, arbitrary: fc.constant('dynamic' as const) },
      { weight: 2, arbitrary: fc.constant('static' as const) },
      { weight: 1, arbitrary: fc.constant('kinematic' as const) },
    ),
    x: coordinate(range),
    y: coordinate(range),
    angle: fc.oneof(fc.constantFrom(0, -0, Math.PI / 2), fc.double({ min: -7, max: 7, noNaN: true })),
    vx: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, coordinate(20), coordinate(200)),
    vy: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, coordinate(20), coordinate(200)),
    spin: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, coordinate(15)),
    fixedRotation: fc.boolean(),
    bullet: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    allowSleep: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    awake: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, fc.constant(false)),
    active: fc.oneof({ weight: 12, arbitrary: fc.constant(true) }, fc.constant(false)),
    gravityScale: fc.constantFrom(1, 1, 0, 0.5),
    linearDamping: fc.constantFrom(0, 0, 1, 5),
    angularDamping: fc.constantFrom(0, 0, 1, 5),
    fixtures: fc.oneof(
      { weight: 8, arbitrary: fc.tuple(fixturePlan(isOdd)) },
      fc.array(fixturePlan(isOdd), { maxLength: 3 }),
    ),
  });

const act = (range: number, isOdd: boolean): fc.Arbitrary<Act> =>
  fc.record({
    what: fc.constantFrom(...acts),
    who: fc.nat(1000),
    other: fc.nat(1000),
    x: coordinate(range),
    y: coordinate(range),
    yes: fc.boolean(),
    body: bodyPlan(range, isOdd),
  });

/** `isOdd`: with shapes and listeners that the step leaves to planck. */
export function playOf(steps: number, bodies: number, range: number, isOdd: boolean): fc.Arbitrary<Play> {
  return fc.record({
    world: fc.record({
      gravityX: fc.constantFrom(0, 0, 3),
      gravityY: fc.constantFrom(0, 10, 10),
      continuousPhysics: fc.boolean(),
      allowSleep: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
      warmStarting: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
      blockSolve: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
      rate: fc.constantFrom(20, 60),
      listensTo: isOdd ? fc.constantFrom('contacts', 'and meddles') : fc.constant('contacts' as const),
    }),
    bodies: fc.array(bodyPlan(range, isOdd), { minLength: bodies, maxLength: bodies * 2 }),
    steps: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: fc.array(act(range, isOdd), { minLength: 1, maxLength: 2 }) },
      ),
      { minLength: steps, maxLength: steps },
    ),
  });
}

function shapeOf({ shape, size, offsetX, offsetY }: FixturePlan): Shape {
  const centre = new Vec2(offsetX, offsetY);
  switch (shape) {
    case 'circle':
      return new CircleShape(centre, size);
    case 'box':
      return new BoxShape(size, size * 0.6, centre, offsetX);
    case 'triangle':
      return new PolygonShape([
        { x: -size, y: -size },
        { x: size, y: -size * 0.5 },
        { x: offsetX * 0.2, y: size },
      ]);
    case 'edge':
      return new EdgeShape(new Vec2(-size, offsetY), new Vec2(size, offsetX));
    default:
      return new ChainShape([
        { x: -size * 2, y: offsetY },
        { x: 0, y: offsetX },
        { x: size * 2, y: 0 },
      ]);
  }
}

/** One world of a play, and its events. */
export class PlayedWorld {
  readonly world: World;
  readonly log: string[] = [];
  private made = 0;
  private readonly rate: number;

  constructor(make: (definition: object) => World, { world: plan, bodies }: Play) {
    this.rate = plan.rate;
    this.world = make({
      gravity: { x: plan.gravityX, y: plan.gravityY },
      continuousPhysics: plan.continuousPhysics,
      allowSleep: plan.allowSleep,
      warmStarting: plan.warmStarting,
      blockSolve: plan.blockSolve,
    });
    this.listen(plan.listensTo);
    for (const body of bodies) this.create(body);
  }

  step(acts: readonly Act[]): void {
    for (const act of acts) this.perform(act);
    this.world.step(1 / this.rate, 8, 3);
  }

  private listen(listensTo: WorldPlan['listensTo']): void {
    const { world, log } = this;
    const pair = (name: string) => (contact: Contact) => {
      const a = contact.getFixtureA();
      const b = contact.getFixtureB();
      log.push(`${name} ${nameOf(a)} ${nameOf(b)}`);
      if (listensTo !== 'and meddles') return;
      const body = a.getBody();
      if (log.length % 3 === 0) body.setLinearVelocity(new Vec2(log.length % 7, -1));
      if (log.length % 5 === 0) body.setAwake(false);
      if (log.length % 4 === 0) body.applyForceToCenter(new Vec2(30, -20));
    };
    world.on('begin-contact', pair('+'));
    world.on('end-contact', pair('-'));
  }

  private create(plan: BodyPlan): void {
    const body = this.world.createBody({
      type: plan.type,
      position: { x: plan.x, y: plan.y },
      angle: plan.angle,
      linearVelocity: plan.type === 'static' ? { x: 0, y: 0 } : { x: plan.vx, y: plan.vy },
      angularVelocity: plan.type === 'static' ? 0 : plan.spin,
      fixedRotation: plan.fixedRotation,
      bullet: plan.bullet,
      allowSleep: plan.allowSleep,
      awake: plan.awake,
      active: plan.active,
      gravityScale: plan.gravityScale,
      linearDamping: plan.linearDamping,
      angularDamping: plan.angularDamping,
      userData: ++this.made,
    });
    for (const fixture of plan.fixtures) this.addFixture(body, fixture);
  }

  private addFixture(body: Body, plan: FixturePlan): void {
    body.createFixture({
      shape: shapeOf(plan),
      density: plan.density,
      friction: plan.friction,
      restitution: plan.restitution,
      isSensor: plan.isSensor,
      filterCategoryBits: plan.category,
      filterMaskBits: plan.mask,
      filterGroupIndex: plan.group,
    });
  }

  private perform({ what, who, other, x, y, yes, body: plan }: Act): void {
    const { world } = this;
    const body = this.bodyAt(who);
    if (what === 'create') this.create(plan);
    if (what === 'gravity') world.setGravity(new Vec2(x / 4, y / 4));
    if (what === 'continuous') world.setContinuousPhysics(yes);
    if (what === 'sleeping') world.setAllowSleeping(yes);
    if (what === 'origin') world.shiftOrigin(new Vec2(x, y));
    if (body === undefined) return;
    const fixture = body.getFixtureList();
    const vector = new Vec2(x, y);
    switch (what) {
      case 'destroy':
        world.destroyBody(body);
        return;
      case 'move':
        body.setTransform(vector, yes ? body.getAngle() : plan.angle);
        return;
      case 'turn':
        body.setAngle(plan.angle);
        return;
      case 'velocity':
        body.setLinearVelocity(vector);
        return;
      case 'spin':
        body.setAngularVelocity(x);
        return;
      case 'impulse':
        body.applyLinearImpulse(vector, body.getWorldCenter(), yes);
        return;
      case 'force':
        body.applyForce(new Vec2(x * 20, y * 20), body.getWorldPoint(new Vec2(0.3, 0)), yes);
        return;
      case 'torque':
        body.applyTorque(x * 10, yes);
        return;
      case 'awake':
        body.setAwake(yes);
        return;
      case 'type':
        body.setType(plan.type);
        return;
      case 'active':
        body.setActive(yes);
        return;
      case 'bullet':
        body.setBullet(yes);
        return;
      case 'maySleep':
        body.setSleepingAllowed(yes);
        return;
      case 'fixedRotation':
        body.setFixedRotation(yes);
        return;
      case 'filter':
        fixture?.setFilterData({ groupIndex: 0, categoryBits: 1 + (other % 4), maskBits: yes ? 0xffff : 2 });
        return;
      case 'sensor':
        fixture?.setSensor(yes);
        return;
      case 'friction':
        fixture?.setFriction(yes ? 0 : 0.7);
        return;
      case 'addFixture':
        if (plan.fixtures.length > 0) this.addFixture(body, plan.fixtures[0]!);
        return;
      case 'destroyFixture':
        if (fixture !== null) body.destroyFixture(fixture);
        return;
      case 'mass':
        body.setMassData({ mass: 0.5 + (other % 3), center: new Vec2(x / 20, y / 20), I: 2 });
        return;
      case 'density':
        fixture?.setDensity(1 + (other % 3));
        body.resetMassData();
        return;
      case 'damping':
        body.setLinearDamping(other % 3);
        body.setAngularDamping(other % 2);
        body.setGravityScale(yes ? 1 : -1);
        return;
    }
  }

  private bodyAt(who: number): Body | undefined {
    const count = this.world.getBodyCount();
    if (count === 0) return undefined;
    let body = this.world.getBodyList()!;
    for (let i = who % count; i > 0; i--) body = body.getNext()!;
    return body;
  }
}

function nameOf(fixture: Fixture): string {
  return String(fixture.getBody().getUserData());
}

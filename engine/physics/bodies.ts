import { type Entity, Kind, noEntity, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import { type BodySpec, createBody, entityOf } from './body.ts';
import { GridWorld } from './flat/grid-world.ts';
import { FlatWorld } from './flat/world.ts';
import {
  AABB,
  assertOurMaths,
  type Body,
  type Fixture,
  World as PlanckWorld,
  pixelsPerMetre,
  Vec2,
} from './planck/planck.ts';
import { insideBody } from './planck-inside.ts';
import { Act, numbersPerAct, WaitingActs } from './waiting.ts';

/** Larger numbers would soon be infinite somewhere inside planck, and NaN spreads silently there. */
const largest = 1e12;

/** Bits of `pending`: which part of the transform is set at the next update instead of read back. */
const pendingPosition = 1;
const pendingAngle = 2;
/** Which part was set before there was a body, and is set again in the first behaviour after it is there. */
const waitingPosition = 4;
const waitingAngle = 8;
const waitingAny = waitingPosition | waitingAngle;
/** What of `pendingX/Y` and of `pendingTurn` is in use. */
export const anyPosition = pendingPosition | waitingPosition;
export const anyAngle = pendingAngle | waitingAngle;

/** planck's step over flat memory with planck's tree or a grid, and planck itself, to compare with: the results of `flat` and `planck` are the same. */
const engines = { flat: FlatWorld, grid: GridWorld, planck: PlanckWorld } as const;
export type PhysicsEngine = keyof typeof engines;
export const physicsEngines: readonly string[] = Object.keys(engines);

/** What `Bodies` keeps by row. */
export interface RowStores {
  readonly byRow: (Body | undefined)[];
  readonly confined: Uint8Array;
  readonly waiting: WaitingActs;
  readonly pending: Uint8Array;
  readonly pendingX: Float64Array;
  readonly pendingY: Float64Array;
  readonly pendingTurn: Float64Array;
}

/**
 * The bodies of entities, by row: what they do now and what can be done to them. Positions are px, angles radians (0 up, clockwise);
 * velocities, forces and impulses are physics units, which no call converts (reference: physics#world).
 */
export class Bodies {
  protected readonly world: World;
  protected readonly planck: PlanckWorld;
  /** 1 for those that the map's boundary holds. */
  protected readonly confined: Uint8Array;
  /** While contacts of the step are delivered, where the reference has planck locked: acts wait then. */
  protected delivering = false;
  /** After a row has changed hands the body may still be that of the former entity, until the update that destroys it. */
  protected readonly byRow: (Body | undefined)[] = [];
  private readonly waiting: WaitingActs;
  private readonly pending: Uint8Array;
  private readonly pendingX: Float64Array;
  private readonly pendingY: Float64Array;
  private readonly pendingTurn: Float64Array;

  // Reused by every call.
  private readonly vector = new Vec2();
  private readonly around = new AABB();

  constructor(world: World, engine: PhysicsEngine) {
    assertOurMaths();
    const { gravity, continuousPhysics } = world.definition.settings;
    const rows = world.components.identity.kind.length;
    this.world = world;
    this.planck = new engines[engine]({
      gravity: { x: isSane(gravity.x) ? gravity.x : 0, y: isSane(gravity.y) ? gravity.y : 0 },
      continuousPhysics,
    });
    this.confined = new Uint8Array(rows);
    this.waiting = new WaitingActs(rows);
    this.pending = new Uint8Array(rows);
    this.pendingX = new Float64Array(rows);
    this.pendingY = new Float64Array(rows);
    this.pendingTurn = new Float64Array(rows);
  }

  // Acts. At once where the entity has a body and no contacts are being delivered; otherwise they wait for the entity's next behaviour after
  // it has one (reference: tick#physics-update). Numbers that are not finite, or absurdly large, are refused with a fault.

  setVelocity(entity: Entity, x: number, y: number): void {
    this.act(entity, Act.velocity, 'velocity', x, y);
  }

  /** For one step. */
  applyForce(entity: Entity, x: number, y: number): void {
    this.act(entity, Act.force, 'force', x, y);
  }

  applyImpulse(entity: Entity, x: number, y: number): void {
    this.act(entity, Act.impulse, 'impulse', x, y);
  }

  /** For one step. */
  applyTorque(entity: Entity, torque: number): void {
    this.act(entity, Act.torque, 'torque', torque, 0);
  }

  /** In place of the torque that the body has for the next step; nothing without a body. At once, also while contacts are delivered. */
  setTorque(entity: Entity, torque: number): void {
    const body = this.bodyOf(entity);
    if (body === undefined || !body.isDynamic() || !this.accepts('torque', torque, 0)) return;
    insideBody(body).m_torque = torque;
    body.setAwake(true);
  }

  setAngularVelocity(entity: Entity, radiansPerSecond: number): void {
    this.act(entity, Act.angularVelocity, 'angular velocity', radiansPerSecond, 0);
  }

  /** Whether `drainPending` has anything to do for the entity of a row; what has no body goes on waiting. */
  isWaited(row: number): boolean {
    return ((this.pending[row]! & waitingAny) !== 0 || this.waiting.count(row) !== 0) && this.byRow[row] !== undefined;
  }

  /** Does what waits for the entity, in order. To be called in its behaviour; without a body it goes on waiting. */
  drainPending(entity: Entity): void {
    const row = rowOf(entity);
    const count = this.waiting.count(row);
    const waits = this.pending[row]! & waitingAny;
    if (count === 0 && waits === 0) return;
    const body = this.bodyOf(entity);
    if (body === undefined) return;
    if ((waits & waitingPosition) !== 0) {
      const { transform } = this.world.components;
      transform.x[row] = this.pendingX[row]!;
      transform.y[row] = this.pendingY[row]!;
      this.wakeSensor(entity);
      // No teleport of its own: the next update holds it inside the map again.
      this.place(body, transform.x[row]! / pixelsPerMetre, transform.y[row]! / pixelsPerMetre, body.getAngle());
    }
    if ((waits & waitingAngle) !== 0) this.turnTo(entity, this.pendingTurn[row]!);
    this.pending[row]! &= ~waitingAny;
    if (count === 0) return;
    const acts = this.waiting.take(row);
    for (let i = 0; i < count * numbersPerAct; i += numbersPerAct) {
      this.perform(body, acts[i]!, acts[i + 1]!, acts[i + 2]!);
    }
  }

  /**
   * The entity is there at once, body and all, keeping its velocity, and the next update leaves it there (reference: physics#teleports). While
   * contacts are delivered its body follows in its next behaviour. Without a body it is put there again in its first behaviour with one, so
   * that what the body's first step did to its place is undone: a recorded habit of the reference, which shows wherever something is made
   * or dropped inside something else.
   */
  moveTo(entity: Entity, x: number, y: number): void {
    if (!this.world.exists(entity) || !this.accepts('position', x, y)) return;
    const { components: c } = this.world;
    const row = rowOf(entity);
    c.transform.x[row] = x;
    c.transform.y[row] = y;
    this.wakeSensor(entity);
    this.pendingX[row] = x;
    this.pendingY[row] = y;
    const body = this.bodyOf(entity);
    if (body === undefined || this.delivering) {
      this.world.wake(entity);
      this.pending[row]! |= waitingPosition;
      if (body !== undefined && !body.isStatic()) this.pending[row]! |= pendingPosition;
      return;
    }
    this.place(body, x / pixelsPerMetre, y / pixelsPerMetre, body.getAngle());
    this.pending[row]! &= ~waitingPosition;
    if (!body.isStatic()) this.pending[row]! |= pendingPosition;
  }

  /** Puts the body of what is carried somewhere. It is no teleport: the next update holds it inside the map. */
  carryTo(entity: Entity, x: number, y: number): void {
    const body = this.bodyOf(entity);
    if (body === undefined || this.delivering) {
      this.moveTo(entity, x, y);
      return;
    }
    if (!this.world.exists(entity) || !this.accepts('position', x, y)) return;
    const { transform } = this.world.components;
    const row = rowOf(entity);
    transform.x[row] = x;
    transform.y[row] = y;
    this.pending[row]! &= ~anyPosition;
    this.place(body, x / pixelsPerMetre, y / pixelsPerMetre, body.getAngle());
  }

  /** The same for the angle. Told what it is already, the body is left alone and may sleep: units face their mouse in every tick. */
  turnTo(entity: Entity, angle: number): void {
    if (!this.world.exists(entity) || !this.accepts('angle', angle, 0)) return;
    const row = rowOf(entity);
    this.world.components.transform.angle[row] = angle;
    const body = this.bodyOf(entity);
    if (body === undefined || this.delivering) {
      this.world.wake(entity);
      this.pending[row]! |= waitingAngle;
      this.pendingTurn[row] = angle;
      if (body !== undefined && !body.isStatic()) this.pending[row]! |= pendingAngle;
      return;
    }
    this.pending[row]! &= ~anyAngle;
    if (body.getAngle() === angle) return;
    const { x, y } = body.getPosition();
    this.place(body, x, y, angle);
    if (body.isStatic()) return;
    this.pending[row]! |= pendingAngle;
    this.pendingTurn[row] = angle;
  }

  // What a body does now. Without one: at rest where the entity is, weighing nothing.

  hasBody(entity: Entity): boolean {
    return this.bodyOf(entity) !== undefined;
  }

  isAwake(entity: Entity): boolean {
    return this.bodyOf(entity)?.isAwake() ?? false;
  }

  velocityX(entity: Entity): number {
    return this.bodyOf(entity)?.getLinearVelocity().x ?? 0;
  }

  velocityY(entity: Entity): number {
    return this.bodyOf(entity)?.getLinearVelocity().y ?? 0;
  }

  angularVelocity(entity: Entity): number {
    return this.bodyOf(entity)?.getAngularVelocity() ?? 0;
  }

  massOf(entity: Entity): number {
    return this.bodyOf(entity)?.getMass() ?? 0;
  }

  /** Whether two bodies were in contact at the end of the last step. */
  areTouching(first: Entity, second: Entity): boolean {
    const other = this.bodyOf(second);
    if (other === undefined) return false;
    for (let edge = this.bodyOf(first)?.getContactList() ?? null; edge !== null; edge = edge.next) {
      if (edge.other === other && edge.contact.isTouching()) return true;
    }
    return false;
  }

  bodyX(entity: Entity): number {
    const body = this.bodyOf(entity);
    return body === undefined
      ? this.world.components.transform.x[rowOf(entity)]!
      : body.getPosition().x * pixelsPerMetre;
  }

  bodyY(entity: Entity): number {
    const body = this.bodyOf(entity);
    return body === undefined
      ? this.world.components.transform.y[rowOf(entity)]!
      : body.getPosition().y * pixelsPerMetre;
  }

  bodyAngle(entity: Entity): number {
    return this.bodyOf(entity)?.getAngle() ?? this.world.components.transform.angle[rowOf(entity)]!;
  }

  // For the update.

  /** Destroys the body an entity has and builds the one it shall have. Not while planck is locked: it would ignore the call. */
  protected exchangeBody(entity: Entity, spec: BodySpec | undefined, confined: boolean): void {
    const row = rowOf(entity);
    const present = this.bodyOf(entity);
    if (present !== undefined) {
      this.planck.destroyBody(present);
      this.byRow[row] = undefined;
    }
    if (spec === undefined || !this.world.exists(entity)) return;
    const { components: c } = this.world;
    // A body that may not turn faces up when the entity first has one; what scripts turned since then stays turned (reference: physics#bodies).
    if (spec.fixedRotation && present === undefined) {
      c.transform.angle[row] = 0;
      this.pending[row]! &= ~waitingAngle;
    }
    const body = createBody(
      this.planck,
      spec,
      entity,
      c.transform.x[row]!,
      c.transform.y[row]!,
      c.transform.angle[row]!,
      c.body.scale[row]!,
    );
    const kind = c.identity.kind[row]!;
    const isConfinable = kind === Kind.unit || kind === Kind.item || kind === Kind.projectile;
    this.byRow[row] = body;
    this.confined[row] = confined && isConfinable ? 1 : 0;
    this.pending[row]! &= waitingAny;
    // The first update leaves what is new where it was made, outside the map too (reference: physics#teleports).
    if (present === undefined && !body.isStatic() && this.confined[row] === 1) {
      this.pending[row]! |= pendingPosition;
      if ((this.pending[row]! & waitingPosition) === 0) {
        this.pendingX[row] = c.transform.x[row]!;
        this.pendingY[row] = c.transform.y[row]!;
      }
    }
    // What waited for the body is done in the entity's next behaviour.
    if (this.isWaited(row)) this.world.wake(entity);
    if (body.isStatic()) this.wakeAround(body);
  }

  /** Drops what is kept for a row; returns the entity of a body that is still there, 0 for none. */
  protected forgetRow(row: number): Entity {
    this.waiting.clear(row);
    this.pending[row] = 0;
    const body = this.byRow[row];
    return body === undefined ? noEntity : entityOf(body);
  }

  /** What was moved by a script since the last update stays where the script put it, whatever the read-back or the boundary found. */
  protected settle(body: Body, row: number): void {
    const pending = this.pending[row]! & ~waitingAny;
    if (pending === 0) return;
    const { components: c } = this.world;
    let { x, y } = body.getPosition();
    let angle = body.getAngle();
    if ((pending & pendingPosition) !== 0) {
      c.transform.x[row] = this.pendingX[row]!;
      c.transform.y[row] = this.pendingY[row]!;
      x = c.transform.x[row]! / pixelsPerMetre;
      y = c.transform.y[row]! / pixelsPerMetre;
    }
    if ((pending & pendingAngle) !== 0) {
      angle = this.pendingTurn[row]!;
      c.transform.angle[row] = angle;
    }
    this.pending[row]! &= waitingAny;
    this.place(body, x, y, angle);
  }

  protected perform(body: Body, act: number, x: number, y: number): void {
    const { vector } = this;
    vector.set(x, y);
    switch (act) {
      case Act.velocity:
        body.setLinearVelocity(vector);
        break;
      case Act.force:
        body.applyForceToCenter(vector);
        break;
      case Act.impulse:
        // planck's own call makes an object for the lever arm, which is nothing at the centre of mass.
        if (!body.isDynamic()) break;
        vector.mul(1 / body.getMass());
        vector.add(body.getLinearVelocity());
        body.setLinearVelocity(vector);
        break;
      case Act.torque:
        body.applyTorque(x);
        break;
      case Act.angularVelocity:
        body.setAngularVelocity(x);
        break;
    }
  }

  /** The entity may be somewhere else now: the sensor around it follows, and a sensor goes back to its unit. */
  protected wakeSensor(entity: Entity): void {
    const { sensing, identity } = this.world.components;
    const row = rowOf(entity);
    if (sensing.sensor[row] !== noEntity) this.world.wake(sensing.sensor[row]!);
    else if (identity.kind[row] === Kind.sensor) this.world.wake(entity);
  }

  /** Metres. Wakes the body, and sleepers that a static one is put on. */
  protected place(body: Body, x: number, y: number, angle: number): void {
    const position = body.getPosition();
    if (position.x === x && position.y === y && body.getAngle() === angle) {
      body.setAwake(true);
      return;
    }
    this.vector.set(x, y);
    body.setTransform(this.vector, angle);
    if (body.isStatic()) this.wakeAround(body);
  }

  protected accepts(what: string, x: number, y: number): boolean {
    if (isSane(x) && isSane(y)) return true;
    this.world.fault('not-finite', `A ${what} of (${x}, ${y}) was refused.`);
    return false;
  }

  /** What is kept by row, itself and no copy: for snapshots and the hash. */
  protected get rowStores(): RowStores {
    const { byRow, confined, waiting, pending, pendingX, pendingY, pendingTurn } = this;
    return { byRow, confined, waiting, pending, pendingX, pendingY, pendingTurn };
  }

  private bodyOf(entity: Entity): Body | undefined {
    const body = this.byRow[rowOf(entity)];
    return body !== undefined && entityOf(body) === entity ? body : undefined;
  }

  private act(entity: Entity, act: Act, what: string, x: number, y: number): void {
    if (!this.accepts(what, x, y)) return;
    const body = this.bodyOf(entity);
    if (body !== undefined && !this.delivering) this.perform(body, act, x, y);
    else if (this.world.exists(entity)) {
      this.waiting.add(rowOf(entity), act, x, y);
      this.world.wake(entity);
    }
  }

  /** planck looks at a pair only while one of the two is awake and not static: a sleeper would not notice what is put on it. */
  private wakeAround(body: Body): void {
    const fixture = body.getFixtureList();
    if (fixture === null) return;
    fixture.getShape().computeAABB(this.around, body.getTransform(), 0);
    this.planck.queryAABB(this.around, wake);
  }
}

function wake(fixture: Fixture): boolean {
  const body = fixture.getBody();
  if (!body.isStatic()) body.setAwake(true);
  return true;
}

function isSane(value: number): boolean {
  return value >= -largest && value <= largest;
}

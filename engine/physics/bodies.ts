import { atan2, cos, sin } from '../core/dmath.ts';
import { f64, i32, table, u8 } from '../schema/index.ts';
import { type Entity, Kind, noEntity, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import type { AreaTest } from './area.ts';
import { type BodySpec, createBody, hasForm } from './body.ts';
import { BodyCommand, CommandQueues, numbersPerCommand, type QueuedPlacement } from './command-queues.ts';
import { applyForce, applyTorque, setAngularVelocity, setAwake, setVelocity } from './flat/body.ts';
import { at, dynamicType, staticType, stride } from './flat/body-fields.ts';
import type { PairOrder } from './flat/broad-phase.ts';
import { Space } from './flat/space.ts';
import { pixelsPerMetre } from './scale.ts';

/**
 * The largest number that physics accepts. Larger ones would overflow to infinity, and the resulting NaN would spread.
 */
const largest = 1e12;
const noBody = -1;

/** The columns that physics keeps for each entity, by its row. */
const rowColumns = table({
  /**
   * The row of the entity's body in the body store, or `noBody`. After a row of entities is reused, this may still be
   * the body of the former entity, until the update that destroys that body.
   */
  body: i32(),
  /** 1 for entities that stay inside the map. */
  confined: u8(),
  /**
   * 1 for entities with a pending teleport: the next update puts the body at the target, even if something else has
   * moved the body in the meantime.
   */
  teleports: u8(),
  teleportX: f64(),
  teleportY: f64(),
  teleportAngle: f64(),
});

/** Physics rules that differ between the dialects. */
export interface PhysicsRules {
  readonly pairs: PairOrder;
  readonly areas: AreaTest;
  readonly queuedPlacement: QueuedPlacement;
  /**
   * Whether each update converts positions to px and back, and angles to sine and cosine and back, which rounds them.
   */
  readonly roundTripsTransforms: boolean;
  /**
   * Whether a body that is requested twice is built twice. All queued bodies of an entity then get the last requested
   * size.
   */
  readonly buildsDuplicateRequests: boolean;
  /** Whether gravity also pulls sensors. */
  readonly gravityMovesSensors: boolean;
}

/**
 * The bodies of entities, by row, with methods that read and change their movement. Positions are px, angles radians (0
 * up, clockwise). Velocities, forces and impulses are in physics units and are never converted (reference:
 * physics#world).
 */
export class Bodies {
  protected readonly space: Space;
  protected readonly roundTripsTransforms: boolean;
  /**
   * True while the contacts of a step are delivered. Actions on bodies are queued during that time, because the
   * reference locks its world then.
   */
  protected delivering = false;
  protected readonly byRow = rowColumns.create(0);
  protected readonly commandQueues: CommandQueues;

  constructor(
    protected readonly world: World,
    { pairs, queuedPlacement, roundTripsTransforms }: PhysicsRules,
    contactChanged: (isBegin: boolean, first: number, second: number) => void,
  ) {
    const { gravity, continuousPhysics } = world.definition.settings;
    this.roundTripsTransforms = roundTripsTransforms;
    this.space = new Space(
      {
        gravityX: isSane(gravity.x) ? gravity.x : 0,
        gravityY: isSane(gravity.y) ? gravity.y : 0,
        continuous: continuousPhysics,
        order: pairs,
        contactsMax: world.limits.contacts,
        pairsMax: world.limits.pairs,
      },
      contactChanged,
    );
    this.commandQueues = new CommandQueues(queuedPlacement);
    world.rowTables.push(this);
    this.reserve(world.rowCapacity);
  }

  /** Makes room for `rows` rows of entities. */
  reserve(rows: number): void {
    const { length } = this.byRow.body;
    rowColumns.grow(this.byRow, rows);
    this.byRow.body.fill(noBody, length);
    this.commandQueues.reserve(rows);
  }

  // The following methods act on bodies. An action is performed immediately if the entity has a body and no contacts
  // are being delivered. Otherwise, the action is queued until the entity's next turn in which it has a body
  // (reference: tick#physics-update). Numbers that are not finite, or beyond ±`largest`, are refused with a fault.

  setVelocity(entity: Entity, x: number, y: number): void {
    this.command(entity, BodyCommand.velocity, 'velocity', x, y);
  }

  /** Applies a force for one step, at the centre of mass. */
  applyForce(entity: Entity, x: number, y: number): void {
    this.command(entity, BodyCommand.force, 'force', x, y);
  }

  applyImpulse(entity: Entity, x: number, y: number): void {
    this.command(entity, BodyCommand.impulse, 'impulse', x, y);
  }

  /** Applies a torque for one step. */
  applyTorque(entity: Entity, torque: number): void {
    this.command(entity, BodyCommand.torque, 'torque', torque, 0);
  }

  /**
   * Sets the torque for the next step immediately, even while contacts are delivered. Does nothing if the entity has no
   * dynamic body.
   */
  setTorque(entity: Entity, torque: number): void {
    const body = this.bodyOf(entity);
    const { bodies } = this.space;
    if (body === noBody || bodies.type[body] !== dynamicType || !this.accepts('torque', torque, 0)) return;
    bodies.numbers[body * stride + at.torque] = torque;
    setAwake(bodies, body, true);
  }

  setAngularVelocity(entity: Entity, radiansPerSecond: number): void {
    this.command(entity, BodyCommand.angularVelocity, 'angular velocity', radiansPerSecond, 0);
  }

  /**
   * Whether actions are queued for the entity of a row and its body exists, so that `drainPending` has something to do.
   */
  isWaited(row: number): boolean {
    return this.commandQueues.count(row) !== 0 && this.byRow.body[row] !== noBody;
  }

  /**
   * Performs the queued actions of an entity, in order. Called in the entity's turn. If the entity has no body, the
   * actions stay in the queue.
   */
  drainPending(entity: Entity): void {
    const row = rowOf(entity);
    const count = this.commandQueues.count(row);
    if (count === 0) return;
    const body = this.bodyOf(entity);
    if (body === noBody) return;
    const acts = this.commandQueues.take(row);
    for (let i = 0; i < count * numbersPerCommand; i += numbersPerCommand) {
      this.perform(body, acts[i]!, acts[i + 1]!, acts[i + 2]!);
    }
  }

  /**
   * Moves an entity and its body immediately; angle and velocity stay. The next update reads the position back from the
   * body and keeps it inside the map. If the entity has no body, or while contacts are delivered, the body is moved in
   * the entity's next turn in which it has a body, even if the entity has moved elsewhere by then, as in the reference.
   */
  moveTo(entity: Entity, x: number, y: number): void {
    if (!this.world.exists(entity) || !this.accepts('position', x, y)) return;
    const { transform } = this.world.components;
    const row = rowOf(entity);
    transform.x[row] = x;
    transform.y[row] = y;
    this.wakeFollowers(entity);
    this.command(entity, BodyCommand.place, 'position', x / pixelsPerMetre, y / pixelsPerMetre);
  }

  /**
   * Like `moveTo`, for the angle. If the current state of the entity has no body, only the transform changes: a body
   * that the entity gets later is not turned.
   */
  turnTo(entity: Entity, angle: number): void {
    if (!this.world.exists(entity) || !this.accepts('angle', angle, 0)) return;
    const row = rowOf(entity);
    this.world.components.transform.angle[row] = angle;
    // `wake` also wakes the carried items: they turn with the entity, and a carried item that was turned turns back to
    // its carrier.
    this.world.wake(entity);
    const kind = this.world.components.identity.kind[row];
    const hasStates = kind === Kind.unit || kind === Kind.item || kind === Kind.projectile;
    if (hasStates ? hasForm(this.world.components.bodyType[row]) : this.bodyOf(entity) !== noBody)
      this.command(entity, BodyCommand.turn, 'angle', angle, 0);
  }

  /**
   * Moves and turns an entity as `moveTo` and `turnTo` do. In addition, the next update puts its body at this position,
   * even outside the map, and does not read the transform back (reference: physics#teleports). Without the angle `to`,
   * the current angle is kept.
   */
  teleportTo(entity: Entity, x: number, y: number, to?: number): void {
    if (!this.world.exists(entity)) return;
    const angle = to ?? this.world.components.transform.angle[rowOf(entity)]!;
    if (!this.accepts('position', x, y) || !this.accepts('angle', angle, 0)) return;
    this.setTeleport(rowOf(entity), x, y, angle);
    this.moveTo(entity, x, y);
    this.turnTo(entity, angle);
  }

  /**
   * Places a new entity. The first update in which the entity has a body moves the body to this position (reference:
   * physics#teleports).
   */
  appear(entity: Entity, x: number, y: number, angle: number): void {
    const { transform } = this.world.components;
    const row = rowOf(entity);
    transform.x[row] = x;
    transform.y[row] = y;
    transform.angle[row] = angle;
    this.wakeFollowers(entity);
    this.setTeleport(row, x, y, angle);
  }

  // The following methods return the current movement of a body. An entity without a body counts as resting at its
  // position, with mass 0.

  hasBody(entity: Entity): boolean {
    return this.bodyOf(entity) !== noBody;
  }

  /** Whether the entity has a body that can be changed now. No body can be changed while contacts are delivered. */
  isBuilt(entity: Entity): boolean {
    return this.bodyOf(entity) !== noBody && !this.delivering;
  }

  isAwake(entity: Entity): boolean {
    const body = this.bodyOf(entity);
    return body !== noBody && this.space.bodies.awake[body] === 1;
  }

  /** Whether an item is where its carrier's body is now, offset by the anchor at which it was last held. */
  isWithCarrier(item: Entity, carrier: Entity): boolean {
    const { transform, hold } = this.world.components;
    const row = rowOf(item);
    return (
      transform.x[row] === this.bodyX(carrier) + hold.anchorX[row]! &&
      transform.y[row] === this.bodyY(carrier) + hold.anchorY[row]!
    );
  }

  velocityX(entity: Entity): number {
    return this.numberOf(entity, at.velocityX, 0);
  }

  velocityY(entity: Entity): number {
    return this.numberOf(entity, at.velocityY, 0);
  }

  angularVelocity(entity: Entity): number {
    return this.numberOf(entity, at.angularVelocity, 0);
  }

  massOf(entity: Entity): number {
    return this.numberOf(entity, at.mass, 0);
  }

  /** Whether the bodies of two entities were in contact at the end of the last step. */
  areTouching(first: Entity, second: Entity): boolean {
    const bodyA = this.bodyOf(first);
    const bodyB = this.bodyOf(second);
    return bodyA !== noBody && bodyB !== noBody && this.space.areTouching(bodyA, bodyB);
  }

  bodyX(entity: Entity): number {
    const body = this.bodyOf(entity);
    return body === noBody
      ? this.world.components.transform.x[rowOf(entity)]!
      : this.space.bodies.get(body, at.x) * pixelsPerMetre;
  }

  bodyY(entity: Entity): number {
    const body = this.bodyOf(entity);
    return body === noBody
      ? this.world.components.transform.y[rowOf(entity)]!
      : this.space.bodies.get(body, at.y) * pixelsPerMetre;
  }

  bodyAngle(entity: Entity): number {
    return this.numberOf(entity, at.angle, this.world.components.transform.angle[rowOf(entity)]!);
  }

  private numberOf(entity: Entity, field: number, otherwise: number): number {
    const body = this.bodyOf(entity);
    return body === noBody ? otherwise : this.space.bodies.get(body, field);
  }

  // The following members are for the physics update.

  /** Whether an entity may get the body that was requested for it. */
  protected mayHaveBody(entity: Entity): boolean {
    return this.world.exists(entity);
  }

  /**
   * Replaces the body of an entity by that of `spec`, or only destroys it if there is no `spec`. Must not be called
   * during a step.
   */
  protected exchangeBody(entity: Entity, spec: BodySpec | undefined, confined: boolean): void {
    const row = rowOf(entity);
    const present = this.bodyOf(entity);
    if (present !== noBody) {
      this.space.destroyBody(present);
      this.byRow.body[row] = noBody;
    }
    if (spec === undefined || !this.mayHaveBody(entity)) return;
    const { components: c } = this.world;
    const body = createBody(
      this.space,
      spec,
      entity,
      c.transform.x[row]!,
      c.transform.y[row]!,
      c.transform.angle[row]!,
    );
    const kind = c.identity.kind[row]!;
    const isConfinable = kind === Kind.unit || kind === Kind.item || kind === Kind.projectile;
    this.byRow.body[row] = body;
    this.byRow.confined[row] = confined && isConfinable ? 1 : 0;
    // Actions that were queued until the body exists are performed in the entity's next turn.
    if (this.isWaited(row)) this.world.wake(entity);
    // Carried items must follow: the conversion to metres and back can change the last digit of the position.
    this.world.wakeCarried(entity);
    if (this.isStatic(body)) this.wakeAround(body);
  }

  /** Drops pending actions and teleports of a row. Returns the entity whose body the row still has; 0 for none. */
  protected forgetRow(row: number): Entity {
    this.commandQueues.clear(row);
    this.byRow.teleports[row] = 0;
    const body = this.byRow.body[row]!;
    return body === noBody ? noEntity : this.entityOf(body);
  }

  /**
   * Puts the body at the target of its entity's pending teleport; false if there is none. Does not change the
   * transform.
   */
  protected spendTeleport(body: number, row: number): boolean {
    const { teleports, teleportX, teleportY, teleportAngle } = this.byRow;
    if (teleports[row] === 0) return false;
    teleports[row] = 0;
    // The body is first moved and then turned, because each of the two can enlarge its box in the broad phase.
    const x = teleportX[row]! / pixelsPerMetre;
    const y = teleportY[row]! / pixelsPerMetre;
    this.place(body, x, y, this.space.bodies.get(body, at.angle));
    this.turn(body, teleportAngle[row]!);
    return true;
  }

  protected perform(body: number, act: number, x: number, y: number): void {
    const { bodies } = this.space;
    switch (act) {
      case BodyCommand.velocity:
        setVelocity(bodies, body, x, y);
        break;
      case BodyCommand.force:
        applyForce(bodies, body, x, y);
        break;
      case BodyCommand.impulse: {
        if (bodies.type[body] !== dynamicType) break;
        const perMass = 1 / bodies.get(body, at.mass);
        const { velocityX, velocityY } = at;
        setVelocity(bodies, body, x * perMass + bodies.get(body, velocityX), y * perMass + bodies.get(body, velocityY));
        break;
      }
      case BodyCommand.torque:
        applyTorque(bodies, body, x);
        break;
      case BodyCommand.angularVelocity:
        setAngularVelocity(bodies, body, x);
        break;
      case BodyCommand.place:
        this.place(body, x, y, bodies.get(body, at.angle));
        break;
      case BodyCommand.turn:
        this.turn(body, x);
        break;
    }
  }

  /**
   * Must be called when an entity may have moved: wakes its carried items and its sensor, so that they follow it. For a
   * sensor, wakes the sensor itself, so that it returns to its unit.
   */
  protected wakeFollowers(entity: Entity): void {
    const { sensing, identity } = this.world.components;
    const row = rowOf(entity);
    this.world.wakeCarried(entity);
    if (sensing.sensor[row] !== noEntity) this.world.wake(sensing.sensor[row]!);
    else if (identity.kind[row] === Kind.sensor) this.world.wake(entity);
  }

  /**
   * Puts a body at a position (metres) and wakes it. If it is static, also wakes the sleeping bodies around that
   * position.
   */
  protected place(body: number, x: number, y: number, angle: number): void {
    const { bodies } = this.space;
    if (bodies.get(body, at.x) === x && bodies.get(body, at.y) === y && this.keepsAngle(body, angle)) {
      setAwake(bodies, body, true);
      return;
    }
    this.space.place(body, x, y, angle);
    if (this.isStatic(body)) this.wakeAround(body);
  }

  /**
   * Turns a body to an angle. Does nothing if the body already has the angle: units face their mouse in every tick, and
   * their bodies must still be able to sleep.
   */
  private turn(body: number, angle: number) {
    const { bodies } = this.space;
    if (!this.keepsAngle(body, angle)) this.place(body, bodies.get(body, at.x), bodies.get(body, at.y), angle);
  }

  /**
   * Whether setting an angle would change no digit of the body. In dialects in which every update writes bodies back,
   * the angle is converted to sine and cosine, and the centre of mass is computed from the position. Both can lose the
   * last digit, even if the body already has the angle.
   */
  protected keepsAngle(body: number, angle: number): boolean {
    const { bodies } = this.space;
    if (bodies.get(body, at.angle) !== angle) return false;
    if (!this.roundTripsTransforms) return true;
    const s = bodies.get(body, at.sine);
    const c = bodies.get(body, at.cosine);
    return s === sin(angle) && c === cos(angle) && atan2(s, c) === angle && this.keepsCentre(body);
  }

  /** Whether the centre of mass is exactly where planck would put it for the current position and angle. */
  private keepsCentre(body: number): boolean {
    const { numbers: n } = this.space.bodies;
    const i = body * stride;
    const s = n[i + at.sine]!;
    const c = n[i + at.cosine]!;
    const x = n[i + at.localCentreX]!;
    const y = n[i + at.localCentreY]!;
    return n[i + at.centreX] === c * x - s * y + n[i + at.x]! && n[i + at.centreY] === s * x + c * y + n[i + at.y]!;
  }

  /** Makes the next update put the body of a row at this position. */
  setTeleport(row: number, x: number, y: number, angle: number): void {
    const { byRow } = this;
    byRow.teleports[row] = 1;
    byRow.teleportX[row] = x;
    byRow.teleportY[row] = y;
    byRow.teleportAngle[row] = angle;
  }

  protected accepts(what: string, x: number, y: number): boolean {
    if (isSane(x) && isSane(y)) return true;
    this.world.fault(
      'not-finite',
      `A ${what} of (${x}, ${y}) was ignored: both numbers must be finite, and at most ${largest}.`,
    );
    return false;
  }

  protected entityOf(body: number): Entity {
    return this.space.bodies.entity[body]!;
  }

  protected isStatic(body: number): boolean {
    return this.space.bodies.type[body] === staticType;
  }

  protected bodyOf(entity: Entity): number {
    const body = this.byRow.body[rowOf(entity)]!;
    return body !== noBody && this.entityOf(body) === entity ? body : noBody;
  }

  private command(entity: Entity, act: BodyCommand, what: string, x: number, y: number) {
    if (!this.accepts(what, x, y)) return;
    const body = this.bodyOf(entity);
    if (body !== noBody && !this.delivering) this.perform(body, act, x, y);
    else if (this.world.exists(entity)) {
      this.commandQueues.add(rowOf(entity), act, x, y);
      this.world.wake(entity);
    }
  }

  /**
   * Wakes the bodies around a static body that was created or moved. A step does not search for new contacts of
   * sleeping bodies, so they would not collide with the static body.
   */
  private wakeAround(body: number) {
    for (const other of this.space.bodiesAround(body))
      if (!this.isStatic(other)) setAwake(this.space.bodies, other, true);
  }
}

/**
 * Whether physics accepts a number. Numbers farther from 0 are refused, because calculations with them would lose
 * precision or overflow.
 */
export function isSane(value: number): boolean {
  return value >= -largest && value <= largest;
}

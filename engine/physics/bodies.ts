import { atan2, cos, sin } from '../core/dmath.ts';
import { f64, table, u8 } from '../schema/index.ts';
import { type Entity, Kind, noEntity, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import type { AreaTest } from './area.ts';
import { type BodySpec, createBody, entityOf, hasForm } from './body.ts';
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
import { Act, numbersPerAct, WaitingActs, type WaitingPlace } from './waiting.ts';

/** Larger numbers would soon be infinite somewhere inside planck, and NaN spreads silently there. */
const largest = 1e12;

/** Steps over flat memory with planck's tree or a grid, and planck itself to compare with. The results of `flat` and `planck` are the same. */
const engines = { flat: FlatWorld, grid: GridWorld, planck: PlanckWorld } as const;
export type PhysicsEngine = keyof typeof engines;
export const physicsEngines: readonly string[] = Object.keys(engines);

/** The data that `Bodies` keeps by row. */
export interface RowStores {
  readonly byRow: (Body | undefined)[];
  readonly confined: Uint8Array;
  readonly waiting: WaitingActs;
  readonly teleports: Teleports;
}

/** Where the next update puts the body, by row, whatever has moved it by then. Columns mean nothing where `waits` is 0. */
interface Teleports {
  readonly waits: Uint8Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly angle: Float64Array;
}

const teleportColumns = table({ waits: u8(), x: f64(), y: f64(), angle: f64() });

/** Settings of the physics that the dialects have of their own. */
export interface PhysicsHabits {
  readonly areas: AreaTest;
  readonly waitingPlace: WaitingPlace;
  /** Each update takes places to px and back, and angles to their sine and cosine and back. */
  readonly writesBack: boolean;
  /** A body that is asked for once more is built once more. All that wait for one entity have the size of the last. */
  readonly buildsTwice: boolean;
  /** Gravity draws sensors too. */
  readonly sensorsFall: boolean;
}

/**
 * The bodies of entities, by row: what they do now and what can be done to them. Positions are px, angles radians (0 up, clockwise);
 * velocities, forces and impulses are physics units, which no call converts (reference: physics#world).
 */
export class Bodies {
  protected readonly world: World;
  protected readonly planck: PlanckWorld;
  protected readonly writesBack: boolean;
  /** 1 for those that the map's boundary holds. */
  protected readonly confined: Uint8Array;
  /** While contacts of the step are delivered, where the reference has planck locked: acts wait then. */
  protected delivering = false;
  /** After a row has changed hands the body may still be that of the former entity, until the update that destroys it. */
  protected readonly byRow: (Body | undefined)[] = [];
  private readonly waiting: WaitingActs;
  private readonly teleports: Teleports;

  // Reused by every call.
  private readonly vector = new Vec2();
  private readonly around = new AABB();

  constructor(world: World, engine: PhysicsEngine, { waitingPlace, writesBack }: PhysicsHabits) {
    assertOurMaths();
    const { gravity, continuousPhysics } = world.definition.settings;
    const rows = world.limits.entities + 1;
    this.world = world;
    this.writesBack = writesBack;
    this.planck = new engines[engine]({
      gravity: { x: isSane(gravity.x) ? gravity.x : 0, y: isSane(gravity.y) ? gravity.y : 0 },
      continuousPhysics,
    });
    this.confined = new Uint8Array(rows);
    this.waiting = new WaitingActs(rows, waitingPlace);
    this.teleports = teleportColumns.create(rows);
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
    (body as unknown as { m_torque: number }).m_torque = torque;
    body.setAwake(true);
  }

  setAngularVelocity(entity: Entity, radiansPerSecond: number): void {
    this.act(entity, Act.angularVelocity, 'angular velocity', radiansPerSecond, 0);
  }

  /** Whether `drainPending` has anything to do for the entity of a row; what has no body goes on waiting. */
  isWaited(row: number): boolean {
    return this.waiting.count(row) !== 0 && this.byRow[row] !== undefined;
  }

  /** Does what waits for the entity, in order. To be called in its behaviour; without a body it goes on waiting. */
  drainPending(entity: Entity): void {
    const row = rowOf(entity);
    const count = this.waiting.count(row);
    if (count === 0) return;
    const body = this.bodyOf(entity);
    if (body === undefined) return;
    const acts = this.waiting.take(row);
    for (let i = 0; i < count * numbersPerAct; i += numbersPerAct) {
      this.perform(body, acts[i]!, acts[i + 1]!, acts[i + 2]!);
    }
  }

  /**
   * The entity is there at once, and so is its body, with its angle and velocity. The next update reads the body back and holds it inside the map.
   * Without a body, or while contacts are delivered, the body follows in the entity's next behaviour with one, wherever the entity is then. This is
   * a recorded habit of the reference.
   */
  moveTo(entity: Entity, x: number, y: number): void {
    if (!this.world.exists(entity) || !this.accepts('position', x, y)) return;
    const { transform } = this.world.components;
    const row = rowOf(entity);
    transform.x[row] = x;
    transform.y[row] = y;
    this.wakeFollowers(entity);
    this.act(entity, Act.place, 'position', x / pixelsPerMetre, y / pixelsPerMetre);
  }

  /** The same for the angle. A body for which the state has no form stays as it is; without a form, nothing waits. */
  turnTo(entity: Entity, angle: number): void {
    if (!this.world.exists(entity) || !this.accepts('angle', angle, 0)) return;
    const row = rowOf(entity);
    this.world.components.transform.angle[row] = angle;
    // Carried items turn around it; a carried item turns back to its carrier.
    this.world.wake(entity);
    const kind = this.world.components.identity.kind[row];
    const hasStates = kind === Kind.unit || kind === Kind.item || kind === Kind.projectile;
    if (hasStates ? hasForm(this.world.components.bodyType[row]) : this.bodyOf(entity) !== undefined)
      this.act(entity, Act.turn, 'angle', angle, 0);
  }

  /**
   * As `moveTo` and `turnTo`; and the next update puts the body there, outside the map too, and reads nothing back (reference: physics#teleports). Without
   * an angle it is the present one.
   */
  teleportTo(entity: Entity, x: number, y: number, to?: number): void {
    if (!this.world.exists(entity)) return;
    const angle = to ?? this.world.components.transform.angle[rowOf(entity)]!;
    if (!this.accepts('position', x, y) || !this.accepts('angle', angle, 0)) return;
    this.setTeleport(rowOf(entity), x, y, angle);
    this.moveTo(entity, x, y);
    this.turnTo(entity, angle);
  }

  /** A new entity is there; the first update that finds it with a body puts the body there (reference: physics#teleports). */
  appear(entity: Entity, x: number, y: number, angle: number): void {
    const { transform } = this.world.components;
    const row = rowOf(entity);
    transform.x[row] = x;
    transform.y[row] = y;
    transform.angle[row] = angle;
    this.wakeFollowers(entity);
    this.setTeleport(row, x, y, angle);
  }

  // The movement of a body now. Without one: at rest where the entity is, weighing nothing.

  hasBody(entity: Entity): boolean {
    return this.bodyOf(entity) !== undefined;
  }

  /** Whether it has a body that can be changed now: none can while contacts are delivered. */
  isBuilt(entity: Entity): boolean {
    return this.bodyOf(entity) !== undefined && !this.delivering;
  }

  isAwake(entity: Entity): boolean {
    return this.bodyOf(entity)?.isAwake() ?? false;
  }

  /** Whether an item is where its carrier's body is now, moved by the anchor that it was last held at. */
  isWithCarrier(item: Entity, carrier: Entity): boolean {
    const { transform, hold } = this.world.components;
    const row = rowOf(item);
    return (
      transform.x[row] === this.bodyX(carrier) + hold.anchorX[row]! &&
      transform.y[row] === this.bodyY(carrier) + hold.anchorY[row]!
    );
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

  /** Whether a body that is asked for is built. */
  protected mayHaveBody(entity: Entity): boolean {
    return this.world.exists(entity);
  }

  /** Destroys the body an entity has and builds the one it needs now. Not while planck is locked: it would ignore the call. */
  protected exchangeBody(entity: Entity, spec: BodySpec | undefined, confined: boolean): void {
    const row = rowOf(entity);
    const present = this.bodyOf(entity);
    if (present !== undefined) {
      this.planck.destroyBody(present);
      this.byRow[row] = undefined;
    }
    if (spec === undefined || !this.mayHaveBody(entity)) return;
    const { components: c } = this.world;
    const body = createBody(
      this.planck,
      spec,
      entity,
      c.transform.x[row]!,
      c.transform.y[row]!,
      c.transform.angle[row]!,
    );
    const kind = c.identity.kind[row]!;
    const isConfinable = kind === Kind.unit || kind === Kind.item || kind === Kind.projectile;
    this.byRow[row] = body;
    this.confined[row] = confined && isConfinable ? 1 : 0;
    // Acts that waited for the body are done in the entity's next behaviour.
    if (this.isWaited(row)) this.world.wake(entity);
    // The place of a body is in metres, whose px can have another last digit.
    this.world.wakeCarried(entity);
    if (body.isStatic()) this.wakeAround(body);
  }

  /** Drops what is kept for a row; returns the entity of a body that is still there, 0 for none. */
  protected forgetRow(row: number): Entity {
    this.waiting.clear(row);
    this.teleports.waits[row] = 0;
    const body = this.byRow[row];
    return body === undefined ? noEntity : entityOf(body);
  }

  /** Puts the body where its entity was teleported to since the last update; false where it was not. The transform is left as it is. */
  protected spendTeleport(body: Body, row: number): boolean {
    const { waits, x, y, angle } = this.teleports;
    if (waits[row] === 0) return false;
    waits[row] = 0;
    // First moved, then turned: a box in the broad phase can grow by each.
    this.place(body, x[row]! / pixelsPerMetre, y[row]! / pixelsPerMetre, body.getAngle());
    this.turn(body, angle[row]!);
    return true;
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
      case Act.place:
        this.place(body, x, y, body.getAngle());
        break;
      case Act.turn:
        this.turn(body, x);
        break;
    }
  }

  /** The entity may be somewhere else now. Its items and the sensor around it follow, and a sensor goes back to its unit. */
  protected wakeFollowers(entity: Entity): void {
    const { sensing, identity } = this.world.components;
    const row = rowOf(entity);
    this.world.wakeCarried(entity);
    if (sensing.sensor[row] !== noEntity) this.world.wake(sensing.sensor[row]!);
    else if (identity.kind[row] === Kind.sensor) this.world.wake(entity);
  }

  /** Metres. Wakes the body, and sleepers that a static one is put on. */
  protected place(body: Body, x: number, y: number, angle: number): void {
    const position = body.getPosition();
    if (position.x === x && position.y === y && this.keepsAngle(body, angle)) {
      body.setAwake(true);
      return;
    }
    this.vector.set(x, y);
    body.setTransform(this.vector, angle);
    if (body.isStatic()) this.wakeAround(body);
  }

  /** For the present value the body is left alone and may sleep: units face their mouse in every tick. */
  private turn(body: Body, angle: number): void {
    if (this.keepsAngle(body, angle)) return;
    const { x, y } = body.getPosition();
    this.place(body, x, y, angle);
  }

  /**
   * Whether to set an angle would change no digit. Where every call writes, an angle goes through its sine and cosine, and the centre of mass is put
   * where the place has it. That can cost both the last one, also where the body had the angle already.
   */
  protected keepsAngle(body: Body, angle: number): boolean {
    if (body.getAngle() !== angle) return false;
    if (!this.writesBack) return true;
    const { q } = body.getTransform();
    return q.s === sin(angle) && q.c === cos(angle) && atan2(q.s, q.c) === angle && keepsCentre(body);
  }

  private setTeleport(row: number, x: number, y: number, angle: number): void {
    const { teleports } = this;
    teleports.waits[row] = 1;
    teleports.x[row] = x;
    teleports.y[row] = y;
    teleports.angle[row] = angle;
  }

  protected accepts(what: string, x: number, y: number): boolean {
    if (isSane(x) && isSane(y)) return true;
    this.world.fault('not-finite', `A ${what} of (${x}, ${y}) was refused.`);
    return false;
  }

  /** The data by row, itself and no copy: for snapshots and the hash. */
  protected get rowStores(): RowStores {
    const { byRow, confined, waiting, teleports } = this;
    return { byRow, confined, waiting, teleports };
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

  /** planck looks at a pair only while one of the two is awake and not static. A sleeper would not notice a body that is put on it. */
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

/** Whether the centre of mass is exactly where planck would put it for the present place and angle. The steps move it, and the place follows. */
function keepsCentre(body: Body): boolean {
  const { p, q } = body.getTransform();
  const own = body.getLocalCenter();
  const { x, y } = body.getWorldCenter();
  return x === q.c * own.x - q.s * own.y + p.x && y === q.s * own.x + q.c * own.y + p.y;
}

import { normaliseAngle } from '../core/dmath.ts';
import { IndexSet } from '../core/index-set.ts';
import { type Entity, Life, noEntity, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import { AreaQuery } from './area.ts';
import { Bodies, type PhysicsRules } from './bodies.ts';
import { type BodySpec, regionSpec, sensorSpec } from './body.ts';
import { BodyQueue } from './body-queue.ts';
import { BodyCommand } from './command-queues.ts';
import { ContactLog } from './contact.ts';
import { at } from './flat/body-fields.ts';
import { type Elsewhere, RayCaster, type RayHits } from './ray.ts';
import { pixelsPerMetre } from './scale.ts';
import { WallBodies } from './wall-bodies.ts';
import { wallCells } from './walls.ts';

/**
 * Functions that the update calls for events which rules of the game handle. They are never called during a step, so
 * they may call `Physics`.
 */
interface PhysicsHooks {
  /**
   * Called when this update, but not the previous one, found a confined entity outside the map. The entity's transform
   * is still that of the previous update.
   */
  outside(entity: Entity): void;
  /**
   * Called when two entities begin to touch. Which of the two is `first` follows the reference (physics#contacts).
   * Either of them may no longer exist.
   */
  begin(first: Entity, second: Entity): void;
  end(first: Entity, second: Entity): void;
}

/** Values of `Velocity.method`, which are indices into `commandOf`. */
const unmoved = 0;
const commandOf = [undefined, BodyCommand.velocity, BodyCommand.force, BodyCommand.impulse] as const;

/** In px. Converting a position to metres and back changes the position by less than this. */
const readBackPixels = 1e-6;

/**
 * The physics of a game: the bodies of entities, the walls of the map, contacts, and the update that moves everything.
 */
export class Physics extends Bodies {
  /** The number of bodies that the last update found awake and able to move; for profiles. */
  bodiesAwake = 0;
  /** The number of contacts that began or ended in the last update. */
  contacts = 0;

  private readonly queue = new BodyQueue();
  private readonly log: ContactLog;
  private readonly walls: WallBodies;
  private readonly areas: AreaQuery;
  private readonly rays: RayCaster;
  private readonly buildsDuplicateRequests: boolean;
  private readonly keepsFirstPlacement: boolean;
  /** Whether gravity pulls sensors, which then are put back in place in each of their turns. */
  readonly gravityMovesSensors: boolean;
  private wallsChanged = false;
  /** The contact of the log that is being delivered. */
  private delivered = 0;
  // Reused by every update: ranks of sleeping bodies that are to move.
  private readonly pushed = new IndexSet();

  constructor(
    world: World,
    readonly hooks: PhysicsHooks,
    rules: PhysicsRules,
  ) {
    const log = new ContactLog();
    super(world, rules, (isBegin, first, second) => log.record(isBegin, this.space.bodies, first, second));
    this.log = log;
    this.buildsDuplicateRequests = rules.buildsDuplicateRequests;
    this.keepsFirstPlacement = rules.queuedPlacement === 'first';
    const { gravity } = world.definition.settings;
    this.gravityMovesSensors = rules.gravityMovesSensors && (gravity.x !== 0 || gravity.y !== 0);
    this.walls = new WallBodies(world, this.space);
    this.areas = new AreaQuery(world, this.space, rules.areas);
    this.rays = new RayCaster(this.space, (entity) => this.bodyOf(entity));
  }

  // The following methods request bodies.

  /**
   * Replaces the body of an entity at the next update with a body at rest, at the entity's position at that time.
   * `confined` keeps units, items and projectiles inside the map (reference: physics#map-edge) and has no effect on
   * other entities.
   */
  requestBody(entity: Entity, spec: BodySpec | undefined, confined = true): void {
    this.queue.add(entity, spec, confined);
  }

  /**
   * Must be called wherever the reference requests a body twice. The reference then creates, destroys and recreates the
   * body, which changes its position in the tree of the broad phase, and thereby the order of contacts (reference:
   * physics#bodies).
   */
  requestAgain(entity: Entity): void {
    if (this.buildsDuplicateRequests) this.queue.repeat(entity);
  }

  /**
   * Destroys the body of an entity at the next update. Until then the body still collides, even if the entity is
   * destroyed.
   */
  requestRemoval(entity: Entity): void {
    this.queue.add(entity, undefined, false);
  }

  /**
   * Requests the static sensor box of a region; the region's transform and size are set immediately. Corner and size in
   * px. In dialects in which the first of several pending placements takes effect, a region that moved before it had a
   * body returns to its first position in its next turn (reference: physics#regions).
   */
  setRegionBody(entity: Entity, x: number, y: number, width: number, height: number): void {
    if (!this.world.exists(entity) || !this.accepts('region', x, y) || !this.accepts('region', width, height)) return;
    const centreX = x + width / 2;
    const centreY = y + height / 2;
    this.setSize(entity, centreX, centreY, width, height);
    if (this.keepsFirstPlacement) this.moveTo(entity, centreX, centreY);
    this.requestBody(entity, regionSpec(width, height), false);
  }

  /** Requests a sensor's circle around x, y (px), or the removal of the circle if the radius (px) is not above 0. */
  setSensorBody(entity: Entity, x: number, y: number, radius: number): void {
    if (!this.world.exists(entity) || !this.accepts('position', x, y)) return;
    const isSeeing = radius > 0 && radius < Infinity;
    const width = isSeeing ? radius * 2 : 0;
    this.setSize(entity, x, y, width, width);
    this.requestBody(entity, isSeeing ? sensorSpec(radius, this.gravityMovesSensors) : undefined, false);
    if (isSeeing) this.teleportTo(entity, x, y, 0);
  }

  /**
   * Requests the body of a sensor again where it is, so that its contacts begin again. Does nothing for a sensor
   * without a radius.
   */
  renewSensorBody(entity: Entity): void {
    const radius = this.world.components.transform.width[rowOf(entity)]! / 2;
    if (radius > 0) this.requestBody(entity, sensorSpec(radius, this.gravityMovesSensors), false);
  }

  /** Moves a sensor to its owner. Does nothing while the owner stands still, so that the sensor may sleep. */
  moveSensor(entity: Entity, x: number, y: number): void {
    if (this.isAt(entity, x, y)) return;
    if (this.hasBody(entity)) {
      this.moveTo(entity, x, y);
      return;
    }
    const { transform } = this.world.components;
    transform.x[rowOf(entity)] = x;
    transform.y[rowOf(entity)] = y;
  }

  /** Whether an entity and its body are at a position (px), within the precision of a conversion to metres and back. */
  isAt(entity: Entity, x: number, y: number): boolean {
    const { transform } = this.world.components;
    const row = rowOf(entity);
    if (Math.abs(transform.x[row]! - x) >= readBackPixels || Math.abs(transform.y[row]! - y) >= readBackPixels)
      return false;
    return Math.abs(this.bodyX(entity) - x) < readBackPixels && Math.abs(this.bodyY(entity) - y) < readBackPixels;
  }

  /** Called when a row is freed, so that no state of the former entity remains for the next entity in that row. */
  forget(row: number): void {
    const entity = this.forgetRow(row);
    if (entity !== noEntity) this.requestRemoval(entity);
  }

  // The following members concern walls.

  /** The width of a cell of the map, px. The padding and the paths of units are measured in cells. */
  get cellSize(): number {
    return this.world.definition.cellSize.width;
  }

  get columns(): number {
    return this.walls.cells.columns;
  }

  get rows(): number {
    return this.walls.cells.rows;
  }

  /** The width of the map, px; all columns have the width of a cell. */
  get mapWidth(): number {
    return this.columns * this.world.definition.cellSize.width;
  }

  get mapHeight(): number {
    return this.rows * this.world.definition.cellSize.height;
  }

  /** The cells of the map, row by row: 1 where the layer `walls` has a tile. */
  get wallGrid(): Uint8Array {
    return this.walls.cells.blocked;
  }

  /** Whether the cell at a position (px) has a tile; false outside the map. */
  isWall(x: number, y: number): boolean {
    return this.walls.isWall(x, y);
  }

  /** Must be called once, when the map is loaded. */
  buildWalls(): void {
    this.walls.build();
  }

  /**
   * Replaces the tiles of the layer `walls`. The cells change immediately, the bodies and entities of all walls at the
   * next update.
   */
  rebuildWalls(tiles: ArrayLike<number>): void {
    this.replaceMap(this.columns, this.rows, tiles);
  }

  /** Replaces the map. Its size and cells change immediately, its walls at the next update. */
  replaceMap(columns: number, rows: number, tiles: ArrayLike<number>): void {
    this.walls.replace(wallCells(columns, rows, tiles));
    this.wallsChanged = true;
  }

  // The following member serves snapshots.

  /** The parts that `physics/state.ts` saves and restores; not copied. */
  get parts() {
    const { space, byRow, commandQueues: waiting, queue, log, walls, wallsChanged } = this;
    return { space, byRow, waiting, queue, log, walls, wallsChanged };
  }

  restoreWallsChanged(wallsChanged: boolean): void {
    this.wallsChanged = wallsChanged;
  }

  // The following methods are queries.

  /**
   * Fills `out` with the entities that overlap a rectangle (corner and size in px); returns how many. See `AreaQuery`.
   */
  queryArea(x: number, y: number, width: number, height: number, out: Entity[]): number {
    out.length = 0;
    if (!this.accepts('area', x, y) || !this.accepts('area', width, height)) return 0;
    return this.areas.entities(x, y, width, height, out);
  }

  /** Finds all units and walls that a ray hits, nearest first. See `RayCaster`. */
  castRay(x1: number, y1: number, x2: number, y2: number, hits: RayHits, elsewhere?: Elsewhere): number {
    return this.acceptsRay(x1, y1, x2, y2, hits) ? this.rays.all(x1, y1, x2, y2, hits, elsewhere) : 0;
  }

  /** Like `castRay`, but from both ends (reference: physics#rays, line raycast). */
  castRayBothWays(x1: number, y1: number, x2: number, y2: number, hits: RayHits): number {
    return this.acceptsRay(x1, y1, x2, y2, hits) ? this.rays.bothWays(x1, y1, x2, y2, hits) : 0;
  }

  /** Finds the unit or wall that a bullet without travel time hits. Returns whether there is one. */
  castBullet(x1: number, y1: number, x2: number, y2: number, hits: RayHits, elsewhere?: Elsewhere): boolean {
    return this.acceptsRay(x1, y1, x2, y2, hits) && this.rays.bullet(x1, y1, x2, y2, hits, elsewhere);
  }

  /**
   * While a contact is delivered, returns the velocity of its two entities at the moment of the contact (reference:
   * tick#physics-update, step 3).
   */
  override velocityX(entity: Entity): number {
    return (this.delivering ? this.log.velocity(this.delivered, entity, 0) : undefined) ?? super.velocityX(entity);
  }

  override velocityY(entity: Entity): number {
    return (this.delivering ? this.log.velocity(this.delivered, entity, 1) : undefined) ?? super.velocityY(entity);
  }

  // The update (reference: tick#physics-update).

  update(dtSeconds: number): void {
    this.contacts = 0;
    this.drainQueue();
    this.prepareStep();
    this.space.step(dtSeconds);
    if (this.space.hasRefusedContacts) {
      this.space.hasRefusedContacts = false;
      this.world.fault('limit-contacts', `More than ${this.world.limits.contacts} pairs of bodies touch.`);
    }
    if (this.space.broadPhase.pairsLeft < 0)
      this.world.fault('limit-pairs', `More than ${this.world.limits.pairs} pairs of bodies are near each other.`);
    this.delivering = true;
    try {
      this.deliverContacts();
    } finally {
      this.delivering = false;
    }
  }

  /**
   * In the reference, even an entity that no longer exists may get a body, which is destroyed in the same update
   * (reference: physics#bodies).
   */
  protected override mayHaveBody(entity: Entity): boolean {
    return super.mayHaveBody(entity) || (this.buildsDuplicateRequests && this.queue.isRemovalLast(entity));
  }

  /**
   * Creates and destroys the requested bodies. Destroying a body ends contacts, and scripts that run for these may
   * request further bodies in the same update. The loop terminates, because contacts begin only in the step.
   */
  private drainQueue() {
    const { queue } = this;
    do {
      if (this.wallsChanged) {
        this.wallsChanged = false;
        this.walls.clear();
        this.walls.build();
      }
      if (this.buildsDuplicateRequests) queue.shareLastSizes();
      for (const { entity, spec, confined } of queue.requests) this.exchangeBody(entity, spec, confined);
      queue.clear();
      this.deliverContacts();
    } while (queue.requests.length > 0 || this.wallsChanged);
  }

  /** Must be called before a pass over the entities: wakes the items whose carriers the last step has moved. */
  wakeCarried(): void {
    const { mobileRanks, rowByRank, rankCount } = this.space.bodies;
    for (let rank = mobileRanks.below(rankCount); rank >= 0; rank = mobileRanks.below(rank))
      this.wakeLeftBehind(this.entityOf(rowByRank[rank]!));
  }

  private wakeLeftBehind(carrier: Entity) {
    const { world } = this;
    const inventory = world.components.inventory[rowOf(carrier)];
    if (inventory === undefined || !world.exists(carrier)) return;
    const { slots } = inventory;
    for (let i = 0; i < slots.length; i++)
      if (slots[i] !== noEntity && !this.isWithCarrier(slots[i]!, carrier)) world.wake(slots[i]!);
  }

  /**
   * Applies movement, the boundary of the map and teleports, and reads transforms back, newest body first. No body is
   * created or destroyed meanwhile: requests made by hooks are queued.
   */
  private prepareStep() {
    const { mobileRanks, rowByRank, rankCount } = this.space.bodies;
    const { pushed } = this;
    this.bodiesAwake = 0;
    this.findPushed();
    let rank = Math.max(mobileRanks.below(rankCount), pushed.below(rankCount));
    while (rank >= 0) {
      this.prepareBody(rowByRank[rank]!);
      rank = Math.max(mobileRanks.below(rank), pushed.below(rank));
    }
    pushed.clear();
  }

  /**
   * Collects the sleeping bodies that must move because their entities are steered. Other sleeping bodies need no
   * check.
   */
  private findPushed() {
    const { world, pushed } = this;
    const { bodies } = this.space;
    pushed.reserve(bodies.rankCount);
    // Only entities that are awake can be steered, so resting entities are skipped.
    const { order } = world;
    for (let place = order.lastAwake(order.entries.length); place >= 0; place = order.lastAwake(place)) {
      const row = rowOf(order.entries[place]!);
      if (!this.isSteered(row)) continue;
      const body = this.byRow.body[row]!;
      if (body >= 0 && bodies.awake[body] === 0 && !this.isStatic(body)) pushed.add(bodies.rank[body]!);
    }
  }

  private isSteered(row: number): boolean {
    const { velocity } = this.world.components;
    return (velocity.x[row] !== 0 || velocity.y[row] !== 0) && velocity.method[row] !== unmoved;
  }

  private prepareBody(body: number) {
    const { bodies } = this.space;
    if (this.isStatic(body)) return;
    const { components: c } = this.world;
    const entity = this.entityOf(body);
    const row = rowOf(entity);
    const isMoved = this.isSteered(row);
    // A sleeping body moves if its entity is steered, for example by a pressed key. In the reference, the bodies of
    // units never sleep.
    if (!isMoved && bodies.awake[body] === 0) return;
    this.bodiesAwake++;
    if (c.visibility.hidden[row] === 1 || c.rows.life[row] === Life.free) return;
    if (isMoved) this.applyMovement(body, row);
    const { transform } = c;
    const beforeX = transform.x[row]!;
    const beforeY = transform.y[row]!;
    const beforeAngle = transform.angle[row]!;
    const isBounded = this.columns > 0 && this.rows > 0 && this.byRow.confined[row] === 1;
    let insideX = bodies.get(body, at.x) * pixelsPerMetre;
    let insideY = bodies.get(body, at.y) * pixelsPerMetre;
    let isOutside = false;
    if (isBounded) {
      const padding = this.cellSize / 2;
      const heldX = Math.max(padding, Math.min(this.mapWidth - padding, insideX));
      const heldY = Math.max(padding, Math.min(this.mapHeight - padding, insideY));
      isOutside = heldX !== insideX || heldY !== insideY;
      if (isOutside && c.body.outside[row] === 0) this.hooks.outside(entity);
      const outside = isOutside ? 1 : 0;
      if (outside !== c.body.outside[row]) this.world.components.body.outside[row] = outside;
      insideX = heldX;
      insideY = heldY;
    }
    if (this.spendTeleport(body, row)) return;
    transform.x[row] = insideX;
    transform.y[row] = insideY;
    if (this.roundTripsTransforms) {
      transform.angle[row] = bodies.get(body, at.angle);
      this.writeBack(body, insideX / pixelsPerMetre, insideY / pixelsPerMetre);
    } else {
      if (isOutside) this.place(body, insideX / pixelsPerMetre, insideY / pixelsPerMetre, bodies.get(body, at.angle));
      this.wrapAngle(body);
      transform.angle[row] = bodies.get(body, at.angle);
    }
    if (transform.x[row] !== beforeX || transform.y[row] !== beforeY) this.wakeFollowers(entity);
    else if (transform.angle[row] !== beforeAngle) this.world.wakeCarried(entity);
  }

  /**
   * The reference writes every body back in every update: the position converted from px, and the angle from sine and
   * cosine, which changes the last digits of both (reference: tick#physics-update). If no digit changes, nothing is
   * written, which saves a visit to the broad phase.
   */
  private writeBack(body: number, x: number, y: number) {
    const { bodies } = this.space;
    const angle = bodies.get(body, at.angle);
    if (bodies.get(body, at.x) === x && bodies.get(body, at.y) === y && this.keepsAngle(body, angle)) return;
    this.space.place(body, x, y, angle);
  }

  /** Normalises the angle of a body to (-π, π], the range that scripts and clients see. */
  private wrapAngle(body: number) {
    const { bodies } = this.space;
    const angle = bodies.get(body, at.angle);
    const wrapped = normaliseAngle(angle);
    if (wrapped !== angle) this.place(body, bodies.get(body, at.x), bodies.get(body, at.y), wrapped);
  }

  private applyMovement(body: number, row: number) {
    const { components: c } = this.world;
    const x = c.velocity.x[row]!;
    const y = c.velocity.y[row]!;
    if (!this.accepts('movement', x, y)) return;
    this.perform(body, commandOf[c.velocity.method[row]!]!, x, y);
  }

  private deliverContacts() {
    const { log, hooks } = this;
    this.contacts += log.count;
    for (let i = 0; i < log.count; i++) {
      this.delivered = i;
      hooks[log.begins[i]! ? 'begin' : 'end'](log.firsts[i]!, log.seconds[i]!);
    }
    this.delivered = 0;
    log.clear();
  }

  private setSize(entity: Entity, x: number, y: number, width: number, height: number) {
    const { components: c } = this.world;
    const row = rowOf(entity);
    c.transform.x[row] = x;
    c.transform.y[row] = y;
    c.transform.width[row] = width;
    c.transform.height[row] = height;
  }

  private acceptsRay(x1: number, y1: number, x2: number, y2: number, hits: RayHits): boolean {
    hits.clear();
    return this.accepts('ray', x1, y1) && this.accepts('ray', x2, y2);
  }
}

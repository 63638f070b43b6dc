import { normaliseAngle } from '../core/dmath.ts';
import { type Entity, Life, noEntity, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import { AreaQuery } from './area.ts';
import { Bodies, type PhysicsEngine, type PhysicsHabits, type RowStores } from './bodies.ts';
import { type BodySpec, entityOf, regionSpec, sensorSpec } from './body.ts';
import { BodyQueue } from './body-queue.ts';
import { ContactLog } from './contact.ts';
import { limitContacts } from './contact-limit.ts';
import type { FlatBody } from './flat/body.ts';
import { RankSet } from './flat/rank-set.ts';
import { FlatWorld } from './flat/world.ts';
import { type Body, type World as PlanckWorld, pixelsPerMetre, Vec2 } from './planck/planck.ts';
import { RayCaster, type RayHits } from './ray.ts';
import { Act } from './waiting.ts';
import { WallBodies } from './wall-bodies.ts';

/** The events that the rules of the game get. They may call back into `Physics`; none of it is called while planck is locked. */
interface PhysicsHooks {
  /** A confined entity was found outside the map in this update and not in the one before. Its columns still hold where it was then. */
  outside(entity: Entity): void;
  /** `first` is the entity of planck's fixture A (reference: physics#contacts). Either may be gone by now. */
  begin(first: Entity, second: Entity): void;
  end(first: Entity, second: Entity): void;
}

interface PhysicsParts {
  readonly rows: RowStores;
  readonly planck: PlanckWorld;
  readonly queue: BodyQueue;
  readonly log: ContactLog;
  readonly walls: WallBodies;
  readonly wallsChanged: boolean;
}

/** Values of the `moveMethod` column. */
const MoveMethod = { none: 0, velocity: 1, force: 2, impulse: 3 } as const;

/** More than a position can lose on its way from px to metres and back. */
const readBackPixels = 1e-6;

const velocityIterations = 8;
const positionIterations = 3;

/** Everything physical in a game: the bodies of entities, the walls of the map, what touches what, and the update that moves it all. */
export class Physics extends Bodies {
  readonly hooks: PhysicsHooks;
  /** Bodies the last update found awake and able to move; for profiles. */
  bodiesAwake = 0;
  /** Contacts that began or ended in the last update. */
  contacts = 0;

  private readonly queue = new BodyQueue();
  private readonly log = new ContactLog();
  private readonly walls: WallBodies;
  private readonly areas: AreaQuery;
  private readonly rays: RayCaster;
  private readonly buildsTwice: boolean;
  private readonly firstPlaceCounts: boolean;
  /** Whether gravity draws sensors, which are put back in each of their turns. */
  readonly sensorsFall: boolean;
  private wallsChanged = false;
  /** The contact of the log that is being delivered. */
  private delivered = 0;
  private areContactsRefused = false;
  // Reused by every update: ranks of sleepers that are to move.
  private readonly pushed = new RankSet();
  // Reused by every update: where a body is put back.
  private readonly written = new Vec2();

  constructor(
    world: World,
    hooks: PhysicsHooks,
    engine: PhysicsEngine = 'flat',
    habits: PhysicsHabits = {
      areas: 'shapes',
      waitingPlace: 'last',
      writesBack: false,
      buildsTwice: false,
      sensorsFall: false,
    },
  ) {
    super(world, engine, habits);
    this.buildsTwice = habits.buildsTwice;
    this.firstPlaceCounts = habits.waitingPlace === 'first';
    const { gravity } = world.definition.settings;
    this.sensorsFall = habits.sensorsFall && (gravity.x !== 0 || gravity.y !== 0);
    this.hooks = hooks;
    this.walls = new WallBodies(world, this.planck);
    this.areas = new AreaQuery(world, this.planck, habits.areas);
    this.rays = new RayCaster(this.planck);
    limitContacts(this.planck, world.limits.contacts, () => {
      this.areContactsRefused = true;
    });
    this.planck.on('begin-contact', (contact) => {
      this.log.record(true, contact.getFixtureA().getBody(), contact.getFixtureB().getBody());
    });
    this.planck.on('end-contact', (contact) => {
      this.log.record(false, contact.getFixtureA().getBody(), contact.getFixtureB().getBody());
    });
  }

  // Bodies to come and go.

  /**
   * At the next update the entity gets this body in place of its present one, at rest. Its place is that of the entity then.
   * `confined` keeps units, items and projectiles inside the map (reference: physics#map-edge); for others it means nothing.
   */
  requestBody(entity: Entity, spec: BodySpec | undefined, confined = true): void {
    this.queue.add(entity, spec, confined);
  }

  /**
   * Where the reference asks for a body a second time. It is built, destroyed and built again, and so stands elsewhere in the tree of the broad phase.
   * The order of contacts follows that tree (reference: physics#bodies).
   */
  requestAgain(entity: Entity): void {
    if (this.buildsTwice) this.queue.repeat(entity);
  }

  /** At the next update the entity's body is destroyed; until then it collides, whatever has become of the entity. */
  requestRemoval(entity: Entity): void {
    this.queue.add(entity, undefined, false);
  }

  /**
   * Makes the static sensor box of a region, at the next update; the region's transform and size are set at once. Corner and size in px. Where the
   * first of the waiting places counts, the region's next turn puts the box of one that moved before it had a body back there (reference: physics#regions).
   */
  setRegionBody(entity: Entity, x: number, y: number, width: number, height: number): void {
    if (!this.world.exists(entity) || !this.accepts('region', x, y) || !this.accepts('region', width, height)) return;
    const centreX = x + width / 2;
    const centreY = y + height / 2;
    this.setSize(entity, centreX, centreY, width, height);
    if (this.firstPlaceCounts) this.moveTo(entity, centreX, centreY);
    this.requestBody(entity, regionSpec(width, height), false);
  }

  /** Makes the circle of a sensor around x, y at the next update, or takes it away where the radius (px) is not above 0. */
  setSensorBody(entity: Entity, x: number, y: number, radius: number): void {
    if (!this.world.exists(entity) || !this.accepts('position', x, y)) return;
    const isSeeing = radius > 0 && radius < Number.POSITIVE_INFINITY;
    const width = isSeeing ? radius * 2 : 0;
    this.setSize(entity, x, y, width, width);
    this.requestBody(entity, isSeeing ? sensorSpec(radius, this.sensorsFall) : undefined, false);
    if (isSeeing) this.teleportTo(entity, x, y, 0);
  }

  /** Makes the body of a sensor anew where the sensor is, so that it meets again what is inside. Nothing for one that sees nothing. */
  renewSensorBody(entity: Entity): void {
    const radius = this.world.components.transform.width[rowOf(entity)]! / 2;
    if (radius > 0) this.requestBody(entity, sensorSpec(radius, this.sensorsFall), false);
  }

  /** Keeps a sensor with its owner. While the owner stands still this does nothing, so that the sensor may sleep. */
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

  /** Whether an entity is at a place (px) with its body, within the precision of a position that went to its body and back. */
  isAt(entity: Entity, x: number, y: number): boolean {
    const { transform } = this.world.components;
    const row = rowOf(entity);
    if (Math.abs(transform.x[row]! - x) >= readBackPixels || Math.abs(transform.y[row]! - y) >= readBackPixels)
      return false;
    return Math.abs(this.bodyX(entity) - x) < readBackPixels && Math.abs(this.bodyY(entity) - y) < readBackPixels;
  }

  /** A row is freed: nothing of its entity may reach the next one. */
  forget(row: number): void {
    const entity = this.forgetRow(row);
    if (entity !== noEntity) this.requestRemoval(entity);
  }

  // Walls.

  /** Pixels of one cell; paddings and paths count in it. */
  get cellSize(): number {
    return this.world.definition.cellSize.width;
  }

  get columns(): number {
    return this.walls.columns;
  }

  get rows(): number {
    return this.walls.rows;
  }

  /** Pixels. */
  get mapWidth(): number {
    return this.walls.columns * this.world.definition.cellSize.width;
  }

  get mapHeight(): number {
    return this.walls.rows * this.world.definition.cellSize.height;
  }

  /** Row by row, 1 where a cell of the layer `walls` holds anything. */
  get wallGrid(): Uint8Array {
    return this.walls.cells.blocked;
  }

  /** Whether the cell at a position in px holds anything; false outside the map. */
  isWall(x: number, y: number): boolean {
    return this.walls.isWall(x, y);
  }

  /** Once, when the map is loaded. */
  buildWalls(): void {
    this.walls.build();
  }

  /** After tiles of the layer `walls` changed: cells change at once, bodies and entities of all walls are made anew at the next update. */
  rebuildWalls(tiles: ArrayLike<number>): void {
    this.walls.setTiles(tiles);
    this.wallsChanged = true;
  }

  /** Another map in place of the present one: boundary and cells change at once, walls as in `rebuildWalls`. */
  replaceMap(columns: number, rows: number, tiles: ArrayLike<number>): void {
    this.walls.replace(columns, rows, tiles);
    this.wallsChanged = true;
  }

  // Snapshots.

  /** Its parts, themselves and no copies: `physics/state.ts` saves, restores and hashes them. */
  get parts(): PhysicsParts {
    const { rowStores, planck, queue, log, walls, wallsChanged } = this;
    return { rows: rowStores, planck, queue, log, walls, wallsChanged };
  }

  /** To be called for walls that still have to be made anew. */
  restoreWallsChanged(wallsChanged: boolean): void {
    this.wallsChanged = wallsChanged;
  }

  // Questions.

  /** Fills `out` with what overlaps the rectangle (its corner and size in px), each once, oldest first. See `AreaQuery`. */
  queryArea(x: number, y: number, width: number, height: number, out: Entity[]): number {
    out.length = 0;
    if (!this.accepts('area', x, y) || !this.accepts('area', width, height)) return 0;
    return this.areas.entities(x, y, width, height, out);
  }

  /** All units and walls on the way, nearest first. See `RayCaster`. */
  castRay(x1: number, y1: number, x2: number, y2: number, hits: RayHits): number {
    return this.acceptsRay(x1, y1, x2, y2, hits) ? this.rays.all(x1, y1, x2, y2, hits) : 0;
  }

  /** The same from both ends (reference: physics#rays, line raycast). */
  castRayBothWays(x1: number, y1: number, x2: number, y2: number, hits: RayHits): number {
    return this.acceptsRay(x1, y1, x2, y2, hits) ? this.rays.bothWays(x1, y1, x2, y2, hits) : 0;
  }

  /** The nearest unit or wall on the way. */
  castToNearest(x1: number, y1: number, x2: number, y2: number, hits: RayHits): boolean {
    return this.acceptsRay(x1, y1, x2, y2, hits) && this.rays.nearest(x1, y1, x2, y2, hits);
  }

  /** The hit of a bullet that is a ray: at most one unit or wall. */
  castBullet(x1: number, y1: number, x2: number, y2: number, hits: RayHits): boolean {
    return this.acceptsRay(x1, y1, x2, y2, hits) && this.rays.bullet(x1, y1, x2, y2, hits);
  }

  /** While a contact of the step is delivered: as it was when they met, of those two (reference: tick#physics-update, step 3). */
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
    this.planck.step(dtSeconds, velocityIterations, positionIterations);
    if (this.areContactsRefused) {
      this.areContactsRefused = false;
      this.world.fault('limit-contacts', `More than ${this.world.limits.contacts} pairs of bodies touch.`);
    }
    this.delivering = true;
    try {
      this.deliverContacts();
    } finally {
      this.delivering = false;
    }
  }

  /** In the reference also one that is gone, whose body is destroyed in the same update (reference: physics#bodies). */
  protected override mayHaveBody(entity: Entity): boolean {
    return super.mayHaveBody(entity) || (this.buildsTwice && this.queue.isRemovalLast(entity));
  }

  /**
   * Builds and destroys bodies. A script that runs for a contact ended by it may ask for more, in the same update. Each round needs contacts that
   * end, and none begin before the step, so the rounds come to an end.
   */
  private drainQueue(): void {
    const { queue } = this;
    do {
      if (this.wallsChanged) {
        this.wallsChanged = false;
        this.walls.clear();
        this.walls.build();
      }
      if (this.buildsTwice && queue.count > 1) queue.shareLastSizes();
      for (let i = 0; i < queue.count; i++) this.exchangeBody(queue.entity(i), queue.spec(i), queue.isConfined(i));
      queue.clear();
      this.deliverContacts();
    } while (queue.count > 0 || this.wallsChanged);
  }

  /** To be called before a pass over the entities: items go on with the bodies of their carriers that the last step has moved. */
  wakeCarried(): void {
    const { planck } = this;
    if (!(planck instanceof FlatWorld)) {
      for (let body = planck.getBodyList(); body !== null; body = body.getNext())
        if (body.isAwake()) this.wakeLeftBehind(entityOf(body));
      return;
    }
    const { lives, order, bodies, rankCount } = planck.bodies;
    for (let rank = lives.below(rankCount); rank >= 0; rank = lives.below(rank))
      this.wakeLeftBehind(entityOf(bodies[order[rank]!] as FlatBody));
  }

  private wakeLeftBehind(carrier: Entity): void {
    const { world } = this;
    const inventory = world.components.inventory[rowOf(carrier)];
    if (inventory === undefined || !world.exists(carrier)) return;
    const { slots } = inventory;
    for (let i = 0; i < slots.length; i++)
      if (slots[i] !== noEntity && !this.isWithCarrier(slots[i]!, carrier)) world.wake(slots[i]!);
  }

  /** Movement, boundary, teleports and the read-back of transforms, newest body first. The list holds still: what hooks ask for is queued. */
  private prepareStep(): void {
    const { planck } = this;
    this.bodiesAwake = 0;
    if (!(planck instanceof FlatWorld)) {
      for (let body = planck.getBodyList(); body !== null; body = body.getNext()) this.prepareBody(body);
      return;
    }
    const { lives, order, bodies, rankCount } = planck.bodies;
    this.findPushed(planck);
    const { pushed } = this;
    let rank = Math.max(lives.below(rankCount), pushed.below(rankCount));
    while (rank >= 0) {
      this.prepareBody(bodies[order[rank]!] as FlatBody);
      rank = Math.max(lives.below(rank), pushed.below(rank));
    }
    pushed.clear();
  }

  /** Sleeping units that are to move. Nothing else is ever steered, so that nothing else has to be looked at while it sleeps. */
  private findPushed(planck: FlatWorld): void {
    const { world, pushed } = this;
    const { rankCount } = planck.bodies;
    pushed.reserve(rankCount);
    // A steered unit is never at rest.
    const { order } = world;
    for (let at = order.lastAwake(order.entries.length); at >= 0; at = order.lastAwake(at)) {
      const row = rowOf(order.entries[at]!);
      if (!this.isSteered(row)) continue;
      const body = this.byRow[row] as FlatBody | undefined;
      if (body !== undefined && !body.isAwake() && !body.isStatic()) pushed.add(planck.bodies.rankOf(body.row));
    }
  }

  private isSteered(row: number): boolean {
    const { velocity } = this.world.components;
    return (velocity.x[row] !== 0 || velocity.y[row] !== 0) && velocity.method[row] !== MoveMethod.none;
  }

  private prepareBody(body: Body): void {
    if (body.isStatic()) return;
    const { components: c } = this.world;
    const entity = entityOf(body);
    const row = rowOf(entity);
    const isMoved = this.isSteered(row);
    // A pressed key wakes a sleeper; in the reference there is none.
    if (!isMoved && !body.isAwake()) return;
    this.bodiesAwake++;
    if (c.visibility.hidden[row] === 1 || c.rows.life[row] === Life.free) return;
    if (isMoved) this.applyMovement(body, row);
    const { transform } = c;
    const beforeX = transform.x[row]!;
    const beforeY = transform.y[row]!;
    const beforeAngle = transform.angle[row]!;
    const isBounded = this.columns > 0 && this.rows > 0 && this.confined[row] === 1;
    const { x, y } = body.getPosition();
    let insideX = x * pixelsPerMetre;
    let insideY = y * pixelsPerMetre;
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
    if (this.writesBack) {
      transform.angle[row] = body.getAngle();
      this.writeBack(body, insideX / pixelsPerMetre, insideY / pixelsPerMetre);
    } else {
      if (isOutside) this.place(body, insideX / pixelsPerMetre, insideY / pixelsPerMetre, body.getAngle());
      this.wrapAngle(body);
      transform.angle[row] = body.getAngle();
    }
    if (transform.x[row] !== beforeX || transform.y[row] !== beforeY) this.wakeFollowers(entity);
    else if (transform.angle[row] !== beforeAngle) this.world.wakeCarried(entity);
  }

  /**
   * The reference writes every body back in every update. The place comes from px, the angle from its sine and cosine, both with other last digits
   * (reference: tick#physics-update). Where no digit changes, nothing is written, which saves a visit to the broad phase.
   */
  private writeBack(body: Body, x: number, y: number): void {
    const { p } = body.getTransform();
    const angle = body.getAngle();
    if (p.x === x && p.y === y && this.keepsAngle(body, angle)) return;
    this.written.set(x, y);
    body.setTransform(this.written, angle);
  }

  /** Into (-π, π], as scripts and clients see it. Rare, so that it is no visit to the broad phase for each body. */
  private wrapAngle(body: Body): void {
    const angle = body.getAngle();
    const wrapped = normaliseAngle(angle);
    if (wrapped === angle) return;
    const { x, y } = body.getPosition();
    this.place(body, x, y, wrapped);
  }

  private applyMovement(body: Body, row: number): void {
    const { components: c } = this.world;
    const x = c.velocity.x[row]!;
    const y = c.velocity.y[row]!;
    if (!this.accepts('movement', x, y)) return;
    const method = c.velocity.method[row]!;
    if (method === MoveMethod.velocity) this.perform(body, Act.velocity, x, y);
    else if (method === MoveMethod.force) this.perform(body, Act.force, x, y);
    else this.perform(body, Act.impulse, x, y);
  }

  private deliverContacts(): void {
    const { log, hooks } = this;
    this.contacts += log.count;
    for (let i = 0; i < log.count; i++) {
      this.delivered = i;
      if (log.isBegin(i)) hooks.begin(log.first(i), log.second(i));
      else hooks.end(log.first(i), log.second(i));
    }
    this.delivered = 0;
    log.clear();
  }

  private setSize(entity: Entity, x: number, y: number, width: number, height: number): void {
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

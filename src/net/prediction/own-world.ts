import type { Dictionary } from '../../../engine/core/index.ts';
import { isDialectName, loadDefinition, type Placement, Simulation, type UnitHandle } from '../../../engine/index.ts';
import {
  Abilities,
  attributeRow,
  Buffs,
  Casting,
  drawnWidth,
  type Internals,
  internalsOf,
  type Point,
  pixelsPerMetre,
  rowOf,
  scaleBody,
} from '../../../engine/tools.ts';
import type { Pose } from '../client/interpolation.ts';
import { entriesOf, type JsonObject } from '../protocol/audience/json.ts';
import { constantsOf, type MovingData, movingScripts } from '../protocol/audience/moving-scripts.ts';
import { quantaPerPixel } from '../protocol/frames/frame-layout.ts';
import type { ClientInput } from '../protocol/messages/inputs.ts';
import type { ItemUse } from './shots.ts';
import { fillTiles } from './tile-edit.ts';

/** The data about a unit in a frame: px, radians, px per second. */
export interface KnownUnit extends Pose {
  readonly id: string;
  readonly type: string;
  readonly state: string | null;
  readonly velocityX: number;
  readonly velocityY: number;
  readonly width: number;
  /** The variables that frames contain, by name. */
  readonly variables: ReadonlyMap<string, unknown>;
  readonly attributes: ReadonlyMap<string, { readonly value: number }>;
}

/** The state of a unit after a tick: everything that affects how the unit moves. */
interface UnitMoment {
  readonly handle: UnitHandle;
  readonly body: readonly number[];
  readonly columns: readonly number[];
  readonly variables: readonly unknown[];
  /** The values of all attributes, followed by their maxima. */
  readonly attributes: readonly number[];
  readonly buffs: Components['buffs'][number];
  readonly abilities: Components['abilities'][number];
  readonly casting: Components['casting'][number];
}

type Components = Internals['world']['components'];

/** The state of the world after a tick. */
export interface Moment {
  readonly tick: number;
  readonly units: readonly UnitMoment[];
  readonly controls: Components['controls'][number];
}

/**
 * A unit near the client's own one. `drive` is its estimated intended velocity, in px per second; undefined if the
 * unit stands.
 */
interface Other {
  known: KnownUnit;
  readonly handle: UnitHandle;
  drive: Point | undefined;
  /** The velocity that would have brought the unit to its last known position. */
  wanted: Point;
}

/** Positions in frames are multiples of this, px. */
export const quantum = 1 / quantaPerPixel;
/**
 * A speed in px per second. A unit that is slower than this, and does not move at the speed at which keys move it,
 * counts as standing and can be pushed.
 */
const standingPxPerSecond = 80;
/** A guess at how a unit moves is accepted if it predicts a position within this distance of the actual one, px. */
const explainedPx = 1;
const still: Point = { x: 0, y: 0 };
/** Units that are closer than this may push each other, px. */
const touchingPx = 8;
/** A moving unit that is closer than this may soon push the client's own unit, px. */
const pushingPx = 48;
const directions: readonly Point[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) => (x === 0 && y === 0 ? [] : [{ x: x / Math.hypot(x, y), y: y / Math.hypot(x, y) }])),
);
/** Another unit that is farther than this from its expected position did not walk there, px. */
const walkedPxMax = 64;
/** The value of the column `method` for units whose body takes over the velocity that keys set. */
const byVelocity = 1;
const walls = 'walls';
const limits = { entities: 1024, timers: 16, queuedTriggers: 1024 };

/**
 * A small world of the engine: the map with its walls, the unit of one player, and units near it. It has the server's
 * rules for keys, movement and bodies, but no items, no AI, and only the scripts that move the unit. It can be reset to
 * an earlier tick and played again.
 */
export class OwnWorld {
  private readonly sim: Simulation;
  private readonly inside: Internals;
  private own: { known: KnownUnit; readonly handle: UnitHandle } | undefined;
  private readonly others = new Map<string, Other>();
  private readonly tiles: number[];
  private columns: number;

  /** `document`: the definition as the server serves it. Throws if it is not valid. */
  constructor(
    document: unknown,
    private readonly player: string,
    dialect: string,
  ) {
    const { game } = loadDefinition(movingParts(document));
    if (game === undefined) throw new Error('The definition of the room is not valid.');
    if (!isDialectName(dialect)) throw new Error(`The room has the unknown dialect "${dialect}".`);
    const { map } = game.definition;
    this.columns = map?.width ?? 0;
    this.tiles = [...(map?.layers.findLast(({ name, type }) => name === walls && type === 'tilelayer')?.data ?? [])];
    this.sim = new Simulation(game, { seed: 0, dialect, limits });
    this.inside = internalsOf(this.sim);
    this.sim.join({ clientId: player });
    this.sim.step();
  }

  get tick(): number {
    return this.sim.tick;
  }

  /** The number of ticks per physics step. */
  get ticksPerStep(): number {
    const { ticksPerSecond, physicsPerSecond } = this.inside.rates;
    return Math.ceil(ticksPerSecond / physicsPerSecond);
  }

  get ticksPerSecond(): number {
    return this.inside.rates.ticksPerSecond;
  }

  /** The position and angle of the own unit; undefined without one. */
  get place(): Pose | undefined {
    if (this.own === undefined) return undefined;
    const { entity } = this.own.handle;
    const { physics, world } = this.inside.game;
    return {
      x: physics.bodyX(entity),
      y: physics.bodyY(entity),
      angle: world.components.transform.angle[rowOf(entity)]!,
    };
  }

  private get controls() {
    return this.own && this.sim.definition.unitTypes.get(this.own.known.type)?.controls;
  }

  /** Whether the own unit turns towards its player's pointer. */
  get facesPointer(): boolean {
    return this.controls?.mouseBehaviour.rotateToFaceMouseCursor === true;
  }

  /** The id of the own unit; undefined without one. */
  get unit(): string | undefined {
    return this.own?.known.id;
  }

  /** Whether a moving unit touches the own one, or is about to touch it. */
  get isPushed(): boolean {
    for (const { known, drive } of this.others.values()) {
      const moves = drive !== undefined || Math.hypot(known.velocityX, known.velocityY) > standingPxPerSecond;
      if (moves && this.touchesOwn(known, pushingPx)) return true;
    }
    return false;
  }

  /** Sets the tick of the clock. Everything else stays as it is. */
  setTick(tick: number) {
    this.inside.world.clock.tick = tick;
  }

  /**
   * Makes the units of the world match a frame: creates and removes units, and sets their types, states and sizes. New
   * units, and units whose body was rebuilt, are put at their known positions. `ticks` is the number of ticks that were
   * played since the last call; 0 if the world was not played from the state of that call. Returns whether the own unit
   * was put at its known position.
   */
  hold(own: KnownUnit | undefined, near: readonly KnownUnit[], ticks: number): boolean {
    const before = this.save();
    const isChanged = own !== undefined && own.id === this.own?.known.id && own.type !== this.own.known.type;
    if (own !== undefined && own.id === this.own?.known.id) this.own.known = own;
    const others = near.map((known) => this.learned(known, ticks));
    let isOther = isChanged;
    let isNew = isChanged;
    // The unit is kept rather than created again, so that keys that are down continue to move it.
    if (isChanged) this.sim.edit.setType(this.own!.handle, own.type);
    if (this.own !== undefined && own?.id !== this.own.known.id) {
      this.sim.edit.destroy(this.own.handle);
      this.own = undefined;
      if (own === undefined || this.inside.game.rules.selectionReleasesKeys) before.controls?.keysDown.splice(0);
      isOther = true;
    }
    if (own !== undefined && this.own === undefined) {
      const player = this.sim.player(this.player);
      const handle = this.sim.edit.createUnit(placement(own), player);
      this.own = { known: own, handle };
      isOther = true;
      isNew = true;
    }
    const isShaped = own !== undefined && this.shape(this.own!.handle, own);
    isOther ||= isShaped;
    for (const [id, { handle, known }] of this.others) {
      if (others.some((each) => each.id === id && each.type === known.type)) continue;
      this.sim.edit.destroy(handle);
      this.others.delete(id);
      isOther = true;
    }
    for (const known of others) {
      const other = this.others.get(known.id);
      if (other === undefined) {
        const type = typeOfOther(known.type);
        const isScripted = this.sim.definition.unitTypes.has(type);
        const handle = this.sim.edit.createUnit({ ...placement(known), ...(isScripted && { type }) });
        this.others.set(known.id, { known, handle, drive: driveOf(known), wanted: still });
        isOther = true;
      } else other.known = known;
      isOther = this.shape(this.others.get(known.id)!.handle, known) || isOther;
    }
    if (isOther) {
      // Bodies are created in the next physics step, so one step is played.
      for (let steps = this.ticksPerStep; steps > 0; steps--) this.sim.step();
      this.restore({ ...before, units: before.units.filter(({ handle }) => handle === this.own?.handle) });
      if (isNew || isShaped) this.correct(own!, { x: own!.velocityX, y: own!.velocityY }, own!.angle);
    }
    for (const other of this.others.values()) {
      const { handle, known } = other;
      const velocity = { x: known.velocityX, y: known.velocityY };
      this.put(
        handle,
        this.nearestPlace(handle, known),
        this.isAlike(handle, velocity) ? undefined : velocity,
        known.angle,
      );
      this.drive(other);
    }
    if (own !== undefined) this.setValues(own);
    return isNew || isShaped;
  }

  /** Moves the own unit. Without `velocity` or `angle`, the unit keeps its velocity or its angle. */
  correct(at: Point, velocity?: Point, angle?: number) {
    const { own } = this;
    if (own === undefined) return;
    const isAlike = velocity !== undefined && this.isAlike(own.handle, velocity);
    this.put(own.handle, this.nearestPlace(own.handle, at), isAlike ? undefined : velocity, angle);
  }

  /**
   * Sets the own unit's speed, in physics units as in the definition. If the speed was different, buffs and abilities
   * that seemed to change it did not happen on the server, and are removed.
   */
  setSpeed(speed: number) {
    if (this.own === undefined || this.own.handle.attribute('speed') === speed) return;
    const { world } = this.inside;
    const { entity } = this.own.handle;
    world.remove(entity, Buffs);
    world.remove(entity, Abilities);
    // The attribute is set directly instead of through the rules of scripts, because the server may have changed its
    // bounds.
    world.attributes.value[attributeRow(world, entity, 'speed')] = speed;
  }

  /** Whether this world itself plays the script or ability of a key, apart from walking. */
  plays(input: ClientInput): boolean {
    if (input.kind !== 'keyDown' && input.kind !== 'keyUp') return false;
    return this.controls?.abilities.get(input.key)?.[input.kind] !== undefined;
  }

  /**
   * Sets those variables and attributes of the own unit that its scripts use, and the attributes with which it pays for
   * its abilities.
   */
  private setValues({ variables, attributes }: KnownUnit) {
    const { handle } = this.own!;
    for (const [name, held] of Object.entries(handle.attributes)) {
      const value = attributes.get(name)?.value;
      // Frames contain rounded values, so smaller differences do not count.
      if (name !== 'speed' && value !== undefined && Math.abs(value - held) >= 1)
        this.sim.edit.setAttribute(handle, name, value);
    }
    for (const [name, held] of Object.entries(handle.variables)) {
      const value = variables.get(name);
      if (value !== undefined && value !== held) this.sim.edit.setVariable(handle, name, value);
    }
  }

  step(inputs: readonly ClientInput[]) {
    for (const input of inputs) this.inside.queue({ ...input, player: this.player } as never);
    this.sim.step();
  }

  save(): Moment {
    const { controls } = this.inside.world.components;
    const own = controls[rowOf(this.sim.player(this.player).entity)];
    return {
      tick: this.tick,
      units: [this.own, ...this.others.values()].flatMap((unit) => (unit === undefined ? [] : [this.momentOf(unit)])),
      controls: own && { ...own, keysDown: [...own.keysDown] },
    };
  }

  /** Restores a moment. The world must have the same units as when the moment was saved. */
  restore({ tick, units, controls }: Moment) {
    const { world, physics } = this.inside.game;
    const c = world.components;
    this.setTick(tick);
    for (const { handle, body, columns, variables, attributes, buffs, abilities, casting } of units) {
      const { entity } = handle;
      const row = rowOf(entity);
      const [x, y, angle, velocityX, velocityY, spin] = body;
      physics.moveTo(entity, x!, y!);
      physics.turnTo(entity, angle!);
      physics.setVelocity(entity, velocityX!, velocityY!);
      physics.setAngularVelocity(entity, spin!);
      world.wake(entity);
      for (const [i, column] of movingColumns(c).entries()) column[row] = columns[i]!;
      const held = c.variables[row]?.values;
      // A unit whose type has just changed may have other variables.
      if (held?.length === variables.length) held.splice(0, held.length, ...(variables as typeof held));
      const { value, max } = world.attributes;
      const [start, count] = [c.attributes.start[row]!, c.attributes.count[row]!];
      if (attributes.length === 2 * count) {
        value.set(attributes.slice(0, count), start);
        max.set(attributes.slice(count), start);
      }
      for (const tag of [Buffs, Abilities, Casting]) world.remove(entity, tag);
      if (buffs !== undefined) world.ensure(entity, Buffs).push(...structuredClone(buffs));
      if (casting !== undefined) world.ensure(entity, Casting).push(...casting);
      for (const [id, use] of abilities ?? []) world.ensure(entity, Abilities).set(id, { ...use });
    }
    const own = c.controls[rowOf(this.sim.player(this.player).entity)];
    if (own === undefined) return;
    const before = controls ?? {
      keysDown: [],
      mouseX: NaN,
      mouseY: NaN,
      cameraYaw: 0,
      absoluteAngle: NaN,
    };
    Object.assign(own, before, { keysDown: [...before.keysDown] });
  }

  /** Sets the tiles in a rectangle of a layer. Only layers of walls matter. */
  setTiles(layer: number, x: number, y: number, width: number, height: number, gid: number) {
    const { map } = this.sim.definition;
    const { name, type } = map?.layers[layer] ?? {};
    if (name !== walls || type !== 'tilelayer') return;
    fillTiles(this.tiles, this.columns, { x, y, width, height, gid });
    this.inside.game.physics.rebuildWalls(this.tiles);
  }

  replaceMap(columns: number, rows: number, tiles: readonly number[]) {
    this.columns = columns;
    this.tiles.splice(0, this.tiles.length, ...tiles);
    this.inside.game.physics.replaceMap(columns, rows, this.tiles);
  }

  private momentOf({ handle }: { readonly handle: UnitHandle }): UnitMoment {
    const { physics, world } = this.inside.game;
    const { buffs, abilities, casting } = world.components;
    const { entity } = handle;
    const row = rowOf(entity);
    const start = world.components.attributes.start[row]!;
    const attributeRows = (column: Float64Array) =>
      column.subarray(start, start + world.components.attributes.count[row]!);
    return {
      handle,
      body: [
        physics.bodyX(entity),
        physics.bodyY(entity),
        physics.bodyAngle(entity),
        physics.velocityX(entity),
        physics.velocityY(entity),
        physics.angularVelocity(entity),
      ],
      columns: movingColumns(world.components).map((column) => column[row]!),
      variables: [...(world.components.variables[row]?.values ?? [])],
      attributes: [...attributeRows(world.attributes.value), ...attributeRows(world.attributes.max)],
      buffs: structuredClone(buffs[row]),
      abilities: structuredClone(abilities[row]),
      casting: casting[row] && [...casting[row]],
    };
  }

  /**
   * The position that a frame would round to `at` and that is nearest to the body's. Without this, touching bodies
   * would be separated by the rounding, and a unit that pushes would run into the gap.
   */
  private nearestPlace({ entity }: UnitHandle, at: Point): Point {
    const { physics } = this.inside.game;
    const body = { x: physics.bodyX(entity), y: physics.bodyY(entity) };
    if (distance(body, at) > walkedPxMax) return at;
    const near = (axis: 'x' | 'y') => Math.max(at[axis] - quantum / 2, Math.min(at[axis] + quantum / 2, body[axis]));
    return { x: near('x'), y: near('y') };
  }

  /**
   * Whether a body already moves at this velocity (px per second), within the error that comes from rounded positions.
   */
  private isAlike({ entity }: UnitHandle, { x, y }: Point) {
    const { physics } = this.inside.game;
    const slack = 1.5 * quantum * this.ticksPerSecond;
    return (
      Math.abs(physics.velocityX(entity) * pixelsPerMetre - x) <= slack &&
      Math.abs(physics.velocityY(entity) * pixelsPerMetre - y) <= slack
    );
  }

  private put({ entity }: UnitHandle, at: Point, velocity?: Point, angle?: number) {
    const { physics, world } = this.inside.game;
    physics.moveTo(entity, at.x, at.y);
    if (angle !== undefined) physics.turnTo(entity, angle);
    if (velocity !== undefined) physics.setVelocity(entity, velocity.x / pixelsPerMetre, velocity.y / pixelsPerMetre);
    world.wake(entity);
  }

  /**
   * Infers how another unit wants to move from the distance that it came: it stands, moves on as in the last ticks, or
   * walks in one of eight directions, as keys move it. If none of these fits, the unit wants to move at the velocity
   * that would have brought it to its position. Obstacles that slowed the unit both here and on the server, such as
   * walls or the own unit, have no influence. Returns the unit with a corrected velocity: a jump gives a unit no
   * velocity.
   */
  private learned(known: KnownUnit, ticks: number): KnownUnit {
    const other = this.others.get(known.id);
    if (other === undefined) return known;
    const { physics } = this.inside.game;
    const { entity } = other.handle;
    const missing = { x: known.x - physics.bodyX(entity), y: known.y - physics.bodyY(entity) };
    if (ticks === 0) {
      other.drive = driveOf(known);
      return known;
    }
    if (Math.hypot(missing.x, missing.y) > walkedPxMax) {
      other.drive = undefined;
      return { ...known, velocityX: 0, velocityY: 0 };
    }
    const { damping, speed } = this.walkOf(other);
    const stepSeconds = this.ticksPerStep / this.ticksPerSecond;
    const kept = 1 / (1 + damping * stepSeconds);
    const seconds = ticks / this.ticksPerSecond;
    // A standing unit that was pushed slows down as it slides. This is the time in which it would cover the same
    // distance at its initial speed.
    const sliding = (stepSeconds * kept * (1 - kept ** (seconds / stepSeconds))) / Math.max(1e-9, 1 - kept);
    const { velocityX, velocityY } = other.known;
    const slid = { x: velocityX * sliding, y: velocityY * sliding };
    const wayOf = (drive: Point | undefined) =>
      drive === undefined ? slid : { x: drive.x * kept * seconds, y: drive.y * kept * seconds };
    const before = wayOf(other.drive);
    const way = { x: before.x + missing.x, y: before.y + missing.y };
    const keyed = directions.map(({ x, y }) => ({ x: x * speed, y: y * speed }));
    const wanted = { x: way.x / (kept * seconds), y: way.y / (kept * seconds) };
    const isSeenAgain = distance(wanted, other.wanted) * seconds <= explainedPx;
    other.wanted = wanted;
    let nearest = Infinity;
    let found: Point | undefined;
    const touches = this.touchesOwn(known);
    for (const drive of [other.drive, undefined, ...keyed]) {
      const { x, y } = wayOf(drive);
      const change = { x: x - before.x, y: y - before.y };
      let px = distance(missing, change);
      // Two bodies that push each other share the movement, so only half of the change may show.
      const halfPx = distance(missing, { x: change.x / 2, y: change.y / 2 });
      if (touches && halfPx <= explainedPx) px = Math.min(px, halfPx);
      if (px >= nearest - explainedPx) continue;
      nearest = px;
      found = drive;
    }
    const isExplained = nearest <= explainedPx || (speed > 0 && !isSeenAgain);
    other.drive = isExplained ? found : driveOf({ velocityX: wanted.x, velocityY: wanted.y });
    return known;
  }

  private touchesOwn({ x, y, width }: KnownUnit, withinPx = touchingPx) {
    const { known } = this.own ?? {};
    if (known === undefined) return false;
    return Math.max(Math.abs(x - known.x), Math.abs(y - known.y)) < (width + known.width) / 2 + withinPx;
  }

  /** The speed at which keys move a unit, in px per second (0 if keys do not set its velocity), and its damping. */
  private walkOf({ handle, known }: Other): { readonly damping: number; readonly speed: number } {
    const { components } = this.inside.world;
    const damping = components.bodyType[rowOf(handle.entity)]?.linearDamping ?? 0;
    const { controls } = this.sim.definition.unitTypes.get(known.type) ?? {};
    const isKeyed = controls?.movementMethod === 'velocity';
    return { damping, speed: isKeyed ? (handle.attribute('speed') ?? 0) * pixelsPerMetre : 0 };
  }

  /** Sets the velocity of another unit to its estimated intended velocity. */
  private drive({ handle, drive }: Other) {
    const { velocity } = this.inside.world.components;
    const row = rowOf(handle.entity);
    velocity.x[row] = (drive?.x ?? 0) / pixelsPerMetre;
    velocity.y[row] = (drive?.y ?? 0) / pixelsPerMetre;
    velocity.method[row] = drive === undefined ? 0 : byVelocity;
  }

  /** Sets the state and size of a unit. Returns whether its body is rebuilt. */
  private shape(handle: UnitHandle, { state, width }: KnownUnit) {
    const { game, world } = this.inside;
    const row = rowOf(handle.entity);
    let isOther = false;
    if (state !== null && handle.state !== state) {
      this.sim.edit.setState(handle, state);
      isOther = true;
    }
    const scale = world.components.body.scale[row]!;
    const ratio = width / drawnWidth(world, row);
    // Sizes in frames are rounded to quarter pixels, so smaller differences do not count.
    if (Number.isFinite(ratio) && ratio > 0 && Math.abs(ratio - 1) * width > 0.5)
      isOther = scaleBody(game, handle.entity, scale * ratio) || isOther;
    return isOther;
  }
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** The columns that affect how a unit moves. Read them anew for each use, because the engine may replace them. */
function movingColumns({ transform, movement, velocity, facing }: Components) {
  return [
    transform.x,
    transform.y,
    transform.angle,
    movement.x,
    movement.y,
    movement.moving,
    velocity.x,
    velocity.y,
    velocity.method,
    facing.angle,
    facing.flip,
  ];
}

function driveOf({ velocityX: x, velocityY: y }: Pick<KnownUnit, 'velocityX' | 'velocityY'>): Point | undefined {
  return Math.hypot(x, y) < standingPxPerSecond ? undefined : { x, y };
}

function placement({ type, x, y, angle }: KnownUnit): Placement {
  return { type, x, y, angle };
}

/** The parts of a definition on which movement depends. */
function movingParts(document: unknown): unknown {
  const data = dataOf(document);
  const { frameRate, engineTickRate, dontResize } = (data['defaultData'] ?? document ?? {}) as Dictionary;
  const { map, settings, tilesets, unitTypes, bodyTypes, states, scripts, abilities } = data as JsonObject;
  const moving: MovingData = { scripts, abilities, constants: constantsOf(data as JsonObject) };
  const layers = ((map as Dictionary | undefined)?.['layers'] ?? []) as readonly Dictionary[];
  // Debris is left out: it moves, and nothing corrects it here. Its layer remains, so that layers keep their numbers.
  const standing = layers.map((layer) => (layer['name'] === 'debris' ? { ...layer, objects: [] } : layer));
  return {
    data: {
      settings,
      tilesets,
      bodyTypes,
      states,
      title: 'prediction',
      ...(map !== undefined && { map: { ...(map as Dictionary), layers: standing } }),
      defaultData: { frameRate, engineTickRate, dontResize },
      unitTypes: Object.fromEntries(
        entriesOf(unitTypes).flatMap(([key, type]) => {
          const unit = movingUnit(type, moving);
          const isScripted = Object.keys(unit['scripts'] as Dictionary).length > 0;
          return [[key, unit], ...(isScripted ? [[typeOfOther(key), { ...unit, scripts: {} }]] : [])];
        }),
      ),
    },
  };
}

function dataOf(document: unknown): Dictionary {
  const outer = (document ?? {}) as Dictionary;
  const answer = outer['gameJson'] as Dictionary | undefined;
  return (answer?.['data'] ?? outer['data'] ?? outer) as Dictionary;
}

/** Returns a function that tells how items of a type are used, according to the definition. */
export function itemUsesIn(document: unknown): (itemType: string) => ItemUse {
  const types = (dataOf(document)['itemTypes'] ?? {}) as Dictionary<Dictionary>;
  return (itemType) => {
    const { fireRate, cost } = types[itemType] ?? {};
    const quantity = Number((cost as Dictionary | undefined)?.['quantity'] ?? 1);
    return { fireRateMs: Number(fireRate) || 0, cost: Number.isFinite(quantity) ? quantity : 1 };
  };
}

/** Scripts that move a unit may compute only with variables of these data types. */
const plainTypes = new Set(['number', 'boolean', 'string']);
const unitMembers =
  'name body bodies states controls baseSpeed cameraPointerLock cellSheet confinedWithinMapBoundaries'.split(' ');

/**
 * The key under which the world has a unit type without its scripts. Other units get this type, because the inputs that
 * steer them are not known.
 */
function typeOfOther(key: string) {
  return `other/${key}`;
}

/** A unit type with only those scripts that do nothing but move the unit. */
function movingUnit(type: JsonObject, moving: MovingData): Dictionary {
  const { bindings, unitAbilities, scripts, paid } = movingScripts(type, moving);
  const attributes = entriesOf(type['attributes']);
  const controls = type['controls'] as Dictionary | undefined;
  const speedAttribute = attributes.find(([key]) => key === 'speed')?.[1];
  const speed = speedAttribute?.['value'] ?? type['baseSpeed'];
  return {
    ...Object.fromEntries(unitMembers.flatMap((name) => (type[name] === undefined ? [] : [[name, type[name]]]))),
    ...(controls !== undefined && { controls: { ...controls, abilities: bindings, unitAbilities } }),
    scripts,
    variables: Object.fromEntries(
      entriesOf(type['variables']).filter(([, { dataType }]) => plainTypes.has(String(dataType))),
    ),
    // Attributes have no triggers: the server decides what happens at their bounds.
    attributes: {
      ...Object.fromEntries(attributes.filter(([key]) => paid.has(key))),
      speed: { name: 'speed', value: speed ?? 0, min: -1e9, max: 1e9, ...speedAttribute, regenerateSpeed: 0 },
    },
  };
}

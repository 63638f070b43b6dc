import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import { UsageError } from '../core/usage-error.ts';
import {
  bytes,
  constant,
  count,
  entity,
  f64,
  flag,
  floats,
  type Infer,
  index,
  list,
  optional,
  record,
  type Scope,
  strides,
  where,
} from '../schema/index.ts';
import { type Entity, noEntity, rowOf } from '../world/entity.ts';
import type { RowStores } from './bodies.ts';
import { anyBodySpec } from './body.ts';
import type { FlatBody } from './flat/body.ts';
import { FlatWorld } from './flat/world.ts';
import type { Physics } from './physics.ts';
import type { Body } from './planck/planck.ts';
import { checkPlanck, type PlanckPlaces } from './planck-check.ts';
import { planckNumbers, planckTables } from './planck-members.ts';
import { restorePlanck } from './planck-restore.ts';
import { onlyFixture, PlanckSaver } from './planck-save.ts';
import { actsMax, numbersPerAct } from './waiting.ts';

/** Acts and transforms of a row that wait for the entity's body or its next update. */
const waitingRow = record({
  row: index('row'),
  /** Where the next update puts the body. */
  teleport: optional(record({ x: f64(), y: f64(), angle: f64() })),
  acts: where(
    strides({ act: f64(), x: f64(), y: f64() }),
    'more than can wait',
    (acts) => acts.length <= actsMax * numbersPerAct,
  ),
});
type WaitingRow = Infer<typeof waitingRow>;

const requestedBody = record({ entity: entity(), spec: optional(anyBodySpec), confined: flag() });

const walls = record({
  columns: count(),
  rows: count(),
  /** Undefined while the cells are those of the definition. */
  blocked: optional(bytes()),
  solid: optional(bytes()),
  bodies: floats(),
  entities: strides({ entity: entity() }),
  changed: flag(),
});

/** The part of it that is not planck's. */
const ourState = record({
  confined: where(bytes(), 'not as long as there are rows', isByRow),
  waiting: list(waitingRow),
  requested: list(requestedBody),
  walls: where(walls, 'a map of other walls', ({ columns, rows, blocked, solid }) => {
    const fits = (cells: Uint8Array | undefined): boolean =>
      cells === undefined || cells.length === columns * rows || columns * rows > cellsMax;
    return fits(blocked) && fits(solid) && (blocked === undefined) === (solid === undefined);
  }),
});
type OurState = Infer<typeof ourState>;

/** Everything physical that influences the future. Bodies are named by their proxy in planck's tree. */
export const physicsState = constant(
  record({
    planck: planckNumbers,
    ...ourState.fields,
  }),
);
type PhysicsState = Infer<typeof physicsState>;

/** Above this, a map is played without walls. */
const cellsMax = 16_777_216;

function isByRow({ length }: { readonly length: number }, scope: Scope): boolean {
  return length === scope.sizeOf('row');
}

/** Takes the state of a physics. Its lists are reused by each call. */
export class PhysicsSaver {
  private readonly physics: Physics;
  private readonly planck: PlanckSaver;

  constructor(physics: Physics) {
    this.physics = physics;
    this.planck = new PlanckSaver(savedWorldOf(physics));
  }

  /** Between two ticks; good until the next tick and the next call. `rowCount` rows of entities have ever been used. */
  save(rowCount: number): PhysicsState {
    return { planck: this.planck.save(), ...this.ours(rowCount) };
  }

  private ours(rowCount: number): OurState {
    const { rows, log, walls, wallsChanged, queue } = this.physics.parts;
    assert(log.count === 0, 'between two ticks no contact waits to be delivered');
    const { blocked, solid } = walls.cells;
    return {
      confined: rows.confined.subarray(0, rowCount),
      waiting: waitingRows(rows, rowCount),
      requested: queue.list(),
      walls: {
        columns: walls.columns,
        rows: walls.rows,
        blocked: walls.areOriginal ? undefined : blocked,
        solid: walls.areOriginal ? undefined : solid,
        bodies: proxiesOf(walls.bodies),
        entities: new Float64Array(walls.entities),
        changed: wallsChanged,
      },
    };
  }
}

/** Throws `UsageError` for a world of planck's own, which is there to be compared with and has no state that could be kept. */
function savedWorldOf({ parts: { planck } }: Physics): FlatWorld {
  if (planck instanceof FlatWorld) return planck;
  throw new UsageError('bad-option', "With physics 'planck' a simulation can be played, and neither hashed nor saved.");
}

function proxiesOf(bodies: readonly Body[]): Float64Array {
  const proxies = new Float64Array(bodies.length);
  for (let i = 0; i < bodies.length; i++) proxies[i] = onlyFixture(bodies[i] as FlatBody).m_proxies[0]!.proxyId;
  return proxies;
}

/** Of each row only what is in use: what it held before means nothing. */
function waitingRows({ waiting, teleports }: RowStores, rowCount: number): WaitingRow[] {
  const { waits, x, y, angle } = teleports;
  const found: WaitingRow[] = [];
  for (let row = 0; row < rowCount; row++) {
    if (waits[row] === 0 && waiting.count(row) === 0) continue;
    const teleport = waits[row] === 0 ? undefined : { x: x[row]!, y: y[row]!, angle: angle[row]! };
    found.push({ row, teleport, acts: waiting.peek(row) });
  }
  return found;
}

/** Checks beyond the declarations whether a physics can have a state. Throws `MalformedBytes`; nothing is changed. */
export function checkPhysics(state: PhysicsState, contactsMax: number): PlanckPlaces {
  const places = checkPlanck(state.planck, contactsMax);
  const { bodies } = state.planck;
  const { width, at } = planckTables.bodies;
  const ofWalls = new Set<number>();
  for (const proxy of state.walls.bodies) {
    const body = places.bodyOf.get(proxy);
    if (body === undefined) throw new MalformedBytes(`This snapshot has no body ${proxy}.`);
    ofWalls.add(body);
  }
  const taken = new Uint8Array(state.confined.length);
  for (let body = 0; body < bodies.length / width; body++) {
    if (ofWalls.has(body)) continue;
    const row = rowOf(bodies[body * width + at.entity]!);
    if (taken[row] === 1) throw new MalformedBytes(`This snapshot has two bodies of row ${row}.`);
    taken[row] = 1;
  }
  return places;
}

/** Fills a new physics with a state; the places are what `checkPhysics` found in it. */
export function restorePhysics(physics: Physics, state: PhysicsState, places: PlanckPlaces): void {
  const { rows, walls } = physics.parts;
  const bodies = restorePlanck(savedWorldOf(physics), state.planck, places);
  rows.confined.set(state.confined);
  const { teleports, byRow } = rows;
  for (const { row, teleport, acts } of state.waiting) {
    if (teleport !== undefined) {
      teleports.waits[row] = 1;
      teleports.x[row] = teleport.x;
      teleports.y[row] = teleport.y;
      teleports.angle[row] = teleport.angle;
    }
    for (let i = 0; i < acts.length; i += numbersPerAct) {
      rows.waiting.addNumbers(row, acts[i]!, acts[i + 1]!, acts[i + 2]!);
    }
  }
  for (const { entity, spec, confined } of state.requested) physics.requestBody(entity, spec, confined);
  const { columns, rows: mapRows, blocked, solid } = state.walls;
  if (blocked !== undefined && solid !== undefined)
    walls.restoreCells({ columns, rows: mapRows, blocked: blocked.slice(), solid: solid.slice() });
  const wallBodies = Array.from(state.walls.bodies, (proxy) => bodies[places.bodyOf.get(proxy)!]!);
  const wallEntities = Array.from(state.walls.entities).filter((entity) => entity !== noEntity);
  walls.restore(wallBodies, wallEntities);
  const ofWalls = new Set<Body>(wallBodies);
  // Without gaps: V8 makes a hash table of an array whose last element comes first.
  while (byRow.length < state.confined.length) byRow.push(undefined);
  byRow.length = state.confined.length;
  for (let i = 0; i < bodies.length; i++) {
    const body = bodies[i]!;
    if (!ofWalls.has(body)) byRow[rowOf(body.m_userData as Entity)] = body;
  }
  physics.restoreWallsChanged(state.walls.changed);
}

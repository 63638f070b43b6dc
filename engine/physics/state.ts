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
  type Infer,
  index,
  list,
  optional,
  record,
  type Scope,
  withCheck,
} from '../schema/index.ts';
import { type Entity, noEntity, rowOf } from '../world/entity.ts';
import type { RowStores } from './bodies.ts';
import { anyBodySpec } from './body.ts';
import type { FlatBody } from './flat/body.ts';
import { FlatWorld } from './flat/world.ts';
import type { Physics } from './physics.ts';
import type { Body } from './planck/planck.ts';
import { restorePlanck } from './planck-restore.ts';
import { savePlanck } from './planck-save.ts';
import { checkPlanck, planckState } from './planck-state.ts';
import { actsMax } from './waiting.ts';

/** Acts and transforms of a row that wait for the entity's body or its next update. */
const waitingRow = record({
  row: index('row'),
  /** Where the next update puts the body. */
  teleport: optional(record({ x: f64(), y: f64(), angle: f64() })),
  acts: withCheck(
    list(record({ act: f64(), x: f64(), y: f64() })),
    'more than can wait',
    ({ length }) => length <= actsMax,
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
  bodies: list(index('body')),
  entities: list(entity()),
  changed: flag(),
});

/** Everything physical that influences the future. */
export const physicsState = constant(
  record({
    planck: planckState,
    confined: withCheck(bytes(), 'not as long as there are rows', isByRow),
    waiting: list(waitingRow),
    requested: list(requestedBody),
    walls: withCheck(walls, 'a map of other walls', ({ columns, rows, blocked, solid }) => {
      const fits = (cells: Uint8Array | undefined): boolean =>
        cells === undefined || cells.length === columns * rows || columns * rows > cellsMax;
      return fits(blocked) && fits(solid) && (blocked === undefined) === (solid === undefined);
    }),
  }),
);
type PhysicsState = Infer<typeof physicsState>;

/** Above this, a map is played without walls. */
const cellsMax = 16_777_216;

function isByRow({ length }: { readonly length: number }, scope: Scope): boolean {
  return length === scope.sizeOf('row');
}

/** Between two ticks; copied, but for cells and columns. `rowCount` rows of entities have ever been used. */
export function savePhysics(physics: Physics, rowCount: number): PhysicsState {
  const { rows, log, walls, wallsChanged, queue } = physics.parts;
  assert(log.count === 0, 'between two ticks no contact waits to be delivered');
  const { places, ...planck } = savePlanck(savedWorldOf(physics));
  const { blocked, solid } = walls.cells;
  return {
    planck,
    confined: rows.confined.subarray(0, rowCount),
    waiting: waitingRows(rows, rowCount),
    requested: queue.list(),
    walls: {
      columns: walls.columns,
      rows: walls.rows,
      blocked: walls.areOriginal ? undefined : blocked,
      solid: walls.areOriginal ? undefined : solid,
      bodies: walls.bodies.map((body) => places[(body as FlatBody).row]!),
      entities: walls.entities,
      changed: wallsChanged,
    },
  };
}

/** Throws `UsageError` for a world of planck's own, which is there to be compared with and has no state that could be kept. */
function savedWorldOf({ parts: { planck } }: Physics): FlatWorld {
  if (planck instanceof FlatWorld) return planck;
  throw new UsageError('bad-option', "With physics 'planck' a simulation can be played, and neither hashed nor saved.");
}

/** Of each row only what is in use: what it held before means nothing. */
function waitingRows({ waiting, teleports }: RowStores, rowCount: number): WaitingRow[] {
  const { waits, x, y, angle } = teleports;
  const found: WaitingRow[] = [];
  for (let row = 0; row < rowCount; row++) {
    if (waits[row] === 0 && waiting.count(row) === 0) continue;
    const teleport = waits[row] === 0 ? undefined : { x: x[row]!, y: y[row]!, angle: angle[row]! };
    found.push({ row, teleport, acts: waiting.list(row) });
  }
  return found;
}

/** Checks beyond the declarations whether a physics can have a state. Throws `MalformedBytes`; nothing is changed. */
export function checkPhysics({ planck, walls, confined }: PhysicsState, contactsMax: number): void {
  checkPlanck(planck, contactsMax);
  const ofWalls = new Set(walls.bodies);
  const taken = new Uint8Array(confined.length);
  planck.bodies.entity.forEach((entity, body) => {
    if (ofWalls.has(body)) return;
    if (taken[rowOf(entity)] === 1) throw new MalformedBytes(`This snapshot has two bodies of row ${rowOf(entity)}.`);
    taken[rowOf(entity)] = 1;
  });
}

/** Fills a new physics with a state that `checkPhysics` has passed. */
export function restorePhysics(physics: Physics, state: PhysicsState): void {
  const { rows, walls } = physics.parts;
  const bodies = restorePlanck(savedWorldOf(physics), state.planck);
  rows.confined.set(state.confined);
  const { teleports, byRow } = rows;
  for (const { row, teleport, acts } of state.waiting) {
    if (teleport !== undefined) {
      teleports.waits[row] = 1;
      teleports.x[row] = teleport.x;
      teleports.y[row] = teleport.y;
      teleports.angle[row] = teleport.angle;
    }
    for (const { act, x, y } of acts) rows.waiting.addNumbers(row, act, x, y);
  }
  for (const { entity, spec, confined } of state.requested) physics.requestBody(entity, spec, confined);
  const { columns, rows: mapRows, blocked, solid } = state.walls;
  if (blocked !== undefined && solid !== undefined)
    walls.restoreCells({ columns, rows: mapRows, blocked: blocked.slice(), solid: solid.slice() });
  walls.restore(
    state.walls.bodies.map((body) => bodies[body]!),
    state.walls.entities.filter((entity) => entity !== noEntity),
  );
  const ofWalls = new Set<Body>(walls.bodies);
  // Without gaps: V8 makes a hash table of an array whose last element comes first.
  while (byRow.length < state.confined.length) byRow.push(undefined);
  byRow.length = state.confined.length;
  for (const body of bodies) if (!ofWalls.has(body)) byRow[rowOf(body.m_userData as Entity)] = body;
  physics.restoreWallsChanged(state.walls.changed);
}

import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import { NumberList } from '../core/number-list.ts';
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
  type StateDigest,
  strides,
  where,
} from '../schema/index.ts';
import { noEntity } from '../world/entity.ts';
import { anyAngle, anyPosition, type RowStores } from './bodies.ts';
import { anyBodySpec } from './body.ts';
import type { Physics } from './physics.ts';
import { insideBody, outsideBody } from './planck-inside.ts';
import { planckNumbers, planckTables } from './planck-numbers.ts';
import { restorePlanck } from './planck-restore.ts';
import { savePlanck } from './planck-save.ts';
import { numbersPerAct, waitingMax } from './waiting.ts';

/** Acts and transforms of a row that wait for the entity's body or its next update. */
const waitingRow = record({
  row: index('row'),
  pending: count(),
  x: f64(),
  y: f64(),
  turn: f64(),
  acts: where(strides(['act', 'x', 'y']), 'more than can wait', (acts) => acts.length <= waitingMax * numbersPerAct),
});
type WaitingRow = Infer<typeof waitingRow>;

const requestedBody = record({ entity: entity(), spec: optional(anyBodySpec), confined: flag() });
type RequestedBody = Infer<typeof requestedBody>;

const walls = record({
  columns: count(),
  rows: count(),
  /** Undefined while the cells are those of the definition. */
  blocked: optional(bytes()),
  solid: optional(bytes()),
  bodies: floats(),
  entities: where(floats(), 'of no entities', areEntities),
  changed: flag(),
});

/** Everything physical that influences the future. Bodies are named by their proxy in planck's tree. */
export const physicsState = constant(
  record({
    planck: where(planckNumbers, 'of bodies of no entities', ({ bodies }, scope) => {
      const { width, at } = planckTables.bodies;
      return areEntities(
        bodies.filter((_, i) => i % width === at.entity),
        scope,
      );
    }),
    /** By row: the proxy of its body; 0 for none. */
    bodies: where(floats(), 'not as long as there are rows', isByRow),
    confined: where(bytes(), 'not as long as there are rows', isByRow),
    waiting: list(waitingRow),
    requested: list(requestedBody),
    walls: where(walls, 'a map of other walls', ({ columns, rows, blocked, solid }) => {
      const fits = (cells: Uint8Array | undefined): boolean =>
        cells === undefined || cells.length === columns * rows || columns * rows > cellsMax;
      return fits(blocked) && fits(solid) && (blocked === undefined) === (solid === undefined);
    }),
  }),
);
export type PhysicsState = Infer<typeof physicsState>;

/** Above this, a map is played without walls. */
const cellsMax = 16_777_216;

function isByRow({ length }: { readonly length: number }, scope: Scope): boolean {
  return length === scope.sizeOf('row');
}

function areEntities(numbers: Float64Array, scope: Scope): boolean {
  return numbers.every((number) => Number.isSafeInteger(number) && number >= 0 && scope.isEntity(number, undefined));
}

// Reused by every snapshot.
const numbers = new NumberList();

/** Between two ticks. `rowCount` rows of entities have ever been used. */
export function savePhysics(physics: Physics, rowCount: number): PhysicsState {
  const { rows, planck, log, walls, wallsChanged } = physics.parts;
  assert(log.count === 0, 'between two ticks no contact waits to be told');
  const { blocked, solid } = walls.cells;
  return {
    planck: savePlanck(planck, numbers),
    bodies: Float64Array.from({ length: rowCount }, (_, row) => {
      const body = rows.byRow[row];
      return body === undefined ? 0 : proxyOf(body);
    }),
    confined: rows.confined.slice(0, rowCount),
    waiting: waitingRows(rows, rowCount),
    requested: requestedBodies(physics),
    walls: {
      columns: walls.columns,
      rows: walls.rows,
      blocked: walls.areOriginal ? undefined : blocked,
      solid: walls.areOriginal ? undefined : solid,
      bodies: Float64Array.from(walls.bodies, proxyOf),
      entities: Float64Array.from(walls.entities),
      changed: wallsChanged,
    },
  };
}

function proxyOf(body: Parameters<typeof insideBody>[0]): number {
  return insideBody(body).m_fixtureList.m_proxies[0]!.proxyId;
}

/** Of each row only what is in use: what it held before means nothing. */
function waitingOf(
  { waiting, pending, pendingX, pendingY, pendingTurn }: RowStores,
  row: number,
): WaitingRow | undefined {
  const acts = waiting.peek(row);
  const bits = pending[row]!;
  if (bits === 0 && acts.length === 0) return undefined;
  const hasPosition = (bits & anyPosition) !== 0;
  return {
    row,
    pending: bits,
    x: hasPosition ? pendingX[row]! : 0,
    y: hasPosition ? pendingY[row]! : 0,
    turn: (bits & anyAngle) !== 0 ? pendingTurn[row]! : 0,
    // A list of its own, because what waits nowhere is one list for all.
    acts: acts.slice(),
  };
}

function waitingRows(rows: RowStores, rowCount: number): WaitingRow[] {
  const found: WaitingRow[] = [];
  for (let row = 0; row < rowCount; row++) {
    const waiting = waitingOf(rows, row);
    if (waiting !== undefined) found.push(waiting);
  }
  return found;
}

function requestedBodies(physics: Physics): RequestedBody[] {
  const { queue } = physics.parts;
  return Array.from({ length: queue.count }, (_, i) => {
    return { entity: queue.entity(i), spec: queue.spec(i), confined: queue.isConfined(i) };
  });
}

/** Into a physics in which nothing has been made. Throws `MalformedBytes`; the physics is then of no use. */
export function restorePhysics(physics: Physics, state: PhysicsState): void {
  const { rows, planck, walls } = physics.parts;
  const byProxy = restorePlanck(planck, state.planck);
  const bodyAt = (proxy: number) => {
    const body = byProxy.get(proxy);
    if (body === undefined) throw new MalformedBytes(`This snapshot has no body ${proxy}.`);
    return outsideBody(body);
  };
  for (let row = 0; row < state.bodies.length; row++) {
    const proxy = state.bodies[row]!;
    rows.byRow[row] = proxy === 0 ? undefined : bodyAt(proxy);
  }
  rows.confined.set(state.confined);
  for (const { row, pending, x, y, turn, acts } of state.waiting) {
    rows.pending[row] = pending;
    rows.pendingX[row] = x;
    rows.pendingY[row] = y;
    rows.pendingTurn[row] = turn;
    for (let i = 0; i < acts.length; i += numbersPerAct) {
      rows.waiting.addNumbers(row, acts[i]!, acts[i + 1]!, acts[i + 2]!);
    }
  }
  for (const { entity, spec, confined } of state.requested) physics.requestBody(entity, spec, confined);
  const { columns, rows: mapRows, blocked, solid } = state.walls;
  if (blocked !== undefined && solid !== undefined) walls.restoreCells({ columns, rows: mapRows, blocked, solid });
  for (const proxy of state.walls.bodies) walls.bodies.push(bodyAt(proxy));
  for (const entity of state.walls.entities) if (entity !== noEntity) walls.entities.push(entity);
  physics.restoreWallsChanged(state.walls.changed);
}

/** Everything of a physics that is not planck's, fed to a hash. */
export function hashRest(physics: Physics, rowCount: number, to: StateDigest): void {
  const { rows, queue, walls, wallsChanged } = physics.parts;
  const { numbers, hasher } = to;
  for (let row = 0; row < rowCount; row++) {
    const body = rows.byRow[row];
    numbers.push(body === undefined ? 0 : proxyOf(body));
  }
  for (let row = 0; row < rowCount; row++) {
    const waiting = waitingOf(rows, row);
    if (waiting === undefined) continue;
    numbers.push(row);
    numbers.push(waiting.pending);
    numbers.push(waiting.x);
    numbers.push(waiting.y);
    numbers.push(waiting.turn);
    for (const number of waiting.acts) numbers.push(number);
  }
  for (const body of walls.bodies) numbers.push(proxyOf(body));
  for (const entity of walls.entities) numbers.push(entity);
  numbers.push(walls.columns);
  numbers.push(walls.rows);
  numbers.push(wallsChanged ? 1 : 0);
  hasher.ints(rows.confined.subarray(0, rowCount));
  if (!walls.areOriginal) {
    hasher.ints(walls.cells.blocked);
    hasher.ints(walls.cells.solid);
  }
  for (let i = 0; i < queue.count; i++) {
    requestedBody.hash({ entity: queue.entity(i), spec: queue.spec(i), confined: queue.isConfined(i) }, to);
  }
}

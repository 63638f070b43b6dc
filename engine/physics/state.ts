import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import type { GraphHasher } from '../core/graph-hash.ts';
import type { StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import { type Entity, noEntity } from '../world/entity.ts';
import { anyAngle, anyPosition, type RowStores } from './bodies.ts';
import type { BodySpec } from './body.ts';
import type { Physics } from './physics.ts';
import { insideBody, outsideBody } from './planck-inside.ts';
import type { PlanckNumbers } from './planck-numbers.ts';
import { restorePlanck } from './planck-restore.ts';
import { savePlanck } from './planck-save.ts';
import { numbersPerAct, waitingMax } from './waiting.ts';

/** Acts and transforms of a row that wait for the entity's body or its next update. */
export interface WaitingRow {
  readonly row: number;
  readonly pending: number;
  readonly x: number;
  readonly y: number;
  readonly turn: number;
  readonly acts: Float64Array;
}

export interface RequestedBody {
  readonly entity: Entity;
  readonly spec: BodySpec | undefined;
  readonly confined: boolean;
}

/** Everything physical that influences the future. Bodies are named by their proxy in planck's tree. */
export interface PhysicsState {
  readonly planck: PlanckNumbers;
  /** By row: the proxy of its body; 0 for none. */
  readonly bodies: Float64Array;
  readonly confined: Uint8Array;
  readonly waiting: readonly WaitingRow[];
  readonly requested: readonly RequestedBody[];
  readonly walls: {
    readonly columns: number;
    readonly rows: number;
    /** Undefined while the cells are those of the definition. */
    readonly blocked: Uint8Array | undefined;
    readonly solid: Uint8Array | undefined;
    readonly bodies: Float64Array;
    readonly entities: Float64Array;
    readonly changed: boolean;
  };
}

// Reused by every snapshot.
const list = new NumberList();

/** Between two ticks. `rowCount` rows of entities have ever been used. */
export function savePhysics(physics: Physics, rowCount: number): PhysicsState {
  const { rows, planck, log, walls, wallsChanged } = physics.parts;
  assert(log.count === 0, 'between two ticks no contact waits to be told');
  const { blocked, solid } = walls.cells;
  return {
    planck: savePlanck(planck, list),
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
function waitingRow(
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
    const waiting = waitingRow(rows, row);
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
    if (acts.length % numbersPerAct !== 0 || acts.length > waitingMax * numbersPerAct) {
      throw new MalformedBytes('This snapshot has acts that cannot wait.');
    }
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
export function hashRest(physics: Physics, rowCount: number, hasher: StateHasher, graph: GraphHasher): void {
  const { rows, queue, walls, wallsChanged } = physics.parts;
  list.clear();
  for (let row = 0; row < rowCount; row++) {
    const body = rows.byRow[row];
    list.push(body === undefined ? 0 : proxyOf(body));
  }
  for (let row = 0; row < rowCount; row++) {
    const waiting = waitingRow(rows, row);
    if (waiting === undefined) continue;
    list.push(row);
    list.push(waiting.pending);
    list.push(waiting.x);
    list.push(waiting.y);
    list.push(waiting.turn);
    for (const number of waiting.acts) list.push(number);
  }
  for (const body of walls.bodies) list.push(proxyOf(body));
  for (const entity of walls.entities) list.push(entity);
  list.push(walls.columns);
  list.push(walls.rows);
  list.push(wallsChanged ? 1 : 0);
  hasher.floats(list.view);
  hasher.ints(rows.confined.subarray(0, rowCount));
  if (!walls.areOriginal) {
    hasher.ints(walls.cells.blocked);
    hasher.ints(walls.cells.solid);
  }
  for (let i = 0; i < queue.count; i++) {
    hasher.float(queue.entity(i));
    hasher.value(queue.isConfined(i));
    graph.value(queue.spec(i));
  }
}

import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
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
import { noEntity, rowOf } from '../world/entity.ts';
import { anyBodySpec } from './body.ts';
import { commandsMax } from './command-queues.ts';
import type { Physics } from './physics.ts';
import { restoreSpace, saveSpace } from './space-save.ts';
import { checkSpace, spaceState } from './space-state.ts';
import { cellsMax } from './walls.ts';

/** The teleport and the actions that are pending for the body of an entity. */
const waitingRow = record({
  row: index('row'),
  /** The target of the teleport that the next update performs; absent if none is pending. */
  teleport: optional(record({ x: f64(), y: f64(), angle: f64() })),
  acts: withCheck(
    list(record({ act: f64(), x: f64(), y: f64() })),
    'a list of more waiting actions than the limit allows',
    ({ length }) => length <= commandsMax,
  ),
});
type WaitingRow = Infer<typeof waitingRow>;

const requestedBody = record({ entity: entity(), spec: optional(anyBodySpec), confined: flag() });

const walls = record({
  columns: count(),
  rows: count(),
  /** The cells that block paths; undefined while they are those of the definition. */
  blocked: optional(bytes()),
  solid: optional(bytes()),
  bodies: list(index('body')),
  entities: list(entity()),
  changed: flag(),
});

/** All state of physics that influences later ticks. Snapshots and differences call the space `planck`. */
export const physicsState = constant(
  record({
    planck: spaceState,
    confined: withCheck(bytes(), 'not a list with one byte for each row', isByRow),
    waiting: list(waitingRow),
    requested: list(requestedBody),
    walls: withCheck(walls, 'a map of walls whose cells do not match its size', ({ columns, rows, blocked, solid }) => {
      const fits = (cells: Uint8Array | undefined) =>
        cells === undefined || cells.length === columns * rows || columns * rows > cellsMax;
      return fits(blocked) && fits(solid) && (blocked === undefined) === (solid === undefined);
    }),
  }),
);
type PhysicsState = Infer<typeof physicsState>;

function isByRow({ length }: { readonly length: number }, scope: Scope): boolean {
  return length === scope.sizeOf('row');
}

/**
 * Saves the state between two ticks; cells and columns are not copied. `rowCount`: the number of rows that entities
 * have ever used.
 */
export function savePhysics(physics: Physics, rowCount: number): PhysicsState {
  const { space, byRow, log, walls, wallsChanged, queue } = physics.parts;
  assert(log.count === 0, 'between two ticks no contact waits to be delivered');
  const { places, ...planck } = saveSpace(space);
  const { columns, rows, blocked, solid } = walls.cells;
  return {
    planck,
    confined: byRow.confined.subarray(0, rowCount),
    waiting: waitingRows(physics, rowCount),
    requested: queue.requests.slice(),
    walls: {
      columns,
      rows,
      blocked: walls.areOriginal ? undefined : blocked,
      solid: walls.areOriginal ? undefined : solid,
      bodies: walls.bodies.map((body) => places[body]!),
      entities: walls.entities,
      changed: wallsChanged,
    },
  };
}

/** Saves only what is still pending: completed teleports and actions remain in memory. */
function waitingRows({ parts: { waiting, byRow } }: Physics, rowCount: number): WaitingRow[] {
  const { teleports, teleportX: x, teleportY: y, teleportAngle: angle } = byRow;
  const found: WaitingRow[] = [];
  for (let row = 0; row < rowCount; row++) {
    if (teleports[row] === 0 && waiting.count(row) === 0) continue;
    const teleport = teleports[row] === 0 ? undefined : { x: x[row]!, y: y[row]!, angle: angle[row]! };
    found.push({ row, teleport, acts: waiting.list(row) });
  }
  return found;
}

/** Checks what the declarations cannot express. Throws `MalformedBytes`. Changes nothing. */
export function checkPhysics({ planck, walls, confined }: PhysicsState, contactsMax: number): void {
  checkSpace(planck, contactsMax);
  const ofWalls = new Set(walls.bodies);
  const taken = new Uint8Array(confined.length);
  planck.bodies.entity.forEach((entity, body) => {
    if (ofWalls.has(body)) return;
    if (taken[rowOf(entity)] === 1) throw new MalformedBytes(`Invalid snapshot: row ${rowOf(entity)} has two bodies.`);
    taken[rowOf(entity)] = 1;
  });
}

/** Fills a new `Physics` with a state that has passed `checkPhysics`. */
export function restorePhysics(physics: Physics, state: PhysicsState): void {
  const { space, byRow, waiting, walls } = physics.parts;
  const bodies = restoreSpace(space, state.planck);
  byRow.confined.set(state.confined);
  for (const { row, teleport, acts } of state.waiting) {
    if (teleport !== undefined) physics.setTeleport(row, teleport.x, teleport.y, teleport.angle);
    for (const { act, x, y } of acts) waiting.addNumbers(row, act, x, y);
  }
  for (const { entity, spec, confined } of state.requested) physics.requestBody(entity, spec, confined);
  const { columns, rows: mapRows, blocked, solid } = state.walls;
  if (blocked !== undefined && solid !== undefined)
    walls.replace({ columns, rows: mapRows, blocked: blocked.slice(), solid: solid.slice() });
  walls.restore(
    state.walls.bodies.map((body) => bodies[body]!),
    state.walls.entities.filter((entity) => entity !== noEntity),
  );
  const ofWalls = new Set(walls.bodies);
  for (const body of bodies) if (!ofWalls.has(body)) byRow.body[rowOf(space.bodies.entity[body]!)] = body;
  physics.restoreWallsChanged(state.walls.changed);
}

import { components } from '../components/index.ts';
import { ByteReader, ByteWriter, MalformedBytes } from '../core/bytes.ts';
import { decodeGraph, encodeGraph } from '../core/graph.ts';
import { hashText, StateHasher } from '../core/hash.ts';
import {
  demand,
  isBytes,
  isCount,
  isFlag,
  isFloats,
  listOf,
  oneOf,
  optional,
  outlineOf,
  record,
} from '../core/shape.ts';
import { engineVersion } from '../core/version.ts';
import { type DialectName, dialects } from '../definition/dialect.ts';
import type { BodySpec } from '../physics/body.ts';
import {
  bodyFields,
  contactFields,
  leafFields,
  type PlanckNumbers,
  shapeFields,
  stepFields,
} from '../physics/planck-numbers.ts';
import { type PhysicsState, type RequestedBody, restorePhysics, type WaitingRow } from '../physics/state.ts';
import type { Game } from '../rules/game.ts';
import { outlineOf as outlineOfKind } from '../schema/index.ts';
import { contextMembers, isContext } from '../script/context-adapter.ts';
import type { Runtime } from '../script/runtime.ts';
import { kinds, rowOf } from '../world/entity.ts';
import { isLimits, type Limits } from '../world/limits.ts';
import { listMembers, mapMembers, otherMembers, restoreWorld, singleMembers } from '../world/snapshot.ts';
import { stateChecks } from '../world/state-check.ts';
import { triggerTypes } from '../world/triggers.ts';
import { isInput } from './input-check.ts';
import { type SimulationState, stateAdapters } from './state.ts';

/** Why a snapshot cannot be used. */
export type SnapshotProblem = 'no-snapshot' | 'damaged' | 'other-version' | 'other-definition' | 'malformed';

export class SnapshotError extends Error {
  readonly code: SnapshotProblem;

  constructor(code: SnapshotProblem, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a snapshot says about itself. */
export interface SnapshotHead {
  /** Of the engine that made it. */
  readonly version: string;
  readonly definitionHash: string;
  readonly dialect: DialectName;
  readonly seed: string;
  readonly limits: Limits;
  readonly tick: number;
}

const magic = [0x52, 0x4e, 0x43, 0x53] as const;

/** Changes whenever a snapshot holds something else than before, so that nobody has to remember to count it up. */
const layout = hashText(
  JSON.stringify([
    outlineOfKind(components.state),
    kinds,
    triggerTypes,
    singleMembers,
    listMembers,
    mapMembers,
    otherMembers,
    bodyFields,
    contactFields,
    shapeFields,
    leafFields,
    stepFields,
    contextMembers,
    Object.entries(stateChecks(1)).map(([name, check]) => [name, outlineOf(check)]),
  ]),
);

export function writeSnapshot(
  head: Omit<SnapshotHead, 'version'>,
  state: SimulationState,
  game: Game,
  runtime: Runtime,
): Uint8Array {
  const to = new ByteWriter(65_536);
  for (const byte of magic) to.byte(byte);
  to.text(engineVersion);
  to.text(layout);
  to.text(head.definitionHash);
  to.text(head.dialect);
  to.text(head.seed);
  to.text(JSON.stringify(head.limits));
  to.count(head.tick);
  const body = encodeGraph(state, stateAdapters(game, runtime));
  to.count(body.length);
  to.raw(body);
  const whole = to.take();
  const sum = new ByteWriter(whole.length + 32);
  sum.raw(whole);
  sum.text(sumOf(whole));
  return sum.take();
}

/** Guards against accidents, not against malice: what the state may be is checked besides. */
function sumOf(bytes: Uint8Array): string {
  const hasher = new StateHasher();
  hasher.ints(bytes);
  return hasher.digest();
}

/** Reads the head and makes sure that the whole is undamaged. Throws `SnapshotError`. For `ofAnyVersion` see `RestoreOptions`. */
export function readSnapshot(
  bytes: Uint8Array,
  ofAnyVersion = false,
): { readonly head: SnapshotHead; readonly body: Uint8Array } {
  return explained(() => {
    const from = new ByteReader(bytes);
    if (bytes.length < magic.length || !magic.every((byte) => from.byte() === byte)) {
      throw new SnapshotError('no-snapshot', 'These bytes are no snapshot.');
    }
    const version = from.text();
    const isOther = from.text() !== layout;
    if (isOther || (version !== engineVersion && !ofAnyVersion)) {
      const made = version === engineVersion ? `another build of version ${version}` : `version ${version}`;
      const message = `This snapshot was made by ${made} and cannot be read by this one (${engineVersion}).`;
      throw new SnapshotError('other-version', message);
    }
    const definitionHash = from.text();
    const dialect = from.text();
    const seed = from.text();
    const limits = from.text();
    const tick = from.count();
    const body = from.raw(from.countOf(1));
    const end = from.at;
    if (from.text() !== sumOf(bytes.subarray(0, end)) || from.rest > 0) {
      throw new SnapshotError('damaged', 'This snapshot is damaged: its check sum is another.');
    }
    if (!Object.hasOwn(dialects, dialect)) throw new MalformedBytes(`There is no dialect ${dialect}.`);
    return {
      head: { version, definitionHash, dialect: dialect as DialectName, seed, limits: limitsOf(limits), tick },
      body,
    };
  });
}

function limitsOf(text: string): Limits {
  const limits: unknown = JSON.parse(text);
  demand(isLimits, limits, 'limits');
  return limits as Limits;
}

/** Fills a simulation in which nothing has been made. Throws `SnapshotError`; what was filled is then of no use. */
export function restoreState(
  body: Uint8Array,
  game: Game,
  runtime: Runtime,
): Pick<SimulationState, 'inputs' | 'joined'> {
  return explained(() => {
    const state = decodeGraph(body, stateAdapters(game, runtime)) as SimulationState;
    const { world, physics, inputs, joined } = state ?? {};
    demand((value) => typeof value === 'object' && value !== null, world, 'world');
    demand(isCount, joined, 'number of players');
    demand(listOf(isInput), inputs, 'inputs');
    const { payload } = stateChecks(Math.max(1, Number(world.rowsUsed)));
    const jobs = runtime.program.jobCount;
    restoreWorld(game.world, world, (value) => isContext(value, payload));
    for (const { job } of world.timers.heap) demand((number) => (number as number) < jobs, job, 'timers');
    checkPhysics(physics, world.rowsUsed);
    restorePhysics(game.physics, physics);
    return { inputs, joined };
  });
}

function checkPhysics(physics: unknown, rowCount: number): void {
  const row = (value: unknown): boolean => isCount(value) && (value as number) < rowCount;
  const entity = (value: unknown): boolean => isCount(value) && rowOf(value as number) < rowCount;
  const check = record<PhysicsState>({
    planck: record<PlanckNumbers>({
      step: isFloats,
      shapes: isFloats,
      bodies: (bodies) => isFloats(bodies) && everyNth(bodies as Float64Array, bodyFields.length, 1, entity),
      contacts: isFloats,
      tree: isFloats,
      moved: isFloats,
    }),
    bodies: (bodies) => bodies instanceof Float64Array && bodies.length === rowCount,
    confined: (confined) => confined instanceof Uint8Array && confined.length === rowCount,
    waiting: listOf(
      record<WaitingRow>({ row, pending: isCount, x: anyNumber, y: anyNumber, turn: anyNumber, acts: isFloats }),
    ),
    requested: listOf(record<RequestedBody>({ entity, spec: optional(isSpec), confined: isFlag })),
    walls: record<PhysicsState['walls']>({
      columns: isCount,
      rows: isCount,
      blocked: optional(isBytes),
      solid: optional(isBytes),
      bodies: isFloats,
      entities: (entities) => isFloats(entities) && (entities as Float64Array).every(entity),
      changed: isFlag,
    }),
  });
  demand(check, physics, 'physics');
  const { columns, rows, blocked, solid } = (physics as PhysicsState).walls;
  const cells = (list: unknown): boolean =>
    list === undefined || (list as Uint8Array).length === columns * rows || columns * rows > cellsMax;
  demand((value) => cells(value) && (value === undefined) === (solid === undefined), blocked, 'walls');
  demand(cells, solid, 'walls');
}

/** Above this, a map is played without walls. */
const cellsMax = 16_777_216;

function anyNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function everyNth(list: Float64Array, step: number, offset: number, check: (value: unknown) => boolean): boolean {
  for (let at = offset; at < list.length; at += step) if (!check(list[at])) return false;
  return true;
}

const isSpec = record<BodySpec>({
  type: oneOf(['dynamic', 'static', 'kinematic']),
  category: anyNumber,
  mask: anyNumber,
  circle: isFlag,
  width: anyNumber,
  height: anyNumber,
  fixedWidth: anyNumber,
  fixedHeight: anyNumber,
  fixedRadius: anyNumber,
  offsetX: anyNumber,
  offsetY: anyNumber,
  density: anyNumber,
  friction: anyNumber,
  restitution: anyNumber,
  isSensor: isFlag,
  fixedRotation: isFlag,
  bullet: isFlag,
  allowSleep: isFlag,
  gravityScale: anyNumber,
  linearDamping: anyNumber,
  angularDamping: anyNumber,
});

/** What is thrown while hostile bytes are read is the fault of the bytes. */
function explained<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SnapshotError) throw error;
    throw new SnapshotError('malformed', error instanceof Error ? error.message : String(error));
  }
}

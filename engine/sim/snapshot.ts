import { ByteReader, ByteWriter, MalformedBytes } from '../core/bytes.ts';
import { messageOf } from '../core/error-message.ts';
import { hashText, StateHasher } from '../core/hash.ts';
import { UsageError } from '../core/usage-error.ts';
import { engineVersion } from '../core/version.ts';
import type { Definition } from '../definition/definition.ts';
import { type DialectName, isDialectName } from '../definition/dialect.ts';
import { checkPhysics, restorePhysics } from '../physics/state.ts';
import type { Game } from '../rules/game.ts';
import { Checker, copyOf, decode, encode, layoutOf, type Parts } from '../schema/index.ts';
import { contextOf, type ScriptContext } from '../script/running/context.ts';
import type { Runtime } from '../script/running/runtime.ts';
import { partsOf } from '../world/definition-parts.ts';
import { kinds } from '../world/entity.ts';
import { isLimits, type Limits } from '../world/limits.ts';
import { checkWorld, restoreWorld, scopeOf } from '../world/snapshot.ts';
import type { DelayedRounds } from '../world/timer.ts';
import { triggerTypes } from '../world/triggers.ts';
import { requireBytes } from './argument-checks.ts';
import { definitionHash } from './definition-hash.ts';
import { copyInput } from './input-copy.ts';
import { type SimulationState, simulationState, stateAdapters } from './state.ts';

/** Why a snapshot cannot be used. */
export type SnapshotProblem = 'no-snapshot' | 'damaged' | 'other-version' | 'other-definition' | 'malformed';

export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';

  constructor(
    readonly code: SnapshotProblem,
    message: string,
  ) {
    super(message);
  }
}

/** The head of a snapshot. */
export interface SnapshotHead {
  /** The version of the engine that made the snapshot or recording. */
  readonly version: string;
  readonly definitionHash: string;
  readonly dialect: DialectName;
  readonly seed: string;
  readonly limits: Limits;
  readonly tick: number;
}

const magic = [0x52, 0x4e, 0x43, 0x53] as const;

/** Reused by all snapshots. */
const scratch = new ByteWriter();

let layoutDigest: string | undefined;

/**
 * A digest of the snapshot format. The digest changes whenever the declarations of the state do, so no format version
 * has to be maintained by hand. Computed on first use, because most runs save nothing.
 */
function layout() {
  layoutDigest ??= hashText(JSON.stringify([kinds, triggerTypes, layoutOf(simulationState)]));
  return layoutDigest;
}

/** Writes a snapshot with a head and a check sum. Throws `TooManyBytes` if the state has more than `bytesMax` bytes. */
export function writeSnapshot(
  head: Omit<SnapshotHead, 'version'>,
  state: SimulationState,
  parts: Parts,
  bytesMax: number,
): Uint8Array {
  const body = encode(simulationState, state, parts, stateAdapters, bytesMax);
  const to = scratch;
  to.clear();
  for (const byte of magic) to.byte(byte);
  to.text(engineVersion);
  to.text(layout());
  to.text(head.definitionHash);
  to.text(head.dialect);
  to.text(head.seed);
  to.text(JSON.stringify(head.limits));
  to.count(head.tick);
  to.count(body.length);
  to.raw(body);
  to.text(sumOf(to.written));
  return to.take();
}

/**
 * A check sum against accidental damage. It does not protect against malicious changes; the state is validated
 * separately.
 */
function sumOf(bytes: Uint8Array) {
  const hasher = new StateHasher();
  hasher.bytes(bytes);
  return hasher.digest();
}

/** Reads the head and verifies the check sum. Throws `SnapshotError`. For `ofAnyVersion` see `RestoreOptions`. */
export function readSnapshot(
  bytes: Uint8Array,
  ofAnyVersion = false,
): { readonly head: SnapshotHead; readonly body: Uint8Array } {
  requireBytes(bytes);
  return explained(() => {
    const from = new ByteReader(bytes);
    if (bytes.length < magic.length || !magic.every((byte) => from.byte() === byte)) {
      throw new SnapshotError('no-snapshot', 'These bytes are not a snapshot.');
    }
    const version = from.text();
    const isOther = from.text() !== layout();
    if (isOther || (version !== engineVersion && !ofAnyVersion)) {
      const made = version === engineVersion ? `another build of version ${version}` : `version ${version}`;
      const message = `This snapshot was made by ${made} and cannot be read by this build of version ${engineVersion}.`;
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
      throw new SnapshotError('damaged', 'This snapshot is damaged: its checksum is wrong.');
    }
    if (!isDialectName(dialect)) throw new MalformedBytes(`The snapshot has the unknown dialect ${dialect}.`);
    return {
      head: { version, definitionHash, dialect, seed, limits: limitsOf(limits), tick },
      body,
    };
  });
}

/** Throws `SnapshotError` if a snapshot was made with another definition. */
export function requireSameDefinition({ definitionHash: made }: SnapshotHead, definition: Definition): void {
  const hash = definitionHash(definition);
  if (made === hash) return;
  const message = `This snapshot belongs to another definition. The hash of its definition is ${made}; the hash of the given definition is ${hash}.`;
  throw new SnapshotError('other-definition', message);
}

function limitsOf(text: string): Limits {
  const limits: unknown = JSON.parse(text);
  if (!isLimits(limits)) throw new MalformedBytes('The limits in the snapshot are invalid.');
  return limits;
}

/** Decodes and validates the body of a snapshot without changing the game. Throws `SnapshotError`. */
export function readState(body: Uint8Array, { world }: Game, runtime: Runtime): SimulationState {
  return explained(() => {
    const state = decode(simulationState, body, partsOf(world), stateAdapters);
    const sizes = { job: runtime.program.jobCount, body: state.physics.planck.bodies.entity.length };
    const scope = scopeOf(world, state.world, sizes);
    simulationState.check(state, new Checker(scope));
    checkWorld(world, state.world, scope);
    checkPhysics(state.physics, world.limits.contacts);
    return forRuntime(state, runtime);
  });
}

/**
 * Copies the state of a simulation for another one of the same game. The other simulation must take the state before
 * the original changes.
 */
export function copyState(state: SimulationState, { world }: Game, runtime: Runtime): SimulationState {
  return forRuntime(copyOf(simulationState, state, partsOf(world), stateAdapters), runtime);
}

function forRuntime(state: SimulationState, runtime: Runtime): SimulationState {
  const { timers, server } = state.world;
  const { requests } = server;
  // Timers that shared a context or a loop counter before must share it again.
  const contexts = new Map<number, ScriptContext>();
  const rounds = new Map<number, DelayedRounds>();
  timers.heap = timers.heap.map((timer) => {
    const own = contextOf(runtime, timer.state);
    const shared = own.shared === 0 ? own : (contexts.get(own.shared) ?? own);
    contexts.set(own.shared, shared);
    const going = timer.rounds && (rounds.get(timer.rounds.id) ?? { ...timer.rounds });
    if (going !== undefined) rounds.set(going.id, going);
    return { ...timer, state: shared, rounds: going };
  });
  for (const [number, request] of requests) {
    if (request.state !== undefined) requests.set(number, { ...request, state: contextOf(runtime, request.state) });
  }
  return { ...state, inputs: state.inputs.map(copyInput) };
}

/** Fills a new simulation with a state. Statistics restart at zero. */
export function takeState(state: SimulationState, { world, physics }: Game, runtime: Runtime): void {
  restoreWorld(world, state.world);
  restorePhysics(physics, state.physics);
  runtime.counts.fill(0);
  runtime.runs.fill(0);
}

/** Converts any error while reading untrusted bytes into a `SnapshotError`. */
function explained<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SnapshotError || error instanceof UsageError) throw error;
    throw new SnapshotError('malformed', messageOf(error));
  }
}

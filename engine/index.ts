/**
 * The library: everything of the engine that programs may use. `docs/library.md` is the introduction. Our own tools
 * also use `tools.ts`.
 */

// Definitions and their issues.
export type { Issue } from './core/issue.ts';
export { type IssueCode, issueCodes, type Severity } from './core/issue-codes.ts';
export type { Definition } from './definition/definition.ts';
export { type Dialect, type DialectName, dialectNamed, dialects, isDialectName } from './definition/dialect.ts';
export type { HostOperand, HostOperation, HostTrigger, HostType, HostWords } from './definition/host.ts';
export { definitionSchema } from './definition/json-schema.ts';
export { definitionHash } from './sim/definition-hash.ts';
export { type LoadedGame, type LoadResult, loadDefinition } from './sim/load.ts';

// Simulations and their listeners.
export {
  type ForkOptions,
  type RestoreOptions,
  Simulation,
  type SimulationOptions,
  type TriggerObserver,
} from './sim/simulation.ts';
export type { StopListening } from './core/emitter.ts';
export type { ListenerFailure, SimulationEvents } from './sim/listeners.ts';
export { type Phase, phases } from './sim/schedule.ts';
export type { PhaseListener } from './sim/tick.ts';
export { defaultLimits, isLimits, type Limits } from './world/limits.ts';

// Errors for invalid calls.
export { type UsageCode, UsageError, usageCodes } from './core/usage-error.ts';

// Inputs, output events, triggers, and the faults of a game at run time.
export { type Input, isInput, type Refusal } from './sim/input.ts';
export { htmlMembers, type OutputEvent, type OutputKind, outputKinds } from './world/outbox.ts';
export { type Payload, type TriggerType, triggerTypes } from './world/triggers.ts';
export { type Fault, type FaultCode, faultCodes, type SkipCode, skipCodes } from './world/faults.ts';

// Entities of a running game, a view of its whole state, and the editor that changes it.
export { EntityHandle, type HandleSource } from './sim/entity-handle.ts';
export type * from './sim/handle-kinds.ts';
export { EntityReader } from './sim/entity-reader.ts';
export type { ColumnReader, Columns, NumberArray } from './sim/columns.ts';
export type { EntityFilter, PlayerFilter } from './sim/selection.ts';
export type { RayEnd, RayHit } from './sim/ray.ts';
export type { Edit, Editor, Placement } from './sim/editor.ts';
export type { StateView, ValueView } from './sim/view.ts';
export type { Entity } from './world/entity.ts';

// Recordings of games, replays up to any tick, snapshots, and the comparison of two states.
export {
  arrangeJournal,
  type Journal,
  type JournalHead,
  type JournalOptions,
  type JournalRecord,
  type Recorder,
} from './sim/journal.ts';
export { type Divergence, Replay, ReplayError, type ReplayOptions, type ReplayProblem } from './sim/replay.ts';
export { readSnapshot, SnapshotError, type SnapshotHead, type SnapshotProblem } from './sim/snapshot.ts';
export { TooManyBytes } from './core/bytes.ts';
export { type Difference, firstDifference } from './sim/difference.ts';

// Observation of scripts while a game runs: coverage, profiles, event logs.
export {
  actionAt,
  currentLocation,
  listensTo,
  type PlayCounts,
  playCounts,
  type ScriptsOfPlay,
  scriptsIn,
  observeScripts,
} from './sim/inside.ts';
export type { ScriptObserver } from './script/running/context.ts';

// The scripts of a definition as a tree.
export {
  type Action,
  type Block,
  type Call,
  type Condition,
  everyNode,
  literalText,
  type Node,
  type Operand,
  type ScriptNode,
} from './script/ast.ts';

// The words of the script language.
export {
  type Catalogue,
  type CatalogueOperation,
  type CatalogueParam,
  type CatalogueTrigger,
  catalogue,
} from './script/language/catalogue.ts';

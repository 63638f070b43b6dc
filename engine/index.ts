/** What others may use of the engine. */

// A definition.
export { type Issue, Issues } from './core/issue.ts';
export { type IssueCode, issueCodes, type Severity } from './core/issue-codes.ts';
// A simulation.
export { type UsageCode, UsageError, usageCodes } from './core/usage-error.ts';
export type { Definition } from './definition/definition.ts';
// What it is made of, for those who look inside.
export { type Dialect, type DialectName, dialects } from './definition/dialect.ts';
export { definitionSchema } from './definition/json-schema.ts';
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
  type ScriptTree,
} from './script/ast.ts';
export type { ScriptWatcher } from './script/context.ts';
// The language.
export {
  type Catalogue,
  type CatalogueOperation,
  type CatalogueParam,
  type CatalogueTrigger,
  catalogue,
} from './script/language/catalogue.ts';
export { scriptsOf } from './script/language/scripts.ts';
export { vocabulary } from './script/language/vocabulary.ts';
export type { CompiledScript, Program } from './script/program.ts';
export { definitionHash } from './sim/definition-hash.ts';
// The same play again, and any moment of it.
export { type Difference, firstDifference, leavesOf } from './sim/difference.ts';
export { Editor, type Placed } from './sim/editor.ts';
export {
  type AnyHandle,
  DebrisHandle,
  EntityHandle,
  ItemHandle,
  PlayerHandle,
  ProjectileHandle,
  RegionHandle,
  UnitHandle,
} from './sim/handles.ts';
export { type Input, isInput, type Refusal } from './sim/input.ts';
export {
  arrangeJournal,
  type Journal,
  type JournalHead,
  type JournalOptions,
  type JournalRecord,
  Recorder,
} from './sim/journal.ts';
export { checkGame, LoadedGame, type LoadResult, loadDefinition } from './sim/load.ts';
export { type Rates, ratesOf } from './sim/rates.ts';
export { type Divergence, Replay, ReplayError, type ReplayOptions, type ReplayProblem } from './sim/replay.ts';
export { type Phase, phases } from './sim/schedule.ts';
export {
  type ListenerFailure,
  type RestoreOptions,
  Simulation,
  type SimulationEvents,
  type SimulationOptions,
  type Which,
} from './sim/simulation.ts';
export { readSnapshot, SnapshotError, type SnapshotHead, type SnapshotProblem } from './sim/snapshot.ts';
export type { PhaseListener } from './sim/tick.ts';
export { type StateView, type ValueView, viewIdentity, viewState, viewValue } from './sim/view.ts';
export { type Entity, EntityRef, Kind, noEntity, rowOf } from './world/entity.ts';
export { type Fault, type FaultCode, faultCodes, type SkipCode, skipCodes } from './world/faults.ts';
export { defaultLimits, isLimits, type Limits } from './world/limits.ts';
export { type OutputEvent, type OutputKind, outputKinds } from './world/outbox.ts';
export { type Payload, type TriggerType, triggerIndex, triggers, triggerTypes } from './world/triggers.ts';
export { typeOf } from './world/types.ts';
export type { TriggerObserver, World } from './world/world.ts';

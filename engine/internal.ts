/** The parts of the inside that our own tools and tests need. It changes with the inside; programs use `index.ts`. */

export { Buffs } from './components/buffs.ts';
export { Abilities, Casting } from './components/casting.ts';
export { Issues } from './core/issue.ts';
export { headsOf } from './definition/heads.ts';
export { isKey, keyNames, keysNear } from './definition/keys.ts';
export type { Outline } from './definition/outline.ts';
export { dataTypes } from './definition/plausibility.ts';
export { projectileTypesOf } from './definition/projectile-types.ts';
// Older spellings in a document.
export { spellingsOf } from './definition/read-definition.ts';
export type { Spelling } from './definition/reader.ts';
export { definitionReferences } from './definition/references.ts';
export { pixelsPerMetre } from './physics/planck.ts';
export { walkingSpeed } from './rules/control/motion.ts';
export { attributeRow } from './rules/entities/attribute.ts';
export { scaleBody } from './rules/entities/state.ts';
export { itemDescription } from './rules/items/item-settings.ts';
export { quantityPerUse } from './rules/items/use-attempt.ts';
export { maySpeak } from './rules/players/chat.ts';
// The map as it is now.
export { mergeSaved } from './rules/players/merge-saved.ts';
export { mapJson } from './rules/world/map.ts';
export { nodeAt, type Reference } from './script/ast.ts';
export { operandTypes } from './script/check-kinds.ts';
export type { ScriptContext } from './script/context.ts';
export {
  assignmentsBy,
  attributesChangedBy,
  changesOf,
  creationsBy,
  mayCause,
  nameIn,
  typesGivenBy,
  variableReadBy,
  variablesWrittenBy,
} from './script/effect-queries.ts';
export { type Aspect, type Consequence, type Effect, implied } from './script/effects.ts';
export { scriptsOf } from './script/language/scripts.ts';
export { vocabulary } from './script/language/vocabulary.ts';
export { type OpRow, statusOf } from './script/op.ts';

export type { CompiledScript, Program } from './script/program.ts';
export { declarationsOf } from './script/references.ts';
export { scriptReferences } from './script/script-references.ts';
export type { ScriptTree } from './script/script-tree.ts';
export { ValueTypes } from './script/value-types.ts';
export { leavesOf } from './sim/difference.ts';
export { EntityHandle } from './sim/entity-handle.ts';
export { refusalCodes } from './sim/input.ts';
// The parts behind a simulation and a loaded game.
export {
  actionsOfTick,
  awaitsSavedData,
  entityVariable,
  firedCount,
  globalValue,
  inputUnchecked,
  isRemembered,
  mapOf,
  persistentTexts,
  personOf,
  postedCount,
  rememberedType,
  scriptRuns,
  spectatorRefusal,
  statesOf,
  timersOf,
  valueWithHandles,
} from './sim/inside.ts';
export { type GamePrograms, programsOfGame } from './sim/load.ts';
export { loadOutlined, outlineOf } from './sim/outline.ts';
export { type Rates, ratesOf } from './sim/rates.ts';
export { type HostOptions, type Internals, internalsOf } from './sim/simulation.ts';
export { type TickTracer, trace } from './sim/trace.ts';
export { drawnHeight, drawnWidth, viewIdentity, viewState, viewValue } from './sim/view.ts';
export { EntityRef, Kind, noEntity, rowOf } from './world/entity.ts';
export { outputMembers } from './world/outbox.ts';
export { triggerIndex, triggers } from './world/triggers.ts';
export { type RuntimeType, typeOf } from './world/types.ts';
export type { World } from './world/world.ts';

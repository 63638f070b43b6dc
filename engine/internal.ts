/** The parts of the inside that our own tools and tests need. It changes with the inside; programs use `index.ts`. */

export { Buffs } from './components/buffs.ts';
export { Abilities, Casting } from './components/casting.ts';
export { Issues } from './core/issue.ts';
export type { Ability, Binding, Cost, KeyBinding } from './definition/ability.ts';
export type { Amounts, AttributeDefinition } from './definition/attribute.ts';
export type { BodyType, State } from './definition/body.ts';
export { colourMeant, colourNames, isColour } from './definition/colour.ts';
export { headsOf } from './definition/heads.ts';
export type { ItemType } from './definition/item.ts';
export { isKey, keyNames, keysNear } from './definition/keys.ts';
export type { Price } from './definition/price.ts';
export type { ProjectileType } from './definition/projectile.ts';
export { projectileTypesOf } from './definition/projectile-types.ts';
// The document of a definition, and its older spellings.
export { givenPointer, spellingsOf } from './definition/read-definition.ts';
export type { Spelling } from './definition/reader.ts';
export { definitionReferences } from './definition/references.ts';
export { guestUsers, loggedInUsers } from './definition/role.ts';
export type { Shop, ShopItem, ShopUnit } from './definition/shop.ts';
export type { AI, UnitType } from './definition/unit.ts';
export { dataTypes, type VariableDefinition } from './definition/variable.ts';
export { pixelsPerMetre } from './physics/scale.ts';
export { wallCellsOf } from './physics/walls.ts';
export { buffEnd } from './rules/combat/buff.ts';
export { damage } from './rules/combat/damage.ts';
export { casting } from './rules/control/ability.ts';
export { isWalkingKey } from './rules/control/control.ts';
export { walkingSpeed } from './rules/control/motion.ts';
export { type Aspect, type Consequence, type Effect, implied, type Read, type Rule } from './rules/effects.ts';
export { attributeRow, regeneration } from './rules/entities/attribute.ts';
export { scaleBody } from './rules/entities/state.ts';
export { itemDescription } from './rules/items/item-settings.ts';
export { itemUse, quantityPerUse } from './rules/items/use-attempt.ts';
export { maySpeak } from './rules/players/chat.ts';
// The map as it is now.
export { mergeSaved } from './rules/players/merge-saved.ts';
export { itemPurchase, unitPurchase } from './rules/players/shop.ts';
export { mapJson } from './rules/world/map.ts';
export { rules } from './rules/world/rules.ts';
export { type Calculation, nodeAt, type Reference } from './script/ast.ts';
export type { Vocabulary } from './script/compiler.ts';
export type { ScriptContext } from './script/context.ts';
export {
  type Assignment,
  assignmentsBy,
  attributesChangedBy,
  changesOf,
  creationsBy,
  isAbsentIn,
  loopOf,
  mayCause,
  nameIn,
  readOf,
  rulesCausing,
  typesGivenBy,
  variableReadBy,
  variablesWrittenBy,
} from './script/effect-queries.ts';
export { scriptsOf } from './script/language/scripts.ts';
export { vocabulary } from './script/language/vocabulary.ts';
export { type OpRow, statusOf } from './script/op.ts';

export type { Params } from './script/param-kind.ts';
export { descriptorKey, descriptorKeyNode } from './script/params.ts';
export type { CompiledScript, Program, ScriptSet } from './script/program.ts';
export { declarationsOf, References } from './script/references.ts';
export type { ScriptTree } from './script/script-tree.ts';
export { type BasicType, basicTypeOf, type EntityTypes, referenceOfType, ValueTypes } from './script/value-types.ts';
export { toNumber, toPoint } from './script/values.ts';
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
export { type GamePrograms, programsOfGame, requireLoaded } from './sim/load.ts';
export { type Rates, ratesOf } from './sim/rates.ts';
export { type HostOptions, type Internals, internalsOf } from './sim/simulation.ts';
export { type TickTracer, trace } from './sim/trace.ts';
export { drawnHeight, drawnWidth, viewIdentity, viewState, viewValue } from './sim/view.ts';
export { EntityRef, Kind, noEntity, rowOf } from './world/entity.ts';
export { outputMembers } from './world/outbox.ts';
export { type PayloadKey, triggerIndex, triggers } from './world/triggers.ts';
export { type RuntimeType, typeOf } from './world/types.ts';
export type { World } from './world/world.ts';

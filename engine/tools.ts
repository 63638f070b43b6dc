/**
 * The internals of the engine that the tools of this project need in addition to `index.ts`. These exports change
 * whenever the internals change, so programs must not use them. The comment above each group says why tools may use the
 * group. Code that only one tool needs, and that contains no rule of the game, belongs in that tool.
 */

// The parts behind a simulation: tools that run in every tick read live state, because views and handles copy it.
export {
  actionsOfTick,
  decodePayload,
  entityVariable,
  firedCount,
  globalValue,
  applyEdit,
  inputUnchecked,
  isRemembered,
  mapOf,
  persistentTexts,
  personOf,
  rememberedType,
  spectatorRefusal,
  statesOf,
  timersOf,
  valueWithHandles,
} from './sim/inside.ts';
export { copyInput } from './sim/input-copy.ts';
export { LoadedGame, programsOfGame, requireLoaded } from './sim/load.ts';
export { type HostOptions, type Internals, internalsOf } from './sim/simulation.ts';
export { EntityRef, Kind, noEntity, rowOf } from './world/entity.ts';
export { type RuntimeType, typeOf } from './world/types.ts';
export type { World } from './world/world.ts';

// Records of journals are untrusted until they are checked.
export { isEdit } from './sim/editor.ts';

// The steps within a tick, and why an input is refused: `why` and the debugger stop between two actions.
export { leavesOf } from './sim/difference.ts';
export { refusalCodes } from './sim/input.ts';
export { type Rates, ratesOf } from './sim/rates.ts';
export { type TickTracer, trace } from './sim/trace.ts';

// The state that clients see: the protocols of the server send it as numbers, without the copies of a view.
export { pixelsPerMetre } from './physics/scale.ts';
export { walkingSpeed } from './rules/control/motion.ts';
export { itemDescription } from './rules/items/item-settings.ts';
export { quantityPerUse } from './rules/items/use-attempt.ts';
export { needsAccount, needsOwnAddress } from './rules/players/admission.ts';
export { maySpeak } from './rules/players/chat.ts';
export { shopOffers } from './rules/players/shop.ts';
export { mapJson } from './rules/world/map.ts';
export { drawnHeight, drawnWidth, viewIdentity, viewValue } from './sim/view.ts';

// Parts of rules that hosts must follow exactly: client-side prediction builds a world with a single unit, and a store
// adds entries to saved data.
export { Buffs } from './components/buffs.ts';
export { Page } from './components/page.ts';
export { PersistenceLoaded } from './components/persistence.ts';
export { Abilities, Casting } from './components/casting.ts';
export { attributeRow } from './rules/entities/attribute.ts';
export { scaleBody } from './rules/entities/state.ts';

// The types of the parts of a definition: checks and reports read whole parts.
export type { Ability, Cost, KeyBinding } from './definition/ability.ts';
export type { AttributeDefinition } from './definition/attribute.ts';
export type { BodyType } from './definition/body.ts';
export type { ItemType } from './definition/item.ts';
export type { Price, Requirement } from './definition/price.ts';
export type { ProjectileType } from './definition/projectile.ts';
export { projectileTypesOf, typesByKind } from './definition/projectile-types.ts';
export type { Shop, ShopItem, ShopUnit } from './definition/shop.ts';
export type { UnitType } from './definition/unit.ts';
export type { VariableDefinition } from './definition/variable.ts';

// The words that a definition and its scripts may contain: checks, fixes and completion must know exactly the words
// that the engine reads.
export { colourMeant, colourNames, isColour } from './definition/colour.ts';
export { isKey, keyNames, keysNear } from './definition/keys.ts';
export { documentOf, givenPointer, readDefinition, spellingsOf } from './definition/read-definition.ts';
export type { Spelling } from './definition/reader.ts';
export { definitionReferences } from './definition/references.ts';
export { dataTypes } from './definition/variable.ts';
export { isWalkingKey, walkingKeys } from './definition/walking-keys.ts';
export { wallCellsOf } from './physics/walls.ts';
export { kindOf } from './definition/host.ts';
export { vocabularyOf } from './script/language/host.ts';
export { vocabulary } from './script/language/vocabulary.ts';
export { type OpRow, statusOf } from './script/op.ts';
export { outputMembers } from './world/outbox.ts';
export { type PayloadKey, type TriggerTable, triggersOf } from './world/triggers.ts';

// The effects of actions and rules: `src/model` answers questions about a game from the declared effects, never from
// the names of operations.
export {
  type Aspect,
  type Consequence,
  type CreatedKind,
  type Effect,
  implied,
  type Read,
  type Rule,
  type Selection,
} from './rules/effects.ts';
export { rules } from './rules/world/rules.ts';
export { buffEnd } from './rules/combat/buff.ts';
export { damage } from './rules/combat/damage.ts';
export { casting } from './rules/control/ability.ts';
export { regeneration } from './rules/entities/attribute.ts';
export { itemUse } from './rules/items/use-attempt.ts';
export { itemPurchase, unitPurchase } from './rules/players/shop.ts';

// Scripts as trees and as programs: tools name the same source locations as faults, profiles and coverage.
export { type Grammar, memberText, nodeAt, readOperand, type Reference } from './script/ast.ts';
export type { ScriptContext } from './script/running/context.ts';
export { keepScripts, scriptsOf } from './script/language/scripts.ts';
export { descriptorKey, descriptorKeyNode } from './script/params.ts';
export type { CompiledScript, Program } from './script/program.ts';
export { declarationsOf, References } from './script/references.ts';
export type { Point } from './components/point.ts';
export { toNumber, toPoint } from './script/running/value.ts';

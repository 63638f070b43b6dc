import { cached } from '../core/cached.ts';
import { unknownWord } from '../core/usage-error.ts';

/**
 * The differences between the specification and the reference engine. Each difference is true in `standard` and false
 * in `moddio`, and is named after the behaviour in `standard`. Both dialects are needed, because existing games were
 * tuned on the reference. Differences are read when a dialect is applied (`apply-dialect.ts`), when rules are chosen
 * (`rules/dialect/choose.ts`) and when scripts are compiled, never during a tick. `docs/semantics` describes both sides
 * of each difference.
 */
const differences = [
  /** A script runs only if its `conditions` hold. The reference ignores them. */
  'scriptConditions',
  /**
   * Each tick adds `regenerateSpeed` divided by the tick rate. The reference adds the whole value at each pulse
   * (reference: tick#regeneration).
   */
  'regeneratesPerSecond',
  /**
   * `frameRate` is the rate of everything: 1 to 240, default 60. In the reference, `frameRate` is the rate of physics
   * and `engineTickRate` the rate of scripts; both are 20 to 60, default 20.
   */
  'singleTickRate',
  /**
   * Both operands of a comparison are converted to `operandType`, and `!=` is the exact negation of `==`. In the
   * reference, operands are not converted to `operandType`, and `!=` is not the negation of `==` (reference:
   * conditions#equality).
   */
  'typedEquality',
  /** `entityTypeVariables` and `playerTypeVariables` are added to every type. The reference ignores them. */
  'sharedTypeVariables',
  /** `destroyOnContactWith` has an effect. The reference of 2024 ignores it (reference: physics#destroy-on-contact). */
  'destroysOnContact',
  /**
   * The legacy map `abilities` of a unit type binds keys, and an ability that the game does not define runs the
   * built-in ability of that name. The reference of 2024 ignores the map and has no built-in abilities.
   */
  'legacyBindings',
  /**
   * Objects in the map's layer `debris` have bodies, as in the reference of 2022. The reference of 2024 ignores them.
   */
  'debris',
  /** A new item may get some of the buffs that its type lists, at random. The reference ignores these lists. */
  'itemsRollBuffs',
  /**
   * Fields of the specification that the reference never reads have the effect that their names suggest. For fields of
   * types, `apply-dialect.ts` lists them in `withoutDormantFields` and the functions beside it; rules check this
   * difference before they read any other such field.
   */
  'unreadFieldsTakeEffect',
  /**
   * `stringContains` tests whether a string contains another. In the reference, `stringContains` is always false, and
   * `subString` is the test.
   */
  'stringContains',
  /**
   * A `break` in `repeatWithDelay` ends the loop. In the reference, a `break` only ends the current iteration
   * (reference: control-flow#break-and-return).
   */
  'breakEndsDelayedRepeat',
  /**
   * Numeric strings count as numbers when they are added to variables or life spans, as goals of quests, and in edits
   * of tiles. In the reference, added strings are concatenated, no numeric progress equals a goal that is a string, and
   * an edit with a string among its numbers does nothing (reference: variables#adding, tick#destruction,
   * operations#setquestprogress).
   */
  'numericTextAdds',
  /**
   * A `return` in `repeat`, `while`, `for` and `forIn` ends the script. In the reference, a `return` ends only the loop
   * (reference: control-flow#break-and-return).
   */
  'returnEndsScript',
  /**
   * Delayed actions see the loop variables as they were when the actions were scheduled. In the reference, delayed
   * actions see the current values of the loop variables (reference: control-flow#delays).
   */
  'delaysKeepLoopVariables',
  /**
   * A variable of an entity or player starts with its default even if the default is a number written as a string, or a
   * string written as a number. In the reference, such a variable starts without a value.
   */
  'typeDefaultsAreConverted',
  /**
   * Key bindings and abilities without a `cost` run. In the reference, they never run (reference:
   * units#legacy-abilities).
   */
  'bindingsNeedNoCost',
  /**
   * When a timed buff ends, the value that it added is subtracted, and all buffs that end at the same time end in the
   * same tick. In the reference, ending a buff only limits the value to the lower maximum, and the buff that follows an
   * ended one ends one tick later (reference: units#timed-buffs).
   */
  'buffsRevert',
  /**
   * After a unit changes its type, no attribute is above its maximum and bonuses are applied once. In the reference, an
   * attribute can exceed its maximum, and a bonus can be applied twice (reference: units#type-changes).
   */
  'typeChangesClamp',
  /**
   * The x component of a relative force pushes the entity to its right, and the y component pushes it backwards. In the
   * reference, the sum of both pushes the entity in the direction that it faces (reference: physics#forces).
   */
  'relativeForcesRotate',
  /**
   * `startCastingAbility` and `stopCastingAbility` evaluate their operands like other actions, and an ability already
   * counts as active while its start script runs. In the reference, the operands are evaluated without the payload and
   * the loop variables, and the ability becomes active after its start script.
   */
  'castingEvaluatesOperands',
  /**
   * Camera-relative movement is slowed only if two movement keys are pressed. In the reference, movement is slowed
   * whenever both components of the direction differ from 0 (reference: units#keys).
   */
  'diagonalNeedsTwoKeys',
  /**
   * `playerPurchasesItem` fires only for successful purchases. In the reference, it also fires for most refused
   * purchases (reference: units#shop).
   */
  'purchaseFiresOnSuccessOnly',
  /** A buyer needs all item types that an offer requires. In the reference, only the last listed type counts. */
  'offersNeedAllItems',
  /**
   * Resizing a region also resizes its body, which decides about contacts, overlaps and bounds. In the reference, the
   * body keeps its initial size (reference: physics#regions).
   */
  'regionsResizeBoxes',
  /**
   * Each entity is updated once per tick. In the reference, an entity that removes older ones during its update is
   * updated again (reference: tick#destruction).
   */
  'entitiesUpdateOncePerTick',
  /**
   * `replaceValuesInString` takes search string and replacement literally. In the reference, the two are a regular
   * expression and a replacement pattern.
   */
  'replaceIsLiteral',
  /**
   * Area queries test the exact shapes of bodies. The reference tests bounding boxes, enlarged by a few pixels
   * (reference: physics#area-queries).
   */
  'areaQueriesTestShapes',
  /**
   * `createItemAtPositionWithQuantity` creates the item at the position, slightly turned. In the reference, the item is
   * created at 0, 0, with the angle 0.
   */
  'quantityItemsHavePosition',
  /** `areEntitiesTouching` works. In the reference, the function is always false. */
  'touchingWorks',
  /**
   * `getLastChatMessageSentByPlayer` is the last message of that player. In the reference, it is the last message of
   * any player.
   */
  'lastChatMessageIsPerPlayer',
  /**
   * Removing a member from a group removes every occurrence. The reference skips the element that follows a removed one
   * (reference: variables#groups).
   */
  'groupsRemoveEveryMember',
  /**
   * `rotateUnitClockwise` and `rotateUnitCounterClockwise` add to the torque of the step. In the reference, they
   * replace the torque.
   */
  'torqueAdds',
  /**
   * `addStringElement` converts values to strings, and also stores "". The reference does not convert values, and
   * ignores falsy values.
   */
  'storesEmptyStrings',
  /** `dropItemAtPosition` works for all item types. In the reference, it works only for item types with `controls`. */
  'dropNeedsNoControls',
  /**
   * `unitIsInRegion` and `itemIsInRegion` accept region entities and the entire map, too. The reference accepts only
   * plain regions (rectangles) (reference: variables#regions).
   */
  'inRegionKnowsRegionEntities',
  /** A game without an owner has no creator. In the reference, every guest counts as the creator of such a game. */
  'ownerlessGamesHaveNoCreator',
  /** `getPlayTimeOfPlayer` is the time since the player joined. In the reference, that time is negative. */
  'playTimeCountsUp',
  /**
   * A position without two valid numbers is undefined. In the reference its coordinates are NaN, and entities created
   * there are placed at 0.
   */
  'pointsNeedNumbers',
  /**
   * A global number variable whose default is a numeric string starts as that number; a global string variable whose
   * default is a number starts as the string of that number. In the reference, both start with the value as it is
   * written.
   */
  'globalDefaultsAreConverted',
  /**
   * Contacts of one body that begin in the same step are reported in the order in which their shapes were created. In
   * the reference, they are reported in the order of planck's tree.
   */
  'contactsInCreationOrder',
  /**
   * A player must have the price of a unit, and requirements that are bare numbers are ignored. The reference swaps the
   * two checks: the price is charged, but the player need not be able to afford it (reference: units#buying-units).
   */
  'unitPricesAreRequired',
  /**
   * The scripts that run for a contact have separate payloads. In the reference, global scripts and scripts of the
   * entity share one payload (reference: control-flow#payloads).
   */
  'contactScriptsOwnPayloads',
  /**
   * `ThisItemsQuantityBecomesZero` fires before an empty item is removed. In the reference, it fires after the removal.
   */
  'emptyItemFiresBeforeRemoval',
  /**
   * When an item is removed, the bonuses that it gave are subtracted. In the reference, the bonuses that its type lists
   * are subtracted (reference: items-projectiles#passive-bonuses).
   */
  'itemsRevertOwnBonuses',
  /**
   * A refused swap of two slots changes nothing. In the reference the items still get each other's slot numbers
   * (reference: players#swapping-slots).
   */
  'refusedSwapsDoNothing',
  /**
   * Gravity does not move sensors. In the reference, sensors fall in each step and are then moved back, which changes
   * the order of contacts (reference: physics#sensors).
   */
  'sensorsIgnoreGravity',
  /** Resting bodies with `allowSleep` fall asleep. In the reference, only walls fall asleep. */
  'restingBodiesSleep',
  /**
   * An entity whose life span ends is destroyed like any other. In the reference, an expired unit stays in its owner's
   * list of units, and the items that it carries survive (reference: tick#destruction).
   */
  'expiryCleansUp',
  /**
   * Destroying an entity that is already being destroyed does nothing. In the reference, the last scripts of the entity
   * run again (reference: creation#destruction).
   */
  'entitiesAreDestroyedOnce',
  /**
   * A `break` ends only the enclosing loop. In the reference, a `break` sets a flag that also ends the next iteration
   * of any other loop in the same script run (reference: control-flow#break-and-return).
   */
  'breaksDoNotLeak',
  /**
   * Each `repeatWithDelay` counts its own iterations. In the reference, all `repeatWithDelay` actions of one action
   * list share body, counter and delay (reference: control-flow#delays).
   */
  'delayedRepeatsAreIndependent',
  /**
   * If scripts move an entity several times before the next physics update, the last position counts. In the reference,
   * the first position counts (reference: tick#physics-update).
   */
  'lastTeleportWins',
  /**
   * `thisItemIsPickedUp` fires for every pick-up. In the reference, it fires only if the item was merged into a stack
   * (reference: creation#giving-items).
   */
  'pickUpsFireOnItem',
  /**
   * `questAdded` and `questRemoved` also fire on the player's selected unit. In the reference, they fire only globally.
   */
  'questsFireOnUnit',
  /**
   * Each bot has its own client id. In the reference, all bots share one id: no bot can be kicked, and removing one bot
   * from a group removes all of them (reference: players#kinds).
   */
  'botsHaveOwnClientIds',
  /**
   * Scripts can clear a region variable of an entity or player. In the reference, doing so is an error (reference:
   * variables#checked-writes).
   */
  'regionVariablesCanBeCleared',
  /**
   * `centerOfRegion` and the functions for coordinates and sizes of regions accept plain regions (rectangles). In the
   * reference, these functions fail for plain regions (reference: variables#regions).
   */
  'plainRegionsHaveGeometry',
  /**
   * The body of a region is rebuilt only if its rectangle changes. In the reference it is also rebuilt if the colour
   * changes, or if the same rectangle is set again.
   */
  'regionsRebuildOnChange',
  /**
   * Each request for a body builds it once. In the reference some bodies are built, destroyed and rebuilt in one
   * update, which changes the order of contacts (reference: physics#bodies).
   */
  'bodiesAreBuiltOnce',
  /**
   * When a unit changes its type, its sensor changes, and its AI is removed if the new type has none. In the reference,
   * the sensor stays, and the AI also stays if the new type has none (reference: units#type-changes).
   */
  'aiFollowsType',
  /**
   * When the health of a unit becomes 0, its attackers stop in the order of their age. In the reference, they stop in
   * the order in which they first targeted the unit, and the defeated unit also loses its own target (reference:
   * units#death).
   */
  'attackersStopByAge',
  /**
   * A sensor whose radius becomes 0 detects nothing until it gets another radius. In the reference, such a sensor only
   * loses its body, and the next event that rebuilds the body, such as the start of a chase, restores the previous
   * radius at the old position (reference: physics#sensors).
   */
  'zeroRadiusSensorsStayOff',
  /**
   * A state whose `body` is not among the type's `bodies` has no body. In the reference, units and projectiles then
   * keep their current body. Likewise, a unit that changes to a type without states, or whose state names no body,
   * keeps its previous body in the reference (reference: units#states).
   */
  'unknownBodyMeansNoBody',
  /**
   * A hidden unit has no body. In the reference, a change of its state or type gives it a body, and other entities
   * collide with it (reference: units#visibility).
   */
  'hiddenUnitsStayBodiless',
  /**
   * Of two opposite movement keys, the one pressed last counts. In the reference, they cancel each other out, except
   * that from the press of the second key until the next key event, the second key counts (reference: units#keys).
   */
  'lastKeyWins',
  /**
   * When a player selects another unit, the keys that the player holds are released first. In the reference, the
   * previous unit continues as if they were still held (reference: players#selection).
   */
  'selectionReleasesKeys',
  /**
   * Stacks of a type without `canMerge` merge. In the reference, they do not: the new item takes the slot of the old
   * one, which is then carried without a slot (reference: items-projectiles#slots).
   */
  'stacksMergeByDefault',
  /**
   * Scaling an entity whose body is not built yet takes effect when the body is built. In the reference, it takes
   * effect only the next time the body is rebuilt (reference: physics#scaling).
   */
  'scaleAppliesToUnbuiltBodies',
  /**
   * A unit whose type has no AI ignores orders, and `changeSensorRadius` creates a sensor for it. In the reference, the
   * unit gets no sensor, but obeys orders to walk and to rest (reference: units#ai-states).
   */
  'ordersNeedAi',
  /**
   * A dropped item keeps the angle at which it was held. In the reference, the angle becomes 0, unless the item was
   * welded to the unit or faced the mouse (reference: items-projectiles#holding).
   */
  'dropsKeepHeldAngle',
  /**
   * The position and angle of a body keep full precision. In the reference each update converts them to pixels and
   * back, which rounds them (reference: tick#physics-update).
   */
  'bodiesKeepPrecision',
  /**
   * Attributes of players are clamped to their bounds at the start. In the reference they start with the value of the
   * player type (reference: players#player-types).
   */
  'playersStartWithinBounds',
  /**
   * There are no walls outside the map. In the reference, a position right of the map is looked up as a tile of the
   * next row, and column and row 0 have no walls.
   */
  'wallsEndAtMapEdge',
  /**
   * Setting an attribute to a value that is not a number does nothing. In the reference the attribute becomes NaN.
   */
  'attributesStayNumbers',
  /**
   * A value function without a valid answer returns undefined, for example for an entity of another kind, an empty
   * group, or an angle that is too small to round. In the reference, many functions read a member of the operand
   * without checking it, and return the value of the member, or fail (reference: operations#other-kinds).
   */
  'queriesCheckOperands',
  /**
   * Coordinates and sizes that are numeric strings are converted to numbers, and a rectangle must have a positive size.
   * In the reference strings are concatenated, and any size is accepted (reference: operations#rectangles).
   */
  'rectanglesAreValidated',
  /**
   * `resetEntity` clamps attributes to their current bounds. In the reference, attributes are clamped to the bounds of
   * the type, even if scripts have changed the bounds (reference: operations#resetentity).
   */
  'resetUsesCurrentBounds',
  /**
   * Paths found by `a*` stay on the map, are searched again only if that can help, and do not overwrite the result of
   * the last raycast. Scripts that run when no path is found can give new orders. In the reference, paths can leave the
   * map, are searched again without need, and overwrite that result, and new orders of these scripts are overwritten
   * (reference: units#path-finding).
   */
  'pathFindingIsSound',
  /**
   * `kickPlayer` removes the player immediately. In the reference, the connection closes 1 ms later, and the script
   * continues with the player still in the game (reference: operations#kickplayer).
   */
  'kicksAreImmediate',
  /**
   * `forIn` walks the current value of a variable. In the reference, it walks the variable's default if the value is
   * falsy, such as "" (reference: operations#forin).
   */
  'forInWalksEmptyValues',
  /**
   * Before the first raycast, `entitiesCollidingWithLastRaycast` is an empty list. In the reference, it is undefined.
   */
  'noRaycastIsEmptyList',
  /**
   * The size of an entity comes from its current state. In the reference, an entity has the size of the last body that
   * it was given, or 40 px if it never had one (reference: physics#sizes).
   */
  'statesGiveSizes',
  /**
   * If an item's type lacks the required state, the most similar one is used. In the reference, the state named
   * `dropped` is used, or no state, and an item lies in the world only if the key of its state is `dropped` (reference:
   * items-projectiles#item-states).
   */
  'itemsFallBackToNearestState',
  /**
   * Saving a player leaves attributes alone. In the reference, saving removes the bonuses of the player's items and
   * adds them again (reference: players#persistence).
   */
  'savingKeepsBonuses',
  /**
   * Helper variables of an action are local to it. In the reference, the whole action list shares some of them
   * (reference: control-flow#action-lists).
   */
  'helperVariablesAreScoped',
  /**
   * Flags that are written as numbers or strings are converted to booleans, a life span of "" counts as absent, and
   * numeric strings are numbers everywhere. In the reference, the result depends on the code that reads the value
   * (reference: in-the-wild#flags).
   */
  'flagsAreCoerced',
  /**
   * An operand `entity` that fails ends only its action. In the reference, it also ends the whole action list and the
   * action that contains that list (reference: control-flow#action-lists).
   */
  'failedEntityEndsActionOnly',
  /**
   * Actions and triggers of the specification work even where the reference of 2024 lacks them. In the reference, these
   * actions and triggers do nothing (reference: control-flow#gaps).
   */
  'nonReferenceOperationsWork',
  /**
   * A unit under AI immediately loses a target that becomes hidden. In the reference, the unit notices this only in its
   * own turn, in which it still acts on the target (reference: units#ai-states).
   */
  'hiddenTargetsAreDroppedAtOnce',
  /**
   * A missing `maxAttackRange` counts as 0. In the reference, every comparison with a missing range is false: no target
   * is within the range, and none is beyond it (reference: units#ai).
   */
  'absentAttackRangeIsZero',
  /**
   * Blank chat messages are refused, and a player's first message counts for the limit above which players are muted.
   * In the reference, blank messages are accepted, and the first message does not count (reference: players#chat).
   */
  'chatIsStrict',
  /**
   * Groups in variables omit entities destroyed in earlier ticks. In the reference, groups keep them, and scripts can
   * still read them (reference: variables#groups).
   */
  'groupsForgetDestroyed',
  /**
   * Actions on name labels and visibility do not change the name of the unit. In the reference, the name becomes "true"
   * or "false" (reference: units#effects).
   */
  'labelsKeepNames',
  /**
   * After a change of type, variables have the data types and defaults of the new type. In the reference, variables
   * that the former type also has keep the former definition, and cleared variables get its default again, which is not
   * checked for players (reference: variables#type-changes).
   */
  'typeChangesRedefineVariables',
  /**
   * Opening a shop that does not exist changes nothing, and neither does offering an item that its shop does not sell.
   * In the reference, the player's later purchases are made in that shop (reference: operations#openshopforplayer).
   */
  'shopsMustExist',
  /**
   * `getUnitData` and `getPlayerData` contain values, bounds and rates of attributes, and values of variables. In the
   * reference, they also contain all other fields of their definitions (reference: players#persistence).
   */
  'dataIsPlain',
  /**
   * An action that names a player, unit or item does not clear the name if the new name has no value. In the reference,
   * the action clears the name (reference: units#ownership).
   */
  'namesNeedValues',
  /**
   * After a change to a type with fewer slots, items without a slot move to a free one or are dropped. In the
   * reference, these items stay: the unit can still hold the first of them, and the others reappear if the unit changes
   * back to its former type (reference: units#type-changes).
   */
  'typeChangesEmptyLostSlots',
  /**
   * Changing a unit or player to a type that does not exist changes nothing. In the reference, the unit or player then
   * reports that key as its type, and keeps everything else (reference: units#type-changes).
   */
  'typesMustExist',
  /**
   * The use of an item has no effect if the scripts of the use destroy the user. In the reference, the use still has an
   * effect (reference: items-projectiles#use).
   */
  'usersMustSurvive',
  /**
   * A body cannot be scaled by less than 0. In the reference, a body with a negative scale touches nothing, because its
   * shape is inside out (reference: physics#scaling).
   */
  'scalesArePositive',
  /**
   * Roles, the flags for guests, the player limit and bans are enforced when a player joins. The reference leaves them
   * to its host.
   */
  'enforceJoinRules',
] as const;

type Difference = (typeof differences)[number];

type BaseName = 'standard' | 'moddio';

/**
 * `moddio except lastKeyWins, dropsKeepHeldAngle` is the dialect `moddio` in which these two differences are as in
 * `standard`. `standard except …` is the opposite.
 */
export type DialectName = BaseName | `${BaseName} except ${string}`;

export type Dialect = { readonly name: DialectName } & Readonly<Record<Difference, boolean>>;

/** Cached by name, because dialects are compared by identity. */
const known = new Map<string, Dialect>();

function dialect(base: BaseName, except: readonly string[] = []): Dialect {
  const excepted = differences.filter((difference) => except.includes(difference));
  const name: DialectName = excepted.length === 0 ? base : `${base} except ${excepted.join(', ')}`;
  return cached(known, name, () => {
    const held = differences.map((each) => [each, (base === 'standard') !== excepted.includes(each)] as const);
    return Object.freeze({ name, ...(Object.fromEntries(held) as Record<Difference, boolean>) });
  });
}

export const dialects = { standard: dialect('standard'), moddio: dialect('moddio') } as const;

export function isDialectName(name: unknown): name is DialectName {
  try {
    dialectNamed(name);
    return true;
  } catch {
    return false;
  }
}

/** Parses the name of a dialect. The result's own name lists the exceptions in canonical order. Throws `UsageError`. */
export function dialectNamed(name: unknown): Dialect {
  const [base, list, ...rest] = typeof name === 'string' ? name.split(' except ') : [];
  if (base === undefined || !Object.hasOwn(dialects, base) || rest.length > 0) {
    throw unknownWord('unknown-dialect', 'dialect', base ?? name, Object.keys(dialects));
  }
  if (list === undefined) return dialects[base as BaseName];
  const except = list.split(',').map((word) => word.trim());
  const wrong = except.find((word) => !(differences as readonly string[]).includes(word));
  if (wrong !== undefined) throw unknownWord('unknown-difference', 'dialect difference called', wrong, differences);
  return dialect(base as BaseName, except);
}

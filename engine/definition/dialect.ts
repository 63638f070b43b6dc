import { unknownWord } from '../core/usage-error.ts';

/**
 * The differences between the specification and the reference engines: each is true in `standard` and false in `moddio`. Both dialects are needed because
 * real games were tuned on the reference. A difference is consulted only when a dialect is applied (`apply-dialect.ts`), when rules are chosen
 * (`rules/dialect/choose.ts`) and when scripts are compiled, never while a game runs. `docs/semantics` describes both sides of each.
 */
const standard = {
  /** Script-level `conditions` gate the script. */
  scriptConditions: true,
  /** `regenerateSpeed` / rate is added at every tick. In the reference, the whole value at the pulse times (reference: tick#regeneration). */
  regeneratesPerSecond: true,
  /** `frameRate` drives everything, 1..240, default 60. In the reference it drives physics, and `engineTickRate` scripts, both 20..60, default 20. */
  singleTickRate: true,
  /** Both sides are coerced to `operandType`, and `!=` is the exact negation of `==`. For the reference see conditions#equality. */
  typedEquality: true,
  /** `entityTypeVariables` and `playerTypeVariables` are added to every type. */
  sharedTypeVariables: true,
  /** `destroyOnContactWith` is honoured. The reference of 2024 does not know it (reference: physics#destroy-on-contact). */
  destroysOnContact: true,
  /** The map `abilities` of a unit type binds keys, and an ability without a description does what its name says. */
  legacyBindings: true,
  /** Objects of the map's group `debris` are bodies, as in the reference of 2022. */
  debris: true,
  /** Items roll the buffs of the catalogue that their type lists. */
  itemsRollBuffs: true,
  /**
   * Fields that the specification lists and the reference never reads have the effect that their names say. Weapons and projectiles:
   * `delayBeforeUse`, `damageDelay`, `knockbackForce`, `penetration`, `reloadRate`, `destroyTimer`, `explosiveTimer`, `defaultProjectile`,
   * `bulletDistance` of projectiles, the body's mark of constant speed. Items: `designatedInventorySlot`, `isConsumedImmediately`,
   * `bonus.consume.coin`. Offers of shops: `isPurchasable`, `canBePurchasedBy`, `canBuyItem`. Units: `baseSpeed`.
   */
  unreadFieldsTakeEffect: true,
  /** `stringContains` says whether the text is there. In the reference it says false of all texts, and `subString` is the test. */
  stringContains: true,
  /** A `break` in `repeatWithDelay` ends it. In the reference it only ends the round (reference: control-flow#break-and-return). */
  breakEndsDelayedRepeat: true,
  /**
   * Increasing a variable that holds a number as text adds to the number, and a life span written as text is so many ms. In the reference both append to
   * the text (reference: variables#adding, tick#destruction).
   */
  numericTextAdds: true,
  /** A `return` in `repeat`, `while`, `for` and `forIn` ends the script. In the reference it ends the loop (reference: control-flow#break-and-return). */
  returnEndsScript: true,
  /** Delayed actions see the loop variables of the moment they were put off. In the reference they share them (reference: control-flow#delays). */
  delaysKeepLoopVariables: true,
  /** Variables of entities and players whose default number is written as text start as that number. In the reference they start without a value. */
  textDefaultsAreNumbers: true,
  /** Key bindings and abilities without the member `cost` run. In the reference they never do (reference: units#legacy-abilities). */
  bindingsNeedNoCost: true,
  /** A buff that ends takes back the value it gave, and all that end at one time end at once (reference: units#timed-buffs). */
  buffsRevert: true,
  /** After a change of type no value is above its maximum, and bonuses are given once (reference: units#type-changes). */
  typeChangesClamp: true,
  /** A relative force pushes x to the right of the entity and y to its back. In the reference the sum pushes along the facing (reference: physics#forces). */
  relativeForcesRotate: true,
  /** `startCastingAbility` and `stopCastingAbility` evaluate their operands like any other, and an ability is active while its start script runs. */
  castingEvaluatesOperands: true,
  /** Walking relative to the camera is slowed on a diagonal of keys only. In the reference, wherever both components differ from zero (reference: units#keys). */
  diagonalNeedsTwoKeys: true,
  /** `playerPurchasesItem` fires for purchases only. In the reference also of most that were refused (reference: units#shop). */
  purchaseFiresOnSuccessOnly: true,
  /** All required item types of an offer decide. In the reference, the last of them. */
  offersNeedAllItems: true,
  /** The box of a region has the size that scripts gave it. In the reference it keeps its first (reference: physics#regions). */
  regionsResizeBoxes: true,
  /** An entity has one turn in a tick. In the reference the list shifts when one of them removes an older one (reference: tick#destruction). */
  entitiesUpdateOncePerTick: true,
  /** `replaceValuesInString` takes the text to find and the replacement as they are. In the reference they are a pattern. */
  replaceIsLiteral: true,
  /** Area queries find shapes that overlap. In the reference they find boxes that are larger (reference: physics#area-queries). */
  areaQueriesTestShapes: true,
  /** `createItemAtPositionWithQuantity` makes the item at the position. In the reference at 0, 0. */
  quantityItemsHavePosition: true,
  /** `areEntitiesTouching` answers. In the reference it says false of any two. */
  touchingWorks: true,
  /** `getLastChatMessageSentByPlayer` reads the player. In the reference it does not. */
  lastChatMessageIsPerPlayer: true,
  /** Removing from a group finds every occurrence. In the reference it passes over the element after each that it removes (reference: variables#groups). */
  groupsRemoveEveryMember: true,
  /** `rotateUnitClockwise` and its mirror add to the torque of the step. In the reference they replace it. */
  torqueAdds: true,
  /** `addStringElement` stores what it is given as text, "" too. In the reference it stores values as they are, and no value that counts as false. */
  storesEmptyStrings: true,
  /** `dropItemAtPosition` drops any item that may be dropped. In the reference, only those whose type has `controls`. */
  dropNeedsNoControls: true,
  /** `unitIsInRegion` and `itemIsInRegion` know Region entities and the whole map. In the reference they know plain regions only (reference: variables#regions). */
  inRegionKnowsRegionEntities: true,
  /** A game without an owner has no creator. In the reference every guest is its creator. */
  ownerlessGamesHaveNoCreator: true,
  /** `getPlayTimeOfPlayer` is the time since the player joined. In the reference it is that time below zero. */
  playTimeCountsUp: true,
  /** A point of a region without a place is none, as is one without two numbers. In the reference such points hold NaN, and what is made there is made at 0. */
  pointsNeedNumbers: true,
  /** A global number variable whose default is written as text starts as that number. In the reference it starts as the text. */
  globalDefaultsAreNumbers: true,
  /**
   * Contacts that begin with one body in one step come in the order in which their shapes were made. In the reference, in that of planck's
   * tree.
   */
  contactsInCreationOrder: true,
  /** The price of a unit is asked for, and requirements of bare numbers ask for nothing. In the reference the two change places: prices are paid and not asked for (reference: units#buying-units). */
  unitPricesAreRequired: true,
  /** Scripts about a contact have payloads of their own. In the reference the world's and the entity's share one (reference: control-flow#payloads). */
  contactScriptsOwnPayloads: true,
  /** `ThisItemsQuantityBecomesZero` fires before an empty item is removed. In the reference, after. */
  emptyItemFiresBeforeRemoval: true,
  /** An item takes back the bonuses it gave. In the reference it takes what its type lists (reference: items-projectiles#passive-bonuses). */
  itemsRevertOwnBonuses: true,
  /** A refused swap changes nothing. In the reference the items still get the numbers of each other's slots (reference: players#swapping-slots). */
  refusedSwapsDoNothing: true,
  /** Gravity leaves sensors alone. In the reference they fall in each step and are put back, which changes the order of contacts (reference: physics#sensors). */
  sensorsIgnoreGravity: true,
  /** Bodies that say `allowSleep` sleep when they rest. In the reference none of units, items and projectiles does. */
  restingBodiesSleep: true,
  /** The end of a life span is a destruction like any other. In the reference an expired unit stays in its owner's list, and its items survive (reference: tick#destruction). */
  expiryCleansUp: true,
  /** An entity is destroyed once. In the reference its last scripts run again for each time (reference: creation#destruction). */
  entitiesAreDestroyedOnce: true,
  /** A `break` ends what it stands in, and nothing else. In the reference it leaves a mark that ends the next round of any loop of the script run (reference: control-flow#break-and-return). */
  breaksDoNotLeak: true,
  /** Each `repeatWithDelay` has its own rounds. In the reference all of one action list share body, count and delay (reference: control-flow#delays). */
  delayedRepeatsAreIndependent: true,
  /** Of places that scripts ask for while a body waits to be moved, the last counts. In the reference, the first (reference: tick#physics-update). */
  lastTeleportWins: true,
  /** `thisItemIsPickedUp` fires for every pick-up. In the reference only where a stack took something (reference: creation#giving-items). */
  pickUpsFireOnItem: true,
  /** `questAdded` and `questRemoved` reach the selected unit too. In the reference, the global scripts only. */
  questsFireOnUnit: true,
  /** Each bot has a client id. In the reference they share one: none can be kicked, and all leave a group with one (reference: players#kinds). */
  botsHaveOwnClientIds: true,
  /** A region variable of an entity or player can be cleared. In the reference that is an error (reference: variables#checked-writes). */
  regionVariablesCanBeCleared: true,
  /** `centerOfRegion` and the coordinates and sizes of regions know plain regions. In the reference they fail for them (reference: variables#regions). */
  plainRegionsHaveGeometry: true,
  /** Only a change of its rectangle makes the body of a region anew. In the reference, a new colour and the present rectangle do too. */
  regionsRebuildOnChange: true,
  /**
   * A body is built once for each time that it is asked for. In the reference some are built, destroyed and built again in one update, which
   * changes the order of contacts (reference: physics#bodies).
   */
  bodiesAreBuiltOnce: true,
  /**
   * With its type a unit changes its sensor, and loses its AI where the new type has none. In the reference the sensor stays, and so does an AI that
   * the new type does not replace (reference: units#type-changes).
   */
  aiFollowsType: true,
  /**
   * Units that fight one whose health becomes 0 leave it in the order of their age. In the reference in the order in which they first aimed at it, and
   * that one forgets its own target (reference: units#death).
   */
  attackersStopByAge: true,
  /**
   * A sensor whose radius becomes 0 detects nothing until it gets another. In the reference it only loses its body. Whatever rebuilds the sensor, such as the
   * start of a chase, restores it with its previous radius and at its old position (reference: physics#sensors).
   */
  zeroRadiusSensorsStayOff: true,
  /**
   * A state whose `body` is none of `bodies` has no body. In the reference units and projectiles keep the one they have. A type whose state names no
   * body, or which has no states, leaves a unit the body of the type before (reference: units#states).
   */
  unknownBodyMeansNoBody: true,
  /**
   * Of two opposite movement keys the one pressed last counts. In the reference both cancel out, but until the next key event after the press of the
   * second (reference: units#keys).
   */
  lastKeyWins: true,
  /**
   * Stacks of a type that does not say `canMerge` merge. In the reference they do not, and the new item takes the slot of the other, which is carried
   * on in none (reference: items-projectiles#slots).
   */
  stacksMergeByDefault: true,
  /** The scale of a body that is not built yet counts. In the reference it counts when the body is next made anew (reference: physics#scaling). */
  scaleAppliesToUnbuiltBodies: true,
  /**
   * A unit whose type has no AI takes no orders, and `changeSensorRadius` gives it a sensor. In the reference it gets none, and orders to walk and to rest
   * start and stop it (reference: units#ai-states).
   */
  ordersNeedAi: true,
  /** An item lies at the angle at which it was held. In the reference at 0, unless it is welded or faces the mouse (reference: items-projectiles#holding). */
  dropsKeepHeldAngle: true,
  /** A body keeps the last digits of its place and angle. In the reference each update writes both back, rounded anew (reference: tick#physics-update). */
  bodiesKeepPrecision: true,
  /** Attributes of a player start within their bounds. In the reference, at the value that their type gives (reference: players#player-types). */
  playersStartWithinBounds: true,
  /** No wall is outside the map. In the reference, right of the map is its next row, and no wall is at 0. */
  wallsEndAtMapEdge: true,
  /** Attributes are set to numbers only. In the reference one is NaN from then on where a script sets it to what is no number. */
  attributesStayNumbers: true,
  /**
   * A question that has no answer gives no value: about something of another kind, an empty group, an angle too small to round. In the reference
   * many give one: it reads a member of whatever it is given, and gives what it finds, or fails (reference: operations#other-kinds).
   */
  queriesCheckOperands: true,
  /**
   * Coordinates and sizes written as texts are numbers, and a rectangle has a size above 0. In the reference texts are appended to, and sizes are
   * kept as they are (reference: operations#rectangles).
   */
  rectanglesAreValidated: true,
  /** `resetEntity` holds values to the present bounds. In the reference to those of the type, whatever scripts have made of them (reference: operations#resetentity). */
  resetUsesCurrentBounds: true,
  /**
   * Ways of `a*` end at the edges of the map, are searched for again only where that can help, and leave no ray for scripts. Scripts that run for a
   * failure can order something else. In the reference none of that holds (reference: units#path-finding).
   */
  pathFindingIsSound: true,
  /** `kickPlayer` ends the stay of a player at once. In the reference the connection closes 1 ms later, and the script goes on with the player (reference: operations#kickplayer). */
  kicksAreImmediate: true,
  /** `forIn` walks what a variable holds. In the reference, its default where it holds "" or anything else that counts as false (reference: operations#forin). */
  forInWalksEmptyValues: true,
  /** Before any ray `entitiesCollidingWithLastRaycast` is an empty list. In the reference, no value. */
  noRaycastIsEmptyList: true,
  /**
   * The state of an entity gives its size. In the reference only a body does: the last one that it was given, and 40 px before the first (reference:
   * physics#sizes).
   */
  statesGiveSizes: true,
  /**
   * Items whose type lacks a state are put into the nearest there is. In the reference into the one named `dropped` or none, and only the key `dropped`
   * means that an item lies in the world (reference: items-projectiles#item-states).
   */
  itemsFallBackToNearestState: true,
  /** A save leaves attributes alone. In the reference it takes the bonuses of items off and gives them back (reference: players#persistence). */
  savingKeepsBonuses: true,
  /** Helper variables of an action are its own. In the reference some are those of the list that runs (reference: control-flow#action-lists). */
  helperVariablesAreScoped: true,
  /**
   * Flags that are written as numbers or texts are what they say. A life span "" is none, and numbers written as texts are numbers to all who ask. In
   * the reference each place reads them in its own way (reference: in-the-wild#flags).
   */
  flagsAreCoerced: true,
  /** An operand `entity` that fails ends its action. In the reference it ends the list, and with it the action that holds the list (reference: control-flow#action-lists). */
  failedEntityEndsActionOnly: true,
  /** Actions and triggers that the engines of 2024 do not know do what their names say. In the reference they do nothing (reference: control-flow#gaps). */
  nonReferenceOperationsWork: true,
  /** A `maxAttackRange` that is absent is 0. In the reference it compares with no distance: nothing is within it, and nothing beyond it (reference: units#ai). */
  absentAttackRangeIsZero: true,
  /** Roles, guest flags, the player cap and bans are enforced when a player joins. */
  enforceJoinRules: true,
} as const;

type Difference = keyof typeof standard;
const differences = Object.keys(standard) as Difference[];

type BaseName = 'standard' | 'moddio';

/** `moddio except lastKeyWins, dropsKeepHeldAngle` is `moddio`, except that these two differences are as in `standard`; `standard except` works likewise. */
export type DialectName = BaseName | `${BaseName} except ${string}`;

export type Dialect = { readonly name: DialectName } & { readonly [D in keyof typeof standard]: boolean };

/** Cached by name, because dialects are compared by identity. */
const known = new Map<string, Dialect>();

function dialect(base: BaseName, except: readonly string[] = []): Dialect {
  const excepted = differences.filter((difference) => except.includes(difference));
  const name: DialectName = excepted.length === 0 ? base : `${base} except ${excepted.join(', ')}`;
  let made = known.get(name);
  if (made === undefined) {
    const held = differences.map((each) => [each, (base === 'standard') !== excepted.includes(each)] as const);
    made = Object.freeze({ name, ...(Object.fromEntries(held) as Record<Difference, boolean>) });
    known.set(name, made);
  }
  return made;
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
  const wrong = except.find((word) => !Object.hasOwn(standard, word));
  if (wrong !== undefined)
    throw unknownWord('unknown-difference', 'difference between the dialects', wrong, differences);
  return dialect(base as BaseName, except);
}

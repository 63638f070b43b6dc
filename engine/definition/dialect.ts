/**
 * The switches on which the specification and the reference engines disagree, and nothing else. Both must be runnable because real games
 * were tuned on the reference. Asked when a definition is applied (`apply-dialect.ts`), when rules are chosen (`rules/dialect/choose.ts`)
 * and when scripts are compiled; never while a game runs.
 */
export interface Dialect {
  readonly name: DialectName;
  /** Script-level `conditions` gate the script. */
  readonly scriptConditions: boolean;
  /** `perSecond`: `regenerateSpeed` / rate at every tick. `pulse`: the whole value at the pulse times (reference: tick#regeneration). */
  readonly regeneration: 'perSecond' | 'pulse';
  /** `one`: `frameRate` drives everything, 1..240, default 60. `two`: `frameRate` for physics, `engineTickRate` for scripts, 20..60, default 20. */
  readonly rates: 'one' | 'two';
  /** `typed`: coerced to `operandType`, `!=` is the exact negation of `==`. `reference`: as the engines do (reference: conditions#equality). */
  readonly equality: 'typed' | 'reference';
  /** `entityTypeVariables` and `playerTypeVariables` are added to every type. */
  readonly sharedTypeVariables: boolean;
  /** `destroyOnContactWith` is honoured. The reference of 2024 does not know it (reference: physics#destroy-on-contact). */
  readonly destroysOnContact: boolean;
  /** The map `abilities` of a unit type binds keys, and an ability without a description does what its name says. */
  readonly olderBindings: boolean;
  /** Objects of the map's group `debris` are bodies, as in the reference of 2022. */
  readonly debris: boolean;
  /** Items roll the buffs of the catalogue that their type lists. */
  readonly buffCatalogue: boolean;
  /**
   * Fields that the specification lists and the reference never reads have the effect that their names say. Weapons and projectiles:
   * `delayBeforeUse`, `damageDelay`, `knockbackForce`, `penetration`, `reloadRate`, `destroyTimer`, `explosiveTimer`, `defaultProjectile`,
   * `bulletDistance` of projectiles, the body's mark of constant speed. Items: `designatedInventorySlot`, `isConsumedImmediately`,
   * `bonus.consume.coin`. Offers of shops: `isPurchasable`, `canBePurchasedBy`, `canBuyItem`. Units: `baseSpeed`.
   */
  readonly dormantFields: boolean;
  /** `stringContains` says whether the text is there. In the reference it says false of all texts, and `subString` is the test. */
  readonly stringContains: boolean;
  /** A `break` in `repeatWithDelay` ends it. In the reference it only ends the round (reference: control-flow#break-and-return). */
  readonly breakEndsDelayedRounds: boolean;
  /**
   * Increasing a variable that holds a number as text adds to the number, and a life span written as text is so many ms. In the reference both append to
   * the text (reference: variables#adding, tick#destruction).
   */
  readonly addsToText: boolean;
  /** A `return` in `repeat`, `while`, `for` and `forIn` ends the script. In the reference it ends the loop (reference: control-flow#break-and-return). */
  readonly returnEndsScript: boolean;
  /** Delayed actions see the loop variables of the moment they were put off. In the reference they share them (reference: control-flow#delays). */
  readonly delaysKeepLoopVariables: boolean;
  /** Variables of entities and players whose default number is written as text start as that number. In the reference they start without a value. */
  readonly textDefaultsAreNumbers: boolean;
  /** Key bindings and abilities without the member `cost` run. In the reference they never do (reference: units#legacy-abilities). */
  readonly bindingsNeedNoCost: boolean;
  /** A buff that ends takes back the value it gave, and all that end at one time end at once (reference: units#timed-buffs). */
  readonly buffsTakeBack: boolean;
  /** After a change of type no value is above its maximum, and bonuses are given once (reference: units#type-changes). */
  readonly typeChangesClamp: boolean;
  /** A relative force pushes x to the right of the entity and y to its back. In the reference the sum pushes along the facing (reference: physics#forces). */
  readonly relativeForcesTurn: boolean;
  /** `startCastingAbility` and `stopCastingAbility` evaluate their operands like any other, and an ability is active while its start script runs. */
  readonly castingSeesScript: boolean;
  /** Walking relative to the camera is slowed on a diagonal of keys only. In the reference, wherever both components differ from zero (reference: units#keys). */
  readonly straightIsFast: boolean;
  /** `playerPurchasesItem` fires for purchases only. In the reference also of most that were refused (reference: units#shop). */
  readonly purchasesFireOnSuccess: boolean;
  /** All required item types of an offer decide. In the reference, the last of them. */
  readonly allRequiredItems: boolean;
  /** The box of a region has the size that scripts gave it. In the reference it keeps its first (reference: physics#regions). */
  readonly regionsResizeBoxes: boolean;
  /** An entity has one turn in a tick. In the reference the list shifts when one of them removes an older one (reference: tick#destruction). */
  readonly oneTurnPerTick: boolean;
  /** `replaceValuesInString` takes the text to find and the replacement as they are. In the reference they are a pattern. */
  readonly replacesPlainText: boolean;
  /** Area queries find shapes that overlap. In the reference they find boxes that are larger (reference: physics#area-queries). */
  readonly areasTestShapes: boolean;
  /** `createItemAtPositionWithQuantity` makes the item at the position. In the reference at 0, 0. */
  readonly quantityItemsHavePlace: boolean;
  /** `areEntitiesTouching` answers. In the reference it says false of any two. */
  readonly touchingIsKnown: boolean;
  /** `getLastChatMessageSentByPlayer` reads the player. In the reference it does not. */
  readonly chatIsOfPlayer: boolean;
  /** Removing from a group finds every occurrence. In the reference it passes over the element after each that it removes (reference: variables#groups). */
  readonly removesEveryMember: boolean;
  /** `rotateUnitClockwise` and its mirror add to the torque of the step. In the reference they replace it. */
  readonly torqueAdds: boolean;
  /** `addStringElement` stores what it is given as text, "" too. In the reference it stores values as they are, and no value that counts as false. */
  readonly storesEmptyTexts: boolean;
  /** `dropItemAtPosition` drops any item that may be dropped. In the reference, only those whose type has `controls`. */
  readonly dropsWithoutControls: boolean;
  /** `unitIsInRegion` and `itemIsInRegion` know Region entities and the whole map. In the reference they know plain regions only (reference: variables#regions). */
  readonly regionsKnowMembers: boolean;
  /** A game without an owner has no creator. In the reference every guest is its creator. */
  readonly creatorsHaveAccounts: boolean;
  /** `getPlayTimeOfPlayer` is the time since the player joined. In the reference it is that time below zero. */
  readonly playTimeCountsUp: boolean;
  /** A point of a region without a place is none, as is one without two numbers. In the reference such points hold NaN, and what is made there is made at 0. */
  readonly pointsNeedNumbers: boolean;
  /** A global number variable whose default is written as text starts as that number. In the reference it starts as the text. */
  readonly globalDefaultsAreNumbers: boolean;
  /**
   * Contacts that begin with one body in one step come in the order in which their shapes were made. In the reference, in that of planck's
   * tree.
   */
  readonly contactsByAge: boolean;
  /** The price of a unit is asked for, and requirements of bare numbers ask for nothing. In the reference the two change places: prices are paid and not asked for (reference: units#buying-units). */
  readonly unitPricesAreAsked: boolean;
  /** Scripts about a contact have payloads of their own. In the reference the world's and the entity's share one (reference: control-flow#payloads). */
  readonly contactsKeepPayloads: boolean;
  /** `ThisItemsQuantityBecomesZero` fires before an empty item is removed. In the reference, after. */
  readonly emptyFiresFirst: boolean;
  /** An item takes back the bonuses it gave. In the reference it takes what its type lists (reference: items-projectiles#passive-bonuses). */
  readonly bonusesAreOwed: boolean;
  /** A refused swap changes nothing. In the reference the items still get the numbers of each other's slots (reference: players#swapping-slots). */
  readonly refusedSwapsDoNothing: boolean;
  /** Gravity leaves sensors alone. In the reference they fall in each step and are put back, which changes the order of contacts (reference: physics#sensors). */
  readonly sensorsFloat: boolean;
  /** Bodies that say `allowSleep` sleep when they rest. In the reference none of units, items and projectiles does. */
  readonly restingBodiesSleep: boolean;
  /** The end of a life span is a destruction like any other. In the reference an expired unit stays in its owner's list, and its items survive (reference: tick#destruction). */
  readonly lifeSpansCleanUp: boolean;
  /** An entity is destroyed once. In the reference its last scripts run again for each time (reference: creation#destruction). */
  readonly destroyedOnce: boolean;
  /** A `break` ends what it stands in, and nothing else. In the reference it leaves a mark that ends the next round of any loop of the script run (reference: control-flow#break-and-return). */
  readonly breaksAreForgotten: boolean;
  /** Each `repeatWithDelay` has its own rounds. In the reference all of one action list share body, count and delay (reference: control-flow#delays). */
  readonly delayedRoundsAreApart: boolean;
  /** Of places that scripts ask for while a body waits to be moved, the last counts. In the reference, the first (reference: tick#physics-update). */
  readonly lastPlaceCounts: boolean;
  /** `thisItemIsPickedUp` fires for every pick-up. In the reference only where a stack took something (reference: creation#giving-items). */
  readonly pickUpsFireOnItem: boolean;
  /** `questAdded` and `questRemoved` reach the selected unit too. In the reference, the global scripts only. */
  readonly questsFireOnUnit: boolean;
  /** Each bot has a client id. In the reference they share one: none can be kicked, and all leave a group with one (reference: players#kinds). */
  readonly botsHaveOwnIds: boolean;
  /** A region variable of an entity or player can be cleared. In the reference that is an error (reference: variables#checked-writes). */
  readonly regionVariablesClear: boolean;
  /** `centerOfRegion` and the coordinates and sizes of regions know plain regions. In the reference they fail for them (reference: variables#regions). */
  readonly plainRegionsAnswer: boolean;
  /** Only a change of its rectangle makes the body of a region anew. In the reference, a new colour and the present rectangle do too. */
  readonly regionsRebuildOnChange: boolean;
  /**
   * A body is built once for each time that it is asked for. In the reference some are built, destroyed and built again in one update, which
   * changes the order of contacts (reference: physics#bodies).
   */
  readonly bodiesAreBuiltOnce: boolean;
  /**
   * With its type a unit changes its sensor, and loses its AI where the new type has none. In the reference the sensor stays, and so does an AI that
   * the new type does not replace (reference: units#type-changes).
   */
  readonly aiFollowsType: boolean;
  /**
   * A state whose `body` is none of `bodies` has no body. In the reference units and projectiles keep the one they have. A type whose state names no
   * body, or which has no states, leaves a unit the body of the type before (reference: units#states).
   */
  readonly unknownBodiesAreNone: boolean;
  /**
   * Of two opposite movement keys the one pressed last counts. In the reference both cancel out, but until the next key event after the press of the
   * second (reference: units#keys).
   */
  readonly lastKeyCounts: boolean;
  /**
   * Stacks of a type that does not say `canMerge` merge. In the reference they do not, and the new item takes the slot of the other, which is carried
   * on in none (reference: items-projectiles#slots).
   */
  readonly silentStacksMerge: boolean;
  /** The scale of a body that is not built yet counts. In the reference it counts when the body is next made anew (reference: physics#scaling). */
  readonly scalesUnbuiltBodies: boolean;
  /**
   * A unit whose type has no AI takes no orders, and `changeSensorRadius` gives it a sensor. In the reference it gets none, and orders to walk and to rest
   * start and stop it (reference: units#ai-states).
   */
  readonly ordersNeedAi: boolean;
  /** An item lies at the angle at which it was held. In the reference at 0, unless it is welded or faces the mouse (reference: items-projectiles#holding). */
  readonly dropsAsSeen: boolean;
  /** A body keeps the last digits of its place and angle. In the reference each update writes both back, rounded anew (reference: tick#physics-update). */
  readonly bodiesKeepDigits: boolean;
  /** Attributes of a player start within their bounds. In the reference, at the value that their type gives (reference: players#player-types). */
  readonly playersStartWithinBounds: boolean;
  /** No wall is outside the map. In the reference, right of the map is its next row, and no wall is at 0. */
  readonly wallsEndWithMap: boolean;
  /** Attributes are set to numbers only. In the reference one is NaN from then on where a script sets it to what is no number. */
  readonly attributesStayNumbers: boolean;
  /**
   * A question that has no answer gives no value: about something of another kind, an empty group, an angle too small to round. In the reference
   * many give one: it reads a member of whatever it is given, and gives what it finds, or fails (reference: operations#other-kinds).
   */
  readonly answersAreChecked: boolean;
  /**
   * Coordinates and sizes written as texts are numbers, and a rectangle has a size above 0. In the reference texts are appended to, and sizes are
   * kept as they are (reference: operations#rectangles).
   */
  readonly rectanglesAreChecked: boolean;
  /** `resetEntity` holds values to the present bounds. In the reference to those of the type, whatever scripts have made of them (reference: operations#resetentity). */
  readonly resetsWithinBounds: boolean;
  /**
   * Ways of `a*` end at the edges of the map, are searched for again only where that can help, and leave no ray for scripts. Scripts that run for a
   * failure can order something else. In the reference none of that holds (reference: units#path-finding).
   */
  readonly routesAreSound: boolean;
  /** `kickPlayer` ends the stay of a player at once. In the reference the connection closes 1 ms later, and the script goes on with the player (reference: operations#kickplayer). */
  readonly kicksAtOnce: boolean;
  /** `forIn` walks what a variable holds. In the reference, its default where it holds "" or anything else that counts as false (reference: operations#forin). */
  readonly emptyTextsAreWalked: boolean;
  /** Before any ray `entitiesCollidingWithLastRaycast` is an empty list. In the reference, no value. */
  readonly raysAreLists: boolean;
  /**
   * The state of an entity gives its size. In the reference only a body does: the last one that it was given, and 40 px before the first (reference:
   * physics#sizes).
   */
  readonly statesGiveSizes: boolean;
  /**
   * Items whose type lacks a state are put into the nearest there is. In the reference into the one named `dropped` or none, and only the key `dropped`
   * means that an item lies in the world (reference: items-projectiles#item-states).
   */
  readonly itemsFindStates: boolean;
  /** A save leaves attributes alone. In the reference it takes the bonuses of items off and gives them back (reference: players#persistence). */
  readonly savesKeepBonuses: boolean;
  /** Helper variables of an action are its own. In the reference some are those of the list that runs (reference: control-flow#action-lists). */
  readonly helpersAreApart: boolean;
  /**
   * Flags that are written as numbers or texts are what they say. A life span "" is none, and numbers written as texts are numbers to all who ask. In
   * the reference each place reads them in its own way (reference: in-the-wild#flags).
   */
  readonly flagsAreRead: boolean;
  /** An operand `entity` that fails ends its action. In the reference it ends the list, and with it the action that holds the list (reference: control-flow#action-lists). */
  readonly failedEntitiesEndActions: boolean;
  /** Actions and triggers that the engines of 2024 do not know do what their names say. In the reference they do nothing (reference: control-flow#gaps). */
  readonly foreignWords: boolean;
  /** A `maxAttackRange` that is absent is 0. In the reference it compares with no distance: nothing is within it, and nothing beyond it (reference: units#ai). */
  readonly absentRangesAreZero: boolean;
  /** Roles, guest flags, the player cap and bans are enforced when a player joins. */
  readonly enforceJoinRules: boolean;
}

export const dialects = {
  standard: {
    name: 'standard',
    scriptConditions: true,
    regeneration: 'perSecond',
    rates: 'one',
    equality: 'typed',
    sharedTypeVariables: true,
    destroysOnContact: true,
    olderBindings: true,
    debris: true,
    buffCatalogue: true,
    dormantFields: true,
    stringContains: true,
    breakEndsDelayedRounds: true,
    addsToText: true,
    returnEndsScript: true,
    delaysKeepLoopVariables: true,
    textDefaultsAreNumbers: true,
    bindingsNeedNoCost: true,
    buffsTakeBack: true,
    typeChangesClamp: true,
    relativeForcesTurn: true,
    castingSeesScript: true,
    straightIsFast: true,
    purchasesFireOnSuccess: true,
    allRequiredItems: true,
    regionsResizeBoxes: true,
    oneTurnPerTick: true,
    replacesPlainText: true,
    areasTestShapes: true,
    quantityItemsHavePlace: true,
    touchingIsKnown: true,
    chatIsOfPlayer: true,
    removesEveryMember: true,
    torqueAdds: true,
    storesEmptyTexts: true,
    dropsWithoutControls: true,
    regionsKnowMembers: true,
    creatorsHaveAccounts: true,
    playTimeCountsUp: true,
    pointsNeedNumbers: true,
    globalDefaultsAreNumbers: true,
    contactsByAge: true,
    unitPricesAreAsked: true,
    contactsKeepPayloads: true,
    emptyFiresFirst: true,
    bonusesAreOwed: true,
    refusedSwapsDoNothing: true,
    sensorsFloat: true,
    restingBodiesSleep: true,
    lifeSpansCleanUp: true,
    destroyedOnce: true,
    breaksAreForgotten: true,
    delayedRoundsAreApart: true,
    lastPlaceCounts: true,
    pickUpsFireOnItem: true,
    questsFireOnUnit: true,
    botsHaveOwnIds: true,
    regionVariablesClear: true,
    plainRegionsAnswer: true,
    regionsRebuildOnChange: true,
    bodiesAreBuiltOnce: true,
    aiFollowsType: true,
    unknownBodiesAreNone: true,
    lastKeyCounts: true,
    silentStacksMerge: true,
    scalesUnbuiltBodies: true,
    ordersNeedAi: true,
    dropsAsSeen: true,
    bodiesKeepDigits: true,
    playersStartWithinBounds: true,
    wallsEndWithMap: true,
    attributesStayNumbers: true,
    answersAreChecked: true,
    rectanglesAreChecked: true,
    resetsWithinBounds: true,
    routesAreSound: true,
    kicksAtOnce: true,
    emptyTextsAreWalked: true,
    raysAreLists: true,
    statesGiveSizes: true,
    itemsFindStates: true,
    savesKeepBonuses: true,
    helpersAreApart: true,
    flagsAreRead: true,
    failedEntitiesEndActions: true,
    foreignWords: true,
    absentRangesAreZero: true,
    enforceJoinRules: true,
  },
  moddio: {
    name: 'moddio',
    scriptConditions: false,
    regeneration: 'pulse',
    rates: 'two',
    equality: 'reference',
    sharedTypeVariables: false,
    destroysOnContact: false,
    olderBindings: false,
    debris: false,
    buffCatalogue: false,
    dormantFields: false,
    stringContains: false,
    breakEndsDelayedRounds: false,
    addsToText: false,
    returnEndsScript: false,
    delaysKeepLoopVariables: false,
    textDefaultsAreNumbers: false,
    bindingsNeedNoCost: false,
    buffsTakeBack: false,
    typeChangesClamp: false,
    relativeForcesTurn: false,
    castingSeesScript: false,
    straightIsFast: false,
    purchasesFireOnSuccess: false,
    allRequiredItems: false,
    regionsResizeBoxes: false,
    oneTurnPerTick: false,
    replacesPlainText: false,
    areasTestShapes: false,
    quantityItemsHavePlace: false,
    touchingIsKnown: false,
    chatIsOfPlayer: false,
    removesEveryMember: false,
    torqueAdds: false,
    storesEmptyTexts: false,
    dropsWithoutControls: false,
    regionsKnowMembers: false,
    creatorsHaveAccounts: false,
    playTimeCountsUp: false,
    pointsNeedNumbers: false,
    globalDefaultsAreNumbers: false,
    contactsByAge: false,
    unitPricesAreAsked: false,
    contactsKeepPayloads: false,
    emptyFiresFirst: false,
    bonusesAreOwed: false,
    refusedSwapsDoNothing: false,
    sensorsFloat: false,
    restingBodiesSleep: false,
    lifeSpansCleanUp: false,
    destroyedOnce: false,
    breaksAreForgotten: false,
    delayedRoundsAreApart: false,
    lastPlaceCounts: false,
    pickUpsFireOnItem: false,
    questsFireOnUnit: false,
    botsHaveOwnIds: false,
    regionVariablesClear: false,
    plainRegionsAnswer: false,
    regionsRebuildOnChange: false,
    bodiesAreBuiltOnce: false,
    aiFollowsType: false,
    unknownBodiesAreNone: false,
    lastKeyCounts: false,
    silentStacksMerge: false,
    scalesUnbuiltBodies: false,
    ordersNeedAi: false,
    dropsAsSeen: false,
    bodiesKeepDigits: false,
    playersStartWithinBounds: false,
    wallsEndWithMap: false,
    attributesStayNumbers: false,
    answersAreChecked: false,
    rectanglesAreChecked: false,
    resetsWithinBounds: false,
    routesAreSound: false,
    kicksAtOnce: false,
    emptyTextsAreWalked: false,
    raysAreLists: false,
    statesGiveSizes: false,
    itemsFindStates: false,
    savesKeepBonuses: false,
    helpersAreApart: false,
    flagsAreRead: false,
    failedEntitiesEndActions: false,
    foreignWords: false,
    absentRangesAreZero: false,
    enforceJoinRules: false,
  },
} as const satisfies Record<string, Dialect>;

export type DialectName = 'standard' | 'moddio';

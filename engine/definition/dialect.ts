/**
 * The switches on which the specification and the reference engines disagree, and nothing else: both must be runnable because real games
 * were tuned on the reference. Asked when a definition is applied (`apply-dialect.ts`), when rules are chosen (`rules/dialect/choose.ts`) and when scripts
 * are compiled; never while a game runs.
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
  /** `always`: `destroyOnContactWith` is honoured. `unlessScripted`: only where the projectile type has no script of its own for that contact. */
  readonly destroyOnContact: 'always' | 'unlessScripted';
  /** The map `abilities` of a unit type binds keys, and abilities that nobody describes are what their name says. */
  readonly olderBindings: boolean;
  /** Objects of the map's group `debris` are bodies, as in the reference of 2022. */
  readonly debris: boolean;
  /** Items roll the buffs of the catalogue that their type lists. */
  readonly buffCatalogue: boolean;
  /**
   * Fields that the specification lists and the reference never reads have the effect that their names tell: of weapons and projectiles
   * `delayBeforeUse`, `damageDelay`, `knockbackForce`, `penetration`, `reloadRate`, `destroyTimer`, `explosiveTimer`, `defaultProjectile`,
   * `bulletDistance` of what flies, the body's mark of constant speed; of items `designatedInventorySlot`, `isConsumedImmediately`,
   * `bonus.consume.coin`; of what is sold `isPurchasable`, `canBePurchasedBy`, `canBuyItem`; of units `baseSpeed`.
   */
  readonly dormantFields: boolean;
  /** `stringContains` says whether the text is there. In the reference it says false of all texts, and `subString` is the test. */
  readonly stringContains: boolean;
  /** A `break` in `repeatWithDelay` ends it. In the reference it only ends the round (reference: control-flow#break-and-return). */
  readonly breakEndsDelayedRounds: boolean;
  /** Increasing a variable that holds a number as text adds to the number. In the reference it appends to the text (reference: variables#adding). */
  readonly addsToText: boolean;
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
    destroyOnContact: 'always',
    olderBindings: true,
    debris: true,
    buffCatalogue: true,
    dormantFields: true,
    stringContains: true,
    breakEndsDelayedRounds: true,
    addsToText: true,
    enforceJoinRules: true,
  },
  moddio: {
    name: 'moddio',
    scriptConditions: false,
    regeneration: 'pulse',
    rates: 'two',
    equality: 'reference',
    sharedTypeVariables: false,
    destroyOnContact: 'unlessScripted',
    olderBindings: false,
    debris: false,
    buffCatalogue: false,
    dormantFields: false,
    stringContains: false,
    breakEndsDelayedRounds: false,
    addsToText: false,
    enforceJoinRules: false,
  },
} as const satisfies Record<string, Dialect>;

export type DialectName = 'standard' | 'moddio';

import { cost, free } from './ability.ts';
import { type Amounts, amounts } from './attribute.ts';
import { inventorySlots } from './controls.ts';
import { entityFields } from './entity.ts';
import { emptyMap, FrozenMap } from './frozen-map.ts';
import { mouseBehaviour } from './geometry.ts';
import { lifeSpan } from './life-span.ts';
import { price, requirements } from './price.ts';
import { projectileType } from './projectile.ts';
import { countsAsTrue, countsAsWritten, equalsTrue, isTrue } from './reference-reading.ts';
import {
  array,
  boolean,
  convert,
  defaulted,
  entry,
  field,
  type Infer,
  ignoredFields,
  integer,
  key,
  map,
  named,
  number,
  object,
  openEnum,
  rawCollection,
  shapes,
  string,
} from './schema.ts';

/** An editor's search-and-replace once replaced `bullet` in field names by this. Both spellings occur in documents. */
const mangled = 'bulletDestroyedOnCollisionWithWall/unit';

export interface Damage {
  readonly unitAttributes: Amounts;
  readonly playerAttributes: Amounts;
  /** `hostile`, `friendly`, `neutral`, `everything`; empty means everything. */
  readonly targetsAffected: readonly string[];
}

/** A bare number is damage to `health`. */
const bareDamage = convert(number, (health): Damage => {
  return Object.freeze({
    unitAttributes: new FrozenMap([['health', health]]),
    playerAttributes: emptyMap,
    targetsAffected: [],
  });
});
const damage = shapes<Damage>('a number or {unitAttributes, targetsAffected}', {
  number: bareDamage,
  string: bareDamage,
  object: object({
    unitAttributes: defaulted(amounts, emptyMap),
    playerAttributes: defaulted(amounts, emptyMap),
    targetsAffected: defaulted(array(string), []),
  }),
});

/** `percentage` scales value and maximum; `flat` moves the maximum (reference: items-projectiles#passive-bonuses). */
export interface PassiveBonus {
  readonly type: 'flat' | 'percentage';
  readonly value: number;
}
const flat = convert(number, (value): PassiveBonus => Object.freeze({ type: 'flat', value }));
const passiveBonus = shapes<PassiveBonus>('a number or {type, value}', {
  number: flat,
  string: flat,
  object: object({
    type: defaulted(
      convert(string, (type): PassiveBonus['type'] => (type === 'percentage' ? type : 'flat')),
      'flat',
    ),
    value: defaulted(number, 0),
  }),
});
const passiveBonuses = map(passiveBonus, { arrays: true });

const bonus = object({
  consume: object({
    playerAttribute: defaulted(amounts, emptyMap),
    unitAttribute: defaulted(amounts, emptyMap),
    coin: number,
  }),
  passive: object({
    playerAttribute: defaulted(passiveBonuses, emptyMap),
    unitAttribute: defaulted(passiveBonuses, emptyMap),
    isDisabledInBackpack: defaulted(equalsTrue, false),
  }),
  isConsumedImmediately: defaulted(boolean, false),
});

const itemControls = named(
  'ItemControls',
  'How a player handles an item.',
  object({
    undroppable: defaulted(countsAsTrue, false),
    /** If absent, the dialect decides. */
    canMerge: countsAsWritten,
    /** Absent counts as allowed. */
    backpackAllowed: equalsTrue,
    permittedInventorySlots: defaulted(inventorySlots, []),
    designatedInventorySlot: integer,
    mouseBehaviour,
    untradable: defaulted(countsAsTrue, false),
    equipRequirement: object({
      playerAttributes: defaulted(requirements, emptyMap),
      unitAttributes: defaulted(requirements, emptyMap),
    }),
  }),
);

/** Pixels, from the carrier's centre; y is forward. */
const bulletStartPosition = object({
  x: defaulted(number, 0),
  y: defaulted(number, 0),
  rotation: defaulted(number, 0),
  ...ignoredFields('z'),
});

const damageHitBox = object({ width: number, height: number, offsetX: number, offsetY: number });

/** Specification, Item type; reference: items-projectiles#item-states. Times in milliseconds, distances in pixels. */
export const itemType = entry('ItemType', 'A kind of item.', {
  ...entityFields,
  description: string,
  /** Items of other types do nothing when used. */
  type: openEnum(['weapon', 'consumable', 'unusable']),
  isGun: defaulted(countsAsTrue, false),
  isStackable: boolean,
  isPurchasable: boolean,
  isUsedOnPickup: defaulted(countsAsWritten, false),
  removeWhenEmpty: defaulted(isTrue, false),
  hideIfUnaffordable: boolean,
  penetration: boolean,
  bulletType: field(openEnum(['projectile', 'raycast']), { legacyKeys: [`${mangled}Type`] }),
  bulletForce: field(number, { legacyKeys: [`${mangled}Force`] }),
  bulletDistance: field(number, { legacyKeys: [`${mangled}Distance`] }),
  bulletStartPosition: field(bulletStartPosition, { legacyKeys: [`${mangled}StartPosition`] }),
  /** Key of a projectile type, or a name built into clients. */
  projectileType: key,
  deployMethod: openEnum(['setVelocity', 'applyForce', 'applyImpulse']),
  /** `null`, `""` and absent all mean unlimited, which is `null` here. */
  quantity: defaulted<number | null>(number, null),
  maxQuantity: defaulted<number | null>(number, null),
  fireRate: number,
  reloadRate: number,
  recoilForce: number,
  knockbackForce: number,
  delayBeforeUse: number,
  damageDelay: number,
  explosiveTimer: number,
  destroyTimer: number,
  lifeSpan,
  damage,
  damageHitBox,
  bonus,
  cost: defaulted(cost, free),
  price,
  /** Unit types that may carry it; empty means all. */
  carriedBy: defaulted(array(key), []),
  canBeUsedBy: defaulted(array(key), []),
  canBePurchasedBy: defaulted(array(key), []),
  buffTypes: defaulted(array(key), []),
  controls: itemControls,
  hits: rawCollection,
  projectileStreamMode: integer,
  ignoreServerStream: boolean,
  showCDOverlay: boolean,
  defaultProjectile: projectileType,
  /** Weight when an item is generated at random. */
  spawnChance: number,
  raycastCollidesWith: object({ units: boolean, walls: boolean }),
  isHidden: defaulted(boolean, false),
  canBeUpdatedByMap: boolean,
  ...ignoredFields(
    'ammo',
    'ammoSize',
    'ammoTotal',
    'autoUpdateQuantity',
    'consumeBonus',
    'distanceStart',
    'isConsumedImmediately',
    'itemTypes',
    'nftMinting',
    'saveBandwidth',
  ),
});

export type ItemType = Infer<typeof itemType>;

/** The key of the projectile type that is nested in an item type. */
export function defaultProjectileKey(itemType: string): string {
  return `${itemType}/defaultProjectile`;
}
export const itemTypes = map(itemType);

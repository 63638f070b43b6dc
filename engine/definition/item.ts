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
  notNegative,
  number,
  object,
  openEnum,
  rawCollection,
  shapes,
  string,
  wholePositive,
} from './schema.ts';
import { coordinates } from './shared-fields.ts';

/**
 * A search-and-replace in an editor once replaced `bullet` in field names with this string. Both spellings occur in
 * documents.
 */
const mangled = 'bulletDestroyedOnCollisionWithWall/unit';

export interface Damage {
  readonly unitAttributes: Amounts;
  readonly playerAttributes: Amounts;
  /** `hostile`, `friendly`, `neutral`, `everything`; empty means everything. */
  readonly targetsAffected: readonly string[];
  /** The damage, if it was given as a bare number. */
  readonly bare?: number;
}

/** A bare number is damage to `health`. */
const bareDamage = convert(number, (health): Damage => {
  return Object.freeze({
    unitAttributes: new FrozenMap([['health', health]]),
    playerAttributes: emptyMap,
    targetsAffected: [],
    bare: health,
  });
});
const damage = shapes<Damage>('a number or {unitAttributes, targetsAffected}', {
  number: bareDamage,
  string: bareDamage,
  object: object({
    unitAttributes: ['The damage to attributes of units, by id.', defaulted(amounts, emptyMap)],
    playerAttributes: ["The damage to attributes of the units' players, by id.", defaulted(amounts, emptyMap)],
    targetsAffected: [
      'Whose units the item hits: hostile, friendly, neutral or everything.',
      defaulted(array(string), []),
    ],
  }),
});

/**
 * `percentage` scales value and maximum; `flat` is added to the maximum (reference: items-projectiles#passive-bonuses).
 */
export interface PassiveBonus {
  readonly type: 'flat' | 'percentage';
  readonly value: number;
}
const flat = convert(number, (value): PassiveBonus => Object.freeze({ type: 'flat', value }));
const passiveBonus = shapes<PassiveBonus>('a number or {type, value}', {
  number: flat,
  string: flat,
  object: object({
    type: [
      'Whether the value is a percentage or an amount: percentage or flat.',
      defaulted(openEnum(['percentage', 'flat']), 'flat'),
    ],
    value: ['The bonus.', defaulted(number, 0)],
  }),
});
const passiveBonuses = map(passiveBonus, { arrays: true });

const bonus = object({
  consume: [
    'The bonus that using the item gives.',
    object({
      playerAttribute: ['What the bonus adds to attributes of the player, by id.', defaulted(amounts, emptyMap)],
      unitAttribute: ['What the bonus adds to attributes of the unit, by id.', defaulted(amounts, emptyMap)],
      coin: ['How many coins of the platform the bonus adds.', number],
    }),
  ],
  passive: [
    'The bonus while the item is carried.',
    object({
      playerAttribute: ['The bonus to attributes of the player, by id.', defaulted(passiveBonuses, emptyMap)],
      unitAttribute: ['The bonus to attributes of the unit, by id.', defaulted(passiveBonuses, emptyMap)],
      isDisabledInBackpack: [
        'Whether the bonus does not apply while the item is in the backpack.',
        defaulted(equalsTrue, false),
      ],
    }),
  ],
  isConsumedImmediately: [
    'Whether the item is used and removed as soon as it is picked up.',
    defaulted(boolean, false),
  ],
});

const itemControls = named(
  'ItemControls',
  'How a player handles an item.',
  object({
    undroppable: ['Whether the item cannot be dropped.', defaulted(countsAsTrue, false)],
    /** If the field is absent, the dialect decides whether stacks merge. */
    canMerge: ['Whether stacks of this item merge into a single stack.', countsAsWritten],
    /** If absent, the backpack is allowed. */
    backpackAllowed: ['Whether the item may be in the backpack.', equalsTrue],
    permittedInventorySlots: ['The inventory slots that the item may occupy.', defaulted(inventorySlots, [])],
    designatedInventorySlot: ['The inventory slot that the item always goes into.', wholePositive],
    mouseBehaviour: ['How the item turns and flips with the mouse.', mouseBehaviour],
    untradable: ['Whether the item cannot be traded.', defaulted(countsAsTrue, false)],
    equipRequirement: [
      'What a unit must have to equip the item.',
      object({
        playerAttributes: [
          'The values that attributes of the player must have, by id.',
          defaulted(requirements, emptyMap),
        ],
        unitAttributes: ['The values that attributes of the unit must have, by id.', defaulted(requirements, emptyMap)],
      }),
    ],
  }),
);

/** In pixels, relative to the carrier's centre; y is forward. */
const bulletStartPosition = object({
  ...coordinates,
  rotation: ['The angle, in degrees.', defaulted(number, 0)],
  ...ignoredFields({ z: 'The height.' }),
});

const damageHitBox = object({
  width: ['The width.', notNegative],
  height: ['The height.', notNegative],
  offsetX: ['The horizontal offset from the centre; positive is right.', number],
  offsetY: ['The vertical offset from the centre; positive is down.', number],
});

/**
 * An item type (specification, Item type; reference: items-projectiles#item-states). Times in milliseconds, distances
 * in pixels.
 */
const itemType = entry('ItemType', 'A kind of item.', {
  ...entityFields,
  description: ['A description for readers.', string],
  /** An item of any other type, or without a type, does nothing when used. */
  type: [
    'What using the item does: attack (weapon), consume the item (consumable) or nothing (unusable).',
    openEnum(['weapon', 'consumable', 'unusable']),
  ],
  isGun: ['Whether the item fires projectiles or rays.', defaulted(countsAsTrue, false)],
  isStackable: ['Whether several items of this type form a stack.', boolean],
  isPurchasable: ['Whether players can buy the item.', boolean],
  isUsedOnPickup: ['Whether the item is used as soon as it is picked up.', defaulted(countsAsWritten, false)],
  removeWhenEmpty: ['Whether the item is removed when its quantity reaches 0.', defaulted(isTrue, false)],
  hideIfUnaffordable: ['Whether the shop hides the item from players who cannot afford it.', boolean],
  penetration: ['Whether rays and projectiles pass through units that they hit.', boolean],
  bulletType: [
    'What the item fires: projectiles or rays.',
    field(openEnum(['projectile', 'raycast']), { legacyKeys: [`${mangled}Type`] }),
  ],
  bulletForce: ['The force with which projectiles are fired.', field(notNegative, { legacyKeys: [`${mangled}Force`] })],
  bulletDistance: ['The range of a ray, in pixels.', field(notNegative, { legacyKeys: [`${mangled}Distance`] })],
  bulletStartPosition: [
    'Where projectiles start: an offset in pixels, and a rotation in degrees.',
    field(bulletStartPosition, { legacyKeys: [`${mangled}StartPosition`] }),
  ],
  /** Key of a projectile type, or a name built into clients. */
  projectileType: ['The type of projectile that is fired.', key],
  deployMethod: ['How the projectile starts.', openEnum(['setVelocity', 'applyForce', 'applyImpulse'])],
  /** `null`, `""` and absent all mean unlimited, which is `null` here. */
  quantity: ['The quantity; without a value, the quantity is unlimited.', defaulted<number | null>(notNegative, null)],
  maxQuantity: [
    'The largest quantity of a stack; without a value, the quantity is unlimited.',
    defaulted<number | null>(notNegative, null),
  ],
  fireRate: ['The time between two uses, in milliseconds.', notNegative],
  reloadRate: ['The reload time, in milliseconds.', notNegative],
  recoilForce: ["The force with which firing pushes the item's carrier back.", number],
  knockbackForce: ['The force with which the item pushes a unit that it hits.', number],
  delayBeforeUse: ['The delay before a use takes effect, in milliseconds.', notNegative],
  damageDelay: ['The delay before a use does damage, in milliseconds.', notNegative],
  explosiveTimer: ['The time until the item explodes, in milliseconds.', notNegative],
  destroyTimer: ['The time until the item is destroyed, in milliseconds.', notNegative],
  lifeSpan: ['The lifetime, in milliseconds; without a value, the item lasts forever.', lifeSpan],
  damage: ['How a hit changes attributes of the unit that is hit, and of its player.', damage],
  damageHitBox: ['The area that a strike hits.', damageHitBox],
  bonus: ['The bonuses that the item gives to its carrier.', bonus],
  cost: ['The cost of one use or cast.', defaulted(cost, free)],
  price: ['The price.', price],
  /** Keys of the unit types that may carry the item; an empty list allows all. */
  carriedBy: ['The unit types that may carry the item.', defaulted(array(key), [])],
  canBeUsedBy: ['The unit types that may use the item.', defaulted(array(key), [])],
  canBePurchasedBy: ['The unit types that may buy the item.', defaulted(array(key), [])],
  buffTypes: ['Buffs, by id.', defaulted(array(key), [])],
  controls: ['How the keyboard and mouse control the item.', itemControls],
  hits: ['Which units the item hits.', rawCollection],
  projectileStreamMode: [
    '1 if the server sends the projectiles of the item to clients; otherwise, clients create them.',
    integer,
  ],
  ignoreServerStream: ['Whether clients move the item without waiting for the server.', boolean],
  showCDOverlay: ['Whether the inventory shows the cooldown.', boolean],
  defaultProjectile: ['The projectile that the item fires, defined inline.', projectileType],
  spawnChance: [
    'The weight of this type if an item type is chosen at random. No engine uses this weight at present.',
    notNegative,
  ],
  raycastCollidesWith: [
    'What rays of this item hit.',
    object({ units: ['Whether rays hit units.', boolean], walls: ['Whether rays hit walls.', boolean] }),
  ],
  isHidden: ['Whether clients hide the item.', defaulted(boolean, false)],
  canBeUpdatedByMap: ['Whether a single map may change this type in a world of several maps.', boolean],
  ...ignoredFields({
    ammo: 'The initial number of shots in the magazine.',
    ammoSize: 'The number of shots in the magazine after reloading.',
    ammoTotal: 'The total number of shots.',
    autoUpdateQuantity: 'Whether each use reduces the quantity by 1.',
    consumeBonus: 'The bonus that using the item gives.',
    distanceStart: 'Unused: no engine reads this field.',
    isConsumedImmediately: 'Whether the item is used and removed as soon as it is picked up.',
    itemTypes: 'Types of items, by id.',
    nftMinting: 'Used by the platform only.',
    saveBandwidth: 'Whether clients receive fewer updates of the item.',
  }),
});

export type ItemType = Infer<typeof itemType>;

/** The key of the projectile type that is nested in an item type. */
export function defaultProjectileKey(itemType: string): string {
  return `${itemType}/defaultProjectile`;
}
export const itemTypes = map(itemType);

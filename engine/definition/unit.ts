import { keyBindings } from './ability.ts';
import { controls } from './controls.ts';
import { entityFields } from './entity.ts';
import { emptyMap } from './frozen-map.ts';
import { position } from './geometry.ts';
import { price } from './price.ts';
import { countsAsTrue, equalsTrue } from './reference-reading.ts';
import {
  array,
  boolean,
  convert,
  defaulted,
  entry,
  type Infer,
  ignoredFields,
  integer,
  integerIn,
  key,
  map,
  named,
  notNegative,
  object,
  openEnum,
  positive,
  shapes,
  string,
} from './schema.ts';

/** The AI of a unit type (specification, Unit type, `ai`; reference: units#ai). An absent distance means no limit. */
const ai = named(
  'AI',
  'The behaviour of units that no player controls.',
  object({
    enabled: ['Whether AI controls units of this type.', defaulted(countsAsTrue, false)],
    pathFindingMethod: [
      'How AI units find their way: straight, or with A* over the cells of the map.',
      openEnum(['simple', 'a*']),
    ],
    idleBehaviour: ['What the unit does while idle.', openEnum(['stay', 'wander'])],
    sensorResponse: ['How the unit reacts when it detects another unit.', openEnum(['none', 'fight', 'flee'])],
    attackResponse: ['How the unit reacts when it is attacked.', openEnum(['none', 'fight', 'flee'])],
    maxTravelDistance: ['How far the unit moves from where it was provoked, in pixels.', notNegative],
    letGoDistance: ['The distance at which the unit gives up its target, in pixels.', notNegative],
    sensorRadius: ['The radius in which the unit detects other units, in pixels.', notNegative],
    maxAttackRange: ['The largest distance from which the unit attacks, in pixels.', notNegative],
  }),
);
export type AI = Infer<typeof ai>;

const fullDefaultItem = object({
  key: ['The id of the item type.', key],
  value: ['The initial value.', string],
  name: ['The display name in game clients and editors.', string],
  quantity: ['The quantity of the item.', notNegative],
});
type DefaultItem = Infer<typeof fullDefaultItem>;
const defaultItem = shapes<DefaultItem>('an object with the key of an item type', {
  object: fullDefaultItem,
  string: convert(key, (itemKey): DefaultItem => {
    return Object.freeze({ key: itemKey, value: undefined, name: undefined, quantity: undefined });
  }),
});

/**
 * Maximum number of slots, which the specification does not limit. It is far more than any game uses, and prevents a
 * unit from exhausting memory.
 */
const slotsMax = 1000;

/** A unit type (specification, Unit type; reference: units#creation). */
const unitType = entry('UnitType', 'A type of unit, such as a player character or a monster.', {
  ...entityFields,
  baseSpeed: ['Older name of the initial speed.', notNegative],
  backpackSize: ['The number of backpack slots.', defaulted(integerIn({ min: 0, max: slotsMax }), 0)],
  inventorySize: ['The number of inventory slots.', defaulted(integerIn({ min: 0, max: slotsMax }), 0)],
  equipmentAllowed: ['The items that the unit may carry.', integer],
  canBuyItem: ['Whether the unit may buy items.', boolean],
  isPurchasable: ['Whether players can buy the unit.', boolean],
  isUnTargetable: ['Whether AI ignores the unit as a target.', defaulted(equalsTrue, false)],
  canBePurchasedBy: ['The unit types that may buy the unit.', defaulted(array(key), [])],
  price: ['The price.', price],
  skin: ['The skin in the shop of the platform.', string],
  spawnPosition: ['The position at which the unit spawns.', position],
  /** The legacy map of key bindings. The reference of 2024 reads only `controls.abilities`. */
  legacyAbilities: ['Abilities, by id.', defaulted(keyBindings, emptyMap, { from: 'abilities' })],
  controls: ['How the keyboard and mouse control the unit.', controls],
  ai: ['The behaviour of the unit when no player controls it.', ai],
  /** The items that a new unit of the type gets, in order. */
  defaultItems: [
    'The items that a new unit carries.',
    defaulted(array(defaultItem), [], { legacyKeys: ['defaultItem'] }),
  ],
  /** If true, the unit turns with the camera instead of towards the mouse. */
  cameraPointerLock: ['Whether moving the mouse turns the camera.', defaulted(countsAsTrue, false)],
  visibilityMask: [
    'How far a player sees around the unit.',
    object({ enabled: ['Whether the limit of the view is enabled.', boolean], range: ['The range.', positive] }),
  ],
  isHidden: ['Whether clients hide the unit.', defaulted(boolean, false)],
  isWorld: ['Whether the type belongs to a world of several maps.', boolean],
  canBeUpdatedByMap: ['Whether a single map may change this type in a world of several maps.', boolean],
  ...ignoredFields({
    abilitiesJ8Gtv5HQ8JREnjD: 'Unused: no engine reads this field.',
    abilitiesJ8Gtv5hQ8j: 'Unused: no engine reads this field.',
    allowSleep: 'Whether the physics engine may put the body to sleep.',
    cameraOffset: 'The offset of the camera from the unit.',
    cameraPitchRange: "The range of the camera's pitch.",
    canBeMountedBy: 'Unused: no engine has this feature.',
    description: 'A description for readers.',
    inventorySlots: 'Which items each slot accepts.',
    mobilePosition: 'The position of the button on phones.',
    mountOffsets: 'Unused: no engine has this feature.',
    mountSlots: 'Unused: no engine has this feature.',
    scaleLabelByDistance: "Whether the unit's name label shrinks with distance.",
    unitTypes: 'Types of units, by id.',
  }),
});
export type UnitType = Infer<typeof unitType>;
export const unitTypes = map(unitType);

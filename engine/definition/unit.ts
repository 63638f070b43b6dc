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
  number,
  object,
  openEnum,
  shapes,
  string,
} from './schema.ts';

/** Specification, Unit type, `ai`; reference: units#ai. Distances are in pixels. An absent distance means no limit. */
const ai = named(
  'AI',
  'The behaviour of units that no player controls.',
  object({
    enabled: defaulted(countsAsTrue, false),
    pathFindingMethod: openEnum(['simple', 'a*']),
    idleBehaviour: openEnum(['stay', 'wander']),
    sensorResponse: openEnum(['none', 'fight', 'flee']),
    attackResponse: openEnum(['none', 'fight', 'flee']),
    maxTravelDistance: number,
    letGoDistance: number,
    sensorRadius: number,
    maxAttackRange: number,
  }),
);
export type AI = Infer<typeof ai>;

const fullDefaultItem = object({ key, value: string, name: string, quantity: number });
type DefaultItem = Infer<typeof fullDefaultItem>;
const defaultItem = shapes<DefaultItem>('an object with the key of an item type', {
  object: fullDefaultItem,
  string: convert(key, (itemKey): DefaultItem => {
    return Object.freeze({ key: itemKey, value: undefined, name: undefined, quantity: undefined });
  }),
});

/** Not in the specification. Far more than any game uses; prevents a unit from exhausting memory. */
const slotsMax = 1000;

/** Specification, Unit type; reference: units#creation. */
export const unitType = entry('UnitType', 'A type of unit, such as a player character or a monster.', {
  ...entityFields,
  baseSpeed: number,
  backpackSize: defaulted(integerIn({ max: slotsMax }), 0),
  inventorySize: defaulted(integerIn({ max: slotsMax }), 0),
  equipmentAllowed: integer,
  canBuyItem: boolean,
  isPurchasable: boolean,
  isUnTargetable: defaulted(equalsTrue, false),
  canBePurchasedBy: defaulted(array(key), []),
  price,
  skin: string,
  spawnPosition: position,
  /** The legacy map of key bindings. The reference of 2024 reads only `controls.abilities`. */
  legacyAbilities: defaulted(keyBindings, emptyMap, { from: 'abilities' }),
  controls,
  ai,
  /** The items that a new unit of the type gets, in order. */
  defaultItems: defaulted(array(defaultItem), [], { legacyKeys: ['defaultItem'] }),
  /** If true, the unit turns with the camera instead of towards the mouse. */
  cameraPointerLock: defaulted(countsAsTrue, false),
  visibilityMask: object({ enabled: boolean, range: number }),
  isHidden: defaulted(boolean, false),
  isWorld: boolean,
  canBeUpdatedByMap: boolean,
  ...ignoredFields(
    'abilitiesJ8Gtv5HQ8JREnjD',
    'abilitiesJ8Gtv5hQ8j',
    'allowSleep',
    'cameraOffset',
    'cameraPitchRange',
    'canBeMountedBy',
    'description',
    'inventorySlots',
    'mobilePosition',
    'mountOffsets',
    'mountSlots',
    'scaleLabelByDistance',
    'unitTypes',
  ),
});
export type UnitType = Infer<typeof unitType>;
export const unitTypes = map(unitType);

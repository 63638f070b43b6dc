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
  integer,
  integerIn,
  key,
  loose,
  map,
  named,
  number,
  object,
  shapes,
  string,
  word,
} from './schema.ts';

/** Specification, Unit type, `ai`; reference: units#ai. Distances in pixels; an absent distance is no limit. */
const ai = named(
  'AI',
  'How a unit behaves that no player steers.',
  object({
    enabled: defaulted(countsAsTrue, false),
    pathFindingMethod: word(['simple', 'a*']),
    idleBehaviour: word(['stay', 'wander']),
    sensorResponse: word(['none', 'fight', 'flee']),
    attackResponse: word(['none', 'fight', 'flee']),
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

/** The specification names no bound; this one is far above any game, and keeps a unit from filling the memory. */
const slotsMax = 1000;

/** Specification, Unit type; reference: units#creation. */
export const unitType = entry('UnitType', 'A kind of unit: what players steer and monsters are.', {
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
  /** The older map of bindings; the reference engines of 2024 read `controls.abilities` only. */
  legacyAbilities: defaulted(keyBindings, emptyMap, { from: 'abilities' }),
  controls,
  ai,
  /** Given to every new unit of the type, in order. */
  defaultItems: defaulted(array(defaultItem), [], { twins: ['defaultItem'] }),
  /** Rotation follows the camera's yaw instead of the mouse pointer. */
  cameraPointerLock: defaulted(countsAsTrue, false),
  visibilityMask: object({ enabled: boolean, range: number }),
  isHidden: defaulted(boolean, false),
  isWorld: boolean,
  canBeUpdatedByMap: boolean,
  ...loose(
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

import { abilities, keyBindings } from './ability.ts';
import { emptyMap } from './frozen-map.ts';
import { mouseBehaviour } from './geometry.ts';
import { countsAsTrue } from './reference-reading.ts';
import {
  array,
  convert,
  defaulted,
  ignoredFields,
  integer,
  named,
  number,
  object,
  openEnum,
  shapes,
  string,
} from './schema.ts';

/** A slot number counted from 1, or the word for all backpack slots. */
type InventorySlot = number | 'backpack-slots';

const slotNumberOrWord = shapes<InventorySlot>('a slot number or "backpack-slots"', {
  number: integer,
  string: convert(string, (text, place, given): InventorySlot | undefined => {
    return text === 'backpack-slots' ? text : place.read(integer, given);
  }) as never,
});
export const inventorySlots = array(slotNumberOrWord);

/** Specification, Controls; reference: units#keys. */
export const controls = named(
  'Controls',
  'How a player steers a unit.',
  object({
    movementType: string,
    movementControlScheme: openEnum(['wasd', 'ad', 'followCursor', 'wasdRelativeToUnit']),
    movementMethod: openEnum(['force', 'velocity', 'impulse']),
    mouseBehaviour: defaulted(
      mouseBehaviour,
      Object.freeze({ rotateToFaceMouseCursor: false, flipSpriteHorizontallyWRTMouse: false }),
    ),
    absoluteRotation: defaulted(countsAsTrue, false),
    permittedInventorySlots: defaulted(inventorySlots, []),
    unitAbilities: defaulted(abilities, emptyMap),
    abilities: defaulted(keyBindings, emptyMap),
    cspMode: number,
    ...ignoredFields('clientPredictedMovement', 'spriteFlipDirection', 'spriteFlipType'),
  }),
);

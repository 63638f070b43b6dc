import { abilities, keyBindings } from './ability.ts';
import { emptyMap } from './frozen-map.ts';
import { mouseBehaviour } from './geometry.ts';
import { countsAsTrue } from './reference-reading.ts';
import {
  array,
  convert,
  defaulted,
  ignoredFields,
  named,
  number,
  object,
  openEnum,
  shapes,
  string,
  wholePositive,
} from './schema.ts';

/** A slot number, counted from 1, or the word that stands for all backpack slots. */
type InventorySlot = number | 'backpack-slots';

const slotNumberOrWord = shapes<InventorySlot>('a slot number or "backpack-slots"', {
  number: wholePositive,
  string: convert(string, (text, place, given): InventorySlot | undefined => {
    return text === 'backpack-slots' ? text : place.read(wholePositive, given);
  }) as never,
});
export const inventorySlots = array(slotNumberOrWord);

/** The controls of a unit type (specification, Controls; reference: units#keys). */
export const controls = named(
  'Controls',
  'How a player steers a unit.',
  object({
    movementType: ['What moves the unit.', string],
    movementControlScheme: [
      'Which keys move the unit: wasd, ad, wasdRelative or followCursor.',
      openEnum(['wasd', 'ad', 'followCursor', 'wasdRelativeToUnit']),
    ],
    movementMethod: [
      'Whether keys set a velocity or apply a force or an impulse.',
      openEnum(['force', 'velocity', 'impulse']),
    ],
    mouseBehaviour: [
      'How the unit turns and flips with the mouse.',
      defaulted(
        mouseBehaviour,
        Object.freeze({ rotateToFaceMouseCursor: false, flipSpriteHorizontallyWRTMouse: false }),
      ),
    ],
    absoluteRotation: [
      'Whether the unit turns in the direction from the centre of the screen to the mouse.',
      defaulted(countsAsTrue, false),
    ],
    permittedInventorySlots: ['The inventory slots that the item may occupy.', defaulted(inventorySlots, [])],
    unitAbilities: ['Abilities of the unit, by id.', defaulted(abilities, emptyMap)],
    abilities: ['Abilities, by id.', defaulted(keyBindings, emptyMap)],
    cspMode: ["How much of the unit's movement clients predict.", number],
    ...ignoredFields({
      clientPredictedMovement: "Whether clients predict the unit's movement.",
      spriteFlipDirection: 'When the sprite is mirrored.',
      spriteFlipType: 'How the sprite is mirrored.',
    }),
  }),
);

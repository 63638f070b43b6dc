import { body, document, held, itemType, script, unitType } from '../../support/play.ts';

const inHand = { function: 'getItemCurrentlyHeldByUnit', entity: { function: 'getTriggeringUnit' } };
const collidesWith = { units: false, items: false, projectiles: false, walls: false };
const joining = { function: 'getTriggeringPlayer' };

/**
 * Soldiers with a gun for the left button, whose rays hit at once what is in front of them. A custom input moves the
 * own one to the left.
 */
export const shootingRange = document({
  unitTypes: {
    soldier: unitType({
      bodies: { default: body({ collidesWith }) },
      defaultItems: ['gun'],
      controls: {
        movementControlScheme: 'wasd',
        movementMethod: 'velocity',
        mouseBehaviour: {},
        abilities: { button1: { keyDown: { scriptName: 'shoot' } } },
      },
    }),
  },
  itemTypes: {
    gun: itemType({
      type: 'weapon',
      isGun: true,
      bulletType: 'raycast',
      bulletDistance: 600,
      bulletStartPosition: { x: 0, y: 40 },
      bodies: { selected: held({ jointType: 'none' }) },
      damage: { targetsAffected: ['everything'], unitAttributes: { health: 10 }, playerAttributes: {} },
    }),
  },
  scripts: {
    join: script('playerJoinsGame', [
      { type: 'assignPlayerType', entity: joining, playerType: 'human' },
      {
        type: 'createUnitAtPosition',
        unitType: 'soldier',
        entity: joining,
        angle: 0,
        position: { x: 640, y: 640 },
      },
    ]),
    go: script('playerCustomInput', [
      {
        type: 'moveEntity',
        entity: { function: 'getPlayerSelectedUnit', player: joining },
        position: { x: 240, y: 340 },
      },
    ]),
    shoot: script(
      [],
      [
        { type: 'startUsingItem', entity: inHand },
        { type: 'stopUsingItem', entity: inHand },
      ],
    ),
  },
});

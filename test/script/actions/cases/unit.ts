import { rowOf } from '../../../../engine/world/entity.ts';
import { body, script, unitType } from '../../../support/play.ts';
import { type ActionGame, actionGameData, idOf, type Json, the } from '../action-game.ts';
import type { ActionCase, ActionCases, Refusal } from '../harness.ts';

const me = the('me');
const me2 = (played: ActionGame) => rowOf(played.entity('me'));
const asked = (axis: 'x' | 'y') => (played: ActionGame) => played.world.components.movement[axis][me2(played)];
const typeOf = (entity: unknown): Json => ({ function: 'getUnitTypeOfUnit', entity });

/** Movement along both axes after the unit was sent to the lower right. */
function steers(x: number, y: number): ActionCase[] {
  return [
    {
      give: { entity: me },
      before: [
        { type: 'startMovingUnitDown', entity: me },
        { type: 'startMovingUnitRight', entity: me },
      ],
      see: (played) => [asked('x')(played), asked('y')(played)],
      is: [x, y],
    },
  ];
}
function starts(x: number, y: number): ActionCase[] {
  return [
    {
      give: { entity: me },
      see: (played) => [asked('x')(played), asked('y')(played)],
      is: [x, y],
    },
    {
      // It continues until another order.
      give: { entity: me },
      after: 20,
      see: (played) => {
        const { components } = played.world;
        const row = me2(played);
        return [
          Math.sign(Math.round(components.transform.x[row]! - 640)),
          Math.sign(Math.round(components.transform.y[row]! - 640)),
        ];
      },
      is: [x, y],
    },
  ];
}

function flags(value: boolean, ...names: string[]): ActionCase[] {
  return [
    {
      give: { entity: me },
      publishes: [{ kind: 'entity.style', entityId: 'u1', flags: names, value, to: 'everyone' }],
    },
  ];
}
function labelFlag(value: boolean): ActionCase[] {
  return flags(value, 'isNameLabelHidden');
}

const word = the('word');
const mana = { function: 'getEntityAttribute', attribute: 'mana', entity: me };
const poor = [{ type: 'setEntityAttribute', attribute: 'mana', entity: me, value: 1 }];

const oddSlots: Refusal[] = [0, 99, 1.5].map((slotIndex) => ({
  give: { unit: me, slotIndex },
  refused: 'wrong-value',
}));

const hands = (played: ActionGame): unknown => [
  played.value({ function: 'getItemCurrentlyHeldByUnit', entity: me }),
  played.fired.filter((each) => each.includes('elect')),
];

const { citizen } = actionGameData['unitTypes'] as Record<string, Json>;
const turning: Json = {
  unitTypes: { citizen, giant: unitType({ bodies: { default: body({ fixedRotation: false }) } }) },
};

export const units: ActionCases = {
  createUnitAtPosition: [
    {
      give: { unitType: 'giant', entity: the('human'), position: { x: 70, y: 80 }, angle: 90 },
      see: (played) => {
        const made = { function: 'getLastCreatedUnit' };
        const { fired } = played;
        return [
          typeOf(made),
          { function: 'getEntityPosition', entity: made },
          { function: 'getPlayerName', entity: { function: 'getOwner', entity: made } },
        ]
          .map((each) => played.value(each))
          .concat(fired.filter((each) => each.startsWith('entityCreated')));
      },
      is: ['giant', { x: 70, y: 80 }, 'Ann', 'entityCreatedGlobal', 'entityCreated'],
    },
    ...[
      { given: { angle: 1.5 }, is: 1.5 },
      { given: {}, is: 0 },
    ].map(({ given, is }) => ({
      // Radians, for a body that can rotate.
      give: { unitType: 'giant', entity: the('human'), position: { x: 70, y: 80 }, ...given },
      data: turning,
      see: ({ world }: ActionGame) => {
        const { createdUnit } = world.memory.last;
        return [world.ref(createdUnit)?.id, world.components.transform.angle[rowOf(createdUnit)]];
      },
      is: ['u3', is],
    })),
    {
      give: { unitType: 'nobody', entity: the('human'), position: { x: 70, y: 80 }, angle: 0 },
      refused: 'no-such-type',
    },
  ],
  changeUnitType: [
    {
      give: { entity: me, unitType: 'giant' },
      see: (played) => [
        played.value(typeOf(me)),
        played.value({ function: 'getEntityAttribute', attribute: 'health', entity: me }),
        played.value({ function: 'entityAttributeMax', attribute: 'health', entity: me }),
      ],
      is: ['giant', 50, 500],
    },
    { give: { entity: me, unitType: 'nobody' }, refused: 'no-such-type' },
  ],
  setUnitOwner: [
    {
      give: { unit: me, player: the('robot') },
      see: (played) => [
        played.value({ function: 'getOwner', entity: me }) === played.value(the('robot')),
        played.value({ function: 'getPlayerSelectedUnit', player: the('human') }),
        played.value({ function: 'allUnitsOwnedByPlayer', player: the('robot') }),
      ],
      is: [true, undefined, ['@u2', '@u1']],
    },
  ],
  setUnitNameLabel: [
    { give: { unit: me, name: 'Rex' }, see: { function: 'entityName', entity: me }, is: 'Rex' },
    { give: { unit: me, name: 7 }, see: { function: 'entityName', entity: me }, is: '7' },
  ],
  makeUnitSelectItemAtSlot: [
    {
      give: { unit: me, slotIndex: 2 },
      see: hands,
      is: ['@i2', ['thisItemIsSelected', 'thisUnitSelectsItem', 'unitSelectsItem', 'unitSelectsInventorySlot']],
    },
    { give: { unit: me, slotIndex: '3' }, see: hands, is: [undefined, ['unitSelectsInventorySlot']] },
    ...oddSlots,
  ],
  startMovingUnitUp: starts(0, -1),
  startMovingUnitDown: starts(0, 1),
  startMovingUnitLeft: starts(-1, 0),
  startMovingUnitRight: starts(1, 0),
  stopMovingUnit: steers(0, 0),
  stopMovingUnitX: steers(0, 1),
  stopMovingUnitY: steers(1, 0),
  stunUnit: [
    {
      give: { unit: me },
      before: [{ type: 'startUsingItem', entity: the('held') }],
      see: (played) => {
        played.sim.input({ kind: 'keyDown', player: 'p1', key: 'd' });
        played.sim.run({ ticks: 10 });
        const { components } = played.world;
        return [
          components.itemUse.beingUsed[rowOf(played.entity('held'))],
          Math.round(components.transform.x[me2(played)]!),
        ];
      },
      is: [0, 640],
    },
  ],
  removeStunFromUnit: [
    {
      give: { unit: me },
      before: [{ type: 'stunUnit', unit: me }],
      see: (played) => {
        played.sim.input({ kind: 'keyDown', player: 'p1', key: 'd' });
        played.sim.run({ ticks: 10 });
        return Math.round(played.world.components.transform.x[me2(played)]!) > 650;
      },
      is: true,
    },
  ],
  castAbility: [
    {
      give: { entity: me, abilityName: 'shout' },
      see: (played) => [played.value(word), played.value(mana), played.value(idOf({ function: 'getLastCastingUnit' }))],
      is: ['shouted', 7, 'u1'],
    },
    {
      // An ability that the game does not define, but whose name is built in.
      give: { entity: me, abilityName: 'drop' },
      see: { function: 'getItemCurrentlyHeldByUnit', entity: me },
      is: undefined,
    },
    { give: { entity: me, abilityName: 'nobody' }, refused: 'no-such-reference' },
    // If the unit cannot pay, nothing is cast, and that is not a fault.
    { give: { entity: me, abilityName: 'shout' }, before: poor, refused: undefined },
  ],
  startCastingAbility: [
    {
      give: { entity: me, ability: 'sing' },
      see: (played) => [played.value(word), played.value(mana)],
      is: ['sings', 8],
    },
    {
      give: { entity: { function: 'getTriggeringUnit' }, ability: 'sing' },
      see: word,
      is: 'sings',
    },
    {
      // A script of the unit can end it.
      give: { entity: me, ability: 'sing' },
      data: { scripts: { sings: script([], [{ type: 'stopCastingAbility', entity: me, ability: 'sing' }]) } },
      see: word,
      is: 'rests',
    },
    { give: { entity: me, ability: 'sing' }, before: poor, refused: undefined },
    {
      give: { entity: me, ability: 'sing' },
      before: [{ type: 'startCastingAbility', entity: me, ability: 'sing' }],
      refused: undefined,
    },
  ],
  stopCastingAbility: [
    {
      give: { entity: me, ability: 'sing' },
      before: [{ type: 'startCastingAbility', entity: me, ability: 'sing' }],
      see: word,
      is: 'rests',
    },
    { give: { entity: me, ability: 'sing' }, refused: undefined },
  ],
  makeUnitInvisible: flags(true, 'isInvisible', 'isNameLabelHidden'),
  makeUnitVisible: flags(false, 'isInvisible', 'isNameLabelHidden'),
  makeUnitInvisibleToFriendlyPlayers: flags(true, 'isInvisibleToFriendly', 'isNameLabelHiddenToFriendly'),
  makeUnitVisibleToFriendlyPlayers: flags(false, 'isInvisibleToFriendly', 'isNameLabelHiddenToFriendly'),
  makeUnitInvisibleToNeutralPlayers: flags(true, 'isInvisibleToNeutral', 'isNameLabelHiddenToNeutral'),
  makeUnitVisibleToNeutralPlayers: flags(false, 'isInvisibleToNeutral', 'isNameLabelHiddenToNeutral'),
  hideUnitNameLabel: labelFlag(true),
  showUnitNameLabel: labelFlag(false),
  changeUnitSpeed: [{ give: { entity: me, unitSpeed: 5 }, after: 2 }],
  makeUnitToAlwaysFaceMouseCursor: [{ give: { entity: me }, after: 2 }],
  makeUnitToAlwaysFacePosition: [{ give: { entity: me, position: { x: 1, y: 1 } }, after: 2 }],
};

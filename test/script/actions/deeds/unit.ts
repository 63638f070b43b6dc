import { rowOf } from '../../../../engine/world/entity.ts';
import { body, script, unitType } from '../../../support/play.ts';
import type { Deed, Deeds, Refusal } from '../harness.ts';
import { idOf, type Json, the, type Village, villageData } from '../village.ts';

const me = the('me');
const me2 = (village: Village) => rowOf(village.entity('me'));
const asked = (axis: 'x' | 'y') => (village: Village) => village.world.components.movement[axis][me2(village)];
const typeOf = (entity: unknown): Json => ({ function: 'getUnitTypeOfUnit', entity });

/** Movement along both axes after the unit was sent to the lower right. */
function steers(x: number, y: number): Deed[] {
  return [
    {
      give: { entity: me },
      before: [
        { type: 'startMovingUnitDown', entity: me },
        { type: 'startMovingUnitRight', entity: me },
      ],
      see: (village) => [asked('x')(village), asked('y')(village)],
      is: [x, y],
    },
  ];
}
function starts(x: number, y: number): Deed[] {
  return [
    {
      give: { entity: me },
      see: (village) => [asked('x')(village), asked('y')(village)],
      is: [x, y],
    },
    {
      // It goes on until it is told otherwise.
      give: { entity: me },
      after: 20,
      see: (village) => {
        const { components } = village.world;
        const row = me2(village);
        return [
          Math.sign(Math.round(components.transform.x[row]! - 640)),
          Math.sign(Math.round(components.transform.y[row]! - 640)),
        ];
      },
      is: [x, y],
    },
  ];
}

function flags(value: boolean, ...names: string[]): Deed[] {
  return [
    {
      give: { entity: me },
      publishes: [{ kind: 'entity.style', entityId: 'u1', flags: names, value, to: 'everyone' }],
    },
  ];
}
function labelFlag(value: boolean): Deed[] {
  return flags(value, 'isNameLabelHidden');
}

const word = the('word');
const mana = { function: 'getEntityAttribute', attribute: 'mana', entity: me };
const poor = [{ type: 'setEntityAttribute', attribute: 'mana', entity: me, value: 1 }];

const oddSlots: Refusal[] = [0, 99, 1.5].map((slotIndex) => ({
  give: { unit: me, slotIndex },
  refused: 'wrong-value',
}));

const hands = (village: Village): unknown => [
  village.value({ function: 'getItemCurrentlyHeldByUnit', entity: me }),
  village.fired.filter((each) => each.includes('elect')),
];

const { citizen } = villageData['unitTypes'] as Record<string, Json>;
const turning: Json = {
  unitTypes: { citizen, giant: unitType({ bodies: { default: body({ fixedRotation: false }) } }) },
};

export const units: Deeds = {
  createUnitAtPosition: [
    {
      give: { unitType: 'giant', entity: the('human'), position: { x: 70, y: 80 }, angle: 90 },
      see: (village) => {
        const made = { function: 'getLastCreatedUnit' };
        const { fired } = village;
        return [
          typeOf(made),
          { function: 'getEntityPosition', entity: made },
          { function: 'getPlayerName', entity: { function: 'getOwner', entity: made } },
        ]
          .map((each) => village.value(each))
          .concat(fired.filter((each) => each.startsWith('entityCreated')));
      },
      is: ['giant', { x: 70, y: 80 }, 'Ann', 'entityCreatedGlobal', 'entityCreated'],
    },
    ...[
      { given: { angle: 1.5 }, is: 1.5 },
      { given: {}, is: 0 },
    ].map(({ given, is }) => ({
      // Radians, of a body that may turn.
      give: { unitType: 'giant', entity: the('human'), position: { x: 70, y: 80 }, ...given },
      data: turning,
      see: ({ world }: Village) => {
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
      see: (village) => [
        village.value(typeOf(me)),
        village.value({ function: 'getEntityAttribute', attribute: 'health', entity: me }),
        village.value({ function: 'entityAttributeMax', attribute: 'health', entity: me }),
      ],
      is: ['giant', 50, 500],
    },
    { give: { entity: me, unitType: 'nobody' }, refused: 'no-such-type' },
  ],
  setUnitOwner: [
    {
      give: { unit: me, player: the('robot') },
      see: (village) => [
        village.value({ function: 'getOwner', entity: me }) === village.value(the('robot')),
        village.value({ function: 'getPlayerSelectedUnit', player: the('human') }),
        village.value({ function: 'allUnitsOwnedByPlayer', player: the('robot') }),
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
      see: (village) => {
        village.sim.input({ kind: 'keyDown', player: 'p1', key: 'd' });
        village.sim.run({ ticks: 10 });
        const { components } = village.world;
        return [
          components.itemUse.beingUsed[rowOf(village.entity('held'))],
          Math.round(components.transform.x[me2(village)]!),
        ];
      },
      is: [0, 640],
    },
  ],
  removeStunFromUnit: [
    {
      give: { unit: me },
      before: [{ type: 'stunUnit', unit: me }],
      see: (village) => {
        village.sim.input({ kind: 'keyDown', player: 'p1', key: 'd' });
        village.sim.run({ ticks: 10 });
        return Math.round(village.world.components.transform.x[me2(village)]!) > 650;
      },
      is: true,
    },
  ],
  castAbility: [
    {
      give: { entity: me, abilityName: 'shout' },
      see: (village) => [
        village.value(word),
        village.value(mana),
        village.value(idOf({ function: 'getLastCastingUnit' })),
      ],
      is: ['shouted', 7, 'u1'],
    },
    {
      // What the game does not describe is what its name says.
      give: { entity: me, abilityName: 'drop' },
      see: { function: 'getItemCurrentlyHeldByUnit', entity: me },
      is: undefined,
    },
    { give: { entity: me, abilityName: 'nobody' }, refused: 'no-such-reference' },
    // Without the means nothing is cast, and that is no mistake.
    { give: { entity: me, abilityName: 'shout' }, before: poor, refused: undefined },
  ],
  startCastingAbility: [
    {
      give: { entity: me, ability: 'sing' },
      see: (village) => [village.value(word), village.value(mana)],
      is: ['sings', 8],
    },
    {
      give: { entity: { function: 'getTriggeringUnit' }, ability: 'sing' },
      see: word,
      is: 'sings',
    },
    {
      // Its own script can end it.
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

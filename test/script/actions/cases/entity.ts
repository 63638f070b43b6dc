import { rowOf } from '../../../../engine/world/entity.ts';
import { near } from '../../values/harness.ts';
import { type ActionGame, type Json, the } from '../action-game.ts';
import type { ActionCase, ActionCases } from '../harness.ts';

const me = the('me');
const debris: Json = { function: 'getDebrisVariable', debrisId: '1' };
const at = { x: 70, y: 80 };
const placeOf = (entity: unknown): Json => ({ function: 'getEntityPosition', entity });
const everyone = { to: 'everyone' };
const exists = (entity: unknown): Json => ({ function: 'entityExists', entity });
const health = { function: 'getEntityAttribute', attribute: 'health', entity: me };
const hidden = (name: 'me' | 'lying') => (played: ActionGame) =>
  played.world.components.visibility.hidden[rowOf(played.entity(name))];
const bodyScale = (played: ActionGame) => played.world.components.body.scale[rowOf(played.entity('lying'))];

function creates(): ActionCase[] {
  const made = (entityType: string, key: string, last: string, is: string): ActionCase => ({
    give: { entityType, entity: key, position: at, player: the('human'), height: '10', width: 20, angle: 90 },
    // The size at which clients draw it; its body keeps the size of its type.
    publishes: [{ kind: 'entity.style', entityId: is, width: 20, height: 10, ...everyone }],
    see: (played) => {
      const id = played.value({ function: 'getEntityId', entity: { function: last } });
      const placed = played.value(placeOf({ function: last })) as Json | undefined;
      const owner = played.value({
        function: 'getPlayerName',
        entity: { function: 'getOwner', entity: { function: last } },
      });
      return [
        id,
        placed?.['x'],
        placed?.['y'],
        owner,
        played.fired.filter((each) => each.startsWith('entityCreated')).length,
      ];
    },
    is: entityType === 'unitTypes' ? [is, 70, 80, 'Ann', 4] : [is, 70, 80, undefined, 2],
  });
  return [
    made('unitTypes', 'giant', 'getLastCreatedUnit', 'u3'),
    made('itemTypes', 'gun', 'getLastCreatedItem', 'i4'),
    made('projectileTypes', 'bullet', 'getLastCreatedProjectile', 'b2'),
  ];
}

export const entities: ActionCases = {
  createEntityAtPositionWithDimensions: [
    ...creates(),
    ...[
      { given: { angle: 90 }, degrees: 90 },
      { given: { angle: '90' }, degrees: 90 },
      { given: {}, degrees: 0 },
      // As written by editors of 3D games, which measure angles in the opposite direction.
      { given: { angle: 5, rotation: { x: 0, y: 90, z: 0 } }, degrees: 270 },
    ].map(({ given, degrees }) => ({
      give: { entityType: 'itemTypes', entity: 'gun', position: at, ...given },
      see: ({ world }: ActionGame) => {
        const { createdItem } = world.memory.last;
        return [world.ref(createdItem)?.id, world.components.transform.angle[rowOf(createdItem)]];
      },
      is: ['i4', near((degrees * Math.PI) / 180)],
    })),
    {
      give: { entityType: 'unitTypes', entity: 'nobody', position: at, player: the('human') },
      refused: 'no-such-type',
    },
    { give: { entityType: 'unitTypes', entity: 'giant', position: at }, refused: 'missing-value' },
    { give: { entityType: 'carTypes', entity: 'giant', position: at }, refused: 'wrong-value' },
  ],
  createEntityForPlayerAtPositionWithDimensions: [
    ...creates(),
    {
      give: { entityType: 'itemTypes', entity: 'gun', position: at },
      see: placeOf({ function: 'getLastCreatedItem' }),
      is: at,
    },
    {
      give: { entityType: 'itemTypes', entity: 'gun', position: at, width: 90 },
      see: ({ world }) => world.components.transform.width[rowOf(world.memory.last.createdItem)],
      is: 20,
      publishes: [{ kind: 'entity.style', entityId: 'i4', width: 90, ...everyone }],
    },
  ],
  destroyEntity: [
    { give: { entity: the('lying') }, see: exists(the('lying')), is: false },
    { give: { entity: me }, see: exists(the('held')), is: false },
    { give: { entity: the('bullet') }, see: exists(the('bullet')), is: false },
    { give: { entity: the('human') }, refused: 'no-such-entity' },
  ],
  moveEntity: [
    { give: { entity: me, position: at }, see: placeOf(me), is: at, after: 1 },
    // Only entities with their own body; regions have a separate action.
    { give: { entity: the('yard'), position: at }, refused: 'nothing-to-act-on' },
    { give: { entity: me, position: { x: 'a', y: 1 } }, refused: 'missing-value' },
  ],
  teleportEntity: [
    {
      give: { entity: me, position: at },
      see: placeOf(me),
      is: at,
      publishes: [{ kind: 'entity.style', entityId: 'u1', teleport: true, camera: true, ...everyone }],
    },
    { give: { entity: the('yard'), position: at }, refused: 'nothing-to-act-on' },
  ],
  hideEntity: [
    { give: { entity: me }, see: hidden('me'), is: 1 },
    { give: { entity: the('lying') }, see: hidden('lying'), is: 1 },
    { give: { entity: the('yard') }, refused: 'nothing-to-act-on' },
  ],
  showEntity: [
    { give: { entity: me }, before: [{ type: 'hideEntity', entity: me }], see: hidden('me'), is: 0 },
    { give: { entity: the('yard') }, refused: 'nothing-to-act-on' },
  ],
  resetEntity: [
    {
      give: { entity: me },
      before: [{ type: 'setEntityAttribute', attribute: 'health', entity: me, value: 7 }],
      see: (played) => [played.value(health), played.value(exists(the('held')))],
      is: [50, false],
    },
    {
      // Clamped to the current bounds.
      give: { entity: me },
      before: [{ type: 'setEntityAttributeMax', attribute: 'health', entity: me, value: 20 }],
      see: (played) => [played.value(health), played.value(exists(the('held')))],
      is: [20, false],
    },
    { give: { entity: the('yard') }, refused: 'no-such-entity' },
  ],
  setEntityState: [
    {
      give: { entity: me, state: 'small' },
      after: 1,
      see: (played) => [
        played.value({ function: 'entityWidth', entity: me }),
        played.fired.filter((each) => each === 'entityStateChanged').length,
      ],
      is: [10, 1],
    },
    { give: { entity: the('yard'), state: 'small' }, refused: 'nothing-to-act-on' },
  ],
  setEntityLifeSpan: [
    { give: { entity: me, lifeSpan: 100 }, after: 4, see: exists(me), is: false },
    {
      give: { entity: me, lifeSpan: 100 },
      see: (played) =>
        played.world.components.lifespan.deathTimeMs[rowOf(played.entity('me'))]! - played.world.clock.nowMs,
      is: 100,
    },
    { give: { entity: the('yard'), lifeSpan: 100 }, after: 4, see: exists(the('yard')), is: false },
    { give: { entity: the('human'), lifeSpan: 100 }, refused: 'nothing-to-act-on' },
  ],
  changeScaleOfEntitySprite: [
    { give: { entity: me, scale: 2 }, publishes: [{ kind: 'entity.style', entityId: 'u1', scale: 2, ...everyone }] },
    {
      give: { entity: the('lying'), scale: 2.346 },
      see: bodyScale,
      is: 2.35,
      publishes: [{ kind: 'entity.style', entityId: 'i3', scale: 2.35, ...everyone }],
    },
  ],
  flipEntitySprite: (
    [
      ['horizontal', 1],
      ['vertical', 2],
      ['both', 3],
      ['none', 0],
    ] as const
  ).map(([flip, is]) => ({
    give: { entity: me, flip },
    see: (played: ActionGame) => played.world.components.facing.flip[rowOf(played.entity('me'))],
    is,
    publishes: [{ kind: 'entity.style', entityId: 'u1', flip: is, ...everyone }],
  })),
  playEntityAnimation: [
    {
      give: { entity: me, animation: 'dance' },
      publishes: [{ kind: 'animation', entityId: 'u1', animationId: 'dance', ...everyone }],
    },
  ],
  setEntityDepth: [
    { give: { entity: me, depth: 4 }, publishes: [{ kind: 'entity.style', entityId: 'u1', depth: 4, ...everyone }] },
    { give: { entity: me, value: '4' }, publishes: [{ kind: 'entity.style', entityId: 'u1', depth: 4, ...everyone }] },
  ],
  setEntityOpacity: [
    {
      give: { entity: me, opacity: 0.5 },
      see: { function: 'entityOpacity', entity: me },
      is: 0.5,
      publishes: [{ kind: 'entity.style', entityId: 'u1', opacity: 0.5, ...everyone }],
    },
    {
      give: { entity: me, opacity: -7 },
      see: { function: 'entityOpacity', entity: me },
      is: 0,
      publishes: [{ kind: 'entity.style', entityId: 'u1', opacity: 0, ...everyone }],
    },
  ],
  attachDebrisToUnit: [{ give: { entity: debris, unit: me }, after: 2 }],
  moveDebris: [{ give: { entity: debris, position: at }, see: placeOf(debris), is: at }],
  resetDebrisPosition: [
    {
      give: { entity: debris },
      before: [{ type: 'moveDebris', entity: debris, position: at }],
      see: placeOf(debris),
      is: { x: 100, y: 120 },
    },
  ],
};

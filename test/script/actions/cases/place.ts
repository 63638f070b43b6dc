import { expect } from 'vitest';
import { Kind, rowOf } from '../../../../engine/world/entity.ts';
import { type ActionGame, type Json, the } from '../action-game.ts';
import type { ActionCase, ActionCases, Refusal } from '../harness.ts';

/** Regions, the map, and movement of units by themselves. */

const me = the('me');
const rival = the('rival');
const yard = the('yard');
const everyone = 'everyone';
const tile = (x: number, y: number, layer = 1): Json => ({ function: 'getMapTileId', x, y, layer });
const edit = { gid: 2, layer: 1, x: 3, y: 4 };

const smallMap = JSON.stringify({
  width: 4,
  height: 2,
  tilewidth: 64,
  tileheight: 64,
  layers: [{ name: 'walls', type: 'tilelayer', width: 4, height: 2, data: [1, 0, 0, 0, 0, 0, 0, 0] }],
  tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
});

const ai = (played: ActionGame) => played.world.components.ai[rowOf(played.entity('me'))]!;
const isOn = (played: ActionGame) => played.world.components.ai[rowOf(played.entity('me'))]?.enabled ?? false;
const enabled = [{ type: 'enableAI', unit: me }];
/** Units of this type have no AI. */
const mindless = {
  before: [
    { type: 'createUnitAtPosition', unitType: 'giant', entity: the('human'), position: { x: 50, y: 50 }, angle: 0 },
  ],
  refused: 'no-such-reference',
};
const giant = { function: 'getLastCreatedUnit' };

function goes(): (ActionCase | Refusal)[] {
  return [
    {
      give: { unit: me, position: { x: 900, y: 640 } },
      before: enabled,
      after: 15,
      see: (played) => [ai(played).mode, played.world.components.transform.x[rowOf(played.entity('me'))]! > 650],
      is: ['move', true],
    },
    { give: { unit: giant, position: { x: 900, y: 640 } }, ...mindless },
  ];
}
function attacks(): (ActionCase | Refusal)[] {
  return [
    {
      give: { unit: me, targetUnit: rival },
      before: enabled,
      see: (played) => [ai(played).mode, played.world.ref(ai(played).target)?.id],
      is: ['fight', 'u2'],
    },
    { give: { unit: giant, targetUnit: rival }, ...mindless },
  ];
}
function distance(
  member: 'maxAttackRange' | 'maxTravelDistance' | 'letGoDistance',
  none: number,
): (ActionCase | Refusal)[] {
  const nothing = { function: 'undefinedValue' };
  return [
    { give: { unit: me, number: '70' }, see: (played) => ai(played)[member], is: 70 },
    ...(none === 0
      ? [{ give: { unit: me, number: nothing }, refused: undefined }]
      : [
          {
            give: { unit: me, number: nothing },
            before: [{ type: typeOf[member], unit: me, number: 70 }],
            see: (played: ActionGame) => ai(played)[member],
            is: none,
          },
        ]),
    { give: { unit: giant, number: 70 }, ...mindless },
  ];
}
const typeOf = {
  maxAttackRange: 'setMaxAttackRange',
  maxTravelDistance: 'setMaxTravelDistance',
  letGoDistance: 'setLetGoDistance',
} as const;

export const places: ActionCases = {
  transformRegionDimensions: [
    {
      give: { region: yard, x: 10, y: 20, width: 30, height: '40' },
      see: (played) =>
        ['getXCoordinateOfRegion', 'getYCoordinateOfRegion', 'getWidthOfRegion', 'getHeightOfRegion'].map((name) =>
          played.value({ function: name, region: yard }),
        ),
      is: [10, 20, 30, 40],
    },
    {
      give: { region: { x: 1, y: 2, width: 3, height: 4 }, x: 10, y: 20, width: 30, height: 40 },
      refused: 'no-such-entity',
    },
  ],
  changeRegionColor: [
    {
      give: { region: yard, inside: 'red', alpha: 0.5 },
      publishes: [{ kind: 'entity.style', entityId: 'r:yard', inside: 'red', alpha: 0.5, to: everyone }],
    },
  ],
  editMapTile: [
    {
      give: edit,
      see: (played) => [
        played.value(tile(3, 4)),
        played.value({ function: 'isPositionInWall', position: { x: 220, y: 280 } }),
      ],
      is: [2, true],
      publishes: [{ kind: 'map.tiles', ...edit, width: 1, height: 1, to: everyone }],
    },
    { give: { ...edit, layer: 7 }, refused: 'no-such-reference' },
    { give: { ...edit, layer: 2 }, refused: 'wrong-value' },
    { give: { ...edit, gid: 9 }, refused: 'wrong-value' },
    { give: { ...edit, gid: 1.5 }, refused: 'wrong-value' },
    { give: { ...edit, x: 20 }, refused: undefined },
  ],
  editMapTiles: [
    {
      give: { ...edit, width: 2, height: 3 },
      see: (played) => [
        played.value(tile(3, 4)),
        played.value(tile(4, 6)),
        played.value(tile(5, 6)),
        played.value(tile(4, 7)),
      ],
      is: [2, 2, 0, 0],
      publishes: [{ kind: 'map.tiles', ...edit, width: 2, height: 3, to: everyone }],
    },
    { give: { ...edit, width: 0, height: 3 }, refused: 'wrong-value' },
    { give: { ...edit, width: 1e6, height: 1e6 }, refused: 'wrong-value' },
  ],
  changeLayerOpacity: [
    {
      give: { layer: 0, opacity: 0.25 },
      see: (played) => played.world.map.layers[0]!.opacity,
      is: 0.25,
      publishes: [{ kind: 'map.layerOpacity', layer: 0, opacity: 0.25, to: everyone }],
    },
    {
      give: { layer: 0, alpha: '0.25' },
      publishes: [{ kind: 'map.layerOpacity', layer: 0, opacity: 0.25, to: everyone }],
    },
    { give: { layer: 7, opacity: 0.25 }, refused: 'no-such-reference' },
  ],
  loadMapFromString: [
    {
      give: { string: smallMap },
      prepare: (played) => {
        // Only while there are no players.
        for (const player of played.world.lists[Kind.player]!.entries)
          played.world.components.identity.type[rowOf(player)] = -1;
      },
      see: (played) => [played.value({ function: 'getMapWidth' }), played.value({ function: 'getMapHeight' })],
      is: [256, 128],
      publishes: [{ kind: 'map.replace', map: expect.objectContaining({ width: 4, height: 2 }), to: everyone }],
    },
    { give: { string: smallMap }, refused: undefined },
  ],

  enableAI: [
    { give: { unit: me }, see: isOn, is: true },
    { give: { unit: giant }, ...mindless },
  ],
  disableAI: [{ give: { unit: me }, before: enabled, see: isOn, is: false }],
  aiGoIdle: [
    {
      give: { unit: me },
      before: [...enabled, { type: 'aiMoveToPosition', unit: me, position: { x: 900, y: 640 } }],
      see: (played) => ai(played).mode,
      is: 'idle',
    },
    { give: { unit: giant }, ...mindless },
  ],
  aiMoveToPosition: goes(),
  setUnitTargetPosition: goes(),
  aiAttackUnit: attacks(),
  setUnitTargetUnit: attacks(),
  setMaxAttackRange: distance('maxAttackRange', 0),
  setMaxTravelDistance: distance('maxTravelDistance', Number.POSITIVE_INFINITY),
  setLetGoDistance: distance('letGoDistance', Number.POSITIVE_INFINITY),
  changeSensorRadius: [
    {
      give: { sensor: { function: 'getSensorOfUnit', unit: me }, radius: 80 },
      see: (played) => played.world.components.sensing.radius[rowOf(played.entity('me'))],
      is: 80,
      // From then on the unit has a sensor, with the radius of its type.
      spare: ['radius'],
    },
  ],
};

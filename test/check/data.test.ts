import { describe, expect, test } from 'vitest';
import { loadDefinition } from '../../engine/index.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { follow } from '../definition/support.ts';

const walls = { name: 'walls', type: 'tilelayer', width: 10, height: 10, data: new Array(100).fill(0) };
const map = { width: 10, height: 10, tilewidth: 64, tileheight: 64, layers: [walls], tilesets: [] };
const hero = (more: object) => ({
  unitTypes: {
    hero: { name: 'Hero', ...('bodies' in more ? { states: { default: { body: 'default' } } } : {}), ...more },
  },
});
const bound = (key: string) => hero({ controls: { abilities: { [key]: {} } } });
const region = (x: number, y: number, width: number, height: number) => ({
  map,
  variables: { camp: { dataType: 'region', default: { x, y, width, height } } },
});

/** The issues of the data, without those that only whole games avoid. */
function issuesOf(data: object) {
  const { game, issues } = loadDefinition({ data });
  return [...issues, ...checkGame(game!)].filter(({ code }) => !ofWholeGames.has(code));
}
const ofWholeGames: ReadonlySet<string> = new Set([
  'unused-variable',
  'nobody-gets-a-unit',
  'no-movement',
  'useless-item',
]);

/** A mistake, the code and location of its issue, and the suggestion. */
const mistakes: readonly (readonly [string, object, string, string, string?])[] = [
  [
    'a data type that does not exist',
    { variables: { gold: { dataType: 'nubmer', default: 0 } } },
    'unknown-value',
    '/data/variables/gold/dataType',
    'number',
  ],
  [
    'a data type of a variable of a unit type',
    hero({ variables: { hat: { dataType: 'strnig' } } }),
    'unknown-value',
    '/data/unitTypes/hero/variables/hat/dataType',
    'string',
  ],
  [
    'a sort of target that does not exist',
    { itemTypes: { axe: { damage: { unitAttributes: {}, targetsAffected: ['friendly', 'hostle'] } } } },
    'unknown-value',
    '/data/itemTypes/axe/damage/targetsAffected/1',
    'hostile',
  ],
  [
    'a key that no keyboard has',
    bound('spcae'),
    'unknown-key',
    '/data/unitTypes/hero/controls/abilities/spcae',
    'space',
  ],
  ['a key that is a capital letter', bound('W'), 'unknown-key', '/data/unitTypes/hero/controls/abilities/W', 'w'],
  [
    'a body of a negative width',
    hero({ bodies: { default: { width: -40, height: 40, fixtures: [{}] } } }),
    'out-of-range',
    '/data/unitTypes/hero/bodies/default/width',
    '40',
  ],
  [
    'a circle of a negative radius',
    hero({ bodies: { default: { fixtures: [{ shape: { type: 'circle', data: { radius: -1 } } }] } } }),
    'out-of-range',
    '/data/unitTypes/hero/bodies/default/fixtures/0/shape/data/radius',
    '1',
  ],
  ['a region of a negative height', region(0, 0, 64, -64), 'out-of-range', '/data/variables/camp/default/height', '64'],
  ['a region outside the map', region(700, 0, 64, 64), 'outside-map', '/data/variables/camp/default'],
  [
    'a start place outside the map',
    { map, variables: { start: { dataType: 'position', default: { x: 100, y: -1 } } } },
    'outside-map',
    '/data/variables/start/default',
  ],
  ['no frames per second', { defaultData: { frameRate: 0 } }, 'out-of-range', '/data/defaultData/frameRate'],
  [
    'a default item that its unit may not carry',
    {
      unitTypes: { hero: { name: 'Hero', inventorySize: 1, defaultItems: [{ key: 'axe' }] }, elf: { name: 'Elf' } },
      itemTypes: { axe: { name: 'Axe', carriedBy: ['elf'] } },
    },
    'item-not-carried',
    '/data/unitTypes/hero/defaultItems/0',
  ],
];

describe('checks of meaning', () => {
  for (const [title, data, code, pointer, suggestion] of mistakes) {
    test(title, () => {
      const issues = issuesOf(data);
      expect(issues.map((each) => [each.code, each.pointer])).toEqual([[code, pointer]]);
      expect(issues[0]!.suggestion).toBe(suggestion);
      expect(() => follow({ data }, pointer)).not.toThrow();
    });
  }

  const sound: readonly (readonly [string, object])[] = [
    ['a region that reaches over the edge of the map', region(600, -32, 640, 64)],
    ['a region anywhere, where there is no map', { ...region(9000, 0, 64, 64), map: undefined }],
    [
      'keys of the mouse, of a touch screen and of signs',
      {
        unitTypes: { hero: { controls: { abilities: { button1: {}, movementWheel: {}, '+': {}, 1: {} } } } },
      },
    ],
    [
      'an item that everybody may carry',
      {
        unitTypes: { hero: { inventorySize: 1, defaultItems: [{ key: 'axe' }] } },
        itemTypes: { axe: { carriedBy: [] } },
      },
    ],
    [
      'data types of lists and of types',
      {
        variables: { all: { dataType: 'unitGroup' }, some: { dataType: 'itemTypeGroup' }, none: {} },
      },
    ],
  ];
  test.each(sound)('report nothing about %s', (_title, data) => {
    expect(issuesOf(data)).toEqual([]);
  });
});

test('a type without a name is called by its id', () => {
  const attributes = { gold: { min: 0, max: 10, value: 0 } };
  const data = {
    playerTypes: { human: { attributes } },
    unitTypes: {
      hero: { ai: { enabled: true, idleBehaviour: 'wander' }, controls: { movementControlScheme: 'wasd' } },
    },
    itemTypes: {
      bow: { type: 'weapon', isGun: true, fireRate: 500 },
      axe: { type: 'weapon' },
      ale: {},
      pie: {},
      jam: {},
      club: { damage: { targetsAffected: ['hostile'], unitAttributes: { health: -5 } }, quantity: 3, maxQuantity: 2 },
    },
    shops: {
      inn: {
        itemTypes: {
          ale: { price: { playerAttributes: { gold: 50 } } },
          jam: { price: { playerAttributes: { gold: 5 } } },
          pie: {},
        },
      },
    },
  };
  const messages = checkGame(loadDefinition({ data }).game!).map(({ code, message }) => `${code} ${message}`);
  for (const start of [
    'useless-gun "bow" ',
    'useless-item "axe" ',
    'negative-damage A hit with "club" ',
    'out-of-range "club" ',
    'unpayable Nobody can pay for "ale": ',
    'useless-ai The AI of "hero" ',
  ])
    expect(
      messages.find((each) => each.startsWith(start)),
      start,
    ).toBeDefined();
  expect(messages.filter((each) => each.includes('""'))).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import type { IssueCode } from '../../engine/core/issue-codes.ts';
import { complaints, follow, read } from './support.ts';

/** A small game in which all references resolve. */
const whole = {
  attributeTypes: { health: { name: 'health' } },
  scripts: {
    global: { name: 'g', triggers: [], actions: [], parent: 'folder' },
    folder: { folderName: 'F', parent: null },
  },
  abilities: { use: { scriptName: 'global' }, own: { scriptName: 'mine' } },
  playerTypes: { human: { relationships: { human: 'friendly' }, attributes: { points: {} } } },
  itemTypes: {
    axe: {
      carriedBy: ['hero'],
      canBeUsedBy: ['hero'],
      canBePurchasedBy: ['hero'],
      buffTypes: ['slow'],
      projectileType: 'potato',
    },
  },
  projectileTypes: { potato: {} },
  buffTypes: { slow: {} },
  shops: { store: { itemTypes: { axe: {} }, unitTypes: { hero: {} } } },
  dialogues: { hello: { options: [{ scriptName: 'global', followUpDialogue: 'hello' }] } },
  settings: { scoreAttributeId: 'points' },
  defaultData: { releases: [{ release: 'r1' }], lobbyUnitKey: 'hero' },
  releaseId: 'r1',
  unitTypes: {
    hero: {
      scripts: { mine: { name: 'm', triggers: [], actions: [] } },
      defaultItems: [{ key: 'axe' }],
      canBePurchasedBy: ['hero', 'human'],
      inventorySize: 1,
      bodies: { default: { type: 'none' } },
      animations: { walk: {} },
      states: { default: { name: 'default', body: 'default', animation: 'walk' } },
      effects: { create: { runScript: 'mine' }, destroy: { runScript: 'global' } },
      controls: {
        unitAbilities: {
          heal: {
            eventScripts: { startCasting: 'mine', stopCasting: 'global' },
            cost: { unitAttributes: { health: 1 } },
          },
        },
        abilities: {
          q: { keyDown: { scriptName: 'global' }, keyUp: { scriptName: 'mine', isEntityScript: true } },
          e: { keyDown: 'use', keyUp: { scriptName: 'use' } },
          r: { keyDown: { abilityId: 'heal', event: 'startCasting' }, keyUp: 'heal' },
        },
      },
    },
  },
};

test('a game in which everything exists has nothing to report', () => {
  expect(complaints(whole)).toEqual([]);
});

/** Data around one unit type, item type and so on. */
const unit = (given: object, more: object = {}) => ({ unitTypes: { u: given }, ...more });
const item = (given: object, more: object = {}) => ({ itemTypes: { i: given }, ...more });
const u = '/data/unitTypes/u';
const i = '/data/itemTypes/i';

const cases: [string, object, [IssueCode, string][]][] = [
  [
    'a binding to a script',
    unit({ controls: { abilities: { b: { keyDown: { scriptName: 'openShop' } } } } }),
    [['dangling-binding', `${u}/controls/abilities/b/keyDown/scriptName`]],
  ],
  [
    'a binding to an ability',
    unit({ controls: { abilities: { b: { keyUp: 'use' } } } }),
    [['dangling-binding', `${u}/controls/abilities/b/keyUp`]],
  ],
  [
    'a binding to a cast',
    unit({ controls: { abilities: { b: { keyDown: { abilityId: 'x' } } } } }),
    [['dangling-binding', `${u}/controls/abilities/b/keyDown/abilityId`]],
  ],
  [
    'a binding that is a string',
    unit({ controls: { abilities: { b: 'use' } } }),
    [['dangling-binding', `${u}/controls/abilities/b`]],
  ],
  [
    'the cost of a binding',
    unit(
      { controls: { abilities: { b: { keyDown: { scriptName: 's', cost: { unitAttributes: { mana: 1 } } } } } } },
      { scripts: { s: { actions: [] } } },
    ),
    [['dangling-attribute', `${u}/controls/abilities/b/keyDown/cost/unitAttributes/mana`]],
  ],
  [
    'a legacy binding where there are no controls',
    unit({ abilities: { w: { keyDown: 'moveUp' } } }),
    [['dangling-binding', `${u}/abilities/w/keyDown`]],
  ],
  ['a legacy binding beside controls', unit({ abilities: { w: { keyDown: 'moveUp' } }, controls: {} }), []],
  [
    'the script of a unit ability',
    unit({ controls: { unitAbilities: { a: { eventScripts: { startCasting: 'x', stopCasting: 'y' } } } } }),
    [
      ['dangling-script', `${u}/controls/unitAbilities/a/eventScripts/startCasting`],
      ['dangling-script', `${u}/controls/unitAbilities/a/eventScripts/stopCasting`],
    ],
  ],
  [
    'the script of an ability',
    { abilities: { a: { scriptName: 'x' } } },
    [['dangling-script', '/data/abilities/a/scriptName']],
  ],
  ['the script of an ability that is a string', { abilities: { a: 'x' } }, [['dangling-script', '/data/abilities/a']]],
  [
    'the cost of an ability',
    { abilities: { a: { cost: { playerAttributes: { gold: 1 } } } } },
    [['dangling-attribute', '/data/abilities/a/cost/playerAttributes/gold']],
  ],
  [
    'the script of an effect',
    unit({ effects: { create: { runScript: 'x' } } }),
    [['dangling-script', `${u}/effects/create/runScript`]],
  ],
  [
    'the animation of an effect',
    unit({ effects: { create: { animation: 'x' } } }),
    [['dangling-animation', `${u}/effects/create/animation`]],
  ],
  [
    'the particle of an effect',
    unit({ effects: { destroy: { projectileType: 'blood' } } }),
    [['dangling-media', `${u}/effects/destroy/projectileType`]],
  ],
  [
    'a default item',
    unit({ defaultItems: [{ key: '' }, { key: 'axe' }] }),
    [['dangling-item-type', `${u}/defaultItems/1/key`]],
  ],
  [
    'a legacy default item',
    unit({ defaultItem: [{ key: 'axe' }] }),
    [['dangling-item-type', `${u}/defaultItem/0/key`]],
  ],
  ['a buyer of a unit', unit({ canBePurchasedBy: ['human'] }), [['dangling-unit-type', `${u}/canBePurchasedBy/0`]]],
  [
    'the body of a state',
    unit({ states: { default: { body: 'big' } }, bodies: { small: { type: 'none' } } }),
    [['dangling-body', `${u}/states/default/body`]],
  ],
  [
    'the body of a state in its legacy spelling',
    item({ states: { unSelected: { body: 'x' } } }),
    [['dangling-body', `${i}/states/unSelected/body`]],
  ],
  [
    'the animation of a state',
    unit({ states: { default: { animation: 'run' } } }),
    [['dangling-animation', `${u}/states/default/animation`]],
  ],
  [
    'an animation shared by all',
    unit({ states: { default: { animation: 'run' } } }, { animationTypes: { run: {} } }),
    [],
  ],
  [
    'a shared state',
    { states: { s: { body: 'b', animation: 'a' } } },
    [
      ['dangling-body', '/data/states/s/body'],
      ['dangling-animation', '/data/states/s/animation'],
    ],
  ],
  ['carriers', item({ carriedBy: ['', 'hero'] }), [['dangling-unit-type', `${i}/carriedBy/1`]]],
  ['users', item({ canBeUsedBy: ['hero'] }), [['dangling-unit-type', `${i}/canBeUsedBy/0`]]],
  ['buyers', item({ canBePurchasedBy: ['hero'] }), [['dangling-unit-type', `${i}/canBePurchasedBy/0`]]],
  ['a buff', item({ buffTypes: ['slowness'] }), [['dangling-buff', `${i}/buffTypes/0`]]],
  ['a projectile', item({ projectileType: 'potato' }), [['dangling-projectile-type', `${i}/projectileType`]]],
  [
    'built-in projectiles',
    {
      itemTypes: {
        a: { projectileType: 'rope' },
        b: { projectileType: 'raycast' },
        c: { projectileType: '' },
        d: { projectileType: 'constantSpeed +DestroyedOnCollisionWithWall/unit' },
      },
    },
    [],
  ],
  [
    'damage',
    item({ damage: { unitAttributes: { hp: 1 }, playerAttributes: { gold: 1 } } }),
    [
      ['dangling-attribute', `${i}/damage/unitAttributes/hp`],
      ['dangling-attribute', `${i}/damage/playerAttributes/gold`],
    ],
  ],
  ['damage that is a number', item({ damage: 5 }), [['dangling-attribute', `${i}/damage`]]],
  [
    'damage to an attribute that a type has',
    item({ damage: 5 }, { unitTypes: { u: { attributes: { health: {} } } } }),
    [],
  ],
  [
    'a bonus when consumed',
    item({ bonus: { consume: { unitAttribute: { hp: 1 }, playerAttribute: { xp: 1 } } } }),
    [
      ['dangling-attribute', `${i}/bonus/consume/unitAttribute/hp`],
      ['dangling-attribute', `${i}/bonus/consume/playerAttribute/xp`],
    ],
  ],
  [
    'a bonus when carried',
    item({ bonus: { passive: { unitAttribute: { hp: 1 }, playerAttribute: { xp: 1 } } } }),
    [
      ['dangling-attribute', `${i}/bonus/passive/unitAttribute/hp`],
      ['dangling-attribute', `${i}/bonus/passive/playerAttribute/xp`],
    ],
  ],
  [
    'the cost of use',
    item({ cost: { unitAttributes: { mana: 1 } } }),
    [['dangling-attribute', `${i}/cost/unitAttributes/mana`]],
  ],
  [
    'a price',
    item({ price: { playerAttributes: { gold: 1 }, requiredItemTypes: { wood: 1 } } }),
    [
      ['dangling-attribute', `${i}/price/playerAttributes/gold`],
      ['dangling-item-type', `${i}/price/requiredItemTypes/wood`],
    ],
  ],
  [
    'a price that lists items',
    item({ price: { requiredItemTypes: ['i', 'wood'] } }),
    [['dangling-item-type', `${i}/price/requiredItemTypes/1`]],
  ],
  [
    'what equipping needs',
    item({ controls: { equipRequirement: { unitAttributes: { strength: 1 }, playerAttributes: { level: 1 } } } }),
    [
      ['dangling-attribute', `${i}/controls/equipRequirement/unitAttributes/strength`],
      ['dangling-attribute', `${i}/controls/equipRequirement/playerAttributes/level`],
    ],
  ],
  [
    'an inline projectile',
    item({ defaultProjectile: { states: { default: { body: 'x' } } } }),
    [['dangling-body', `${i}/defaultProjectile/states/default/body`]],
  ],
  [
    'a projectile type',
    { projectileTypes: { p: { states: { default: { body: 'x' } } } } },
    [['dangling-body', '/data/projectileTypes/p/states/default/body']],
  ],
  [
    'a relationship',
    { playerTypes: { p: { relationships: { q: 'hostile' } } } },
    [['dangling-player-type', '/data/playerTypes/p/relationships/q']],
  ],
  [
    'a relationship of factions',
    { factions: { p: { relationships: { q: 'hostile' } } } },
    [['dangling-player-type', '/data/factions/p/relationships/q']],
  ],
  [
    'what a shop sells',
    { shops: { s: { itemTypes: { axe: {} }, unitTypes: { hero: {} } } } },
    [
      ['dangling-item-type', '/data/shops/s/itemTypes/axe'],
      ['dangling-unit-type', '/data/shops/s/unitTypes/hero'],
    ],
  ],
  [
    'what a shop asks',
    {
      itemTypes: { axe: {} },
      shops: {
        s: {
          itemTypes: {
            axe: {
              price: { playerAttributes: { gold: 1 } },
              requirement: { playerAttributes: { level: 1 }, requiredItemTypes: ['key'] },
            },
          },
        },
      },
    },
    [
      ['dangling-attribute', '/data/shops/s/itemTypes/axe/price/playerAttributes/gold'],
      ['dangling-attribute', '/data/shops/s/itemTypes/axe/requirement/playerAttributes/level'],
      ['dangling-item-type', '/data/shops/s/itemTypes/axe/requirement/requiredItemTypes/0'],
    ],
  ],
  [
    'a dialogue',
    { dialogues: { d: { options: [{ scriptName: 's', followUpDialogue: 'e' }] } } },
    [
      ['dangling-script', '/data/dialogues/d/options/0/scriptName'],
      ['dangling-dialogue', '/data/dialogues/d/options/0/followUpDialogue'],
    ],
  ],
  [
    'score attributes',
    { settings: { scoreAttributeId: 'a', persistentScoreAttributeId: 'b' } },
    [
      ['dangling-attribute', '/data/settings/scoreAttributeId'],
      ['dangling-attribute', '/data/settings/persistentScoreAttributeId'],
    ],
  ],
  [
    'the lobby unit',
    { defaultData: { lobbyUnitKey: 'hero' } },
    [['dangling-unit-type', '/data/defaultData/lobbyUnitKey']],
  ],
  [
    'folders of scripts',
    { scripts: { s: { actions: [], parent: 'x' }, f: { folderName: 'F', parent: 's' } } },
    [
      ['dangling-folder', '/data/scripts/s/parent'],
      ['dangling-folder', '/data/scripts/f/parent'],
    ],
  ],
  [
    'folders of scripts of a type',
    unit({ scripts: { s: { actions: [], parent: 'x' } } }),
    [['dangling-folder', `${u}/scripts/s/parent`]],
  ],
  [
    'folders of types',
    { folders: { hero: { type: 'unit', parent: 'units' } } },
    [['dangling-folder', '/data/folders/hero/parent']],
  ],
  ['folders of views', { ui: { v: { htmlData: '', parent: 'x' } } }, [['dangling-folder', '/data/ui/v/parent']]],
  [
    'the release',
    { releaseId: 'r2', defaultData: { releases: [{ release: 'r1' }] } },
    [['dangling-release', '/data/releaseId']],
  ],
  [
    'a variable with a unit type',
    { variables: { v: { dataType: 'unitType', default: 'hero' } } },
    [['dangling-unit-type', '/data/variables/v/default']],
  ],
  [
    'a variable with an item type',
    { variables: { v: { dataType: 'itemType', default: 'axe' } } },
    [['dangling-item-type', '/data/variables/v/default']],
  ],
  [
    'a variable with a projectile type',
    { variables: { v: { dataType: 'projectileType', default: 'p' } } },
    [['dangling-projectile-type', '/data/variables/v/default']],
  ],
  [
    'a variable with a player type',
    { variables: { v: { dataType: 'playerType', default: 'p' } } },
    [['dangling-player-type', '/data/variables/v/default']],
  ],
  [
    'a variable with a player',
    {
      variables: { v: { dataType: 'player', default: 'computer11' }, w: { dataType: 'player', default: 'computer10' } },
    },
    [['dangling-player-type', '/data/variables/v/default']],
  ],
  [
    'a variable with an attribute',
    { variables: { v: { dataType: 'attributeType', default: 'a' } } },
    [['dangling-attribute', '/data/variables/v/default']],
  ],
  [
    'a variable with a shop',
    { variables: { v: { dataType: 'shop', default: 's' } } },
    [['dangling-shop', '/data/variables/v/default']],
  ],
  [
    'a variable with a dialogue',
    { variables: { v: { dataType: 'dialogue', default: 'd' } } },
    [['dangling-dialogue', '/data/variables/v/default']],
  ],
  [
    'a group of item types',
    {
      itemTypes: { axe: {} },
      variables: { v: { dataType: 'itemTypeGroup', default: { axe: { probability: 1 }, gun: {} } } },
    },
    [['dangling-item-type', '/data/variables/v/default/gun']],
  ],
  [
    'a group of unit types',
    unit({ variables: { v: { dataType: 'unitTypeGroup', default: { hero: {} } } } }),
    [['dangling-unit-type', `${u}/variables/v/default/hero`]],
  ],
];

describe('references that lead nowhere', () => {
  test.each(cases)('%s', (_name, data, expected) => {
    expect(read(data).issues.map(({ code, pointer }) => [code, pointer])).toEqual(expected);
    for (const { pointer } of read(data).issues) follow({ data }, pointer);
  });
});

test('what was perhaps meant is suggested', () => {
  const data = { ...unit({ defaultItems: [{ key: 'swordd' }] }), itemTypes: { sword: {}, axe: {} } };
  expect(read(data).issues).toMatchObject([
    { found: 'swordd', suggestion: 'sword', message: 'There is no item type "swordd".' },
  ]);
});

describe('tiles', () => {
  function tiles(data: number[], objects: object[] = []) {
    const tilesets = [
      { firstgid: 1, tilecount: 4 },
      { firstgid: 10, tilecount: 2 },
    ];
    const layers = [
      { name: 'walls', type: 'tilelayer', width: data.length, height: 1, data },
      { type: 'objectgroup', objects },
    ];
    return read({ map: { width: data.length, height: 1, tilewidth: 64, tileheight: 64, tilesets, layers } }).issues;
  }

  test('of all tilesets, empty or flipped', () => {
    expect(tiles([0, 1, 4, 10, 11, 0x80000001, 0x40000004, 0x80000000], [{ gid: 11 }, {}])).toEqual([]);
  });

  test('one issue for a layer, at its first unknown tile', () => {
    expect(tiles([1, 5, 12, -1])).toMatchObject([
      { code: 'dangling-tileset', pointer: '/data/map/layers/0/data/1', found: '5', count: 3 },
    ]);
  });

  test('objects, too', () => {
    expect(tiles([], [{ gid: 1 }, { gid: 9 }])).toMatchObject([
      { code: 'dangling-tileset', pointer: '/data/map/layers/1/objects/1/gid' },
    ]);
  });

  test('a tileset that does not say how many tiles it has has all that follow', () => {
    const layers = [{ name: 'walls', type: 'tilelayer', data: [5000] }];
    expect(
      complaints({ map: { width: 1, height: 1, tilewidth: 64, tileheight: 64, tilesets: [{ firstgid: 2 }], layers } }),
    ).toEqual([]);
  });
});

test('a document with very many broken references is still read in time that grows with its size', () => {
  const itemTypes = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`item${index}type`, { carriedBy: [`unit${index}typo`] }]),
  );
  const unitTypes = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`unit${index}type`, {}]));
  const { issues } = read({ itemTypes, unitTypes });
  expect(issues).toHaveLength(3000);
  expect(issues[0]?.suggestion).toBeDefined();
  expect(issues[2999]?.suggestion).toBeUndefined();
});

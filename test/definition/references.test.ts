import { describe, expect, test } from 'vitest';
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
  dialogues: { hello: { options: [{ name: 'Yes', scriptName: 'global', followUpDialogue: 'hello' }] } },
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

/** What is given, and the issues: `CODE PATH`. */
type Cases = Readonly<Record<string, readonly [given: object, ...issues: string[]]>>;

const ofUnits: Cases = {
  'the script of a unit ability': [
    { controls: { unitAbilities: { a: { eventScripts: { startCasting: 'x', stopCasting: 'y' } } } } },
    'dangling-script controls/unitAbilities/a/eventScripts/startCasting',
    'dangling-script controls/unitAbilities/a/eventScripts/stopCasting',
  ],
  'the script of an effect': [{ effects: { create: { runScript: 'x' } } }, 'dangling-script effects/create/runScript'],
  'the animation of an effect': [
    { effects: { create: { animation: 'x' } } },
    'dangling-animation effects/create/animation',
  ],
  'the particle of an effect': [
    { effects: { destroy: { projectileType: 'blood' } } },
    'dangling-media effects/destroy/projectileType',
  ],
  'a default item': [{ defaultItems: [{ key: '' }, { key: 'axe' }] }, 'dangling-item-type defaultItems/1/key'],
  'a legacy default item': [{ defaultItem: [{ key: 'axe' }] }, 'dangling-item-type defaultItem/0/key'],
  'a buyer of a unit': [{ canBePurchasedBy: ['human'] }, 'dangling-unit-type canBePurchasedBy/0'],
  'the body of a state': [
    { states: { default: { body: 'big' } }, bodies: { small: { type: 'none' } } },
    'dangling-body states/default/body',
  ],
  'the animation of a state': [
    { states: { default: { animation: 'run' } } },
    'dangling-animation states/default/animation',
  ],
  'folders of scripts of a type': [
    { scripts: { s: { actions: [], parent: 'x' } } },
    'dangling-folder scripts/s/parent',
  ],
  'a group of unit types': [
    { variables: { v: { dataType: 'unitTypeGroup', default: { hero: {} } } } },
    'dangling-unit-type variables/v/default/hero',
  ],
};

const ofItems: Cases = {
  'the body of a state in its legacy spelling': [
    { states: { unSelected: { body: 'x' } } },
    'dangling-body states/unSelected/body',
  ],
  carriers: [{ carriedBy: ['', 'hero'] }, 'dangling-unit-type carriedBy/1'],
  users: [{ canBeUsedBy: ['hero'] }, 'dangling-unit-type canBeUsedBy/0'],
  buyers: [{ canBePurchasedBy: ['hero'] }, 'dangling-unit-type canBePurchasedBy/0'],
  'a buff': [{ buffTypes: ['slowness'] }, 'dangling-buff buffTypes/0'],
  'a projectile': [{ projectileType: 'potato' }, 'dangling-projectile-type projectileType'],
  damage: [
    { damage: { unitAttributes: { hp: 1 }, playerAttributes: { gold: 1 } } },
    'dangling-attribute damage/unitAttributes/hp',
    'dangling-attribute damage/playerAttributes/gold',
  ],
  'damage that is a number': [{ damage: 5 }, 'dangling-attribute damage'],
  'a bonus when consumed': [
    { bonus: { consume: { unitAttribute: { hp: 1 }, playerAttribute: { xp: 1 } } } },
    'dangling-attribute bonus/consume/unitAttribute/hp',
    'dangling-attribute bonus/consume/playerAttribute/xp',
  ],
  'a bonus when carried': [
    { bonus: { passive: { unitAttribute: { hp: 1 }, playerAttribute: { xp: 1 } } } },
    'dangling-attribute bonus/passive/unitAttribute/hp',
    'dangling-attribute bonus/passive/playerAttribute/xp',
  ],
  'the cost of use': [{ cost: { unitAttributes: { mana: 1 } } }, 'dangling-attribute cost/unitAttributes/mana'],
  'a price': [
    { price: { playerAttributes: { gold: 1 }, requiredItemTypes: { wood: 1 } } },
    'dangling-attribute price/playerAttributes/gold',
    'dangling-item-type price/requiredItemTypes/wood',
  ],
  'a price that lists items': [
    { price: { requiredItemTypes: ['i', 'wood'] } },
    'dangling-item-type price/requiredItemTypes/1',
  ],
  'what equipping needs': [
    { controls: { equipRequirement: { unitAttributes: { strength: 1 }, playerAttributes: { level: 1 } } } },
    'dangling-attribute controls/equipRequirement/unitAttributes/strength',
    'dangling-attribute controls/equipRequirement/playerAttributes/level',
  ],
  'an inline projectile': [
    { defaultProjectile: { states: { default: { body: 'x' } } } },
    'dangling-body defaultProjectile/states/default/body',
  ],
};

const ofData: Cases = {
  'the cost of a binding': [
    {
      unitTypes: {
        u: { controls: { abilities: { b: { keyDown: { scriptName: 's', cost: { unitAttributes: { mana: 1 } } } } } } },
      },
      scripts: { s: { actions: [] } },
    },
    'dangling-attribute unitTypes/u/controls/abilities/b/keyDown/cost/unitAttributes/mana',
  ],
  'the script of an ability': [{ abilities: { a: { scriptName: 'x' } } }, 'dangling-script abilities/a/scriptName'],
  'the script of an ability that is a string': [{ abilities: { a: 'x' } }, 'dangling-script abilities/a'],
  'the cost of an ability': [
    { abilities: { a: { cost: { playerAttributes: { gold: 1 } } } } },
    'dangling-attribute abilities/a/cost/playerAttributes/gold',
  ],
  'an animation shared by all': [
    { unitTypes: { u: { states: { default: { animation: 'run' } } } }, animationTypes: { run: {} } },
  ],
  'a shared state': [
    { states: { s: { body: 'b', animation: 'a' } } },
    'dangling-body states/s/body',
    'dangling-animation states/s/animation',
  ],
  'built-in projectiles': [
    {
      itemTypes: {
        a: { projectileType: 'rope' },
        b: { projectileType: 'raycast' },
        c: { projectileType: '' },
        d: { projectileType: 'constantSpeed +DestroyedOnCollisionWithWall/unit' },
      },
    },
  ],
  'damage to an attribute that a type has': [
    { itemTypes: { i: { damage: 5 } }, unitTypes: { u: { attributes: { health: {} } } } },
  ],
  'a projectile type': [
    { projectileTypes: { p: { states: { default: { body: 'x' } } } } },
    'dangling-body projectileTypes/p/states/default/body',
  ],
  'a relationship': [
    { playerTypes: { p: { relationships: { q: 'hostile' } } } },
    'dangling-player-type playerTypes/p/relationships/q',
  ],
  'a relationship of factions': [
    { factions: { p: { relationships: { q: 'hostile' } } } },
    'dangling-player-type factions/p/relationships/q',
  ],
  'what a shop sells': [
    { shops: { s: { itemTypes: { axe: {} }, unitTypes: { hero: {} } } } },
    'dangling-item-type shops/s/itemTypes/axe',
    'dangling-unit-type shops/s/unitTypes/hero',
  ],
  'what a shop asks': [
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
    'dangling-attribute shops/s/itemTypes/axe/price/playerAttributes/gold',
    'dangling-attribute shops/s/itemTypes/axe/requirement/playerAttributes/level',
    'dangling-item-type shops/s/itemTypes/axe/requirement/requiredItemTypes/0',
  ],
  'a dialogue': [
    { dialogues: { d: { options: [{ name: 'Yes', scriptName: 's', followUpDialogue: 'e' }] } } },
    'dangling-script dialogues/d/options/0/scriptName',
    'dangling-dialogue dialogues/d/options/0/followUpDialogue',
  ],
  'score attributes': [
    { settings: { scoreAttributeId: 'a', persistentScoreAttributeId: 'b' } },
    'dangling-attribute settings/scoreAttributeId',
    'dangling-attribute settings/persistentScoreAttributeId',
  ],
  'the lobby unit': [{ defaultData: { lobbyUnitKey: 'hero' } }, 'dangling-unit-type defaultData/lobbyUnitKey'],
  'folders of scripts': [
    { scripts: { s: { actions: [], parent: 'x' }, f: { folderName: 'F', parent: 's' } } },
    'dangling-folder scripts/s/parent',
    'dangling-folder scripts/f/parent',
  ],
  'folders of types': [{ folders: { hero: { type: 'unit', parent: 'units' } } }, 'dangling-folder folders/hero/parent'],
  'folders of views': [{ ui: { v: { htmlData: '', parent: 'x' } } }, 'dangling-folder ui/v/parent'],
  'the release': [{ releaseId: 'r2', defaultData: { releases: [{ release: 'r1' }] } }, 'dangling-release releaseId'],
  'a variable with a unit type': [
    { variables: { v: { dataType: 'unitType', default: 'hero' } } },
    'dangling-unit-type variables/v/default',
  ],
  'a variable with an item type': [
    { variables: { v: { dataType: 'itemType', default: 'axe' } } },
    'dangling-item-type variables/v/default',
  ],
  'a variable with a projectile type': [
    { variables: { v: { dataType: 'projectileType', default: 'p' } } },
    'dangling-projectile-type variables/v/default',
  ],
  'a variable with a player type': [
    { variables: { v: { dataType: 'playerType', default: 'p' } } },
    'dangling-player-type variables/v/default',
  ],
  'a variable with a player': [
    {
      variables: { v: { dataType: 'player', default: 'computer11' }, w: { dataType: 'player', default: 'computer10' } },
    },
    'dangling-player-type variables/v/default',
  ],
  'a variable with an attribute': [
    { variables: { v: { dataType: 'attributeType', default: 'a' } } },
    'dangling-attribute variables/v/default',
  ],
  'a variable with a shop': [
    { variables: { v: { dataType: 'shop', default: 's' } } },
    'dangling-shop variables/v/default',
  ],
  'a variable with a dialogue': [
    { variables: { v: { dataType: 'dialogue', default: 'd' } } },
    'dangling-dialogue variables/v/default',
  ],
  'a group of item types': [
    {
      itemTypes: { axe: {} },
      variables: { v: { dataType: 'itemTypeGroup', default: { axe: { probability: 1 }, gun: {} } } },
    },
    'dangling-item-type variables/v/default/gun',
  ],
};

describe('references that lead nowhere are reported where they stand', () => {
  function expectIssues(data: object, base: string, expected: readonly string[]): void {
    const { issues } = read(data);
    expect(issues.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(
      expected.map((issue) => issue.replace(' ', ` ${base}/`)),
    );
    for (const { pointer } of issues) follow({ data }, pointer);
  }

  test.each(Object.entries(ofUnits))('of a unit type: %s', (_title, [u, ...expected]) => {
    expectIssues({ unitTypes: { u } }, '/data/unitTypes/u', expected);
  });
  test.each(Object.entries(ofItems))('of an item type: %s', (_title, [i, ...expected]) => {
    expectIssues({ itemTypes: { i } }, '/data/itemTypes/i', expected);
  });
  test.each(Object.entries(ofData))('of the game: %s', (_title, [data, ...expected]) => {
    expectIssues(data, '/data', expected);
  });
});

test('a similar name is suggested', () => {
  const data = { unitTypes: { u: { defaultItems: [{ key: 'swordd' }] } }, itemTypes: { sword: {}, axe: {} } };
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

  test('of all tilesets are valid, as are empty and flipped ones', () => {
    expect(tiles([0, 1, 4, 10, 11, 0x80000001, 0x40000004, 0x80000000], [{ gid: 11 }, {}])).toEqual([]);
  });

  test('that are unknown are one issue per layer', () => {
    expect(tiles([1, 5, 12, -1])).toMatchObject([
      { code: 'dangling-tileset', pointer: '/data/map/layers/0/data/1', found: '5', count: 3 },
    ]);
  });

  test('of objects are checked as well', () => {
    expect(tiles([], [{ gid: 1 }, { gid: 9 }])).toMatchObject([
      { code: 'dangling-tileset', pointer: '/data/map/layers/1/objects/1/gid' },
    ]);
  });

  test('of a tileset without a count are all valid', () => {
    const layers = [{ name: 'walls', type: 'tilelayer', data: [5000] }];
    expect(
      complaints({ map: { width: 1, height: 1, tilewidth: 64, tileheight: 64, tilesets: [{ firstgid: 2 }], layers } }),
    ).toEqual([]);
  });
});

test('a document with many broken references is read in linear time', () => {
  const itemTypes = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`item${index}type`, { carriedBy: [`unit${index}typo`] }]),
  );
  const unitTypes = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`unit${index}type`, {}]));
  const { issues } = read({ itemTypes, unitTypes });
  expect(issues).toHaveLength(3000);
  expect(issues[0]?.suggestion).toBeDefined();
  expect(issues[2999]?.suggestion).toBeUndefined();
});

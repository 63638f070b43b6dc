import { describe, expect, test } from 'vitest';
import { complaints, read } from './support.ts';

describe('a player type', () => {
  test('in full', () => {
    const playerTypes = {
      human: {
        name: 'Human',
        color: '#fff',
        showNameLabel: 'true',
        relationships: { zombie: 'hostile', human: 'friendly', npc: 'neutral' },
        attributes: { gold: { value: 5 } },
        variables: {},
      },
      zombie: {},
      npc: { relationships: [] },
    };
    const { definition, issues } = read({ playerTypes });
    expect(issues).toEqual([]);
    const human = definition.playerTypes.get('human');
    expect(human).toMatchObject({ key: 'human', name: 'Human', color: '#fff', showNameLabel: true });
    expect([...(human?.relationships ?? [])]).toEqual([
      ['zombie', 'hostile'],
      ['human', 'friendly'],
      ['npc', 'neutral'],
    ]);
    expect(human?.attributes.get('gold')?.value).toBe(5);
    expect(definition.playerTypes.get('npc')?.relationships.size).toBe(0);
  });

  test('an unknown relationship is ignored', () => {
    const { definition, issues } = read({ playerTypes: { a: { relationships: { a: 'enemy' } } } });
    expect(issues).toMatchObject([{ code: 'unknown-value', pointer: '/data/playerTypes/a/relationships/a' }]);
    expect(definition.playerTypes.get('a')?.relationships.size).toBe(0);
  });
});

describe('scripts', () => {
  const scripts = {
    f: { key: 'f', folderName: 'Rounds', parent: null, order: '2', expanded: true },
    b: {
      key: 'b',
      name: 'begin',
      parent: 'f',
      order: -1,
      triggers: [{ type: 'gameStart' }, { type: 'secondTick' }, { type: 'gameStart' }, { type: '' }],
      conditions: [{ operator: '==', operandType: 'boolean' }, true, true],
      actions: [{ type: 'return' }],
      isProtected: true,
      isExpanded: {},
    },
    a: { name: 'by reference', order: null, triggers: [], actions: [] },
  };

  test('scripts and folders are told apart and keep their order', () => {
    const { definition, issues } = read({
      scripts,
      unitTypes: { u: { scripts } },
      projectileTypes: { p: { scripts: {} } },
    });
    expect(issues).toEqual([]);
    expect([...definition.scripts.keys()]).toEqual(['b', 'a']);
    expect([...definition.scriptFolders.keys()]).toEqual(['f']);
    expect(definition.scriptFolders.get('f')).toMatchObject({
      folderName: 'Rounds',
      parent: undefined,
      order: 2,
      expanded: true,
    });
    expect(definition.unitTypes.get('u')?.scripts.get('b')?.pointer).toBe('/data/unitTypes/u/scripts/b');
    expect([...(definition.unitTypes.get('u')?.scriptFolders.keys() ?? [])]).toEqual(['f']);
  });

  test('a script in full', () => {
    const { definition } = read({ scripts });
    const begin = definition.scripts.get('b');
    expect(begin).toMatchObject({
      key: 'b',
      pointer: '/data/scripts/b',
      name: 'begin',
      parent: 'f',
      order: -1,
      isProtected: true,
    });
    expect(begin?.triggers).toEqual(['gameStart', 'secondTick', 'gameStart']);
    expect(begin?.conditions).toBe(scripts.b.conditions);
    expect(begin?.actions).toBe(scripts.b.actions);
    expect(definition.scripts.get('a')).toMatchObject({
      order: 0,
      conditions: undefined,
      isProtected: false,
      triggers: [],
    });
  });

  test.each([
    [{ triggers: [] }, ['missing-field /data/scripts/s']],
    [{ actions: {} }, ['wrong-type /data/scripts/s/actions']],
    [{ actions: [], triggers: {} }, ['wrong-type /data/scripts/s/triggers']],
    [
      { actions: [], triggers: [{ type: 5 }, 'gameStart'] },
      ['wrong-type /data/scripts/s/triggers/0/type', 'wrong-type /data/scripts/s/triggers/1'],
    ],
    [{ actions: [], trigers: [] }, ['unknown-field /data/scripts/s/trigers']],
    [7, ['wrong-type /data/scripts/s']],
  ])('%j is reported', (script, expected) => {
    expect(complaints({ scripts: { s: script } })).toEqual(expected);
  });
});

describe('a shop', () => {
  test('in full', () => {
    const offer = {
      replaceItemInTargetSlot: true,
      hideIfRequirementNotMet: false,
      hideIfUnaffordable: false,
      isPurchasable: true,
      quantity: '',
      order: 1,
      requirement: {
        requiredItemTypes: [],
        playerAttributes: { level: '3', rank: { type: 'atmost', value: 2 }, age: { value: 1 } },
      },
      price: { coins: '10', requiredItemTypes: { wood: '5' }, playerAttributes: { gold: '20' } },
    };
    const data = {
      attributeTypes: { level: {}, rank: {}, age: {}, gold: {} },
      itemTypes: { axe: {}, wood: {} },
      unitTypes: { u: {} },
      shops: {
        s: {
          name: 'Store',
          dismissible: false,
          itemTypes: { axe: offer },
          unitTypes: { u: { price: { playerAttributes: { gold: 5 } } } },
        },
      },
    };
    const { definition, issues } = read(data);
    expect(issues).toEqual([]);
    const shop = definition.shops.get('s');
    expect(shop).toMatchObject({ key: 's', name: 'Store', dismissible: false });
    const axe = shop?.itemTypes.get('axe');
    expect(axe).toMatchObject({
      key: 'axe',
      replaceItemInTargetSlot: true,
      isPurchasable: true,
      quantity: undefined,
      price: { coins: 10 },
    });
    expect([...(axe?.requirement.playerAttributes ?? [])]).toEqual([
      ['level', { type: 'none', value: 3 }],
      ['rank', { type: 'atmost', value: 2 }],
      ['age', { type: 'atleast', value: 1 }],
    ]);
    expect(axe?.requirement.requiredItemTypes.size).toBe(0);
    expect([...(axe?.price.requiredItemTypes ?? [])]).toEqual([['wood', 5]]);
    expect([...(axe?.price.playerAttributes ?? [])]).toEqual([['gold', 20]]);
    expect(shop?.unitTypes.get('u')).toMatchObject({ isPurchasable: true, price: { coins: 0 } });
  });

  test.each([
    [
      { wood: 2, stone: '3' },
      [
        ['wood', 2],
        ['stone', 3],
      ],
    ],
    [
      ['wood', 'wood', 'stone'],
      [
        ['wood', 2],
        ['stone', 1],
      ],
    ],
    [
      [{ key: 'wood', quantity: '4' }, { itemTypeKey: 'stone' }, ''],
      [
        ['wood', 4],
        ['stone', 1],
      ],
    ],
    [[], []],
    [null, []],
  ])('required items %j', (requiredItemTypes, amounts) => {
    const { definition, issues } = read({ itemTypes: { wood: {}, stone: {}, axe: { price: { requiredItemTypes } } } });
    expect(issues).toEqual([]);
    expect([...(definition.itemTypes.get('axe')?.price?.requiredItemTypes ?? [])]).toEqual(amounts);
  });
});

describe('settings', () => {
  test('in full', () => {
    const settings = {
      menudiv: 'Welcome',
      latency: null,
      displayScoreboard: true,
      allowDuplicateIPs: false,
      scoreAttributeId: 'points',
      scoreBoard: 'points',
      gravity: { x: '0', y: 150 },
      images: { cover: '', logo: '' },
      constants: { currency: 'Food' },
      camera: { trackingDelay: 3, zoom: { type: 'static', default: '700' } },
      shop: { isEnabled: true },
      inventory: { isEnabled: true },
      prettifyingScoreboard: false,
      menuHTML: '<div></div>',
      continuousPhysics: 'true',
      idleGameTimeLimit: '60000',
    };
    const { definition, issues } = read({ settings, attributeTypes: { points: {} } });
    expect(issues).toEqual([]);
    expect(definition.settings).toMatchObject({
      latency: undefined,
      scoreAttributeId: 'points',
      gravity: { x: 0, y: 150 },
      camera: { zoom: { default: 700 } },
      continuousPhysics: true,
      idleGameTimeLimit: 60000,
    });
  });

  test('a definition without settings has gravity 0 and no continuous physics', () => {
    expect(read({}).definition.settings).toMatchObject({
      gravity: { x: 0, y: 0 },
      continuousPhysics: false,
      scoreAttributeId: undefined,
    });
  });
});

describe('metadata', () => {
  test('numbers, lists and the owner', () => {
    const defaultData = {
      _id: 'g',
      owner: { _id: 'o', local: { username: 'me' } },
      tier: 2,
      frameRate: '30',
      engineTickRate: 60,
      defaultMaxPlayers: '32',
      lifeSpanHours: 5,
      privateServerIdleTimeout: 0.1,
      allowGuestMode: 'true',
      isGuestPlayerAllowed: false,
      dontResize: null,
      version: 0.01,
      banUsers: ['a', { _id: 'b' }, { userId: 'c' }, null],
      banIps: [],
      link: null,
      releases: [{ version: 0.01, release: 'r', isStable: true, _id: 'x' }],
    };
    const { definition, issues } = read({ defaultData, releaseId: 'r' });
    expect(issues).toEqual([]);
    expect(definition.defaultData).toMatchObject({
      owner: 'o',
      tier: '2',
      frameRate: 30,
      defaultMaxPlayers: 32,
      privateServerIdleTimeout: 0.1,
      allowGuestMode: true,
      isGuestPlayerAllowed: false,
      dontResize: false,
      version: '0.01',
      link: undefined,
      banUsers: ['a', 'b', 'c'],
      banIps: [],
      banChat: [],
    });
    expect(definition.defaultData.releases).toMatchObject([{ version: 0.01, release: 'r', isStable: true, _id: 'x' }]);
    expect(definition.releaseId).toBe('r');
  });

  test('metadata of another type', () => {
    expect(complaints({ defaultData: 'none' })).toEqual(['wrong-type /data/defaultData']);
    expect(complaints({ defaultData: { frameRate: 'fast', releases: {} } })).toEqual([
      'wrong-type /data/defaultData/frameRate',
      'wrong-type /data/defaultData/releases',
    ]);
  });
});

describe('roles', () => {
  test('a role and its permissions', () => {
    const role = {
      _id: 'r',
      gameId: 'g',
      name: 'Moderator',
      type: '2',
      order: 1,
      color: '#fff',
      permissions: { moderator: true, playGame: 'false' },
      createdAt: '',
      __v: 0,
    };
    const { definition, issues } = read({ roles: [role] });
    expect(issues).toEqual([]);
    expect(definition.roles[0]).toMatchObject({ key: '0', _id: 'r', name: 'Moderator', type: 2 });
    expect([...(definition.roles[0]?.permissions ?? [])]).toEqual([
      ['moderator', true],
      ['playGame', false],
    ]);
  });

  test('a type outside 1 to 5', () => {
    expect(complaints({ roles: [{ type: 6 }] })).toEqual(['wrong-value /data/roles/0/type']);
  });
});

describe('the map', () => {
  const tileset = { name: 't', image: 'x', firstgid: 1, tilewidth: 64, tileheight: 64, tilecount: 4, columns: 2 };
  const floor = {
    name: 'walls',
    type: 'tilelayer',
    x: 0,
    y: 0,
    width: 2,
    height: 1,
    visible: true,
    opacity: 1,
    data: [1, 0],
  };
  const map = {
    type: 'map',
    width: 2,
    height: '1',
    tilewidth: 16,
    tileheight: 16,
    version: 1.1,
    tiledversion: '1.1.5',
    orientation: 'orthogonal',
    infinite: false,
    tilesets: [tileset],
    layers: [floor],
  };

  test('in full', () => {
    const group = {
      name: 'debris',
      type: 'objectgroup',
      draworder: 'topdown',
      objects: [
        {
          id: 1,
          x: '5',
          y: 6,
          width: 64,
          height: 64,
          rotation: '90',
          visible: 1,
          type: 'dynamic',
          name: 0,
          gid: 2,
          density: '0',
        },
      ],
    };
    const { definition, issues } = read({ map: { ...map, layers: [floor, group] } });
    expect(issues).toEqual([]);
    expect(definition.map).toMatchObject({
      width: 2,
      height: 1,
      tilewidth: 16,
      version: '1.1',
      tiledversion: '1.1.5',
      tilesets: [{ firstgid: 1, tilecount: 4 }],
    });
    expect(definition.map?.layers[0]?.data).toEqual([1, 0]);
    expect(definition.map?.layers[1]?.objects[0]).toMatchObject({
      x: 5,
      rotation: 90,
      visible: true,
      name: '0',
      density: 0,
      gid: 2,
    });
  });

  test('of two layers with one name the last counts', () => {
    const { definition } = read({ map: { ...map, layers: [floor, { ...floor, data: [0, 0] }] } });
    expect(definition.map?.layerByName.get('walls')?.data).toEqual([0, 0]);
  });

  test.each([
    ['cells are 64 pixels whatever the tiles are', {}, { width: 64, height: 64 }],
    ['unless the game is not to be resized', { defaultData: { dontResize: true } }, { width: 16, height: 16 }],
  ])('%s', (_name, more, cellSize) => {
    expect(read({ map, ...more }).definition.cellSize).toEqual(cellSize);
  });

  test('a definition without a map', () => {
    const { definition, issues } = read({ defaultData: { dontResize: true } });
    expect(definition.map).toBeUndefined();
    expect(definition.cellSize).toEqual({ width: 64, height: 64 });
    expect(issues).toEqual([]);
  });

  test.each([
    [
      'a layer of another size',
      { ...map, layers: [{ ...floor, data: [1] }] },
      ['map-size-mismatch /data/map/layers/0'],
    ],
    [
      'a layer without a size has that of the map',
      { ...map, layers: [{ name: 'walls', type: 'tilelayer', data: [1, 1, 1] }] },
      ['map-size-mismatch /data/map/layers/0'],
    ],
    [
      'a tile layer without tiles',
      { ...map, layers: [{ ...floor, data: undefined }] },
      ['map-size-mismatch /data/map/layers/0'],
    ],
    [
      'an unknown kind of layer',
      { ...map, layers: [floor, { type: 'imagelayer' }] },
      ['wrong-value /data/map/layers/1/type', 'map-size-mismatch /data/map/layers/1'],
    ],
    ['no size and no layers', {}, ['missing-field /data/map', 'missing-field /data/map', 'missing-field /data/map']],
    ['a negative size', { ...map, width: -1, layers: [] }, ['wrong-value /data/map/width']],
    ['a size no memory holds', { ...map, height: 1_000_000_000, layers: [] }, ['wrong-value /data/map/height']],
    ['another type of map', { ...map, type: 'world' }, ['wrong-value /data/map/type']],
  ])('%s', (_name, given, expected) => {
    expect(complaints({ map: given })).toEqual(expected);
  });

  test('tiles that are not numbers are one issue and count as empty', () => {
    const layer = { ...floor, width: 4, data: [1, null, '2', 3.5] };
    const { definition, issues } = read({ map: { ...map, width: 4, layers: [layer] } });
    expect(issues).toMatchObject([{ code: 'wrong-type', pointer: '/data/map/layers/0/data/1', count: 3 }]);
    expect(definition.map?.layers[0]?.data).toEqual([1, 0, 0, 0]);
    expect(layer.data).toEqual([1, null, '2', 3.5]);
  });
});

describe('the smaller sections', () => {
  test('views are found in `ui` or any collection of views', () => {
    const dialogue = { folderName: 'Dialogue', key: 'dialogue', parent: null, order: 1, expanded: true };
    const view = {
      name: 'Input',
      htmlData: '<div>',
      parent: 'dialogue',
      key: 'inputModal',
      order: 3,
      type: 'view',
      preventDelete: true,
    };
    for (const key of ['ui', 'viewTemplates']) {
      const { definition, issues } = read({ [key]: { dialogue, inputModal: view } });
      expect(issues).toEqual([]);
      expect([...definition.views.keys()]).toEqual(['dialogue', 'inputModal']);
      expect(definition.views.get('inputModal')).toMatchObject({
        htmlData: '<div>',
        parent: 'dialogue',
        pointer: `/data/${key}/inputModal`,
      });
    }
    expect(complaints({ viewTemplates: { a: { ...view, parent: null, order: 'first' } } })).toEqual([
      'wrong-type /data/viewTemplates/a/order',
    ]);
    expect(complaints({ other: { a: { name: 'no view' } } })).toEqual(['unknown-field /data/other']);
  });

  test('dialogues', () => {
    const options = [{ name: 'Yes', scriptName: '', followUpDialogue: 'd' }];
    const { definition, issues } = read({
      dialogues: { d: { name: 'D', dialogueTitle: 'T', image: '', message: null, letterPrintSpeed: '20', options } },
    });
    expect(issues).toEqual([]);
    expect(definition.dialogues.get('d')).toMatchObject({
      message: undefined,
      letterPrintSpeed: 20,
      options: [{ name: 'Yes', scriptName: undefined, followUpDialogue: 'd' }],
    });
  });

  test('buffs', () => {
    const { definition, issues } = read({
      buffTypes: {
        slow: { unit: 'percentage', chance: '0.1', minBonus: 0, maxBonus: '-0.3' },
        push: { unit: 'boolean', chance: 0.05 },
      },
    });
    expect(issues).toEqual([]);
    expect(definition.buffTypes.get('slow')).toMatchObject({
      unit: 'percentage',
      chance: 0.1,
      minBonus: 0,
      maxBonus: -0.3,
    });
    expect(definition.buffTypes.get('push')).toMatchObject({ minBonus: undefined });
    expect(complaints({ buffTypes: { slow: { chance: 1.5 } } })).toEqual(['wrong-value /data/buffTypes/slow/chance']);
  });

  test('factions, folders, media, textures and templates', () => {
    const { definition, issues } = read({
      factions: { f: { name: 'F', relationships: {}, attributes: {} } },
      folders: { units: { name: 'Units', type: 'folder' }, hero: { type: 'unit', parent: 'units' } },
      tilesets: [{ name: 'shop', image: 'https://example.org/shop.png' }],
      images: [{ url: 'https://example.org/a.mp3', key: 'sound' }],
      sound: { s: { name: 'Fire', file: '' } },
      music: {},
      texturePack: { atlasURL: 'a', textureURL: 't' },
      bodyTypes: { default: { type: 'static' } },
      animationTypes: { default: { frames: [1] } },
      states: { default: { name: 'default', body: 'default', animation: 'default' } },
      regions: {},
      isDeveloper: false,
      isGameDeveloper: 'false',
      title: 'Game',
    });
    expect(issues).toEqual([]);
    expect(definition.factions.get('f')?.name).toBe('F');
    expect(definition.folders.get('hero')).toMatchObject({ type: 'unit', parent: 'units' });
    expect(definition.tilesets).toMatchObject([{ name: 'shop' }]);
    expect(definition.images).toMatchObject([{ key: 'sound' }]);
    expect(definition.sound.get('s')).toMatchObject({ name: 'Fire' });
    expect(definition.music.size).toBe(0);
    expect(definition.texturePack).toEqual({ atlasURL: 'a', textureURL: 't' });
    expect(definition.bodyTypes.get('default')?.type).toBe('static');
    expect(definition.states.get('default')?.body).toBe('default');
    expect(definition).toMatchObject({ isDeveloper: false, isGameDeveloper: false, title: 'Game' });
  });

  test('an empty definition has every collection', () => {
    const { definition } = read({});
    for (const [name, value] of Object.entries(definition)) {
      if (value instanceof Map) expect([name, value.size]).toEqual([name, 0]);
    }
    expect(Object.isFrozen(definition)).toBe(true);
  });
});

import { describe, expect, test } from 'vitest';
import { complaints, read } from './support.ts';

function unit(given: object) {
  return read({ unitTypes: { u: given } }).definition.unitTypes.get('u');
}
function item(given: object) {
  return read({ itemTypes: { i: given } }).definition.itemTypes.get('i');
}
function projectile(given: object) {
  return read({ projectileTypes: { p: given } }).definition.projectileTypes.get('p');
}

const onlyState = { default: { body: 'default' } };

describe('a body', () => {
  function body(given: object) {
    return unit({ bodies: { default: given } })?.bodies.get('default');
  }

  test('in full', () => {
    const given = {
      name: 'default',
      type: 'dynamic',
      width: '40',
      height: 50,
      'z-index': { layer: 3, depth: '2', offset: 0 },
      fixedRotation: true,
      bullet: 'true',
      allowSleep: true,
      isFlying: false,
      affectedByGravity: false,
      'constantSpeed +DestroyedOnCollisionWithWall/unit': true,
      'somethingDestroyedOnCollisionWithWall/unitElse': 1,
      collidesWith: { units: true, items: false, projectiles: true, walls: true, debris: true, sensors: false },
      angularDamping: '.5',
      linearDamping: '8',
      rotationSpeed: 3,
      spriteScale: '1.3',
      fixtures: [
        {
          density: '22.5',
          friction: '0.01',
          restitution: '',
          shape: { type: 'circle', data: { radius: 9 } },
          isSensor: true,
          offset: { x: 1, y: '2' },
          size: { width: 8, height: '' },
        },
      ],
      jointType: 'weldJoint',
      unitAnchor: { x: 1, y: '33', rotation: 90 },
      itemAnchor: { x: 0, y: null, lowerAngle: 0, upperAngle: 0 },
    };
    expect(complaints({ unitTypes: { u: { states: onlyState, bodies: { default: given } } } })).toEqual([]);
    const { fixtures, ...others } = body(given)!;
    expect(others).toMatchObject({
      width: 40,
      'z-index': { depth: 2 },
      bullet: true,
      angularDamping: 0.5,
      linearDamping: 8,
      spriteScale: 1.3,
      fixedRotation: true,
      affectedByGravity: false,
      collidesWith: given.collidesWith,
      unitAnchor: { x: 1, y: 33, rotation: 90 },
      itemAnchor: { y: 0 },
    });
    const size = { width: 8, height: undefined };
    expect(fixtures).toMatchObject([{ density: 22.5, friction: 0.01, restitution: 0, offset: { x: 1, y: 2 }, size }]);
  });

  test('defaults', () => {
    expect(body({})).toMatchObject({
      type: 'dynamic',
      width: 0,
      height: 0,
      linearDamping: 0,
      angularDamping: 0,
      fixedRotation: false,
      bullet: false,
      affectedByGravity: true,
      fixtures: [],
      collidesWith: { units: false, items: false, projectiles: false, walls: false, debris: false, sensors: true },
    });
    expect(body({ fixtures: [{}] })?.fixtures).toEqual([
      { density: 0, friction: 0, restitution: 0, isSensor: false, shape: { type: 'rectangle' } },
    ]);
  });

  test.each([
    [
      '`unit` and `item` count where the plural is absent, other singular words never',
      { unit: true, item: true, projectile: true, wall: true },
      { units: true, items: true, projectiles: false, walls: false },
    ],
    ['the plural wins', { unit: true, units: false, item: false, items: true }, { units: false, items: true }],
  ])('%s', (_name, collidesWith, normal) => {
    expect(body({ collidesWith })?.collidesWith).toMatchObject(normal);
  });

  test('an unknown type', () => {
    const data = {
      unitTypes: {
        u: { states: onlyState, bodies: { default: { type: 'dinamic', width: 1, height: 1, fixtures: [{}] } } },
      },
    };
    expect(read(data).issues).toMatchObject([{ code: 'unknown-value', suggestion: 'dynamic' }]);
    expect(body({ type: 'dinamic' })?.type).toBe('dynamic');
  });

  test('a legacy single body is the default body where there are no bodies', () => {
    expect([...(unit({ body: { width: 5 } })?.bodies ?? [])]).toMatchObject([['default', { width: 5 }]]);
    expect([...(unit({ body: { width: 5 }, bodies: { other: { width: 6 } } })?.bodies.keys() ?? [])]).toEqual([
      'other',
    ]);
    expect(complaints({ unitTypes: { u: { body: { width: 'wide' }, bodies: {} } } })).toEqual([
      'wrong-type /data/unitTypes/u/body/width',
    ]);
  });
});

describe('a state', () => {
  function states(given: object) {
    return item({ bodies: { dropped: {} }, animations: { a: {} }, states: given })?.states;
  }

  test.each([
    [
      'body and animation',
      { name: 'dropped', body: 'dropped', animation: 'a' },
      { name: 'dropped', body: 'dropped', animation: 'a', namesBody: true },
    ],
    ['none', { body: 'none', animation: 'none' }, { body: undefined, animation: undefined, namesBody: true }],
    ['nothing said', {}, { name: '', body: undefined, animation: undefined, namesBody: false }],
    ['an empty body', { body: '' }, { body: undefined, namesBody: false }],
  ])('%s', (_name, given, normal) => {
    expect(states({ s: given })?.get('s')).toMatchObject(normal);
  });

  test('an empty string is no state', () => {
    expect([...(states({ a: '', b: {} })?.keys() ?? [])]).toEqual(['b']);
  });

  test('`unSelected` is `unselected`, which takes precedence', () => {
    expect([...(states({ unSelected: { name: 'x' }, dropped: {} })?.keys() ?? [])]).toEqual(['unselected', 'dropped']);
    expect(states({ unSelected: { name: 'x' }, unselected: { name: 'y' } })?.get('unselected')?.name).toBe('y');
  });
});

describe('animations, sounds, effects and particles', () => {
  test('an animation', () => {
    const animations = { a: { name: 2, frames: [1, '2'], framesPerSecond: null, loopCount: '' } };
    expect(unit({ animations })?.animations.get('a')).toMatchObject({
      key: 'a',
      name: '2',
      frames: [1, 2],
      framesPerSecond: undefined,
      loopCount: undefined,
    });
    expect(complaints({ unitTypes: { u: { animations } } })).toEqual([]);
  });

  test('a sound may be an object, a name or nothing', () => {
    const sound = { a: { name: 'Fire', file: '', volume: '50' }, b: 'reload', c: null };
    expect([...(item({ sound })?.sound ?? [])]).toMatchObject([
      ['a', { name: 'Fire', file: '', volume: 50 }],
      ['b', { name: 'reload', file: '', pointer: '/data/itemTypes/i/sound/b' }],
    ]);
    expect(complaints({ itemTypes: { i: { sound } } })).toEqual([]);
  });

  test('an effect', () => {
    const effects = {
      destroy: {
        projectileType: 'blood',
        sound: { s: { name: 'x', file: 'y' } },
        animation: 'none',
        tween: 'recoil',
        runScript: '',
      },
      bulletHit: { sound: {}, particles: {} },
    };
    const normal = unit({ effects, particles: { blood: {} } })?.effects;
    expect(normal?.get('destroy')).toMatchObject({
      projectileType: 'blood',
      animation: undefined,
      tween: 'recoil',
      runScript: undefined,
    });
    expect(normal?.get('bulletHit')).toMatchObject({ key: 'bulletHit', particles: {} });
  });

  test('a particle', () => {
    const spark = {
      name: 'spark',
      color: '#f4ff00',
      lifeBase: 30,
      quantityBase: 5,
      quantityTimespan: 30,
      deathOpacityBase: 1,
      mountPosition: { x: 0, y: 0 },
      velocityVector: { baseVector: { x: 0, y: 0 }, minVector: { x: '-.1', y: '-.1' }, maxVector: { x: '.1', y: 0 } },
      dimensions: { width: 2, height: 2 },
      'z-index': { layer: 3, depth: 7 },
    };
    const data = { particles: { s: spark }, particleTypes: { spark }, unitTypes: { u: { particles: { spark } } } };
    const { definition, issues } = read(data);
    expect(issues).toEqual([]);
    for (const each of [
      definition.particles.get('s'),
      definition.particleTypes.get('spark'),
      definition.unitTypes.get('u')?.particles.get('spark'),
    ]) {
      expect(each?.velocityVector).toMatchObject({ minVector: { x: -0.1, y: -0.1 }, maxVector: { x: 0.1, y: 0 } });
    }
  });
});

describe('a unit type', () => {
  test('in full', () => {
    const given = {
      name: 'Human',
      handle: 'human',
      baseSpeed: '5',
      backpackSize: 12,
      inventorySize: '5',
      equipmentAllowed: 9,
      canBuyItem: true,
      isPurchasable: false,
      confinedWithinMapBoundaries: false,
      isUnTargetable: true,
      canBePurchasedBy: ['u'],
      price: { playerAttributes: [] },
      skin: 'https://example.org/human.png',
      inventoryImage: null,
      cellSheet: { url: 'https://example.org/human.png', rowCount: 1, columnCount: '2' },
      spawnPosition: { x: 1500, y: '2200' },
      attributes: { speed: { name: 'speed', min: 0, max: 10, value: 5 } },
      controls: {
        movementType: 'wasd',
        movementControlScheme: 'wasd',
        movementMethod: 'velocity',
        mouseBehaviour: { rotateToFaceMouseCursor: true, flipSpriteHorizontallyWRTMouse: 'false' },
        absoluteRotation: false,
        permittedInventorySlots: [1, '2', 'backpack-slots'],
        clientPredictedMovement: 'serverAuthoritative',
        cspMode: 2,
      },
      ai: {
        enabled: true,
        pathFindingMethod: 'a*',
        idleBehaviour: 'wander',
        sensorResponse: 'fight',
        attackResponse: 'flee',
        maxTravelDistance: '',
        letGoDistance: '400',
        sensorRadius: null,
        maxAttackRange: 10,
      },
      sound: {},
      particles: {},
      effects: {},
      variables: {},
      scripts: {},
      streamMode: 1,
      frames: {},
      cameraPointerLock: true,
      visibilityMask: { enabled: true, range: 700 },
    };
    expect(complaints({ unitTypes: { u: given } })).toEqual([]);
    expect(unit(given)).toMatchObject({
      key: 'u',
      pointer: '/data/unitTypes/u',
      baseSpeed: 5,
      inventorySize: 5,
      inventoryImage: undefined,
      confinedWithinMapBoundaries: false,
      cellSheet: { columnCount: 2 },
      spawnPosition: { x: 1500, y: 2200 },
      controls: {
        mouseBehaviour: { rotateToFaceMouseCursor: true, flipSpriteHorizontallyWRTMouse: false },
        permittedInventorySlots: [1, 2, 'backpack-slots'],
      },
      ai: { ...given.ai, maxTravelDistance: undefined, letGoDistance: 400, sensorRadius: undefined },
    });
    expect(unit(given)?.price?.playerAttributes.size).toBe(0);
  });

  test('defaults', () => {
    const none = unit({});
    expect(none).toMatchObject({
      name: '',
      backpackSize: 0,
      inventorySize: 0,
      confinedWithinMapBoundaries: true,
      defaultItems: [],
      ai: undefined,
    });
    expect(
      [none?.attributes, none?.bodies, none?.states, none?.scripts, none?.scriptFolders].map((each) => each?.size),
    ).toEqual([0, 0, 0, 0, 0]);
  });

  test.each([
    ['default items', { defaultItems: [{ key: 'axe', name: 'Axe', value: 'Axe' }] }, ['axe']],
    ['a legacy default item', { defaultItem: [{ key: 'axe' }] }, ['axe']],
    ['both', { defaultItem: [{ key: 'gun' }], defaultItems: [{ key: 'axe' }] }, ['axe']],
    ['no default items beside a legacy one', { defaultItem: [{ key: 'gun' }], defaultItems: [] }, []],
    ['keys alone', { defaultItems: ['axe', ''] }, ['axe']],
  ])('%s', (_name, given, keys) => {
    expect(unit(given)?.defaultItems.map(({ key }) => key)).toEqual(keys);
  });

  test.each([
    [
      { controls: { movementControlScheme: 'arrows' } },
      'unknown-value /data/unitTypes/u/controls/movementControlScheme',
    ],
    [
      { controls: { permittedInventorySlots: ['hand'] } },
      'wrong-type /data/unitTypes/u/controls/permittedInventorySlots/0',
    ],
    [{ controls: { permittedInventorySlots: 'all' } }, 'wrong-type /data/unitTypes/u/controls/permittedInventorySlots'],
    [{ ai: { pathFindingMethod: 'astar' } }, 'unknown-value /data/unitTypes/u/ai/pathFindingMethod'],
    [{ ai: 'clever' }, 'wrong-type /data/unitTypes/u/ai'],
    [{ states: [] }, 'wrong-type /data/unitTypes/u/states'],
    [{ inventorySize: 2.5 }, 'wrong-type /data/unitTypes/u/inventorySize'],
    [{ inventorySize: 1_000_000_000 }, 'wrong-value /data/unitTypes/u/inventorySize'],
    [{ backpackSize: 1001 }, 'wrong-value /data/unitTypes/u/backpackSize'],
    [{ inventroySize: 2 }, 'unknown-field /data/unitTypes/u/inventroySize'],
  ])('%j is reported', (given, complaint) => {
    expect(complaints({ unitTypes: { u: given } })).toEqual([complaint]);
  });

  test.each(['', null])('a control scheme of %j is none', (movementControlScheme) => {
    expect(unit({ controls: { movementControlScheme } })?.controls?.movementControlScheme).toBeUndefined();
  });
});

describe('an item type', () => {
  const mangled = 'bulletDestroyedOnCollisionWithWall/unit';

  test.each<[string, object, object]>([
    ['infinite quantity', { quantity: null, maxQuantity: '' }, { quantity: null, maxQuantity: null }],
    ['infinite quantity when absent', {}, { quantity: null, maxQuantity: null }],
    ['finite quantity', { quantity: '0', maxQuantity: 64 }, { quantity: 0, maxQuantity: 64 }],
    [
      'mangled bullet fields',
      {
        [`${mangled}Type`]: 'raycast',
        [`${mangled}Force`]: '14',
        [`${mangled}Distance`]: 1300,
        [`${mangled}StartPosition`]: { x: -5, y: '-12', rotation: 0 },
      },
      {
        bulletType: 'raycast',
        bulletForce: 14,
        bulletDistance: 1300,
        bulletStartPosition: { x: -5, y: -12, rotation: 0 },
      },
    ],
    [
      'bullet fields in both spellings',
      { bulletType: 'projectile', [`${mangled}Type`]: 'raycast' },
      { bulletType: 'projectile' },
    ],
    ['other mangled fields are known', { [`${mangled}Whatever`]: 1 }, {}],
    [
      'damage targets',
      { damage: { unitAttributes: {}, targetsAffected: ['hostile'] } },
      { damage: { targetsAffected: ['hostile'] } },
    ],
    ['no damage', { damage: {} }, { damage: { targetsAffected: [] } }],
    [
      'times',
      { fireRate: '500', lifeSpan: null, explosiveTimer: '', destroyTimer: 30000 },
      { fireRate: 500, lifeSpan: Number.POSITIVE_INFINITY, explosiveTimer: undefined, destroyTimer: 30000 },
    ],
    [
      'hit box',
      { damageHitBox: { width: 28, height: 30, offsetX: 0, offsetY: '35' } },
      { damageHitBox: { width: 28, height: 30, offsetX: 0, offsetY: 35 } },
    ],
    ['no description', { description: null }, { description: undefined }],
    ['stream modes', { streamMode: 1, projectileStreamMode: '0' }, { streamMode: 1, projectileStreamMode: 0 }],
    ['no projectile', { projectileType: '' }, { projectileType: undefined }],
    ['unusable', { type: 'unusable' }, { type: 'unusable' }],
    ['collections that are arrays', { variables: [], attributes: [], scripts: [], frames: [], hits: [] }, {}],
    [
      'controls',
      {
        controls: {
          undroppable: false,
          canMerge: true,
          backpackAllowed: 'false',
          permittedInventorySlots: [1],
          designatedInventorySlot: '',
          untradable: true,
        },
      },
      {
        controls: {
          undroppable: false,
          canMerge: true,
          backpackAllowed: false,
          permittedInventorySlots: [1],
          designatedInventorySlot: undefined,
          untradable: true,
        },
      },
    ],
    [
      'an inline projectile',
      { defaultProjectile: { name: 'Arrow', lifeSpan: '1500' } },
      { defaultProjectile: { name: 'Arrow', lifeSpan: 1500, key: 'defaultProjectile' } },
    ],
  ])('%s', (_name, given, normal) => {
    expect(item(given)).toMatchObject(normal);
    expect(complaints({ itemTypes: { i: given } })).toEqual([]);
  });

  test.each<[string, unknown, [string, number][]]>([
    ['a number', 5, [['health', 5]]],
    ['a number as text', '2', [['health', 2]]],
    [
      'amounts',
      { unitAttributes: { health: '10', armor: 1 } },
      [
        ['health', 10],
        ['armor', 1],
      ],
    ],
  ])('damage as %s', (_name, damage, amounts) => {
    expect([...(item({ damage })?.damage?.unitAttributes ?? [])]).toEqual(amounts);
  });

  test('bonuses', () => {
    const given = {
      bonus: {
        consume: { playerAttribute: {}, unitAttribute: { health: '15' }, coin: 0 },
        passive: {
          unitAttribute: {
            a: 5,
            b: '6',
            c: { type: 'percentage', value: '-50' },
            d: { value: 100 },
            e: { type: 'factor', value: 1 },
          },
          isDisabledInBackpack: true,
        },
        isConsumedImmediately: true,
      },
    };
    const bonus = item(given)?.bonus;
    expect([...(bonus?.consume?.unitAttribute ?? [])]).toEqual([['health', 15]]);
    expect([...(bonus?.passive?.unitAttribute ?? [])]).toEqual([
      ['a', { type: 'flat', value: 5 }],
      ['b', { type: 'flat', value: 6 }],
      ['c', { type: 'percentage', value: -50 }],
      ['d', { type: 'flat', value: 100 }],
      ['e', { type: 'flat', value: 1 }],
    ]);
    expect(bonus).toMatchObject({
      consume: { coin: 0 },
      passive: { isDisabledInBackpack: true },
      isConsumedImmediately: true,
    });
  });

  test.each<[unknown, number | undefined]>([
    [{ quantity: 0 }, 0],
    [{ quantity: '2' }, 2],
    [{ quantity: null }, undefined],
    [{}, undefined],
    [null, undefined],
  ])('a cost of %j', (cost, quantity) => {
    expect(item({ cost })?.cost.quantity).toBe(quantity);
  });

  test('equip requirements', () => {
    const equipRequirement = {
      playerAttributes: { level: { type: 'atleast', value: '5' } },
      unitAttributes: { strength: 3 },
    };
    const normal = item({ controls: { equipRequirement } })?.controls?.equipRequirement;
    expect(normal?.playerAttributes.get('level')).toEqual({ type: 'atleast', value: 5 });
    expect(normal?.unitAttributes.get('strength')).toEqual({ type: 'atleast', value: 3 });
  });

  test.each([
    [{ type: 'wepon' }, 'unknown-value /data/itemTypes/i/type'],
    [{ bulletType: 'laser' }, 'unknown-value /data/itemTypes/i/bulletType'],
    [{ quantity: 'many' }, 'wrong-type /data/itemTypes/i/quantity'],
    [{ damage: [] }, 'wrong-type /data/itemTypes/i/damage'],
    [{ carriedBy: 'human' }, 'wrong-type /data/itemTypes/i/carriedBy'],
    [{ hits: 3 }, 'wrong-type /data/itemTypes/i/hits'],
    [
      { [`${mangled}Force`]: 'strong', bulletForce: 4 },
      `wrong-type /data/itemTypes/i/${mangled.replace('/', '~1')}Force`,
    ],
  ])('%j is reported', (given, complaint) => {
    expect(complaints({ itemTypes: { i: given } })).toEqual([complaint]);
  });
});

describe('a projectile type', () => {
  test('in full', () => {
    const given = {
      name: 'Potato',
      destroyOnContactWith: { units: true, items: false, projectiles: 'true', walls: true, debris: false },
      destroyTimer: 1500,
      lifeSpan: '5500',
      explosiveTimer: null,
      effects: { create: { projectileType: '', sound: {}, animation: '' } },
      controls: null,
      confinedWithinMapBoundaries: 'false',
      streamMode: '1',
      variables: {},
      attributes: {},
      scripts: {},
    };
    expect(complaints({ projectileTypes: { p: given } })).toEqual([]);
    expect(projectile(given)).toMatchObject({
      destroyOnContactWith: { units: true, items: false, projectiles: true, walls: true, debris: false },
      lifeSpan: 5500,
      explosiveTimer: undefined,
      confinedWithinMapBoundaries: false,
      streamMode: 1,
    });
  });

  test('defaults', () => {
    expect(projectile({})).toMatchObject({
      lifeSpan: undefined,
      confinedWithinMapBoundaries: true,
      destroyOnContactWith: undefined,
    });
  });
});

import { suggest } from '../../engine/core/suggest.ts';
import { catalogue } from '../../engine/index.ts';
import { exampleOf } from './example.ts';

type Json = Readonly<Record<string, unknown>>;

const columns = 16;
const rows = 12;
const always = [{ operandType: 'boolean', operator: '==' }, true, true];

const attribute = (name: string, value: number): Json => ({ name, min: 0, max: 100, value, regenerateSpeed: 0 });

const body = (width: number, shape: 'circle' | 'rectangle', more: Json = {}): Json => ({
  ...{ type: 'dynamic', width, height: width, fixedRotation: true, linearDamping: 5 },
  collidesWith: { units: true, items: true, projectiles: true, walls: true, debris: true },
  fixtures: [{ density: 1, friction: 0, restitution: 0, shape: { type: shape } }],
  ...more,
});

const layer = (name: string, isWall: (x: number, y: number) => boolean): Json => ({
  ...{ name, type: 'tilelayer', width: columns, height: rows },
  data: Array.from({ length: columns * rows }, (_, i) => Number(isWall(i % columns, Math.floor(i / columns)))),
});

const player = { function: 'selectedPlayer' };
const place = { function: 'getEntityPosition', entity: { function: 'selectedUnit' } };
const home = { function: 'getVariable', variableName: 'home' };

/** A game that contains everything that the examples of operations and triggers refer to. */
const exampleGame = {
  defaultData: { title: 'Example', frameRate: 20, defaultMaxPlayers: 8 },
  settings: { gravity: { x: 0, y: 0 }, persistentScoreAttributeId: 'health' },
  variables: {
    score: { dataType: 'number', default: 0 },
    key: { dataType: 'string', default: '' },
    any: {},
    bag: { dataType: 'object', default: { first: 'hello', second: 'world' } },
    team: { dataType: 'unitGroup', default: null },
    players: { dataType: 'playerGroup', default: null },
    home: { dataType: 'region', default: { x: 384, y: 256, width: 256, height: 256 } },
  },
  unitTypes: {
    human: {
      ...{ name: 'Human', inventorySize: 3, backpackSize: 0, confinedWithinMapBoundaries: true },
      attributes: { health: attribute('Health', 50), speed: attribute('Speed', 5) },
      variables: { level: { dataType: 'number', default: 1 } },
      controls: {
        ...{ movementControlScheme: 'wasd', movementMethod: 'velocity', mouseBehaviour: {} },
        abilities: { space: { keyDown: { scriptName: 'reset' } } },
        unitAbilities: { jump: { name: 'Jump' } },
      },
      ai: { enabled: false, pathFindingMethod: 'simple', idleBehaviour: 'stay', sensorRadius: 150 },
      states: { default: { name: 'Default', body: 'default' } },
      bodies: { default: body(40, 'circle', { linearDamping: 0 }) },
      animations: { walk: { name: 'walk', frames: [1] } },
      particles: { spark: { name: 'spark' } },
    },
  },
  itemTypes: {
    apple: {
      ...{ name: 'Apple', type: 'consumable', quantity: 1, maxQuantity: 5, lifeSpan: 4000 },
      attributes: { health: attribute('Freshness', 50) },
      states: {
        dropped: { name: 'dropped', body: 'dropped' },
        selected: { name: 'selected', body: 'selected' },
        unselected: { name: 'unselected', body: 'none' },
      },
      bodies: {
        dropped: body(20, 'circle'),
        selected: { type: 'spriteOnly', width: 10, height: 20, jointType: 'weldJoint', unitAnchor: { x: 0, y: 20 } },
      },
      controls: { canMerge: true },
    },
  },
  projectileTypes: {
    arrow: {
      ...{ name: 'Arrow', lifeSpan: 1000 },
      attributes: { health: attribute('Sharpness', 50) },
      states: { default: { name: 'default', body: 'default' } },
      bodies: { default: body(12, 'rectangle', { fixedRotation: false }) },
    },
  },
  playerTypes: {
    people: {
      ...{ name: 'People', color: '#3b82f6', relationships: {} },
      attributes: { health: attribute('Health', 50) },
      variables: { wins: { dataType: 'number', default: 0 } },
    },
  },
  entityTypeVariables: { level: { dataType: 'number', default: 1 } },
  playerTypeVariables: { wins: { dataType: 'number', default: 0 } },
  shops: {
    market: {
      name: 'Market',
      itemTypes: {
        apple: {
          isPurchasable: true,
          price: { coins: 0, requiredItemTypes: {}, playerAttributes: { health: 1 } },
          requirement: { requiredItemTypes: {}, playerAttributes: {} },
        },
      },
    },
  },
  abilities: { jump: { name: 'jump' } },
  dialogues: { greeting: { name: 'Greeting', message: 'hello', options: [] } },
  sound: { ring: { name: 'ring', file: 'ring.mp3' } },
  music: { theme: { name: 'theme', file: 'theme.mp3' } },
  particles: { spark: { name: 'spark' } },
  particleTypes: { spark: { name: 'spark' } },
  scripts: {
    join: script('somebody joins', 'playerJoinsGame', [
      { type: 'assignPlayerType', entity: { function: 'getTriggeringPlayer' }, playerType: 'people' },
      {
        ...{ type: 'createUnitAtPosition', unitType: 'human', entity: { function: 'getTriggeringPlayer' } },
        position: { function: 'getRandomPositionInRegion', region: home },
      },
      {
        ...{ type: 'playerCameraTrackUnit', player: { function: 'getTriggeringPlayer' } },
        unit: { function: 'getLastCreatedUnit' },
      },
    ]),
    reset: {
      ...{ name: 'reset', triggers: [], conditions: always },
      actions: [
        each('forAllUnits', 'unitGroup', 'allUnits', setAttribute('health', 50), setAttribute('speed', 5)),
        { type: 'setVariable', variableName: 'score', value: 0 },
      ],
    },
  },
  map: {
    ...{ width: columns, height: rows, tilewidth: 64, tileheight: 64, orientation: 'orthogonal' },
    layers: [
      layer('floor', () => true),
      layer('walls', (x, y) => x === 0 || y === 0 || x === columns - 1 || y === rows - 1),
      {
        ...{ name: 'debris', type: 'objectgroup' },
        objects: [{ id: 7, x: 800, y: 200, width: 48, height: 48, rotation: 0, type: 'dynamic', name: 'barrel' }],
      },
    ],
    tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
  },
} as const;

function script(name: string, trigger: string, actions: readonly unknown[]): Json {
  return { name, triggers: [{ type: trigger }], conditions: always, actions };
}

function each(loop: string, group: string, list: string, ...actions: readonly unknown[]): Json {
  return { type: loop, [group]: { function: list }, actions };
}

function setAttribute(attribute: string, value: number): Json {
  return { type: 'setEntityAttribute', entity: { function: 'selectedUnit' }, attribute, value };
}

const apples = each('forAllUnits', 'unitGroup', 'allUnits', { type: 'spawnItem', itemType: 'apple', position: place });
const arrows = each('forAllUnits', 'unitGroup', 'allUnits', {
  ...{ type: 'createProjectileAtPosition', projectileType: 'arrow', position: place, force: 0, angle: 0 },
});
const moveBarrel = (position: Json): Json =>
  each('forAllDebris', 'debrisGroup', 'allDebris', {
    ...{ type: 'moveDebris', entity: { function: 'selectedDebris' }, position },
  });
const lose = each('forAllUnits', 'unitGroup', 'allUnits', setAttribute('health', 5), setAttribute('health', 0));
const errand = each(
  ...(['forAllPlayers', 'playerGroup', 'humanPlayers'] as const),
  { type: 'removeQuestForPlayer', player, questId: 'apples' },
  {
    ...{ type: 'addQuestToPlayer', player, questId: 'apples' },
    ...{ name: 'Apples', description: 'Collect apples', goal: 5 },
  },
);

/** What triggers tell, and what the game does each second so that they fire; the first that tells enough is used. */
const occasions: readonly { readonly trigger: string; readonly tells: string; readonly causes: readonly Json[] }[] = [
  { trigger: 'secondTick', tells: '', causes: [] },
  { trigger: 'unitTouchesItem', tells: 'Unit Item', causes: [apples] },
  { trigger: 'questAdded', tells: 'Unit Player', causes: [errand] },
  { trigger: 'unitTouchesProjectile', tells: 'Unit Projectile', causes: [arrows] },
  { trigger: 'itemTouchesProjectile', tells: 'Item Projectile', causes: [apples, arrows] },
  { trigger: 'whenItemEntersSensor', tells: 'Unit Item Sensor', causes: [apples] },
  {
    trigger: 'unitTouchesDebris',
    tells: 'Unit Debris',
    causes: [each('forAllUnits', 'unitGroup', 'allUnits', moveBarrel(place))],
  },
  { trigger: 'itemEntersRegion', tells: 'Item Region', causes: [apples] },
  { trigger: 'unitAttributeBecomesZero', tells: 'Unit Attribute', causes: [lose] },
  { trigger: 'entityCreatedGlobal', tells: 'Entity', causes: [apples] },
];

/** The loop in which a `selected…` function has a value. */
const loops: Readonly<Record<string, (action: Json) => Json>> = {
  selectedUnit: (action) => each('forAllUnits', 'unitGroup', 'allUnits', action),
  selectedPlayer: (action) => each('forAllPlayers', 'playerGroup', 'allPlayers', action),
  selectedItem: (action) => each('forAllItems', 'itemGroup', 'allItems', action),
  selectedProjectile: (action) => each('forAllProjectiles', 'projectileGroup', 'allProjectiles', action),
  selectedDebris: (action) => each('forAllDebris', 'debrisGroup', 'allDebris', action),
  selectedRegion: (action) => each('forAllRegions', 'regionGroup', 'allRegions', action),
  selectedEntity: (action) => each('forAllEntities', 'entityGroup', 'allEntities', action),
  selectedUnitType: (action) => each('forAllUnitTypes', 'unitTypeGroup', 'allUnitTypesInGame', action),
  selectedItemType: (action) => each('forAllItemTypes', 'itemTypeGroup', 'allItemTypesInGame', action),
  selectedElement: inBag,
  selectedElementsKey: inBag,
  break: repeated,
  continue: repeated,
};

function inBag(action: Json): Json {
  const object = { function: 'getVariable', variableName: 'bag' };
  return { type: 'forAllElementsInObject', object, actions: [action] };
}

function repeated(action: Json): Json {
  return { type: 'repeat', count: 3, actions: [action] };
}

/** A game in which the example of an operation runs about each second. */
interface OperationExample {
  readonly document: Json;
  /** The script that contains the example, as `scripts/KEY`. */
  readonly script: string;
}

/** Throws an error with a readable message if there is no such operation. */
export function operationExample(name: string): OperationExample {
  const { actions, functions } = catalogue();
  const all = [...actions, ...functions];
  const operation = all.find(({ type, aliases }) => type === name || aliases.includes(name));
  if (operation === undefined) {
    const near = suggest(
      name,
      all.map(({ type }) => type),
    );
    throw new Error(`There is no action or function "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`);
  }
  const { type, returns } = operation;
  const call = exampleOf(operation) as Json;
  const target = 'scoreboard';
  const run = returns === undefined ? call : { type: 'setVariable', variableName: 'any', value: call };
  const shown = { function: 'concat', textA: `${type}: `, textB: { function: 'getVariable', variableName: 'any' } };
  const wrapped = loops[type]?.(run) ?? run;
  const tail = returns === undefined ? [] : [{ type: 'updateUiTextForEveryone', target, value: shown }];
  const needed = [...JSON.stringify(call).matchAll(/"getTriggering(\w+)"/g)].map(([, word]) => word!);
  const isOwn = type === 'thisEntity';
  const occasion =
    occasions.find(({ tells }) => needed.every((word) => tells.split(' ').includes(word))) ?? occasions[0]!;
  const { trigger } = isOwn ? occasions[0]! : occasion;
  const causes = new Set([
    ...(isOwn ? [] : occasion.causes),
    ...(type.includes('Item') ? [apples] : []),
    ...(type.includes('Projectile') ? [arrows] : []),
  ]);
  const example = script(`example of ${type}`, trigger, [wrapped, ...tail]);
  const { scripts, unitTypes } = exampleGame;
  const cause = causes.size === 0 ? {} : { cause: script('what the example needs', 'secondTick', [...causes]) };
  const human = { ...unitTypes.human, ...(isOwn ? { scripts: { example } } : {}) };
  const data = {
    ...exampleGame,
    title: type,
    defaultData: { ...exampleGame.defaultData, title: type },
    unitTypes: { human },
    scripts: { ...scripts, ...cause, ...(isOwn ? {} : { example }) },
  };
  return { document: { data }, script: isOwn ? 'unitTypes/human/scripts/example' : 'scripts/example' };
}

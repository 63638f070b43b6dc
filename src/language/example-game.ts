import { suggest } from '../../engine/core/index.ts';
import { type CatalogueTrigger, catalogue } from '../../engine/index.ts';
import { exampleOf } from './example.ts';
import { payloadFunctionsOf } from './payload.ts';

type Json = Readonly<Record<string, unknown>>;

const columns = 16;
const rows = 12;
const always = [{ operandType: 'boolean', operator: '==' }, true, true];

const attribute = (name: string, value: number): Json => ({ name, min: 0, max: 100, value, regenerateSpeed: 0 });

const body = (width: number, shape: 'circle' | 'rectangle', more: Json = {}): Json => ({
  type: 'dynamic',
  width,
  height: width,
  fixedRotation: true,
  linearDamping: 5,
  collidesWith: { units: true, items: true, projectiles: true, walls: true, debris: true },
  fixtures: [{ density: 1, friction: 0, restitution: 0, shape: { type: shape } }],
  ...more,
});

const layer = (name: string, isWall: (x: number, y: number) => boolean): Json => ({
  name,
  type: 'tilelayer',
  width: columns,
  height: rows,
  data: Array.from({ length: columns * rows }, (_, i) => Number(isWall(i % columns, Math.floor(i / columns)))),
});

const player = { function: 'selectedPlayer' };
const unit = { function: 'selectedUnit' };
const place = { function: 'getEntityPosition', entity: unit };
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
      name: 'Human',
      inventorySize: 3,
      backpackSize: 0,
      confinedWithinMapBoundaries: true,
      attributes: { health: attribute('Health', 50), speed: attribute('Speed', 5) },
      variables: { level: { dataType: 'number', default: 1 } },
      controls: {
        movementControlScheme: 'wasd',
        movementMethod: 'velocity',
        mouseBehaviour: {},
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
      name: 'Apple',
      description: 'A red apple',
      type: 'consumable',
      quantity: 1,
      maxQuantity: 5,
      lifeSpan: 4000,
      fireRate: 0,
      inventoryImage: 'apple.png',
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
      name: 'Arrow',
      lifeSpan: 1000,
      attributes: { health: attribute('Sharpness', 50) },
      states: { default: { name: 'default', body: 'default' } },
      bodies: { default: body(12, 'rectangle', { fixedRotation: false }) },
    },
  },
  playerTypes: {
    people: {
      name: 'People',
      color: '#3b82f6',
      relationships: {},
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
        type: 'createUnitAtPosition',
        unitType: 'human',
        entity: { function: 'getTriggeringPlayer' },
        position: { function: 'getRandomPositionInRegion', region: home },
      },
      {
        type: 'playerCameraTrackUnit',
        player: { function: 'getTriggeringPlayer' },
        unit: { function: 'getLastCreatedUnit' },
      },
      {
        type: 'loadPlayerDataAndApplyIt',
        player: { function: 'getTriggeringPlayer' },
        unit: { function: 'getLastCreatedUnit' },
      },
    ]),
    reset: {
      name: 'reset',
      triggers: [],
      conditions: always,
      actions: [
        each('forAllUnits', 'unitGroup', 'allUnits', setAttribute('health', 50), setAttribute('speed', 5)),
        { type: 'setVariable', variableName: 'score', value: 0 },
      ],
    },
  },
  map: {
    width: columns,
    height: rows,
    tilewidth: 64,
    tileheight: 64,
    orientation: 'orthogonal',
    layers: [
      layer('floor', () => true),
      layer('walls', (x, y) => x === 0 || y === 0 || x === columns - 1 || y === rows - 1),
      {
        name: 'debris',
        type: 'objectgroup',
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

function setAttribute(attribute: string, value: number, of = 'selectedUnit'): Json {
  return { type: 'setEntityAttribute', entity: { function: of }, attribute, value };
}

const apples = each('forAllUnits', 'unitGroup', 'allUnits', { type: 'spawnItem', itemType: 'apple', position: place });
const arrows = each('forAllUnits', 'unitGroup', 'allUnits', {
  type: 'createProjectileAtPosition',
  projectileType: 'arrow',
  position: place,
  force: 0,
  angle: 0,
});
const moveBarrel = (position: Json): Json =>
  each('forAllDebris', 'debrisGroup', 'allDebris', {
    type: 'moveDebris',
    entity: { function: 'selectedDebris' },
    position,
  });
const held = { function: 'getItemCurrentlyHeldByUnit', entity: unit };
const forUnits = (...actions: readonly unknown[]): Json => each('forAllUnits', 'unitGroup', 'allUnits', ...actions);
const forPlayers = (...actions: readonly unknown[]): Json =>
  each('forAllPlayers', 'playerGroup', 'humanPlayers', ...actions);
const lose = forUnits(setAttribute('health', 5), setAttribute('health', 0));
const win = forUnits(setAttribute('health', 50), setAttribute('health', 100));
const errand = forPlayers(
  { type: 'removeQuestForPlayer', player, questId: 'apples' },
  {
    type: 'addQuestToPlayer',
    player,
    questId: 'apples',
    name: 'Apples',
    description: 'Collect apples',
    goal: 5,
  },
);
const progress = forPlayers(
  { type: 'setQuestProgress', player, questId: 'apples', progress: 2 },
  { type: 'setQuestProgress', player, questId: 'apples', progress: 5 },
  { type: 'completeQuest', player, questId: 'apples' },
);
const gifts = forUnits(
  { type: 'giveNewItemToUnit', itemType: 'apple', unit },
  { type: 'makeUnitSelectItemAtSlot', unit, slotIndex: 1 },
);
const use = forUnits({ type: 'startUsingItem', entity: held }, { type: 'useItemOnce', item: held });
const drop = forUnits(
  { type: 'stopUsingItem', entity: held },
  { type: 'makeUnitSelectItemAtSlot', unit, slotIndex: 2 },
  { type: 'dropAllItems', entity: unit },
);
const buy = forPlayers({ type: 'purchaseItemFromShop', itemType: 'apple', shop: 'market', player });
const corner = { function: 'xyCoordinate', x: 70, y: 70 };
const atWalls = [
  { type: 'spawnItem', itemType: 'apple', position: corner },
  {
    type: 'repeat',
    count: 2,
    actions: [{ type: 'createProjectileAtPosition', projectileType: 'arrow', position: corner, force: 0, angle: 0 }],
  },
  forUnits({ type: 'teleportEntity', entity: unit, position: corner }, { type: 'break' }),
];
const bounds = [0, 100].flatMap((value) => [
  each('forAllItems', 'itemGroup', 'allItems', setAttribute('health', value, 'selectedItem')),
  each('forAllProjectiles', 'projectileGroup', 'allProjectiles', setAttribute('health', value, 'selectedProjectile')),
  forPlayers({ type: 'setPlayerAttribute', attribute: 'health', entity: player, value }),
]);
const talk = {
  type: 'makePlayerSendChatMessage',
  player: { function: 'computerPlayer', number: 1 },
  message: 'hello',
};

/**
 * Triggers that may run an example: their payload, and what the game does each second so that they fire. The first
 * whose payload has all that the example needs is used.
 */
const occasions: readonly { readonly trigger: string; readonly tells: string; readonly causes: readonly Json[] }[] = [
  { trigger: 'secondTick', tells: '', causes: [] },
  { trigger: 'unitTouchesItem', tells: 'Unit Item', causes: [apples] },
  { trigger: 'questAdded', tells: 'Unit Player', causes: [errand] },
  { trigger: 'unitTouchesProjectile', tells: 'Unit Projectile', causes: [arrows] },
  { trigger: 'itemTouchesProjectile', tells: 'Item Projectile', causes: [apples, arrows] },
  { trigger: 'whenItemEntersSensor', tells: 'Unit Item Sensor', causes: [apples] },
  { trigger: 'unitTouchesDebris', tells: 'Unit Debris', causes: [forUnits(moveBarrel(place))] },
  { trigger: 'itemEntersRegion', tells: 'Item Region', causes: [apples] },
  { trigger: 'unitAttributeBecomesZero', tells: 'Unit Attribute', causes: [lose] },
  { trigger: 'entityCreatedGlobal', tells: 'Entity', causes: [apples] },
];

/** What else happens each second in the example of an operation, by its name. */
const needs: readonly (readonly [name: RegExp, ...causes: readonly Json[]])[] = [
  [/Item/, apples],
  [/Projectile/, arrows],
  [/Held|UsedItem|OwnerOfItem|AtSlot|OwnedByUnit|InInventory/, gifts],
  [/UsedItem/, use],
  [/Quest/, errand],
  [/^(?:getLast|last).*Message/, talk],
];

/** What happens each second in the examples of triggers, so that nearly all fire. */
const busy = [
  errand,
  progress,
  drop,
  apples,
  arrows,
  gifts,
  use,
  buy,
  talk,
  lose,
  win,
  ...atWalls,
  ...bounds,
  forUnits(moveBarrel(place)),
];

/**
 * Triggers that the example game does not fire: they need people, a server with its platform, weapons or walls in the
 * way.
 */
const elsewhere: ReadonlySet<string> = new Set([
  'playerCustomInput',
  'playerPurchasesUnit',
  'serverShuttingDown',
  'onPostResponse',
  'adPlayCompleted',
  'adPlaySkipped',
  'adPlayBlocked',
  'adPlayFailed',
  'sendCoinsSuccess',
  'coinSendFailureDueToInsufficientCoins',
  'coinSendFailureDueToDailyLimit',
  'raycastItemFired',
  'unitAttacksUnit',
  'entityGetsAttacked',
  'entityAStarPathFindingFailed',
  'unitAStarPathFindingFailed',
]);

/** Where the game shows what the example gave. */
const target = 'scoreboard';
const asText = (object: Json): Json => ({ function: 'objectToString', object });
const joined = (textA: unknown, textB: unknown): Json => ({ function: 'concat', textA, textB });

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

/** A game in which the example of an operation or trigger runs about each second. */
interface OperationExample {
  readonly document: Json;
  /** The script that contains the example, as `scripts/KEY`. */
  readonly script: string;
}

/** The example of an action, a function or a trigger. Throws an error with a readable message if there is none. */
export function operationExample(name: string): OperationExample {
  const { actions, functions, triggers } = catalogue();
  const all = [...actions, ...functions];
  const operation = all.find(({ type, aliases }) => type === name || aliases.includes(name));
  if (operation === undefined) {
    const trigger = triggers.find(({ type, aliases }) => type === name || aliases.includes(name));
    if (trigger !== undefined) return exampleOfTrigger(trigger);
    const near = suggest(
      name,
      [...all, ...triggers].map(({ type }) => type),
    );
    throw new Error(
      `There is no action, function or trigger "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    );
  }
  const { type, returns } = operation;
  const call = exampleOf(operation) as Json;
  const run = returns === undefined ? call : { type: 'setVariable', variableName: 'any', value: call };
  const shown = joined(`${type}: `, asText({ function: 'getVariable', variableName: 'any' }));
  const wrapped = loops[type]?.(run) ?? run;
  const tail = returns === undefined ? [] : [{ type: 'updateUiTextForEveryone', target, value: shown }];
  const needed = [...JSON.stringify(call).matchAll(/"getTriggering(\w+)"/g)].map(([, word]) => word!);
  const isOwn = type === 'thisEntity';
  const occasion =
    occasions.find(({ tells }) => needed.every((word) => tells.split(' ').includes(word))) ?? occasions[0]!;
  const { trigger: occurs } = isOwn ? occasions[0]! : occasion;
  const causes = needs.flatMap(([name, ...needed]) => (name.test(type) ? needed : []));
  const example = script(`example of ${type}`, occurs, [wrapped, ...tail]);
  return gameWith(type, example, isOwn ? 'unit' : 'global', isOwn ? causes : [...occasion.causes, ...causes]);
}

/** Whether the trigger fires in its example. */
export function hasExample({ type, delivery }: Pick<CatalogueTrigger, 'type' | 'delivery'>): boolean {
  return delivery !== 'never' && !elsewhere.has(type);
}

/** A game in which a script listens to the trigger, which fires about each second. */
function exampleOfTrigger({ type, scopes, tells, tellsSometimes, delivery }: CatalogueTrigger): OperationExample {
  if (!hasExample({ type, delivery }))
    throw new Error(`The trigger "${type}" has no example: it needs more than a page with bots.`);
  const { always, sometimes } = payloadFunctionsOf({ tells, tellsSometimes });
  const count = { function: 'getVariable', variableName: 'score' };
  const words = [`${type} ×`, count, ...[...always, ...sometimes].flatMap((name) => [' ', asText({ function: name })])];
  const example = script(`example of ${type}`, type, [
    {
      type: 'setVariable',
      variableName: 'score',
      value: { function: 'calculate', items: [{ operator: '+' }, count, 1] },
    },
    { type: 'updateUiTextForEveryone', target, value: words.reduce(joined) },
  ]);
  return gameWith(type, example, scopes[0]!, busy);
}

/** A game with the example, and a script that causes what it needs. */
function gameWith(
  name: string,
  example: Json,
  scope: CatalogueTrigger['scopes'][number],
  causes: readonly Json[],
): OperationExample {
  const { scripts, unitTypes, itemTypes, projectileTypes } = exampleGame;
  const cause =
    causes.length === 0 ? {} : { cause: script('what the example needs', 'secondTick', [...new Set(causes)]) };
  const own = (of: typeof scope): Json => (of === scope ? { scripts: { example } } : {});
  const data = {
    ...exampleGame,
    title: name,
    defaultData: { ...exampleGame.defaultData, title: name },
    unitTypes: { human: { ...unitTypes.human, ...own('unit') } },
    itemTypes: { apple: { ...itemTypes.apple, ...own('item') } },
    projectileTypes: { arrow: { ...projectileTypes.arrow, ...own('projectile') } },
    scripts: { ...scripts, ...cause, ...(scope === 'global' ? { example } : {}) },
  };
  return { document: { data }, script: `${places[scope]}scripts/example` };
}

const places = {
  global: '',
  unit: 'unitTypes/human/',
  item: 'itemTypes/apple/',
  projectile: 'projectileTypes/arrow/',
} as const;

import { describe, expect, test } from 'vitest';
import { checkGame, type Issue, loadDefinition } from '../../engine/index.ts';
import { script } from '../support/play.ts';

type Json = Record<string, unknown>;

/**
 * A small valid game. A mistake is a change to it: `at` is a path in the data, separated by dots. Undefined removes the
 * member.
 */
function game(): Json {
  const walls = { name: 'walls', type: 'tilelayer', width: 20, height: 20, data: new Array(400).fill(0) };
  return {
    title: 'Mine',
    defaultData: { title: 'Mine', frameRate: 20, engineTickRate: 20 },
    map: {
      width: 20,
      height: 20,
      tilewidth: 64,
      tileheight: 64,
      layers: [walls],
      tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
    },
    variables: {
      round: { dataType: 'number', default: 0 },
      mood: { dataType: 'string', default: 'calm' },
      crowd: { dataType: 'playerGroup' },
      hall: { dataType: 'region', default: { x: 64, y: 64, width: 128, height: 128 } },
      door: { dataType: 'position', default: { x: 100, y: 100 } },
      firstType: { dataType: 'unitType', default: 'digger' },
    },
    playerTypes: { team: { name: 'Team', relationships: {}, attributes: {}, variables: {} } },
    unitTypes: {
      digger: {
        name: 'Digger',
        attributes: {
          speed: { name: 'Speed', min: 0, max: 10, value: 5 },
          health: { name: 'Health', min: 0, max: 100, value: 100, regenerateSpeed: 1 },
        },
        controls: { movementControlScheme: 'wasd', abilities: { e: { keyDown: { scriptName: 'dig' } } } },
        states: { default: { name: 'Default', body: 'default', animation: 'stand' } },
        animations: { stand: { name: 'Stand', frames: [1] } },
        bodies: {
          default: {
            type: 'dynamic',
            width: 32,
            height: 32,
            fixtures: [{ density: 1, friction: 0, restitution: 0, shape: { type: 'circle' } }],
          },
        },
        effects: { create: { sound: { ring: { name: 'Ring', file: '' } }, projectileType: 'dust' } },
        defaultItems: [{ key: 'axe' }],
        inventorySize: 2,
      },
      ghost: { name: 'Ghost', controls: { abilities: { e: { keyDown: { scriptName: 'dig' } } } } },
    },
    itemTypes: {
      axe: {
        name: 'Axe',
        type: 'weapon',
        fireRate: 300,
        carriedBy: ['digger'],
        damage: { unitAttributes: { health: 5 }, targetsAffected: ['hostile'] },
      },
    },
    projectileTypes: {
      dart: {
        name: 'Dart',
        states: { default: { name: 'Default', body: 'default' } },
        bodies: {
          default: { type: 'dynamic', width: 8, height: 8, fixtures: [{ density: 1, shape: { type: 'circle' } }] },
        },
      },
    },
    sound: { ring: { name: 'Ring', file: '' } },
    particleTypes: { dust: { name: 'Dust' } },
    scripts: {
      begin: script('gameStart', [set('round', 1)]),
      join: script('playerJoinsGame', [
        {
          type: 'createUnitAtPosition',
          unitType: variable('firstType'),
          entity: { function: 'getTriggeringPlayer' },
          position: variable('door'),
        },
      ]),
      touch: script('unitTouchesItem', [{ type: 'comment' }]),
      count: script('secondTick', [{ type: 'forAllPlayers', playerGroup: variable('crowd'), actions: [] }]),
      dig: script([], [set('mood', 'busy')]),
      fill: script([], [set('mood', 'calm')]),
      fillLater: script('secondTick', [run('fill')]),
    },
  };
}

function variable(variableName: string): Json {
  return { function: 'getVariable', variableName };
}
function set(variableName: string, value: unknown): Json {
  return { type: 'setVariable', variableName, value };
}
function run(scriptName: string): Json {
  return { type: 'runScript', scriptName };
}
function when(operandType: string, left: unknown, right: unknown): Json {
  return { type: 'condition', conditions: [{ operandType, operator: '==' }, left, right], then: [], else: [] };
}
const unit = { function: 'getTriggeringUnit' };
const ofUnit = (attribute: string): Json => ({ function: 'getEntityAttribute', attribute, entity: unit });
const touch = 'scripts.touch.actions.0';
const diggerBody = 'unitTypes.digger.bodies.default';
/** A working gun, with changes. */
const gun = (changes: Json): Json => ({
  name: 'Gun',
  type: 'weapon',
  isGun: true,
  fireRate: 300,
  carriedBy: ['digger'],
  bulletStartPosition: { x: 0, y: 20 },
  bulletForce: 10,
  projectileType: 'dart',
  ...changes,
});
const ghostly = { name: 'Ghostly', attributes: {}, controls: { movementControlScheme: 'wasd', abilities: {} } };

/** The issues of the game after changes; those in the data come first. */
function issuesOf(changes: Readonly<Record<string, unknown>>): readonly Issue[] {
  const data = game();
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop()!;
    let at = data;
    for (const key of keys) at = at[key] as Json;
    if (value === undefined) delete at[last];
    else at[last] = value;
  }
  const { game: loaded, issues } = loadDefinition({ data });
  return [...issues, ...checkGame(loaded!)];
}

/** Title, change, code, location below `data`, and the value that was found or suggested by the issue. */
const mistakes: readonly (readonly [string, Readonly<Record<string, unknown>>, string, string, Partial<Issue>?])[] = [
  // Scripts and the names in them.
  [
    'a trigger that nobody fires',
    { 'scripts.begin.triggers': [{ type: 'gameStrat' }] },
    'unknown-trigger',
    'scripts/begin/triggers/0',
    { suggestion: 'gameStart' },
  ],
  [
    'a misspelt action',
    { [touch]: { ...set('round', 2), type: 'setVariabel' } },
    'unknown-action',
    'scripts/touch/actions/0',
    { suggestion: 'setVariable' },
  ],
  [
    'a misspelt function',
    { [touch]: set('round', { function: 'getUnitConut' }) },
    'unknown-function',
    'scripts/touch/actions/0/value',
    { suggestion: 'getUnitCount' },
  ],
  [
    'an operand that is missing',
    { [touch]: { type: 'setVariable', variableName: 'round' } },
    'missing-parameter',
    'scripts/touch/actions/0',
  ],
  [
    'a misspelt operand',
    { [touch]: { ...set('round', 2), vlaue: 2 } },
    'unknown-parameter',
    'scripts/touch/actions/0/vlaue',
  ],
  [
    'a variable that is not there',
    { [touch]: set('ruond', 2) },
    'dangling-variable',
    'scripts/touch/actions/0/variableName',
    { suggestion: 'round' },
  ],
  [
    'a script that is not there',
    { [touch]: run('dgi') },
    'dangling-script',
    'scripts/touch/actions/0/scriptName',
    { suggestion: 'dig' },
  ],
  [
    'a type that is not there',
    { [touch]: set('round', { function: 'getNumberOfUnitsOfUnitType', unitType: 'diger' }) },
    'dangling-unit-type',
    'scripts/touch/actions/0/value/unitType',
    { suggestion: 'digger' },
  ],
  [
    'an attribute that is not there',
    { [touch]: set('round', ofUnit('heatlh')) },
    'dangling-attribute',
    'scripts/touch/actions/0/value/attribute',
    { suggestion: 'health' },
  ],
  [
    'a script that nothing starts',
    { 'scripts.fillLater.actions.0': { type: 'comment' } },
    'unreachable-script',
    'scripts/fill',
  ],
  [
    'a condition of another shape',
    { [touch]: { ...when('number', 1, 2), conditions: [variable('round'), '==', 1] } },
    'malformed-condition',
    'scripts/touch/actions/0/conditions',
  ],
  [
    'a function whose trigger never tells it',
    { [touch]: { type: 'destroyEntity', entity: { function: 'getTriggeringProjectile' } } },
    'trigger-function-unavailable',
    'scripts/touch/actions/0/entity',
  ],
  [
    'thisEntity in a global script',
    { [touch]: { type: 'destroyEntity', entity: { function: 'thisEntity' } } },
    'no-this-entity',
    'scripts/touch/actions/0/entity',
    { found: 'a global script' },
  ],
  [
    'a trigger that the place never hears',
    { 'scripts.begin.triggers': [{ type: 'gameStart' }, { type: 'thisUnitUsesItem' }] },
    'unheard-trigger',
    'scripts/begin/triggers/1',
    { found: 'a global script' },
  ],
  [
    'only triggers that the place never hears',
    { 'scripts.touch.triggers': [{ type: 'thisUnitUsesItem' }] },
    'no-emitted-trigger',
    'scripts/touch/triggers',
    { found: 'thisUnitUsesItem' },
  ],
  // Words.
  [
    'an unknown operandType',
    { [touch]: when('nubmer', variable('round'), 1) },
    'unknown-operand-type',
    'scripts/touch/actions/0/conditions/0/operandType',
    { found: 'nubmer', suggestion: 'number' },
  ],
  [
    'an unknown dataType',
    { 'variables.round.dataType': 'nubmer' },
    'unknown-value',
    'variables/round/dataType',
    { found: 'nubmer', suggestion: 'number' },
  ],
  [
    'an unknown key',
    {
      'unitTypes.digger.controls.abilities': {
        sapce: { keyDown: { scriptName: 'dig' } },
        e: { keyDown: { scriptName: 'dig' } },
      },
    },
    'unknown-key',
    'unitTypes/digger/controls/abilities/sapce',
    { found: 'sapce', suggestion: 'space' },
  ],
  [
    'unknown targetsAffected',
    { 'itemTypes.axe.damage.targetsAffected': ['hostiel'] },
    'unknown-value',
    'itemTypes/axe/damage/targetsAffected/0',
    { found: 'hostiel', suggestion: 'hostile' },
  ],
  ['a misspelt field', { 'unitTypes.digger.inventroySize': 2 }, 'unknown-field', 'unitTypes/digger/inventroySize'],
  // Kinds.
  [
    'a number and a group of players',
    { [touch]: when('number', variable('round'), variable('crowd')) },
    'unequal-kinds',
    'scripts/touch/actions/0/conditions',
    { found: 'a group' },
  ],
  [
    'a text variable and 5',
    { [touch]: when('string', variable('mood'), 5) },
    'unequal-kinds',
    'scripts/touch/actions/0/conditions',
    { found: 'a number' },
  ],
  [
    'a text for a number variable',
    { [touch]: set('round', 'many') },
    'mismatched-assignment',
    'scripts/touch/actions/0/value',
    { expected: 'a number', found: '"many"' },
  ],
  [
    'a division by the literal 0',
    { [touch]: set('round', { function: 'calculate', items: [{ operator: '/' }, variable('round'), 0] }) },
    'division-by-zero',
    'scripts/touch/actions/0/value/items/2',
    { found: '0' },
  ],
  // Loops.
  [
    'a while whose condition cannot change',
    {
      [touch]: {
        type: 'while',
        conditions: [{ operandType: 'string', operator: '==' }, variable('crowd'), variable('crowd')],
        actions: [],
      },
    },
    'endless-loop',
    'scripts/touch/actions/0/conditions',
  ],
  [
    'a script that calls itself',
    { 'scripts.dig.actions': [run('dig')] },
    'endless-recursion',
    'scripts/dig/actions/0/scriptName',
    { found: 'dig' },
  ],
  [
    'scripts that call one another',
    { 'scripts.dig.actions': [run('fill')], 'scripts.fill.actions': [set('mood', 'busy'), run('dig')] },
    'endless-recursion',
    'scripts/dig/actions/0/scriptName',
    { found: 'fill' },
  ],
  // Players.
  [
    'a player without a movement scheme',
    { 'unitTypes.digger.controls.movementControlScheme': undefined },
    'no-movement',
    'unitTypes/digger/controls',
    { found: 'nothing' },
  ],
  [
    'a player without speed',
    { 'unitTypes.digger.attributes': { sped: { name: 'Speed', value: 5 } } },
    'no-movement',
    'unitTypes/digger',
    { found: 'sped', suggestion: 'speed' },
  ],
  [
    'a computed type that cannot walk',
    {
      'unitTypes.ghostly': ghostly,
      'scripts.begin.actions': [set('firstType', 'ghostly')],
      'unitTypes.ghostly.controls.abilities': { e: { keyDown: { scriptName: 'dig' } } },
    },
    'no-movement',
    'unitTypes/ghostly',
  ],
  [
    'nobody gets a unit on joining',
    { 'scripts.join.actions': [set('round', 0)] },
    'nobody-gets-a-unit',
    'scripts',
    { found: 'nothing' },
  ],
  ['no gameStart', { 'scripts.begin': undefined }, 'no-game-start', 'scripts', { found: 'none' }],
  [
    'a default item that may not be carried',
    { 'itemTypes.axe.carriedBy': ['ghost'] },
    'item-not-carried',
    'unitTypes/digger/defaultItems/0',
    { found: 'digger', expected: 'ghost' },
  ],
  // Numbers.
  [
    'a negative size',
    { 'unitTypes.digger.bodies.default.width': -32 },
    'negative-size',
    'unitTypes/digger/bodies/default/width',
    { found: '-32', suggestion: '32' },
  ],
  [
    'a region outside the map',
    { 'variables.hall.default': { x: 9000, y: 0, width: 64, height: 64 } },
    'outside-map',
    'variables/hall/default',
    { expected: '0, 0 to 1280, 1280' },
  ],
  [
    'a start place outside the map',
    { 'variables.door.default': { x: -5, y: 0 } },
    'outside-map',
    'variables/door/default',
  ],
  [
    'a start place that a script spells',
    { 'scripts.join.actions.0.position': { x: 5000, y: 64 } },
    'outside-map',
    'scripts/join/actions/0/position',
  ],
  ['a frameRate of 0', { 'defaultData.frameRate': 0 }, 'rate-not-positive', 'defaultData/frameRate', { found: '0' }],
  [
    'an attribute that starts outside its bounds',
    { 'unitTypes.digger.attributes.health.value': 150 },
    'attribute-out-of-bounds',
    'unitTypes/digger/attributes/health/value',
    { found: '150' },
  ],
  [
    'a map of another size than its tiles',
    { 'map.layers': [{ name: 'walls', type: 'tilelayer', width: 20, height: 20, data: [0] }] },
    'map-size-mismatch',
    'map/layers/0',
    { found: '1' },
  ],
  ['a life span below 0', { 'itemTypes.axe.lifeSpan': -5 }, 'out-of-range', 'itemTypes/axe/lifeSpan', { found: '-5' }],
  [
    'a frameRate that nothing plays at',
    { 'defaultData.frameRate': 1000 },
    'out-of-range',
    'defaultData/frameRate',
    { expected: '1 to 240' },
  ],
  [
    'a game for no players',
    { 'defaultData.defaultMaxPlayers': 0 },
    'out-of-range',
    'defaultData/defaultMaxPlayers',
    { found: '0' },
  ],
  [
    'a region without a size',
    { 'variables.hall.default': { x: 64, y: 64, width: 0, height: 64 } },
    'empty-region',
    'variables/hall/default',
    { found: '0 x 64' },
  ],
  ['a body without fixtures', { [`${diggerBody}.fixtures`]: [] }, 'empty-body', 'unitTypes/digger/bodies/default'],
  ['a body of width 0', { [`${diggerBody}.width`]: 0 }, 'empty-body', 'unitTypes/digger/bodies/default/width'],
  [
    'a negative density',
    { [`${diggerBody}.fixtures`]: [{ density: -1, shape: { type: 'circle' } }] },
    'empty-body',
    'unitTypes/digger/bodies/default/fixtures/0/density',
    { suggestion: '1' },
  ],
  [
    'a layer of walls in capitals',
    { 'map.layers.0.name': 'Walls' },
    'no-walls',
    'map/layers',
    { found: 'Walls', suggestion: 'walls' },
  ],
  ['a map without the size of its cells', { 'map.tilewidth': undefined }, 'out-of-range', 'map'],
  // Items.
  [
    'an item that shoots and has no type',
    { 'itemTypes.axe.type': undefined, 'itemTypes.axe.isGun': true },
    'useless-item',
    'itemTypes/axe',
    { expected: '`type`: weapon' },
  ],
  ['a weapon without fireRate', { 'itemTypes.axe.fireRate': undefined }, 'useless-item', 'itemTypes/axe'],
  [
    'a gun without a projectile type',
    { 'itemTypes.axe': gun({ projectileType: undefined }) },
    'useless-gun',
    'itemTypes/axe',
    { expected: 'projectileType' },
  ],
  [
    'a gun without force',
    { 'itemTypes.axe': gun({ bulletForce: 0 }) },
    'useless-gun',
    'itemTypes/axe',
    { expected: 'bulletForce' },
  ],
  [
    'a gun without a start position',
    { 'itemTypes.axe': gun({ bulletStartPosition: undefined }) },
    'useless-gun',
    'itemTypes/axe',
  ],
  [
    'a ray without a distance',
    { 'itemTypes.axe': gun({ bulletType: 'raycast' }) },
    'useless-gun',
    'itemTypes/axe',
    { expected: 'bulletDistance' },
  ],
  [
    'a projectile without a body',
    { 'itemTypes.axe': gun({}), 'projectileTypes.dart.states.default.body': undefined },
    'useless-gun',
    'projectileTypes/dart',
  ],
  [
    'ammunition that nothing refills',
    { 'itemTypes.axe.quantity': 6 },
    'no-refill',
    'itemTypes/axe/quantity',
    { found: '6' },
  ],
  [
    'two items for one slot',
    {
      'itemTypes.axe.controls': { permittedInventorySlots: [1] },
      'itemTypes.spade': { name: 'Spade', controls: { permittedInventorySlots: [1] } },
      'unitTypes.digger.defaultItems': [{ key: 'axe' }, { key: 'spade' }],
    },
    'slot-conflict',
    'unitTypes/digger/defaultItems/1',
  ],
  [
    'an item for a slot beyond the inventory',
    { 'itemTypes.axe.controls': { permittedInventorySlots: [3] } },
    'slot-conflict',
    'unitTypes/digger/defaultItems/0',
    { expected: 'a free slot of 3' },
  ],
  // Names in texts, and what operands are.
  [
    'a comparison with a type that is not there',
    { [touch]: when('unitType', { function: 'getUnitTypeOfUnit', entity: unit }, 'diger') },
    'dangling-unit-type',
    'scripts/touch/actions/0/conditions/2',
    { suggestion: 'digger' },
  ],
  [
    'a comparison of a type variable with a type that is not there',
    { [touch]: when('unitType', 'figther', variable('firstType')) },
    'dangling-unit-type',
    'scripts/touch/actions/0/conditions/1',
    { found: 'figther' },
  ],
  [
    'a comparison with a text that nothing sets',
    { [touch]: when('string', variable('mood'), 'bsuy') },
    'never-assigned',
    'scripts/touch/actions/0/conditions/2',
    { suggestion: 'busy' },
  ],
  [
    'a script by its display name',
    { 'scripts.dig.name': 'Dig a hole', [touch]: run('Dig a hole') },
    'dangling-script',
    'scripts/touch/actions/0/scriptName',
    { suggestion: 'dig' },
  ],
  [
    'an enemy in place of a hostile',
    { 'itemTypes.axe.damage.targetsAffected': ['enemy'] },
    'unknown-value',
    'itemTypes/axe/damage/targetsAffected/0',
    { suggestion: 'hostile' },
  ],
  [
    'a trigger by another word',
    { 'scripts.begin.triggers': [{ type: 'everySecond' }] },
    'unknown-trigger',
    'scripts/begin/triggers/0',
    { suggestion: 'secondTick' },
  ],
  [
    'a player to destroy',
    { [touch]: { type: 'destroyEntity', entity: { function: 'getTriggeringPlayer' } } },
    'wrong-kind',
    'scripts/touch/actions/0/entity',
    { expected: 'entity', found: 'player' },
  ],
  [
    'the owner of a player',
    { [touch]: set('round', { function: 'getPlayerAttribute', attribute: 'health', entity: unit }) },
    'wrong-kind',
    'scripts/touch/actions/0/value/entity',
    { found: 'unit' },
  ],
  [
    'a number as a region',
    { [touch]: set('door', { function: 'centerOfRegion', region: variable('round') }) },
    'wrong-kind',
    'scripts/touch/actions/0/value/region',
    { found: 'number' },
  ],
  [
    'a loop over units that gets players',
    { [touch]: { type: 'forAllUnits', unitGroup: variable('crowd'), actions: [] } },
    'wrong-kind',
    'scripts/touch/actions/0/unitGroup',
    { expected: 'units', found: 'players' },
  ],
  [
    'a player in a calculation',
    {
      [touch]: set('round', {
        function: 'calculate',
        items: [{ operator: '+' }, 1, { function: 'getTriggeringPlayer' }],
      }),
    },
    'wrong-kind',
    'scripts/touch/actions/0/value/items/2',
    { found: 'player' },
  ],
  [
    'a selected unit outside of its loop',
    { [touch]: { type: 'destroyEntity', entity: { function: 'selectedUnit' } } },
    'nothing-selected',
    'scripts/touch/actions/0/entity',
  ],
  [
    'an attribute of another kind of entity',
    {
      'itemTypes.axe.attributes': { edge: { name: 'Edge', value: 5, regenerateSpeed: -1 } },
      [touch]: set('round', ofUnit('edge')),
    },
    'dangling-attribute',
    'scripts/touch/actions/0/value/attribute',
    { found: 'edge' },
  ],
  // Things that are never used.
  [
    'an attribute that is read and never written',
    { 'unitTypes.digger.attributes.ammo': { name: 'Ammo', value: 6 }, [touch]: set('round', ofUnit('ammo')) },
    'never-changed',
    'scripts/touch/actions/0/value/attribute',
    { found: 'ammo' },
  ],
  [
    'a state that nothing uses',
    { 'unitTypes.digger.states.asleep': { name: 'Asleep', body: 'default', animation: 'stand' } },
    'unused',
    'unitTypes/digger/states/asleep',
    { found: 'asleep' },
  ],
  [
    'an animation that nothing uses',
    { 'unitTypes.digger.animations.wave': { name: 'Wave', frames: [1] } },
    'unused',
    'unitTypes/digger/animations/wave',
    { found: 'wave' },
  ],
  [
    'a body that nothing uses',
    { 'unitTypes.digger.bodies.tall': { type: 'dynamic', width: 32, height: 64 } },
    'unused',
    'unitTypes/digger/bodies/tall',
    { found: 'tall' },
  ],
  [
    'a variable that nothing uses',
    { 'variables.spare': { dataType: 'number', default: 0 } },
    'unused-variable',
    'variables/spare',
    { found: 'spare' },
  ],
  [
    'a sound that nothing uses',
    { 'sound.growl': { name: 'Growl', file: '' } },
    'unused-media',
    'sound/growl',
    { found: 'growl' },
  ],
  [
    'a particle that nothing uses',
    { 'unitTypes.digger.particles': { smoke: { name: 'Smoke' } } },
    'unused-media',
    'unitTypes/digger/particles/smoke',
    { found: 'smoke' },
  ],
];

describe('common mistakes of authors', () => {
  test('the game in which they are made has no issue', () => {
    expect(issuesOf({})).toEqual([]);
  });

  for (const [title, changes, code, pointer, details = {}] of mistakes) {
    test(title, () => {
      const found = issuesOf(changes).find((issue) => issue.code === code);
      expect(found).toMatchObject({ code, pointer: `/data/${pointer}`, ...details });
    });
  }

  const ammo = (value: number, more: Json = {}): Json => ({ ammo: { name: 'Ammo', value, ...more } });
  const readsAmmo = { [touch]: set('round', ofUnit('ammo')) };
  const isCalm = { conditions: [{ operandType: 'string', operator: '==' }, variable('mood'), 'calm'] };
  const sound: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['an attribute that drifts', { 'unitTypes.ghost.attributes': ammo(6, { regenerateSpeed: -1 }), ...readsAmmo }],
    [
      'an attribute by which types differ',
      { 'unitTypes.ghost.attributes': ammo(6), 'itemTypes.axe.attributes': ammo(1), ...readsAmmo },
    ],
    [
      'an attribute that a use costs',
      {
        'unitTypes.ghost.attributes': ammo(6),
        'itemTypes.axe.cost': { unitAttributes: { ammo: 1 } },
        ...readsAmmo,
      },
    ],
    [
      'a ring that a condition opens',
      {
        'scripts.dig.actions': [run('fill')],
        'scripts.fill.actions': [set('mood', 'busy'), { type: 'condition', ...isCalm, then: [run('dig')], else: [] }],
      },
    ],
    [
      'a ring whose script has a condition',
      {
        'scripts.dig.actions': [run('fill')],
        'scripts.fill.actions': [run('dig')],
        'scripts.fill.conditions': isCalm.conditions,
      },
    ],
    ['a sound that a script names', { 'sound.growl': { name: 'Growl', file: '' }, [touch]: set('mood', 'growl') }],
    [
      'a game that only gives units to players',
      {
        'scripts.begin': undefined,
        variables: {},
        'scripts.fillLater': undefined,
        'scripts.count': undefined,
        'scripts.fill': undefined,
        'scripts.dig.actions': [],
        'scripts.touch': undefined,
        'scripts.join.actions.0.unitType': 'digger',
        'scripts.join.actions.0.position': { x: 5, y: 5 },
      },
    ],
    ['a gun that works', { 'itemTypes.axe': gun({}) }],
    [
      'a gun whose use runs a script',
      {
        'itemTypes.axe': gun({ projectileType: undefined }),
        'scripts.dig.triggers': [{ type: 'unitUsesItem' }],
      },
    ],
    [
      'a selected unit in a script that a loop calls',
      {
        [touch]: { type: 'forAllUnits', unitGroup: { function: 'allUnits' }, actions: [run('dig')] },
        'scripts.dig.actions': [{ type: 'destroyEntity', entity: { function: 'selectedUnit' } }],
      },
    ],
    [
      'a comparison with a text that is computed',
      {
        [touch]: set('mood', { function: 'nameOfUnit', unit }),
        'scripts.dig.actions': [when('string', variable('mood'), 'Ann')],
      },
    ],
    [
      'a place at the edge of the map',
      { 'variables.door': undefined, 'scripts.join.actions.0.position': { x: 1280, y: 0 } },
    ],
  ];
  for (const [title, changes] of sound) {
    test(`nothing is said about ${title}`, () => {
      expect(issuesOf(changes)).toEqual([]);
    });
  }

  test.each([
    [6, 'it stays at 6'],
    [undefined, 'it never has a value'],
  ])('an attribute that starts with %s and is never written is told what it always is', (value, always) => {
    const ammo = { name: 'Ammo', ...(value === undefined ? {} : { value }) };
    const changes = { 'unitTypes.digger.attributes.ammo': ammo, [touch]: set('round', ofUnit('ammo')) };
    const issue = issuesOf(changes).find(({ code }) => code === 'never-changed');
    expect(issue?.message).toBe(`The attribute "Ammo" that is read here never changes: ${always}.`);
  });

  test('an attribute that is changed under another name is probably meant', () => {
    const changes = {
      'unitTypes.digger.attributes.stamna': { name: 'Stamna', value: 6 },
      'unitTypes.digger.attributes.stamina': { name: 'Stamina', value: 6, regenerateSpeed: 1 },
      [touch]: set('round', ofUnit('stamna')),
    };
    expect(issuesOf(changes)).toMatchObject([{ code: 'never-changed', found: 'stamna', suggestion: 'stamina' }]);
  });

  test('in moddio, a weapon without the state `dropped` can never be used', () => {
    const { game: loaded } = loadDefinition({ data: game() });
    expect(checkGame(loaded!, 'moddio')).toMatchObject([{ code: 'useless-item', pointer: '/data/itemTypes/axe' }]);
  });

  test.each([
    ['a group', { function: 'getRandomUnitTypeFromUnitTypeGroup', unitTypeGroup: { ghostly: { quantity: 1 } } }],
    [
      'a variable of players',
      {
        function: 'getValueOfPlayerVariable',
        variable: { function: 'getPlayerVariable', variable: { key: 'shape' } },
        player: { function: 'getTriggeringPlayer' },
      },
    ],
  ])('the type of a new unit is followed through %s', (_what, unitType) => {
    const changes = {
      'unitTypes.ghostly': {
        ...ghostly,
        controls: { ...ghostly.controls, abilities: { e: { keyDown: { scriptName: 'dig' } } } },
      },
      'playerTypes.team.variables': { shape: { dataType: 'unitType', default: 'ghostly' } },
      'scripts.join.actions.0.unitType': unitType,
    };
    expect(issuesOf(changes)).toContainEqual(
      expect.objectContaining({ code: 'no-movement', pointer: '/data/unitTypes/ghostly' }),
    );
  });
});

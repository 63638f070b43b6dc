import { describe, expect, test } from 'vitest';
import { type DialectName, type Issue, loadDefinition } from '../../engine/index.ts';
import { checkGame } from '../../src/check/check-game.ts';
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
    playerTypes: { team: { name: 'Team', relationships: { team: 'hostile' }, attributes: {}, variables: {} } },
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
        damageHitBox: { width: 20, height: 20, offsetX: 0, offsetY: 20 },
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
        { type: 'assignPlayerType', entity: { function: 'getTriggeringPlayer' }, playerType: 'team' },
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
const selected = { function: 'selectedUnit' };
const create = {
  type: 'createUnitAtPosition',
  unitType: 'digger',
  entity: { function: 'getTriggeringPlayer' },
  position: { x: 100, y: 100 },
};
/** A loop over the units of a type. */
const forType = (unitType: string, action: Json): Json => ({
  type: 'forAllUnits',
  unitGroup: { function: 'allUnitsOfUnitType', unitType },
  actions: [action],
});
const isRound = (round: number) => [{ operandType: 'number', operator: '==' }, variable('round'), round];
const differs = (mood: string) => [{ operandType: 'string', operator: '!=' }, variable('mood'), mood];
const less = (left: unknown, right: unknown) => [{ operandType: 'number', operator: '<' }, left, right];
const both = (operator: string, left: unknown, right: unknown): Json => ({
  type: 'condition',
  conditions: [{ operandType: 'and', operator }, left, right],
  then: [set('round', 3)],
  else: [],
});
/** The script `dig` with a trigger. */
const reacts = (trigger: string) => ({ 'scripts.dig.triggers': [{ type: trigger }] });
/** An AI that flees, with changes. */
const ai = (changes: Json) => ({
  'unitTypes.digger.ai': { enabled: true, sensorResponse: 'flee', sensorRadius: 200, ...changes },
});
const sells = (offer: Json) => ({ shops: { bakery: { name: 'Bakery', itemTypes: { axe: offer } } } });
const rich = { 'playerTypes.team.attributes': { gold: { name: 'Gold', min: 0, max: 100, value: 50 } } };
const ghostly = { name: 'Ghostly', attributes: {}, controls: { movementControlScheme: 'wasd', abilities: {} } };

/** The issues of the game after changes; those in the data come first. */
function issuesOf(changes: Readonly<Record<string, unknown>>, dialect?: DialectName): readonly Issue[] {
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
  return [...issues, ...checkGame(loaded!, dialect)].filter(({ code }) => code !== 'empty-actions');
}

/** Mistakes in an action: the issue, as its code, its location below the action and its values; and the action. */
const inActions: Readonly<Record<string, readonly [issue: string, action: Json]>> = {
  'a misspelt action': ['unknown-action | suggestion setVariable', { ...set('round', 2), type: 'setVariabel' }],
  'a misspelt function': [
    'unknown-function value | suggestion getUnitCount',
    set('round', { function: 'getUnitConut' }),
  ],
  'an operand that is missing': ['missing-parameter', { type: 'setVariable', variableName: 'round' }],
  'a misspelt operand': ['unknown-parameter vlaue', { ...set('round', 2), vlaue: 2 }],
  'a variable that is not there': ['dangling-variable variableName | suggestion round', set('ruond', 2)],
  'a script that is not there': ['dangling-script scriptName | suggestion dig', run('dgi')],
  'a type that is not there': [
    'dangling-unit-type value/unitType | suggestion digger',
    set('round', { function: 'getNumberOfUnitsOfUnitType', unitType: 'diger' }),
  ],
  'an attribute that is not there': [
    'dangling-attribute value/attribute | suggestion health',
    set('round', ofUnit('heatlh')),
  ],
  'a condition of another shape': [
    'malformed-condition conditions',
    { ...when('number', 1, 2), conditions: [variable('round'), '==', 1] },
  ],
  'a function whose trigger never tells it': [
    'trigger-function-unavailable entity',
    { type: 'destroyEntity', entity: { function: 'getTriggeringProjectile' } },
  ],
  'thisEntity in a global script': [
    'no-this-entity entity | found a global script',
    { type: 'destroyEntity', entity: { function: 'thisEntity' } },
  ],
  'an unknown operandType': [
    'unknown-operand-type conditions/0/operandType | found nubmer | suggestion number',
    when('nubmer', variable('round'), 1),
  ],
  'a number and a group of players': [
    'unequal-kinds conditions | found a group',
    when('number', variable('round'), variable('crowd')),
  ],
  'a text variable and 5': ['unequal-kinds conditions | found a number', when('string', variable('mood'), 5)],
  'a text for a number variable': [
    'mismatched-assignment value | expected a number | found "many"',
    set('round', 'many'),
  ],
  'a division by the literal 0': [
    'division-by-zero value/items/2 | found 0',
    set('round', { function: 'calculate', items: [{ operator: '/' }, variable('round'), 0] }),
  ],
  'a while whose condition cannot change': [
    'endless-loop conditions',
    {
      type: 'while',
      conditions: [{ operandType: 'string', operator: '==' }, variable('crowd'), variable('crowd')],
      actions: [],
    },
  ],
  'a comparison with a type that is not there': [
    'dangling-unit-type conditions/2 | suggestion digger',
    when('unitType', { function: 'getUnitTypeOfUnit', entity: unit }, 'diger'),
  ],
  'a comparison of a type variable with a type that is not there': [
    'dangling-unit-type conditions/1 | found figther',
    when('unitType', 'figther', variable('firstType')),
  ],
  'a comparison with a text that nothing sets': [
    'never-assigned conditions/2 | suggestion busy',
    when('string', variable('mood'), 'bsuy'),
  ],
  'a player to destroy': [
    'wrong-kind entity | expected entity | found player',
    { type: 'destroyEntity', entity: { function: 'getTriggeringPlayer' } },
  ],
  'the owner of a player': [
    'wrong-kind value/entity | found unit',
    set('round', { function: 'getPlayerAttribute', attribute: 'health', entity: unit }),
  ],
  'a number as a region': [
    'wrong-kind value/region | found number',
    set('door', { function: 'centerOfRegion', region: variable('round') }),
  ],
  'a loop over units that gets players': [
    'wrong-kind unitGroup | expected units | found players',
    { type: 'forAllUnits', unitGroup: variable('crowd'), actions: [] },
  ],
  'a player in a calculation': [
    'wrong-kind value/items/2 | found player',
    set('round', {
      function: 'calculate',
      items: [{ operator: '+' }, 1, { function: 'getTriggeringPlayer' }],
    }),
  ],
  'a selected unit outside of its loop': [
    'nothing-selected entity',
    { type: 'destroyEntity', entity: { function: 'selectedUnit' } },
  ],
};

/** Other mistakes: the issue with its location below `data`, and the changes. */
const inData: Readonly<Record<string, readonly [issue: string, changes: Json]>> = {
  // Scripts and the names in them.
  'a trigger that nobody fires': [
    'unknown-trigger scripts/begin/triggers/0 | suggestion gameStart',
    { 'scripts.begin.triggers': [{ type: 'gameStrat' }] },
  ],
  'a script that nothing starts': [
    'unreachable-script scripts/fill',
    { 'scripts.fillLater.actions.0': { type: 'comment' } },
  ],
  'a trigger that the place never hears': [
    'unheard-trigger scripts/begin/triggers/1 | found a global script',
    { 'scripts.begin.triggers': [{ type: 'gameStart' }, { type: 'thisUnitUsesItem' }] },
  ],
  'only triggers that the place never hears': [
    'no-emitted-trigger scripts/touch/triggers | found thisUnitUsesItem',
    { 'scripts.touch.triggers': [{ type: 'thisUnitUsesItem' }] },
  ],
  'an unknown dataType': [
    'unknown-value variables/round/dataType | found nubmer | suggestion number',
    { 'variables.round.dataType': 'nubmer' },
  ],
  'an unknown key': [
    'unknown-key unitTypes/digger/controls/abilities/sapce | found sapce | suggestion space',
    {
      'unitTypes.digger.controls.abilities': {
        sapce: { keyDown: { scriptName: 'dig' } },
        e: { keyDown: { scriptName: 'dig' } },
      },
    },
  ],
  'unknown targetsAffected': [
    'unknown-value itemTypes/axe/damage/targetsAffected/0 | found hostiel | suggestion hostile',
    { 'itemTypes.axe.damage.targetsAffected': ['hostiel'] },
  ],
  'a misspelt field': ['unknown-field unitTypes/digger/inventroySize', { 'unitTypes.digger.inventroySize': 2 }],
  'a script that calls itself': [
    'endless-recursion scripts/dig/actions/0/scriptName | found dig',
    { 'scripts.dig.actions': [run('dig')] },
  ],
  'scripts that call one another': [
    'endless-recursion scripts/dig/actions/0/scriptName | found fill',
    { 'scripts.dig.actions': [run('fill')], 'scripts.fill.actions': [set('mood', 'busy'), run('dig')] },
  ],
  // Players.
  'a player without a movement scheme': [
    'no-movement unitTypes/digger/controls | found nothing',
    { 'unitTypes.digger.controls.movementControlScheme': undefined },
  ],
  'a player without speed': [
    'no-movement unitTypes/digger | found sped | suggestion speed',
    { 'unitTypes.digger.attributes': { sped: { name: 'Speed', value: 5 } } },
  ],
  'a computed type that cannot walk': [
    'no-movement unitTypes/ghostly',
    {
      'unitTypes.ghostly': ghostly,
      'scripts.begin.actions': [set('firstType', 'ghostly')],
      'unitTypes.ghostly.controls.abilities': { e: { keyDown: { scriptName: 'dig' } } },
    },
  ],
  'nobody gets a unit on joining': [
    'nobody-gets-a-unit scripts | found nothing',
    { 'scripts.join.actions': [set('round', 0)] },
  ],
  'a default item that may not be carried': [
    'item-not-carried unitTypes/digger/defaultItems/0 | found digger | expected ghost',
    { 'itemTypes.axe.carriedBy': ['ghost'] },
  ],
  // Numbers.
  'a negative size': [
    'out-of-range unitTypes/digger/bodies/default/width | found -32 | suggestion 32',
    { 'unitTypes.digger.bodies.default.width': -32 },
  ],
  'a region outside the map': [
    'outside-map variables/hall/default | expected 0, 0 to 1280, 1280',
    { 'variables.hall.default': { x: 9000, y: 0, width: 64, height: 64 } },
  ],
  'a start place outside the map': [
    'outside-map variables/door/default',
    { 'variables.door.default': { x: -5, y: 0 } },
  ],
  'a start place that a script spells': [
    'outside-map scripts/join/actions/0/position',
    { 'scripts.join.actions.0.position': { x: 5000, y: 64 } },
  ],
  'a fire rate below 0': [
    'out-of-range itemTypes/axe/fireRate | expected 0 or more | suggestion 300',
    { 'itemTypes.axe.fireRate': -300 },
  ],
  'a cooldown below 0': [
    'out-of-range unitTypes/digger/controls/unitAbilities/shout/cooldown | found -5',
    { 'unitTypes.digger.controls.unitAbilities': { shout: { name: 'Shout', cooldown: -5 } } },
  ],
  'a zoom below 0': [
    'out-of-range settings/camera/zoom/default | expected more than 0',
    { settings: { camera: { zoom: { type: 'static', default: -1000 } } } },
  ],
  'particles that end more than opaque': [
    'out-of-range particleTypes/dust/deathOpacityBase | expected 0 to 1',
    { 'particleTypes.dust.deathOpacityBase': 3 },
  ],
  'particles of a colour that does not exist': [
    'unknown-value particleTypes/dust/color | suggestion grey',
    { 'particleTypes.dust.color': 'gery' },
  ],
  'a frame 0': [
    'out-of-range unitTypes/digger/animations/stand/frames/0 | expected 1 or more',
    { 'unitTypes.digger.animations.stand.frames': [0] },
  ],
  'a projectile that ends at once': [
    'out-of-range projectileTypes/dart/lifeSpan | found 0',
    { 'projectileTypes.dart.lifeSpan': 0 },
  ],
  'an item on the ground that ends at once': [
    'out-of-range itemTypes/axe/lifeSpan | found 0',
    {
      'itemTypes.axe.lifeSpan': 0,
      'scripts.begin.actions.0': { type: 'spawnItem', itemType: 'axe', position: { x: 99, y: 99 } },
    },
  ],
  'an item that a unit gets more of than it holds': [
    'out-of-range unitTypes/digger/defaultItems/0/quantity | expected at most 3',
    { 'itemTypes.axe.maxQuantity': 3, 'unitTypes.digger.defaultItems.0.quantity': 9 },
  ],
  'an item for a slot that nobody has, which goes into the backpack': [
    'slot-conflict itemTypes/axe/controls | found 40 | expected 1 to 3',
    { 'itemTypes.axe.controls': { permittedInventorySlots: [40] }, 'unitTypes.digger.backpackSize': 1 },
  ],
  'an event of an ability that does not exist': [
    'unknown-value unitTypes/digger/controls/abilities/e/keyDown/event | suggestion startCasting',
    { 'unitTypes.digger.controls.abilities.e.keyDown': { event: 'startCastin', abilityId: 'shout' } },
  ],
  'a trigger that is listed twice': [
    'same-script scripts/dig',
    { 'scripts.dig.triggers': [{ type: 'gameStart' }, { type: 'gameStart' }] },
  ],
  'a variable that is set twice': [
    'self-assignment scripts/begin/actions/0',
    { 'scripts.begin.actions': [set('round', 1), set('round', 2)] },
  ],
  'a counter that grows by 0': [
    'self-assignment scripts/begin/actions/0',
    { 'scripts.begin.actions.0': { type: 'increaseVariableByNumber', variable: 'round', number: 0 } },
  ],
  'a loop whose only exit is switched off': [
    'endless-loop scripts/begin/actions/0/conditions',
    {
      'scripts.begin.actions.0': {
        type: 'while',
        conditions: less(variable('round'), 5),
        actions: [{ type: 'increaseVariableByNumber', variable: 'round', number: 1, disabled: true }],
      },
    },
  ],
  'a loop that counts away from its end': [
    'endless-loop scripts/begin/actions/0/conditions',
    {
      'scripts.begin.actions.0': {
        type: 'while',
        conditions: less(variable('round'), 5),
        actions: [{ type: 'decreaseVariableByNumber', variable: 'round', number: 1 }],
      },
    },
  ],
  'a frameRate of 0': ['out-of-range defaultData/frameRate | found 0', { 'defaultData.frameRate': 0 }],
  'an attribute that starts outside its bounds': [
    'attribute-out-of-bounds unitTypes/digger/attributes/health/value | found 150',
    { 'unitTypes.digger.attributes.health.value': 150 },
  ],
  'a map of another size than its tiles': [
    'map-size-mismatch map/layers/0 | found 1',
    { 'map.layers': [{ name: 'walls', type: 'tilelayer', width: 20, height: 20, data: [0] }] },
  ],
  'a life span below 0': ['out-of-range itemTypes/axe/lifeSpan | found -5', { 'itemTypes.axe.lifeSpan': -5 }],
  'a frameRate that nothing plays at': [
    'out-of-range defaultData/frameRate | expected 1 to 240',
    { 'defaultData.frameRate': 1000 },
  ],
  'a game for no players': [
    'out-of-range defaultData/defaultMaxPlayers | found 0',
    { 'defaultData.defaultMaxPlayers': 0 },
  ],
  'a region without a size': [
    'empty-region variables/hall/default | found 0 x 64',
    { 'variables.hall.default': { x: 64, y: 64, width: 0, height: 64 } },
  ],
  'a body without fixtures': ['empty-body unitTypes/digger/bodies/default', { [`${diggerBody}.fixtures`]: [] }],
  'a body of width 0': [
    'empty-body unitTypes/digger/bodies/default/width',
    { [`${diggerBody}.width`]: 0, [`${diggerBody}.collidesWith`]: { walls: true } },
  ],
  'a negative density': [
    'out-of-range unitTypes/digger/bodies/default/fixtures/0/density | suggestion 1',
    { [`${diggerBody}.fixtures`]: [{ density: -1, shape: { type: 'circle' } }] },
  ],
  'a layer of walls in capitals': [
    'no-walls map/layers | found Walls | suggestion walls',
    { 'map.layers.0.name': 'Walls' },
  ],
  // Items.
  'an item that shoots and has no type': [
    'useless-item itemTypes/axe | expected `type`: weapon',
    { 'itemTypes.axe.type': undefined, 'itemTypes.axe.isGun': true },
  ],
  'a weapon without fireRate': ['useless-item itemTypes/axe', { 'itemTypes.axe.fireRate': undefined }],
  'a gun without a projectile type': [
    'useless-gun itemTypes/axe | expected projectileType',
    { 'itemTypes.axe': gun({ projectileType: undefined }) },
  ],
  'a gun without force': [
    'useless-gun itemTypes/axe | expected bulletForce',
    { 'itemTypes.axe': gun({ bulletForce: 0 }) },
  ],
  'a gun without a start position': [
    'useless-gun itemTypes/axe',
    { 'itemTypes.axe': gun({ bulletStartPosition: undefined }) },
  ],
  'a ray without a distance': [
    'useless-gun itemTypes/axe | expected bulletDistance',
    { 'itemTypes.axe': gun({ bulletType: 'raycast', projectileType: undefined }) },
  ],
  'a projectile without a body': [
    'useless-gun projectileTypes/dart',
    { 'itemTypes.axe': gun({}), 'projectileTypes.dart.states.default.body': undefined },
  ],
  'two items for one slot': [
    'slot-conflict unitTypes/digger/defaultItems/1',
    {
      'itemTypes.axe.controls': { permittedInventorySlots: [1] },
      'itemTypes.spade': { name: 'Spade', controls: { permittedInventorySlots: [1] } },
      'unitTypes.digger.defaultItems': [{ key: 'axe' }, { key: 'spade' }],
    },
  ],
  'an item for a slot beyond the inventory': [
    'slot-conflict unitTypes/digger/defaultItems/0 | expected a free slot of 3',
    { 'itemTypes.axe.controls': { permittedInventorySlots: [3] } },
  ],
  'a script by its display name': [
    'dangling-script scripts/touch/actions/0/scriptName | suggestion dig',
    { 'scripts.dig.name': 'Dig a hole', [touch]: run('Dig a hole') },
  ],
  'an enemy in place of a hostile': [
    'unknown-value itemTypes/axe/damage/targetsAffected/0 | suggestion hostile',
    { 'itemTypes.axe.damage.targetsAffected': ['enemy'] },
  ],
  'a trigger by another word': [
    'unknown-trigger scripts/begin/triggers/0 | suggestion secondTick',
    { 'scripts.begin.triggers': [{ type: 'everySecond' }] },
  ],
  'an attribute of another kind of entity': [
    'dangling-attribute scripts/touch/actions/0/value/attribute | found edge',
    {
      'itemTypes.axe.attributes': { edge: { name: 'Edge', value: 5, regenerateSpeed: -1 } },
      [touch]: set('round', ofUnit('edge')),
    },
  ],
  // Things that are never used.
  'an attribute that is read and never written': [
    'never-changed scripts/touch/actions/0/value/attribute | found ammo',
    { 'unitTypes.digger.attributes.ammo': { name: 'Ammo', value: 6 }, [touch]: set('round', ofUnit('ammo')) },
  ],
  'a variable that nothing uses': [
    'unused-variable variables/spare | found spare',
    { 'variables.spare': { dataType: 'number', default: 0 } },
  ],
};

/** Further mistakes: the change, the code and the place of the issue, and its values. */
const further: Readonly<
  Record<string, readonly [changes: Json, code: string, pointer: string, values?: Partial<Issue>]>
> = {
  // The course of a script.
  'a break without a loop': [
    { 'scripts.dig.actions': [{ type: 'break' }] },
    'break-outside-loop',
    'scripts/dig/actions/0',
    { suggestion: 'return' },
  ],
  'actions after return': [
    { 'scripts.dig.actions': [{ type: 'return' }, set('mood', 'busy'), set('round', 2)] },
    'unreachable-action',
    'scripts/dig/actions/1',
    { count: 2 },
  ],
  'a loop that runs 0 times': [
    { [touch]: { type: 'repeat', count: 0, actions: [set('round', 2)] } },
    'empty-loop',
    'scripts/touch/actions/0/count',
    { found: '0' },
  ],
  'a loop that counts down': [
    { [touch]: { type: 'for', variableName: 'round', start: 10, stop: 1, actions: [] } },
    'empty-loop',
    'scripts/touch/actions/0',
    { found: '10 to 1' },
  ],
  'a random number between swapped bounds': [
    { [touch]: set('round', { function: 'getRandomNumberBetween', min: 10, max: 1 }) },
    'crossed-range',
    'scripts/touch/actions/0/value',
  ],
  'a selected unit after its loop': [
    {
      'scripts.touch.actions': [
        { type: 'forAllUnits', unitGroup: { function: 'allUnits' }, actions: [] },
        { type: 'destroyEntity', entity: { function: 'selectedUnit' } },
      ],
    },
    'nothing-selected',
    'scripts/touch/actions/1/entity',
  ],
  'a script of every second that also starts itself later': [
    { 'scripts.fillLater.actions': [{ type: 'setTimeOut', duration: 1000, actions: [run('fillLater')] }] },
    'piling-up',
    'scripts/fillLater/actions/0/actions/0',
  ],
  'a unit in each tick': [
    { 'scripts.fillLater': script('frameTick', [create]) },
    'piling-up',
    'scripts/fillLater/actions/0',
  ],
  'units in a loop in each tick': [
    { 'scripts.fillLater': script('frameTick', [{ type: 'repeat', count: 3, actions: [create] }]) },
    'piling-up',
    'scripts/fillLater/actions/0/actions/0',
  ],
  'a unit for each unit in each tick': [
    {
      'scripts.fillLater': script('frameTick', [
        { type: 'forAllUnits', unitGroup: { function: 'allUnits' }, actions: [create] },
      ]),
    },
    'piling-up',
    'scripts/fillLater/actions/0/actions/0',
  ],
  'a unit of another script in each tick': [
    { 'scripts.fillLater': script('frameTick', [run('spawn')]), 'scripts.spawn': script([], [create]) },
    'piling-up',
    'scripts/spawn/actions/0',
  ],
  ...Object.fromEntries(
    [
      { type: 'createItemAtPositionWithQuantity', itemType: 'axe', position: { x: 100, y: 100 }, quantity: 1 },
      { type: 'giveNewItemToUnit', itemType: 'axe', unit: { function: 'getLastCreatedUnit' } },
      {
        type: 'createEntityAtPositionWithDimensions',
        entityType: 'itemTypes',
        entity: 'axe',
        position: { x: 100, y: 100 },
      },
    ].map((action) => [
      `an item in each tick by ${action.type}`,
      [{ 'scripts.fillLater': script('frameTick', [action]) }, 'piling-up', 'scripts/fillLater/actions/0'],
    ]),
  ),
  'a timer in seconds': [
    { [touch]: { type: 'setTimeOut', duration: 5, actions: [set('round', 2)] } },
    'wrong-unit',
    'scripts/touch/actions/0/duration',
    { suggestion: '5000' },
  ],
  'an angle in degrees': [
    { [touch]: { type: 'setEntityVelocityAtAngle', entity: unit, speed: 5, angle: 90 } },
    'wrong-unit',
    'scripts/touch/actions/0/angle',
    { suggestion: '1.571' },
  ],
  'a position with units of length': [
    { 'scripts.join.actions.0.position': { x: '100px', y: 5 } },
    'wrong-parameter',
    'scripts/join/actions/0/position/x',
    { suggestion: '100' },
  ],
  'a position without y': [
    { 'scripts.join.actions.0.position': { x: 100 } },
    'wrong-parameter',
    'scripts/join/actions/0/position',
    { found: 'nothing' },
  ],
  'an object for a number': [
    { [touch]: set('round', { variable: 'door' }) },
    'mismatched-assignment',
    'scripts/touch/actions/0/value',
  ],
  'actions in place of then': [
    { [touch]: { type: 'condition', conditions: isRound(1), actions: [set('round', 2)] } },
    'misspelt-parameter',
    'scripts/touch/actions/0/actions',
    { suggestion: 'then' },
  ],
  'a trigger in place of triggers': [
    { 'scripts.begin': { actions: [set('round', 1)], trigger: { type: 'gameStart' } } },
    'unknown-field',
    'scripts/begin/trigger',
    { suggestion: 'triggers', severity: 'warning' },
  ],
  'an operator in the middle': [
    { [touch]: { type: 'condition', conditions: [variable('round'), { operator: '==' }, 1], then: [], else: [] } },
    'malformed-condition',
    'scripts/touch/actions/0/conditions',
  ],
  'an assignment in place of a comparison': [
    {
      [touch]: {
        type: 'condition',
        conditions: [{ operandType: 'number', operator: '=' }, variable('round'), 1],
        then: [],
        else: [],
      },
    },
    'malformed-condition',
    'scripts/touch/actions/0/conditions',
    { suggestion: '==' },
  ],
  'a value that is two values': [
    { [touch]: both('AND', isRound(1), isRound(2)) },
    'constant-condition',
    'scripts/touch/actions/0/conditions/0/operator',
    { suggestion: 'OR' },
  ],
  'a value that is not one of two': [
    {
      [touch]: both('OR', differs('calm'), differs('busy')),
    },
    'constant-condition',
    'scripts/touch/actions/0/conditions/0/operator',
    { suggestion: 'AND' },
  ],
  'health below 0': [
    { [touch]: { type: 'condition', conditions: less(ofUnit('health'), 0), then: [set('round', 2)], else: [] } },
    'constant-condition',
    'scripts/touch/actions/0/conditions',
    { expected: '0 to 100' },
  ],
  'more health than there can be, from the left': [
    { [touch]: { type: 'condition', conditions: less(150, ofUnit('health')), then: [set('round', 2)], else: [] } },
    'constant-condition',
    'scripts/touch/actions/0/conditions',
    { found: '150' },
  ],
  // Triggers.
  'any attribute that reaches 0': [
    { 'unitTypes.digger.attributes.mana': { name: 'Mana', min: 0, value: 5 }, ...reacts('unitAttributeBecomesZero') },
    'unasked-trigger',
    'scripts/dig/triggers/0',
    { expected: 'getTriggeringAttribute' },
  ],
  'any region': [
    {
      'variables.yard': { dataType: 'region', default: { x: 640, y: 64, width: 128, height: 128 } },
      ...reacts('unitEntersRegion'),
    },
    'unasked-trigger',
    'scripts/dig/triggers/0',
    { expected: 'getTriggeringRegion' },
  ],
  'any unit, in the script of one': [
    {
      'unitTypes.digger.scripts': {
        die: script('unitAttributeBecomesZero', [{ type: 'destroyEntity', entity: { function: 'thisEntity' } }]),
      },
    },
    'unasked-trigger',
    'unitTypes/digger/scripts/die/triggers/0',
    { suggestion: 'entityAttributeBecomesZero' },
  ],
  'a touch of things that do not collide': [
    reacts('unitTouchesProjectile'),
    'never-touches',
    'scripts/dig/triggers/0',
    { found: 'unitTouchesProjectile' },
  ],
  'a touch of a body that is only a picture': [
    {
      ...reacts('unitTouchesProjectile'),
      'projectileTypes.dart.bodies.default.collidesWith': { units: true },
      'unitTypes.digger.bodies.picture': { type: 'spriteOnly', collidesWith: { projectiles: true } },
    },
    'never-touches',
    'scripts/dig/triggers/0',
    { found: 'unitTouchesProjectile' },
  ],
  'a touch of a body that does not exist': [
    {
      ...reacts('unitTouchesProjectile'),
      'projectileTypes.dart.bodies.default.collidesWith': { units: true },
      'unitTypes.digger.bodies.gone': { type: 'none', collidesWith: { projectiles: true } },
    },
    'never-touches',
    'scripts/dig/triggers/0',
    { found: 'unitTouchesProjectile' },
  ],
  'a trigger of entities in a script of the game': [
    reacts('entityTouchesUnit'),
    'no-emitted-trigger',
    'scripts/dig/triggers',
    { severity: 'warning' },
  ],
  // Types of entities, through loops and conditions.
  'a state of another type, in a loop': [
    { [touch]: forType('ghost', { type: 'setEntityState', entity: selected, state: 'default' }) },
    'dangling-state',
    'scripts/touch/actions/0/actions/0/state',
  ],
  'an animation of another type, in a loop': [
    { [touch]: forType('ghost', { type: 'playEntityAnimation', entity: selected, animation: 'stand' }) },
    'dangling-animation',
    'scripts/touch/actions/0/actions/0/animation',
  ],
  'an attribute of another type, behind a test of the type': [
    {
      [touch]: {
        ...when('unitType', { function: 'getUnitTypeOfUnit', entity: unit }, 'ghost'),
        then: [{ type: 'setEntityAttribute', attribute: 'health', entity: unit, value: 5 }],
      },
    },
    'dangling-attribute',
    'scripts/touch/actions/0/then/0/attribute',
    { found: 'health' },
  ],
  'an attribute of another type, where its own type has many': [
    {
      'unitTypes.ghost.attributes': Object.fromEntries([...'abcdefghij'].map((key) => [key, { name: key, value: 1 }])),
      [touch]: forType('ghost', { type: 'setEntityAttribute', attribute: 'health', entity: selected, value: 5 }),
    },
    'dangling-attribute',
    'scripts/touch/actions/0/actions/0/attribute',
    { found: 'health', expected: 'a, b, c, d, e, f, g, h' },
  ],
  'a variable of another type, for the entity of the script': [
    {
      'unitTypes.digger.variables': { gold: { dataType: 'number', default: 0 } },
      'unitTypes.ghost.scripts': {
        begin: script('entityCreated', [
          {
            type: 'setEntityVariable',
            entity: { function: 'thisEntity' },
            variable: { function: 'getEntityVariable', variable: { key: 'gold', dataType: 'number' } },
            value: 1,
          },
        ]),
      },
    },
    'dangling-variable',
    'unitTypes/ghost/scripts/begin/actions/0/variable',
  ],
  // States and pictures.
  'states without a default': [
    { 'unitTypes.digger.states': { idle: { name: 'Idle', body: 'default', animation: 'stand' } } },
    'incomplete-state',
    'unitTypes/digger/states',
    { found: 'idle' },
  ],
  'a state without a body': [
    { 'unitTypes.digger.states.default.body': undefined },
    'incomplete-state',
    'unitTypes/digger/states/default',
  ],
  'bodies without a state': [{ 'unitTypes.digger.states': undefined }, 'incomplete-state', 'unitTypes/digger'],
  'a frame that is not in the cell sheet': [
    {
      'unitTypes.digger.cellSheet': { url: 'digger.png', rowCount: 1, columnCount: 2 },
      'unitTypes.digger.animations.stand.frames': [1, 3],
    },
    'bad-frame',
    'unitTypes/digger/animations/stand/frames',
    { found: '3' },
  ],
  'frames without a speed': [
    {
      'unitTypes.digger.cellSheet': { url: 'digger.png', rowCount: 1, columnCount: 2 },
      'unitTypes.digger.animations.stand.frames': [1, 2],
    },
    'bad-frame',
    'unitTypes/digger/animations/stand',
  ],
  'a body that only senses': [
    {
      [`${diggerBody}.collidesWith`]: { walls: true },
      [`${diggerBody}.fixtures`]: [{ density: 1, isSensor: true, shape: { type: 'circle' } }],
    },
    'empty-body',
    'unitTypes/digger/bodies/default/fixtures/0/isSensor',
  ],
  // Places.
  'a region in tiles': [
    { 'variables.hall.default': { x: 1, y: 1, width: 2, height: 2 } },
    'wrong-unit',
    'variables/hall/default',
  ],
  'a start place in a wall': [
    {
      'map.layers.0.data': [...new Array(21).fill(0), 3, ...new Array(378).fill(0)],
      [`${diggerBody}.collidesWith`]: { walls: true },
      'unitTypes.ghost': undefined,
    },
    'inside-wall',
    'scripts/join/actions/0/position',
    { found: '100, 100' },
  ],
  'a map in pixels': [{ 'map.width': 1280 }, 'map-size-mismatch', 'map/width', { found: '1280 by 20' }],
  // Weapons and AI.
  'a gun that is not marked as one': [
    { 'itemTypes.axe': gun({ isGun: undefined }) },
    'useless-gun',
    'itemTypes/axe',
    { expected: '`isGun`: true' },
  ],
  'a weapon that hits nothing': [{ 'itemTypes.axe.damageHitBox': undefined }, 'useless-item', 'itemTypes/axe'],
  'a projectile that flies through units': [
    { 'itemTypes.axe': gun({ damage: { unitAttributes: { health: 5 } } }) },
    'useless-gun',
    'projectileTypes/dart/bodies/default',
  ],
  'a projectile that lives for seconds': [
    { 'projectileTypes.dart.lifeSpan': 3 },
    'wrong-unit',
    'projectileTypes/dart/lifeSpan',
  ],
  'a fireRate in seconds': [
    { 'itemTypes.axe.fireRate': 0.5 },
    'wrong-unit',
    'itemTypes/axe/fireRate',
    { suggestion: '500' },
  ],
  'a damage that heals': [
    { 'itemTypes.axe.damage.unitAttributes': { health: -5 } },
    'negative-damage',
    'itemTypes/axe/damage/unitAttributes/health',
    { suggestion: '5' },
  ],
  'enemies that do not exist': [
    { 'playerTypes.team.relationships': { team: 'friendly' } },
    'no-target',
    'itemTypes/axe/damage/targetsAffected',
  ],
  'an AI that is not enabled': [
    { 'unitTypes.digger.ai': { sensorResponse: 'flee', sensorRadius: 200 } },
    'useless-ai',
    'unitTypes/digger/ai',
    { expected: '`enabled`: true' },
  ],
  'an AI that cannot move': [
    { ...ai({}), 'unitTypes.digger.attributes.speed': undefined },
    'useless-ai',
    'unitTypes/digger/ai',
  ],
  'an AI without a sensor': [ai({ sensorRadius: undefined }), 'useless-ai', 'unitTypes/digger/ai/sensorRadius'],
  'a sensor in tiles': [ai({ sensorRadius: 3 }), 'useless-ai', 'unitTypes/digger/ai/sensorRadius', { found: '3' }],
  'an AI that lets go at once': [ai({ letGoDistance: 50 }), 'useless-ai', 'unitTypes/digger/ai/letGoDistance'],
  'an order to a unit without AI': [
    { [touch]: forType('ghost', { type: 'aiMoveToPosition', unit: selected, position: variable('door') }) },
    'useless-ai',
    'scripts/touch/actions/0/actions/0/unit',
  ],
  // Shops and costs.
  'a shop without offers': [{ shops: { bakery: { name: 'Bakery' } } }, 'empty-shop', 'shops/bakery'],
  'offers under another key': [
    { shops: { bakery: { items: { axe: {} } } } },
    'unknown-field',
    'shops/bakery/items',
    { suggestion: 'itemTypes' },
  ],
  'a price that is an attribute of units': [
    sells({ price: { playerAttributes: { health: 5 } } }),
    'not-charged',
    'shops/bakery/itemTypes/axe/price/playerAttributes/health',
  ],
  'a price of the type in place of the offer': [
    { ...sells({}), 'itemTypes.axe.price': { coins: 5 } },
    'not-charged',
    'shops/bakery/itemTypes/axe',
  ],
  'a price above the maximum': [
    { ...rich, ...sells({ price: { playerAttributes: { gold: 500 } } }) },
    'unpayable',
    'shops/bakery/itemTypes/axe/price/playerAttributes/gold',
    { expected: 'at most 100' },
  ],
  'a requirement above the maximum': [
    { ...rich, ...sells({ requirement: { playerAttributes: { gold: { type: 'atleast', value: 500 } } } }) },
    'unpayable',
    'shops/bakery/itemTypes/axe/requirement/playerAttributes/gold',
  ],
  'an offer that gives more than it costs': [
    {
      ...rich,
      ...sells({ price: { playerAttributes: { gold: 5 } } }),
      'itemTypes.axe.bonus': { consume: { playerAttribute: { gold: 9 } } },
    },
    'free-offer',
    'shops/bakery/itemTypes/axe/price',
  ],
  'an offer for nobody': [
    { ...sells({}), 'unitTypes.digger.canBuyItem': false, 'unitTypes.ghost.canBuyItem': false },
    'no-buyer',
    'shops/bakery/itemTypes/axe',
  ],
  'an ability that costs too much': [
    {
      'unitTypes.digger.controls.unitAbilities': { jump: { name: 'Jump', cost: { unitAttributes: { health: 400 } } } },
    },
    'unpayable',
    'unitTypes/digger/controls/unitAbilities/jump/cost/unitAttributes/health',
    { found: '400' },
  ],
  'an ability that costs what the unit does not have': [
    {
      'unitTypes.ghost.attributes': { mana: { name: 'Mana', value: 5 } },
      'unitTypes.digger.controls.unitAbilities': { jump: { name: 'Jump', cost: { unitAttributes: { mana: 4 } } } },
    },
    'unpayable',
    'unitTypes/digger/controls/unitAbilities/jump/cost/unitAttributes/mana',
    { found: 'mana' },
  ],
  'a cooldown in seconds': [
    { 'unitTypes.digger.controls.unitAbilities': { jump: { name: 'Jump', cooldown: 3 } } },
    'wrong-unit',
    'unitTypes/digger/controls/unitAbilities/jump/cooldown',
    { suggestion: '3000' },
  ],
  'a cast in seconds': [
    { 'unitTypes.digger.controls.unitAbilities': { jump: { name: 'Jump', castDuration: 2 } } },
    'wrong-unit',
    'unitTypes/digger/controls/unitAbilities/jump/castDuration',
    { suggestion: '2000' },
  ],
  'a reload in seconds': [
    { 'itemTypes.axe.reloadRate': 1.5 },
    'wrong-unit',
    'itemTypes/axe/reloadRate',
    { suggestion: '1500' },
  ],
  'a use that costs more than there can be': [
    { 'itemTypes.axe.quantity': 5, 'itemTypes.axe.maxQuantity': 5, 'itemTypes.axe.cost': { quantity: 8 } },
    'unpayable',
    'itemTypes/axe/cost/quantity',
  ],
  'more at the start than there can be': [
    { 'itemTypes.axe.quantity': 50, 'itemTypes.axe.maxQuantity': 5 },
    'out-of-range',
    'itemTypes/axe/quantity',
  ],
  'a script twice': [
    { 'scripts.dig.triggers': [{ type: 'secondTick' }], 'scripts.fillLater.actions': [set('mood', 'busy')] },
    'same-script',
    'scripts/fillLater',
    { found: 'dig' },
  ],
  'two branches that are the same': [
    {
      [touch]: { ...when('string', variable('mood'), 'calm'), then: [set('round', 2)], else: [set('round', 2)] },
    },
    'same-branches',
    'scripts/touch/actions/0',
  ],
  'a variable set to itself': [
    { [touch]: set('round', variable('round')) },
    'self-assignment',
    'scripts/touch/actions/0',
  ],
  'an attribute set to itself': [
    { [touch]: { type: 'setEntityAttribute', attribute: 'health', entity: unit, value: ofUnit('health') } },
    'self-assignment',
    'scripts/touch/actions/0',
  ],
  'a value compared with itself': [
    { [touch]: when('number', variable('round'), variable('round')) },
    'constant-condition',
    'scripts/touch/actions/0/conditions',
  ],
  'a random number beyond its range': [
    { [touch]: when('number', { function: 'getRandomNumberBetween', min: 1, max: 6 }, 7) },
    'constant-condition',
    'scripts/touch/actions/0/conditions',
    { expected: '1 to 6', found: '7' },
  ],
  'a command in another case': [
    { [touch]: when('string', { function: 'toLowerCase', string: variable('mood') }, 'Calm') },
    'constant-condition',
    'scripts/touch/actions/0/conditions/2',
    { suggestion: 'calm' },
  ],
  'a boolean above 1': [
    {
      'variables.isOpen': { dataType: 'boolean', default: true },
      [touch]: { ...when('number', 1, 2), conditions: less(1, variable('isOpen')) },
    },
    'constant-condition',
    'scripts/touch/actions/0/conditions',
  ],
  'a variable in braces': [
    { [touch]: set('mood', 'Round {{round}}') },
    'unfilled-text',
    'scripts/touch/actions/0/value',
    { found: 'round' },
  ],
  'an area of the screen that is not there': [
    { [touch]: { type: 'updateUiTextForEveryone', target: 'centre', value: 'x' } },
    'unknown-value',
    'scripts/touch/actions/0/target',
    { suggestion: 'center' },
  ],
  'a role that is not there': [
    {
      roles: [{ _id: 'r', name: 'Judge', type: 2 }],
      [touch]: when(
        'boolean',
        { function: 'roleExistsForPlayer', name: 'judge', player: { function: 'getOwner', entity: unit } },
        true,
      ),
    },
    'dangling-role',
    'scripts/touch/actions/0/conditions/1/name',
    { suggestion: 'Judge' },
  ],
  'a type that no player is ever given': [
    {
      'playerTypes.guests': { name: 'Guests' },
      [touch]: {
        type: 'forAllPlayers',
        playerGroup: { function: 'playersOfPlayerType', playerType: 'guests' },
        actions: [],
      },
    },
    'never-assigned',
    'scripts/touch/actions/0/playerGroup/playerType',
  ],
  'a comparison with a type that no player is ever given': [
    {
      'playerTypes.guests': { name: 'Guests' },
      [touch]: when(
        'playerType',
        { function: 'playerTypeOfPlayer', player: { function: 'getOwner', entity: unit } },
        'guests',
      ),
    },
    'never-assigned',
    'scripts/touch/actions/0/conditions/2',
  ],
  'players without a type': [{ 'scripts.join.actions.1': set('round', 1) }, 'no-player-type', 'scripts'],
  'units only for the computer': [
    { 'scripts.join.actions.0.entity': { function: 'computerPlayer', number: 1 } },
    'nobody-gets-a-unit',
    'scripts',
  ],
  'units only for the player in a variable, which is the computer': [
    {
      'variables.pack': { dataType: 'player', default: 'computer1' },
      'scripts.join.actions.0.entity': variable('pack'),
    },
    'nobody-gets-a-unit',
    'scripts',
  ],
  'a speed of 0': [
    { 'unitTypes.digger.attributes.speed.value': 0 },
    'no-movement',
    'unitTypes/digger/attributes/speed/value',
  ],
  'a speed in pixels': [
    {
      'unitTypes.digger.controls.movementMethod': 'velocity',
      'unitTypes.digger.attributes.speed': { name: 'Speed', min: 0, max: 300, value: 200 },
    },
    'wrong-unit',
    'unitTypes/digger/attributes/speed/value',
    { suggestion: '6.7' },
  ],
  'a static body to steer': [
    { [`${diggerBody}.type`]: 'static' },
    'no-movement',
    'unitTypes/digger/bodies/default/type',
  ],
  'a body larger than the map': [
    { [`${diggerBody}.height`]: 1280 },
    'out-of-range',
    'unitTypes/digger/bodies/default/height',
  ],
  'an item that its buyers may not carry': [
    {
      ...rich,
      ...sells({ price: { playerAttributes: { gold: 5 } } }),
      'itemTypes.axe.carriedBy': ['ghost'],
      'itemTypes.axe.canBePurchasedBy': ['digger'],
    },
    'no-buyer',
    'shops/bakery/itemTypes/axe',
    { expected: 'digger' },
  ],
  'a weapon that is empty': [
    { 'itemTypes.axe.quantity': 0, 'itemTypes.axe.cost': { quantity: 1 } },
    'useless-item',
    'itemTypes/axe/quantity',
  ],
  'a trigger for uses where nothing is used': [reacts('unitUsesItem'), 'no-emitted-trigger', 'scripts/dig/triggers/0'],
  'a trigger for answers where nobody is asked': [
    reacts('playerCustomInput'),
    'no-emitted-trigger',
    'scripts/dig/triggers/0',
  ],
  'a trigger for purchases without a shop': [
    reacts('playerPurchasesItem'),
    'no-emitted-trigger',
    'scripts/dig/triggers/0',
  ],
  'an AI whose owner is hostile to nobody': [
    {
      ...ai({ sensorResponse: 'fight' }),
      'playerTypes.pack': { name: 'Pack', relationships: {} },
      'scripts.join.actions.0': { ...create, entity: { function: 'computerPlayer', number: 1 } },
      'scripts.begin.actions': [
        { type: 'assignPlayerType', entity: { function: 'computerPlayer', number: 1 }, playerType: 'pack' },
      ],
    },
    'no-target',
    'unitTypes/digger/ai',
  ],
  'a place for a bar that is not there': [
    { 'unitTypes.digger.attributes.health.isVisible': ['centrebar'] },
    'unknown-value',
    'unitTypes/digger/attributes/health/isVisible/0',
    { suggestion: 'centerBar' },
  ],
  'an option without a text': [
    { dialogues: { ask: { name: 'Ask', options: [{ name: 'Bye' }, { name: '' }] } } },
    'empty-option',
    'dialogues/ask/options/1',
    { message: 'This option has no text and does nothing.' },
  ],
  'an option without a text that leads on': [
    { dialogues: { ask: { name: 'Ask', options: [{ name: '', followUpDialogue: 'ask' }] } } },
    'empty-option',
    'dialogues/ask/options/0',
    { message: 'This option has no text.' },
  ],
  'a projectile that ends in its first tick': [
    { 'projectileTypes.dart.lifeSpan': 1 },
    'wrong-unit',
    'projectileTypes/dart/lifeSpan',
    { suggestion: '1000' },
  ],
  'a projectile that waits for a contact and collides with nothing': [
    { 'projectileTypes.dart.scripts': { hit: script('entityTouchesUnit', [set('round', 2)]) } },
    'never-touches',
    'projectileTypes/dart/scripts/hit/triggers/0',
  ],
  'a calculation with three operands': [
    { [touch]: set('round', { function: 'calculate', items: [{ operator: '+' }, variable('round'), 1, 2] }) },
    'wrong-parameter',
    'scripts/touch/actions/0/value/items/3',
  ],
  'a misspelt colour of a player type': [
    { 'playerTypes.team.color': 'blu' },
    'unknown-value',
    'playerTypes/team/color',
    { suggestion: 'blue' },
  ],
  'a colour of a text without its sign': [
    { [touch]: { type: 'setFadingTextOfUnit', unit, text: 'ouch', color: 'dc3545' } },
    'unknown-value',
    'scripts/touch/actions/0/color',
    { suggestion: '#dc3545' },
  ],
  'health that starts at its minimum': [
    {
      'itemTypes.axe.damage.unitAttributes': { armour: 5 },
      'unitTypes.ghost.attributes': { armour: { name: 'Armour', min: 0, max: 9, value: 0 } },
    },
    'out-of-range',
    'unitTypes/ghost/attributes/armour/value',
  ],
  'health whose minimum is its maximum': [
    { 'unitTypes.digger.attributes.health.min': 100 },
    'out-of-range',
    'unitTypes/digger/attributes/health/min',
  ],
  'a countdown that counts up': [
    {
      'scripts.fill.actions': [
        { type: 'increaseVariableByNumber', variable: 'round', number: 1 },
        {
          type: 'condition',
          conditions: [{ operandType: 'number', operator: '<' }, variable('round'), 0],
          then: [set('mood', 'calm')],
          else: [],
        },
      ],
    },
    'constant-condition',
    'scripts/fill/actions/1/conditions',
  ],
  'an AI of joining players, whose types are hostile to nobody': [
    {
      ...ai({ sensorResponse: 'fight' }),
      'playerTypes.pack': { name: 'Pack', relationships: {} },
      'scripts.join.actions': [
        { type: 'assignPlayerType', entity: { function: 'getTriggeringPlayer' }, playerType: 'pack' },
        create,
      ],
    },
    'no-target',
    'unitTypes/digger/ai',
  ],
  'an item that its carriers may not use': [
    { 'itemTypes.axe.canBeUsedBy': ['ghost'] },
    'useless-item',
    'itemTypes/axe/canBeUsedBy',
  ],
  'a unit of players that is only a sprite': [
    { 'unitTypes.digger.bodies.default.type': 'spriteOnly' },
    'no-movement',
    'unitTypes/digger/bodies/default/type',
    { found: 'spriteOnly' },
  ],
  'a gun without a projectile type, in a game that scripts the use of another item': [
    {
      'itemTypes.axe': gun({ projectileType: undefined }),
      'itemTypes.pill': { name: 'Pill' },
      [touch]: when('itemType', { function: 'getItemTypeOfItem', entity: { function: 'getTriggeringItem' } }, 'pill'),
      'scripts.touch.triggers': [{ type: 'unitUsesItem' }],
    },
    'useless-gun',
    'itemTypes/axe',
  ],
  'a projectile with a static body': [
    { 'itemTypes.axe': gun({}), 'projectileTypes.dart.bodies.default.type': 'static' },
    'useless-gun',
    'projectileTypes/dart/bodies/default/type',
  ],
  'an attribute of one value that a script sets': [
    {
      'unitTypes.ghost.attributes': { stun: { name: 'Stun', min: 0, max: 0, value: 0 } },
      [touch]: { type: 'setEntityAttribute', attribute: 'stun', entity: unit, value: 50 },
    },
    'out-of-range',
    'unitTypes/ghost/attributes/stun/min',
  ],
  'a text of the screen for seconds': [
    { [touch]: { type: 'updateUiTextForTimeForPlayer', target: 'top', value: 'go', time: 4 } },
    'wrong-unit',
    'scripts/touch/actions/0/time',
    { suggestion: '4000' },
  ],
  'a variable in lower case that is compared with capitals': [
    {
      'variables.command': { dataType: 'string', default: '' },
      [touch]: set('command', { function: 'toLowerCase', string: { function: 'getLastChatMessageSentByPlayer' } }),
      'scripts.dig.actions': [when('string', variable('command'), '/Score')],
    },
    'constant-condition',
    'scripts/dig/actions/0/conditions/2',
    { suggestion: '/score' },
  ],
  'a list of relationships': [
    { 'playerTypes.team.relationships': ['team'] },
    'wrong-type',
    'playerTypes/team/relationships',
  ],
  'a unit of players without controls': [
    {
      'unitTypes.ghost.controls': undefined,
      'scripts.join.actions.0.unitType': 'ghost',
      'scripts.join.actions.2': {
        type: 'playerCameraTrackUnit',
        player: { function: 'getTriggeringPlayer' },
        unit: { function: 'getLastCreatedUnit' },
      },
    },
    'no-movement',
    'unitTypes/ghost',
  ],
  'an item without a state in which units hold it': [
    { 'itemTypes.axe.states': { dropped: { name: 'dropped' } } },
    'incomplete-state',
    'itemTypes/axe/states',
  ],
  'the text of a dialogue under another key': [
    { dialogues: { ask: { name: 'Ask', text: 'Well?', options: [] } } },
    'unknown-field',
    'dialogues/ask/text',
    { suggestion: 'message' },
  ],
};

describe('common mistakes of authors', () => {
  test.each(Object.entries(further))('%s is found', (_title, [changes, code, pointer, values = {}]) => {
    const found = issuesOf(changes).find((issue) => issue.code === code);
    expect(found).toMatchObject({ code, pointer: `/data/${pointer}`, ...values });
  });

  test('the game without a mistake has no issue', () => {
    expect(issuesOf({})).toEqual([]);
  });

  /** `issue` is `CODE PATH | found X | expected Y | suggestion Z`. */
  function expectIssue(changes: Json, issue: string, base: string): void {
    const [where, ...values] = issue.split(' | ');
    const [code, path] = where!.split(' ');
    const details = values.map((value) => [value.slice(0, value.indexOf(' ')), value.slice(value.indexOf(' ') + 1)]);
    const found = issuesOf(changes).find((each) => each.code === code);
    const pointer = ['', ...base.split('.'), ...(path === undefined ? [] : [path])].join('/');
    expect(found).toMatchObject({ code, pointer, ...Object.fromEntries(details) });
  }
  test.each(Object.entries(inActions))('%s', (_title, [issue, action]) => {
    expectIssue({ [touch]: action }, issue, `data.${touch}`);
  });
  test.each(Object.entries(inData))('%s', (_title, [issue, changes]) => {
    expectIssue(changes, issue, 'data');
  });

  const ammo = (value: number, more: Json = {}): Json => ({ ammo: { name: 'Ammo', value, ...more } });
  const readsAmmo = { [touch]: set('round', ofUnit('ammo')) };
  const isCalm = { conditions: [{ operandType: 'string', operator: '==' }, variable('mood'), 'calm'] };
  const sound: Readonly<Record<string, Json>> = {
    'a unit in each tick until there are enough': {
      'scripts.spawn': script('frameTick', [
        { ...when('number', { function: 'getUnitCount' }, 9), then: [{ type: 'return' }] },
        { type: 'repeat', count: 3, actions: [{ ...create, entity: { function: 'computerPlayer', number: 1 } }] },
      ]),
    },
    'a text similar to one that conditions ask for': {
      [touch]: when('string', variable('mood'), 'busy'),
      'scripts.fill.actions': [set('mood', 'busy2')],
    },
    'an attribute that drifts': { 'unitTypes.ghost.attributes': ammo(6, { regenerateSpeed: -1 }), ...readsAmmo },
    'an attribute by which types differ': {
      'unitTypes.ghost.attributes': ammo(6),
      'itemTypes.axe.attributes': ammo(1),
      ...readsAmmo,
    },
    'an attribute that a use costs': {
      'unitTypes.digger.attributes.ammo': { name: 'Ammo', value: 6 },
      'itemTypes.axe.cost': { unitAttributes: { ammo: 1 } },
      ...readsAmmo,
    },
    'a ring that a condition opens': {
      'scripts.dig.actions': [run('fill')],
      'scripts.fill.actions': [set('mood', 'busy'), { type: 'condition', ...isCalm, then: [run('dig')], else: [] }],
    },
    'a ring whose script has a condition': {
      'scripts.dig.actions': [run('fill')],
      'scripts.fill.actions': [run('dig')],
      'scripts.fill.conditions': isCalm.conditions,
    },
    'a sound that a script names': { 'sound.growl': { name: 'Growl', file: '' }, [touch]: set('mood', 'growl') },
    'a game that only gives units to players': {
      'scripts.begin': undefined,
      variables: {},
      'scripts.fillLater': undefined,
      'scripts.count': undefined,
      'scripts.fill': undefined,
      'scripts.dig.actions': [],
      'scripts.touch': undefined,
      'scripts.join.actions.0.unitType': 'digger',
      'scripts.join.actions.0.position': { x: 50, y: 50 },
    },
    'a role of the platform': {
      [touch]: when(
        'boolean',
        { function: 'roleExistsForPlayer', name: 'Judge', player: { function: 'getOwner', entity: unit } },
        true,
      ),
    },
    'a random number compared with another': {
      [touch]: when(
        'number',
        { function: 'getRandomNumberBetween', min: 1, max: 6 },
        { function: 'getRandomNumberBetween', min: 1, max: 6 },
      ),
    },
    'a random number up to a variable, compared with one below its start': {
      [touch]: when('number', { function: 'getRandomNumberBetween', min: 5, max: variable('round') }, 3),
    },
    'a random number from a variable on, compared with one above its end': {
      [touch]: when('number', { function: 'getRandomNumberBetween', min: variable('round'), max: 5 }, 7),
    },
    'a text with braces around another word': { [touch]: set('mood', 'a {{b}} {round}') },
    'a boolean compared with a text, which `standard` converts': {
      'variables.isOpen': { dataType: 'boolean', default: true },
      [touch]: when('boolean', variable('isOpen'), 'true'),
    },
    'a speed that a script raises': {
      'unitTypes.digger.attributes.speed.value': 0,
      [touch]: { type: 'setEntityAttribute', attribute: 'speed', entity: unit, value: 5 },
    },
    'a gun that works': { 'itemTypes.axe': gun({}) },
    'a countdown': {
      'scripts.fill.actions': [
        set('round', { function: 'calculate', items: [{ operator: '-' }, variable('round'), 1] }),
        {
          type: 'condition',
          conditions: [{ operandType: 'number', operator: '<=' }, variable('round'), 0],
          then: [set('mood', 'calm')],
          else: [],
        },
      ],
    },
    'armour that starts at 0 and that an item raises': {
      'itemTypes.axe.damage.unitAttributes': { armour: 5 },
      'itemTypes.axe.carriedBy': ['digger', 'ghost'],
      'itemTypes.axe.bonus': { passive: { unitAttribute: { armour: { type: 'flat', value: 3 } } } },
      'unitTypes.ghost.attributes': { armour: { name: 'Armour', min: 0, max: 9, value: 0 } },
    },
    'colours in other notations': {
      'playerTypes.team.color': 'rgba(0, 0, 0, 0.5)',
      'unitTypes.digger.attributes.health.color': '#FFF',
    },
    'a gun whose use runs a script': {
      'itemTypes.axe': gun({ projectileType: undefined }),
      'scripts.dig.triggers': [{ type: 'unitUsesItem' }],
      [touch]: { type: 'useItemOnce', item: { function: 'getTriggeringItem' } },
    },
    'a selected unit in a script that a loop calls': {
      [touch]: { type: 'forAllUnits', unitGroup: { function: 'allUnits' }, actions: [run('dig')] },
      'scripts.dig.actions': [{ type: 'destroyEntity', entity: { function: 'selectedUnit' } }],
    },
    'a comparison with a text that is computed': {
      [touch]: set('mood', { function: 'nameOfUnit', unit }),
      'scripts.dig.actions': [when('string', variable('mood'), 'Ann')],
    },
    'a place at the edge of the map': {
      'variables.door': undefined,
      'scripts.join.actions.0.position': { x: 1280, y: 0 },
    },
  };
  test.each(Object.entries(sound))('%s has no issue', (_title, changes) => {
    expect(issuesOf(changes)).toEqual([]);
  });

  test.each([
    [6, 'it stays at 6'],
    [undefined, 'it never has a value'],
  ])('an attribute that starts with %s and is never written is reported with its value', (value, always) => {
    const ammo = { name: 'Ammo', ...(value === undefined ? {} : { value }) };
    const changes = { 'unitTypes.digger.attributes.ammo': ammo, [touch]: set('round', ofUnit('ammo')) };
    const issue = issuesOf(changes).find(({ code }) => code === 'never-changed');
    expect(issue?.message).toBe(`The attribute "Ammo" that is read here never changes: ${always}.`);
  });

  test('a similar attribute that is changed is suggested', () => {
    const changes = {
      'unitTypes.digger.attributes.stamna': { name: 'Stamna', value: 6 },
      'unitTypes.digger.attributes.stamina': { name: 'Stamina', value: 6, regenerateSpeed: 1 },
      [touch]: set('round', ofUnit('stamna')),
    };
    expect(issuesOf(changes)).toMatchObject([{ code: 'never-changed', found: 'stamna', suggestion: 'stamina' }]);
  });

  test('in moddio, a weapon without the state `dropped` can never be used', () => {
    const { game: loaded } = loadDefinition({ data: game() });
    expect(checkGame(loaded!, 'moddio').filter(({ code }) => code !== 'empty-actions')).toMatchObject([
      { code: 'useless-item', pointer: '/data/itemTypes/axe' },
    ]);
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

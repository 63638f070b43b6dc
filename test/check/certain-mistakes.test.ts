import { describe, expect, test } from 'vitest';
import { loadDefinition } from '../../engine/index.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { body, script } from '../support/play.ts';

type Json = Record<string, unknown>;

const of = (variableName: string): Json => ({ function: 'getVariable', variableName });
const unit = { function: 'getTriggeringUnit' };
const player = { function: 'getTriggeringPlayer' };
const compare = (left: unknown, operator: string, right: unknown): unknown[] => [
  { operandType: 'number', operator },
  left,
  right,
];
const when = (conditions: unknown, ...then: Json[]): Json => ({
  type: 'condition',
  conditions,
  then: then.length > 0 ? then : [{ type: 'endGame' }],
  else: [],
});
const set = (variableName: string, value: unknown): Json => ({ type: 'setVariable', variableName, value });
const say = { type: 'sendChatMessage', message: 'Hi' };
const step = (from: number, to: number): Json => when(compare(of('state'), '==', from), set('state', to));
const move = (position: unknown): Json => ({ type: 'moveEntity', entity: unit, position });
const create = (position: unknown): Json => ({
  type: 'createUnitAtPosition',
  unitType: 'hero',
  entity: player,
  position,
  angle: 0,
});
const solid = body({ collidesWith: { units: true, walls: true } });
const calculate = (operator: string, left: unknown, right: unknown): Json => ({
  function: 'calculate',
  items: [{ operator }, left, right],
});

/** A game for up to 8 players on 10 by 10 tiles of 64 px, whose first row is wall. Sections replace its own. */
function game({ actions, trigger = 'unitTouchesUnit', hero = {}, scripts, ...sections }: Changes): Json {
  const data = [...new Array(10).fill(1), ...new Array(90).fill(0)];
  const walls = { name: 'walls', type: 'tilelayer', width: 10, height: 10, data };
  return {
    data: {
      defaultData: { frameRate: 20, defaultMaxPlayers: 8 },
      map: { width: 10, height: 10, tilewidth: 64, tileheight: 64, layers: [walls], tilesets: [tiles] },
      playerTypes: {
        human: { relationships: { human: 'hostile' }, attributes: { gold: { min: 0, max: 99, value: 9 } } },
      },
      unitTypes: {
        hero: {
          controls: { movementControlScheme: 'wasd' },
          attributes: {
            speed: { name: 'Speed', min: 0, max: 10, value: 5 },
            health: { name: 'Health', min: 0, max: 100, value: 100 },
          },
          states: { default: { body: 'solid' } },
          bodies: { solid },
          inventorySize: 3,
          ...hero,
        },
      },
      variables: {
        left: { dataType: 'number', default: 5 },
        state: { dataType: 'number', default: 1 },
        hall: { dataType: 'region', default: { x: 200, y: 200, width: 100, height: 100 } },
        top: { dataType: 'region', default: { x: 64, y: 0, width: 200, height: 50 } },
      },
      ...sections,
      scripts: {
        join: script('playerJoinsGame', [
          { type: 'assignPlayerType', entity: player, playerType: 'human' },
          create({ x: 320, y: 320 }),
        ]),
        start: script('gameStart', [{ type: 'sendChatMessage', message: 'Hi' }]),
        ...(actions === undefined ? {} : { tale: script(trigger, actions, { name: 'tale' }) }),
        ...(scripts as Json),
      },
    },
  };
}
interface Changes extends Json {
  /** Actions of a script, and its trigger. */
  readonly actions?: readonly Json[];
  readonly trigger?: string;
  /** Fields of the unit type of players. */
  readonly hero?: Json;
}
const tiles = { name: 'tiles', firstgid: 1, tilecount: 4 };

function issuesOf(changes: Changes): string[] {
  const { game: loaded, issues } = loadDefinition(game(changes));
  const all = [...issues, ...checkGame(loaded!)].filter(({ code }) => code !== 'unused-variable');
  return all.map(({ code, message }) => `${code}: ${message}`);
}

const gun = {
  type: 'weapon',
  isGun: true,
  fireRate: 100,
  projectileType: 'ball',
  bulletForce: 9,
  bulletStartPosition: { x: 0, y: 20, rotation: 0 },
};
const shop = (offer: Json): Json => ({ inn: { itemTypes: { beer: { price: { coins: 1 } }, axe: offer } } });
const open = { type: 'openShopForPlayer', shop: 'inn', player };
const goods = { beer: { name: 'Beer' }, axe: { name: 'Axe' } };
const slowWolf = {
  name: 'Wolf',
  baseSpeed: 5,
  attributes: { speed: { min: 0, max: 10, value: 0 } },
  ai: { enabled: true, idleBehaviour: 'wander' },
};
const count = (operator: string, number: number): Json =>
  when(compare({ function: 'getPlayerCount' }, operator, number));
const number = (value: number): Json => ({ dataType: 'number', default: value });
const limits = (max: number): Json => ({ name: 'attribute', min: 0, max, value: max });
const health = { function: 'getEntityAttribute', attribute: 'health', entity: unit };
const triggering = { function: 'getAttributeTypeOfAttribute', entity: { function: 'getTriggeringAttribute' } };
const setSpeed = { type: 'setEntityAttribute', attribute: 'speed', entity: { function: 'thisEntity' }, value: 5 };
const gone = { type: 'destroyEntity', entity: unit };
const random = (min: number, max: number): Json => ({ function: 'getRandomNumberBetween', min, max });
const self = { function: 'thisEntity' };
const flag = (key: string): Json => ({ function: 'getEntityVariable', variable: { key, dataType: 'boolean' } });
const raise = (key: string, value: boolean): Json => ({
  type: 'setEntityVariable',
  entity: self,
  variable: flag(key),
  value,
});
const unlessRaised = (key: string, ...actions: Json[]): Json =>
  when(
    [
      { operandType: 'boolean', operator: '==' },
      { function: 'getValueOfEntityVariable', variable: flag(key), entity: self },
      false,
    ],
    ...actions,
  );
const isBusy = { isBusy: { dataType: 'boolean', default: false } };
const held = { function: 'getItemCurrentlyHeldByUnit', entity: self };
const bound = (down: string, up: string): Json => ({
  controls: {
    movementControlScheme: 'wasd',
    abilities: { e: { keyDown: { scriptName: 'press' }, keyUp: { scriptName: 'release' } } },
  },
  scripts: { press: script([], [{ type: down, entity: held }]), release: script([], [{ type: up, entity: held }]) },
});
const wasNot = (operator: string, value: number): Json => when(compare(of('state'), operator, value));

describe('a mistake that needs no play is told with its reason', () => {
  const mistakes: Record<string, readonly [Changes, string]> = {
    'the display name of an attribute': [
      {
        trigger: 'unitAttributeBecomesZero',
        actions: [
          when(
            compare(
              { function: 'getAttributeTypeOfAttribute', entity: { function: 'getTriggeringAttribute' } },
              '==',
              'Health',
            ),
          ),
        ],
      },
      'dangling-attribute: "Health" is the name of the attribute "health", not its key.',
    ],
    'a loop that creates, and whose condition nothing changes': [
      {
        actions: [{ type: 'while', conditions: compare(of('state'), '==', 1), actions: [create({ x: 320, y: 320 })] }],
        scripts: { next: script('playerLeavesGame', [set('state', 2)]) },
      },
      'endless-loop: The condition of this loop reads "state", which nothing in the loop changes, so once true, it stays true.',
    ],
    'a layer that the map does not have': [
      { actions: [{ type: 'editMapTile', gid: 1, layer: 7, x: 1, y: 1 }] },
      'outside-map: The map has no layer 7.',
    ],
    'tiles in a layer of objects': [
      {
        actions: [{ type: 'editMapTile', gid: 1, layer: 0, x: 1, y: 1 }],
        map: {
          ...{ width: 10, height: 10, tilewidth: 64, tileheight: 64, tilesets: [tiles] },
          layers: [{ name: 'debris', type: 'objectgroup', objects: [] }],
        },
      },
      'outside-map: The layer "debris" has no tiles.',
    ],
    'an attribute in place of its key': [
      {
        trigger: 'unitAttributeBecomesZero',
        actions: [when(compare({ function: 'getTriggeringAttribute' }, '==', 'health'))],
      },
      'unequal-kinds: An object and a string are never equal.',
    ],
    'an index that nothing counts': [
      {
        variables: { i: number(0), chosen: number(0) },
        scripts: { choose: script('playerLeavesGame', [set('chosen', random(0, 5))]) },
        actions: [set('i', 0), when(compare(of('i'), '==', of('chosen')))],
      },
      'never-changed: "i" never changes: scripts set it only to its first value, 0.',
    ],
    'a flag of entities that scripts set only to its first value': [
      {
        hero: {
          variables: isBusy,
          scripts: { leave: script('entityLeavesRegion', [raise('isBusy', false), unlessRaised('isBusy')]) },
        },
      },
      'never-changed: "isBusy" of "hero" never changes: scripts set it only to its first value, false.',
    ],
    'a flag that only a copy of the script sets back': [
      {
        unitTypes: {
          hero: {
            variables: isBusy,
            scripts: {
              dig: script('entityAttributeBecomesZero', [unlessRaised('isBusy', raise('isBusy', true))], {
                name: 'dig',
              }),
            },
          },
          wolf: {
            variables: isBusy,
            scripts: {
              burrow: script('entityAttributeBecomesZero', [raise('isBusy', true), raise('isBusy', false)], {
                name: 'dig',
              }),
            },
          },
        },
      },
      'never-changed: Once "isBusy" of "hero" is true, nothing sets it back, as the same script of another type does.',
    ],
    'a loop with a break that prepares its condition and never changes it': [
      {
        variables: { found: number(0), left: number(9) },
        scripts: { next: script('playerLeavesGame', [set('found', 1)]) },
        actions: [
          set('found', 0),
          {
            type: 'while',
            conditions: compare(of('found'), '==', 0),
            actions: [
              { type: 'decreaseVariableByNumber', variable: 'left', number: 1 },
              when(compare(of('left'), '<', 0), { type: 'break' }),
            ],
          },
        ],
      },
      'endless-loop: The condition of this loop reads "found", which nothing in the loop changes, so once true, it stays true.',
    ],
    'a key that stops an item when pressed and starts it when released': [
      { hero: bound('stopUsingItem', 'startUsingItem') },
      'dangling-binding: Pressing this key only stops the use of an item, and releasing the key starts it.',
    ],
    'a key that stops an item twice': [
      { hero: bound('stopUsingItem', 'stopUsingItem') },
      'dangling-binding: Pressing this key only stops the use of an item, and releasing the key also stops it.',
    ],
    'a contact with units of a type that touches no units': [
      {
        actions: [
          when(compare({ function: 'getUnitTypeOfUnit', entity: { function: 'getLastTouchedUnit' } }, '==', 'mine')),
        ],
        unitTypes: {
          hero: { states: { default: { body: 'solid' } }, bodies: { solid } },
          mine: { name: 'Mine', states: { default: { body: 'flat' } }, bodies: { flat: body({ collidesWith: {} }) } },
        },
      },
      'never-touches: "Mine" never touches a unit: no two of their bodies name each other in `collidesWith`.',
    ],
    'a countdown that counts up': [
      {
        trigger: 'secondTick',
        variables: { left: number(0) },
        actions: [
          { type: 'increaseVariableByNumber', variable: 'left', number: 1 },
          when(compare(of('left'), '<=', 0), set('left', 25)),
        ],
      },
      'constant-condition: This condition is always false: "left" is never below 1: nothing that can run makes it less.',
    ],
    'an attribute that computer players do not have': [
      {
        playerTypes: {
          human: { relationships: {}, attributes: { gold: { min: 0, max: 99, value: 9 } } },
          beast: { name: 'Beast', relationships: {} },
        },
        scripts: {
          start: script('gameStart', [{ type: 'assignPlayerType', entity: 'computer1', playerType: 'beast' }]),
          join: script('playerJoinsGame', [{ type: 'assignPlayerType', entity: player, playerType: 'human' }]),
        },
        actions: [
          {
            type: 'forAllPlayers',
            playerGroup: { function: 'computerPlayers' },
            actions: [
              { type: 'setPlayerAttribute', attribute: 'gold', entity: { function: 'selectedPlayer' }, value: 3 },
            ],
          },
        ],
      },
      'dangling-attribute: This player is of type "Beast", which has no attribute "gold".',
    ],
    'a column that the map does not have': [
      { actions: [{ type: 'editMapTiles', gid: 1, layer: 0, x: 10, y: 1, width: 1, height: 1 }] },
      'outside-map: The map has no column 10.',
    ],
    'a tile that the tileset does not have': [
      { actions: [{ type: 'editMapTile', gid: 5, layer: 0, x: 1, y: 1 }] },
      'outside-map: The map has no tile 5.',
    ],
    'an item with dimensions that is created outside the map': [
      {
        actions: [
          {
            type: 'createEntityAtPositionWithDimensions',
            entityType: 'itemTypes',
            entity: 'gun',
            position: { function: 'xyCoordinate', x: 64000, y: 320 },
            player,
            angle: 0,
          },
        ],
      },
      'outside-map: The item is created outside the map.',
    ],
    'the section of another kind of type': [
      {
        actions: [
          {
            type: 'createEntityAtPositionWithDimensions',
            entityType: 'itemTypes',
            entity: 'hero',
            position: { x: 320, y: 320 },
            player,
            angle: 0,
          },
        ],
      },
      'wrong-kind: There is no item type "hero"; it is the key of a type of units.',
    ],
    'an attribute for which the trigger never fires': [
      {
        hero: {
          scripts: { dies: script('entityAttributeBecomesZero', [when(compare(triggering, '==', 'gold'), say)]) },
        },
      },
      'no-emitted-trigger: `entityAttributeBecomesZero` never fires for "gold": no type of unit for which the script runs has it.',
    ],
    'an attribute that starts full and is never lowered': [
      {
        playerTypes: {
          human: {
            relationships: {},
            attributes: { gold: { min: 0, max: 9, value: 9, regenerateSpeed: 1 }, wood: limits(9) },
          },
        },
        trigger: 'playerAttributeBecomesFull',
        actions: [
          when(compare(triggering, '==', 'gold'), say),
          { type: 'setPlayerAttribute', attribute: 'wood', entity: player, value: 1 },
        ],
      },
      'no-emitted-trigger: "gold" never becomes full: it starts there, and nothing lowers it.',
    ],
    'an attribute that starts at 0, regenerates and is never lowered': [
      {
        playerTypes: {
          human: {
            relationships: {},
            attributes: { gold: { min: 0, max: 9, value: 0, regenerateSpeed: 1 }, wood: limits(9) },
          },
        },
        trigger: 'playerAttributeBecomesZero',
        actions: [
          when(compare(triggering, '==', 'gold'), say),
          { type: 'setPlayerAttribute', attribute: 'wood', entity: player, value: 1 },
        ],
      },
      'no-emitted-trigger: "gold" never becomes zero: it starts there, and nothing lowers it.',
    ],
    'units of players without a speed, created in a loop over players': [
      {
        scripts: {
          join: script('playerJoinsGame', [{ type: 'assignPlayerType', entity: player, playerType: 'human' }]),
          round: script('gameStart', [
            {
              type: 'forAllPlayers',
              playerGroup: { function: 'allPlayers' },
              actions: [{ ...create({ x: 320, y: 320 }), entity: { function: 'selectedPlayer' } }],
            },
          ]),
        },
        hero: { attributes: { health: { name: 'Health', min: 0, max: 100, value: 100 } } },
      },
      'no-movement: "hero" cannot move: it has no attribute `speed`.',
    ],
    'a bound above the maximum of an attribute': [
      { actions: [when(compare(health, '<', 300))] },
      'constant-condition: This condition is always true: "health" is never below 0 and never above 100.',
    ],
    'a condition that the else of the same condition repeats': [
      {
        variables: { state: number(0), lobby: number(0) },
        scripts: { next: script('playerLeavesGame', [set('state', 1)]) },
        actions: [
          {
            ...when(compare(of('state'), '==', of('lobby')), say),
            else: [when(compare(of('state'), '==', of('lobby')))],
          },
        ],
      },
      'constant-condition: This condition is always false: the conditions around it require "state" != 0.',
    ],
    'a countdown in steps of 2 from an odd number to 0': [
      {
        trigger: 'secondTick',
        actions: [
          { type: 'decreaseVariableByNumber', variable: 'left', number: 2 },
          when(compare(of('left'), '==', 0), set('left', 25)),
        ],
        variables: { left: number(10) },
      },
      'constant-condition: From 25, "left" passes 0 without being equal to it: it changes in steps of 2.',
    ],
    'a word that is no kind of entity': [
      { actions: [when(compare({ function: 'getEntityType', entity: unit }, '==', 'units'))] },
      'constant-condition: `getEntityType` never gives "units".',
    ],
    'a key that stops when pressed': [
      {
        hero: {
          controls: {
            movementControlScheme: 'wasd',
            unitAbilities: { run: { name: 'run' } },
            abilities: {
              e: {
                keyDown: { abilityId: 'run', event: 'stopCasting' },
                keyUp: { abilityId: 'run', event: 'startCasting' },
              },
            },
          },
        },
      },
      'dangling-binding: Pressing this key stops the ability, and releasing the key starts it.',
    ],
    'a gun of rays with a projectile': [
      { itemTypes: { axe: { ...gun, bulletType: 'raycast', bulletDistance: 90 } }, projectileTypes: { ball: {} } },
      'useless-gun: "axe" fires rays, so its `projectileType` has no effect.',
    ],
    'an empty gun that nothing reloads': [
      {
        itemTypes: { axe: { ...gun, quantity: 0, maxQuantity: 9, reloadRate: 900 } },
        projectileTypes: { ball: { lifeSpan: 100, states: { default: { body: 'solid' } }, bodies: { solid } } },
      },
      'useless-item: "axe" can never be used: its quantity starts at 0 and never rises.',
    ],
    'units that are created every second, although others are destroyed': [
      {
        trigger: 'secondTick',
        actions: [{ ...create({ x: 320, y: 320 }), entity: { function: 'computerPlayer', number: 1 } }],
        scripts: { touch: script('unitTouchesUnit', [{ type: 'destroyEntity', entity: unit }]) },
      },
      'piling-up: "tale" runs on every `secondTick` and creates another entity each time, without a condition.',
    ],
    'a state that nothing leaves': [
      { trigger: 'secondTick', actions: [step(1, 2), step(2, 3), when(compare(of('state'), '==', 3), say)] },
      'never-left: Once "state" is 3, nothing sets it to another value.',
    ],
    'an attribute that no unit has': [
      {
        attributeTypes: { armor: { min: 0, max: 9, value: 0 } },
        actions: [{ type: 'setEntityAttribute', entity: unit, attribute: 'armor', value: 1 }],
      },
      'dangling-attribute: No unit type has the attribute "armor".',
    ],
    'an unknown attribute': [
      {
        trigger: 'unitAttributeBecomesZero',
        actions: [
          when(
            compare(
              { function: 'getAttributeTypeOfAttribute', entity: { function: 'getTriggeringAttribute' } },
              '==',
              'helth',
            ),
          ),
        ],
      },
      'dangling-attribute: Unknown attribute "helth".',
    ],
    'a region as a position': [
      { actions: [move(of('hall'))] },
      'wrong-kind: moveEntity cannot use a region as `position`.',
    ],
    'a unit as a position': [{ actions: [move(unit)] }, 'wrong-kind: moveEntity cannot use a unit as `position`.'],
    'a move into a wall': [
      { actions: [move({ x: 96, y: 32 })] },
      'inside-wall: The unit is moved into a wall: the tile at 96, 32 is solid.',
    ],
    'a random place in a region of walls': [
      { actions: [create({ function: 'getRandomPositionInRegion', region: of('top') })], trigger: 'playerLeavesGame' },
      'inside-wall: The unit is created inside a wall: the tile at 64, 0 is solid.',
    ],
    'a position in tiles': [
      { actions: [move({ x: 3, y: 4 })] },
      'wrong-unit: Positions are in pixels, and a tile is 64 pixels wide, so this position is in the first tile.',
    ],
    'a range without a number': [
      {
        actions: [
          when([{ operandType: 'and', operator: 'AND' }, compare(of('left'), '<', 0), compare(of('left'), '>', 10)]),
        ],
      },
      'constant-condition: This condition is always false, because one value cannot be both < 0 and > 10. Was `OR` meant?',
    ],
    'a range that is everything': [
      {
        actions: [
          when([{ operandType: 'or', operator: 'OR' }, compare(of('left'), '<', 10), compare(of('left'), '>', 0)]),
        ],
      },
      'constant-condition: This condition is always true: every value is < 10 or > 0. Was `AND` meant?',
    ],
    'a count below 0': [
      { actions: [when(compare({ function: 'getNumberOfUnitsOfUnitType', unitType: 'hero' }, '<', 0))] },
      'constant-condition: This condition is always false: a number of entities is never below 0.',
    ],
    'more players than are admitted': [
      { actions: [count('>', 8)] },
      'constant-condition: This condition is always false: the number of players is never above 8, because `defaultMaxPlayers` allows no more.',
    ],
    'a remainder that equals its divisor': [
      { actions: [when(compare(calculate('%', of('left'), of('left')), '==', of('left')))] },
      'constant-condition: This condition is always false: a remainder is never as large as the divisor.',
    ],
    'a remainder beyond its divisor': [
      { actions: [when(compare(calculate('%', of('left'), 5), '==', 7))] },
      'constant-condition: This condition is always false: a remainder of a division by 5 is always below 5.',
    ],
    'a state inside another state': [
      { actions: [when(compare(of('state'), '==', 1), wasNot('==', 2))] },
      'constant-condition: This condition is always false: the conditions around it require "state" == 1.',
    ],
    'a number that nothing sets': [
      { actions: [wasNot('==', 7), set('state', 2)] },
      'never-assigned: Nothing sets "state" to 7: `==` always has the same result.',
    ],
    'a countdown that counts away from its end': [
      {
        trigger: 'secondTick',
        actions: [
          { type: 'decreaseVariableByNumber', variable: 'left', number: -1 },
          when(compare(of('left'), '<=', 0)),
        ],
      },
      'constant-condition: This condition is always false: "left" is never below 6: nothing that can run makes it less.',
    ],
    'a countdown that waits for itself': [
      {
        trigger: 'secondTick',
        actions: [
          when(compare(of('left'), '<=', 0), { type: 'decreaseVariableByNumber', variable: 'left', number: 1 }),
        ],
      },
      'constant-condition: This condition is always false: "left" is never below 5: nothing that can run makes it less.',
    ],
    'a sensor that no unit has': [
      { hero: { scripts: { alarm: script('unitEntersSensor', [{ type: 'sendChatMessage', message: 'Hey' }]) } } },
      'no-emitted-trigger: `unitEntersSensor` never fires: no unit has a sensor.',
    ],
    'an answer to nothing': [
      { trigger: 'adPlayCompleted', actions: [{ type: 'sendChatMessage', message: 'Thanks' }] },
      'no-emitted-trigger: `adPlayCompleted` never fires: nothing in the game causes this trigger.',
    ],
    'a repetition every ms': [
      { actions: [{ type: 'repeatWithDelay', count: 5, number: 1, actions: [{ type: 'endGame' }] }] },
      'wrong-unit: `number` is in milliseconds: a time of 1 ms ends almost immediately.',
    ],
    'a timer added by every tick': [
      { trigger: 'frameTick', actions: [{ type: 'setTimeOut', duration: 10000, actions: [{ type: 'endGame' }] }] },
      'piling-up: "tale" runs on every `frameTick` and adds a timer of 10000 ms each time, before the previous timer has ended.',
    ],
    'a unit added every second': [
      {
        trigger: 'secondTick',
        actions: [{ ...create({ x: 320, y: 320 }), entity: { function: 'computerPlayer', number: 1 } }],
      },
      'piling-up: "tale" runs on every `secondTick` and creates another entity each time, without a condition.',
    ],
    'an AI without speed': [
      {
        hero: {
          attributes: { speed: { min: 0, max: 10, value: 0 } },
          ai: { enabled: true, idleBehaviour: 'wander', sensorRadius: 200, sensorResponse: 'flee' },
        },
      },
      'useless-ai: The AI of "hero" cannot move: its `speed` stays at 0.',
    ],
    'an AI with a fixed body': [
      {
        hero: { bodies: { solid: { ...solid, type: 'static' } }, ai: { enabled: true, idleBehaviour: 'wander' } },
      },
      'useless-ai: The AI of "hero" cannot move: its body is static.',
    ],
    'an AI whose base speed does not count beside its attribute': [
      { unitTypes: { wolf: slowWolf } },
      'useless-ai: The AI of "Wolf" cannot move: its `speed` stays at 0.',
    ],
    'a gun without bullets, although scripts create other items': [
      {
        itemTypes: { bow: { ...gun, name: 'Bow', quantity: 0, cost: { quantity: 1 } }, ...goods },
        actions: [{ type: 'spawnItem', itemType: 'axe', position: { x: 320, y: 320 } }],
      },
      'useless-item: "Bow" can never be used: its quantity starts at 0 and never rises.',
    ],
    'a bonus for players on an attribute of units': [
      { itemTypes: { boots: { name: 'Boots', bonus: { passive: { playerAttribute: { speed: 2 } } } } } },
      'dangling-attribute: No player type has the attribute "speed".',
    ],
    'a damage to units on an attribute of players': [
      { itemTypes: { bat: { name: 'Bat', damage: { unitAttributes: { gold: 2 } } } } },
      'dangling-attribute: No unit type has the attribute "gold".',
    ],
    'a consumable of which there is none': [
      { itemTypes: { beer: { name: 'Beer', type: 'consumable', quantity: 0, states: { dropped: {} } } } },
      'useless-item: "Beer" can never be used: its quantity starts at 0 and never rises.',
    ],
    'a gun that may hold nothing': [
      { itemTypes: { bow: { ...gun, name: 'Bow', maxQuantity: 0 } } },
      'out-of-range: "Bow" can never be used: its `maxQuantity` is 0.',
    ],
    'a price below 0': [
      { itemTypes: goods, shops: shop({ price: { playerAttributes: { gold: -5 } } }), actions: [open] },
      'out-of-range: `gold` is -5, not 0 or more.',
    ],
    'an offer that gives money': [
      {
        itemTypes: { ...goods, axe: { name: 'Axe', bonus: { consume: { playerAttribute: { gold: 9 } } } } },
        shops: shop({ price: { playerAttributes: { gold: 5 } } }),
        actions: [open],
      },
      'free-offer: "Axe" costs 5 of "gold", but using it gives 9.',
    ],
    'offers that need each other': [
      {
        itemTypes: goods,
        shops: {
          inn: {
            itemTypes: {
              beer: { price: { coins: 1, requiredItemTypes: { axe: 1 } } },
              axe: { price: { coins: 1, requiredItemTypes: { beer: 1 } } },
            },
          },
        },
        actions: [open],
      },
      'unpayable: Nobody can buy "Beer": the buyer needs "Axe", which nobody can get before this purchase.',
    ],
    'a camera on a unit that is created later': [
      {
        scripts: {
          join: script('playerJoinsGame', [
            { type: 'playerCameraTrackUnit', player, unit: { function: 'getLastCreatedUnit' } },
            create({ x: 320, y: 320 }),
          ]),
        },
      },
      'nothing-selected: `getLastCreatedUnit` is called before `createUnitAtPosition` creates the unit.',
    ],
    'a camera on a unit that only the other branch has created': [
      {
        scripts: {
          join: script('playerJoinsGame', [
            {
              type: 'condition',
              conditions: compare(of('state'), '==', 1),
              then: [create({ x: 320, y: 320 })],
              else: [
                { type: 'playerCameraTrackUnit', player, unit: { function: 'getLastCreatedUnit' } },
                create({ x: 320, y: 320 }),
              ],
            },
          ]),
        },
        variables: { state: { dataType: 'number', default: 0 } },
      },
      'nothing-selected: `getLastCreatedUnit` is called before `createUnitAtPosition` creates the unit.',
    ],
    'use after destroy': [
      { actions: [{ type: 'destroyEntity', entity: unit }, move({ x: 320, y: 320 })] },
      'use-after-destroy: `moveEntity` does nothing: the preceding `destroyEntity` has destroyed the entity.',
    ],
    'two constants with one value': [
      {
        variables: {
          state: { dataType: 'number', default: 0 },
          lobby: { dataType: 'number', default: 1 },
          battle: { dataType: 'number', default: 1 },
        },
        actions: [
          when(compare(of('state'), '==', of('lobby')), set('state', of('battle'))),
          when(compare(of('state'), '==', of('battle')), set('state', of('lobby'))),
        ],
      },
      'same-constant: "battle" and "lobby" have the same value, 1, so comparisons with "state" cannot tell them apart.',
    ],
    'a static unit that waits for a region': [
      {
        unitTypes: {
          post: {
            states: { default: { body: 'b' } },
            bodies: { b: { ...solid, type: 'static' } },
            scripts: { s: script('entityEntersRegion', [{ type: 'endGame' }]) },
          },
        },
      },
      'never-touches: No unit of this type ever enters a region: its body is static, and only dynamic bodies do.',
    ],
    'a projectile of sensors': [
      {
        itemTypes: { bow: { ...gun, name: 'Bow' } },
        projectileTypes: {
          ball: {
            name: 'Ball',
            states: { default: { body: 'b' } },
            bodies: { b: { ...solid, fixtures: [{ density: 1, isSensor: true, shape: { type: 'circle' } }] } },
          },
        },
      },
      'empty-body: "Bow" fires "Ball", which flies through walls, although `collidesWith` names them: all of its fixtures are sensors.',
    ],
    'an offer that is not sold': [
      { itemTypes: goods, shops: shop({ price: { coins: 1 }, isPurchasable: false }), actions: [open] },
      'no-buyer: The shop shows "Axe" but does not sell it.',
    ],
    'a unit that may not use its item': [
      {
        hero: { defaultItems: [{ key: 'axe' }] },
        itemTypes: { axe: { name: 'Axe', canBeUsedBy: ['elf'] } },
        unitTypes: { hero: { inventorySize: 1, defaultItems: [{ key: 'axe' }] }, elf: {} },
      },
      'item-not-carried: Units of type "hero" start with "Axe", whose `canBeUsedBy` does not list them.',
    ],
    'a fraction that a countdown of whole numbers never reaches': [
      {
        trigger: 'secondTick',
        actions: [
          { type: 'decreaseVariableByNumber', variable: 'left', number: 1 },
          when(compare(of('left'), '==', -5.5)),
        ],
      },
      'constant-condition: This condition is always false: "left" starts at 5 and changes in steps of 1.',
    ],
    'units that are only created once there are some': [
      {
        trigger: 'secondTick',
        unitTypes: { wolf: {} },
        actions: [
          when(compare({ function: 'getNumberOfUnitsOfUnitType', unitType: 'wolf' }, '>', of('state')), {
            ...create({ x: 320, y: 320 }),
            unitType: 'wolf',
          }),
        ],
        scripts: { join: script('playerJoinsGame', []) },
      },
      'constant-condition: This condition is always false: only actions under this condition create such an entity.',
    ],
    'an AI that fights with bare hands': [
      { hero: { ai: { enabled: true, sensorRadius: 200, sensorResponse: 'fight' } } },
      'useless-ai: The AI of "hero" fights without an item, and hurts nobody.',
    ],
    'an AI whose owner has no player type': [
      {
        trigger: 'gameStart',
        unitTypes: { wolf: { ai: { enabled: true, sensorRadius: 200, sensorResponse: 'flee' } } },
        actions: [
          { ...create({ x: 320, y: 320 }), unitType: 'wolf', entity: { function: 'computerPlayer', number: 1 } },
        ],
      },
      'no-target: The AI of "wolf" never finds a target: its owner has no player type.',
    ],
    'a variable without a value': [
      {
        variables: { boss: { dataType: 'player' } },
        actions: [{ ...create({ x: 320, y: 320 }), entity: of('boss') }],
      },
      'never-assigned: "boss" is read, but has no default, and nothing sets it.',
    ],
    'a variable of players that nothing sets': [
      {
        playerTypes: { human: { variables: { isReady: { dataType: 'boolean', default: false } } } },
        trigger: 'playerLeavesGame',
        actions: [
          when([
            { operandType: 'boolean', operator: '==' },
            {
              function: 'getValueOfPlayerVariable',
              player,
              variable: { function: 'getPlayerVariable', variable: { key: 'isReady' } },
            },
            true,
          ]),
        ],
      },
      'never-changed: "isReady", which is compared here, never changes: nothing sets it.',
    ],
    'an attribute that the players of a loop lack': [
      {
        playerTypes: { human: { attributes: { gold: { min: 0, max: 9, value: 9 } } }, crops: { name: 'Crops' } },
        actions: [
          {
            type: 'forAllPlayers',
            playerGroup: { function: 'playersOfPlayerType', playerType: 'crops' },
            actions: [
              { type: 'setPlayerAttribute', attribute: 'gold', entity: { function: 'selectedPlayer' }, value: 1 },
            ],
          },
        ],
      },
      'dangling-attribute: This player is of type "Crops", which has no attribute "gold".',
    ],
    'a key of people that leads nowhere': [
      { hero: { controls: { movementControlScheme: 'wasd', abilities: { b: { keyDown: { scriptName: 'shop' } } } } } },
      'dangling-binding: There is no script "shop".',
    ],
    'a legacy key that leads nowhere': [
      { hero: { controls: undefined, abilities: { w: { keyDown: 'moveUp' } } } },
      'dangling-binding: There is no ability "moveUp".',
    ],
    'a death that asks only for attributes of the player': [
      {
        hero: {
          scripts: {
            fall: script('entityAttributeBecomesZero', [
              {
                type: 'setPlayerAttribute',
                attribute: 'gold',
                entity: { function: 'getOwner', entity: { function: 'thisEntity' } },
                value: calculate(
                  '+',
                  {
                    function: 'getPlayerAttribute',
                    attribute: 'gold',
                    entity: { function: 'getOwner', entity: { function: 'thisEntity' } },
                  },
                  1,
                ),
              },
            ]),
          },
          attributes: {
            speed: { min: 0, max: 10, value: 5 },
            health: { min: 0, max: 9, value: 9 },
            mana: { min: 0, max: 9, value: 9 },
          },
        },
      },
      'unasked-trigger: "script" runs for every attribute ("health", "mana") and never tests for which attribute it runs: compare `getTriggeringAttribute`.',
    ],
    'a script whose actions are all switched off': [
      { actions: [{ type: 'endGame', disabled: true }] },
      'disabled-script: "tale" does nothing: all of its actions are disabled or run only on clients.',
    ],
    'a join whose unit is switched off': [
      { scripts: { join: script('playerJoinsGame', [{ ...create({ x: 320, y: 320 }), disabled: true }]) } },
      'nobody-gets-a-unit: No script gives a unit to a player: the action that would do so is disabled.',
    ],
    'a division by a number that stays 0': [
      {
        variables: { left: number(5), state: number(1), helpers: number(0) },
        actions: [set('state', calculate('/', of('left'), of('helpers')))],
      },
      'division-by-zero: Division by 0: the divisor is always 0.',
    ],
    'a loop that counts down from a setting': [
      {
        variables: { left: number(5), state: number(1), rounds: number(9) },
        actions: [{ type: 'for', variableName: 'left', start: of('rounds'), stop: 1, actions: [say] }],
      },
      'empty-loop: `for` counts up, and 9 is already above 1: the actions never run.',
    ],
    'a delay of seconds in a setting': [
      {
        variables: { left: number(5), state: number(1), pause: number(6) },
        actions: [{ type: 'setTimeOut', duration: of('pause'), actions: [say] }],
      },
      'wrong-unit: `duration` is in milliseconds: a time of 6 ms ends almost immediately.',
    ],
    'a negative delay': [
      { actions: [{ type: 'setTimeOut', duration: -500, actions: [say] }] },
      'wrong-unit: `duration` is less than 0 ms.',
    ],
    'a sum above the maximum': [
      { actions: [when(compare(health, '>', calculate('+', 90, 20)))] },
      'constant-condition: This condition is always false: "health" is never above 100.',
    ],
    'a number of units and one more': [
      { actions: [when(compare(calculate('+', { function: 'getPlayerCount' }, 1), '==', 0))] },
      'constant-condition: This condition is always false: the result is never below 1.',
    ],
    'the health that only another type can have': [
      {
        unitTypes: { hero: { attributes: { health: limits(100) } }, wolf: { attributes: { health: limits(50) } } },
        actions: [
          {
            type: 'forAllUnits',
            unitGroup: { function: 'allUnitsOfUnitType', unitType: 'wolf' },
            actions: [when(compare({ ...health, entity: { function: 'selectedUnit' } }, '>', 80))],
          },
        ],
      },
      'constant-condition: This condition is always false: "health" is never above 50.',
    ],
    'a type that the unit of a loop does not have': [
      {
        unitTypes: { hero: {}, wolf: { name: 'Wolf' } },
        actions: [
          {
            type: 'forAllUnits',
            unitGroup: { function: 'allUnitsOfUnitType', unitType: 'wolf' },
            actions: [
              when(compare({ function: 'getUnitTypeOfUnit', entity: { function: 'selectedUnit' } }, '==', 'hero')),
            ],
          },
        ],
      },
      'constant-condition: This condition is always false: this unit is always of type "Wolf".',
    ],
    'a smaller number asked for after a greater one': [
      { actions: [{ ...when(compare(health, '<', 50)), else: [when(compare(health, '<', 20))] }] },
      'constant-condition: This condition is always false: the conditions around it require "health" >= 50.',
    ],
    'a countdown that steps over its end': [
      {
        trigger: 'secondTick',
        actions: [
          { type: 'decreaseVariableByNumber', variable: 'left', number: 2 },
          when(compare(of('left'), '==', 0)),
        ],
      },
      'constant-condition: This condition is always false: "left" starts at 5 and changes in steps of 2.',
    ],
    'an attribute that cannot become zero': [
      {
        hero: { attributes: { speed: limits(10), health: { ...limits(100), min: 1, regenerateSpeed: -1 } } },
        trigger: 'unitAttributeBecomesZero',
        actions: [when(compare(triggering, '==', 'health'))],
      },
      'no-emitted-trigger: "health" never becomes zero: its minimum is 1.',
    ],
    'an attribute that nothing fills': [
      {
        trigger: 'playerAttributeBecomesFull',
        actions: [
          when(compare(triggering, '==', 'gold'), {
            type: 'setPlayerAttribute',
            attribute: 'gold',
            entity: player,
            value: 0,
          }),
        ],
      },
      'no-emitted-trigger: "gold" never becomes full: nothing raises it.',
    ],
    'rays that no item fires': [
      { trigger: 'raycastItemFired', actions: [say] },
      'no-emitted-trigger: `raycastItemFired` never fires: no item fires rays.',
    ],
    'a slot that no unit has': [
      { actions: [{ type: 'makeUnitSelectItemAtSlot', unit, slotIndex: 7 }] },
      'slot-conflict: No unit can have a slot 7 here.',
    ],
    'an item for a slot that no unit has': [
      { itemTypes: { axe: { name: 'Axe', controls: { permittedInventorySlots: [4] } } } },
      'slot-conflict: Nobody can carry "Axe": no unit that may carry it has a permitted slot.',
    ],
    'a speed of 0 that only units of another type change': [
      {
        unitTypes: {
          hero: { attributes: { speed: limits(9) }, scripts: { go: script('unitTouchesUnit', [setSpeed]) } },
          wolf: slowWolf,
        },
      },
      'useless-ai: The AI of "Wolf" cannot move: its `speed` stays at 0.',
    ],
    'a bullet that walls end but do not stop': [
      {
        projectileTypes: {
          ball: {
            name: 'Ball',
            bodies: { round: body({ collidesWith: { units: true } }) },
            destroyOnContactWith: { walls: true },
          },
        },
      },
      'never-touches: "Ball" flies through walls: its body does not name walls in `collidesWith`.',
    ],
    'a level of players that cannot rise': [
      {
        playerTypes: { human: { relationships: {}, attributes: { gold: { name: 'Gold', min: 1, max: 1, value: 1 } } } },
        actions: [{ type: 'setPlayerAttribute', attribute: 'gold', entity: player, value: 2 }],
      },
      'out-of-range: No script can change "Gold" of "human": its minimum and its maximum are both 1.',
    ],
    'a unit that is saved after both branches have destroyed it': [
      {
        actions: [
          { ...when(compare(of('state'), '==', 1), gone), else: [say, gone] },
          { type: 'saveUnitData', unit },
        ],
      },
      'use-after-destroy: `saveUnitData` finds no entity here: the preceding `destroyEntity` has destroyed the entity.',
    ],
    'a unit that moves after a branch has destroyed it and the other one has ended the script': [
      {
        actions: [
          { ...when(compare(of('state'), '==', 1), gone), else: [{ type: 'return' }] },
          move({ x: 320, y: 320 }),
        ],
      },
      'use-after-destroy: `moveEntity` does nothing: the preceding `destroyEntity` has destroyed the entity.',
    ],
    'the owner of a unit that was destroyed': [
      { actions: [gone, { type: 'kickPlayer', entity: { function: 'getOwner', entity: unit } }] },
      'use-after-destroy: `getOwner` finds no entity here: the preceding `destroyEntity` has destroyed the entity.',
    ],
    'a condition without actions': [
      { actions: [{ ...when(compare(of('state'), '==', 1)), then: [] }] },
      'empty-actions: This `condition` does nothing: it contains no actions.',
    ],
    'a loop whose only action is disabled': [
      { actions: [{ type: 'repeat', count: 2, actions: [{ ...say, disabled: true }] }] },
      'empty-actions: This `repeat` does nothing: all actions in it are disabled or run only on clients.',
    ],
    'a key whose script is empty': [
      {
        hero: { controls: { movementControlScheme: 'wasd', abilities: { e: { keyDown: { scriptName: 'open' } } } } },
        scripts: { open: { ...script([], []), name: 'open' } },
      },
      'empty-actions: "open" does nothing: it has no actions.',
    ],
    'an action that the next one undoes': [
      {
        actions: [
          { type: 'enableAI', unit },
          { type: 'disableAI', unit },
        ],
      },
      'self-assignment: `disableAI` undoes the previous action, so nothing happens.',
    ],
    'a number that is added and subtracted again': [
      {
        actions: [
          { type: 'increaseVariableByNumber', variable: 'left', number: 2 },
          { type: 'decreaseVariableByNumber', variable: 'left', number: 2 },
        ],
      },
      'self-assignment: `decreaseVariableByNumber` undoes the previous action, so nothing happens.',
    ],
    'a number of a variable for a string': [
      {
        variables: { note: { dataType: 'string', default: '' } },
        actions: [{ type: 'decreaseVariableByNumber', variable: 'note', number: 1 }],
      },
      'mismatched-assignment: "note" is a variable for a string, so nothing can be added to it or subtracted from it.',
    ],
    'an opacity in percent': [
      { actions: [{ type: 'setEntityOpacity', entity: unit, opacity: 90 }] },
      'wrong-unit: `opacity` goes from 0 to 1.',
    ],
    'a random value above the maximum': [
      { actions: [{ type: 'setEntityAttribute', entity: unit, attribute: 'health', value: random(150, 200) }] },
      'attribute-out-of-bounds: this random number is never a value of "health", which is at most 100.',
    ],
    'a random value below the minimum': [
      { actions: [{ type: 'setEntityAttribute', entity: unit, attribute: 'health', value: random(-20, -10) }] },
      'attribute-out-of-bounds: this random number is never a value of "health", which is at least 0.',
    ],
    'particles outside the map': [
      { actions: [{ type: 'emitParticleOnceAtPosition', particleType: 'dust', position: { x: 900, y: 9 } }] },
      'outside-map: This position lies outside the map.',
    ],
    'a region of a test that lies outside the map': [
      {
        actions: [
          {
            type: 'forAllEntities',
            entityGroup: {
              function: 'entitiesInRegion',
              region: { function: 'dynamicRegion', x: 900, y: 0, width: 64, height: 64 },
            },
            actions: [say],
          },
        ],
      },
      'outside-map: This region lies outside the map.',
    ],
    'a move to coordinates that are swapped': [
      {
        map: { width: 10, height: 5, tilewidth: 64, tileheight: 64, layers: [], tilesets: [tiles] },
        actions: [move({ x: 100, y: 500 })],
      },
      'outside-map: This position lies outside the map. Are `x` and `y` swapped?',
    ],
    'units of a type that nothing creates': [
      {
        unitTypes: { hero: {}, wolf: { name: 'Wolf' } },
        actions: [when(compare({ function: 'getNumberOfUnitsOfUnitType', unitType: 'wolf' }, '==', 0))],
      },
      'never-assigned: There are never any units of type "Wolf": nothing that can run creates one.',
    ],
    'a unit that nothing sets and that is compared': [
      {
        variables: { boss: { dataType: 'unit' } },
        actions: [{ ...when([{ operandType: 'unit', operator: '==' }, of('boss'), unit]) }],
      },
      'never-assigned: "boss" is read, but has no default, and nothing sets it.',
    ],
    'a number that stays 0': [
      { variables: { wave: number(0) }, actions: [when(compare(of('wave'), '>', 3))] },
      'never-assigned: Nothing sets "wave" to a value > 3: `>` always has the same result.',
    ],
    'a state that is compared with a constant, but set to another number': [
      {
        variables: { state: number(0), lobby: number(0), fight: number(1) },
        trigger: 'secondTick',
        actions: [
          when(compare(of('state'), '==', of('lobby')), set('state', 3)),
          when(compare(of('state'), '==', of('fight'))),
        ],
        scripts: { reset: script('playerLeavesGame', [set('state', of('lobby'))]) },
      },
      'never-assigned: Nothing sets "state" to 1, the value of "fight": `==` always has the same result.',
    ],
    'a capital letter in a text in lower case': [
      {
        actions: [
          when([
            { operandType: 'boolean', operator: '==' },
            {
              function: 'subString',
              sourceString: { function: 'toLowerCase', string: { function: 'getEntityName', entity: unit } },
              patternString: 'Bob',
            },
            true,
          ]),
        ],
      },
      'constant-condition: `toLowerCase` never returns a string with "Bob", because not all of its letters are in lower case.',
    ],
    'an effect that runs a global script': [
      { hero: { effects: { destroy: { runScript: 'start' } } } },
      'dangling-script: "start" is a global script: the original engine runs only scripts of the type itself for its effects, and fails here.',
    ],
    'a circle of width 0 with the size of a box': [
      {
        hero: {
          bodies: {
            solid: {
              ...solid,
              width: 0,
              fixtures: [{ density: 1, shape: { type: 'circle' }, size: { width: 9, height: 9 } }],
            },
          },
        },
      },
      'empty-body: The body "solid" has a width of 0, so it collides with nothing.',
    ],
    'an attribute that cannot become zero, although a script raises its maximum': [
      {
        hero: {
          attributes: { speed: limits(9), health: { name: 'Health', min: 1, max: 100, value: 100 } },
          scripts: { dies: script('entityAttributeBecomesZero', [when(compare(triggering, '==', 'health'), say)]) },
        },
        actions: [
          { type: 'setEntityAttributeMax', attribute: 'health', entity: unit, value: 200 },
          { type: 'setEntityAttribute', attribute: 'health', entity: unit, value: 5 },
        ],
      },
      'no-emitted-trigger: "health" never becomes zero: its minimum is 1.',
    ],
    'a kind of entity that bodies do not know': [
      { hero: { bodies: { solid: body({ collidesWith: { units: true, wall: true } }) } } },
      'unknown-field: Unknown field `wall`.',
    ],
  };
  test.each(Object.entries(mistakes))('%s', (_title, [changes, issue]) => {
    expect(issuesOf(changes)).toContain(issue);
  });

  test('the game without a mistake has none', () => {
    expect(issuesOf({})).toEqual([]);
  });
});

describe('what is no mistake is not reported', () => {
  const ghostly = body({ collidesWith: { units: true } });
  const sound: Record<string, readonly [Changes, string]> = {
    'a body in a wall that walls do not stop': [
      { actions: [move({ x: 96, y: 32 })], hero: { bodies: { solid: ghostly } } },
      'inside-wall',
    ],
    'a flag that is raised once': [
      {
        unitTypes: {
          hero: {
            variables: isBusy,
            scripts: { dig: script('entityAttributeBecomesZero', [unlessRaised('isBusy', raise('isBusy', true))]) },
          },
          wolf: { variables: isBusy, scripts: { rest: script('entityTouchesWall', [raise('isBusy', false)]) } },
        },
      },
      'never-changed',
    ],
    'a flag that another script of the type sets back': [
      {
        hero: {
          variables: isBusy,
          scripts: {
            dig: script('entityAttributeBecomesZero', [unlessRaised('isBusy', raise('isBusy', true))]),
            rest: script('entityTouchesWall', [raise('isBusy', false)]),
          },
        },
      },
      'never-changed',
    ],
    'a key that uses an item while it is down': [
      { hero: bound('startUsingItem', 'stopUsingItem') },
      'dangling-binding',
    ],
    'a unit of a player that its AI moves': [
      {
        hero: { controls: { abilities: { e: {} } }, ai: { enabled: true, idleBehaviour: 'stay' } },
        actions: [{ type: 'aiMoveToPosition', unit, position: { x: 320, y: 320 } }],
      },
      'no-movement',
    ],
    'the body of an item in a hand': [
      {
        itemTypes: {
          axe: {
            states: { dropped: { body: 'ground' }, selected: { body: 'hand' } },
            bodies: { ground: solid, hand: { ...solid, fixtures: [] } },
          },
        },
      },
      'empty-body',
    ],
    'the accounts that an exported game has invited': [{ invitedUsers: [] }, 'unknown-field'],
    'the name of a mode of streaming': [{ hero: { streamMode: 'serverAuthoritative' } }, 'wrong-type'],
    'as many players as are admitted': [{ actions: [count('==', 8)] }, 'constant-condition'],
    'a state that changes in between': [
      { actions: [when(compare(of('state'), '==', 1), set('state', 2), wasNot('==', 2))] },
      'constant-condition',
    ],
    'a number that is set after something was added to it': [
      {
        trigger: 'secondTick',
        actions: [
          { type: 'increaseVariableByNumber', variable: 'left', number: 1 },
          set('left', 0),
          when(compare(of('left'), '==', 0)),
        ],
      },
      'constant-condition',
    ],
    'a countdown that starts again': [
      {
        trigger: 'secondTick',
        actions: [
          when(compare(of('left'), '>', 0), { type: 'decreaseVariableByNumber', variable: 'left', number: 1 }),
          when(compare(of('left'), '==', 0), set('left', 5)),
        ],
      },
      'constant-condition',
    ],
    'a short timer in each second': [
      { trigger: 'secondTick', actions: [{ type: 'setTimeOut', duration: 500, actions: [{ type: 'endGame' }] }] },
      'piling-up',
    ],
    'a unit that is destroyed in a branch': [
      {
        actions: [
          when(compare(of('state'), '==', 1), { type: 'destroyEntity', entity: unit }),
          move({ x: 320, y: 320 }),
        ],
      },
      'use-after-destroy',
    ],
    'the keys of a unit that nobody steers': [
      {
        trigger: 'gameStart',
        unitTypes: { post: { controls: { abilities: { e: { keyDown: { scriptName: 'open' } } } } } },
        actions: [
          { ...create({ x: 320, y: 320 }), unitType: 'post', entity: { function: 'computerPlayer', number: 1 } },
        ],
        scripts: { join: script('playerJoinsGame', []) },
      },
      'dangling-binding',
    ],
    'a state after which the game ends': [
      { trigger: 'secondTick', actions: [step(1, 2), step(2, 3), when(compare(of('state'), '==', 3))] },
      'never-left',
    ],
    'something that happens once': [
      { trigger: 'secondTick', actions: [step(1, 2), when(compare(of('state'), '==', 2), say)] },
      'never-left',
    ],
    'a base speed without the attribute': [{ unitTypes: { wolf: { ...slowWolf, attributes: {} } } }, 'useless-ai'],
    'a gun without bullets that scripts create with some': [
      {
        itemTypes: { bow: { ...gun, name: 'Bow', quantity: 0, cost: { quantity: 1 } } },
        actions: [{ type: 'giveNewItemWithQuantityToUnit', itemType: 'bow', unit, quantity: 9 }],
      },
      'useless-item',
    ],
    'a loop that a setting of 0 turns off': [
      {
        variables: { left: number(5), state: number(1), wolves: number(0) },
        actions: [{ type: 'for', variableName: 'left', start: 1, stop: of('wolves'), actions: [say] }],
      },
      'empty-loop',
    ],
    'a value that may have changed since the condition around': [
      {
        actions: [
          when(
            compare(health, '<', 50),
            { type: 'setEntityAttribute', attribute: 'health', entity: unit, value: 60 },
            when(compare(health, '>', 55)),
          ),
        ],
      },
      'constant-condition',
    ],
    'a countdown in steps that reach its end': [
      {
        trigger: 'secondTick',
        actions: [
          { type: 'decreaseVariableByNumber', variable: 'left', number: 2 },
          when(compare(of('left'), '==', 1)),
          when(compare(of('left'), '<=', 0), set('left', 4)),
          when(compare(of('left'), '==', 2)),
        ],
      },
      'constant-condition',
    ],
    'an item whose permitted slot is taken, which goes into the backpack': [
      {
        hero: { inventorySize: 1, backpackSize: 1, defaultItems: [{ key: 'beer' }, { key: 'axe' }] },
        itemTypes: {
          beer: { controls: { permittedInventorySlots: [1] } },
          axe: { controls: { permittedInventorySlots: [1] } },
        },
      },
      'slot-conflict',
    ],
    'an item that has a slot of its own, which leaves the first one free': [
      {
        hero: { inventorySize: 2, defaultItems: [{ key: 'beer' }, { key: 'axe' }] },
        itemTypes: {
          beer: { controls: { designatedInventorySlot: 2 } },
          axe: { controls: { permittedInventorySlots: [1] } },
        },
      },
      'slot-conflict',
    ],
    'AI whose boots give it speed': [
      {
        unitTypes: { hero: {}, wolf: { ...slowWolf, inventorySize: 1, defaultItems: [{ key: 'axe' }] } },
        itemTypes: { axe: { bonus: { passive: { unitAttribute: { speed: { type: 'raw', value: 5 } } } } } },
      },
      'useless-ai',
    ],
    'a place that clients never see, where a unit is hidden': [
      { actions: [move({ x: -5000, y: -5000 })] },
      'outside-map',
    ],
    'a switch for developers': [
      {
        variables: { isDev: { dataType: 'boolean', default: false } },
        actions: [when([{ operandType: 'boolean', operator: '==' }, of('isDev'), true])],
      },
      'never-assigned',
    ],
    'a mode that is compared with constants': [
      { variables: { mode: number(0), duel: number(1) }, actions: [when(compare(of('mode'), '==', of('duel')))] },
      'never-assigned',
    ],
    'units of a type that a shop sells': [
      {
        unitTypes: { hero: {}, wolf: { name: 'Wolf' } },
        shops: { inn: { unitTypes: { wolf: { price: { coins: 1 } } } } },
        actions: [open, when(compare({ function: 'getNumberOfUnitsOfUnitType', unitType: 'wolf' }, '>', 0))],
      },
      'never-assigned',
    ],
    'a body that is meant to touch nothing': [
      { hero: { bodies: { solid: { ...body({ collidesWith: {} }), width: 0, height: 0 } } } },
      'empty-body',
    ],
    'a value that fills an attribute': [
      { actions: [{ type: 'setEntityAttribute', entity: unit, attribute: 'health', value: 9999 }] },
      'attribute-out-of-bounds',
    ],
    'a test whether a destroyed unit exists': [
      {
        actions: [
          gone,
          when([{ operandType: 'boolean', operator: '==' }, { function: 'entityExists', entity: unit }, true]),
        ],
      },
      'use-after-destroy',
    ],
    'two settings with one value': [
      {
        variables: {
          left: { dataType: 'number', default: 0 },
          warmUp: { dataType: 'number', default: 9 },
          rest: { dataType: 'number', default: 9 },
        },
        actions: [set('left', of('warmUp')), set('left', of('rest'))],
      },
      'same-constant',
    ],
  };
  test.each(Object.entries(sound))('%s', (_title, [changes, code]) => {
    expect(issuesOf(changes).filter((issue) => issue.startsWith(code))).toEqual([]);
  });
});

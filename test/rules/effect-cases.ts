import type { DialectName, Input } from '../../engine/index.ts';
import { attack } from '../../engine/rules/ai/ai-orders.ts';
import { enableAi } from '../../engine/rules/ai/ai-switch.ts';
import { createSensor } from '../../engine/rules/ai/sensor.ts';
import { addBuff } from '../../engine/rules/combat/buff.ts';
import { createProjectile } from '../../engine/rules/combat/projectile.ts';
import { stunUnit } from '../../engine/rules/combat/status-effect.ts';
import { updateAttribute } from '../../engine/rules/entities/attribute.ts';
import { giveItem } from '../../engine/rules/items/pick-up.ts';
import { startReload } from '../../engine/rules/items/reload.ts';
import { startUsing } from '../../engine/rules/items/use.ts';
import { createUnit } from '../../engine/rules/lifecycle/create-unit.ts';
import { openDialogue } from '../../engine/rules/players/dialogue.ts';
import { kickPlayer } from '../../engine/rules/players/moderation.ts';
import { openShop } from '../../engine/rules/players/shop.ts';
import { proposeTrade } from '../../engine/rules/players/trade.ts';
import { setLifeSpan } from '../../engine/rules/types/life-span.ts';
import { askWeb } from '../../engine/rules/world/http.ts';
import { type Entity, Kind, rowOf } from '../../engine/world/entity.ts';
import { type ActionGame, actionGameData, type Json } from '../script/actions/action-game.ts';
import { attribute, body, held, itemType, projectileType } from '../support/play.ts';

/** A world in which a rule acts. */
export interface RuleCase {
  readonly data?: Json;
  /** Prepares what the rule then does. */
  readonly arrange?: (game: ActionGame) => void;
  /** Of the player of `me`, unless it names another one. */
  readonly inputs?: readonly ({ readonly kind: Input['kind'] } & Json)[];
  /** Default 1. */
  readonly ticks?: number;
  /** Other rules that act, too. */
  readonly beside?: readonly string[];
  readonly dialect?: DialectName;
}

const byNobody: ReadonlySet<string> = new Set(['join', 'shutDown', 'announce', 'httpAnswer']);

export function inputsOf({ inputs = [] }: RuleCase): readonly Input[] {
  return inputs.map((input) => ({ ...(byNobody.has(input.kind) ? {} : { player: 'p1' }), ...input }) as Input);
}

const given = actionGameData as Readonly<Record<string, Readonly<Record<string, Json>>>>;
const { unitTypes, itemTypes, projectileTypes, playerTypes } = given as Record<string, Record<string, Json>>;

const citizens = (more: Json): Json => ({
  unitTypes: { ...unitTypes, citizen: { ...unitTypes!['citizen'], ...more } },
});
const items = (types: Json): Json => ({ itemTypes: { ...itemTypes, ...types } });
const x = (game: ActionGame, of: string): number => game.world.components.transform.x[rowOf(game.entity(of))]!;

const physics = ['bodies move', 'contacts'];
const moving = [...physics, 'keys, mouse and AI move units', 'items in hands follow their units'];
const drifts = (value: number, rate: number, max = 100): Json => attribute(value, { max, regenerateSpeed: rate });

/** Puts the rival next to `me`. */
function meet(game: ActionGame, at = x(game, 'me') + 60): void {
  game.game.physics.teleportTo(game.entity('rival'), at, 640);
}

/** Gives `me` an item and has it in the hand. */
function hold(game: ActionGame, type: string): Entity {
  const { world } = game;
  const me = game.entity('me');
  for (const item of world.components.inventory[rowOf(me)]!.slots) if (world.exists(item)) world.release(item);
  world.components.inventory[rowOf(me)]!.slots.fill(0 as Entity);
  giveItem(game.game, me, { type: world.types.item.get(type)! });
  game.sim.run({ ticks: 3 });
  return world.components.inventory[rowOf(me)]!.heldItem;
}

const used = (type: Json, more: Partial<RuleCase> = {}): RuleCase => ({
  data: {
    ...items({ tool: itemType({ type: 'weapon', bodies: { dropped: body(), selected: held() }, ...type }) }),
    ...more.data,
  },
  arrange: (game) => {
    const item = hold(game, 'tool');
    more.arrange?.(game);
    startUsing(game.game, item);
  },
  ticks: more.ticks ?? 2,
  beside: [...moving, 'damage', 'sensors follow their units', ...(more.beside ?? [])],
});

const hurts: Json = {
  targetsAffected: [],
  unitAttributes: { health: 5 },
  playerAttributes: { anger: 0.5 },
};
const gun: Json = {
  isGun: true,
  bulletType: 'projectile',
  projectileType: 'bullet',
  bulletStartPosition: { x: 0, y: 40 },
  bulletForce: 10,
  recoilForce: 5,
  damage: hurts,
};
const fighter: Json = {
  ai: {
    enabled: false,
    pathFindingMethod: 'simple',
    idleBehaviour: 'stay',
    sensorResponse: 'fight',
    attackResponse: 'fight',
    sensorRadius: 100,
    maxAttackRange: 100,
    letGoDistance: 500,
    maxTravelDistance: 1000,
  },
};

function shot(game: ActionGame, more: Json = {}): Entity {
  const damage = {
    targetsAffected: [],
    unitAttributes: new Map([['health', 5]]),
    playerAttributes: new Map([['anger', 0.5]]),
    sourceUnit: game.entity('me'),
    sourceItem: game.entity('held'),
    sourcePlayer: game.entity('human'),
    knockbackForce: 9,
    stunChance: 1,
    slowChance: 1,
  };
  return createProjectile(game.game, {
    type: 'bullet',
    x: x(game, 'rival') - 10,
    y: 640,
    angle: 0,
    sourceUnit: game.entity('me'),
    damage,
    ...more,
  });
}

const mouseTurns: Json = { rotateToFaceMouseCursor: true, flipSpriteHorizontallyWRTMouse: true };
const controlled = (key: string, keyDown: Json): Json => ({
  controls: { ...(unitTypes!['citizen']!['controls'] as Json), abilities: { [key]: { keyDown } } },
});
const bound = (key: string, what: Json | string): Json => ({
  abilities: { [key]: { keyDown: what, keyUp: '' } },
});

/** Hides `me`, which then keeps what it should cast. */
function hide(game: ActionGame): void {
  game.world.components.visibility.hidden[rowOf(game.entity('me'))] = 1;
}

function trade(game: ActionGame): void {
  const other = game.sim.join({ clientId: 'p2', name: 'Bob' });
  game.sim.run({ ticks: 1 });
  const type = game.world.types.unit.get('citizen')!;
  createUnit(game.game, { type, owner: other.entity, x: 200, y: 900, angle: 0 });
  game.sim.run({ ticks: 2 });
  proposeTrade(game.game, other.entity, game.entity('human'));
}

/** By the names of the rules. */
export const effectCases: Readonly<Record<string, readonly RuleCase[]>> = {
  timers: [{ arrange: (game) => game.run('waits'), beside: ['scripts'] }],
  'the clock of the game': [{ ticks: 20 }],
  'the end of life spans': [
    {
      arrange: ({ world }) => {
        for (const kind of [Kind.unit, Kind.item, Kind.projectile, Kind.region, Kind.debris])
          for (const each of world.lists[kind]!.entries) setLifeSpan(world, each, 20);
      },
      ticks: 2,
      beside: physics,
    },
  ],
  'the range of projectiles': [
    {
      data: { projectileTypes: { ...projectileTypes, arrow: projectileType() } },
      arrange: (game) => {
        const launch = { how: 'setVelocity', x: 20, y: 0 } as const;
        createProjectile(game.game, { type: 'arrow', x: 100, y: 900, angle: 0, reach: 10, launch });
      },
      ticks: 10,
      beside: physics,
    },
  ],
  abilities: [
    {
      data: citizens(
        controlled('q', {
          scriptName: 'shouted',
          cost: { unitAttributes: { mana: 1 }, playerAttributes: { gold: 1 } },
        }),
      ),
      inputs: [{ kind: 'keyDown', key: 'q' }],
      beside: ['keys', 'scripts'],
    },
    {
      data: citizens(controlled('q', { abilityId: 'sing', event: 'startCasting' })),
      inputs: [{ kind: 'keyDown', key: 'q' }],
      beside: ['keys', 'scripts'],
    },
  ],
  'built-in abilities': [
    {
      data: citizens(bound('g', 'dropItem')),
      inputs: [{ kind: 'keyDown', key: 'g' }],
      beside: ['keys', 'abilities', ...physics],
      ticks: 2,
    },
    {
      data: citizens(bound('u', 'startUsingItem')),
      inputs: [{ kind: 'keyDown', key: 'u' }],
      beside: ['keys', 'abilities', 'uses of items'],
    },
  ],
  'keys, mouse and AI move units': [
    {
      data: citizens({
        effects: { move: { sound: {} }, idle: { sound: {} } },
        bodies: { default: body({ rotationSpeed: 3, fixedRotation: false }) },
        controls: {
          movementControlScheme: 'wasd',
          movementMethod: 'velocity',
          mouseBehaviour: mouseTurns,
        },
      }),
      arrange: ({ world }) => {
        const [me, rival] = world.lists[Kind.unit]!.entries;
        world.components.ai[rowOf(me!)]!.target = rival!;
      },
      inputs: [
        { kind: 'mouse', x: 100, y: 100 },
        { kind: 'keyDown', key: 'd' },
      ],
      ticks: 3,
      beside: ['keys', 'mouse', 'items in hands follow their units', ...physics],
    },
    {
      arrange: ({ sim }) => {
        sim.input({ kind: 'keyDown', player: 'p1', key: 'd' });
        sim.run({ ticks: 2 });
      },
      inputs: [{ kind: 'keyUp', key: 'd' }],
      ticks: 3,
      beside: ['keys', ...moving],
    },
  ],
  AI: [
    {
      data: citizens({ ai: { ...(fighter['ai'] as Json), idleBehaviour: 'wander', pathFindingMethod: 'a*' } }),
      arrange: (game) => {
        meet(game);
        for (const name of ['me', 'rival']) enableAi(game.game, game.entity(name));
        attack(game.game, game.entity('me'), game.entity('rival'));
      },
      ticks: 10,
      beside: [...moving, 'uses of items', 'sensors follow their units', 'AI notices units'],
    },
    {
      data: citizens({ ai: { ...(fighter['ai'] as Json), idleBehaviour: 'wander', sensorResponse: 'none' } }),
      arrange: (game) => void enableAi(game.game, game.entity('me')),
      ticks: 100,
      beside: [...moving, 'sensors follow their units'],
    },
  ],
  'items in hands follow their units': [
    {
      data: citizens({
        bodies: { default: body({ rotationSpeed: 3, fixedRotation: false }) },
        controls: { movementControlScheme: 'wasd', movementMethod: 'velocity', mouseBehaviour: mouseTurns },
      }),
      inputs: [{ kind: 'mouse', x: 100, y: 100 }],
      ticks: 3,
      beside: ['mouse', 'keys, mouse and AI move units', ...physics],
    },
  ],
  'uses of items': [
    used(gun),
    used({ ...gun, bodies: { dropped: body(), selected: body({ width: 5, height: 5, collidesWith: {} }) } }),
    used({ ...gun, bulletType: 'raycast', bulletDistance: 500 }, { arrange: (game) => meet(game) }),
    used(
      {
        damage: hurts,
        damageHitBox: { width: 200, offsetX: 0, offsetY: 0 },
        knockbackForce: 9,
        buffs: {},
        quantity: 1,
        removeWhenEmpty: true,
      },
      { arrange: (game) => meet(game), data: citizens({ ...fighter, effects: { attacked: { sound: {} } } }) },
    ),
    used({
      type: 'consumable',
      quantity: 2,
      cost: { quantity: 1, unitAttributes: { mana: 1 }, playerAttributes: { gold: 1 } },
      bonus: { consume: { unitAttribute: { health: 3 }, playerAttribute: { gold: 3 }, coin: 2 } },
      effects: { use: { sound: {} } },
    }),
  ],
  reloading: [
    {
      data: items({ tool: itemType({ type: 'weapon', ...gun, reloadRate: 50, quantity: 1, maxQuantity: 5 }) }),
      arrange: (game) => startReload(game.game, hold(game, 'tool')),
      ticks: 3,
    },
  ],
  'the end of buffs': [
    {
      arrange: (game) => {
        updateAttribute(game.game, game.entity('me'), 'health', 100);
        addBuff(game.game, game.entity('me'), 'health', 5, 20);
        updateAttribute(game.game, game.entity('me'), 'health', 104);
      },
      ticks: 3,
    },
  ],
  'the end of status effects': [
    { arrange: (game) => stunUnit(game.game, game.entity('me'), game.world.clock.nowMs + 20), ticks: 3 },
  ],
  regeneration: [
    {
      data: {
        ...citizens({ attributes: { health: drifts(50, 20), mana: attribute(10), speed: attribute(10) } }),
        ...items({ stone: { ...itemTypes!['stone'], attributes: { wear: drifts(1, 9) } } }),
        projectileTypes: { bullet: { ...projectileTypes!['bullet'], attributes: { heat: drifts(9, -3) } } },
        playerTypes: { ...playerTypes, human: { ...playerTypes!['human'], attributes: { gold: drifts(3, 4) } } },
      },
      ticks: 12,
    },
    {
      data: citizens({ ...fighter, attributes: { health: drifts(1, -5), mana: attribute(10), speed: attribute(10) } }),
      arrange: (game) => {
        enableAi(game.game, game.entity('rival'));
        attack(game.game, game.entity('rival'), game.entity('me'));
      },
      ticks: 10,
      beside: [...moving, 'AI', 'uses of items', 'sensors follow their units', 'AI notices units'],
    },
  ],
  'sensors follow their units': [
    {
      arrange: (game) => {
        createSensor(game.game, game.entity('me'), 50);
        game.sim.run({ ticks: 2 });
        game.game.physics.teleportTo(game.entity('me'), 300, 640);
      },
      ticks: 3,
      beside: moving,
    },
  ],
  'bodies move': [
    {
      data: {
        ...citizens({ bodies: { default: body({ fixedRotation: false }) } }),
        ...items({
          stone: { ...itemTypes!['stone'], bodies: { dropped: body({ fixedRotation: false }), selected: held() } },
        }),
      },
      arrange: (game) => {
        const [crate] = game.world.lists[Kind.debris]!.entries;
        for (const each of [...['me', 'lying', 'bullet'].map((name) => game.entity(name)), ...(crate ? [crate] : [])]) {
          game.game.physics.applyForce(each, 30, 20);
          game.game.physics.applyTorque(each, 30);
        }
      },
      ticks: 3,
      beside: ['items in hands follow their units', 'keys, mouse and AI move units', 'contacts'],
    },
  ],
  contacts: [
    {
      data: items({ stone: { ...itemTypes!['stone'], bodies: { dropped: body(), selected: held() } } }),
      arrange: (game) => game.game.physics.teleportTo(game.entity('rival'), 300, 300),
      ticks: 3,
      beside: moving,
    },
  ],
  'AI notices units': [
    {
      data: citizens(fighter),
      arrange: (game) => {
        enableAi(game.game, game.entity('me'));
        game.sim.run({ ticks: 2 });
        meet(game, x(game, 'me') + 80);
      },
      ticks: 3,
      beside: [...moving, 'AI', 'uses of items', 'sensors follow their units'],
    },
  ],
  damage: [
    // Alone, because AI draws random numbers, too.
    { arrange: (game) => void shot(game), ticks: 3, beside: [...moving, 'contacts'] },
    {
      data: citizens({ ...fighter, effects: { attacked: { sound: {} } } }),
      arrange: (game) => {
        enableAi(game.game, game.entity('rival'));
        shot(game);
      },
      ticks: 3,
      beside: [...moving, 'AI', 'uses of items', 'sensors follow their units', 'AI notices units'],
    },
  ],
  'contacts that destroy projectiles': [
    {
      data: {
        projectileTypes: { bullet: { ...projectileTypes!['bullet'], destroyOnContactWith: { units: true } } },
      },
      arrange: (game) => shot(game, { damage: undefined }),
      ticks: 3,
      beside: moving,
    },
  ],
  'kicked players leave': [
    { dialect: 'moddio', arrange: (game) => kickPlayer(game.game, game.entity('human'), 'bye'), ticks: 2 },
  ],
  'the end of the game': [
    { inputs: [{ kind: 'shutDown' }] },
    { data: { defaultData: { frameRate: 20, engineTickRate: 20, lifeSpanHours: 62 / 3600 } }, ticks: 60 },
  ],
  'players join': [
    { arrange: (game) => void game.world.shown.uiTexts.set('top', 'Hi'), inputs: [{ kind: 'join', clientId: 'p7' }] },
  ],
  'players leave': [
    {
      arrange: trade,
      inputs: [{ kind: 'trade', type: 'start', with: 'p2' }, { kind: 'leave' }],
      beside: ['trades'],
    },
    {
      data: { settings: { persistentScoreAttributeId: 'gold' } },
      inputs: [{ kind: 'keyDown', key: 'd' }, { kind: 'leave' }],
      beside: ['keys'],
    },
  ],
  keys: [
    {
      data: citizens(controlled('q', { abilityId: 'sing', event: 'startCasting' })),
      arrange: hide,
      inputs: [{ kind: 'keyDown', key: 'q' }],
      beside: ['abilities', 'scripts'],
    },
    {
      arrange: (game) => startUsing(game.game, game.entity('held')),
      inputs: [
        { kind: 'keyDown', key: 'w' },
        { kind: 'keyDown', key: 'button1' },
        { kind: 'keyUp', key: 'button1' },
        { kind: 'keyDown', key: '2' },
      ],
      beside: [...moving, 'uses of items'],
    },
    { inputs: [{ kind: 'keyDown', key: 'w' }, { kind: 'releaseKeys' }], beside: moving },
  ],
  mouse: [
    {
      inputs: [
        { kind: 'mouse', x: 5, y: 5 },
        { kind: 'absoluteAngle', angle: 1 },
      ],
      beside: ['keys, mouse and AI move units', 'items in hands follow their units'],
    },
  ],
  'lag compensation': [{ inputs: [{ kind: 'seen', tick: 1 }], ticks: 3 }],
  'items change slots': [
    { inputs: [{ kind: 'swapItems', from: 0, to: 1 }], ticks: 2, beside: ['items in hands follow their units'] },
  ],
  'an item is dragged onto the map': [{ inputs: [{ kind: 'dropItemOnCanvas', item: 'i1' }] }],
  'purchases of items': [
    {
      data: {
        shops: {
          market: {
            name: 'Market',
            itemTypes: {
              gun: {
                isPurchasable: true,
                price: { playerAttributes: { gold: 1 }, requiredItemTypes: { stone: 1, bread: 1 }, coins: 1 },
              },
            },
            unitTypes: {},
          },
        },
      },
      arrange: (game) => {
        openShop(game.game, game.entity('human'), 'market');
        game.world.components.wallet[rowOf(game.entity('human'))]!.coins = 5;
      },
      inputs: [{ kind: 'buyItem', type: 'gun' }],
      beside: ['items in hands follow their units'],
    },
  ],
  'purchases of units': [
    {
      data: {
        shops: {
          market: {
            name: 'Market',
            itemTypes: {},
            unitTypes: {
              giant: {
                isPurchasable: true,
                price: { playerAttributes: { gold: 1 }, requiredItemTypes: { stone: 1, bread: 1 }, coins: 1 },
              },
            },
          },
        },
      },
      arrange: (game) => {
        openShop(game.game, game.entity('human'), 'market');
        game.world.components.wallet[rowOf(game.entity('human'))]!.coins = 5;
      },
      inputs: [{ kind: 'buyUnit', type: 'giant' }],
      beside: ['items in hands follow their units'],
    },
  ],
  'choices in dialogues': [
    {
      data: {
        dialogues: {
          hello: {
            name: 'hello',
            message: '',
            options: [{ name: 'Yes', scriptName: 'bump', followUpDialogue: 'bye' }],
          },
          bye: { name: 'bye', message: '', options: [] },
        },
      },
      arrange: (game) => void openDialogue(game.game, game.entity('human'), 'hello'),
      inputs: [{ kind: 'dialogueOption', dialogue: 'hello', option: '0' }],
      beside: ['scripts'],
    },
  ],
  chat: [{ inputs: [{ kind: 'chat', text: 'hello' }] }],
  announcements: [{ inputs: [{ kind: 'announce', text: 'hello' }] }],
  'answers of clients': [
    {
      inputs: [
        { kind: 'customInput', text: 'x' },
        { kind: 'htmlClick', element: { id: 'a' } },
        { kind: 'data', data: { a: 1 } },
      ],
    },
  ],
  'the end of advertisements': (['Completed', 'Skipped', 'Blocked', 'Failed'] as const).map((result) => ({
    inputs: [{ kind: 'adResult', result }],
  })),
  'the end of a transfer of coins': (['success', 'insufficientCoins', 'dailyLimit'] as const).map((result) => ({
    inputs: [{ kind: 'coinsResult', result, coins: 7 }],
  })),
  'answers to web requests': [
    {
      arrange: (game) => {
        const request = {
          kind: 'request',
          variable: 'word',
          asker: 0 as Entity,
          onSuccess: -1,
          onFailure: -1,
          state: undefined,
        };
        askWeb(game.game, request as never, { op: 'request' });
      },
      inputs: [{ kind: 'httpAnswer', requestId: 1, body: { response: 'x' } }],
    },
  ],
  trades: [
    {
      arrange: trade,
      inputs: [
        { kind: 'trade', type: 'start', with: 'p2' },
        { kind: 'swapItems', from: 1, to: 3 },
        { kind: 'trade', type: 'offer' },
        { kind: 'trade', type: 'accept' },
        { kind: 'trade', player: 'p2', type: 'accept' },
      ],
      beside: ['items change slots', 'items in hands follow their units'],
    },
  ],
  'requests to trade': [{ inputs: [{ kind: 'tradeClick', withUnit: 'u2' }] }],
  moderation: [
    { inputs: [{ kind: 'hostModerate', action: 'banFromChat' }] },
    {
      data: { defaultData: { frameRate: 20, engineTickRate: 20, owner: 'account' } },
      arrange: (game) => {
        game.sim.join({ clientId: 'p2', userId: 'two' });
        game.sim.run({ ticks: 1 });
      },
      inputs: [{ kind: 'moderate', action: 'banUser', target: 'p2' }],
      beside: ['kicked players leave'],
    },
  ],
};

/** Scripts that cases run. */
export const caseScripts: Readonly<Record<string, readonly unknown[]>> = {
  waits: [
    { type: 'setTimeOut', duration: 20, actions: [{ type: 'increaseVariableByNumber', variable: 'n', number: 1 }] },
  ],
  loads: [
    {
      type: 'loadPlayerDataAndApplyIt',
      player: { function: 'getVariable', variableName: 'human' },
      unit: { function: 'getVariable', variableName: 'me' },
    },
    { type: 'savePlayerData', player: { function: 'getVariable', variableName: 'human' } },
  ],
};

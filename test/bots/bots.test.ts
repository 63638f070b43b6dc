import { describe, expect, test } from 'vitest';
import type { Input } from '../../engine/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { Kind, noEntity, rowOf } from '../../engine/world/entity.ts';
import { Bots } from '../../src/bots/bots.ts';
import { add } from '../cli/support.ts';
import { attribute, body, joinAs, type Play, play, script, unitType } from '../support/play.ts';

type Json = Record<string, unknown>;
const triggeringPlayer = { function: 'getTriggeringPlayer' };
const typed = { function: 'playerCustomInput', player: triggeringPlayer };

/** A game that gives a walker to each player who joins. `numbers` are variables in which scripts count. */
function walkers(more: Json = {}, numbers: readonly string[] = []): Json {
  const { scripts, ...others } = more;
  return {
    variables: Object.fromEntries(numbers.map((name) => [name, { dataType: 'number', default: 0 }])),
    unitTypes: { walker: unitType() },
    ...others,
    scripts: { join: joinAs('walker'), ...(scripts as Json | undefined) },
  };
}

interface Crowd extends Play {
  /** All inputs of the bots, each with the tick that they precede. */
  readonly inputs: (Input & { tick: number })[];
}

function crowd(data: Json, seconds: number, { count = 1, seed = 'seed' } = {}): Crowd {
  const game = play(data);
  const { sim } = game;
  const inputs: Crowd['inputs'] = [];
  const input = sim.input.bind(sim);
  sim.input = (each) => {
    inputs.push({ ...each, tick: sim.tick });
    input(each);
  };
  const bots = new Bots(sim, { count, seed });
  for (let i = 0; i < seconds * sim.rate; i++) {
    bots.beforeStep();
    sim.step();
  }
  return { ...game, inputs };
}

function kinds(inputs: readonly Input[]): Set<string> {
  return new Set(inputs.map(({ kind }) => kind));
}

describe('chance', () => {
  test('the same seed gives the same inputs and the same world', () => {
    const [one, two] = [crowd(walkers(), 40, { count: 4 }), crowd(walkers(), 40, { count: 4 })];
    expect(one.inputs.length).toBeGreaterThan(1000);
    expect(two.inputs).toEqual(one.inputs);
    expect(two.sim.hash()).toBe(one.sim.hash());
  });

  test('another seed gives others', () => {
    const [one, two] = [crowd(walkers(), 10), crowd(walkers(), 10, { seed: 'other' })];
    expect(two.inputs).not.toEqual(one.inputs);
  });

  test('every bot does something', () => {
    const { inputs, sim } = crowd(walkers(), 5, { count: 0 });
    const alone = play(walkers());
    alone.seconds(5);
    expect(inputs).toEqual([]);
    expect(sim.hash()).toBe(alone.sim.hash());
  });
});

describe('coming and going', () => {
  test('bots join one after the other within five seconds', () => {
    const joins = crowd(walkers(), 6, { count: 20 }).inputs.filter(({ kind }) => kind === 'join');
    expect(joins.length).toBe(20);
    expect(new Set(joins.map(({ tick }) => tick)).size).toBeGreaterThan(10);
    expect(Math.max(...joins.map(({ tick }) => tick))).toBeLessThanOrEqual(5 * 20);
  });

  test('they leave, and come back as the same person', () => {
    const { of, inputs } = crowd(walkers(), 180, { count: 4 });
    expect(of('playerLeavesGame').length).toBeGreaterThanOrEqual(4);
    expect(of('playerJoinsGame').length).toBeGreaterThan(4);
    const names = new Set(
      inputs.flatMap((input) => (input.kind === 'join' ? [`${input.clientId} ${input.userId}`] : [])),
    );
    expect([...names].sort()).toEqual(['bot1 bot1', 'bot2 bot2', 'bot3 bot3', 'bot4 bot4']);
  });

  test('a person takes the place of a bot that is in the game, and of one that has yet to join', () => {
    const { sim } = play(walkers());
    const bots = new Bots(sim, { count: 1, seed: 'seed' });
    const joins: number[] = [];
    const input = sim.input.bind(sim);
    sim.input = (each) => {
      if (each.kind === 'join') joins.push(sim.tick);
      input(each);
    };
    const holdFor = (ticks: number): void => {
      expect(bots.hold('bot1')).toBe(true);
      for (let i = 0; i < ticks; i++) {
        bots.beforeStep();
        sim.step();
      }
    };
    holdFor(3);
    expect(joins).toEqual([0]);
    bots.free('bot1');
    holdFor(3);
    expect(joins).toEqual([0]);
  });

  test('a bot that is kicked leaves, and joins again later', () => {
    const scripts = { join: script('playerJoinsGame', [{ type: 'kickPlayer', entity: triggeringPlayer }]) };
    const { of, sim } = crowd({ scripts }, 60);
    const joins = of('playerJoinsGame');
    expect(joins.length).toBeGreaterThan(1);
    expect(of('playerLeavesGame').length).toBeGreaterThanOrEqual(joins.length - 1);
    expect(joins[1]!.tick - joins[0]!.tick).toBeGreaterThan(3 * sim.rate);
  });

  test('bots wait while the game is full', () => {
    const refused: string[] = [];
    const game = play(walkers({ defaultData: { frameRate: 20, defaultMaxPlayers: 2 } }));
    game.sim.on('refused', ({ reason }) => refused.push(reason));
    const bots = new Bots(game.sim, { count: 5, seed: 'seed' });
    let most = 0;
    for (let i = 0; i < 200 * 20; i++) {
      bots.beforeStep();
      game.sim.step();
      const people = game.sim.entities('player').filter((player) => {
        return game.world.components.player[rowOf(player)]!.controlledBy === 'human';
      });
      most = Math.max(most, people.length);
    }
    expect(most).toBe(2);
    expect(new Set(refused)).toEqual(new Set(['server-full']));
    expect(new Set(game.of('playerJoinsGame').map(({ payload }) => payload['player'])).size).toBeGreaterThan(2);
  });
});

describe('keys', () => {
  const bound = unitType({
    inventorySize: 3,
    controls: {
      movementControlScheme: 'wasd',
      movementMethod: 'velocity',
      abilities: {
        e: { keyDown: { scriptName: 'use', cost: {} } },
        space: { keyUp: { scriptName: 'use', cost: {} } },
        wheelUp: { keyDown: { scriptName: 'use', cost: {} } },
        movementWheel: { keyDown: { scriptName: 'use', cost: {} } },
        unbound: {},
      },
    },
  });
  const game = walkers({ unitTypes: { walker: bound }, scripts: { use: script([], [add('uses', 1)]) } }, ['uses']);

  test('are those that the unit has bound', () => {
    const { inputs, variable } = crowd(game, 120, { count: 6 });
    const pressed = new Set(
      inputs.flatMap((input) => (input.kind === 'keyDown' ? [`${input.device} ${input.key}`] : [])),
    );
    expect([...pressed].sort()).toEqual(
      [
        ...['a', 's', 'd', 'w', 'up', 'down', 'left', 'right', 'e', 'space', '1', '2', '3'].map((key) => `key ${key}`),
        'mouse button1',
        'mouse wheelUp',
      ].sort(),
    );
    expect(variable('uses')).toBeGreaterThan(20);
  });

  test('are pressed and released in turn', () => {
    const down = new Set<string>();
    for (const input of crowd(game, 60).inputs) {
      if (input.kind === 'leave') down.clear();
      if (input.kind === 'keyDown') {
        expect(down.has(input.key), input.key).toBe(false);
        down.add(input.key);
      }
      if (input.kind === 'keyUp') expect(down.delete(input.key), input.key).toBe(true);
    }
  });

  test.each<[scheme: string, keys: RegExp]>([
    ['ad', /^(a|d|left|right)$/],
    ['followCursor', /^$/],
  ])('a unit with the scheme %s moves with its own keys', (movementControlScheme, keys) => {
    const walker = unitType({ inventorySize: 0, controls: { movementControlScheme, movementMethod: 'velocity' } });
    const { inputs } = crowd(walkers({ unitTypes: { walker } }), 40, { count: 6 });
    for (const input of inputs) {
      if (input.kind === 'keyDown' && input.device !== 'mouse') expect(input.key).toMatch(keys);
    }
    expect(kinds(inputs)).toContain('mouse');
  });

  test.each(['wasd', 'wasdRelativeToUnit', 'ad', 'followCursor'])(
    'with %s units get about',
    (movementControlScheme) => {
      const walker = unitType({ controls: { movementControlScheme, movementMethod: 'velocity' } });
      const { sim } = crowd(walkers({ unitTypes: { walker } }), 12, { count: 4 });
      const moved = sim
        .entities('unit')
        .filter((unit) => Math.abs(internalsOf(sim).world.components.transform.x[rowOf(unit)]! - 640) > 60);
      expect(moved.length).toBeGreaterThan(0);
    },
  );
});

test('curious bots find their way with keys whose scripts move the unit', () => {
  const self = { function: 'thisEntity' };
  const walks = { w: [0, -9], a: [-9, 0], s: [0, 9], d: [9, 0] };
  const scripts = Object.fromEntries(
    Object.entries(walks).map(([key, [x, y]]) => [
      key,
      script([], [{ type: 'setVelocityOfEntityXY', velocity: { x, y }, entity: self }]),
    ]),
  );
  const abilities = Object.fromEntries(
    Object.keys(walks).map((key) => [key, { keyDown: { scriptName: key, cost: {} } }]),
  );
  const walker = unitType({ scripts, controls: { movementMethod: 'velocity', abilities } });
  const region = { dataType: 'region', default: { x: 1100, y: 100, width: 100, height: 100 } };
  const { sim } = play(walkers({ unitTypes: { walker }, variables: { far: region } }));
  const phrases = { talk: [], commands: [], answers: [], elements: [], names: [] };
  const interests = { wanted: new Set(['far']), keys: new Set<string>(), phrases };
  const bots = new Bots(sim, { count: 1, seed: 'a', isCurious: true, interests });
  let isThere = false;
  for (let i = 0; i < 90 * sim.rate && !isThere; i++) {
    bots.beforeStep();
    sim.step();
    isThere = sim.units().some(({ x, y }) => x > 1100 && y < 200);
  }
  expect(isThere).toBe(true);
});

describe('goals', () => {
  test('bots walk to items on the ground and try every key there', () => {
    const walker = unitType({
      controls: {
        movementControlScheme: 'wasd',
        movementMethod: 'velocity',
        abilities: {
          e: { keyDown: { scriptName: 'grab', cost: {} } },
          q: { keyDown: { scriptName: 'none', cost: {} } },
        },
      },
    });
    const item = {
      name: 'coin',
      states: { dropped: { name: 'dropped', body: 'dropped' } },
      bodies: { dropped: body({ collidesWith: {} }) },
    };
    const spawn = [500, 800, 300].map((x) => ({ type: 'spawnItem', itemType: 'coin', position: { x, y: x } }));
    const place = (what: string): Json => ({ function: 'getEntityPosition', entity: { function: what } });
    const away = {
      function: 'distanceBetweenPositions',
      positionA: place('selectedItem'),
      positionB: place('thisEntity'),
    };
    const pickUp = { type: 'makeUnitPickupItem', unit: { function: 'thisEntity' }, item: { function: 'selectedItem' } };
    const ifNear = {
      type: 'condition',
      conditions: [{ operandType: 'number', operator: '<' }, away, 80],
      then: [pickUp],
      else: [],
    };
    walker['scripts'] = {
      grab: script([], [{ type: 'forAllItems', itemGroup: { function: 'allItems' }, actions: [ifNear] }]),
    };
    const scripts = { spawn: script('gameStart', spawn), none: script([], []) };
    const { sim } = crowd(walkers({ unitTypes: { walker }, itemTypes: { coin: item }, scripts }), 60, { count: 4 });
    const { components } = internalsOf(sim).world;
    const carried = sim.entities('item').filter((each) => components.identity.owner[rowOf(each)] !== noEntity);
    expect(carried.length).toBeGreaterThan(0);
  });

  test('bots enter regions', () => {
    const variables = { goal: { dataType: 'region', default: { x: 100, y: 100, width: 200, height: 200 } } };
    const { of } = crowd({ ...walkers(), variables }, 60, { count: 4 });
    expect(of('unitEntersRegion').length).toBeGreaterThan(0);
  });

  test('bots approach other units', () => {
    expect(crowd(walkers(), 30, { count: 4 }).of('unitTouchesUnit').length).toBeGreaterThan(0);
  });
});

describe('answers', () => {
  /** A game that shows something to each player who joins. `heard` counts the reactions. */
  function shown(action: Json, trigger: string | undefined, more: Json = {}): number {
    const scripts = {
      show: script('playerJoinsGame', [action]),
      heard: script(trigger === undefined ? [] : [trigger], [add('heard', 1)]),
    };
    return crowd(walkers({ ...more, scripts }, ['heard']), 15, { count: 3 }).variable('heard') as number;
  }
  test.each([
    ['What is your name?', []],
    ['Nickname:', []],
    ['Enter your player name', []],
    ['What shall we call you?', []],
    ['Who enters?', [{ type: 'setPlayerName', player: triggeringPlayer, name: typed }]],
  ])('an input box that asks "%s" is answered with a name', (inputLabel, actions) => {
    const box = { type: 'showInputModalToPlayer', player: triggeringPlayer, inputLabel };
    const scripts = { show: script('playerJoinsGame', [box]), given: script('playerCustomInput', actions) };
    const { inputs } = crowd(walkers({ scripts }), 15, { count: 12 });
    const given = inputs.flatMap((input) => (input.kind === 'customInput' ? [input.text] : []));
    expect(given.length).toBeGreaterThan(5);
    for (const text of given) expect(text).toMatch(/^[A-Z][a-z]+$/);
    expect(new Set(given).size).toBeGreaterThan(3);
  });

  test('an input box whose label only mentions a name gets other answers, too', () => {
    const box = { type: 'showInputModalToPlayer', player: triggeringPlayer, inputLabel: 'kick NAME, reset or help' };
    const scripts = { show: script('playerJoinsGame', [box]) };
    const { inputs } = crowd(walkers({ scripts }), 15, { count: 12 });
    expect(inputs.some((input) => input.kind === 'customInput' && /^\d+$/.test(input.text))).toBe(true);
  });

  const item = { name: 'sword', states: { dropped: { name: 'dropped', body: 'none' } } };

  test.each<[what: string, action: Json, trigger: string | undefined, more: Json]>([
    [
      'an input box',
      { type: 'showInputModalToPlayer', player: triggeringPlayer, inputLabel: '?' },
      'playerCustomInput',
      {},
    ],
    [
      'a dialogue',
      { type: 'openDialogueForPlayer', dialogue: 'hello', player: triggeringPlayer },
      undefined,
      { dialogues: { hello: { name: 'Hello', options: [{ name: 'Yes', scriptName: 'heard' }] } } },
    ],
    [
      'a shop for items',
      { type: 'openShopForPlayer', shop: 'store', player: triggeringPlayer },
      'playerPurchasesItem',
      { itemTypes: { sword: item }, shops: { store: { name: 'Store', itemTypes: { sword: { price: {} } } } } },
    ],
    [
      'a shop for units',
      { type: 'openShopForPlayer', shop: 'store', player: triggeringPlayer },
      'playerPurchasesUnit',
      { shops: { store: { name: 'Store', unitTypes: { walker: { isPurchasable: true, price: {} } } } } },
    ],
  ])('%s', (_what, action, trigger, more) => {
    expect(shown(action, trigger, more)).toBeGreaterThan(0);
  });

  test('an advertisement', () => {
    const scripts = { show: script('playerJoinsGame', [{ type: 'playAdForPlayer', entity: triggeringPlayer }]) };
    const { sim, announced } = crowd(walkers({ scripts }), 15, { count: 3 });
    expect(internalsOf(sim).world.outbox.counts.get('ad')).toBe(3);
    expect(announced.filter(({ type }) => type.startsWith('adPlay')).length).toBe(3);
  });

  test('bots mostly buy what they can pay for', () => {
    const gold = (amount: number) => ({ price: { playerAttributes: { gold: amount } } });
    const human = { name: 'human', attributes: { gold: attribute(10) }, variables: {}, relationships: {} };
    const { inputs } = crowd(
      walkers({
        playerTypes: { human },
        itemTypes: { sword: item, crown: { ...item, name: 'crown' } },
        shops: { store: { name: 'Store', itemTypes: { crown: gold(500), sword: gold(1) } } },
        scripts: {
          show: script('secondTick', [
            {
              type: 'forAllPlayers',
              playerGroup: { function: 'allPlayers' },
              actions: [{ type: 'openShopForPlayer', shop: 'store', player: { function: 'getSelectedPlayer' } }],
            },
          ]),
        },
      }),
      40,
      { count: 4 },
    );
    const bought = (type: string) => inputs.filter((input) => input.kind === 'buyItem' && input.type === type).length;
    expect(bought('sword')).toBeGreaterThan(20);
    expect(bought('crown')).toBeGreaterThan(0);
    expect(bought('crown') / bought('sword')).toBeLessThan(0.3);
  });

  test('a bot that lacks room for a purchase drops what it selects, and uses it otherwise', () => {
    const show = { type: 'openShopForPlayer', shop: 'store', player: { function: 'getSelectedPlayer' } };
    const forAll = { type: 'forAllPlayers', playerGroup: { function: 'allPlayers' }, actions: [show] };
    const abilities = { g: { keyDown: { scriptName: 'let go', cost: {} } } };
    /** How often each key follows the selection of a slot. */
    const nextKeys = (actions: readonly Json[]): Record<string, number> => {
      const more = {
        unitTypes: {
          walker: unitType({ inventorySize: 1, defaultItems: [{ key: 'sword' }], controls: { abilities } }),
        },
        itemTypes: { sword: item },
        shops: { store: { name: 'Store', itemTypes: { sword: {} } } },
        scripts: { show: script('secondTick', actions), 'let go': script([], []) },
      };
      const keys = crowd(walkers(more), 40).inputs.flatMap((input) => (input.kind === 'keyDown' ? [input.key] : []));
      const counts: Record<string, number> = { g: 0, button1: 0 };
      for (let i = 1; i < keys.length; i++)
        if (/^\d$/.test(keys[i - 1]!)) counts[keys[i]!] = (counts[keys[i]!] ?? 0) + 1;
      return counts;
    };
    const [full, calm] = [nextKeys([forAll]), nextKeys([])];
    expect(full['g']).toBeGreaterThan(2 * full['button1']!);
    expect(calm['button1']).toBeGreaterThan(2 * calm['g']!);
  });

  test('bots buy nothing unless a shop was opened', () => {
    const more = { itemTypes: { sword: item }, shops: { store: { name: 'Store', itemTypes: { sword: {} } } } };
    expect(kinds(crowd(walkers(more), 60, { count: 3 }).inputs)).not.toContain('buyItem');
  });
});

describe('chat', () => {
  test('is small talk and commands, including those that the game knows', () => {
    const command = [
      { operandType: 'string', operator: '==' },
      { function: 'getLastChatMessageSentByPlayer' },
      '/dance',
    ];
    const scripts = {
      chat: script('playerSendsChatMessage', [{ type: 'condition', conditions: command, then: [], else: [] }]),
    };
    const { inputs, of } = crowd({ scripts }, 300, { count: 10 });
    const texts = inputs.flatMap((input) => (input.kind === 'chat' ? [input.text] : []));
    expect(of('playerSendsChatMessage').length).toBeGreaterThan(50);
    expect(texts.some((text) => text.startsWith('/dance'))).toBe(true);
    expect(texts.some((text) => text.startsWith('/help'))).toBe(true);
    expect(texts.some((text) => !text.startsWith('/'))).toBe(true);
  });
});

test('bots without a unit cause no errors', () => {
  const { inputs, sim } = crowd({}, 30, { count: 3 });
  expect(kinds(inputs)).toContain('chat');
  expect(kinds(inputs)).not.toContain('keyDown');
  expect(internalsOf(sim).world.lists[Kind.unit]!.entries).toEqual([]);
});

test('a bot continues with a unit that was taken away and given back', () => {
  const scripts = {
    clear: script('secondTick', [
      {
        type: 'forAllUnits',
        unitGroup: { function: 'allUnits' },
        actions: [{ type: 'destroyEntity', entity: { function: 'selectedUnit' } }],
      },
      {
        type: 'forAllPlayers',
        playerGroup: { function: 'humanPlayers' },
        actions: [
          {
            type: 'createUnitAtPosition',
            unitType: 'walker',
            entity: { function: 'selectedPlayer' },
            position: { x: 640, y: 640 },
            angle: 0,
          },
        ],
      },
    ]),
  };
  const { of } = crowd(
    walkers({ scripts, unitTypes: { walker: unitType({ attributes: { speed: attribute(10) } }) } }),
    20,
  );
  const lateMoves = of('unitStartsMoving').filter(({ tick }) => tick > 200);
  expect(lateMoves.length).toBeGreaterThan(2);
});

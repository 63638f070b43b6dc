import { expect, test } from 'vitest';
import type { LoadedGame } from '../../engine/index.ts';
import { Detector } from '../../src/explore/finding/detector.ts';
import { gainsOf } from '../../src/explore/finding/exploits.ts';
import { shrink } from '../../src/explore/finding/shrink.ts';
import { playEpisode } from '../../src/explore/playing/episode.ts';
import { groundOf } from '../../src/explore/playing/ground.ts';
import { episodeOf } from '../../src/explore/searching/plan.ts';
import { attribute, body, itemType, joinAs, script, unitType } from '../support/play.ts';
import { calculate, each, explored, gameOf, planOf, rate, set, variable, when } from './support.ts';

type Json = Record<string, unknown>;

const unit = { function: 'getTriggeringUnit' };
const player = { function: 'getTriggeringPlayer' };
const own = { function: 'getPlayerSelectedUnit', player };
const region = (x: number, y: number): Json => ({ dataType: 'region', default: { x, y, width: 200, height: 200 } });
const enter = (name: string, ...then: Json[]): Json =>
  each('unitEntersRegion', when({ function: 'getTriggeringRegion' }, '==', variable(name), then, 'region'));
const boolean = { dataType: 'boolean', default: false };

const pay = (amount: number, entity: Json = player): Json => ({
  type: 'setPlayerAttribute',
  attribute: 'coins',
  entity,
  value: calculate({ function: 'getPlayerAttribute', attribute: 'coins', entity }, '+', amount),
});
const store: Json = { type: 'openShopForPlayer', shop: 'store', player };
const says = (text: string, ...then: Json[]): Json =>
  each(
    'playerSendsChatMessage',
    when({ function: 'getLastChatMessageSentByPlayer', player }, '==', text, then, 'string'),
  );

/** A store sells gems; who says `/store` can buy. */
function trade(start: number, price: number, scripts: Json, more: Json = {}): LoadedGame {
  const human = { name: 'human', attributes: { coins: attribute(start) }, variables: {}, relationships: {} };
  const shop = { name: 'Store', itemTypes: { gem: { price: { playerAttributes: { coins: price } } } } };
  return gameOf(
    { store: says('/store', store), ...scripts },
    {
      playerTypes: { human },
      shops: { store: shop },
      variables: { taken: boolean },
      itemTypes: { gem: itemType({ name: 'gem' }) },
      ...more,
    },
  );
}

/** What is found when a player joins and then does this, one thing a second. */
function seen(game: LoadedGame, ...acts: (string | { readonly buys: string })[]): string[] {
  const { begin, bind } = groundOf(game, planOf());
  const sim = begin('a');
  const detector = new Detector(sim, planOf(), bind, () => false);
  const { clientId } = sim.join({ name: 'ann' })!;
  for (const act of ['hello', ...acts]) {
    sim.input(
      typeof act === 'string'
        ? { kind: 'chat', player: clientId!, text: act }
        : { kind: 'buyItem', player: clientId!, type: act.buys },
    );
    for (let i = 0; i < rate; i++) {
      sim.step();
      detector.look();
    }
  }
  return [...detector.found.values()].flatMap(({ kind, message }) => (kind === 'exploit' ? message : []));
}

/** A gem is taken, and paid for. */
const sale = (amount: number): Json => {
  const selected = { function: 'selectedItem' };
  const isGem = { function: 'getItemTypeOfItem', entity: selected };
  const gem = when(isGem, '==', 'gem', [{ type: 'destroyEntity', entity: selected }], 'itemType');
  const taken = { type: 'forAllItems', itemGroup: { function: 'allItemsOwnedByUnit', entity: own }, actions: [gem] };
  const carries = { function: 'unitIsCarryingItemType', unit: own, itemType: 'gem' };
  return says('/sell', when(carries, '==', true, [taken, pay(amount)], 'boolean'));
};
const buys = { buys: 'gem' };

test('what is sold for more than it costs makes rich without end', () => {
  const game = trade(12, 10, { sale: sale(15) });
  const message =
    'coins can be gained again and again: scripts/sale/actions/0/then/0/then/1 gives 15 for gem, which costs 10';
  expect(seen(game, '/store', buys, '/sell', buys, '/sell', '/sell')).toEqual([]);
  expect(seen(game, '/store', buys, '/sell', buys, '/sell', buys, '/sell')).toEqual([message]);
  expect(seen(trade(12, 10, { sale: sale(6) }), '/store', buys, '/sell', buys, '/sell', buys, '/sell')).toEqual([]);
});

test('a reward that nothing limits', () => {
  const reward = (...then: Json[]): string[] => {
    const game = trade(0, 30, { reward: says('/work', ...then) });
    return seen(game, '/work', '/work', '/work');
  };
  const message =
    'coins can be gained again and again: scripts/reward/actions/0/then/0 gives 20 each time and takes nothing';
  expect(reward(pay(20))).toEqual([message]);
  expect(reward(when(variable('taken'), '==', false, [set('taken', true), pay(20)], 'boolean'))).toEqual([]);
  // It costs the unit, or is for those who are hurt.
  expect(reward(pay(20), { type: 'destroyEntity', entity: own })).toEqual([]);
  const health = { function: 'getEntityAttribute', attribute: 'health', entity: own };
  expect(reward(when(health, '>', 50, [pay(20)]))).toEqual([]);
  // Players set the condition themselves, and nothing takes it back.
  const claims = (...then: Json[]): string[] => {
    const claim = when(variable('taken'), '==', true, [pay(20), ...then], 'boolean');
    const game = trade(0, 30, { reward: says('/claim', claim), insure: says('/insure', set('taken', true)) });
    return seen(game, '/insure', '/claim', '/claim', '/claim');
  };
  expect(claims()).toEqual([message.replace('/actions/0/then/0 ', '/actions/0/then/0/then/0 ')]);
  expect(claims(set('taken', false))).toEqual([]);
  // Nothing is for sale.
  const free = gameOf({ reward: says('/work', pay(20)) });
  expect(seen(free, '/work', '/work', '/work')).toEqual([]);
});

test('money for an item that is dropped and can be picked up again, but not for a key', () => {
  const drop = { type: 'dropItemAtPosition', item: { function: 'getItemCurrentlyHeldByUnit', entity: own } };
  const gains = (...more: Json[]): string[] => {
    const scripts = { g: script([], [pay(20, { function: 'getOwner', entity: self }), ...more]) };
    const binding = { keyDown: { scriptName: 'g' } };
    const walker = unitType({ scripts, controls: { movementControlScheme: 'wasd', abilities: { g: binding } } });
    return gainsOf(trade(0, 30, {}, { unitTypes: { walker } }).definition).map(({ text }) => text);
  };
  const self = { function: 'thisEntity' };
  const message = 'unitTypes/walker/scripts/g/actions/0 gives 20 each time and takes nothing';
  expect(gains({ ...drop, position: { x: 1, y: 1 } })).toEqual([message]);
  expect(gains()).toEqual([]);
});

test('what has to be done first, and what cannot be done after something else', async () => {
  const variables = { left: region(100, 100), right: region(900, 100), gate: region(500, 900), a: boolean, b: boolean };
  const both = when(
    variable('a'),
    '==',
    true,
    [when(variable('b'), '==', true, [set('open', true)], 'boolean')],
    'boolean',
  );
  const game = (...left: Json[]) =>
    gameOf(
      { left: enter('left', ...left), right: enter('right', set('b', true)), gate: enter('gate', both) },
      { variables: { ...variables, open: boolean } },
    );
  const locking = game(when(variable('b'), '==', false, [set('a', true)], 'boolean'));
  const [finding, ...others] = await found(locking, 60, [1, 2]);
  expect([finding!.key, others]).toEqual(['standstill variable open', []]);
  expect(finding!.recording.inputs.length).toBeLessThan(20);
  expect(await keys(game(set('a', true)), 60, [1, 2])).toEqual([]);
});

test('a choice between two things is no lock', async () => {
  const choice = (one: string, other: string) =>
    enter(one, when(variable(other), '==', false, [set(one === 'left' ? 'sword' : 'shield', true)], 'boolean'));
  const game = gameOf(
    { left: choice('left', 'shield'), right: choice('right', 'sword') },
    { variables: { left: region(100, 100), right: region(900, 100), sword: boolean, shield: boolean } },
  );
  expect(await keys(game, 60, [1, 2])).toEqual([]);
});

test('a unit that can never walk again, but not one that stands for a while', async () => {
  const slow = (value: number): Json => ({ type: 'setEntityAttribute', attribute: 'speed', entity: own, value });
  const walker = unitType({ attributes: { speed: attribute(8) } });
  const keysOf = async (...then: Json[]): Promise<string[]> => {
    const game = gameOf({ sit: says('sit', slow(0), ...then) }, { unitTypes: { walker } });
    return (await explored(game, planOf({ players: [1, 1] }), 200)).findings.map(({ key }) => key);
  };
  expect(await keysOf()).toEqual(['standstill walker cannot walk']);
  expect(await keysOf({ type: 'setTimeOut', duration: 40_000, actions: [slow(8)] })).toEqual([]);
});

/** What an aimed play of one player shows. */
const aimed = (game: LoadedGame, seed: string): string[] => {
  const plan = planOf({ players: [1, 1], seed });
  return playEpisode(game, plan, episodeOf(plan, rate, 3), () => false).sightings.map(({ key }) => key);
};

test('plays are aimed at a reward', () => {
  const game = trade(0, 30, { reward: says('/work', pay(20)) });
  expect(aimed(game, '3')).toEqual([
    'exploit coins scripts/reward/actions/0/then/0 gives 20 each time and takes nothing',
  ]);
});

const found = async (game: LoadedGame, seconds: number, players: [number, number]) =>
  (await explored(game, planOf({ players }), seconds)).findings;
const keys = async (...given: Parameters<typeof found>) => (await found(...given)).map(({ key }) => key);

test('players earn, buy and go on: a loop that only the owner of a gem starts', async () => {
  const dropped = body({ width: 20, height: 20, collidesWith: { units: true, walls: true } });
  const coin = itemType({ name: 'coin', bodies: { dropped } });
  const item = { function: 'getTriggeringItem' };
  const owner = { function: 'getOwner', entity: unit };
  const isCoin = (...then: Json[]): Json =>
    when({ function: 'getItemTypeOfItem', entity: item }, '==', 'coin', then, 'itemType');
  const everywhere = { function: 'getRandomPositionInRegion', region: { function: 'getEntireMapRegion' } };
  const loop = { type: 'while', conditions: [{ operator: '==', operandType: 'number' }, 1, 1], actions: [] };
  const carries = { function: 'unitIsCarryingItemType', unit, itemType: 'gem' };
  const game = trade(
    0,
    8,
    {
      store: enter('store', { ...store, player: owner }),
      rain: each(
        'secondTick',
        when({ function: 'getNumberOfItemsPresent' }, '<', 12, [
          { type: 'spawnItem', itemType: 'coin', position: everywhere },
        ]),
      ),
      take: each('unitTouchesItem', isCoin({ type: 'destroyEntity', entity: item }, pay(1, owner))),
      land: enter('island', when(carries, '==', true, [loop], 'boolean')),
    },
    {
      itemTypes: { coin, gem: itemType({ name: 'gem' }) },
      variables: { store: region(100, 100), island: region(900, 900) },
    },
  );
  expect(aimed(game, '3')).toEqual(['limit limit-loop scripts/land/actions/0/then/0/then/0']);
});

test('a round that did not return the second time is missed', async () => {
  const variables = { jammed: { dataType: 'number', default: 0 }, busy: boolean };
  const free = {
    type: 'setTimeOut',
    duration: 1000,
    actions: [when(variable('jammed'), '<', 2, [set('busy', false)])],
  };
  const use = [set('jammed', calculate(variable('jammed'), '+', 1)), set('busy', true), free];
  const walker = unitType({
    scripts: { moved: each('unitStartsMoving', when(variable('busy'), '==', false, use, 'boolean')) },
  });
  expect(await keys(gameOf({}, { unitTypes: { walker }, variables }), 80, [1, 1])).toEqual([
    'standstill variable busy',
  ]);
});

test('a unit every eight seconds is a leak, also where a counter measures the time', () => {
  const ghost = unitType({ name: 'ghost', bodies: { default: body({ type: 'static', collidesWith: {} }) } });
  const create = {
    type: 'createUnitAtPosition',
    unitType: 'ghost',
    entity: { function: 'computerPlayer', number: 1 },
    position: { x: 100, y: 100 },
    angle: 0,
  };
  const count = set('time', calculate(variable('time'), '+', 1));
  const sightings = (...then: Json[]): string[] => {
    const game = gameOf(
      { tick: each('secondTick', count, when(variable('time'), '>=', 8, then)) },
      { unitTypes: { walker: unitType(), ghost }, variables: { time: { dataType: 'number', default: 0 } } },
    );
    const plan = planOf({ players: [1, 1] });
    return playEpisode(game, plan, episodeOf(plan, rate, 1), () => false).sightings.map(({ key }) => key);
  };
  expect(sightings(set('time', 0), create)).toEqual(['leak unit ghost']);
  expect(sightings(set('time', 0))).toEqual([]);
});

const isState = (value: string, ...then: Json[]): Json => when(variable('state'), '==', value, then, 'string');

test('a state that has a countdown, but no script that ends it', async () => {
  const enter = (value: string): Json[] => [set('state', value), set('timeLeft', 5)];
  const states = (...last: Json[]): LoadedGame => {
    const count = set('timeLeft', calculate(variable('timeLeft'), '-', 1));
    const next = [isState('fight', ...enter('over')), isState('wait', ...enter('fight')), ...last];
    return gameOf(
      { second: each('secondTick', count, when(variable('timeLeft'), '<=', 0, next)) },
      { variables: { state: { dataType: 'string', default: 'wait' }, timeLeft: { dataType: 'number', default: 5 } } },
    );
  };
  expect(await keys(states(), 60, [1, 1])).toEqual(['standstill variable state']);
  expect(await keys(states(isState('over', when(variable('timeLeft'), '<', 0, enter('wait')))), 60, [1, 1])).toEqual(
    [],
  );
});

test('a value that only a script that nothing starts would change', async () => {
  const close = when(variable('time'), '==', 9, [set('open', false)]);
  const game = (more: Json): LoadedGame =>
    gameOf(
      { second: each('secondTick', set('time', calculate(variable('time'), '+', 1)), close), ...more },
      { variables: { open: { dataType: 'boolean', default: true }, time: { dataType: 'number', default: 0 } } },
    );
  expect(await keys(game({ reset: script([], [set('open', true)]) }), 60, [1, 1])).toEqual([
    'standstill variable open',
  ]);
  // A flag that nothing takes back, or that is set at the start.
  expect(await keys(game({}), 60, [1, 1])).toEqual([]);
  expect(await keys(game({ reset: each('gameStart', set('open', true)) }), 60, [1, 1])).toEqual([]);
});

test('a player who comes takes the units of all others for good', async () => {
  const remove = { type: 'destroyEntity', entity: { function: 'selectedUnit' } };
  const clear = { type: 'forAllUnits', unitGroup: { function: 'allUnits' }, actions: [remove] };
  const { actions } = joinAs('walker') as { actions: Json[] };
  const game = gameOf(
    {
      join: each('playerJoinsGame', when(variable('time'), '>', 10, [clear]), ...actions),
      second: each('secondTick', set('time', calculate(variable('time'), '+', 1))),
    },
    { variables: { time: { dataType: 'number', default: 0 } } },
  );
  expect(await keys(game, 200, [4, 4])).toEqual(['standstill player without a unit']);
});

test('a string that grows is a leak, but not one that starts anew', () => {
  const text = variable('text');
  const sightings = (...then: Json[]): string[] => {
    const longer = set('text', { function: 'concat', textA: text, textB: ',three' });
    const count = set('time', calculate(variable('time'), '+', 1));
    const full = when(calculate(variable('time'), '%', 20), '==', 0, then);
    const game = gameOf(
      { second: each('secondTick', longer, count, full) },
      { variables: { text: { dataType: 'string', default: '' }, time: { dataType: 'number', default: 0 } } },
    );
    const plan = planOf({ players: [1, 1] });
    return playEpisode(game, plan, episodeOf(plan, rate, 1), () => false).sightings.map(({ key }) => key);
  };
  expect(sightings()).toEqual(['leak variable text']);
  expect(sightings(set('text', ''))).toEqual([]);
});

test('a value that is missing because its calculation failed is not another mistake', () => {
  const age = (value: unknown): Json => ({ type: 'setEntityAttribute', entity: player, attribute: 'age', value });
  const sightings = (value: unknown): string[] => {
    const game = gameOf(
      { second: each('secondTick', age(value)) },
      { variables: { nothing: { dataType: 'number' }, word: { dataType: 'string', default: 'word' } } },
    );
    const plan = planOf({ players: [1, 1] });
    const short = { ...episodeOf(plan, rate, 1), ticks: 3 * rate };
    return playEpisode(game, plan, short, () => false).sightings.map(({ key }) => key);
  };
  const place = 'scripts/second/actions/0';
  expect(sightings(calculate(variable('word'), '+', 1))).toEqual([`fault not-a-number ${place}`]);
  expect(sightings(variable('nothing'))).toEqual([`fault missing-value ${place}`]);
});

test('units that a key creates for nothing are a leak, but not those that take something', () => {
  const ghost = unitType({ name: 'ghost', bodies: { default: body({ type: 'static', collidesWith: {} }) } });
  const create = {
    type: 'createUnitAtPosition',
    unitType: 'ghost',
    entity: { function: 'computerPlayer', number: 1 },
    position: { x: 100, y: 100 },
    angle: 0,
  };
  const sightings = (...actions: Json[]): string[] => {
    const walker = unitType({ controls: { abilities: { x: { keyDown: { scriptName: 'build' } } } } });
    const game = gameOf(
      { build: { name: 'build', triggers: [], actions } },
      { unitTypes: { walker, ghost }, variables: { wood: { dataType: 'number', default: 9 } } },
    );
    const plan = planOf({ players: [1, 1] });
    const episode = { ...episodeOf(plan, rate, 1), ticks: 200 * rate, traits: [{ stay: 100, talk: 1, act: 0.4 }] };
    return playEpisode(game, plan, episode, () => false).sightings.map(({ key }) => key);
  };
  expect(sightings(create)).toEqual(['leak unit ghost']);
  expect(sightings(set('wood', 8), create)).toEqual([]);
});

test('units that players leave behind are a leak, also if they change their types', () => {
  const every = (trigger: string, unitType: string): Json =>
    each(trigger, {
      type: 'forAllUnits',
      unitGroup: { function: 'allUnits' },
      actions: [{ type: 'changeUnitType', entity: { function: 'selectedUnit' }, unitType }],
    });
  const leaving = { function: 'allUnitsOwnedByPlayer', player };
  const remove = { type: 'destroyEntity', entity: { function: 'selectedUnit' } };
  const leave = each('playerLeavesGame', { type: 'forAllUnits', unitGroup: leaving, actions: [remove] });
  const sightings = (more: Json): string[] => {
    const game = gameOf(
      { sleep: every('playerJoinsGame', 'sleeper'), wake: every('playerLeavesGame', 'walker'), ...more },
      { unitTypes: { walker: unitType(), sleeper: unitType() } },
    );
    const plan = planOf({ players: [4, 4] });
    const short = {
      ...episodeOf(plan, rate, 0),
      ticks: 200 * rate,
      traits: Array(4).fill({ stay: 0.1, talk: 1, act: 1 }),
    };
    return playEpisode(game, plan, short, () => false).sightings.map(({ key }) => key);
  };
  expect(sightings({})).toEqual(['leak unit']);
  expect(sightings({ leave })).toEqual([]);
});

test('what happens when a player joins late shrinks to those who come and go', () => {
  const count = set('time', calculate(variable('time'), '+', 1));
  const fail = { type: 'setEntityVariable', entity: player, variable: { key: 'nope' } };
  const game = gameOf(
    { tick: each('secondTick', count), join: each('playerJoinsGame', when(variable('time'), '>', 50, [fail])) },
    { variables: { time: { dataType: 'number', default: 0 } } },
  );
  const plan = planOf({ players: [8, 8] });
  const episode = episodeOf(plan, rate, 0);
  const { sightings } = playEpisode(game, plan, episode, () => false);
  const work = { episode, sighting: sightings[0]!, short: [], ticksMax: 200_000 };
  const finding = shrink(game, plan, work, () => false);
  expect(finding!.recording.inputs.map(({ input }) => input.kind)).toEqual(['join']);
});

test('the inputs of players whom a finding does not need go first', async () => {
  const game = trade(0, 30, { reward: says('/work', pay(20)) });
  const plan = planOf({ players: [12, 12], seed: '3' });
  const episode = episodeOf(plan, rate, 3);
  const { sightings } = playEpisode(game, plan, episode, () => false);
  const work = { episode, sighting: sightings[0]!, short: [], ticksMax: 60_000 };
  const finding = shrink(game, plan, work, () => false);
  expect(finding!.inputsBefore).toBeGreaterThan(1000);
  expect(finding!.recording.inputs.map(({ input }) => input.kind)).toEqual(['join', 'chat', 'chat', 'chat']);
});

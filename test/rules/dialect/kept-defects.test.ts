import { describe, expect, test } from 'vitest';
import { Simulation } from '../../../engine/index.ts';
import type { BodyQueue } from '../../../engine/physics/body-queue.ts';
import { attributeValue } from '../../../engine/rules/entities/attribute.ts';
import { dropItem, swapSlots } from '../../../engine/rules/items/inventory.ts';
import { buyUnit, openShop } from '../../../engine/rules/players/shop.ts';
import { setLifeSpan } from '../../../engine/rules/types/life-span.ts';
import { globalValue } from '../../../engine/tools.ts';
import { Kind, rowOf } from '../../../engine/world/entity.ts';
import { createUnitAt, delayed, setVariable, when } from '../../support/actions.ts';
import { attribute, body, itemType, type Play, script, unitType } from '../../support/play.ts';
import { note, ownId, trailOf, variable } from '../../support/trail.ts';
import { answered, inBoth, type Json, join, started, thisUnit, trailsAfter, withUnit } from './both.ts';

const make = (unitType: string, x: number, y: unknown = 300): Json =>
  createUnitAt(unitType, { function: 'computerPlayer', number: 1 }, { function: 'xyCoordinate', x, y });
const fn = (name: string, operands: Json = {}): Json => ({ function: name, ...operands });
const faultCodes = (game: Play): string[] => game.faults().map(({ code }) => code);

describe('functions: standard, then moddio:', () => {
  test('nobody is the creator of a game without an owner; guests are', () => {
    const asked = note(fn('playerIsCreator', { player: fn('getTriggeringPlayer') }));
    const data = { scripts: { join: script('playerJoinsGame', [asked]) } };
    expect(
      trailsAfter(data, (game) => {
        game.sim.join({ name: 'Ada' });
        game.sim.join({ name: 'Bob', userId: 'bob' });
        game.ticks(1);
      }),
    ).toEqual({ standard: 'false false', moddio: 'true false' });
  });

  test('the play time of a player counts up; is negative', () => {
    const asked = note(fn('getPlayTimeOfPlayer', { player: fn('getTriggeringPlayer') }));
    const data = { scripts: { heard: script('playerCustomInput', [asked]) } };
    const run = (game: Play) => {
      const ada = game.sim.join({ name: 'Ada' });
      game.seconds(1);
      ada.answer('now');
      game.ticks(1);
      return Math.sign(Number(trailOf(game)));
    };
    expect(inBoth(data, run)).toEqual({ standard: 1, moddio: -1 });
  });

  test('`unitIsInRegion` works for all regions; for plain rectangles only', () => {
    const region = { x: 600, y: 600, width: 100, height: 100 };
    const asked = (of: unknown): Json =>
      note(
        fn('unitIsInRegion', { unit: fn('getPlayerSelectedUnit', { player: fn('getTriggeringPlayer') }), region: of }),
      );
    const data = withUnit(
      {},
      {
        variables: { zone: { dataType: 'region', default: region } },
        scripts: {
          heard: script('playerCustomInput', [
            asked(variable('zone')),
            asked(fn('getEntireMapRegion')),
            asked(fn('dynamicRegion', region)),
          ]),
        },
      },
    );
    expect(
      trailsAfter(data, (game) => {
        const ada = game.sim.join({ name: 'Ada' });
        game.ticks(3);
        ada.answer('now');
        game.ticks(1);
      }),
    ).toEqual({ standard: 'true true true', moddio: 'false false true' });
  });

  test('an incomplete region has no random position; has one with NaN, where entities are created at 0', () => {
    const point = (region: Json): Json => fn('getRandomPositionInRegion', { region: fn('dynamicRegion', region) });
    const data = {
      unitTypes: { hero: unitType() },
      ...started(
        note(fn('getPositionY', { position: point({ x: 10, y: 300, width: 1 }) })),
        note(fn('getPositionX', { position: point({ width: 1 }) })),
        { ...make('hero', 0), position: point({ x: 10, y: 300, width: 1 }) },
      ),
    };
    const run = (game: Play) => [trailOf(game), game.world.components.transform.y[1], faultCodes(game)];
    const { standard, moddio } = inBoth(data, run);
    expect((standard as unknown[])[0]).toBe('undefined undefined');
    expect((moddio as unknown[])[0]).toBe('NaN 0');
    const made = (game: Play): unknown => {
      const { kind } = game.world.components.identity;
      const { x, y } = game.world.components.transform;
      const row = Array.from(kind).findIndex((each, at) => each === 1 && at > 0);
      return row < 0 ? 'none' : [x[row], y[row]];
    };
    expect(inBoth(data, made)).toEqual({ standard: 'none', moddio: [10, 0] });
  });

  test.each(['spawnItem', 'createItemWithMaxQuantityAtPosition'])(
    '%s without a position creates nothing; creates an item at 0',
    (type) => {
      const lamp = { name: 'lamp', states: { dropped: { name: 'dropped' } } };
      const nowhere = fn('getMouseCursorPosition', { player: fn('getLastAttackedUnit') });
      const data = { itemTypes: { lamp }, ...started({ type, itemType: 'lamp', position: nowhere }) };
      const run = (game: Play) => game.sim.view().items.map(({ x, y }) => [x, y]);
      expect(inBoth(data, run)).toEqual({ standard: [], moddio: [[0, 0]] });
    },
  );

  test('the default of a global variable has the type of the variable; that in which it is written', () => {
    const variables = {
      n: { dataType: 'number', default: '7' },
      s: { dataType: 'string', default: 7 },
      b: { dataType: 'boolean', default: 'true' },
    };
    const names = Object.keys(variables);
    const data = { variables, ...started(...names.map((name) => setVariable(name, variable(name)))) };
    const run = (game: Play) => names.map((name) => game.variable(name));
    expect(inBoth(data, run)).toEqual({ standard: [7, '7', true], moddio: ['7', 7, 'true'] });
  });
});

describe('actions: standard, then moddio:', () => {
  test('torques of a step add up; the last replaces the others', () => {
    const turn = (type: string, torque: number): Json => ({ type, entity: thisUnit, torque });
    const turns = [turn('rotateUnitClockwise', 1), turn('rotateUnitCounterClockwise', 0.4)];
    const data = withUnit({
      bodies: { default: body({ fixedRotation: false }) },
      scripts: { frame: script('frameTick', turns) },
    });
    const run = (game: Play) => {
      join(game, 6);
      return Math.sign(game.world.components.transform.angle[rowOf(game.entity('u1'))]!);
    };
    expect(inBoth(data, run)).toEqual({ standard: 1, moddio: -1 });
  });

  test('an element "" is stored and a number becomes a text; is not, and stays a number', () => {
    const add = (value: unknown): Json => ({ type: 'addStringElement', key: 'a', value, object: variable('bag') });
    const held = (): Json => note(fn('objectToString', { object: variable('bag') }));
    const data = {
      variables: { bag: { dataType: 'object', default: { a: 'old' } } },
      ...started(add(''), held(), add(5), held()),
    };
    expect(inBoth(data, trailOf)).toEqual({ standard: '{"a":""} {"a":"5"}', moddio: '{"a":"old"} {"a":5}' });
  });

  test('`dropItemAtPosition` drops any item; only one whose type has controls', () => {
    const item = (more: Json): Json => ({
      name: 'item',
      type: 'other',
      states: { dropped: { name: 'dropped' }, selected: { name: 'selected' }, unselected: { name: 'unselected' } },
      ...more,
    });
    const drop = {
      type: 'forAllItems',
      itemGroup: fn('allItems'),
      actions: [{ type: 'dropItemAtPosition', item: fn('selectedItem'), position: { x: 300, y: 300 } }],
    };
    const data = withUnit(
      { defaultItems: [{ key: 'plain' }, { key: 'fine' }] },
      {
        itemTypes: { plain: item({}), fine: item({ controls: {} }) },
        scripts: { heard: script('playerCustomInput', [drop]) },
      },
    );
    const run = (game: Play) => {
      answered(game);
      return game.of('unitDroppedAnItem').length;
    };
    expect(inBoth(data, run)).toEqual({ standard: 2, moddio: 1 });
  });
});

describe('items: standard, then moddio:', () => {
  const item = (more: Json = {}): Json => ({
    name: 'item',
    type: 'other',
    quantity: 1,
    states: { dropped: { name: 'dropped' }, selected: { name: 'selected' }, unselected: { name: 'unselected' } },
    controls: {},
    ...more,
  });
  const slotsOf = (game: Play): unknown[] => {
    const { world } = game;
    return ['i1', 'i2'].map((id) => world.components.carried.slot[rowOf(game.entity(id))]);
  };

  test('a refused swap changes nothing; exchanges the slot numbers of the items', () => {
    const data = withUnit(
      { defaultItems: [{ key: 'tied' }, { key: 'free' }] },
      { itemTypes: { tied: item({ controls: { permittedInventorySlots: [1] } }), free: item() } },
    );
    const run = (game: Play) => {
      join(game);
      const before = game.of('thisItemChangesInventorySlot').length;
      swapSlots(game.game, game.entity('u1'), 0, 1);
      const told = game
        .of('thisItemChangesInventorySlot')
        .slice(before)
        .map(({ entity }) => entity);
      const { slots } = game.world.components.inventory[rowOf(game.entity('u1'))]!;
      const stay = slots[0] === game.entity('i1') && slots[1] === game.entity('i2');
      return [slotsOf(game), told, stay];
    };
    expect(inBoth(data, run)).toEqual({ standard: [[0, 1], [], true], moddio: [[1, 0], ['i1', 'i2'], true] });
  });

  test.each([
    [0, 0],
    [0, 9],
    [1, 0],
  ])('a swap of the slots %i and %i that moves nothing does nothing; selects the current slot again', (from, to) => {
    const data = withUnit({
      inventorySize: 2,
      scripts: { selected: script('unitSelectsInventorySlot', [note('selected')]) },
    });
    const run = (game: Play) => {
      join(game);
      const before = trailOf(game);
      swapSlots(game.game, game.entity('u1'), from, to);
      return trailOf(game) === before ? 'nothing' : 'selected';
    };
    expect(inBoth(data, run)).toEqual({ standard: 'nothing', moddio: 'selected' });
  });

  test('an item fires that it is empty before it is removed; afterwards', () => {
    const told = script('ThisItemsQuantityBecomesZero', [note(fn('entityExists', { entity: thisUnit }))]);
    const food = item({
      type: 'consumable',
      fireRate: 0,
      removeWhenEmpty: true,
      cost: { quantity: 1 },
      bonus: { consume: {} },
      scripts: { told },
    });
    const use = { type: 'useItemOnce', item: fn('getItemCurrentlyHeldByUnit', { entity: fn('thisEntity') }) };
    const data = withUnit(
      { defaultItems: [{ key: 'food' }], scripts: { eat: script('secondTick', [use]) } },
      { itemTypes: { food } },
    );
    expect(
      trailsAfter(data, (game) => {
        game.sim.join({ name: 'Ada' });
        game.seconds(2);
      }),
    ).toEqual({ standard: 'true', moddio: 'false' });
  });

  test('a unit that drops an item it may not use loses nothing; loses bonuses that it never had', () => {
    const passive = { unitAttribute: { health: { type: 'flat', value: 30 } } };
    const crown = item({ canBeUsedBy: ['king'], bonus: { passive } });
    const drop = { type: 'dropItem', entity: thisUnit };
    const data = withUnit(
      { defaultItems: [{ key: 'crown' }], scripts: { second: script('secondTick', [drop]) } },
      { itemTypes: { crown } },
    );
    const run = (game: Play) => {
      game.sim.join({ name: 'Ada' });
      game.seconds(2);
      const { world } = game;
      const row = world.components.attributes.start[rowOf(game.entity('u1'))]!;
      return [game.of('unitDroppedAnItem').length, world.attributes.max[row]];
    };
    expect(inBoth(data, run)).toEqual({ standard: [1, 100], moddio: [1, 70] });
  });
});

describe('shops, contacts and bodies: standard, then moddio:', () => {
  test('a unit is sold only if it can be paid; without checking the price', () => {
    const attributes = { gold: attribute(5) };
    const playerTypes = { human: { name: 'human', attributes, variables: {}, relationships: {} } };
    const offer = (gold: number, requirement: unknown): Json => ({
      isPurchasable: true,
      price: { coins: 3, playerAttributes: { gold } },
      requirement: { playerAttributes: requirement },
    });
    const data = withUnit(
      {},
      {
        playerTypes,
        unitTypes: { dear: unitType(), high: unitType(), bare: unitType() },
        shops: {
          shop: {
            unitTypes: {
              dear: offer(9, {}),
              high: offer(0, { gold: { type: 'atleast', value: 7 } }),
              bare: offer(0, { gold: 7 }),
            },
          },
        },
      },
    );
    const run = (game: Play) => {
      join(game);
      const player = game.entity('p1');
      const { game: inside, world } = game;
      world.components.wallet[rowOf(player)]!.coins = 3;
      openShop(inside, player, 'shop');
      const results = ['bare', 'high', 'dear'].map((key) => buyUnit(inside, player, key));
      return [...results, game.attribute('p1', 'gold'), world.components.wallet[rowOf(player)]!.coins];
    };
    expect(inBoth(data, run)).toEqual({
      standard: ['purchase', 'requirement_not_met', 'not_affordable', 5, 0],
      moddio: ['requirement_not_met', 'purchase', 'purchase', 0, 3],
    });
  });

  test('a delayed action of a contact finds the unit of its trigger; that of the next script', () => {
    const later: Json = delayed(100, note(fn('getEntityId', { entity: fn('getTriggeringUnit') })));
    const data = {
      unitTypes: { hero: unitType({ scripts: { touch: script('entityTouchesUnit', []) } }) },
      scripts: {
        start: script('gameStart', [make('hero', 300), make('hero', 330)]),
        touch: script('unitTouchesUnit', [later]),
      },
    };
    const run = (game: Play) => {
      game.seconds(1);
      const { payload } = game.of('unitTouchesUnit')[0]!;
      return [payload['unit'], trailOf(game).split(' ')[0]];
    };
    expect(inBoth(data, run)).toEqual({ standard: ['u1', 'u1'], moddio: ['u1', 'u2'] });
  });

  test('a body with `allowSleep` sleeps at rest; never sleeps', () => {
    const data = withUnit({ bodies: { default: body({ allowSleep: true, linearDamping: 5 }) } });
    const run = (game: Play) => {
      game.sim.join({ name: 'Ada' });
      game.seconds(3);
      const { physics } = game.game;
      return physics.isAwake(game.entity('u1'));
    };
    expect(inBoth(data, run)).toEqual({ standard: false, moddio: true });
  });

  test.each([
    [10, true],
    [0, false],
  ])('under a gravity of %d a sensor floats; falls in each step and is put back', (gravity, falls) => {
    const data = withUnit(
      { bodies: { default: body({ type: 'static' }) }, ai: { enabled: true, sensorRadius: 100 } },
      { settings: { gravity: { x: 0, y: gravity } } },
    );
    const run = (game: Play) => {
      game.sim.join({ name: 'Ada' });
      game.seconds(1);
      const { world } = game;
      const { sensing, transform } = world.components;
      const unit = rowOf(game.entity('u1'));
      const sensor = sensing.sensor[unit]!;
      const isFalling = game.game.physics.velocityY(sensor) > 0;
      const away = game.game.physics.bodyY(sensor) - transform.y[unit]!;
      game.ticks(1);
      return [isFalling, away > 1, Math.abs(transform.y[rowOf(sensor)]! - transform.y[unit]!) < 1e-6];
    };
    expect(inBoth(data, run)).toEqual({ standard: [false, false, true], moddio: [falls, falls, true] });
  });
});

describe('destruction: standard, then moddio:', () => {
  test("the end of a life span removes carried items and the unit from its owner's list; neither", () => {
    const made = createUnitAt('hero', fn('getTriggeringPlayer'), { x: 300, y: 300 });
    const lamp = {
      name: 'lamp',
      type: 'other',
      quantity: 1,
      controls: {},
      states: { dropped: { name: 'dropped' }, selected: { name: 'selected' } },
    };
    const data = withUnit(
      { defaultItems: [{ key: 'lamp' }] },
      { itemTypes: { lamp }, scripts: { heard: script('playerCustomInput', [made]) } },
    );
    const run = (game: Play) => {
      const ada = game.sim.join({ name: 'Ada' });
      game.ticks(2);
      const { world } = game;
      setLifeSpan(world, game.entity('u1'), 100);
      game.ticks(4);
      const items = world.lists[Kind.item]!.entries.filter((item) => world.exists(item)).length;
      ada.answer('now');
      game.ticks(1);
      const { units, selected } = game.sim.view().players.find(({ id }) => id === 'p1')!;
      return [items, units, selected];
    };
    expect(inBoth(data, run)).toEqual({ standard: [0, ['u2'], 'u2'], moddio: [1, ['u1', 'u2'], null] });
  });

  test("of units whose life span is over, an owner's list keeps none; keeps the last 32", () => {
    const run = (game: Play) => {
      const units = Array.from({ length: 40 }, () => game.unit({ type: 'hero' }));
      for (const unit of units) setLifeSpan(game.world, unit, 100);
      game.ticks(4);
      return game.sim.view().players.find(({ id }) => id === 'c1')!.units;
    };
    const last = Array.from({ length: 32 }, (_, index) => `u${1 + index}`);
    expect(inBoth(withUnit({}), run)).toEqual({ standard: [], moddio: last });
  });

  test('an entity destroyed twice runs its last scripts once; twice', () => {
    const keep = setVariable('held', fn('getLastCreatedUnit'));
    const end = { type: 'destroyEntity', entity: variable('held') };
    const data = {
      variables: { held: { dataType: 'unit' } },
      unitTypes: { hero: unitType({ scripts: { end: script('initEntityDestroy', [note('end')]) } }) },
      scripts: { start: script('gameStart', [make('hero', 300), keep]), second: script('secondTick', [end]) },
    };
    expect(trailsAfter(data, (game) => game.seconds(2))).toEqual({ standard: 'end', moddio: 'end end' });
  });

  test('an entity destroyed by its own last scripts runs them once in both', () => {
    const end = { type: 'destroyEntity', entity: thisUnit };
    const data = {
      unitTypes: {
        hero: unitType({
          scripts: { end: script('initEntityDestroy', [note('end'), end]), frame: script('frameTick', [end]) },
        }),
      },
      ...started(make('hero', 300)),
    };
    const run = (game: Play) => {
      game.ticks(3);
      return [trailOf(game), faultCodes(game)];
    };
    expect(inBoth(data, run)).toEqual({ standard: ['end', []], moddio: ['end', []] });
  });
});

describe('delayed actions: standard, then moddio:', () => {
  const later = (duration: number, ...actions: unknown[]): Json => delayed(duration, ...actions);
  const rounds = (word: string, count: number, number: number): Json => ({
    type: 'repeatWithDelay',
    count,
    number,
    actions: [note(word)],
  });
  const run = (game: Play): unknown => {
    game.seconds(1);
    return trailOf(game);
  };

  describe('an operand `entity` that fails', () => {
    const failing = fn('getOwner', { entity: null });
    const bad: Json = { type: 'destroyEntity', entity: failing };
    const always = (...then: unknown[]): Json => when([], then);
    const repeat = (count: number, ...actions: unknown[]): Json => ({ type: 'repeat', count, actions });
    test.each<[string, Json[], string, string]>([
      ['a literal null', [always({ type: 'destroyEntity', entity: null }, note('a')), note('b')], 'a b', 'b'],
      ['a function that fails', [always(bad, note('a')), note('b')], 'a b', 'b'],
      ['an action that does not read it', [always({ ...note('x'), entity: null }, note('a')), note('b')], 'x a b', 'b'],
      ['an action nobody knows', [always({ type: 'dance', entity: null }, note('a')), note('b')], 'a b', 'b'],
      ['in a loop', [repeat(2, note('a'), bad, note('b')), note('c')], 'a b a b c', 'a c'],
      ['a list in a list', [always(always(bad, note('a')), note('b')), note('c')], 'a b c', 'b c'],
      ['a script', [bad, note('a')], 'a', ''],
      ['put off', [later(50, bad, note('a')), note('b')], 'b a', 'b'],
      ['in rounds', [{ ...rounds('a', 2, 50), actions: [note('a'), bad] }, note('b')], 'a b a', 'a b'],
      ['another operand', [always(setVariable('trail', failing), note('a'))], 'a', 'a'],
    ])('ends its action; also the list and the action around it: %s', (_name, actions, standard, moddio) => {
      expect(inBoth(started(...actions), run)).toEqual({ standard, moddio });
    });

    test('ends a called script as one action of its caller', () => {
      const call = { type: 'runScript', scriptName: 'called' };
      const data = {
        scripts: { start: script('gameStart', [call, note('b')]), called: script([], [bad, note('a')]) },
      };
      expect(inBoth(data, run)).toEqual({ standard: 'a b', moddio: 'b' });
    });

    test('is one fault in both', () => {
      const faults = (game: Play): unknown => {
        game.seconds(1);
        return game.faults().map(({ code, at, count }) => `${code} ${at} ${count}`);
      };
      const { standard, moddio } = inBoth(started(always(bad, note('a'))), faults);
      expect(standard).toHaveLength(1);
      expect(moddio).toEqual(standard);
    });
  });

  test('a `break` in a delayed list ends that list; also the next round of a loop', () => {
    const loop = { type: 'repeat', count: 3, actions: [note('x')] };
    const data = started(later(50, { type: 'break' }), later(150, loop, note('after')), later(250, loop));
    expect(inBoth(data, run)).toEqual({ standard: 'x x x after x x x', moddio: 'x after x x x' });
  });

  test('two `repeatWithDelay` in one list are independent; share body, count and delay', () => {
    const data = started(rounds('a', 3, 100), rounds('b', 2, 60));
    expect(inBoth(data, run)).toEqual({ standard: 'a b b a a', moddio: 'a b b b' });
  });

  test('two `repeatWithDelay` in different lists are independent in both', () => {
    const always = when([], [rounds('b', 2, 60)]);
    const data = started(rounds('a', 3, 100), always);
    expect(inBoth(data, run)).toEqual({ standard: 'a b b a a', moddio: 'a b b a a' });
  });

  test('a snapshot keeps the shared loop variables and rounds of delayed actions', () => {
    const loop = {
      type: 'forAllUnitTypes',
      unitTypeGroup: fn('allUnitTypesInGame'),
      actions: [later(200, note(fn('selectedUnitType')), { type: 'break' })],
    };
    const data = {
      unitTypes: { ant: unitType(), bee: unitType() },
      ...started(
        rounds('a', 4, 100),
        rounds('b', 3, 90),
        loop,
        later(400, { type: 'repeat', count: 3, actions: [note('x')] }),
      ),
    };
    const halfway = (game: Play): unknown => {
      game.ticks(1);
      const { sim } = game;
      const copy = Simulation.restore(game.loaded, sim.snapshot());
      sim.run({ seconds: 1 });
      copy.run({ seconds: 1 });
      return [globalValue(sim, 'trail') === globalValue(copy, 'trail'), sim.hash() === copy.hash()];
    };
    expect(inBoth(data, halfway)).toEqual({ standard: [true, true], moddio: [true, true] });
  });
});

describe('triggers, bots and regions: standard, then moddio:', () => {
  test('every item that is picked up fires its trigger; only one that merges into a stack', () => {
    const lamp = {
      name: 'lamp',
      type: 'other',
      quantity: 1,
      controls: {},
      states: { dropped: { name: 'dropped' }, selected: { name: 'selected' } },
      scripts: { told: script('thisItemIsPickedUp', [note('item')]) },
    };
    const world = script('unitPicksUpItem', [note('world')]);
    const data = withUnit({ defaultItems: [{ key: 'lamp' }] }, { itemTypes: { lamp }, scripts: { world } });
    expect(trailsAfter(data, join)).toEqual({ standard: 'item world', moddio: 'world' });
  });

  test('quests fire for the selected unit; only after a completed one', () => {
    const player = fn('getTriggeringPlayer');
    const quest = (type: string): Json => ({ type, player, questId: 'q', name: 'n', description: 'd', goal: 2 });
    const heard = ['questAdded', 'questCompleted', 'questRemoved'].map((each) => [each, script([each], [note(each)])]);
    const data = withUnit(
      { scripts: Object.fromEntries(heard) },
      {
        scripts: {
          asked: script('playerCustomInput', ['addQuestToPlayer', 'completeQuest', 'removeQuestForPlayer'].map(quest)),
        },
      },
    );
    expect(trailsAfter(data, answered)).toEqual({
      standard: 'questAdded questCompleted questRemoved',
      // The removal follows the completion in the same list, which leaves the unit behind.
      moddio: 'questCompleted questRemoved',
    });
  });

  test('a bot can be kicked and removed from a group alone; cannot be kicked, and every other bot leaves the group', () => {
    const bot = { type: 'addBotPlayer', name: 'bot' };
    const bots = fn('botPlayers');
    const eachBot = (...actions: unknown[]): Json => ({ type: 'forAllPlayers', playerGroup: bots, actions });
    const one = fn('selectedPlayer');
    const band = variable('band');
    const data = {
      variables: { band: { dataType: 'playerGroup' } },
      ...started(
        bot,
        bot,
        bot,
        eachBot({ type: 'addPlayerToPlayerGroup', player: one, playerGroup: band }),
        eachBot({ type: 'removePlayerFromPlayerGroup', player: one, playerGroup: band }, { type: 'break' }),
        eachBot({ type: 'kickPlayer', entity: one }, { type: 'break' }),
      ),
    };
    const run = (game: Play) => {
      game.ticks(1);
      const { world } = game;
      const left = world.lists[Kind.player]!.entries.filter((each) => world.exists(each));
      return [(game.sim.variable('band') as unknown[]).length, left.length - 10];
    };
    expect(inBoth(data, run)).toEqual({ standard: [2, 2], moddio: [1, 3] });
  });

  test('a region variable of a unit can be cleared; cannot', () => {
    const place = fn('getEntityVariable', { variable: { key: 'place', dataType: 'region', entity: 'hero' } });
    const set = (value: unknown): Json => ({ type: 'setEntityVariable', entity: thisUnit, variable: place, value });
    const held = fn('getValueOfEntityVariable', { entity: thisUnit, variable: place });
    const told = note(fn('nameOfRegion', { region: held }));
    const data = withUnit(
      {
        variables: { place: { dataType: 'region' } },
        scripts: { made: script('entityCreated', [set(variable('zone')), told, set(fn('undefinedValue')), told]) },
      },
      { variables: { zone: { dataType: 'region', default: { x: 0, y: 0, width: 100, height: 100 } } } },
    );
    const run = (game: Play) => {
      join(game);
      return [trailOf(game), faultCodes(game)];
    };
    expect(inBoth(data, run)).toEqual({
      standard: ['zone undefined', []],
      moddio: ['zone zone', ['type-mismatch']],
    });
  });

  test('a region that moves before it has a body is entered at its new place; also at its old one', () => {
    const made = (x: number, y: number): Json =>
      createUnitAt('hero', fn('computerPlayer', { number: 1 }), fn('xyCoordinate', { x, y }));
    const moves = {
      type: 'transformRegionDimensions',
      region: variable('zone'),
      x: 400,
      y: 400,
      width: 150,
      height: 150,
    };
    const later = delayed(300, made(150, 150));
    const data = {
      unitTypes: { hero: unitType() },
      variables: { zone: { dataType: 'region', default: { x: 100, y: 100, width: 100, height: 100 } } },
      scripts: {
        start: script('gameStart', [moves, made(450, 450), later]),
        enters: script('unitEntersRegion', [note(fn('getEntityId', { entity: fn('getTriggeringUnit') }))]),
        leaves: script('unitLeavesRegion', [note('left')]),
      },
    };
    // In the first step, its body is where the region is. Then it moves to the position that was requested first.
    expect(trailsAfter(data, (game) => game.seconds(1))).toEqual({ standard: 'u1', moddio: 'u1 left u2' });
  });

  test('changing the colour of a region keeps its body; rebuilds it, so that units leave and enter', () => {
    const rectangle = { x: 600, y: 600, width: 100, height: 100 };
    const change = [
      { type: 'changeRegionColor', region: variable('zone'), inside: '#fff', alpha: 1 },
      { type: 'changeRegionColor', region: variable('zone') },
      { type: 'transformRegionDimensions', region: variable('zone'), ...rectangle },
    ];
    const data = withUnit(
      {},
      {
        variables: { zone: { dataType: 'region', default: rectangle } },
        scripts: Object.fromEntries(
          change.map((each, i) => [`c${i}`, script('playerCustomInput', [delayed(200 * i + 50, each)])]),
        ),
      },
    );
    const run = (game: Play) => {
      const ada = game.sim.join({ name: 'Ada' });
      game.ticks(3);
      ada.answer('now');
      game.seconds(1);
      return [game.of('unitEntersRegion').length, game.of('unitLeavesRegion').length];
    };
    expect(inBoth(data, run)).toEqual({ standard: [1, 0], moddio: [4, 3] });
  });
});

describe('a body that the type lacks: standard, then moddio:', () => {
  const solid = body({ collidesWith: { units: true } });
  const states = {
    default: { name: 'default', body: 'default' },
    second: { name: 'second', body: 'default' },
    ghost: { name: 'ghost', body: 'none' },
  };
  const { states: _, ...stateless } = unitType();
  const place = fn('xyCoordinate', { x: 300, y: 300 });
  const types = {
    unitTypes: {
      hero: unitType({ states }),
      shade: unitType({ states, bodies: { default: body(), none: { type: 'none' } } }),
      walker: unitType(),
      gone: unitType({ states: { default: { name: 'default', body: 'none' } } }),
      plain: unitType({ states: { default: { name: 'default' } } }),
      stateless,
    },
    projectileTypes: { ball: { name: 'ball', states, bodies: { default: solid } } },
    itemTypes: {
      stone: itemType({
        states: { dropped: { name: 'dropped', body: 'dropped' }, ghost: states.ghost },
        bodies: { dropped: solid },
      }),
    },
  };
  const shot = { type: 'createProjectileAtPosition', projectileType: 'ball', position: place, force: 0, angle: 0 };
  const makes = {
    unit: [make('hero', 300), 'getLastCreatedUnit'],
    shade: [make('shade', 300), 'getLastCreatedUnit'],
    projectile: [shot, 'getLastCreatedProjectile'],
    item: [{ type: 'spawnItem', itemType: 'stone', position: place }, 'getLastCreatedItem'],
  } as const;

  /** Whether an entity touches a unit that is created after `acts`, 10 px below it unless a test says otherwise. */
  function touches(kind: keyof typeof makes, acts: readonly Json[], walkerY = 310) {
    const [act, last] = makes[kind];
    const data = {
      ...types,
      variables: { it: { dataType: kind === 'shade' ? 'unit' : kind } },
      ...started(act, setVariable('it', fn(last)), delayed(200, ...acts, delayed(200, make('walker', 300, walkerY)))),
    };
    return inBoth(data, (game) => {
      game.seconds(1);
      return game.announced.some(({ type }) => type.startsWith('unitTouches'));
    });
  }

  const it = (type: string, operands: Json = {}): Json => ({ type, entity: variable('it'), ...operands });
  const state = (key: string): Json => it('setEntityState', { state: key });
  const type = (unitType: string): Json => it('changeUnitType', { unitType });
  const scale = (factor: number): Json => it('changeScaleOfEntityBody', { scale: factor });
  const [hide, show] = [it('hideEntity'), it('showEntity')];

  test.each<[what: string, kind: keyof typeof makes, acts: Json[], moddio: boolean]>([
    ['a unit in a state without a body', 'unit', [state('ghost')], true],
    ['a unit in a state whose body has the type `none`', 'shade', [state('ghost')], false],
    [
      'a unit moved in such a state',
      'unit',
      [state('ghost'), it('moveEntity', { position: { x: 300, y: 290 } })],
      true,
    ],
    ['a unit scaled in such a state', 'unit', [state('ghost'), scale(2)], true],
    ['a unit with a type without the body', 'unit', [type('gone')], true],
    ['a unit with a type whose state names no body', 'unit', [type('plain')], true],
    ['a unit with a type without states', 'unit', [type('stateless')], true],
    ['a projectile in such a state', 'projectile', [state('ghost')], true],
    ['an item in such a state', 'item', [state('ghost')], false],
    ['a unit hidden and shown in such a state', 'unit', [state('ghost'), hide, show], false],
  ])('%s has no body; keeps its former one, except where both agree', (_what, kind, acts, moddio) => {
    expect(touches(kind, acts)).toEqual({ standard: false, moddio });
  });

  test.each<[what: string, acts: Json[], moddio: boolean]>([
    ['is hidden', [hide], false],
    ['has another state, then is hidden', [state('second'), hide], false],
    ['is hidden, then has another state', [hide, state('second')], true],
    ['is hidden, then has another type', [hide, type('walker')], true],
    ['is hidden, has another type, and is hidden again', [hide, type('walker'), hide], true],
    ['is hidden, has another type, is shown and hidden', [hide, type('walker'), show, hide], false],
    ['is hidden, then has the state it had', [hide, state('default')], false],
  ])('a unit that %s has no body; has one again after a change while hidden', (_what, acts, moddio) => {
    expect(touches('unit', acts)).toEqual({ standard: false, moddio });
  });

  test.each(['plain', 'stateless'])(
    'a unit of the type %s has no body; keeps its former one and can be scaled',
    (key) => {
      // Beyond the former bounds, which are 20 px around each of the two.
      expect(touches('unit', [type(key), scale(3)], 370)).toEqual({ standard: false, moddio: true });
    },
  );
});

describe('bodies, AI and keys: standard, then moddio:', () => {
  test('a body requested twice is built once; twice, which changes the order of contacts', () => {
    const owner = fn('computerPlayer', { number: 1 });
    const at = (x: number, y: number) => fn('xyCoordinate', { x, y });
    const sized = (x: number, y: number): Json => ({
      type: 'createEntityAtPositionWithDimensions',
      entityType: 'unitTypes',
      entity: 'hero',
      player: owner,
      position: at(x, y),
      width: 40,
      height: 40,
      angle: 0,
    });
    const plain = (x: number, y: number): Json => createUnitAt('hero', owner, at(x, y));
    const places = [
      [214, 233],
      [252, 246],
      [223, 251],
      [238, 223],
      [202, 245],
    ] as const;
    const touches = (make: (x: number, y: number) => Json) => {
      const data = {
        unitTypes: { hero: unitType({}) },
        scripts: {
          start: script(
            'gameStart',
            places.map(([x, y]) => make(x, y)),
          ),
          touch: script('unitTouchesUnit', [note(fn('getEntityId', { entity: fn('getTriggeringUnit') }))]),
        },
      };
      return inBoth(data, (game) => {
        game.ticks(3);
        return trailOf(game);
      });
    };
    const again = touches(sized);
    expect(again).toEqual({
      standard: touches(plain).standard,
      moddio: 'u1 u2 u1 u3 u2 u3 u3 u4 u1 u4 u2 u4 u3 u5 u1 u5 u4 u5',
    });
    expect(touches(plain).moddio).not.toBe(again.moddio);
  });

  test.each([
    ['the last one first', ['second prey', 'first prey'], 'u3 u2 u1'],
    ['one that leaves and comes back', ['second prey', 'first prey', 'second first', 'second prey'], 'u2 u3 u1'],
  ])(
    'attackers drop a unit with health 0 oldest first; in the order of their attacks, and it loses its own target: %s',
    (_name, attacks, moddio) => {
      const hunting = { ai: { enabled: true, pathFindingMethod: 'simple', sensorRadius: 90, maxAttackRange: 1 } };
      const stops = script(['unitStopsMoving'], [note(ownId)]);
      const named = (name: string): Json => setVariable(name, fn('getLastCreatedUnit'));
      const attack = (unit: string, target: string): Json => ({
        type: 'aiAttackUnit',
        unit: variable(unit),
        targetUnit: variable(target),
      });
      const fall = { type: 'setEntityAttribute', attribute: 'health', entity: variable('prey'), value: 0 };
      const data = {
        unitTypes: {
          hunter: unitType({
            ...hunting,
            attributes: { health: attribute(10), speed: attribute(1) },
            scripts: { stops },
          }),
        },
        variables: { prey: { dataType: 'unit' }, first: { dataType: 'unit' }, second: { dataType: 'unit' } },
        ...started(
          ...[make('hunter', 300), named('prey'), make('hunter', 500), named('first'), make('hunter', 700)],
          ...[named('second'), ...attacks.map((each) => attack(...(each.split(' ') as [string, string])))],
          ...[attack('prey', 'second'), delayed(500, fall)],
        ),
      };
      expect(trailsAfter(data, (game) => game.seconds(1))).toEqual({ standard: 'u2 u3', moddio });
    },
  );

  test('a sensor without a radius stays off; is restored when its unit starts a chase', () => {
    const triggering = fn('getEntityId', { entity: fn('getTriggeringUnit') });
    const last = (name: string): Json => setVariable(name, fn('getLastCreatedUnit'));
    const hunter = variable('hunter');
    const radius = note(fn('unitSensorRadius', { unit: hunter }));
    const blind = { type: 'changeSensorRadius', sensor: fn('getSensorOfUnit', { unit: hunter }), radius: 0 };
    const prey = variable('prey');
    const move = (entity: Json, x: number): Json => ({
      type: 'moveEntity',
      entity,
      position: fn('xyCoordinate', { x, y: 300 }),
    });
    const attack = { type: 'aiAttackUnit', unit: hunter, targetUnit: prey };
    const data = {
      unitTypes: {
        hunter: unitType({
          ai: { enabled: true, pathFindingMethod: 'simple', sensorRadius: 90, maxAttackRange: 50 },
          attributes: { speed: attribute(1) },
          scripts: { sees: script(['unitEntersSensor'], [note(triggering)]) },
        }),
        other: unitType({}),
      },
      variables: { hunter: { dataType: 'unit' }, prey: { dataType: 'unit' } },
      ...started(
        ...[make('hunter', 300), last('hunter'), make('other', 350), make('other', 960), last('prey')],
        delayed(300, blind, radius),
        delayed(400, move(hunter, 900)),
        delayed(500, attack),
        delayed(700, move(prey, 600)),
      ),
    };
    expect(trailsAfter(data, (game) => game.seconds(1))).toEqual({ standard: 'u1 u2 0', moddio: 'u1 u2 90 u2 u1' });
  });

  test('a change of type replaces sensor and AI; keeps both', () => {
    const ai = (sensorRadius: number): Json => ({ ai: { enabled: true, sensorRadius, maxAttackRange: 50 } });
    const change = (to: string): Json => ({ type: 'changeUnitType', entity: thisUnit, unitType: to });
    const seen = (to: string) => {
      const data = withUnit(
        { ...ai(100), scripts: { change: script('secondTick', [change(to)]) } },
        { unitTypes: { wide: unitType(ai(300)), mindless: unitType({}) } },
      );
      return inBoth(data, (game) => {
        join(game);
        game.seconds(1.2);
        const row = rowOf(game.entity('u1'));
        const { ai: minds, sensing } = game.world.components;
        const { sensor, radius } = sensing;
        return [game.world.exists(sensor[row]!) ? radius[row] : 0, minds[row]?.enabled === true];
      });
    };
    expect(seen('wide')).toEqual({ standard: [300, true], moddio: [100, true] });
    expect(seen('mindless')).toEqual({ standard: [0, false], moddio: [100, true] });
  });

  test.each([
    ['a d', [1, 0], [1, 0]],
    ['w s', [0, 1], [0, 1]],
    ['a d x', [1, 0], [0, 0]],
    ['a d a', [-1, 0], [0, 0]],
    ['a left d -a', [1, 0], [0, 0]],
    ['a d -d', [-1, 0], [-1, 0]],
    ['a d w', [1, -1], [0, -1]],
  ])('of the opposite keys %s the last counts; only until the next event', (keys, standard, moddio) => {
    const run = (game: Play) => {
      const ann = game.sim.join({ name: 'Ann' });
      game.ticks(2);
      for (const key of keys.split(' ')) {
        if (key.startsWith('-')) ann.release(key.slice(1));
        else ann.press(key);
      }
      game.ticks(1);
      const row = rowOf(game.entity('u1'));
      const { x, y } = game.world.components.movement;
      return [x[row], y[row]];
    };
    const data = withUnit({ controls: { movementControlScheme: 'wasd', movementMethod: 'velocity' } });
    expect(inBoth(data, run)).toEqual({ standard, moddio });
  });

  test('an attribute set to a value that is not a number keeps its value; becomes NaN', () => {
    const owner = fn('getOwner', { entity: thisUnit });
    const none = fn('calculate', { items: [{ operator: '*' }, fn('getVariable', { variableName: 'nothing' }), 2] });
    const set = (type: string, entity: unknown, key: string, value: unknown): Json => ({
      type,
      entity,
      attribute: key,
      value,
    });
    const data = withUnit(
      {
        attributes: { speed: attribute(8), mana: attribute(5) },
        scripts: {
          made: script('entityCreated', [
            set('setEntityAttribute', thisUnit, 'speed', 'fast'),
            set('setEntityAttribute', thisUnit, 'mana', none),
            set('setPlayerAttribute', owner, 'score', none),
          ]),
        },
      },
      { playerTypes: { human: { name: 'human', attributes: { score: attribute(3) } } } },
    );
    const run = (game: Play) => {
      join(game);
      const of = (name: string, key: string) => attributeValue(game.world, game.entity(name), key);
      return [of('u1', 'speed'), of('u1', 'mana'), of('p1', 'score')];
    };
    expect(inBoth(data, run)).toEqual({
      standard: [8, 5, 3],
      moddio: [Number.NaN, 5, Number.NaN],
    });
  });

  test('between two ticks a sensor stays; follows its unit in every outer frame', () => {
    const x = (entity: unknown): Json => fn('getPositionX', { position: fn('getEntityPosition', { entity }) });
    const sensor = fn('getSensorOfUnit', { unit: thisUnit });
    const ahead = fn('calculate', { items: [{ operator: '-' }, x(thisUnit), x(sensor)] });
    const data = withUnit({
      ai: { enabled: false, sensorRadius: 50 },
      scripts: {
        made: script('entityCreated', [
          { type: 'setVelocityOfEntityXY', entity: thisUnit, velocity: { x: 5, y: 0 } },
          delayed(145, note(ahead)),
        ]),
      },
    });
    expect(trailsAfter(data, (game) => join(game, 6))).toEqual({ standard: '7.5', moddio: '0' });
  });

  test('a reset respects bounds set by scripts; uses those of the type', () => {
    const data = withUnit({
      attributes: { mana: attribute(5) },
      scripts: {
        made: script('entityCreated', [
          { type: 'setEntityAttributeMax', entity: thisUnit, attribute: 'mana', value: 2 },
          { type: 'resetEntity', entity: thisUnit },
        ]),
      },
    });
    const run = (game: Play) => {
      join(game);
      return attributeValue(game.world, game.entity('u1'), 'mana');
    };
    expect(inBoth(data, run)).toEqual({ standard: 2, moddio: 5 });
  });

  test('a unit without AI takes no orders and can get a sensor; starts and stops, and gets none', () => {
    const sensor = fn('getSensorOfUnit', { unit: thisUnit });
    const data = withUnit({
      scripts: {
        made: script('entityCreated', [
          { type: 'aiMoveToPosition', unit: thisUnit, position: { x: 1, y: 1 } },
          { type: 'aiGoIdle', unit: thisUnit },
          { type: 'changeSensorRadius', sensor, radius: 50 },
        ]),
        starts: script('unitStartsMoving', [note('starts')]),
        stops: script('unitStopsMoving', [note('stops')]),
      },
    });
    const run = (game: Play) => {
      join(game);
      const has = game.world.exists(game.world.components.sensing.sensor[rowOf(game.entity('u1'))]!);
      return [trailOf(game), has, game.faults().length];
    };
    expect(inBoth(data, run)).toEqual({ standard: ['', true, 2], moddio: ['starts stops', false, 1] });
  });

  test('stacks merge by default; the new one takes the slot of the old one', () => {
    const give: Json = { type: 'giveNewItemToUnit', itemType: 'coin', unit: thisUnit };
    const coin = { name: 'coin', type: 'consumable', quantity: 1, maxQuantity: 10, controls: {} };
    const data = withUnit(
      { inventorySize: 3, scripts: { made: script('entityCreated', [give, give]) } },
      { itemTypes: { coin } },
    );
    const run = (game: Play) => {
      join(game);
      const unit = game.entity('u1');
      const { stack } = game.world.components;
      const items = game.sim.items().map(({ entity }) => stack.quantity[rowOf(entity)]);
      return [game.slots(unit), items];
    };
    expect(inBoth(data, run)).toEqual({ standard: ['i1 . .', [2]], moddio: ['i2 . .', [1, 1]] });
  });

  test('the body of a dropped item is built once; three times', () => {
    const states = Object.fromEntries(
      ['selected', 'unselected', 'dropped'].map((key) => [key, { name: key, body: key }]),
    );
    const box = body({ width: 10, height: 10, unitAnchor: { x: 0, y: 20 } });
    const bodies = { selected: box, unselected: box, dropped: box };
    const coin = { name: 'coin', type: 'consumable', states, bodies, controls: {} };
    const data = withUnit({ defaultItems: [{ key: 'coin' }] }, { itemTypes: { coin } });
    const run = (game: Play) => {
      join(game);
      const item = game.entity('i1');
      dropItem(game.game, item);
      const { queue } = game.game.physics as unknown as { readonly queue: BodyQueue };
      return queue.requests.filter(({ entity, spec }) => entity === item && spec !== undefined).length;
    };
    expect(inBoth(data, run)).toEqual({ standard: 1, moddio: 3 });
  });

  test('an entity gone before the physics update gets no body; gets and loses one, so that contacts of moved entities begin a tick earlier', () => {
    const hold = setVariable('held', fn('getLastCreatedUnit'));
    const go = [
      { type: 'teleportEntity', entity: variable('held'), position: fn('xyCoordinate', { x: 250, y: 250 }) },
      make('hero', 100),
      { type: 'destroyEntity', entity: fn('getLastCreatedUnit') },
    ];
    const zone = { dataType: 'region', default: { x: 200, y: 200, width: 100, height: 100 } };
    const data = withUnit(
      {},
      {
        variables: { held: { dataType: 'unit' }, zone },
        scripts: {
          hold: { ...script('playerJoinsGame', [hold]), order: 1 },
          go: script('playerCustomInput', go),
        },
      },
    );
    const run = (game: Play) => {
      const ada = game.sim.join({ name: 'Ada' });
      game.ticks(5);
      ada.answer('now');
      game.ticks(5);
      return game.of('unitEntersRegion').map(({ tick }) => tick);
    };
    expect(inBoth(data, run)).toEqual({ standard: [7], moddio: [6] });
  });

  test('a scale applies to a body that is not built yet; only once the body is rebuilt', () => {
    const scale: Json = { type: 'changeScaleOfEntityBody', entity: thisUnit, scale: 2 };
    const state: Json = { type: 'setEntityState', entity: thisUnit, state: 'other' };
    const states = { default: { name: 'default', body: 'default' }, other: { name: 'other', body: 'default' } };
    const data = withUnit({
      states,
      bodies: { default: body({ width: 40, height: 40 }) },
      scripts: { made: script('entityCreated', [scale]), later: script('secondTick', [state]) },
    });
    const run = (game: Play) => {
      join(game);
      const width = () => game.world.components.transform.width[rowOf(game.entity('u1'))];
      const first = width();
      game.seconds(1.2);
      return [first, width()];
    };
    expect(inBoth(data, run)).toEqual({ standard: [80, 80], moddio: [40, 80] });
  });

  test.each([
    ['weldJoint', 1],
    ['none', 0],
  ])('in moddio a dropped item keeps its angle only if welded: %s', (jointType, turned) => {
    const held = body({ jointType, width: 10, height: 10, unitAnchor: { x: 0, y: 20 } });
    const states = Object.fromEntries(
      ['selected', 'unselected', 'dropped'].map((key) => [key, { name: key, body: key }]),
    );
    const mouse = { rotateToFaceMouseCursor: false, flipSpriteHorizontallyWRTMouse: false };
    const coin = {
      name: 'coin',
      type: 'consumable',
      states,
      bodies: {
        selected: held,
        unselected: held,
        dropped: body({ width: 10, height: 10, fixedRotation: false, collidesWith: {} }),
      },
      controls: { mouseBehaviour: mouse },
    };
    const turn = { type: 'rotateEntityToRadians', entity: thisUnit, radians: 1 };
    const drop = { type: 'dropAllItems', unit: thisUnit, entity: thisUnit };
    const data = withUnit(
      {
        defaultItems: [{ key: 'coin' }],
        bodies: { default: body({ fixedRotation: false, angularDamping: 0 }) },
        scripts: {
          turned: script('secondTick', [turn, delayed(300, drop)]),
        },
      },
      { itemTypes: { coin } },
    );
    const run = (game: Play) => {
      join(game);
      game.seconds(1.45);
      return Math.round(game.world.components.transform.angle[rowOf(game.entity('i1'))]!);
    };
    expect((inBoth(data, run) as { moddio: unknown }).moddio).toBe(turned);
  });
});

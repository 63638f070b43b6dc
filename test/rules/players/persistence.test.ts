import { describe, expect, test } from 'vitest';
import { PersistenceLoaded } from '../../../engine/components/persistence.ts';
import { giveItem } from '../../../engine/rules/items/pick-up.ts';
import { loadPersisted } from '../../../engine/rules/players/restore.ts';
import { playerData, unitData } from '../../../engine/rules/players/save.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import type { OutputEvent } from '../../../engine/world/outbox.ts';
import { attribute, joinAs, play, script, unitType } from '../../support/play.ts';

type Json = Record<string, unknown>;

const player = { function: 'getTriggeringPlayer' };
const unit = { function: 'getPlayerSelectedUnit', player };

function item(more: Json = {}): Json {
  return {
    name: 'item',
    type: 'other',
    quantity: 1,
    maxQuantity: 50,
    attributes: { wear: attribute(5) },
    variables: { owner: { dataType: 'string', default: 'nobody' } },
    states: { selected: { name: 'selected', body: 'none' }, unselected: { name: 'unselected', body: 'none' } },
    ...more,
  };
}

/**
 * A game that runs the actions when the player answers an input box; it has an account unless a test says otherwise.
 */
function home(actions: readonly unknown[], persisted?: unknown, userId: string | undefined = 'account') {
  const game = play({
    defaultData: { frameRate: 20, engineTickRate: 20, _id: 'this-game' },
    playerTypes: {
      human: {
        name: 'human',
        relationships: {},
        attributes: { gold: attribute(10, { max: 100 }) },
        variables: {
          title: { dataType: 'string', default: 'peasant' },
          friend: { dataType: 'unit' },
          friends: { dataType: 'unitGroup', default: ['x'] },
        },
      },
    },
    unitTypes: {
      hero: unitType({
        inventorySize: 3,
        attributes: { health: attribute(100, { max: 100, regenerateSpeed: 1 }), speed: attribute(10) },
        variables: { lives: { dataType: 'number', default: 3 } },
      }),
    },
    itemTypes: {
      wood: item(),
      ring: item({
        bonus: { passive: { unitAttribute: { health: { type: 'flat', value: 50 } }, playerAttribute: {} } },
      }),
    },
    scripts: { join: joinAs('hero'), go: script('playerCustomInput', actions) },
  });
  const outputs: OutputEvent<'persistence'>[] = [];
  game.sim.on('output', (event) => {
    if (event.kind === 'persistence') outputs.push(event);
  });
  const human = game.sim.join({ userId });
  game.ticks(1);
  const { world, game: core } = game;
  if (persisted !== undefined) loadPersisted(core, human.entity, persisted);
  return {
    game,
    outputs,
    world,
    core,
    account: () => world.components.account[rowOf(human.entity)]!,
    isLoaded: () => world.has(human.entity, PersistenceLoaded),
    quests: () => world.components.quests[rowOf(human.entity)]!,
    player: () => human.entity,
    unit: () => human.unit!.entity,
    give: (key: string, quantity?: number, slot?: number) =>
      giveItem(core, human.unit!.entity, { type: world.types.item.get(key)!, quantity, slot }),
    go: () => {
      human.answer('');
      game.ticks(1);
    },
    items: () =>
      world.components.inventory[rowOf(human.unit!.entity)]!.slots.flatMap((each, slot) => {
        if (!world.exists(each)) return [];
        const row = rowOf(each);
        return [
          `${slot}: ${world.types.item.list[world.components.identity.type[row]!]!.key} ${world.components.stack.quantity[row]}`,
        ];
      }),
    variable: (id: string, name: string) => {
      const set = world.components.variables[rowOf(game.entity(id))]!;
      return set.values[set.layout.slots.get(name)!];
    },
  };
}

const load = { type: 'loadPlayerDataAndApplyIt', player, unit };

const saved = {
  player: {
    attributes: {
      gold: { value: 80, min: 0, max: 80, regenerateSpeed: 2 },
      fame: { value: 1, min: 0, max: 1, regenerateSpeed: 0 },
    },
    variables: {
      title: { dataType: 'string', value: 'king' },
      friend: { dataType: 'unit', value: 'u99' },
      unknown: { dataType: 'string', value: 'x' },
    },
    quests: {
      active: {
        'this-game': { wood: { name: 'Wood', description: 'd', goal: 10, progress: 4 } },
        'other-game': { fish: { name: 'Fish', description: 'd', goal: 1, progress: 0 } },
      },
      completed: { 'this-game': { stone: { name: 'Stone', description: 'd', goal: 1, progress: 1 } } },
    },
  },
  unit: {
    attributes: { health: { value: 40, min: 0, max: 60, regenerateSpeed: 0 } },
    variables: { lives: { dataType: 'number', value: 1 } },
    inventoryItems: [
      {
        itemTypeId: 'wood',
        quantity: 7,
        slotIndex: 2,
        attributes: { wear: { value: 1, min: 0, max: 9, regenerateSpeed: 0 } },
        variables: { owner: { dataType: 'string', value: 'Ann' } },
      },
      { itemTypeId: 'nonsense', quantity: 1, slotIndex: 0, attributes: {}, variables: {} },
      { itemTypeId: 'wood', quantity: null, slotIndex: 9, attributes: {}, variables: {} },
    ],
  },
};

describe('saved data of a player', () => {
  test('is applied by a script, to what exists in the game, without triggers', () => {
    const it = home([load], saved);
    expect(it.game.attribute('p1', 'gold')).toBe(10);
    const before = it.game.announced.length;
    it.go();
    expect(it.game.attribute('p1', 'gold')).toBe(80);
    expect(it.game.attribute('u1', 'health')).toBe(40);
    expect(it.variable('p1', 'title')).toBe('king');
    expect(it.variable('p1', 'friend')).toBeUndefined();
    expect(it.variable('u1', 'lives')).toBe(1);
    expect([...it.quests()]).toEqual([
      ['stone', { name: 'Stone', description: 'd', goal: 1, progress: 1, completed: true }],
      ['wood', { name: 'Wood', description: 'd', goal: 10, progress: 4, completed: false }],
    ]);
    const heard = it.game.announced.slice(before).map(({ type }) => type);
    expect(
      heard.filter((type) => type.includes('Attribute') || type.includes('PicksUp') || type.includes('PickedUp')),
    ).toEqual([]);
  });

  test('does not refer to entities of this game by ids of an earlier one', () => {
    const friend = (value: string) => ({ ...saved.player, variables: { friend: { dataType: 'unit', value } } });
    const it = home([load], { player: friend('u1') });
    it.go();
    expect(it.variable('p1', 'friend')).toBeUndefined();
    const own = { type: 'loadPlayerDataFromString', player, string: JSON.stringify(friend('u1')) };
    const now = home([own]);
    now.go();
    expect(now.variable('p1', 'friend')).toBe(now.world.ref(now.unit()));
  });

  test('is available when the player joins', () => {
    const game = play({
      playerTypes: { human: { name: 'human', relationships: {}, attributes: { gold: attribute(10) }, variables: {} } },
      scripts: {
        join: script('playerJoinsGame', [
          { type: 'assignPlayerType', entity: player, playerType: 'human' },
          { type: 'loadPlayerData', player },
        ]),
      },
    });
    game.sim.join({ persisted: saved });
    game.ticks(1);
    expect(game.attribute('p1', 'gold')).toBe(80);
  });

  test('replaces the items of the unit, in their slots', () => {
    const it = home([load], saved);
    it.give('ring');
    it.go();
    expect(it.items()).toEqual(['0: wood Infinity', '2: wood 7']);
    expect(it.game.attribute('i2', 'wear')).toBe(1);
    expect(it.variable('i2', 'owner')).toBe('Ann');
    expect(it.game.of('entityCreated').map(({ entity }) => entity)).toEqual(['u1', 'i1', 'i2', 'i3']);
  });

  test('without items leaves those of the unit', () => {
    const it = home([load], { ...saved, unit: { ...saved.unit, inventoryItems: [] } });
    it.give('wood', 3);
    it.go();
    expect(it.items()).toEqual(['0: wood 3']);
  });

  test.each([
    { type: 'loadPlayerData', gold: 80, lives: 3 },
    { type: 'loadUnitData', gold: 10, lives: 1 },
    { type: 'loadPlayerDataAndApplyIt', gold: 80, lives: 1 },
  ])('loaded by $type gives gold $gold and lives $lives', ({ type, gold, lives }) => {
    const it = home([{ type, player, unit }], saved);
    it.go();
    expect(it.game.attribute('p1', 'gold')).toBe(gold);
    expect(it.variable('u1', 'lives')).toBe(lives);
  });

  test.each([[undefined], [null], [[]], ['text'], [{ player: 3, unit: [] }]])('is ignored if it is %j', (persisted) => {
    const it = home([load], persisted);
    it.go();
    expect(it.game.attribute('p1', 'gold')).toBe(10);
    expect(it.isLoaded()).toBe(false);
  });

  test('that is empty counts as loaded, so that a new account can be saved', () => {
    const it = home([load], {});
    it.go();
    expect(it.game.attribute('p1', 'gold')).toBe(10);
    expect(it.isLoaded()).toBe(true);
  });

  test('with wrong types is ignored field by field', () => {
    const hostile = {
      player: {
        attributes: { gold: { value: 'NaN', min: Number.NaN, max: {}, regenerateSpeed: '5' }, __proto__: { value: 3 } },
        variables: { title: { dataType: 'string', value: 5 }, friends: 'x' },
        quests: { active: [], completed: { 'this-game': { x: 3, y: { goal: 'many' } } } },
      },
      unit: {
        attributes: 'x',
        inventoryItems: [{ itemTypeId: 'wood', quantity: 'many', slotIndex: -3.5 }, null, 7, { itemTypeId: ['ring'] }],
      },
    };
    const it = home([load], hostile);
    it.go();
    expect(it.game.attribute('p1', 'gold')).toBe(10);
    expect(it.variable('p1', 'title')).toBe('peasant');
    expect([...it.quests().keys()]).toEqual(['y']);
    expect(it.items()).toEqual(['0: wood Infinity', '1: ring Infinity']);
    expect(it.game.faults()).toEqual([]);
  });
});

describe('saving', () => {
  const save = { type: 'savePlayerData', player };

  test('publishes the player and its unit, and keeps data of other games', () => {
    const it = home([load, { type: 'setPlayerAttribute', attribute: 'gold', entity: player, value: 5 }, save], saved);
    it.go();
    expect(it.outputs).toEqual([
      expect.objectContaining({
        kind: 'persistence',
        op: 'save',
        playerId: 'p1',
        userId: 'account',
        data: {
          player: {
            attributes: { gold: { value: 5, min: 0, max: 80, regenerateSpeed: 2 } },
            variables: { title: { dataType: 'string', value: 'king' } },
            quests: saved.player.quests,
          },
          unit: expect.objectContaining({ inventoryItems: [expect.anything(), expect.anything()] }),
        },
      }),
    ]);
  });

  test('and loading gives the same data', () => {
    const first = home([load], saved);
    first.go();
    const data = JSON.parse(
      JSON.stringify({ player: playerData(first.core, first.player()), unit: unitData(first.core, first.unit()) }),
    );
    const second = home([load], data);
    second.go();
    expect(playerData(second.core, second.player())).toEqual(data.player);
    expect(unitData(second.core, second.unit())).toEqual(data.unit);
    expect(second.items()).toEqual(first.items());
  });

  test('excludes bonuses of items, which apply again after loading', () => {
    const it = home([]);
    it.give('ring');
    expect(it.world.attributes.max[it.world.components.attributes.start[rowOf(it.unit())]!]).toBe(150);
    const { attributes, inventoryItems } = unitData(it.core, it.unit());
    expect(attributes['health']).toEqual({ value: 100, min: 0, max: 100, regenerateSpeed: 1 });
    expect(inventoryItems.map(({ itemTypeId }) => itemTypeId)).toEqual(['ring']);
    const again = home([load], { player: {}, unit: JSON.parse(JSON.stringify(unitData(it.core, it.unit()))) });
    again.go();
    expect(again.world.attributes.max[again.world.components.attributes.start[rowOf(again.unit())]!]).toBe(150);
  });

  test.each([
    { case: 'before anything was loaded', actions: [save], persisted: saved, userId: 'account' },
    { case: 'a player without an account', actions: [load, save], persisted: saved, userId: undefined },
    {
      case: 'a unit before it was loaded',
      actions: [{ type: 'saveUnitData', unit }],
      persisted: saved,
      userId: 'account',
    },
  ])('refuses $case', ({ actions, persisted, userId }) => {
    const it = home(actions, persisted, userId);
    if (userId === undefined) it.account().userId = undefined;
    it.go();
    expect(it.outputs).toEqual([]);
    expect(it.game.faults()).toEqual([expect.objectContaining({ code: 'wrong-value' })]);
  });

  test('can publish the unit only', () => {
    const it = home([load, { type: 'saveUnitData', unit }], saved);
    it.go();
    expect(Object.keys(it.outputs[0]!.data as object)).toEqual(['unit']);
  });
});

describe('data given as a text', () => {
  const from = (type: string, text: unknown) => ({ type, string: JSON.stringify(text), player, unit });

  test('is applied to a player', () => {
    const it = home([from('loadPlayerDataFromString', saved.player)]);
    it.go();
    expect(it.game.attribute('p1', 'gold')).toBe(80);
    expect(it.isLoaded()).toBe(true);
  });

  test('gives a unit the saved items without taking those it has', () => {
    const it = home([from('loadUnitDataFromString', saved.unit)]);
    it.give('ring', 1, 2);
    it.go();
    // The wood was in slot 2, where the ring is now.
    expect(it.items()).toEqual(['0: wood 7', '1: wood Infinity', '2: ring 1']);
    expect(it.game.of('unitPicksUpItem').length).toBeGreaterThan(1);
  });

  test.each([
    { type: 'loadPlayerDataFromString', string: '{' },
    { type: 'loadPlayerDataFromString', string: '[1]' },
    { type: 'loadUnitDataFromString', string: 'x' },
    { type: 'loadUnitDataFromString', string: '7' },
  ])('$type of $string is a fault', ({ type, string }) => {
    const it = home([{ type, string, player, unit }]);
    it.go();
    expect(it.game.faults()).toEqual([expect.objectContaining({ code: 'malformed-json' })]);
  });
});

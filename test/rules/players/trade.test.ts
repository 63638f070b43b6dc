import { describe, expect, test } from 'vitest';
import { selectSlot, swapSlots } from '../../../engine/rules/items/inventory.ts';
import { giveItem } from '../../../engine/rules/items/pick-up.ts';
import { type TradeInput, tradeInput } from '../../../engine/rules/players/trade.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { type Entity, rowOf } from '../../../engine/world/entity.ts';
import { joinAs, play, script, unitType } from '../../support/play.ts';

type Json = Record<string, unknown>;
const item = (more: Json = {}): Json => ({
  name: 'item',
  type: 'other',
  quantity: 1,
  maxQuantity: 1,
  controls: { canMerge: false },
  states: {
    selected: { name: 'selected', body: 'none' },
    unselected: { name: 'unselected', body: 'none' },
    dropped: { name: 'dropped', body: 'none' },
  },
  ...more,
});

const playerOf = (variableName: string) => ({ function: 'getVariable', variableName });

/** The second-newest player asks the newest to trade. */
const proposal = { type: 'makePlayerTradeWithPlayer', playerA: playerOf('b'), playerB: playerOf('a') };

/**
 * Two players with a unit each: the first carries a sword in slot 0, the second an apple and a pear. Each unit has this
 * many slots.
 */
function market(slots = 2, pear: Json = {}, scripts: Json = {}) {
  const game = play({
    unitTypes: {
      trader: unitType({ inventorySize: slots, backpackSize: 0 }),
    },
    itemTypes: { sword: item(), apple: item(), pear: item(pear), crown: item({ controls: { untradable: true } }) },
    variables: { a: { dataType: 'player' }, b: { dataType: 'player' } },
    scripts: {
      join: joinAs('trader', 300, 300),
      remember: script('playerJoinsGame', [
        { type: 'setVariable', variableName: 'b', value: playerOf('a') },
        { type: 'setVariable', variableName: 'a', value: { function: 'getTriggeringPlayer' } },
      ]),
      propose: script('playerCustomInput', [proposal]),
      ...scripts,
    },
  });
  const ann = game.sim.join({ name: 'Ann' });
  const ben = game.sim.join({ name: 'Ben' });
  game.ticks(2);
  const { world, game: core } = game;
  const outputs: string[] = [];
  game.sim.on('output', (event) => {
    if (event.kind === 'trade') outputs.push(`trade ${event.op}`);
    if (event.kind === 'chat') outputs.push(`chat ${event.op} ${event.text}`);
  });
  const unitOf = (player: Entity) => world.components.ownedUnits[rowOf(player)]!.selected;
  return {
    game,
    outputs,
    ann: ann.entity,
    ben: ben.entity,
    leave: () => ann.leave(),
    propose: () => {
      ann.answer('');
      game.ticks(1);
    },
    say: (player: Entity, input: TradeInput) => tradeInput(core, player, input),
    /** Offers the item in a slot: moves it to the first trade slot. */
    offer: (player: Entity, slot: number, table = 0) => swapSlots(core, unitOf(player), slot, slots + table),
    /** Takes back the first offered item, into a slot. */
    takeBack: (player: Entity, slot: number) => swapSlots(core, unitOf(player), slots, slot),
    has: (player: Entity) =>
      world.components.inventory[rowOf(unitOf(player))]!.slots.map((each) => {
        return world.exists(each) ? world.types.item.list[world.components.identity.type[rowOf(each)]!]!.key : '-';
      }),
    lying: () =>
      game.sim
        .entities('item')
        .filter((each) => world.components.carried.slot[rowOf(each)]! < 0)
        .map((each) => world.types.item.list[world.components.identity.type[rowOf(each)]!]!.key),
  };
}

type Market = ReturnType<typeof market>;

function give(it: Market, player: Entity, ...keys: string[]): void {
  const { world } = internalsOf(it.game.sim);
  for (const key of keys)
    giveItem(it.game.game, world.components.ownedUnits[rowOf(player)]!.selected, {
      type: world.types.item.get(key)!,
    });
}

function begun(slots = 2, pear: Json = {}, scripts: Json = {}): Market {
  const it = market(slots, pear, scripts);
  give(it, it.ann, 'sword');
  give(it, it.ben, 'apple', 'pear');
  it.propose();
  expect(it.say(it.ben, { type: 'start', with: it.ann })).toBe(true);
  return it;
}

describe('a trade', () => {
  test('exchanges the offers once both players accept', () => {
    const it = begun();
    it.offer(it.ann, 0);
    it.offer(it.ben, 1);
    expect(it.say(it.ann, { type: 'accept' })).toBe(true);
    expect(it.has(it.ann)[2]).toBe('sword');
    expect(it.say(it.ben, { type: 'accept' })).toBe(true);
    expect(it.has(it.ann)).toEqual(['pear', '-', '-', '-', '-', '-', '-']);
    expect(it.has(it.ben)).toEqual(['apple', 'sword', '-', '-', '-', '-', '-']);
    expect(it.outputs.filter((each) => each.startsWith('trade')).slice(-2)).toEqual(['trade success', 'trade success']);
    // The trade is over: no player can accept it again.
    expect(it.say(it.ann, { type: 'accept' })).toBe(false);
  });

  test('starts only with the player who proposed it, and only once', () => {
    const it = market();
    expect(it.say(it.ben, { type: 'start', with: it.ann })).toBe(false);
    it.propose();
    expect(it.say(it.ann, { type: 'start', with: it.ben })).toBe(false);
    expect(it.say(it.ben, { type: 'start', with: it.ben })).toBe(false);
    expect(it.say(it.ben, { type: 'start', with: it.ann })).toBe(true);
    expect(it.say(it.ben, { type: 'start', with: it.ann })).toBe(false);
  });

  test('cannot be accepted by players who do not trade', () => {
    const it = market();
    expect(it.say(it.ann, { type: 'accept' })).toBe(false);
    expect(it.say(it.ann, { type: 'offer' })).toBe(false);
    expect(it.say(it.ann, { type: 'cancel' })).toBe(false);
  });

  test.each([
    { case: 'the partner reports a changed offer', change: (it: Market) => it.say(it.ben, { type: 'offer' }) },
    { case: 'the partner takes an item back', change: (it: Market) => it.takeBack(it.ben, 1) },
    { case: 'the player takes its own item back', change: (it: Market) => it.takeBack(it.ann, 1) },
  ])('is no longer accepted when $case', ({ change }) => {
    const it = begun();
    it.offer(it.ann, 0);
    it.offer(it.ben, 1);
    it.say(it.ann, { type: 'accept' });
    expect(change(it)).toBe(true);
    it.say(it.ben, { type: 'accept' });
    expect(it.has(it.ann)).toContain('sword');
    expect(it.has(it.ben)).toContain('pear');
    expect(it.game.of('unitDroppedAnItem')).toEqual([]);
  });

  test('returns the offers when it is cancelled', () => {
    const it = begun();
    it.offer(it.ann, 0);
    it.offer(it.ben, 0);
    expect(it.say(it.ben, { type: 'cancel' })).toBe(true);
    expect(it.has(it.ann)).toEqual(['sword', '-', '-', '-', '-', '-', '-']);
    expect(it.has(it.ben)).toEqual(['apple', 'pear', '-', '-', '-', '-', '-']);
    expect(it.say(it.ann, { type: 'accept' })).toBe(false);
  });

  test('is cancelled when a player leaves', () => {
    const it = begun();
    it.offer(it.ben, 0);
    it.leave();
    it.game.ticks(1);
    expect(it.has(it.ben)).toEqual(['apple', 'pear', '-', '-', '-', '-', '-']);
    expect(it.say(it.ben, { type: 'accept' })).toBe(false);
  });

  test('that is being cancelled does not block a new one, even while its items are returned', () => {
    const it = begun(2, {}, { fallen: script('unitDroppedAnItem', [proposal]) });
    // There is no slot for the sword when it is taken back.
    it.offer(it.ann, 0);
    give(it, it.ann, 'apple', 'pear');
    const cid = it.game.sim.join({ name: 'Cid' });
    it.game.ticks(1);
    it.outputs.length = 0;
    expect(it.say(it.ann, { type: 'cancel' })).toBe(true);
    expect(it.lying()).toEqual(['sword']);
    // `b` is now Ben, who asks Cid.
    expect(it.outputs).toContain('trade init');
    expect(it.say(cid.entity, { type: 'start', with: it.ben })).toBe(true);
    expect(it.say(it.ann, { type: 'accept' })).toBe(false);
  });

  test('returns items for which the partner has no room', () => {
    const it = begun();
    give(it, it.ann, 'apple');
    // Ann gives nothing and has no free slot, so Ben gets the pear back.
    expect(it.has(it.ann).slice(0, 2)).toEqual(['sword', 'apple']);
    it.offer(it.ben, 1);
    it.say(it.ann, { type: 'accept' });
    it.say(it.ben, { type: 'accept' });
    expect(it.has(it.ann).slice(0, 2)).toEqual(['sword', 'apple']);
    expect(it.has(it.ben).slice(0, 2)).toEqual(['apple', 'pear']);
    expect(it.lying()).toEqual([]);
  });

  test('leaves items on the ground whose unit is destroyed meanwhile', () => {
    const gone = script('unitDroppedAnItem', [{ type: 'destroyEntity', entity: { function: 'getTriggeringUnit' } }]);
    const it = begun(2, {}, { gone });
    it.offer(it.ben, 1);
    give(it, it.ann, 'apple');
    it.say(it.ann, { type: 'accept' });
    expect(it.say(it.ben, { type: 'accept' })).toBe(true);
    expect(it.lying()).toEqual(['pear']);
    expect(it.game.faults()).toEqual([]);
  });

  test('refuses untradable items', () => {
    const it = begun();
    give(it, it.ann, 'crown');
    expect(it.offer(it.ann, 1)).toBe(false);
  });

  test('cannot be proposed by a player who is trading', () => {
    const it = begun();
    it.outputs.length = 0;
    it.propose();
    expect(it.outputs).toEqual([]);
    const third = it.game.sim.join({ name: 'Cid' });
    it.game.ticks(1);
    third.answer('');
    // `a` is now Cid and `b` is Ben. Ben is trading, so he makes no offer to others.
    it.game.ticks(1);
    expect(it.outputs).toEqual([]);
  });
});

test('a player who is trading is busy for others', () => {
  const it = begun();
  const third = it.game.sim.join({ name: 'Cid' });
  it.game.ticks(1);
  const { world } = internalsOf(it.game.sim);
  world.globals.values[world.globals.layout.slots.get('b')!] = world.ref(third.entity);
  world.globals.values[world.globals.layout.slots.get('a')!] = world.ref(it.ann);
  it.outputs.length = 0;
  it.propose();
  expect(it.outputs).toEqual(['chat system Ann is busy']);
  expect(it.say(it.ann, { type: 'start', with: third.entity })).toBe(false);
});

test('players trade by the inputs of their clients', () => {
  const it = market();
  give(it, it.ann, 'sword');
  it.propose();
  const refused: string[] = [];
  it.game.sim.on('refused', ({ input }) => refused.push(input.kind));
  const trade = (player: string, type: 'start' | 'offer' | 'accept' | 'cancel', partner?: string) => {
    it.game.sim.input({ kind: 'trade', player, type, ...(partner === undefined ? {} : { with: partner }) });
  };
  trade('p2', 'start', 'p9');
  trade('p2', 'start', 'p1');
  it.game.sim.input({ kind: 'swapItems', player: 'p1', from: 0, to: 2 });
  trade('p1', 'offer');
  trade('p1', 'accept');
  trade('p2', 'accept');
  it.game.ticks(1);
  expect(refused).toEqual(['trade']);
  expect(it.has(it.ben)[0]).toBe('sword');
});

test('a trade that ends during a selection does not revert the selection', () => {
  const kick = script('thisItemIsSelected', [{ type: 'kickPlayer', entity: playerOf('b'), message: '' }]);
  const it = begun(2, { scripts: { kick } });
  it.offer(it.ben, 0);
  const { world, game } = internalsOf(it.game.sim);
  const unit = world.components.ownedUnits[rowOf(it.ben)]!.selected;
  selectSlot(game, unit, 1);
  expect(world.exists(it.ann)).toBe(false);
  expect(it.has(it.ben).slice(0, 2)).toEqual(['apple', 'pear']);
  const { currentSlot, slots, heldItem } = world.components.inventory[rowOf(unit)]!;
  expect([currentSlot, heldItem]).toEqual([1, slots[1]]);
});

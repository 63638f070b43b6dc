import { describe, expect, test } from 'vitest';
import { buyItem, buyUnit, openShop, type PurchaseResult, shopOffers } from '../../../engine/rules/players/shop.ts';
import { type Entity, rowOf } from '../../../engine/world/entity.ts';
import type { OutputEvent } from '../../../engine/world/outbox.ts';
import { attribute, joinAs, type Play, type PlayOptions, play, script, unitType } from '../../support/play.ts';

type Json = Record<string, unknown>;

/** An item that lies in a slot without a body. */
function item(more: Json = {}): Json {
  return {
    name: 'item',
    type: 'other',
    quantity: 1,
    maxQuantity: 100,
    states: { selected: { name: 'selected', body: 'none' }, unselected: { name: 'unselected', body: 'none' } },
    ...more,
  };
}

/** The prices and conditions of an offer, in short form. */
interface Offer {
  readonly gold?: number;
  readonly coins?: number;
  readonly items?: Json;
  readonly needs?: Json;
  readonly needsItems?: Json;
  readonly more?: Json;
}

function offer({ gold, coins, items, needs, needsItems, more }: Offer = {}): Json {
  return {
    isPurchasable: true,
    price: {
      coins: coins ?? 0,
      requiredItemTypes: items ?? {},
      playerAttributes: gold === undefined ? {} : { gold },
    },
    requirement: { requiredItemTypes: needsItems ?? {}, playerAttributes: needs ?? {} },
    ...more,
  };
}

interface Market {
  /** Additional members of the buyer's type, and of the unit type that is sold. */
  readonly buyer?: Json;
  readonly knight?: Json;
  readonly offer?: Offer;
  readonly unitOffer?: Offer;
  /** The buyer's belongings at the start. */
  readonly carries?: readonly Json[];
  readonly slots?: number;
  readonly goods?: Json;
  readonly items?: Json;
  readonly options?: PlayOptions;
}

interface Visit {
  readonly game: Play;
  readonly player: Entity;
  readonly outputs: OutputEvent[];
  buy(key?: string): PurchaseResult;
  buyUnit(key?: string): PurchaseResult;
  gold(): number | undefined;
  /** Type and quantity of the item in each slot. */
  slots(): string[];
}

function visit(
  { offer: terms, unitOffer, carries, slots, goods, items, options, buyer, knight }: Market = {},
  isOpen = true,
): Visit {
  const game = play(
    {
      playerTypes: {
        human: {
          name: 'human',
          relationships: {},
          attributes: { gold: attribute(10), level: attribute(2) },
          variables: {},
        },
      },
      unitTypes: {
        buyer: unitType({ inventorySize: slots ?? 3, defaultItems: carries ?? [], ...buyer }),
        knight: unitType({ name: 'knight', ...knight }),
      },
      itemTypes: {
        sword: item({ name: 'sword', ...goods }),
        wood: item({ removeWhenEmpty: true }),
        stone: item(),
        ...items,
      },
      shops: {
        smith: {
          name: 'smith',
          itemTypes: { sword: offer(terms) },
          unitTypes: { knight: offer(unitOffer) },
        },
      },
      variables: { bought: { dataType: 'string', default: '' } },
      scripts: { join: joinAs('buyer') },
    },
    options,
  );
  const human = game.sim.join();
  game.ticks(2);
  const player = human.entity;
  const outputs: OutputEvent[] = [];
  game.sim.on('output', (event) => outputs.push(event));
  const { world } = game;
  if (isOpen) openShop(game.game, player, 'smith');
  return {
    game,
    player,
    outputs,
    buy: (key = 'sword') => buyItem(game.game, player, key),
    buyUnit: (key = 'knight') => buyUnit(game.game, player, key),
    gold: () => game.attribute('p1', 'gold'),
    slots: () =>
      world.components.inventory[rowOf(game.entity('u1'))]!.slots.flatMap((each) => {
        if (!world.exists(each)) return [];
        const row = rowOf(each);
        return [
          `${world.types.item.list[world.components.identity.type[row]!]!.key} ${world.components.stack.quantity[row]}`,
        ];
      }),
  };
}

const lot = (key: string) => ({ key });

describe('an item is sold', () => {
  test('for its price, to the selected unit, which fires a trigger', () => {
    const { game, buy, gold, slots, outputs } = visit({ offer: { gold: 4 } });
    expect(buy()).toBe('purchase');
    expect(gold()).toBe(6);
    expect(slots()).toEqual(['sword 1']);
    expect(game.of('playerPurchasesItem').map(({ payload }) => payload)).toEqual([{ item: 'i1', player: 'p1' }]);
    expect(
      outputs.filter((event) => event.kind === 'ui.shop').map(({ op, result, itemTypeId }) => [op, result, itemTypeId]),
    ).toEqual([
      ['open', undefined, undefined],
      ['response', 'purchase', 'sword'],
    ]);
  });

  test('for coins, attributes and items together', () => {
    const { buy, gold, slots, game } = visit({
      offer: { gold: 1, coins: 3, items: { wood: 1, stone: 1 } },
      carries: [lot('wood'), lot('stone')],
    });
    const row = rowOf(game.entity('p1'));
    const wallet = game.world.components.wallet[row]!;
    wallet.coins = 5;
    expect(buy()).toBe('purchase');
    expect(gold()).toBe(9);
    expect(wallet.coins).toBe(2);
    // Wood removes itself when it is empty, stone stays as an empty stack.
    expect(slots()).toEqual(['sword 1', 'stone 0']);
  });

  test.each([
    { case: 'in the quantity of its type', more: {}, quantity: 7 },
    { case: 'in the quantity of the offer', more: { quantity: 3 }, quantity: 3 },
    { case: "in the quantity of its type if the offer's is empty", more: { quantity: '' }, quantity: 7 },
  ])('$case', ({ more, quantity }) => {
    const { buy, slots } = visit({ offer: { more }, goods: { quantity: 7 } });
    buy();
    expect(slots()).toEqual([`sword ${quantity}`]);
  });

  test('into a stack if no slot is free', () => {
    const { buy, slots } = visit({ slots: 1 });
    expect([buy(), buy()]).toEqual(['purchase', 'purchase']);
    expect(slots()).toEqual(['sword 2']);
  });

  test('by the shop opened last, even after it was closed', () => {
    const { game, buy } = visit();
    game.world.post('ui.shop', { op: 'close' });
    expect(buy()).toBe('purchase');
  });

  test('into the slot that its price frees, if its type names that slot', () => {
    const market = { slots: 1, offer: { items: { wood: 1 } }, carries: [lot('wood')] };
    const { buy, slots } = visit({ ...market, goods: { controls: { permittedInventorySlots: [1] } } });
    expect(buy()).toBe('purchase');
    expect(slots()).toEqual(['sword 1']);
  });

  test('in place of another item, if the offer says so', () => {
    const market = { slots: 1, carries: [lot('stone')], goods: { controls: { permittedInventorySlots: [1] } } };
    expect(visit(market).buy()).toBe('inventory_full');
    const { buy, slots } = visit({ ...market, offer: { more: { replaceItemInTargetSlot: true } } });
    expect(buy()).toBe('purchase');
    expect(slots()).toEqual(['sword 1']);
  });

  test('for items of an endless stack, which stays endless', () => {
    const { buy, slots } = visit({
      offer: { items: { stone: 50 }, needsItems: { stone: 99 } },
      carries: [lot('stone')],
      items: { stone: item({ quantity: null }) },
    });
    expect(buy()).toBe('purchase');
    expect(slots()).toEqual(['stone Infinity', 'sword 1']);
  });

  test('for items of several stacks, slot by slot', () => {
    const { buy, slots } = visit({
      offer: { items: { wood: 3 } },
      carries: [lot('wood'), lot('wood'), lot('wood')],
      slots: 4,
      items: { wood: item({ removeWhenEmpty: true, maxQuantity: 2, quantity: 2, controls: { canMerge: false } }) },
    });
    expect(buy()).toBe('purchase');
    expect(slots()).toEqual(['sword 1', 'wood 1', 'wood 2']);
  });
});

describe('an item is not sold', () => {
  const level = (type: string, value: number): Market => ({ offer: { needs: { level: { type, value } } } });
  const wood: Market = { slots: 1, offer: { items: { wood: 1 } }, carries: [lot('wood')] };
  const stone: Market = { slots: 1, offer: { items: { stone: 1 } }, carries: [lot('stone')] };
  const refusals: readonly [what: string, market: Market, result: PurchaseResult, key?: string][] = [
    ['that the shop does not list', {}, 'not_sold', 'stone'],
    ['that does not exist', {}, 'not_sold', 'nonsense'],
    ['that is not for sale', { offer: { more: { isPurchasable: false } } }, 'not_purchasable'],
    ['for more than the player has', { offer: { gold: 11 } }, 'not_affordable'],
    ['for coins that the player lacks', { offer: { coins: 1 } }, 'not_affordable'],
    ['for items that the unit lacks', { offer: { items: { wood: 2 } }, carries: [lot('wood')] }, 'not_affordable'],
    [
      'for several items of which the first is missing',
      { offer: { items: { wood: 1, stone: 1 } }, carries: [lot('stone')] },
      'not_affordable',
    ],
    ['below a level', level('atleast', 3), 'requirement_not_met'],
    ['above a level', level('atmost', 1), 'requirement_not_met'],
    ['at another than the exact level', level('exactly', 1), 'requirement_not_met'],
    [
      'without all required items',
      { offer: { needsItems: { wood: 1, stone: 1 } }, carries: [lot('stone')] },
      'requirement_not_met',
    ],
    ['to units that may not carry it', { goods: { carriedBy: ['knight'] } }, 'cannot_carry'],
    ['without a free slot', { slots: 1, carries: [lot('stone')] }, 'inventory_full'],
    ['if only its price frees a slot that its type does not name', wood, 'inventory_full'],
    ['if its price frees no slot', stone, 'inventory_full'],
  ];

  test.each(refusals)('%s', (_what, market, result, key) => {
    const { game, player, buy, gold, slots, outputs } = visit({ ...market, offer: { gold: 1, ...market.offer } });
    const before = slots();
    const { coins } = game.world.components.wallet[rowOf(player)]!;
    const has = gold();
    // The shop says so beforehand of the things that it lists.
    const told = shopOffers(game.game, player);
    expect(told).toEqual({
      shopId: 'smith',
      refusals: { buyItem: key === undefined ? { sword: result } : {}, buyUnit: {} },
    });
    expect(buy(key)).toBe(result);
    // Nothing is paid, nothing is given, and no purchase trigger fires.
    expect(gold()).toBe(has);
    expect(slots()).toEqual(before);
    expect(game.world.components.wallet[rowOf(player)]!.coins).toBe(coins);
    expect(game.of('playerPurchasesItem')).toEqual([]);
    expect(outputs.at(-1)).toMatchObject({ kind: 'ui.shop', op: 'response', result, to: { player } });
  });

  test.each([
    { case: 'at least', needs: { level: { type: 'atleast', value: 2 } } },
    { case: 'at most', needs: { level: { type: 'atmost', value: 2 } } },
    { case: 'exactly', needs: { level: { type: 'exactly', value: 2 } } },
    { case: 'a bare number, which asks for nothing', needs: { level: 99 } },
    { case: 'an attribute that players do not have', needs: { fame: { type: 'atleast', value: 100 } } },
  ])('but it is sold at exactly the required level, $case', ({ needs }) => {
    expect(visit({ offer: { needs } }).buy()).toBe('purchase');
  });

  test.each([
    ['of a type that may not buy it', { goods: { canBePurchasedBy: ['knight'] } }, 'buy', 'not_for_this_unit'],
    ['of a type that may buy it', { goods: { canBePurchasedBy: ['knight', 'buyer'] } }, 'buy', 'purchase'],
    ['that does not buy items', { buyer: { canBuyItem: false } }, 'buy', 'not_for_this_unit'],
    ['that does not buy items, a unit type', { buyer: { canBuyItem: false } }, 'buyUnit', 'purchase'],
    [
      'a unit type that is not offered to it',
      { knight: { canBePurchasedBy: ['knight'] } },
      'buyUnit',
      'not_for_this_unit',
    ],
  ] as const)('to a unit %s, in standard only', (_about, market, verb, result) => {
    expect(visit(market)[verb]()).toBe(result);
    expect(visit({ ...market, options: { dialect: 'moddio' } })[verb]()).toBe('purchase');
  });

  test('if it is not purchasable, in standard only', () => {
    const market = { offer: { more: { isPurchasable: false } } };
    expect(visit(market).buy()).toBe('not_purchasable');
    expect(visit({ ...market, options: { dialect: 'moddio' } }).buy()).toBe('purchase');
    const unitMarket = { unitOffer: { more: { isPurchasable: false } }, options: { dialect: 'moddio' } } as const;
    expect(visit(unitMarket).buyUnit()).toBe('not_purchasable');
  });

  test('before a shop was opened', () => {
    expect(visit({}, false).buy()).toBe('no_shop');
  });

  test('to a player without a unit', () => {
    const { game, buy } = visit();
    const row = rowOf(game.entity('p1'));
    game.world.components.ownedUnits[row]!.selected = 0;
    expect(buy()).toBe('no_unit');
  });
});

describe('a unit type is sold', () => {
  test('for its price, which only fires a trigger', () => {
    const { game, buyUnit: buy, gold } = visit({ unitOffer: { gold: 7 } });
    expect(buy()).toBe('purchase');
    expect(gold()).toBe(3);
    expect(game.world.memory.lastPurchasedUnitType).toBe('knight');
    expect(game.of('playerPurchasesUnit').map(({ payload }) => payload)).toEqual([{ unit: 'u1', player: 'p1' }]);
    expect(game.sim.entities('unit').length).toBe(1);
  });

  test.each<[what: string, unitOffer: Offer, key: string, result: PurchaseResult]>([
    ['for more than the player has', { gold: 11 }, 'knight', 'not_affordable'],
    ['below a level', { needs: { level: { type: 'atleast', value: 3 } } }, 'knight', 'requirement_not_met'],
    ['if it is not purchasable', { more: { isPurchasable: false } }, 'knight', 'not_purchasable'],
    ['that the shop does not list', {}, 'buyer', 'not_sold'],
  ])('but not %s', (_what, unitOffer, key, result) => {
    const { game, player, buyUnit: buy, gold } = visit({ unitOffer });
    const { buyUnit } = shopOffers(game.game, player).refusals;
    expect(buyUnit).toEqual(key === 'knight' ? { knight: result } : {});
    expect(buy(key)).toBe(result);
    expect(gold()).toBe(10);
    expect(game.of('playerPurchasesUnit')).toEqual([]);
  });
});

test('scripts open shops and purchase dialogs', () => {
  const player = { function: 'getTriggeringPlayer' };
  const game = play({
    unitTypes: { buyer: unitType() },
    itemTypes: { sword: item() },
    shops: { smith: { name: 'smith', itemTypes: { sword: offer() } }, baker: { name: 'baker', itemTypes: {} } },
    scripts: {
      join: joinAs('buyer'),
      open: script('playerCustomInput', [
        { type: 'openShopForPlayer', shop: 'baker', player },
        { type: 'openShopForPlayer', shop: 'nonsense', player },
        { type: 'purchaseItemFromShop', shop: 'smith', itemType: 'sword', player },
        { type: 'purchaseItemFromShop', shop: 'baker', itemType: 'sword', player },
      ]),
    },
  });
  const outputs: unknown[] = [];
  game.sim.on('output', (event) => {
    if (event.kind === 'ui.shop') outputs.push([event.kind, event.op, event.shopId, event.itemTypeId]);
  });
  const human = game.sim.join();
  human.answer('');
  game.ticks(2);
  expect(outputs).toEqual([
    ['ui.shop', 'open', 'baker', undefined],
    ['ui.shop', 'purchase', 'smith', 'sword'],
  ]);
  expect(game.world.components.page[rowOf(human.entity)]!.shop).toBe('smith');
  expect(game.faults().map(({ code }) => code)).toEqual(['no-such-reference', 'no-such-reference']);
  game.sim.input({ kind: 'buyItem', player: 'p1', type: 'sword' });
  game.ticks(1);
  expect(game.of('playerPurchasesItem').length).toBe(1);
});

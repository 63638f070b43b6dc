import { describe, expect, test } from 'vitest';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { dropSlot, swapSlots } from '../../../engine/rules/items/inventory.ts';
import { changeUnitType } from '../../../engine/rules/lifecycle/unit-type.ts';
import { selectUnit } from '../../../engine/rules/players/ownership.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { attribute, itemType, play, unitType } from '../../support/play.ts';

const roomy = unitType({
  inventorySize: 1,
  backpackSize: 1,
  attributes: { health: attribute(50, { max: 100 }), mana: attribute(0, { max: 10 }) },
});

function charm(passive: unknown, more: Record<string, unknown> = {}) {
  return itemType({ controls: { canMerge: false }, bonus: { passive }, ...more });
}

describe('a passive bonus', () => {
  const cases: readonly [about: string, bonus: unknown, value: number, max: number, valueAfter: number][] = [
    ['flat: raises the maximum', { type: 'flat', value: 25 }, 50, 125, 50],
    ['without a type it is flat', { value: 25 }, 50, 125, 50],
    ['a bare number is flat', 25, 50, 125, 50],
    ['a maximum below the value lowers the value for good', { type: 'flat', value: -60 }, 40, 40, 40],
    ['percentage: raises value and maximum', { type: 'percentage', value: 50 }, 75, 150, 50],
    ['percentage: may be negative', { type: 'percentage', value: -50 }, 25, 50, 50],
  ];
  test.each(cases)('%s', (_about, bonus, value, max, valueAfter) => {
    const game = play({
      unitTypes: { unit: roomy },
      itemTypes: { charm: charm({ unitAttribute: { health: bonus, luck: bonus } }) },
    });
    const unit = game.unit();
    const bounds = () => [
      game.attribute('u1', 'health'),
      game.world.attributes.max[game.world.components.attributes.start[unit & 0xfffff]!],
    ];
    game.give(unit, 'charm');
    expect(bounds()).toEqual([value, max]);
    dropSlot(game.game, unit, 0);
    expect(bounds()).toEqual([valueAfter, 100]);
  });

  test('in percent treats a value of 0 as 1', () => {
    const game = play({
      unitTypes: { unit: roomy },
      itemTypes: { charm: charm({ unitAttribute: { mana: { type: 'percentage', value: 50 } } }) },
    });
    game.give(game.unit(), 'charm');
    expect(game.attribute('u1', 'mana')).toBe(1.5);
  });

  const maxOf = (game: ReturnType<typeof play>) =>
    game.world.attributes.max[game.world.components.attributes.start[game.entity('u1') & 0xfffff]!];
  const flat = { unitAttribute: { health: { type: 'flat', value: 7 } } };

  test('counts in the backpack too, unless it says otherwise', () => {
    const everywhere = play({ unitTypes: { unit: roomy }, itemTypes: { charm: charm(flat) } });
    const unit = everywhere.unit();
    everywhere.give(unit, 'charm');
    everywhere.give(unit, 'charm');
    expect(maxOf(everywhere)).toBe(114);
    swapSlots(everywhere.game, unit, 0, 1);
    expect(maxOf(everywhere)).toBe(114);

    const game = play({
      unitTypes: { unit: roomy },
      itemTypes: { charm: charm({ ...flat, isDisabledInBackpack: true }) },
    });
    const other = game.unit();
    game.give(other, 'charm');
    game.give(other, 'charm');
    expect(maxOf(game)).toBe(107);
    dropSlot(game.game, other, 1);
    expect(maxOf(game)).toBe(107);
    swapSlots(game.game, other, 0, 1);
    expect(maxOf(game)).toBe(100);
    swapSlots(game.game, other, 1, 0);
    expect(maxOf(game)).toBe(107);
    destroyEntity(game.game, game.entity('i1'));
    expect(maxOf(game)).toBe(100);
  });

  test('is neither added nor removed for a unit that may not use the item', () => {
    const game = play({ unitTypes: { unit: roomy }, itemTypes: { charm: charm(flat, { canBeUsedBy: ['other'] }) } });
    const unit = game.unit();
    game.give(unit, 'charm');
    expect(maxOf(game)).toBe(100);
    dropSlot(game.game, unit, 0);
    expect(maxOf(game)).toBe(100);
  });

  test('for players applies only to the player who has the unit selected', () => {
    const playerTypes = { human: { name: 'human', attributes: { pts: attribute(5, { max: 10 }) } } };
    const game = play({
      playerTypes,
      unitTypes: { unit: roomy },
      itemTypes: { charm: charm({ playerAttribute: { pts: 3 } }) },
    });
    const player = game.player(1);
    const max = () => game.world.attributes.max[game.world.components.attributes.start[player & 0xfffff]!];
    const [first, second] = [game.unit(), game.unit({ x: 100 })];
    game.give(second, 'charm');
    expect(max()).toBe(10);
    game.give(first, 'charm');
    expect(max()).toBe(13);
    // A unit that the player selects later does not matter.
    selectUnit(game.game, player, second);
    dropSlot(game.game, first, 0);
    expect(max()).toBe(10);
    dropSlot(game.game, second, 0);
    expect(max()).toBe(10);
  });

  test('applies once after the unit changes its type', () => {
    const big = { ...roomy, attributes: { health: attribute(1, { max: 200 }) } };
    const types = {
      charm: charm({ unitAttribute: { health: { type: 'flat', value: 25 } } }),
      oil: charm({ unitAttribute: { health: { type: 'percentage', value: 50 } } }),
    };
    const game = play({
      unitTypes: { unit: { ...roomy, attributes: { health: attribute(100, { max: 100 }) } }, big },
      itemTypes: types,
    });
    const unit = game.unit();
    game.give(unit, 'oil');
    expect([game.attribute('u1', 'health'), maxOf(game)]).toEqual([150, 150]);
    changeUnitType(game.game, unit, game.world.types.unit.get('big')!);
    expect([game.attribute('u1', 'health'), maxOf(game)]).toEqual([150, 300]);
    changeUnitType(game.game, unit, game.world.types.unit.get('unit')!);
    expect([game.attribute('u1', 'health'), maxOf(game)]).toEqual([150, 150]);
    dropSlot(game.game, unit, 0);
    expect([game.attribute('u1', 'health'), maxOf(game)]).toEqual([100, 100]);
  });
});

test.each([
  ['standard', 7],
  ['moddio', 0],
] as const)('coins of a consumable are added to the player in standard only: %s', (dialect, coins) => {
  const purse = itemType({ type: 'consumable', isUsedOnPickup: true, bonus: { consume: { coin: 7 } } });
  const game = play({ itemTypes: { purse } }, { dialect });
  game.give(game.unit(), 'purse');
  expect(game.of('itemIsUsed')).toHaveLength(1);
  expect(game.world.components.wallet[rowOf(game.player(1))]!.coins).toBe(coins);
});

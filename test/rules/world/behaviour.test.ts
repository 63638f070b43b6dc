import { describe, expect, test } from 'vitest';
import type { Entity } from '../../../engine/index.ts';
import { setAttributeRate } from '../../../engine/rules/entities/attribute.ts';
import { createItem } from '../../../engine/rules/items/item.ts';
import { useOnce } from '../../../engine/rules/items/use.ts';
import { rowOf } from '../../../engine/tools.ts';
import { attribute, body, type Play, play, script } from '../../support/play.ts';

/** An entity with a body that lies in the world. */
function lying(type: Record<string, unknown> = {}): { game: Play; item: Entity } {
  const game = play({
    variables: { n: { dataType: 'number', default: 0 } },
    itemTypes: {
      pebble: {
        name: 'pebble',
        type: 'consumable',
        attributes: { charge: attribute(10) },
        states: { dropped: { name: 'dropped', body: 'dropped' } },
        bodies: { dropped: body({ allowSleep: true }) },
        ...type,
      },
    },
  });
  const item = createItem(game.game, { type: 'pebble', x: 300, y: 300, angle: 0 });
  game.seconds(2);
  return { game, item };
}

/** An item at rest is not visited in the pass over the entities; each of these must make it visited again. */
describe('an item at rest on the ground', () => {
  test('stays where it is', () => {
    const { game, item } = lying();
    const { x, y } = game.world.components.transform;
    expect([x[rowOf(item)], y[rowOf(item)]]).toEqual([300, 300]);
  });

  test('receives queued triggers', () => {
    const items = [{ operator: '+' }, { function: 'getVariable', variableName: 'n' }, 1];
    const add = { type: 'setVariable', variableName: 'n', value: { function: 'calculate', items } };
    const { game } = lying({ scripts: { tick: script('secondTick', [add]) } });
    const before = game.variable('n');
    game.seconds(3);
    expect(game.variable('n')).toBe((before as number) + 3);
  });

  test('regenerates once it has a rate', () => {
    const { game, item } = lying();
    setAttributeRate(game.game, item, 'charge', 2);
    game.seconds(5);
    expect(game.attribute('i1', 'charge')).toBeCloseTo(20, 9);
  });

  test('moves when its velocity is set before it has a body', () => {
    const { game, item } = lying();
    const other = createItem(game.game, { type: 'pebble', x: 600, y: 300, angle: 0 });
    game.game.physics.setVelocity(other, 3, 0);
    game.seconds(1);
    const { x } = game.world.components.transform;
    expect(x[rowOf(other)]).toBeGreaterThan(620);
    expect(x[rowOf(item)]).toBe(300);
  });

  test('processes a pending use', () => {
    const { game, item } = lying();
    useOnce(game.game, item);
    expect(game.world.components.itemUse.usePending[rowOf(item)]).toBe(1);
    game.ticks(1);
    expect(game.world.components.itemUse.usePending[rowOf(item)]).toBe(0);
  });

  test('is destroyed when its life span ends', () => {
    const { game, item } = lying({ lifeSpan: 2500 });
    expect(game.world.exists(item)).toBe(true);
    game.seconds(1);
    expect(game.world.exists(item)).toBe(false);
  });
});

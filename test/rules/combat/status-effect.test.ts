import { describe, expect, test } from 'vitest';
import { attack } from '../../../engine/rules/ai/ai-orders.ts';
import { enableAi } from '../../../engine/rules/ai/ai-switch.ts';
import { removeStun, stunUnit } from '../../../engine/rules/combat/status-effect.ts';
import { startUsing } from '../../../engine/rules/items/use.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { itemType, play, unitType } from '../../support/play.ts';
import { noting, trailOf, trailVariable } from '../../support/trail.ts';

const forGood = Number.POSITIVE_INFINITY;

/** Ann steers `u1` and uses its binding `e`; it stands to the left of `u2`, a hunter of player 1. */
function scene() {
  const controls = {
    movementControlScheme: 'wasd',
    movementMethod: 'velocity',
    abilities: { e: { keyDown: { scriptName: 'down' }, keyUp: { scriptName: 'up' } } },
    mouseBehaviour: { rotateToFaceMouseCursor: true },
  };
  const s = play({
    variables: trailVariable,
    scripts: { down: noting('down'), up: noting('up') },
    unitTypes: {
      unit: unitType({ controls, bodies: { default: { ...body, fixedRotation: false } } }),
      hunter: unitType({
        bodies: { default: { ...body, linearDamping: 20 } },
        ai: {
          enabled: false,
          pathFindingMethod: 'simple',
          idleBehaviour: 'stay',
          sensorResponse: 'none',
          attackResponse: 'none',
          sensorRadius: 0,
          maxAttackRange: 60,
        },
      }),
    },
    itemTypes: { torch: itemType() },
  });
  const ann = s.sim.join();
  s.ticks(1);
  const unit = s.unit({ owner: ann.entity, x: 300 });
  const hunter = s.unit({ type: 'hunter', x: 900 });
  s.ticks(1);
  return { s, ann, unit, hunter };
}

const body = (unitType()['bodies'] as Record<string, Record<string, unknown>>)['default']!;

describe('a stunned unit', () => {
  test('does not walk, turn, select slots or run key bindings until the stun ends', () => {
    const { s, ann, unit } = scene();
    stunUnit(s.game, unit, forGood);
    ann.press('d');
    ann.press('e');
    ann.press('2');
    ann.pointAt(300, 900);
    s.ticks(3);
    expect(s.game.physics.velocityX(unit)).toBe(0);
    expect(s.world.components.transform.angle[rowOf(unit)]).toBe(0);
    expect(s.world.components.inventory[rowOf(unit)]!.currentSlot).toBe(0);
    expect(trailOf(s)).toBe('');
    removeStun(s.world, unit);
    s.ticks(2);
    expect(s.game.physics.velocityX(unit)).toBeCloseTo(10, 6);
    expect(Math.abs(s.world.components.transform.angle[rowOf(unit)]!)).toBeCloseTo(Math.PI, 6);
    ann.release('e');
    ann.press('e');
    s.ticks(1);
    expect(trailOf(s)).toBe('up down');
  });

  test('stops using its item', () => {
    const { s, unit } = scene();
    const torch = s.give(unit, 'torch');
    startUsing(s.game, torch);
    stunUnit(s.game, unit, forGood);
    expect(s.world.components.itemUse.beingUsed[rowOf(torch)]).toBe(0);
    expect(s.of('unitStopsUsingAnItem')).toHaveLength(1);
  });

  test('is not moved by its AI, which continues afterwards', () => {
    const { s, unit, hunter } = scene();
    enableAi(s.game, hunter);
    attack(s.game, hunter, unit);
    s.ticks(3);
    expect(s.game.physics.velocityX(hunter)).toBeLessThan(-3);
    stunUnit(s.game, hunter, s.world.clock.nowMs + 500);
    s.ticks(8);
    expect(s.game.physics.velocityX(hunter)).toBeGreaterThan(-1);
    s.ticks(4);
    expect(s.game.physics.velocityX(hunter)).toBeLessThan(-3);
  });

  test('a shorter stun does not end a longer one', () => {
    const { s, unit } = scene();
    stunUnit(s.game, unit, forGood);
    stunUnit(s.game, unit, s.world.clock.nowMs + 50);
    s.ticks(10);
    expect(s.world.components.statusEffects.stunEndsAtMs[rowOf(unit)]).toBe(forGood);
  });
});

import { describe, expect, test } from 'vitest';
import { createProjectile } from '../../../engine/rules/combat/projectile.ts';
import { hideEntity, showEntity } from '../../../engine/rules/entities/visibility.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { thinker } from '../../support/ai-scene.ts';
import { attribute, body, itemType, joinAs, play, projectileType, script, unitType } from '../../support/play.ts';
import { noting, trailOf, trailVariable } from '../../support/trail.ts';

/** A player whose unit walks to the right. */
function walking() {
  const s = play({ scripts: { join: joinAs('unit') } });
  const ann = s.sim.join();
  s.ticks(1);
  ann.press('d');
  s.ticks(3);
  const unit = ann.unit!.entity;
  return {
    s,
    ann,
    unit,
    x: () => s.world.components.transform.x[rowOf(unit)]!,
    told: () => s.announced.map(({ type }) => type).filter((type) => type.endsWith('Moving')),
  };
}

describe('a unit that is hidden while it walks', () => {
  test('stops at once, which fires a trigger', () => {
    const { s, unit, x, told } = walking();
    expect(told()).toEqual(['unitStartsMoving']);
    hideEntity(s.game, unit);
    expect(told()).toEqual(['unitStartsMoving', 'unitStopsMoving']);
    const at = x();
    s.ticks(10);
    expect(x()).toBe(at);
    hideEntity(s.game, unit);
    expect(told()).toHaveLength(2);
  });

  test.each([
    ['continues when it is shown if its key is still held', true],
    ['stays where it is when it is shown if its key was released', false],
  ])('%s', (_rule, isHeld) => {
    const { s, ann, unit, x, told } = walking();
    hideEntity(s.game, unit);
    if (!isHeld) ann.release('d');
    s.ticks(3);
    const at = x();
    showEntity(s.game, unit);
    s.ticks(3);
    expect(x() > at).toBe(isHeld);
    expect(told()).toEqual(['unitStartsMoving', 'unitStopsMoving', ...(isHeld ? ['unitStartsMoving'] : [])]);
  });
});

describe('a hidden unit', () => {
  /**
   * `u1` with a regenerating attribute and a torch in its hand, and `u2`, a hunter that senses each unit that comes
   * near.
   */
  function scene() {
    const s = play({
      variables: trailVariable,
      itemTypes: { torch: itemType({ bodies: { selected: body({ width: 10, height: 10 }) } }) },
      unitTypes: {
        unit: unitType({
          attributes: { health: attribute(10, { max: 100, regenerateSpeed: 20 }) },
          bodies: { default: body() },
          scripts: { second: noting('second', 'secondTick') },
        }),
        hunter: thinker({ sensorRadius: 300, sensorResponse: 'fight', pathFindingMethod: 'simple' }),
      },
    });
    const unit = s.unit({ owner: s.player(2, 'foe'), x: 500 });
    const torch = s.give(unit, 'torch');
    s.ticks(1);
    return { s, unit, torch };
  }

  test('has no body and no contacts, and its items are hidden with it', () => {
    const { s, unit, torch } = scene();
    expect([s.game.physics.hasBody(unit), s.game.physics.hasBody(torch)]).toEqual([true, true]);
    hideEntity(s.game, unit);
    s.ticks(1);
    expect([s.game.physics.hasBody(unit), s.game.physics.hasBody(torch)]).toEqual([false, false]);
    const { hidden } = s.world.components.visibility;
    expect([hidden[rowOf(unit)], hidden[rowOf(torch)]]).toEqual([1, 1]);
    s.unit({ x: 500 });
    s.ticks(3);
    expect(s.of('unitTouchesUnit')).toEqual([]);
    showEntity(s.game, unit);
    s.ticks(2);
    expect([hidden[rowOf(unit)], hidden[rowOf(torch)]]).toEqual([0, 0]);
    expect([s.game.physics.hasBody(unit), s.game.physics.hasBody(torch)]).toEqual([true, true]);
    expect(s.of('unitTouchesUnit')).toHaveLength(2);
  });

  test('receives no queued triggers and does not regenerate, but ages', () => {
    const { s, unit } = scene();
    hideEntity(s.game, unit);
    const before = s.attribute('u1', 'health');
    s.seconds(3);
    expect([trailOf(s), s.attribute('u1', 'health')]).toEqual(['', before]);
    s.world.components.lifespan.deathTimeMs[rowOf(unit)] = s.world.clock.nowMs + 500;
    showEntity(s.game, unit);
    hideEntity(s.game, unit);
    s.seconds(1);
    expect(s.world.exists(unit)).toBe(false);
  });

  test('is not detected by AI, which drops it as its target', () => {
    const { s, unit } = scene();
    const hunter = s.unit({ type: 'hunter', owner: s.player(1), x: 700 });
    s.ticks(3);
    const ai = s.world.components.ai[rowOf(hunter)];
    expect(ai!.target).toBe(unit);
    hideEntity(s.game, unit);
    s.ticks(2);
    expect([ai!.target, ai!.mode]).toEqual([0, 'idle']);
    s.seconds(1);
    expect(ai!.target).toBe(0);
    showEntity(s.game, unit);
    s.ticks(3);
    expect(ai!.target).toBe(unit);
  });

  test('has its AI disabled until it is shown', () => {
    const { s } = scene();
    const hunter = s.unit({ type: 'hunter', owner: s.player(1), x: 700 });
    const { ai } = s.world.components;
    hideEntity(s.game, hunter);
    expect(ai[rowOf(hunter)]!.enabled).toBe(false);
    showEntity(s.game, hunter);
    expect(ai[rowOf(hunter)]!.enabled).toBe(true);
  });
});

describe('items and projectiles', () => {
  test('are hidden and shown with their bodies', () => {
    const s = play({ itemTypes: { stone: itemType() }, projectileTypes: { ball: projectileType() } });
    const item = s.item('stone');
    const ball = createProjectile(s.game, { type: 'ball', x: 100, y: 100, angle: 0 });
    const present = () => [item, ball].map((entity) => s.game.physics.hasBody(entity));
    s.ticks(1);
    expect(present()).toEqual([true, true]);
    for (const entity of [item, ball]) hideEntity(s.game, entity);
    s.ticks(1);
    expect(present()).toEqual([false, false]);
    for (const entity of [item, ball]) showEntity(s.game, entity);
    s.ticks(1);
    expect(present()).toEqual([true, true]);
  });
});

test('invisibility of a unit only affects clients: contacts continue', () => {
  const s = play({
    scripts: { vanish: script([], [{ type: 'makeUnitInvisible', entity: { function: 'getTriggeringUnit' } }]) },
  });
  const told: unknown[] = [];
  s.sim.on('output', ({ kind, ...details }) => {
    if (kind === 'entity.style') told.push(details);
  });
  const unit = s.unit({ x: 500 });
  s.world.triggers.runScript('vanish', 0, { unit });
  s.unit({ x: 510, owner: s.player(2, 'foe') });
  s.ticks(2);
  expect(told).toMatchObject([{ entityId: 'u1', value: true }]);
  expect(s.world.components.visibility.hidden[rowOf(unit)]).toBe(0);
  expect(s.of('unitTouchesUnit')).toHaveLength(2);
});

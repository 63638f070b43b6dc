import { describe, expect, test } from 'vitest';
import { hideEntity, showEntity } from '../../../engine/rules/entities/visibility.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { append, delayed, setVariable } from '../../support/actions.ts';
import { type FullGame, fullGame } from '../../support/full-game.ts';
import { body, itemType, type Play, play, script, unitType } from '../../support/play.ts';

/** Touches, enters and leaves, with their payloads, in order. */
function told(s: Play): string[] {
  return s.announced
    .filter(({ type }) => /Touches|Enters|Leaves(Region|Sensor)/.test(type))
    .map(({ type, entity, payload }) =>
      `${entity === undefined ? '' : `${entity}: `}${type} ${Object.entries(payload)
        .map(([key, value]) => `${key}=${value}`)
        .join(' ')}`.trim(),
    );
}

test('a contact of two units fires for each in turn, global scripts first, then its own', () => {
  const s = play();
  s.unit({ x: 500 });
  s.unit({ x: 510 });
  s.ticks(1);
  expect(told(s)).toEqual([
    'unitTouchesUnit unit=u1',
    'u1: entityTouchesUnit unit=u2',
    'unitTouchesUnit unit=u2',
    'u2: entityTouchesUnit unit=u1',
  ]);
  s.ticks(1);
  expect(told(s)).toHaveLength(4);
});

describe('a script of a contact', () => {
  const unit = { function: 'getTriggeringUnit' };
  const note = (text: unknown) => append('log', text);
  const met = (actions: unknown[]) =>
    play({
      variables: { log: { dataType: 'string', default: '' } },
      scripts: { touch: script('unitTouchesUnit', actions) },
    });

  test('finds bodies where they are after the step', () => {
    // The left one moves 15 px a step. It covers 480 to 520 before the step of the touch, and 495 to 535 after it.
    const inStrip = (x: number) => ({
      function: 'elementCount',
      object: { function: 'allUnitsInRegion', region: { x, y: 600, width: 4, height: 80 } },
    });
    const s = play({
      unitTypes: {
        unit: unitType({ bodies: { default: body({ fixtures: [{ density: 1, isSensor: true }] }) } }),
      },
      variables: { behind: { dataType: 'number' }, ahead: { dataType: 'number' } },
      scripts: {
        touch: script('unitTouchesUnit', [setVariable('behind', inStrip(482)), setVariable('ahead', inStrip(526))]),
      },
    });
    const mover = s.unit({ x: 440 });
    s.unit({ x: 539 });
    s.ticks(1);
    for (let i = 0; i < 10 && s.of('unitTouchesUnit').length === 0; i++) {
      s.game.physics.setVelocity(mover, 10, 0);
      s.ticks(1);
    }
    expect(s.world.components.transform.x[rowOf(mover)]).toBeCloseTo(500);
    expect([s.variable('behind'), s.variable('ahead')]).toEqual([0, 2]);
  });

  test('keeps its triggering unit in delayed actions', () => {
    const later = [note({ function: 'getEntityId', entity: unit }), note(' ')];
    const s = met([delayed(10, ...later)]);
    s.unit({ x: 500 });
    s.unit({ x: 510 });
    s.ticks(2);
    expect(s.sim.variable('log')).toBe('u1 u2 ');
  });

  test('sees the velocities at the collision', () => {
    const s = met([note({ function: 'getEntityVelocityX', entity: unit }), note(' ')]);
    const fast = s.unit({ x: 500 });
    s.unit({ x: 550 });
    s.ticks(1);
    s.game.physics.setVelocity(fast, 12, 0);
    s.ticks(3);
    expect(s.sim.variable('log')).toBe('12.00 0.00 ');
  });
});

describe('a region', () => {
  test('fires for own scripts first', () => {
    const s = play({
      variables: { yard: { dataType: 'region', default: { x: 300, y: 300, width: 100, height: 100 } } },
    });
    const unit = s.unit({ x: 350, y: 350 });
    s.ticks(1);
    expect(told(s)).toEqual(['u1: entityEntersRegion unit=u1 region=r:yard', 'unitEntersRegion unit=u1 region=r:yard']);
    s.game.physics.teleportTo(unit, 900, 900);
    s.ticks(2);
    expect(told(s).slice(2)).toEqual([
      'u1: entityLeavesRegion unit=u1 region=r:yard',
      'unitLeavesRegion unit=u1 region=r:yard',
    ]);
  });
});

/** Everything collides with everything; debris is at 1000, 200 and a wall at 160, 160. */
function solids(data: Record<string, unknown> = {}): FullGame {
  return fullGame({}, data);
}

describe('other pairs fire for the older body first, global scripts before its own', () => {
  const pairs: readonly [about: string, make: (s: FullGame) => void, heard: readonly string[]][] = [
    [
      'a unit and an item',
      (s) => {
        s.unit({ x: 500, y: 500 });
        s.item('crate', { x: 505, y: 500 });
      },
      [
        'unitTouchesItem unit=u1 item=i1',
        'u1: entityTouchesItem unit=u1 item=i1',
        'itemTouchesUnit item=i1',
        'i1: entityTouchesUnit item=i1 unit=u1',
      ],
    ],
    [
      'an item and a unit',
      (s) => {
        s.item('crate', { x: 505, y: 500 });
        s.unit({ x: 500, y: 500 });
      },
      [
        'itemTouchesUnit item=i1',
        'i1: entityTouchesUnit item=i1 unit=u1',
        'unitTouchesItem unit=u1 item=i1',
        'u1: entityTouchesItem unit=u1 item=i1',
      ],
    ],
    [
      'a projectile and a unit',
      (s) => {
        s.ball(505, 500);
        s.unit({ x: 500, y: 500 });
      },
      [
        'projectileTouchesUnit projectile=b1',
        'b1: entityTouchesUnit projectile=b1 unit=u1',
        'unitTouchesProjectile unit=u1 projectile=b1 collidingEntity=u1',
        'u1: entityTouchesProjectile unit=u1 projectile=b1 collidingEntity=u1',
      ],
    ],
    [
      'an item and a projectile',
      (s) => {
        s.item('crate', { x: 500, y: 500 });
        s.ball(505, 500);
      },
      [
        'itemTouchesProjectile item=i1 projectile=b1 collidingEntity=i1',
        'i1: entityTouchesProjectile item=i1 projectile=b1 collidingEntity=i1',
        'projectileTouchesItem projectile=b1 item=i1',
        'b1: entityTouchesItem projectile=b1 item=i1',
      ],
    ],
    [
      'two items',
      (s) => {
        s.item('crate', { x: 500, y: 500 });
        s.item('crate', { x: 505, y: 500 });
      },
      [
        'itemTouchesItem item=i1',
        'i1: entityTouchesItem item=i2',
        'itemTouchesItem item=i2',
        'i2: entityTouchesItem item=i1',
      ],
    ],
    [
      'two projectiles',
      (s) => {
        s.ball(500, 500);
        s.ball(505, 500);
      },
      [
        'projectileTouchesProjectile projectile=b1 collidingEntity=b1',
        'b1: entityTouchesProjectile projectile=b2 collidingEntity=b1',
        'projectileTouchesProjectile projectile=b2 collidingEntity=b2',
        'b2: entityTouchesProjectile projectile=b1 collidingEntity=b2',
      ],
    ],
    ['a unit and a wall', (s) => void s.unit({ x: 160, y: 160 }), ['unitTouchesWall unit=u1', 'u1: entityTouchesWall']],
    [
      'an item and a wall',
      (s) => void s.item('crate', { x: 160, y: 160 }),
      ['itemTouchesWall item=i1', 'i1: entityTouchesWall'],
    ],
    [
      'a projectile and a wall',
      (s) => void s.ball(160, 160),
      ['projectileTouchesWall projectile=b1', 'b1: entityTouchesWall'],
    ],
    ['a unit and debris', (s) => void s.unit({ x: 1000, y: 220 }), ['unitTouchesDebris unit=u1 debris=d1']],
    [
      'a projectile and debris',
      (s) => void s.ball(1000, 220),
      ['projectileTouchesDebris projectile=b1 debris=d1 collidingEntity=d1'],
    ],
  ];
  test.each(pairs)('%s', (_about, make, heard) => {
    const s = solids();
    s.ticks(2);
    s.hush();
    make(s);
    s.ticks(1);
    expect(told(s)).toEqual(heard);
  });

  test('a held item with a body has contacts', () => {
    const s = play({ itemTypes: { lance: itemType({ bodies: { selected: body({ width: 10, height: 10 }) } }) } });
    const unit = s.unit({ x: 500, y: 500 });
    s.give(unit, 'lance');
    s.unit({ x: 500, y: 545 });
    s.ticks(3);
    expect(s.of('itemTouchesUnit').length + s.of('unitTouchesItem').length).toBeGreaterThan(0);
  });
});

describe('a contact sets the last touched entity of its kind', () => {
  test.each([
    ['touchedItem', 'i1'],
    ['touchingUnit', 'u1'],
    ['touchedUnit', 'u1'],
  ] as const)('%s', (member, id) => {
    const s = solids();
    s.unit({ x: 500, y: 500 });
    s.item('crate', { x: 505, y: 500 });
    s.ticks(1);
    expect(s.id(s.world.memory.last[member])).toBe(id);
  });

  test('touchedProjectile and touchedDebris', () => {
    const s = solids();
    s.unit({ x: 500, y: 500 });
    s.ball(505, 500);
    s.ticks(1);
    expect(s.id(s.world.memory.last.touchedProjectile)).toBe('b1');
    s.unit({ x: 1000, y: 220 });
    s.ticks(1);
    expect(s.id(s.world.memory.last.touchedDebris)).toBe('d1');
  });
});

describe('a contact', () => {
  test('fires once until the two part and meet again', () => {
    const s = solids();
    const unit = s.unit({ x: 500, y: 500 });
    s.item('crate', { x: 530, y: 500 });
    s.ticks(5);
    expect(s.of('unitTouchesItem')).toHaveLength(1);
    s.move(unit, 800, 800);
    expect(s.of('unitTouchesItem')).toHaveLength(1);
    const item = s.entity('i1');
    const { x, y } = s.world.components.transform;
    s.move(unit, x[rowOf(item)]!, y[rowOf(item)]!);
    expect(s.of('unitTouchesItem')).toHaveLength(2);
  });

  test('fires again when a body is rebuilt', () => {
    const s = solids();
    s.unit({ x: 500, y: 500 });
    const item = s.item('crate', { x: 500, y: 500 });
    s.ticks(2);
    s.hush();
    hideEntity(s.game, item);
    s.ticks(1);
    showEntity(s.game, item);
    s.ticks(1);
    expect(s.of('unitTouchesItem')).toHaveLength(1);
  });

  test('does not exist if either body ignores the other', () => {
    const s = solids();
    s.unit({ type: 'ghost', x: 500, y: 500 });
    s.item('crate', { x: 500, y: 500 });
    s.ball(500, 505);
    s.ticks(2);
    expect(told(s).filter((line) => line.includes('u1'))).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { resizeSensor } from '../../../engine/rules/ai/sensor.ts';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { hideEntity, showEntity } from '../../../engine/rules/entities/visibility.ts';
import { pickUpItem } from '../../../engine/rules/items/pick-up.ts';
import { changeUnitType } from '../../../engine/rules/lifecycle/unit-type.ts';
import { resizeRegion } from '../../../engine/rules/world/region.ts';
import type { Entity } from '../../../engine/world/entity.ts';
import { type FullGame, fullGame } from '../../support/full-game.ts';

/** Entering or leaving a region or a sensor fires a trigger, however it happens. The yard: 1000..1200 on both axes. */

type Kind = 'unit' | 'item' | 'projectile';

const make: Readonly<Record<Kind, (s: FullGame, x: number, y: number) => Entity>> = {
  unit: (s, x, y) => s.unit({ x, y }),
  item: (s, x, y) => s.item('crate', { x, y }),
  projectile: (s, x, y) => s.ball(x, y),
};
const kinds = Object.keys(make) as Kind[];
const inside = [1100, 1040] as const;
const outside = [400, 1100] as const;

/**
 * Global and own triggers about the yard since the last `hush`, one letter each: `E`nters, `L`eaves; own ones in lower
 * case.
 */
function told(s: FullGame): string {
  return s.announced
    .flatMap(({ type, entity, payload }) => {
      const way = /(Enters|Leaves)Region$/.exec(type)?.[1];
      if (way === undefined || payload['region'] !== 'r:yard' || type.startsWith('debris')) return [];
      return [entity === undefined ? way[0]! : way[0]!.toLowerCase()];
    })
    .join('');
}

function settled(kind: Kind, at: readonly [number, number]): { s: FullGame; it: Entity } {
  const s = fullGame();
  const it = make[kind](s, ...at);
  s.ticks(3);
  s.hush();
  return { s, it };
}

describe.each(kinds)('a region fires for a %s', (kind) => {
  test('that is created inside, and not outside', () => {
    const s = fullGame();
    make[kind](s, ...outside);
    s.ticks(2);
    expect(told(s)).toBe('');
    make[kind](s, ...inside);
    s.ticks(2);
    expect(told(s)).toBe('eE');
  });

  test('that is moved in and out', () => {
    const { s, it } = settled(kind, outside);
    s.move(it, ...inside);
    expect(told(s)).toBe('eE');
    s.move(it, ...outside);
    expect(told(s)).toBe('eElL');
  });

  test('that moves through it', () => {
    const { s, it } = settled(kind, [900, 1040]);
    s.game.physics.setVelocity(it, 20, 0);
    s.seconds(2);
    expect(told(s)).toBe('eElL');
  });

  test('that is destroyed inside', () => {
    const { s, it } = settled(kind, inside);
    destroyEntity(s.game, it);
    s.ticks(2);
    // No unit remains whose own scripts could run.
    expect(told(s).replace('l', '')).toBe('L');
  });

  test('that is hidden inside and shown again', () => {
    const { s, it } = settled(kind, inside);
    hideEntity(s.game, it);
    s.ticks(2);
    expect(told(s)).toBe('lL');
    showEntity(s.game, it);
    s.ticks(2);
    expect(told(s)).toBe('lLeE');
  });

  test('when the region grows over it and shrinks again', () => {
    const { s } = settled(kind, outside);
    const yard = s.only('region');
    resizeRegion(s.game, yard, { x: 300, y: 1000, width: 900, height: 200 });
    s.ticks(2);
    expect(told(s)).toBe('eE');
    resizeRegion(s.game, yard, { x: 1000, y: 1000, width: 200, height: 200 });
    s.ticks(2);
    expect(told(s)).toBe('eElL');
  });
});

test('an item picked up in a region leaves the region', () => {
  const { s, it } = settled('item', inside);
  const unit = s.unit({ type: 'ghost', x: 400, y: 400 });
  expect(pickUpItem(s.game, unit, it)).toBe(true);
  s.ticks(2);
  expect(s.of('itemLeavesRegion')).toHaveLength(1);
});

test('a unit that changes type in a region leaves and enters it', () => {
  const { s, it } = settled('unit', inside);
  changeUnitType(s.game, it, s.world.types.unit.get('seer')!);
  s.ticks(2);
  expect(told(s)).toBe('lLeE');
});

/** The sensor of `u1` has a radius of 150 px, at 640, 640. */
function sensed({ s, it, id }: Watched): string {
  // A destroyed entity has no id.
  const met = (payload: object) => Object.values(payload).some((told) => told === id || told === it);
  return s.announced
    .flatMap(({ type, payload }) => {
      const way = /(Enters|Leaves)Sensor$/.exec(type)?.[1];
      const isWorld = type.startsWith('when');
      return way === undefined || isWorld || !met(payload) ? [] : [way[0]!];
    })
    .join('');
}

interface Watched {
  readonly s: FullGame;
  readonly seer: Entity;
  readonly it: Entity;
  readonly id: string;
}

function watched(kind: Kind, at: readonly [number, number]): Watched {
  const s = fullGame();
  const seer = s.unit({ type: 'seer' });
  s.ticks(2);
  const it = make[kind](s, ...at);
  s.ticks(2);
  return { s, seer, it, id: s.id(it)! };
}
const near = [740, 640] as const;
const far = [640, 300] as const;

describe.each(kinds)('a sensor detects a %s', (kind) => {
  test('that is created near it, moved away and back', () => {
    const made = watched(kind, near);
    const { s, it } = made;
    expect(sensed(made)).toBe('E');
    s.move(it, ...far);
    expect(sensed(made)).toBe('EL');
    s.move(it, ...near);
    expect(sensed(made)).toBe('ELE');
  });

  test('that is destroyed, or hidden', () => {
    const first = watched(kind, near);
    destroyEntity(first.s.game, first.it);
    first.s.ticks(2);
    expect(sensed(first)).toBe('EL');
    const second = watched(kind, near);
    hideEntity(second.s.game, second.it);
    second.s.ticks(2);
    expect(sensed(second)).toBe('EL');
  });

  test('when its owner moves there and away', () => {
    const made = watched(kind, far);
    const { s, seer } = made;
    expect(sensed(made)).toBe('');
    s.move(seer, 640, 400);
    expect(sensed(made)).toBe('E');
    s.move(seer, 640, 900);
    expect(sensed(made)).toBe('EL');
  });

  test('when its radius grows, and loses it when it shrinks', () => {
    const made = watched(kind, far);
    const { s, seer } = made;
    resizeSensor(s.game, s.sensorOf(seer), 600);
    s.ticks(3);
    expect(sensed(made)).toBe('E');
    resizeSensor(s.game, s.sensorOf(seer), 100);
    s.ticks(3);
    expect(sensed(made)).toBe('EL');
  });
});

test('a sensor fires nothing after its owner is destroyed', () => {
  const made = watched('unit', near);
  const { s, seer, it } = made;
  s.hush();
  destroyEntity(s.game, seer);
  s.ticks(2);
  s.move(it, ...far);
  expect(sensed(made)).toBe('');
});

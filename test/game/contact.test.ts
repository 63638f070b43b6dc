import { describe, expect, test } from 'vitest';
import { type Arena, arena } from '../support/arena.ts';

/** Touches, enters and leaves, with what they told, in order. */
function told(s: Arena): string[] {
  return s.announced
    .filter(({ type }) => /Touches|Enters|Leaves(Region|Sensor)/.test(type))
    .map(({ type, entity, payload }) =>
      `${entity === undefined ? '' : `${entity}: `}${type} ${Object.entries(payload)
        .map(([key, value]) => `${key}=${value}`)
        .join(' ')}`.trim(),
    );
}

test('two units: each in turn, the world first, its own scripts then', () => {
  const s = arena();
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

describe('a region', () => {
  test('is entered and left: own scripts first', () => {
    const s = arena({
      variables: { yard: { dataType: 'region', default: { x: 300, y: 300, width: 100, height: 100 } } },
    });
    const unit = s.unit({ x: 350, y: 350 });
    s.ticks(1);
    expect(told(s)).toEqual(['u1: entityEntersRegion unit=u1 region=r:yard', 'unitEntersRegion unit=u1 region=r:yard']);
    s.game.physics.moveTo(unit, 900, 900);
    s.ticks(2);
    expect(told(s).slice(2)).toEqual([
      'u1: entityLeavesRegion unit=u1 region=r:yard',
      'unitLeavesRegion unit=u1 region=r:yard',
    ]);
  });
});

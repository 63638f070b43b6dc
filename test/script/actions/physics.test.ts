import { expect, test } from 'vitest';
import { PI } from '../../../engine/core/dmath.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { body, play, script, unitType } from '../../support/play.ts';

test.each<[what: string, angle: number, force: { x: number; y: number }, way: [number, number]]>([
  ['to the right of one that faces up', 0, { x: 1, y: 0 }, [1, 0]],
  ['to the back of one that faces up', 0, { x: 0, y: 1 }, [0, 1]],
  ['to the right of one that faces right', PI / 2, { x: 1, y: 0 }, [0, 1]],
  ['to the back of one that faces right', PI / 2, { x: 0, y: 1 }, [-1, 0]],
  ['ahead of one that faces down', PI, { x: 0, y: -1 }, [0, 1]],
])('a relative force turns with the entity: %s', (_what, angle, force, way) => {
  const push = { type: 'applyForceOnEntityXYRelative', force, entity: { function: 'thisEntity' } };
  const s = play({
    unitTypes: {
      unit: unitType({ bodies: { default: body({ fixedRotation: false }) }, scripts: { push: script([], [push]) } }),
    },
  });
  const unit = s.unit({ angle });
  s.ticks(2);
  internalsOf(s.sim).runtime.runScript('push', unit, {});
  s.ticks(2);
  const [x, y] = [s.game.physics.velocityX(unit), s.game.physics.velocityY(unit)];
  const length = Math.hypot(x, y);
  expect(length).toBeGreaterThan(0);
  expect(x / length).toBeCloseTo(way[0], 6);
  expect(y / length).toBeCloseTo(way[1], 6);
});

import { expect, test } from 'vitest';
import { timeValues } from '../../../engine/script/values/time.ts';
import { Scene, testValues } from './harness.ts';

testValues(
  'time',
  timeValues,
  {
    currentTimeStamp: [[{}, 1500]],
    getServerAge: [[{}, 1500]],
    getServerStartTime: [[{}, 0]],
  },
  { prepare: (scene) => scene.sim.run({ ticks: 30 }) },
);

test("the time of day starts with the host's and advances with the ticks", () => {
  const scene = new Scene({}, { epochMs: 1_700_000_000_000 });
  scene.sim.run({ ticks: 1 });
  expect(scene.value({ function: 'currentTimeStamp' })).toBe(1_700_000_000_050);
  expect(scene.value({ function: 'getServerStartTime' })).toBe(1_700_000_000_000);
  expect(scene.value({ function: 'getServerAge' })).toBe(50);
});

test('a timestamp is whole at any rate', () => {
  const scene = new Scene({ defaultData: { frameRate: 60 } });
  scene.sim.run({ ticks: 1 });
  expect(scene.value({ function: 'currentTimeStamp' })).toBe(16);
});

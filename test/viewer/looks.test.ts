import { expect, test } from 'vitest';
import { Simulation } from '../../engine/index.ts';
import { Looks } from '../../src/viewer/drawing/looks.ts';
import { figureAt } from '../../src/viewer/drawing/scene.ts';
import { SimulationScene } from '../../src/viewer/drawing/simulation-scene.ts';
import { sampleGame } from '../support/samples.ts';

/** The image of a human whose sheet has two columns, with this animation. */
function imageWith(animation: object) {
  const game = sampleGame('outbreak.json', ({ unitTypes: { human } }) => {
    human.cellSheet = { url: 'data:image/png;base64,AA', rowCount: 1, columnCount: 2 };
    Object.assign(human.animations.default, animation);
  });
  return new Looks(game.definition).appearance('unit', 'human', 'default').look.image;
}

test('an image has the frames of its animation that are in the sheet, or the first', () => {
  expect(imageWith({ frames: [2, 3, 1], framesPerSecond: 4 })).toMatchObject({ frames: [2, 1], framesPerSecond: 4 });
  expect(imageWith({ frames: [0, 9] })).toMatchObject({ frames: [1] });
});

test('an animation with a negative speed stands still', () => {
  expect(imageWith({ frames: [1, 2], framesPerSecond: -5 })).toMatchObject({ frames: [1, 2], framesPerSecond: 0 });
});

test('a held item lies on its unit, turned as the anchor of its body says; a click there selects the unit', () => {
  const sim = new Simulation(sampleGame('infection.json'));
  sim.input({ kind: 'join', clientId: 'ann', name: 'Ann' });
  for (let i = 0; i < 20; i++) sim.step();
  const { unit } = sim.player('ann');
  const gun = unit!.holding!;
  const drawn = new SimulationScene().of(sim).figures.find(({ id }) => id === gun.id)!;
  expect(gun.type).toBe('dartGun');
  expect(drawn.angle).toBeCloseTo(gun.angle - Math.PI / 2);
  const { figures } = new SimulationScene().of(sim);
  const [onUnit] = figures.slice(figures.findIndex(({ id }) => id === unit!.id) + 1);
  expect(onUnit!.id).toBe(gun.id);
  expect(figureAt(new SimulationScene().of(sim), unit!.x, unit!.y, 14)!.id).toBe(unit!.id);
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planck } from '../../../bench/planck-world.ts';
import { at, stride } from '../../../engine/physics/flat/body-fields.ts';
import * as settings from '../../../engine/physics/flat/settings.ts';
import { runs } from '../../support/property.ts';
import { firstDifference, playKinds } from './compare.ts';
import { type Act, type BodyPlan, type Play, PlayedSpace, playOf } from './play.ts';

/** Total steps of all plays; the long form is `npm run differential:physics`. */
const stepsInAll = 4000;

function expectEqual(play: Play): void {
  const found = firstDifference(play);
  if (found !== undefined) throw new Error(found);
}

describe('a step gives the same as planck, to the last bit', () => {
  for (const [name, { steps, bodies, range, share }] of Object.entries(playKinds)) {
    test(name, { timeout: 3_600_000 }, () => {
      fc.assert(
        fc.property(playOf(steps, bodies, range), (play) => expectEqual(play)),
        runs(Math.ceil((stepsInAll * share) / steps)),
      );
    });
  }

  test('for a heap of circles that gains and loses some', () => {
    const [sampled] = fc.sample(playOf(1, 1, 1), { ...runs(1), seed: 1 });
    const circle = (i: number): BodyPlan => ({
      ...sampled!.bodies[0]!,
      ...({ type: 'dynamic', maySleep: true, isCircle: true, isSensor: false } as const),
      x: 0.1 + (i % 11) / 50,
      y: 0.1 + i / 400,
      vx: i % 3,
      vy: 0,
      spin: 0,
      width: 60 + (i % 5),
      middleX: i % 7 === 0 ? 0.1 : 0,
      middleY: 0,
      category: 1,
      mask: 0xffff,
      density: 1,
      friction: 0.2,
      restitution: 0.3,
    });
    const acts = (what: Act['what']): Act[] =>
      Array.from({ length: 5 }, (_, i) => ({ what, who: i * 7, x: 0, y: 0, yes: true, body: circle(i * 5) }));
    const played = new PlayedSpace({ ...sampled!, bodies: Array.from({ length: 26 }, (_, i) => circle(i)) });
    played.step([]);
    expect(played.space.contacts.count).toBe((26 * 25) / 2);
    for (const step of [acts('destroy'), acts('create'), []]) played.step(step);
  });

  test('the comparison sees a difference in the last bit', () => {
    const [play] = fc.sample(playOf(1, 6, 8), { ...runs(1), seed: 1 });
    const { space, mirror } = new PlayedSpace(play!);
    const [row] = space.bodies.newestFirst();
    const place = row! * stride + at.x;
    const x = space.bodies.numbers[place]!;
    space.bodies.numbers[place] = x + Math.abs(x) * 2 ** -52 + Number.MIN_VALUE;
    expect(mirror.difference()).toContain('x of bodies 0 is ');
  });
});

test('our settings are those of planck', () => {
  const { Settings } = planck;
  expect({ ...settings }).toEqual({
    epsilon: 1e-9,
    linearSlop: Settings.linearSlop,
    boxMargin: Settings.aabbExtension,
    boxMovementFactor: Settings.aabbMultiplier,
    maxLinearCorrection: Settings.maxLinearCorrection,
    stepCorrection: Settings.baumgarte,
    impactCorrection: Settings.toiBaugarte,
    bounceThreshold: Settings.velocityThreshold,
    maxTranslation: 500,
    maxRotation: Settings.maxRotation,
    maxImpacts: Settings.maxSubSteps,
    secondsToSleep: Settings.timeToSleep,
    sleepSpeed: Settings.linearSleepTolerance,
    sleepTurnSpeed: Settings.angularSleepTolerance,
  });
  expect(Settings.lengthUnitsPerMeter).toBe(1);
});

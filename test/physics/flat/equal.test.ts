import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FlatWorld } from '../../../engine/physics/flat/world.ts';
import { World } from '../../../engine/physics/planck/planck.ts';
import { runs } from '../../support/property.ts';
import { type Between, difference, firstDifference, playKinds } from './compare.ts';
import { type Play, PlayedWorld, playOf } from './play.ts';

/** Steps of all plays together; the long form is `npm run differential:physics`. */
const stepsInAll = 10_500;

function expectEqual(play: Play, between?: Between): void {
  const found = firstDifference(play, between);
  if (found !== undefined) throw new Error(found);
}

describe('a step over flat memory leaves what planck leaves, to the last bit', () => {
  for (const [name, { steps, bodies, range, isOdd, share }] of Object.entries(playKinds)) {
    test(name, { timeout: 3_600_000 }, () => {
      fc.assert(
        fc.property(playOf(steps, bodies, range, isOdd), (play) => expectEqual(play)),
        runs(Math.ceil((stepsInAll * share) / steps)),
      );
    });
  }

  test('joints come and go', () => {
    fc.assert(
      fc.property(playOf(40, 8, 6, false), fc.array(fc.nat(1000), { minLength: 4 }), (play, picks) =>
        expectEqual(play, (played, step) => {
          const pick = picks[step % picks.length]!;
          if (step % 10 === 3) played.join(pick, pick + 1, pick % 2 === 0);
          if (step % 10 === 9) played.unjoin();
        }),
      ),
      runs(Math.ceil((stepsInAll * 0.05) / 40)),
    );
  });

  test('the comparison sees a difference in the last bit', () => {
    const [play] = fc.sample(playOf(1, 6, 8, false), { ...runs(1), seed: 1 });
    const plain = new PlayedWorld((definition) => new World(definition), play!);
    const flat = new PlayedWorld((definition) => new FlatWorld(definition), play!);
    const body = flat.world.getBodyList()!;
    const { x } = body.getPosition();
    (body.getPosition() as { x: number }).x = x + Math.abs(x) * 2 ** -52 + Number.MIN_VALUE;
    expect(difference(plain, flat, 0)).toContain(' x is ');
  });
});

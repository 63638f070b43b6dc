import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FlatWorld } from '../../../engine/physics/flat/world.ts';
import { type Contact, World } from '../../../engine/physics/planck/planck.ts';
import { runs } from '../../support/property.ts';
import { type Between, difference, firstDifference, playKinds } from './compare.ts';
import { type Act, type BodyPlan, type Play, PlayedWorld, playOf } from './play.ts';

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

  test('a heap of 105 circles, whose contacts are read in another order than they are solved, loses some and gets others', () => {
    const [sampled] = fc.sample(playOf(1, 1, 1, false), { ...runs(1), seed: 1 });
    const circle = (i: number): BodyPlan => ({
      ...sampled!.bodies[0]!,
      ...({ type: 'dynamic', active: true, awake: true, allowSleep: true } as const),
      ...{ x: 0.1 + (i % 11) / 50, y: 0.1 + i / 400, vx: i % 3, vy: 0 },
      fixtures: [
        {
          ...{ shape: 'circle', size: 60 + (i % 5), offsetX: i % 7 === 0 ? 0.1 : 0, offsetY: 0 },
          ...{ density: 1, friction: 0.2, restitution: 0.3, isSensor: false, category: 1, mask: 0xffff, group: 0 },
        },
      ],
    });
    const acts = (what: Act['what']): Act[] =>
      Array.from({ length: 9 }, (_, i) => ({
        what,
        who: i * 11,
        other: 0,
        x: 0,
        y: 0,
        yes: true,
        body: circle(i * 5),
      }));
    const touching: number[] = [];
    const countTouching = ({ world }: PlayedWorld): void => {
      let count = 0;
      for (let contact = world.getContactList(); contact !== null; contact = contact.getNext())
        if (contact.isTouching()) count++;
      touching.push(count);
    };
    const play = {
      world: { ...sampled!.world, listensTo: 'contacts' },
      bodies: Array.from({ length: 105 }, (_, i) => circle(i)),
      steps: [[], acts('destroy'), acts('create'), []],
    } as const;
    expectEqual(play, countTouching);
    // Before the first step there are none, in either world.
    expect(Math.min(...touching.slice(2))).toBeGreaterThan(4096);
  });

  test('manifolds that a listener emptied are made anew when nobody listens', () => {
    const empty = (contact: Contact): void => {
      contact.getManifold().pointCount = 0;
    };
    fc.assert(
      fc.property(playOf(12, 10, 1, false), (play) =>
        expectEqual(play, ({ world }, step) => {
          if (step === 4) world.on('pre-solve', empty);
          if (step === 8) world.off('pre-solve', empty);
        }),
      ),
      runs(100),
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

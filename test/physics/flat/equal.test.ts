import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FlatWorld } from '../../../engine/physics/flat/world.ts';
import { WeldJoint, World } from '../../../engine/physics/planck/planck.ts';
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

  test('joints, sub-steps and listeners around the solver are refused', () => {
    const world = new FlatWorld();
    const joint = new WeldJoint({}, world.createBody(), world.createBody(), { x: 0, y: 0 });
    expect(() => world.createJoint(joint)).toThrow('A FlatWorld has no joints.');
    expect(() => new FlatWorld({ subStepping: true })).toThrow('A FlatWorld has no sub-steps.');
    expect(() => world.setSubStepping(true)).toThrow('A FlatWorld has no sub-steps.');
    for (const event of ['pre-solve', 'post-solve'])
      expect(() => world.on(event, (() => {}) as never)).toThrow(`A FlatWorld tells nobody of ${event}.`);
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

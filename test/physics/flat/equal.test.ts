import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FlatWorld } from '../../../engine/physics/flat/world.ts';
import { World } from '../../../engine/physics/planck/planck.ts';
import { runs } from '../../support/property.ts';
import { type Play, PlayedWorld, playOf } from './play.ts';
import { stateOf } from './state.ts';

/** Steps of all plays together; the long form is `PROPERTY_RUNS=100 npx vitest run test/physics/flat`. */
const stepsInAll = 10_500;

/** Where both worlds differ after a step, in words; undefined if nowhere. */
function difference(plain: PlayedWorld, flat: PlayedWorld, step: number): string | undefined {
  const one = stateOf(plain.world);
  const two = stateOf(flat.world);
  const length = Math.max(one.numbers.length, two.numbers.length);
  for (let i = 0; i < length; i++) {
    if (Object.is(one.numbers[i], two.numbers[i])) continue;
    return `step ${step}: ${one.names()[i]} is ${one.numbers[i]}, and ${two.numbers[i]} (${two.names()[i]}) over flat memory`;
  }
  const a = plain.log.join('\n');
  const b = flat.log.join('\n');
  return a === b ? undefined : `step ${step}: heard\n${a}\nand over flat memory\n${b}`;
}

function expectEqual(play: Play, between: (played: PlayedWorld, step: number) => void = () => {}): void {
  const plain = new PlayedWorld((definition) => new World(definition), play);
  const flat = new PlayedWorld((definition) => new FlatWorld(definition), play);
  for (const [i, acts] of play.steps.entries()) {
    for (const played of [plain, flat]) {
      between(played, i);
      played.step(acts);
    }
    const found = difference(plain, flat, i);
    if (found !== undefined) throw new Error(found);
    plain.log.length = 0;
    flat.log.length = 0;
  }
}

describe('a step over flat memory leaves what planck leaves, to the last bit', () => {
  const kinds = {
    'a few bodies in a wide place': { steps: 50, bodies: 6, range: 8, isOdd: false, share: 0.3 },
    'a crowd': { steps: 50, bodies: 20, range: 5, isOdd: false, share: 0.3 },
    'a pile': { steps: 40, bodies: 12, range: 1, isOdd: false, share: 0.2 },
    'edges, chains, listeners, steps in parts': { steps: 40, bodies: 10, range: 6, isOdd: true, share: 0.2 },
  };
  for (const [name, { steps, bodies, range, isOdd, share }] of Object.entries(kinds)) {
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

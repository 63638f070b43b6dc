import { FlatWorld } from '../../../engine/physics/flat/world.ts';
import { World } from '../../../engine/physics/planck/planck.ts';
import { type Play, PlayedWorld } from './play.ts';
import { stateOf } from './state.ts';

/** Plays by what there is much of; `share` says how much of all steps each gets. */
export const playKinds = {
  'a few bodies in a wide place': { steps: 50, bodies: 6, range: 8, isOdd: false, share: 0.3 },
  'a crowd': { steps: 50, bodies: 20, range: 5, isOdd: false, share: 0.3 },
  'a pile': { steps: 40, bodies: 12, range: 1, isOdd: false, share: 0.2 },
  'edges, chains, listeners, steps in parts': { steps: 40, bodies: 10, range: 6, isOdd: true, share: 0.2 },
} as const;

/** Done to each of both worlds before a step. */
export type Between = (played: PlayedWorld, step: number) => void;

/** Where both worlds differ after a step, in words; undefined if nowhere. */
export function difference(plain: PlayedWorld, flat: PlayedWorld, step: number): string | undefined {
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

/** Plays with planck's world and over flat memory, step by step; undefined where both leave the same after each. */
export function firstDifference(play: Play, between: Between = () => {}): string | undefined {
  const plain = new PlayedWorld((definition) => new World(definition), play);
  const flat = new PlayedWorld((definition) => new FlatWorld(definition), play);
  for (const [i, acts] of play.steps.entries()) {
    for (const played of [plain, flat]) {
      between(played, i);
      played.step(acts);
    }
    const found = difference(plain, flat, i);
    if (found !== undefined) return found;
    plain.log.length = 0;
    flat.log.length = 0;
  }
  return undefined;
}

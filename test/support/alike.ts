import { expect } from 'vitest';
import type { Simulation } from '../../engine/index.ts';
import { Space } from '../../engine/physics/flat/space.ts';
import { saveSpace } from '../../engine/physics/space-save.ts';
import { WallBodies } from '../../engine/physics/wall-bodies.ts';
import { internalsOf } from '../../engine/tools.ts';
import { unequalPaths } from './leaves.ts';

type Exceptions = readonly (readonly [members: RegExp, why: string])[];

/** Members that may differ between a forked and a restored simulation, and why. */
const notAlike: Exceptions = [
  [/^(AwakeList\/(positions|untilMs)|WaitingActs\/acts|Physics\/teleports\/(x|y|angle))\//, 'what a row held before'],
  [/^(TriggerQueue\/(triggers|payloads)|BodyQueue\/(entities|specs|confined)|ContactLog\/\w+)\//, 'free places'],
  [
    /^Physics\/(vector|around|written)|^(AreaQuery|RayCaster|RayHits|PathSearch|Scratch|Running|TickRunner)\/|^IndexSet\//,
    'scratch',
  ],
  [/^TickRunner\/tick\/|^Simulation\/ticks/, 'set when a tick begins'],
  [/^Runtime\/budget$/, 'set when a tick begins'],
  [/^World\/components\/\w+\/\w+\/\d+$|^World\/attributes\/\w+\/\d+$|^AttributeTable\/\w+\/\d+$/, 'room for more rows'],
  [/^EventEmitter\/|^Listeners\/|^(Outbox|Triggers|FaultLog)\/(listener|observer)$/, 'who listens'],
];

/** Compares everything in memory. Bodies and contacts are compared as saved, because their rows may differ. */
export function expectAlike(one: Simulation, fresh: Simulation, where: string, besides: Exceptions = []): void {
  const skipped = new Set(['definition', 'loaded', 'program', 'stateSource', 'recorder', 'emitter']);
  const isSkipped = (key: string, owner: object): boolean => {
    const value = (owner as Record<string, unknown>)[key];
    return skipped.has(key) || key === 'byRow' || owner instanceof WallBodies || value instanceof Space;
  };
  const whole = (sim: Simulation): object => ({ sim, inside: internalsOf(sim) });
  const unequal = [...unequalPaths(whole(one), whole(fresh), 'Simulation', isSkipped)];
  const exceptions = [...notAlike, ...besides];
  const unlisted = unequal.filter((path) => !exceptions.some(([members]) => members.test(path)));
  expect(unlisted.slice(0, 20), where).toEqual([]);
  const numbers = (sim: Simulation): object => {
    const { places: _places, ...saved } = saveSpace(internalsOf(sim).game.physics.parts.space);
    return saved;
  };
  expect(numbers(one), where).toEqual(numbers(fresh));
}

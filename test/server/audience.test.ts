import { expect, test } from 'vitest';
import type { OutputEvent } from '../../engine/index.ts';
import { destinationOf } from '../../src/net/protocol/audience/destination.ts';
import { entityOf } from '../../src/server/room/audience.ts';
import { lazily } from '../support/lazily.ts';
import { play } from '../support/play.ts';

const game = lazily(() => {
  const { sim } = play();
  sim.join({ clientId: 'ada' });
  sim.join({ clientId: 'bob' });
  sim.step();
  return sim;
});
const event = (more: object) => ({ kind: 'chat', tick: 1, time: 0, ...more }) as OutputEvent;

test.each([
  [event({ to: 'everyone' }), 'everyone'],
  [event({ playerId: 'ada' }), ['ada']],
  [event({ playerId: 'somebody who left' }), ['somebody who left']],
  [event({ kind: 'transfer', playerIds: ['ada', 'bob', undefined] }), ['ada', 'bob']],
  [event({ kind: 'transfer', playerIds: [] }), []],
  [event({ kind: 'effect', entityId: 'u1' }), 'everyone'],
  [event({ kind: 'chat', op: 'addFilter', words: ['dirt'] }), 'host'],
  [event({ kind: 'persistence', playerId: 'ada' }), 'host'],
])('%j is for %j', (each, destination) => {
  expect(destinationOf(game(), each)).toEqual(destination);
});

test('an event for a player goes to its client', () => {
  const to = { player: game().player('bob').entity };
  expect(destinationOf(game(), event({ to }))).toEqual(['bob']);
});

test('an event is about one entity, or about none', () => {
  expect([event({ entityId: 'u1' }), event({ unitId: 'u2' }), event({})].map(entityOf)).toEqual([
    'u1',
    'u2',
    undefined,
  ]);
});

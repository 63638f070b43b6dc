import { expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { EventTap, type LoggedEvent } from '../../src/run/events.ts';
import { countingGame } from '../cli/support.ts';

test('what a trigger of the host tells stands beside its entities', () => {
  const triggers = {
    giftReceived: { about: 'A viewer has sent a gift.', payload: { player: 'player', amount: 'number' } },
  } as const;
  const { game } = loadDefinition(countingGame(), { triggers });
  const events: LoggedEvent[] = [];
  const tap = new EventTap((event) => events.push(event));
  const sim = new Simulation(game!, { observer: tap.observer });
  const ada = sim.join({ name: 'Ada' });
  sim.step();
  sim.input({ kind: 'host', trigger: 'giftReceived', payload: { player: ada.id, amount: 5 } });
  sim.step();
  expect(events.find(({ name }) => name === 'giftReceived')?.details).toEqual({ player: ada.id, amount: 5 });
});

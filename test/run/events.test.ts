import { expect, test } from 'vitest';
import { loadDefinition, Simulation, type TriggerObserver } from '../../engine/index.ts';
import { EventTap, type LoggedEvent } from '../../src/run/events.ts';
import { EventLog } from '../../src/scenario/playing/events.ts';
import { type Frame, TickTrace } from '../../src/why/tick-trace.ts';
import { countingGame } from '../cli/support.ts';

test('what a trigger of the host tells is no entity, also if it is the number of one', () => {
  const triggers = {
    giftReceived: { about: 'A viewer has sent a gift.', payload: { player: 'player', amount: 'number' } },
  } as const;
  const { game } = loadDefinition(countingGame(), { triggers });
  const events: LoggedEvent[] = [];
  const tap = new EventTap((event) => events.push(event));
  const log = new EventLog(100);
  let reads = 0;
  const trace = new TickTrace(() => reads++, undefined);
  const observer: TriggerObserver = (...fired) => {
    const [trigger, , entity, payload] = fired;
    tap.observer(...fired);
    log.observer(...fired);
    trace.fired(trigger, entity, payload);
  };
  const sim = new Simulation(game!, { observer });
  const ada = sim.join({ name: 'Ada' });
  sim.step();
  trace.begin(sim);
  trace.system('inputs');
  const amount = ada.entity;
  sim.input({ kind: 'host', trigger: 'giftReceived', payload: { player: ada.id, amount } });
  sim.step();
  trace.end();

  const isGift = ({ name }: { readonly name: string }): boolean => name === 'giftReceived';
  expect(events.find(isGift)?.details).toEqual({ player: ada.id, amount });
  expect(log.events.find(isGift)?.details).toEqual({ player: ada, amount });
  const [{ fired }] = trace.changes.at(-1)!.frames as readonly [Frame];
  expect(fired.find(({ trigger: name }) => isGift({ name }))?.payload).toEqual([
    { member: 'player', id: ada.id, text: 'Ada' },
    { member: 'amount', text: String(amount) },
  ]);
});

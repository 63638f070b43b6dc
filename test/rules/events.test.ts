import { expect, test } from 'vitest';
import { emit, type Listeners } from '../../engine/rules/events.ts';
import { listeners } from '../../engine/rules/world/listeners.ts';
import type { Entity } from '../../engine/world/entity.ts';

interface Fake {
  readonly listeners: Listeners<Fake>;
  readonly calls: string[];
}

const noted =
  (name: string) =>
  (game: Fake, subject: Entity, payload: unknown): void => {
    game.calls.push(`${name} ${subject} ${payload}`);
  };

/** A game whose events have only these listeners. */
function gameWith(some: Partial<Listeners<Fake>>): Fake {
  const none = Object.fromEntries(Object.keys(listeners).map((event) => [event, []])) as unknown as Listeners<Fake>;
  return { listeners: { ...none, ...some }, calls: [] };
}

test('listeners of an event are called in order, with its subject and its payload', () => {
  const game = gameWith({ damaged: [noted('first'), noted('second')], stunned: [noted('third')] });
  emit(game, 'damaged', 7, 8);
  expect(game.calls).toEqual(['first 7 8', 'second 7 8']);
});

test('listeners of a nested event are called before the next listener', () => {
  const nested = (game: Fake, subject: Entity): void => emit(game, 'stunned', subject, undefined);
  const game = gameWith({ damaged: [nested, noted('second')], stunned: [noted('inner')] });
  emit(game, 'damaged', 7, 8);
  expect(game.calls).toEqual(['inner 7 undefined', 'second 7 8']);
});

test('every event has a listener', () => {
  const unheard = Object.entries(listeners).filter(([, list]) => list.length === 0);
  expect(unheard, 'An event that no rule listens to is not needed.').toEqual([]);
});

test('after a change of type, a unit updates its items, then its selection, then its AI', () => {
  expect(listeners.typeChanging.map(({ name }) => name)).toEqual(['chooseMovementMethod', 'refreshItemsForType']);
  expect(listeners.typeChanged.map(({ name }) => name)).toEqual(['selectFirstSlot', 'followUnitType']);
});

/** The order that scripts can observe: a change in any line would be visible to them. */
test('a destroyed entity leaves its owner, its sensor, its pursuers and its items, in this order', () => {
  expect(listeners.destroying.map(({ name }) => name)).toEqual([
    'leaveOwner',
    'removeSensor',
    'dropTargets',
    'destroyCarriedItems',
    'detachItem',
  ]);
});

import { expect, test } from 'vitest';
import { outputKinds } from '../../../engine/index.ts';
import { vocabulary } from '../../../engine/internal.ts';
import { attributes } from './deeds/attribute.ts';
import { controlFlow } from './deeds/control-flow.ts';
import { entities } from './deeds/entity.ts';
import { items } from './deeds/item.ts';
import { outside } from './deeds/outside.ts';
import { physics } from './deeds/physics.ts';
import { places } from './deeds/place.ts';
import { playersAndQuests } from './deeds/player.ts';
import { units } from './deeds/unit.ts';
import { variables } from './deeds/variable.ts';
import { type Deeds, testActions } from './harness.ts';
import { published } from './published.ts';

const tables = {
  'control flow': controlFlow,
  variables,
  attributes,
  units,
  entities,
  physics,
  'players and quests': playersAndQuests,
  'items and projectiles': items,
  places,
  'the outside': outside,
};

test('every action has a case that would fail if it did nothing', () => {
  const deeds = Object.values(tables).flatMap((table) => Object.entries(table));
  const done = deeds.flatMap(([type, cases]) => (cases.some((each) => !('refused' in each)) ? [type] : []));
  const tested = new Set([...done, ...published.map(({ action }) => action.type)]);
  const known = [...vocabulary.actions.keys()];
  expect(known.filter((type) => !tested.has(type))).toEqual([]);
  expect([...tested].filter((type) => !vocabulary.actions.has(type))).toEqual([]);
  expect(known.length).toBe(279);
});

test('every kind of output event is published by some case', () => {
  const deeds = Object.values(tables).flatMap((table: Deeds) => Object.values(table).flat());
  const events = deeds.flatMap((each) => ('refused' in each ? [] : (each.publishes ?? [])));
  const kinds = new Set([...events, ...published.map(({ event }) => event)].map(({ kind }) => kind));
  // Effects play when something happens to an entity, whoever did it: test/rules/use.test.ts.
  expect(outputKinds.filter((kind) => !kinds.has(kind))).toEqual(['effect']);
});

for (const [name, deeds] of Object.entries(tables)) testActions(name, deeds);

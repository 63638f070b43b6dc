import { expect, test } from 'vitest';
import { vocabulary } from '../../../engine/index.ts';
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
import { testActions } from './harness.ts';
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

for (const [name, deeds] of Object.entries(tables)) testActions(name, deeds);

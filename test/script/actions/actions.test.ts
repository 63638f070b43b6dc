import { expect, test } from 'vitest';
import { outputKinds } from '../../../engine/index.ts';
import { outputMembers, vocabulary } from '../../../engine/tools.ts';
import { actionTables as tables } from './cases/index.ts';
import { type ActionCases, testActions } from './harness.ts';
import { published } from './published.ts';

test('every action has a case that would fail if it did nothing', () => {
  const cases = Object.values(tables).flatMap((table) => Object.entries(table));
  const done = cases.flatMap(([type, cases]) => (cases.some((each) => !('refused' in each)) ? [type] : []));
  const tested = new Set([...done, ...published.map(({ action }) => action.type)]);
  const known = [...vocabulary.actions.keys()];
  expect(known.filter((type) => !tested.has(type))).toEqual([]);
  expect([...tested].filter((type) => !vocabulary.actions.has(type))).toEqual([]);
});

test('every kind of output event is published by some case', () => {
  const cases = Object.values(tables).flatMap((table: ActionCases) => Object.values(table).flat());
  const events = cases.flatMap((each) => ('refused' in each ? [] : (each.publishes ?? [])));
  const kinds = new Set([...events, ...published.map(({ event }) => event)].map(({ kind }) => kind));
  // Effects play when something happens to an entity, whatever the cause: test/rules/items/use.test.ts;
  // actions of a host are not in the language: test/sim/host-words.test.ts.
  expect(outputKinds.filter((kind) => !kinds.has(kind))).toEqual(['effect', 'host']);
});

test('output events have exactly their declared members', () => {
  const cases = Object.values(tables).flatMap((table: ActionCases) => Object.values(table).flat());
  const events = cases.flatMap((each) => ('refused' in each ? [] : (each.publishes ?? [])));
  const told = new Set<string>();
  for (const { kind, to: _, ...members } of [...events, ...published.map(({ event }) => event)]) {
    for (const member of Object.keys(members)) told.add(`${kind} ${member}`);
  }
  const declared = Object.entries(outputMembers).flatMap(([kind, members]) =>
    Object.keys(members).map((each) => `${kind} ${each}`),
  );
  expect([...told].filter((each) => !declared.includes(each))).toEqual([]);
  // No action fires these: purchases, trades and high scores come from players, and effects and the end of the
  // game happen by themselves.
  const byThemselves = [
    'ui.shop unitTypeId',
    'ui.shop result',
    'trade items',
    'persistence highscore',
    'server reason',
    'host operation',
    'host values',
  ];
  const untold = declared.filter((each) => !told.has(each) && !each.startsWith('effect '));
  expect(untold).toEqual(byThemselves);
});

test('members of output events have their declared types', () => {
  const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
    text: (value) => typeof value === 'string',
    number: (value) => typeof value === 'number',
    flag: (value) => typeof value === 'boolean',
    place: (value) => typeof (value as { x?: unknown }).x === 'number',
    texts: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
    any: () => true,
  };
  const cases = Object.values(tables).flatMap((table: ActionCases) => Object.values(table).flat());
  const events = cases.flatMap((each) => ('refused' in each ? [] : (each.publishes ?? [])));
  for (const { kind, to: _, ...members } of [...events, ...published.map(({ event }) => event)]) {
    const types: Readonly<Record<string, string>> = outputMembers[kind as keyof typeof outputMembers];
    for (const [member, value] of Object.entries(members))
      expect(value === undefined || fits[types[member]!]!(value), `${kind} ${member}: ${value}`).toBe(true);
  }
});

for (const [name, cases] of Object.entries(tables)) testActions(name, cases);

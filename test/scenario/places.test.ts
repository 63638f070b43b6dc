import { expect, test } from 'vitest';
import { readScenarioText } from '../../src/scenario/reading/scenario-reader.ts';
import { scenario } from '../../src/scenario/testing.ts';
import { smallDocument } from './small-game.ts';

/** The small game, with variables that hold an entity, and a name that needs backticks. */
function play() {
  const document = smallDocument() as { data: Record<'variables' | 'unitTypes', Record<string, object>> };
  Object.assign(document.data.variables, {
    friend: { dataType: 'unit', default: null },
    'best friend': { dataType: 'unit', default: null },
  });
  document.data.unitTypes['dog'] = {
    ...document.data.unitTypes['dog'],
    variables: { master: { dataType: 'player' } },
  };
  const made = scenario({
    game: document,
    players: ['ann'],
    entities: [{ unit: 'dog', name: 'rex', at: [100, 100] }],
  });
  return made.set({ friend: '@rex', '`best friend`': '@ann.unit' });
}

test('a variable or an expression that holds an entity or a region is a place and an entity of a step', () => {
  const made = play();
  made.perform({ move: 'ann.unit', to: 'friend' });
  made.expect('ann.unit.x == friend.x and ann.unit.y == friend.y');
  made.perform({ move: 'friend', to: 'yard' }).expect('rex.x == 100 and rex.y == 100');
  made.perform({ spawn: { unit: 'dog', name: 'fido', at: 'last units of type dog' } }).expect('fido.x == rex.x');
  made.perform({ move: 'friend', to: '`best friend`' }).expect('rex.x == ann.unit.x');
  made.perform({ point: 'friend', by: 'ann' }, { give: 'bone', to: '`best friend`' });
  made.expect('items of type bone held by ann == 1');
  made.perform({ run: 'ring', as: 'friend' }, { destroy: 'friend' }).expect('no units of type dog where (id == "u2")');
});

test('a variable that holds an entity is set to an expression that does, with or without @', () => {
  const made = play().set({ friend: 'ann.unit' }).expect('friend == ann.unit');
  made.set({ friend: 'first units of type dog' }).expect('friend == rex');
  made.set({ friend: '`best friend`' }).expect('friend == ann.unit');
  made.set({ 'rex.master': 'ann' }).expect('rex.master == ann');
  made.set({ friend: null }).expect('friend == nothing');
  expect(() => made.set({ friend: 'ann.unti' })).toThrow('Did you mean "unit"?');
  expect(() => made.set({ friend: 'rx' })).toThrow('Did you mean "rex"?');
  expect(() => made.set({ 'rex.master': 'bob' })).toThrow('There is no entity, player or region "bob".');
});

test('a variable that holds no entity is named with its value', () => {
  expect(() => play().perform({ move: 'ann.unit', to: 'rings' })).toThrow('rings is 0, not an entity or a region.');
  expect(() => play().perform({ move: 'ann.unit', to: 'freind' })).toThrow('Did you mean "friend"?');
});

test('set takes names in backticks, as expressions do', () => {
  const made = play().set({ '`big number`': 7, 'ann.`badge`': 3 });
  made.expect('`big number` == 7 and ann.badge == 3');
  expect(() => made.set({ '`big nomber`': 7 })).toThrow('Did you mean "big number"?');
});

test('a value that begins with a backtick needs quotes, which the error says', () => {
  const text = 'game: a.json\nscenarios:\n  - name: a\n    steps: [{ expect: `big number` == 1 }]';
  expect(() => readScenarioText('a.scenario.yaml', text)).toThrow("Put the value in single quotes: '…'.");
});

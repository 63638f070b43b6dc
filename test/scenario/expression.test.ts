import { beforeAll, describe, expect, test } from 'vitest';
import { UntilError } from '../../src/run/until-tokens.ts';
import { nameText, parseExpression } from '../../src/scenario/expression.ts';
import type { Play } from '../../src/scenario/testing.ts';
import { town } from './town.ts';

describe('an expression about a town', () => {
  let play: Play;

  beforeAll(() => {
    play = town({
      players: ['ann', { name: 'bob', attributes: { score: 7 } }],
      entities: [
        { unit: 'Guard Dog', name: 'rex', at: [100, 100], owner: 'bob', attributes: { health: 40 } },
        { unit: 'dog', name: 'fido', at: [600, 600] },
        { item: 'bone', name: 'toy', at: [110, 100], quantity: 3 },
      ],
      variables: { mood: 'calm', 'big number': 12 },
    });
  });

  test.each<[string, unknown]>([
    ['mood', 'calm'],
    ['`big number`', 12],
    ['["big number"] / 4 + 1', 4],
    ['1 + 2 * 3 - 4', 3],
    ['-(2 + 3)', -5],
    ['units', 4],
    ['units of type dog', 2],
    ['units of type "Guard Dog"', 2],
    ['units of dog owned by bob', 1],
    ['units in region yard', 1],
    ['units of type dog where (health < 50)', 1],
    ['units where (type == "dog" and x > 500)', 1],
    ['items of type bone', 1],
    ['toy.quantity', 3],
    ['players', 2],
    ['sum(score of players)', 7],
    ['max(health of units of type dog)', 100],
    ['min(health of units of type dog)', 40],
    ['average(health of units of type dog)', 70],
    ['max(health of units where (health > 1000))', undefined],
    ['first units of type dog', '@rex'],
    ['last units of type dog', '@fido'],
    ['rex.health', 40],
    ['rex.Health', 40],
    ['rex.type', 'Guard Dog'],
    ['rex.owner.score', 7],
    ['rex.name', 'bob'],
    ['ann.unit.type', 'Walker'],
    ['runs "player joins"', 2],
    ['fired playerJoinsGame', 2],
    ['outputs chat', 2],
    ['outputs ui.text', 0],
    ['faults', 0],
  ])('%s', (text, value) => {
    expect(play.value(text)).toEqual(value);
  });

  test.each([
    ['mood == "calm" and units >= 2'],
    ['mood != "calm" || rex.health == 40'],
    ['not (mood == "panic")'],
    ['!(mood == "panic") && true'],
    ['all units of type dog have (health > 0)'],
    ['any units have (health == 40)'],
    ['no units of type dog have (health > 500)'],
    ['no projectiles'],
    ['rex.type == "dog"'],
    ['rex.type == "Guard Dog"'],
    ['rex.owner == bob'],
    ['rex.owner == "bob"'],
    ['rex != fido'],
    ['u99.health == nothing'],
    ['rex.state == "default"'],
    ['rex.hidden == false'],
  ])('%s holds', (text) => {
    expect(play.holds(text)).toBe(true);
  });

  test.each([
    ['moood == 1', 'Did you mean "mood"?'],
    ['units of type cat', 'The game has no unit type "cat".'],
    ['rex.helth', 'Did you mean "health"?'],
    ['units in region yards', 'Did you mean "yard"?'],
    ['fired unitTouchesUnits', 'Did you mean "unitTouchesUnit"?'],
    ['runs "player join"', 'Did you mean "player joins"?'],
    ['outputs ui.txt', 'Did you mean "ui.text"?'],
  ])('%s names what the game does not have', (text, hint) => {
    expect(() => play.value(text)).toThrow(hint);
  });
});

test.each([['mood'], ['last word'], ['units'], ['and'], ['a`b\\c'], ['7up'], ['größe'], ['a.b'], ['@time']])(
  'the name %j can be written so that it means itself',
  (name) => {
    expect(parseExpression(nameText(name))).toMatchObject({ kind: 'path', head: { text: name }, members: [] });
  },
);

describe('what is no expression', () => {
  test.each<[string, string, number]>([
    ['', 'Expected a value, found the end.', 0],
    ['a = 1', 'To compare, write "==".', 2],
    ['a == 1 == 2', 'Comparisons do not chain', 7],
    ['units of type', 'Expected a type, found the end.', 13],
    ['all units', 'Expected "have"', 9],
    ['sum(score)', 'Expected "of" and a group', 9],
    ['(a', 'Expected ")"', 2],
    ['a b', 'Expected "and", "or" or a comparison', 2],
    ['units owned ann', 'Expected "by".', 12],
    ['a.', 'Expected a name', 2],
  ])('%j', (text, message, offset) => {
    try {
      parseExpression(text);
    } catch (error) {
      expect(error).toBeInstanceOf(UntilError);
      expect((error as UntilError).message).toContain(message);
      expect((error as UntilError).offset).toBe(offset);
      return;
    }
    throw new Error('It was understood.');
  });

  test('however deep', () => {
    expect(() => parseExpression(`${'('.repeat(5000)}1${')'.repeat(5000)}`)).toThrow('Nested deeper');
    expect(() => parseExpression(`${'-'.repeat(5000)}1`)).toThrow('Nested deeper');
  });
});

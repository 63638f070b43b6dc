import { beforeAll, describe, expect, test } from 'vitest';
import { Simulation } from '../../engine/index.ts';
import { bindExpression, partLines } from '../../src/expression/bound-expression.ts';
import { decide } from '../../src/expression/comparison.ts';
import { ExpressionError } from '../../src/expression/expression-error.ts';
import { Missing } from '../../src/expression/missing.ts';
import { nameText, parseExpression } from '../../src/expression/parser.ts';
import { GameSource } from '../../src/expression/source.ts';
import { valueText } from '../../src/expression/value-text.ts';
import type { Play } from '../../src/scenario/testing.ts';
import { smallGame } from '../scenario/small-game.ts';
import { lazily } from '../support/lazily.ts';
import { attribute, load, script, play as startedPlay, unitType } from '../support/play.ts';

describe('a group of entities in a message', () => {
  const messageOf = (dogs: number): string => {
    const entities = Array.from({ length: dogs }, (_, i) => ({
      unit: 'dog',
      name: `dog${i}`,
      at: [100 + 50 * i, 300] as [number, number],
    }));
    const { sim } = smallGame({ players: [], entities });
    const group = Array.from({ length: dogs }, (_, i) => sim.find(`u${i + 1}`)!);
    return valueText(sim, group);
  };

  test('names its members, the first one first', () => {
    expect(messageOf(2)).toBe('2: u1 (Guard Dog), u2 (Guard Dog)');
  });

  test('names six, and counts the rest', () => {
    expect(messageOf(8)).toMatch(/^8: u1 .*, u2 .*, u3 .*, u4 .*, u5 .*, u6 \(Guard Dog\) and 2 more$/);
  });
});

test('a computer player has the name that expressions have for it', () => {
  const { sim } = smallGame({ players: [] });
  expect(valueText(sim, sim.find('c2'))).toBe('computer2');
});

describe('an expression:', () => {
  let play: Play;

  beforeAll(() => {
    play = smallGame({
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
    ['rex.moving', false],
    ['toy.moving', false],
    ['ann.hidden', false],
    ['toy.holding', undefined],
    ['toy.unit', undefined],
    ['rex.quantity', undefined],
    ['rex.coins', undefined],
    ['ann.coins', 0],
    ['ann.owner', undefined],
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
    ['not (rex != rex) and not (rex.type != "dog")'],
    ['not (rex == fido)'],
    ['not (rex < fido) and not (fido < rex)'],
    ['not (rex <= rex) and not (rex >= rex)'],
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
  'the name %j can be written literally',
  (name) => {
    expect(parseExpression(nameText(name))).toMatchObject({ kind: 'path', head: { text: name }, members: [] });
  },
);

const loaded = load({
  variables: {
    state: { dataType: 'string', default: 'gameover' },
    round: { dataType: 'number', default: 3 },
    score: { dataType: 'string', default: '12' },
    empty: { dataType: 'string', default: '' },
    flag: { dataType: 'boolean', default: true },
    off: { dataType: 'boolean', default: false },
    unset: { dataType: 'number' },
    '@timeLimit': { dataType: 'number', default: 90 },
    'my name': { dataType: 'string', default: 'Ada' },
    'back`tick': { dataType: 'number', default: 1 },
    units: { dataType: 'string', default: 'a variable' },
    point: { dataType: 'position', default: { x: 1, y: 2 } },
    größe: { dataType: 'number', default: 7 },
    owner: { dataType: 'player', default: 'computer3' },
    yard: { dataType: 'region', default: { x: 10, y: 20, width: 30, height: 40 } },
    list: { dataType: 'object', default: [1, 2, 3] },
    none: { dataType: 'object', default: [] },
  },
  unitTypes: { human: { name: 'Human', attributes: { health: { value: 5, min: 0, max: 9 } } } },
  scripts: {
    turn: script('secondTick', [
      {
        type: 'setVariable',
        variableName: 'round',
        value: {
          function: 'calculate',
          items: [{ operator: '+' }, 1, { function: 'getVariable', variableName: 'round' }],
        },
      },
    ]),
  },
});

/** Half a second into a game that no one is in, as `run --until` and `break when` ask about it. */
const sim = lazily(() => {
  const made = new Simulation(loaded);
  made.run({ ticks: 10 });
  return made;
});
const source = new GameSource(loaded, 'standard', { playing: sim, players: ['ann'] });
const holds = (text: string): boolean => bindExpression(text, source).holds();

test('an attribute with a word as its key comes before one with the word as its name', () => {
  const attributes = { other: { ...attribute(1), name: 'coins' }, coins: attribute(7) };
  const { loaded: game, sim: playing, ...made } = startedPlay({ unitTypes: { walker: unitType({ attributes }) } });
  made.unit({ type: 'walker' });
  const coins = bindExpression('u1.coins == 7', new GameSource(game, 'standard', { playing: () => playing }));
  expect(coins.holds()).toBe(true);
});

describe('an expression without names of a scenario:', () => {
  test.each<[text: string, answer: boolean]>([
    ['state == "gameover"', true],
    ["state == 'gameover'", true],
    ['state != "gameover"', false],
    ['"gameover" == state', true],
    ['state == "GAMEOVER"', false],
    ['state == "game\\u006fver"', true],
    ['round == 3', true],
    ['round == 3.0', true],
    ['round != 3', false],
    ['round < 3', false],
    ['round <= 3', true],
    ['round > 2.5', true],
    ['round >= 3e0', true],
    ['round > -1', true],
    ['-3 < round', true],
    ['state < "h"', true],
    ['state > "h"', false],
    // A text that spells a number is one, and only then.
    ['score == 12', true],
    ['score > 9', true],
    ['score > "9"', false],
    ['score == "12.0"', false],
    ['empty == 0', false],
    ['state == 0', false],
    ['state < 5', false],
    ['state >= 5', false],
    // Other kinds are never equal, and in no order.
    ['flag == 1', false],
    ['flag == "true"', false],
    ['flag == true', true],
    ['flag != false', true],
    ['flag > false', false],
    ['point == "[object Object]"', false],
    ['point != null', true],
    ['0 / 0 == 0 / 0', false],
    ['0 / 0 != 0 / 0', true],
    // No value.
    ['unset == null', true],
    ['unset == nothing', true],
    ['unset != nothing', false],
    ['unset == 0', false],
    ['unset == ""', false],
    ['unset != 0', true],
    ['unset < 1', false],
    ['not (unset < 1)', false],
    ['unset < 1 or round == 3', true],
    ['round == null', false],
    // Truth.
    ['flag', true],
    ['off', false],
    ['!off', true],
    ['!!flag', true],
    ['unset', false],
    ['not unset', true],
    ['unset + 1 == 1', false],
    ['unset + 1 != 1', false],
    ['state + 1 != 1', false],
    ['score + 1 == 13', true],
    ['round', true],
    ['items', false],
    ['empty', false],
    ['true', true],
    ['null', false],
    // Names.
    ['@timeLimit == 90', true],
    ['`my name` == "Ada"', true],
    ['["my name"] == "Ada"', true],
    ["['my name'] == 'Ada'", true],
    ['`back\\`tick` == 1', true],
    ['größe == 7', true],
    // A count wins; quoted it is the variable.
    ['units == 0', true],
    ['`units` == "a variable"', true],
    ['["units"] == "a variable"', true],
    ['items == 0 && projectiles == 0 && players == 0 && time == 0.5 && tick == 10', true],
    // Something absent: a condition neither holds nor fails.
    ['u9.health < 5', false],
    ['not (u9.health < 5)', false],
    ['u9.health != 5', false],
    ['u9.health == nothing', true],
    ['u9 == nothing', true],
    ['ann == nothing', true],
    ['ann.unit == nothing', true],
    ['ann.type != "Human"', false],
    ['u9 != nothing', false],
    ['u9.health < 5 or round == 3', true],
    ['u9.health < 5 and round == 4', false],
    ['not (u9.health < 5 and round == 4)', true],
    ['u9.health + 1 == 1', false],
    ['sum(health of units) == 0', true],
    ['max(health of units) == nothing', true],
    ['all units have (health > 0)', false],
    ['not (all units have (health > 0))', false],
    ['no units', true],
    // Entities, and the region that belongs to a variable of type `region`.
    ['owner == computer3', true],
    ['owner == "c3"', true],
    ['owner == c3', true],
    ['owner == computer4', false],
    ['owner < computer4', false],
    ['yard.x == 25', true],
    ['yard == "r:yard"', true],
    // A list is compared by its length.
    ['list == 3', true],
    ['list > 2', true],
    ['none', false],
    ['point.x + point.y == 3', true],
    // Order of operators.
    ['1 + 2 * 3 == 7', true],
    ['not off and flag', true],
    ['not round == 4', true],
    ['true || false && false', true],
    ['(true || false) && false', false],
    ['!off && off', false],
    ['!(off && off)', true],
    ['!state == "x"', false],
    ['off || off || flag', true],
    ['  round==3&&units>=0  ', true],
    ['((((round)))) == (3)', true],
  ])('%s is %s', (text, answer) => {
    expect(holds(text)).toBe(answer);
  });

  test('is evaluated anew each time, on the current game', () => {
    let playing = new Simulation(loaded);
    const until = bindExpression('round >= 5', new GameSource(loaded, 'standard', { playing: () => playing }));
    const answers: boolean[] = [];
    for (const seconds of [0, 2]) {
      playing.run({ seconds });
      answers.push(until.holds());
    }
    playing = new Simulation(loaded);
    expect([...answers, until.holds()]).toEqual([false, true, false]);
  });

  test('counts that are not available are missing, with a reason', () => {
    const gap = new GameSource(loaded, 'standard', { playing: sim, whyUncounted: () => 'nobody counted' });
    const bound = bindExpression('fired secondTick >= 0', gap);
    expect([bound.holds(), bindExpression('not (fired secondTick > 0)', gap).holds()]).toEqual([false, false]);
    expect(partLines(gap, bound)).toEqual(['fired secondTick is nothing: nobody counted']);
  });

  test('what has no value says why', () => {
    const reasons = [
      'units owned by score > 0',
      'items owned by yard > 0',
      'units held by owner > 0',
      'items held by score > 0',
      'items held by owner > 0',
      'list.x > 0',
      'owner.health > 0',
      'unset > 0',
      'state + 1 > 0',
      'max(health of units of type human) > 0',
    ].flatMap((text) => partLines(source, bindExpression(text, source)));
    expect(reasons).toEqual([
      'units owned by score is nothing: score is not a player',
      'items owned by yard is nothing: yard is r:yard, which cannot own items',
      'units held by owner is nothing: only items can be held, not units',
      'items held by score is nothing: score is not a unit',
      'items held by owner is nothing: owner has no unit',
      'list.x is nothing',
      'owner.health is nothing: computer3 has no health',
      'unset is nothing',
      'state is "gameover"',
      'max(health of units of type human) is nothing: there are no units of type human',
    ]);
  });

  test('its parts are shown in reports', () => {
    const bound = bindExpression('round + 1 == 9 and (no units or not flag) and state == "x" and round > 0', source);
    expect(partLines(source, bound)).toEqual(['round is 3', 'units is 0', 'flag is true', 'state is "gameover"']);
  });
});

describe('`and` and `or` with parts that have no value', () => {
  const [gap, other, empty] = [new Missing('ann has left'), new Missing('bob has left'), new Missing('nobody', true)];

  test.each<[parts: (boolean | Missing)[], and: boolean | Missing, or: boolean | Missing]>([
    [[], true, false],
    [[true, true], true, true],
    [[false, false], false, false],
    [[gap, true], gap, true],
    [[true, gap], gap, true],
    [[gap, false], false, gap],
    [[empty, true], empty, true],
    [[empty, false], false, empty],
    // The first reason is reported; an empty group only if there is no other.
    [[gap, other], gap, gap],
    [[empty, gap], gap, gap],
    [[gap, empty], gap, gap],
    [[gap, true, empty, false], false, true],
  ])('%#', (parts, and, or) => {
    expect([decide(parts, false), decide(parts, true)]).toEqual([and, or]);
  });
});

describe('an invalid expression:', () => {
  function problem(text: string): ExpressionError {
    try {
      bindExpression(text, source);
    } catch (error) {
      if (error instanceof ExpressionError) return error;
      throw error;
    }
    throw new Error(`${text} is an expression.`);
  }

  /** `^` marks the position of the error. */
  test.each<[marked: string, message: RegExp]>([
    ['^', /Expected a value, found the end/],
    ['   ^', /Expected a value, found the end/],
    ['state == ^', /Expected a value, found the end/],
    ['state ^= "x"', /use "=="/],
    ['state ^=== "x"', /Write "=="/],
    ['state ^!== "x"', /Write "!="/],
    ['flag ^& off', /Use "and" or "&&"/],
    ['flag ^| off', /Use "or" or "\|\|"/],
    ['flag && ^', /Expected a value/],
    ['^&& flag', /Expected a value, found "&&"/],
    ['(flag ^', /Expected "\)", found the end/],
    ['flag ^)', /Unmatched "\)"/],
    ['flag ^off', /found "off"/],
    ['flag ^"x"', /found the text "x"/],
    ['1 < round ^< 3', /do not chain/],
    ['state == ^"gameover', /no closing "/],
    ["state == ^'gameover", /no closing '/],
    ['^`my name', /no closing `/],
    ['state == "a^\\q"', /Unknown escape "\\q"/],
    ['state == "a^\\u12"', /Unknown escape "\\u"/],
    ['[^5] == 1', /name of a variable in quotes/],
    ['["my name" ^== 1', /Expected "\]"/],
    ['round +^', /Expected a value, found the end/],
    ['round ^% 2', /"%" is not allowed/],
    ['round^, 2', /"," is not allowed/],
    ['units of type^', /Expected a type/],
    ['all units^', /Expected "have"/],
    ['sum(score^)', /Expected "of" and a group/],
    ['units owned ^ann', /Expected "by"/],
    ['round.^', /Expected a name/],
    ['round ^😀', /"😀" is not allowed/],
    ['3^rd', /cannot be followed by "r"/],
    ['1.5^.2', /cannot be followed by "."/],
  ])('%s', (marked, message) => {
    const offset = marked.indexOf('^');
    const { code, message: found, offset: at } = problem(marked.replace('^', ''));
    expect(found).toMatch(message);
    expect({ code, at }).toEqual({ code: 'expression-syntax', at: offset });
  });

  test.each<[marked: string, message: RegExp]>([
    ['^sate == "x"', /Unknown name "sate". Did you mean "state"\?/],
    ['flag && ^unit > 3', /Did you mean "units"\?/],
    ['flag && ^`timeLimit` > 3', /Did you mean "@timeLimit"\?/],
    ['^`tick` > 3', /Unknown name "tick"\.$/],
    ['state == ^gameover', /To write a string, use quotes: 'gameover'\.$/],
    ['^toString', /Unknown name "toString"\./],
    ['units of type ^hmuan', /unit type "hmuan". Did you mean "human"\?/],
    ['units where (^helth > 3)', /Did you mean "health"\?/],
    ['fired ^unitTouchesUnits', /Did you mean "unitTouchesUnit"\?/],
    ['units in region ^yards', /Did you mean "yard"\?/],
  ])('%s names nothing', (marked, message) => {
    const { code, message: found, offset } = problem(marked.replace('^', ''));
    expect(found).toMatch(message);
    expect({ code, offset }).toEqual({ code: 'expression-unknown-name', offset: marked.indexOf('^') });
  });

  test.each(['(', '!', '((!'])(
    'a hundred thousand repetitions of %j are refused without a stack overflow',
    (opening) => {
      expect(problem(opening.repeat(100_000)).message).toMatch(/deeper than 100/);
    },
  );

  test('a long chain does not count as nesting', () => {
    expect(holds(Array.from({ length: 100_000 }, () => 'flag').join(' && '))).toBe(true);
  });
});

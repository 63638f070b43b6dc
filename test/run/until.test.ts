import { describe, expect, test } from 'vitest';
import { bindUntil, parseUntil, UntilError, type UntilSource } from '../../src/run/until.ts';

const variables: Record<string, unknown> = {
  state: 'gameover',
  round: 3,
  score: '12',
  empty: '',
  flag: true,
  off: false,
  nothing: undefined,
  '@timeLimit': 90,
  'my name': 'Ada',
  'back`tick': 1,
  units: 'a variable',
  not_a_number: Number.NaN,
  point: { x: 1, y: 2 },
  größe: 7,
};
const counts = { units: 4, items: 0, projectiles: 1, players: 2, time: 12.5, tick: 250 };
const source: UntilSource = {
  variableNames: Object.keys(variables),
  variable: (name) => variables[name],
  count: (name) => counts[name],
};

function holds(text: string): boolean {
  return bindUntil(parseUntil(text), source)();
}

describe('what an expression says', () => {
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
    ['not_a_number == not_a_number', false],
    ['not_a_number != not_a_number', true],
    // No value.
    ['nothing == null', true],
    ['nothing == 0', false],
    ['nothing == ""', false],
    ['nothing < 1', false],
    ['round == null', false],
    // Truth.
    ['flag', true],
    ['off', false],
    ['!off', true],
    ['!!flag', true],
    ['nothing', false],
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
    ['units == 4', true],
    ['`units` == "a variable"', true],
    ['["units"] == "a variable"', true],
    ['items == 0 && projectiles == 1 && players == 2 && time == 12.5 && tick == 250', true],
    // Order of operators.
    ['true || false && false', true],
    ['(true || false) && false', false],
    ['!off && off', false],
    ['!(off && off)', true],
    ['!state == "x"', false],
    ['off || off || flag', true],
    ['  round==3&&units>=4  ', true],
    ['((((round)))) == (3)', true],
  ])('%s is %s', (text, answer) => {
    expect(holds(text)).toBe(answer);
  });

  test('it is asked anew each time', () => {
    let round = 1;
    const until = bindUntil(parseUntil('round >= 3'), {
      variableNames: ['round'],
      variable: () => round,
      count: () => 0,
    });
    const answers = [1, 3, 2].map((now) => {
      round = now;
      return until();
    });
    expect(answers).toEqual([false, true, false]);
  });
});

describe('what is no expression', () => {
  function problem(text: string): UntilError {
    try {
      bindUntil(parseUntil(text), source);
    } catch (error) {
      if (error instanceof UntilError) return error;
      throw error;
    }
    throw new Error(`${text} is an expression.`);
  }

  /** The sign marks the place. */
  test.each<[marked: string, message: RegExp]>([
    ['^', /Expected a value, found the end/],
    ['   ^', /Expected a value, found the end/],
    ['state == ^', /Expected a value, found the end/],
    ['state ^= "x"', /write "=="/],
    ['state ^=== "x"', /Write "=="/],
    ['state ^!== "x"', /Write "!="/],
    ['flag ^& off', /write "&&"/],
    ['flag ^| off', /write "\|\|"/],
    ['flag && ^', /Expected a value/],
    ['^&& flag', /Expected a value, found "&&"/],
    ['(flag ^', /Expected "\)", found the end/],
    ['flag ^)', /No "\(" belongs/],
    ['flag ^off', /found the name "off"/],
    ['flag ^"x"', /found a text/],
    ['1 < round ^< 3', /do not chain/],
    ['state == ^"gameover', /no closing "/],
    ["state == ^'gameover", /no closing '/],
    ['^`my name', /no closing `/],
    ['state == "a^\\q"', /"\\q" is no escape/],
    ['state == "a^\\u12"', /"\\u" is no escape/],
    ['[^5] == 1', /name of a variable in quotes/],
    ['["my name" ^== 1', /Expected "\]"/],
    ['-^round == 1', /no arithmetic/],
    ['round ^+ 1', /"\+" means nothing/],
    ['round ^😀', /"😀" means nothing/],
    ['3^rd', /cannot be followed by "r"/],
    ['1.5^.2', /cannot be followed by "."/],
  ])('%s', (marked, message) => {
    const offset = marked.indexOf('^');
    const { code, message: found, offset: at } = problem(marked.replace('^', ''));
    expect(found).toMatch(message);
    expect({ code, at }).toEqual({ code: 'until-syntax', at: offset });
  });

  test.each<[marked: string, message: RegExp]>([
    ['^sate == "x"', /no variable "sate". Did you mean "state"\?/],
    ['flag && ^unit > 3', /Did you mean "units"\?/],
    ['flag && ^`timeLimit` > 3', /Did you mean "@timeLimit"\?/],
    ['^`tick` > 3', /no variable "tick"/],
    ['^elsewhere', /no variable "elsewhere"\.$/],
    ['^toString', /no variable "toString"\.$/],
  ])('%s names nothing', (marked, message) => {
    const { code, message: found, offset } = problem(marked.replace('^', ''));
    expect(found).toMatch(message);
    expect({ code, offset }).toEqual({ code: 'until-unknown-name', offset: marked.indexOf('^') });
  });

  test.each(['(', '!', '((!'])('a hundred thousand times %j is refused, not a stack overflow', (opening) => {
    expect(problem(opening.repeat(100_000)).message).toMatch(/deeper than 100/);
  });

  test('a long chain is no nesting', () => {
    expect(holds(Array.from({ length: 100_000 }, () => 'flag').join(' && '))).toBe(true);
  });
});

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { casesOf, mergedWith } from '../../src/scenario/reading/cases.ts';
import { InvalidFile, problemText, readScenarioText } from '../../src/scenario/reading/scenario-reader.ts';
import { scenarioSchema } from '../../src/scenario/reading/schema.ts';

function flaws(text: string): string[] {
  try {
    casesOf(readScenarioText('a.scenario.yaml', text));
  } catch (error) {
    if (error instanceof InvalidFile) return error.flaws.map(problemText);
    throw error;
  }
  return [];
}

function cases(text: string, seeds?: readonly string[]) {
  return casesOf(readScenarioText('folder/a.scenario.yaml', text), { seeds });
}

describe('issues of a scenario file have a location', () => {
  test.each<[string, string, string]>([
    ['no list', 'scenario: 1', 'a.scenario.yaml:1:1: Expected a list `scenarios`.'],
    ['no YAML', 'scenarios: [', 'a.scenario.yaml:1:13: '],
    ['no name', 'game: g\nscenarios:\n  - steps: []', 'a.scenario.yaml:3:5: `name` is missing.'],
    [
      'an unknown word',
      'game: g\nscenarios:\n  - name: a\n    tgas: []',
      'a.scenario.yaml:4:11: `tgas` is not allowed here. Did you mean `tags`?',
    ],
    [
      'no step',
      'game: g\nscenarios:\n  - name: a\n    steps:\n      - wiat: 1',
      'a.scenario.yaml:5:9: `wiat` is not a step. Did you mean `wait`?',
    ],
    [
      'a word of a test framework',
      'game: g\nscenarios:\n  - name: a\n    steps:\n      - toBe: 1',
      'a.scenario.yaml:5:9: `toBe` is not a step. Did you mean `expect`?',
    ],
    [
      'a step of a test framework',
      'game: g\nscenarios:\n  - name: a\n    steps:\n      - sleep: 1 s',
      'a.scenario.yaml:5:9: `sleep` is not a step. Did you mean `wait`?',
    ],
    ...[
      ['todo', 'skip'],
      ['timeout', 'budget: { wall: 5 s }'],
      ['beforeEach', 'given'],
      ['test', 'name'],
    ].map(([word, meant]): [string, string, string] => [
      `${word} of a test framework`,
      `game: g\nscenarios:\n  - name: a\n    ${word}: 1\n    steps: []`,
      `\`${word}\` is not allowed here. Did you mean \`${meant}\`?`,
    ]),
    [
      'a timeout of a step, as in Playwright',
      'game: g\nscenarios:\n  - name: a\n    steps:\n      - { until: round == 1, timeout: 5 s }',
      'a.scenario.yaml:5:39: `timeout` is not allowed here. Did you mean `within`?',
    ],
    ['no word of a test framework', 'game: g\nconstructor: 1\nscenarios: []', '`constructor` is not allowed here.'],
    [
      'a step too much',
      'game: g\nscenarios:\n  - name: a\n    steps:\n      - { wait: 1, with: 2 }',
      'a.scenario.yaml:5:26: `with` is not allowed here.',
    ],
    [
      'a word too few',
      'game: g\nscenarios:\n  - name: a\n    steps:\n      - press: d',
      'a.scenario.yaml:5:9: `by` is missing.',
    ],
    [
      'a table without rows, which would be played never',
      'game: g\nscenarios:\n  - name: a\n    each: []\n    steps: []',
      'a.scenario.yaml:4:11: ',
    ],
    [
      'a wrong type',
      'game: g\nscenarios:\n  - name: a\n    steps:\n      - wait: [1]',
      'a.scenario.yaml:5:15: Expected a text or a number; found [1].',
    ],
    [
      'inside of a player',
      'game: g\nscenarios:\n  - name: a\n    given: { players: [{ name: x, tpye: y }] }',
      'a.scenario.yaml:4:41: `tpye` is not allowed here. Did you mean `type`?',
    ],
    [
      'two ways of steps',
      'game: g\nscenarios:\n  - name: a\n    when: []\n    steps: []',
      'a.scenario.yaml:5:12: A scenario must have either `steps`, or `when` and `then`.',
    ],
    [
      'a wrong exception of a dialect',
      'game: g\nscenarios:\n  - name: a\n    dialect: [moddio, moddio except lastKeyCount]',
      'a.scenario.yaml:4:23: There is no dialect difference called "lastKeyCount". Did you mean "lastKeyWins"?',
    ],
    ['no game', 'scenarios:\n  - name: a', 'a.scenario.yaml:2:5: "a" has no `game`.'],
    [
      'two of a name',
      'game: g\nscenarios:\n  - name: a\n  - name: a',
      'a.scenario.yaml:4:11: Another scenario is also called "a".',
    ],
    [
      'no such column',
      'game: g\nscenarios:\n  - name: a\n    each: [{ x: 1 }]\n    steps: [{ say: <yes>, by: a }]',
      'a.scenario.yaml:3:5: The table has no column "yes". To get this text literally, write <<yes>.',
    ],
  ])('%s', (_what, text, message) => {
    expect(flaws(text)[0]).toContain(message);
  });

  test('all issues are reported together', () => {
    expect(flaws('game: g\nscenarios:\n  - nmae: a\n  - steps: [{ wiat: 1 }]')).toHaveLength(4);
  });

  test('JSON is accepted', () => {
    expect(flaws('{"game": "g", "scenarios": [{"name": "a", "steps": [{"wait": 1}]}]}')).toEqual([]);
  });
});

describe('a scenario expands into cases', () => {
  test('by seeds, dialects and rows', () => {
    const text = `
game: ../games/g.json
seeds: 2
dialect: [standard, moddio]
scenarios:
  - name: a
    each: [{ x: 1 }, { x: 2 }]
    steps: [{ set: { y: <x>, "z<x>": "is <x>, <<b>bold</b>" } }]
`;
    const all = cases(text);
    expect(all.map(({ title }) => title)).toEqual([
      'a [x 1] (standard, seed 1)',
      'a [x 1] (standard, seed 2)',
      'a [x 1] (moddio, seed 1)',
      'a [x 1] (moddio, seed 2)',
      'a [x 2] (standard, seed 1)',
      'a [x 2] (standard, seed 2)',
      'a [x 2] (moddio, seed 1)',
      'a [x 2] (moddio, seed 2)',
    ]);
    expect(all[0]!.game).toBe('games/g.json');
    expect(all[4]!.plan.steps).toEqual([{ set: { y: 2, z2: 'is 2, <b>bold</b>' } }]);
  });

  test('with columns in place of any value, keeping numbers', () => {
    const text = `
scenarios:
  - name: <who> of seed <seed>
    each:
      - { game: g, who: ann, seed: 3, x: 1, angle: 90, count: 2, ticks: 9, on: true, dialect: moddio, where: [1, 2] }
    game: <game>.json
    dialect: <dialect>
    seed: <seed>
    only: <on>
    tags: [<who>]
    budget: { ticks: <ticks> }
    given:
      bots: <count>
      players: [{ name: <who>, unit: { at: [<x>, <x>] } }]
      entities: [{ unit: dog, name: <who>s dog, at: <where>, angle: <angle>, count: <count>, quantity: <x> }]
    steps:
      - { wait: <x> }
      - { swap: [<x>, <count>], by: <who> }
      - { event: secondTick, times: <count>, within: <x> s }
      - { output: chat, atLeast: <x>, where: { <who>: <x> } }
`;
    const plan = parse(text);
    const validate = new Ajv2020().compile(scenarioSchema());
    validate(plan);
    expect(validate.errors).toBeNull();
    const [only] = cases(text);
    expect(only).toMatchObject({
      title: 'ann of seed 3',
      seed: '3',
      dialect: 'moddio',
      only: true,
      game: 'folder/g.json',
    });
    expect(only).toMatchObject({ tags: ['ann'], budget: { ticks: 9 } });
    expect(only!.plan.given).toEqual({
      bots: 2,
      variables: {},
      players: [{ name: 'ann', unit: { at: [1, 1] } }],
      entities: [{ unit: 'dog', name: 'anns dog', at: [1, 2], angle: 90, count: 2, quantity: 1 }],
    });
    expect(only!.plan.steps).toEqual([
      { wait: 1 },
      { swap: [1, 2], by: 'ann' },
      { event: 'secondTick', times: 2, within: '1 s' },
      { output: 'chat', atLeast: 1, where: { ann: 1 } },
    ]);
  });

  test('that are checked after columns are inserted', () => {
    const text = `
game: g
scenarios:
  - name: a
    each: [{ n: 1 }, { n: many }, { n: lots }]
    steps: [{ event: secondTick, times: <n> }]
`;
    expect(flaws(text)).toEqual([
      'a.scenario.yaml:6:41: Expected a whole number; found "many".',
      'a.scenario.yaml:6:41: Expected a whole number; found "lots".',
    ]);
  });

  test('with the seed of the run in place of its own', () => {
    const text = 'game: g\nscenarios:\n  - name: a\n    seeds: 5\n  - name: b\n    seed: 3';
    expect(cases(text, ['9']).map(({ title, seed }) => [title, seed])).toEqual([
      ['a (seed 9)', '9'],
      ['b (seed 9)', '9'],
    ]);
  });

  test('with the settings of the file, which are combined', () => {
    const text = `
game: g
tags: [all]
seed: 4
given: { players: [ann], variables: { a: 1, b: 1 } }
definition: { variables: { a: { default: 1 } } }
scenarios:
  - name: one
    tags: [own]
    given: { players: [bob], variables: { b: 2 } }
    definition: { variables: { a: { min: 0 }, c: null } }
    budget: { wall: 2 s }
`;
    const [one] = cases(text);
    expect(one).toMatchObject({ seed: '4', tags: ['all', 'own'], budget: { wallMs: 2000 } });
    expect(one!.plan.given).toMatchObject({ players: ['ann', 'bob'], variables: { a: 1, b: 2 } });
    expect(one!.definition).toEqual({ variables: { a: { default: 1, min: 0 } } });
  });
});

test.each<[unknown, unknown, unknown]>([
  [{ a: 1, b: { c: 2 } }, { b: { d: 3 } }, { a: 1, b: { c: 2, d: 3 } }],
  [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [1, { a: 1 }, { a: 1 }],
])('%j merged with %j is %j', (base, over, result) => {
  expect(mergedWith(base, over)).toEqual(result);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadDefinition } from '../../engine/index.ts';
import { graphOf, graphSvg } from '../../src/graph/index.ts';
import { file, reenact } from '../cli/support.ts';
import { realGamePath, realGames } from '../support/real-games.ts';

const variable = (variableName: string) => ({ function: 'getVariable', variableName });
const set = (variableName: string, value: unknown) => ({ type: 'setVariable', variableName, value });
const run = (scriptName: string) => ({ type: 'runScript', scriptName });
const is = (left: unknown, right: unknown, operator = '==') => [{ operandType: 'any', operator }, left, right];
const when = (conditions: unknown, then: unknown[]) => ({ type: 'condition', conditions, then, else: [] });
const script = (name: string, actions: unknown[], ...triggers: string[]) => ({
  name,
  triggers: triggers.map((type) => ({ type })),
  actions,
});

const rounds = {
  title: 'Rounds',
  variables: {
    '@lobby': { dataType: 'number', default: 0 },
    '@fight': { dataType: 'number', default: 1 },
    state: { dataType: 'number', default: 0 },
    timeLeft: { dataType: 'number', default: 9 },
    isOpen: { dataType: 'boolean', default: false },
  },
  scripts: {
    second: script(
      'every second',
      [
        when(is(variable('state'), variable('@lobby')), [when(is(variable('timeLeft'), 0, '<='), [run('begin')])]),
        when(is(variable('state'), 1), [set('isOpen', true), when(is(variable('isOpen'), true), [set('state', 2)])]),
      ],
      'secondTick',
    ),
    begin: script('begin', [set('state', variable('@fight')), set('timeLeft', 60)]),
    stop: script('stop', [set('state', 0)], 'playerLeavesGame'),
    folder: script('folder', []),
  },
};

const graph = graphOf(loadDefinition(rounds).game!);

test('a transition has the values before it, also those under which its script is called, and its conditions', () => {
  const [state] = graph.switches;
  expect(state!.values).toEqual([
    { value: 0, isInitial: true, constants: [] },
    { value: 2, isInitial: false, constants: [] },
    { value: 1, isInitial: false, constants: ['@fight'] },
  ]);
  expect(state!.transitions).toEqual([
    { from: 1, to: 2, script: 'scripts/second', conditions: ['isOpen == true'] },
    // The condition on `timeLeft` is that of the caller.
    { from: 0, to: 1, script: 'scripts/begin', conditions: [] },
    { from: undefined, to: 0, script: 'scripts/stop', conditions: [] },
  ]);
});

test('numbers that scripts only set to one value, and constants, have no states', () => {
  expect(graph.switches.map((each) => each.variable)).toEqual(['state', 'isOpen']);
});

test('scripts say what starts them and what they start, set and read; folders are left out', () => {
  expect(graph.scripts.map((each) => each.name)).toEqual(['every second', 'begin', 'stop']);
  expect(graph.scripts[0]).toMatchObject({
    starts: ['secondTick'],
    runs: ['scripts/begin'],
    writes: ['isOpen', 'state'],
  });
});

test('the picture has a box for each state and script, and an arrow for each transition and start', () => {
  const svg = graphSvg(graph);
  expect(svg.match(/class="(?:state|initial)"/g)).toHaveLength(5);
  expect(svg.match(/class="cause"/g)).toHaveLength(4);
  expect(svg.match(/class="script"/g)).toHaveLength(3);
  // Three transitions of `state`, one of `isOpen`; two triggers, and one call.
  expect(svg.match(/marker-(?:start|end)/g)).toHaveLength(4 + 3);
  expect(svg).toContain('from any other:');
});

test('names of games cannot leave the text of the picture', () => {
  const scripts = { bad: script('<script>alert(1)</script>', [], 'gameStart') };
  expect(graphSvg(graphOf(loadDefinition({ scripts }).game!))).not.toContain('<script>');
});

test('reenact graph writes the picture, or the data', async () => {
  const game = file('game.json', rounds);
  const svg = file('game.svg', '');
  expect(await reenact(['graph', game, '--svg', svg])).toMatchObject({ code: 0, stdout: `${svg}\n` });
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg /);
  const { stdout } = await reenact(['graph', game, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    title: 'Rounds',
    switches: [{ variable: 'state' }, { variable: 'isOpen' }],
  });
});

test.each(realGames)('boxes of %s do not overlap', (name) => {
  const svg = graphSvg(graphOf(loadDefinition(JSON.parse(readFileSync(realGamePath(name), 'utf8'))).game!));
  let drawn = 0;
  for (const part of svg.split(/<g transform="translate\([\d. ]+\)">/)) {
    const boxes = [
      ...part.matchAll(
        /<g class="[a-z]+" transform="translate\(([\d.]+) ([\d.]+)\)"><rect width="(\d+)" height="(\d+)"/g,
      ),
    ].map(([, ...numbers]) => numbers.map(Number) as [number, number, number, number]);
    drawn += boxes.length;
    for (const [i, [x, y, width, height]] of boxes.entries()) {
      for (const [x2, y2, width2, height2] of boxes.slice(i + 1)) {
        const isApart = x + width <= x2 || x2 + width2 <= x || y + height <= y2 || y2 + height2 <= y;
        expect(isApart, `${x} ${y} and ${x2} ${y2}`).toBe(true);
      }
    }
  }
  expect(drawn).toBeGreaterThan(0);
  expect(drawn).toBe(svg.match(/<g class=/g)!.length);
});

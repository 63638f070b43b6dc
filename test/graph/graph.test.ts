import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadDefinition } from '../../engine/index.ts';
import { drawn, graphOf, partOf } from '../../src/graph/index.ts';
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
    {
      from: 1,
      to: 2,
      script: 'scripts/second',
      name: 'every second',
      action: 'scripts/second/1/then/1/then/0',
      conditions: ['isOpen == true'],
    },
    // The condition on `timeLeft` is that of the caller.
    { from: 0, to: 1, script: 'scripts/begin', name: 'begin', action: 'scripts/begin/0', conditions: [] },
    { from: undefined, to: 0, script: 'scripts/stop', name: 'stop', action: 'scripts/stop/0', conditions: [] },
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

test('the part of a script has the scripts next to it, and the switches that it sets', () => {
  const { switches, scripts } = partOf(graph, 'begin');
  expect(switches.map((each) => each.variable)).toEqual(['state']);
  expect(scripts.map((each) => each.name)).toEqual(['every second', 'begin']);
  expect(partOf(graph, 'state').scripts.map((each) => each.name)).toEqual(['every second', 'begin', 'stop']);
});

/** The texts of a kind of part of a picture. */
function texts(svg: string, kind: 'cluster' | 'node' | 'edge'): string[] {
  return svg
    .split('<g id=')
    .filter((part) => part.includes(`class="${kind}`))
    .map((part) => [...part.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text).join('; '));
}

test('the picture has a box for each state and script, and an arrow for each transition and start', async () => {
  const svg = await drawn(graph, 'svg');
  expect(texts(svg, 'cluster')).toEqual(['state', 'isOpen']);
  expect(texts(svg, 'node').sort()).toEqual(
    ['0', '2', '1; @fight', 'any other', 'false', 'true', 'secondTick', 'playerLeavesGame', 'stop; sets state']
      .concat('begin; sets state; sets timeLeft', 'every second; sets isOpen; sets state')
      .sort(),
  );
  expect(texts(svg, 'edge').sort()).toEqual(
    ['', '', '', 'begin', 'stop', 'every second, if isOpen == true', 'every second, if state == 1'].sort(),
  );
  expect(svg.match(/class="node initial"/g)).toHaveLength(2);
});

test('a game without states is drawn as a sentence, not as nothing', async () => {
  expect(await drawn({ switches: [], scripts: [] }, 'svg')).toContain('No variable of the game has states.');
});

test('a transition that did not happen is dashed', async () => {
  const svg = await drawn(graph, 'svg', new Set(['scripts/begin', 'scripts/begin/0']));
  const dashed = svg.split('<g id=').filter((part) => part.includes('stroke-dasharray'));
  expect(dashed.map((part) => /<text[^>]*>([^<]*)/.exec(part)![1]).sort()).toEqual(
    ['every second, if isOpen == true', 'every second, if state == 1', 'stop'].sort(),
  );
});

test('names of games cannot leave the text of the picture', async () => {
  const scripts = { bad: script('<script>alert(1)</script>\\N', [], 'gameStart') };
  const svg = await drawn(graphOf(loadDefinition({ scripts }).game!), 'svg');
  expect(svg).not.toContain('<script>');
  expect(texts(svg, 'node')).toContain('&lt;script&gt;alert(1)&lt;/script&gt;\\N');
});

test('reenact graph writes the states as a picture or in the language of Graphviz, or prints the data', async () => {
  const game = file('game.json', rounds);
  const svg = file('game.svg', '');
  const dot = file('game.dot', '');
  expect(await reenact(['graph', game, '--output', svg])).toMatchObject({ code: 0, stdout: `${svg}\n` });
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg /);
  expect(texts(readFileSync(svg, 'utf8'), 'node')).not.toContain('secondTick');
  expect(await reenact(['graph', game, 'begin', '--output', dot])).toMatchObject({ code: 0 });
  expect(readFileSync(dot, 'utf8')).toMatch(/^digraph \{[\s\S]*"scripts\/second" -> "scripts\/begin"/);
  const { stdout } = await reenact(['graph', game, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    switches: [{ variable: 'state' }, { variable: 'isOpen' }],
  });
  expect(await reenact(['graph', game, 'nobody'])).toMatchObject({ code: 2 });
});

test.each(realGames)('the states of %s fit on a screen or two', async (name) => {
  const { game } = loadDefinition(JSON.parse(readFileSync(realGamePath(name), 'utf8')));
  const svg = await drawn({ ...graphOf(game!), scripts: [] }, 'svg');
  const [, width, height] = /<svg width="(\d+)pt" height="(\d+)pt"/.exec(svg)!;
  expect(Number(width)).toBeLessThan(1500);
  expect(Number(height)).toBeLessThan(4500);
});

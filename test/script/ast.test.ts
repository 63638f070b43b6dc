import { describe, expect, test } from 'vitest';
import { dialects } from '../../engine/definition/dialect.ts';
import { definitionHash, everyNode, loadDefinition, type Node, Simulation } from '../../engine/index.ts';
import { Compiler } from '../../engine/script/compiling/compiler.ts';
import { scriptsOf } from '../../engine/script/language/scripts.ts';
import { vocabulary } from '../../engine/script/language/vocabulary.ts';
import { type CompiledScript, Program } from '../../engine/script/program.ts';
import { LoadedGame } from '../../engine/sim/load.ts';
import { internalsOf, programsOfGame } from '../../engine/tools.ts';
import { emptyCounts } from '../../src/scenario/judging/counts.ts';
import { coverageOf } from '../../src/scenario/judging/coverage.ts';
import { mutantsOf } from '../../src/scenario/judging/mutants.ts';
import { document, load, script } from '../support/play.ts';
import { sampleDocument } from '../support/samples.ts';
import { call, type Json, later, repeat, when } from './forms-scene.ts';

const write = (variableName: string, value: unknown): Json => ({ type: 'setVariable', variableName, value });
const variables = { n: { dataType: 'number', default: 0 }, m: { dataType: 'number', default: 0 } };
const set = (value: unknown): Json => write('n', value);
const off = { disabled: true };

/** Scripts in all positions where scripts can occur. */
const everywhere: Json = {
  variables,
  scripts: { one: script('gameStart', [set(1)]) },
  unitTypes: { walker: { name: 'walker', scripts: { two: script([], [set(2)]) } } },
  itemTypes: {
    gun: {
      name: 'gun',
      scripts: { three: script([], [set(3)]) },
      defaultProjectile: { name: 'shot', scripts: { four: script([], [set(4)]) } },
    },
  },
  projectileTypes: { stone: { name: 'stone', scripts: { five: script([], [set(5)]) } } },
};

describe('scripts in all places of a definition', () => {
  const places = [
    'scripts/one',
    'unitTypes/walker/scripts/two',
    'itemTypes/gun/scripts/three',
    'projectileTypes/stone/scripts/five',
    'itemTypes/gun/defaultProjectile/scripts/four',
  ];
  const game = load(everywhere);

  test('are found by the tree and by the program', () => {
    expect(scriptsOf(game.definition).scripts.map(({ place }) => place)).toEqual(places);
    expect(
      programsOfGame(game)
        .program()
        .projectile.map(({ byKey }) => [...byKey.keys()]),
    ).toEqual([['five'], ['four']]);
  });

  test('are found by coverage and by mutants, with their location in the document', () => {
    expect(coverageOf('g', game.definition, emptyCounts()).each.map(({ place }) => place)).toEqual(places);
    const mutants = mutantsOf(game.definition).filter(({ kind }) => kind === 'constant');
    expect(mutants.map(({ location }) => location)).toEqual(places.map((place) => `${place}/0`));
    expect(mutants.at(-1)!.path.join('/')).toBe('data/itemTypes/gun/defaultProjectile/scripts/four/actions/0/value');
  });

  test('have nodes that know their location in the document', () => {
    const whole = document(everywhere);
    for (const each of scriptsOf(loadDefinition(whole).game!.definition).scripts) {
      for (const node of everyNode(each.actions)) {
        let json: unknown = whole;
        for (const key of node.keys) json = (json as Json)[key];
        expect(json).toBe(node.json);
        expect(node.pointer).toBe(node.keys.map((key) => `/${key}`).join(''));
      }
    }
  });
});

describe('source locations and jobs', () => {
  const actions = [
    later(50, set(1), later(50, set(2))),
    { ...repeat(2, set(3)), ...off },
    { type: 'comment' },
    when([], [set(4)], [later(50)]),
    { type: 'nobodyKnows', actions: [set(5)] },
    null,
    { type: 'repeatWithDelay', count: 2, number: 50, actions: [set(6)] },
  ];
  const game = load({ variables, scripts: { a: script([], actions), b: script([], [later(9, set(7))]) } });
  const tree = scriptsOf(game.definition);

  test('are numbered in the order of the document, without what never runs', () => {
    expect(tree.locations.map(({ script: { source }, path, type }) => `${source.key} ${path} ${type}`)).toEqual([
      'a 0 setTimeOut',
      'a 0/actions/0 setVariable',
      'a 0/actions/1 setTimeOut',
      'a 0/actions/1/actions/0 setVariable',
      'a 3 condition',
      'a 3/then/0 setVariable',
      'a 3/else/0 setTimeOut',
      'a 4 nobodyKnows',
      'a 6 repeatWithDelay',
      'a 6/actions/0 setVariable',
      'b 0 setTimeOut',
      'b 0/actions/0 setVariable',
    ]);
    expect(tree.locations.map(({ location }) => location)).toEqual(tree.locations.map((_, i) => i));
  });

  test('are numbered in the order in which delayed lists end', () => {
    expect(tree.jobs.map(({ pointer }) => pointer.replace('/data/scripts/', ''))).toEqual([
      'a/actions/0/actions/1/actions',
      'a/actions/0/actions',
      'a/actions/3/else/0/actions',
      'a/actions/6/actions',
      'b/actions/0/actions',
    ]);
    expect(tree.jobs.map(({ job }) => job)).toEqual([0, 1, 2, 3, 4]);
  });
});

/** A program that reports which scripts it has compiled. */
function spied(game: LoadedGame): { readonly program: Program; readonly compiled: string[] } {
  const compiler = new Compiler(game.definition, dialects.standard, vocabulary);
  const compiled: string[] = [];
  const program = new Program(game.definition, scriptsOf(game.definition), {
    dialect: compiler.dialect,
    jobs: compiler.jobs,
    compile(node, issues) {
      compiled.push(node.source.key);
      return compiler.compile(node, issues);
    },
  });
  return { program, compiled };
}

function play(game: LoadedGame, program: Program, ticks: number): Simulation {
  const own = new LoadedGame(game.definition);
  Object.assign(programsOfGame(own), { program: () => program });
  const sim = new Simulation(own, { seed: 1 });
  for (let i = 0; i < ticks; i++) sim.step();
  return sim;
}

describe('compiling a script on demand', () => {
  const scripts = {
    start: script('gameStart', [
      when([{ operator: '==' }, { function: 'getVariable', variableName: 'n' }, 1], [call('rare')]),
    ]),
    rare: script([], [write('m', 1)]),
    second: script('secondTick', [set(2)]),
  };

  test('happens once, when the script first runs', () => {
    const game = load({ variables, scripts });
    const { program, compiled } = spied(game);
    expect(compiled).toEqual([]);
    const sim = play(game, program, 1);
    expect(compiled).toEqual(['start']);
    sim.run({ seconds: 3 });
    expect(compiled).toEqual(['start', 'second']);
    play(game, program, 30);
    expect(compiled).toEqual(['start', 'second']);
    // Issues are described on request, once; playing requests none.
    compiled.length = 0;
    void program.issues;
    expect(compiled).toEqual(['start', 'rare', 'second']);
    void program.issues;
    play(game, program, 30);
    expect(compiled).toEqual(['start', 'rare', 'second']);
  });

  const orders: Readonly<Record<string, (scripts: readonly CompiledScript[]) => void>> = {
    'in their order': (all) => all.forEach(({ code }) => void code),
    'the last first': (all) => [...all].reverse().forEach(({ code }) => void code),
    'every other one': (all) => all.filter((_, i) => i % 2 === 0).forEach(({ code }) => void code),
  };
  test.each(Object.entries(orders))('%s does not affect a play', (_name, compile) => {
    const game = loadDefinition(sampleDocument('outbreak.json')).game!;
    const lazy = play(game, spied(game).program, 300);
    const { program } = spied(game);
    compile(program.scripts);
    const eager = play(game, program, 300);
    expect(eager.hash()).toBe(lazy.hash());
    expect(program.issues).toEqual(programsOfGame(game).program().issues);
  });

  test('works for a snapshot with pending delayed actions', () => {
    const data = {
      variables,
      scripts: { start: script('gameStart', [later(200, write('n', 1), later(200, write('m', 1)))]) },
    };
    const sim = new Simulation(load(data));
    sim.run({ ticks: 2 });
    const bytes = sim.snapshot();
    const again = Simulation.restore(load(data), bytes);
    for (let i = 0; i < 10; i++) {
      sim.step();
      again.step();
      expect(again.hash()).toBe(sim.hash());
    }
    expect([again.variable('n'), again.variable('m')]).toEqual([1, 1]);
  });

  test('works at the maximum depth of calls and lists', () => {
    let nested: unknown[] = [set(1)];
    for (let i = 0; i < 490; i++) nested = [when([], nested)];
    const chain = Object.fromEntries(
      Array.from({ length: 126 }, (_, i) => [`s${i}`, script(i === 0 ? ['gameStart'] : [], [call(`s${i + 1}`)])]),
    );
    const game = load({ variables, scripts: { ...chain, s126: script([], nested) } });
    const sim = new Simulation(game);
    expect(internalsOf(sim).world.faults.list()).toEqual([]);
    expect(sim.variable('n')).toBe(1);
  });
});

test('compiling scripts does not change the hash of a definition', () => {
  const compiled = load(everywhere);
  programsOfGame(compiled).program().compileAll();
  expect(definitionHash(compiled.definition)).toBe(definitionHash(load(everywhere).definition));
});

test('a condition that is a function has its node, and a missing condition has none', () => {
  const inCondition = (conditions: unknown): string[] => {
    const guarded = { type: 'condition', conditions, then: [], else: [] };
    const { definition } = load({ variables, scripts: { one: script('gameStart', [guarded]) } });
    const nodes = scriptsOf(definition).scripts.flatMap(({ actions }) => [...everyNode(actions)]);
    return nodes.flatMap((node) =>
      (node.parent as Node | undefined)?.kind === 'condition' ? [JSON.stringify(node.json)] : [],
    );
  };
  const call = { function: 'getVariable', variableName: 'm' };
  expect(inCondition(call)).toEqual([JSON.stringify(call)]);
  expect(inCondition([{ operator: '==' }, call, 1])).toContain(JSON.stringify(call));
  expect(inCondition(undefined)).toEqual([]);
});

import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { loadDefinition } from '../../engine/index.ts';
import { keepScripts, scriptsOf } from '../../engine/tools.ts';
import { modelOf, Prospects } from '../../src/model/index.ts';
import { usesIn } from '../../src/model/script-uses.ts';
import { importsOf, readTypeScript, type Sources } from '../tidy/source.ts';

const variable = (variableName: string) => ({ function: 'getVariable', variableName });
const set = (variableName: string, value: unknown) => ({ type: 'setVariable', variableName, value });
const is = (left: unknown, right: unknown, operator = '==') => [{ operandType: 'any', operator }, left, right];
const when = (conditions: unknown, then: unknown[], otherwise: unknown[] = []) => ({
  type: 'condition',
  conditions,
  then,
  else: otherwise,
});
const on = (type: string, actions: unknown[], more: object = {}) => ({ triggers: [{ type }], actions, ...more });

function definition(scripts: object, more: object = {}) {
  const variables = {
    score: { dataType: 'number', default: 0 },
    state: { dataType: 'string', default: 'lobby' },
    round: { dataType: 'number', default: 0 },
  };
  const { game } = loadDefinition({ variables, scripts, ...more });
  return game!.definition;
}

const placeOf = ({ place, path }: { readonly place: string; readonly path: string }): string => `${place}/${path}`;

test('tells who writes and who reads `score`', () => {
  const model = modelOf(
    definition({
      kill: on('unitTouchesUnit', [{ type: 'increaseVariableByNumber', variable: 'score', number: 1 }]),
      reset: on('gameStart', [set('score', 0), set('round', variable('score'))]),
      spin: on('secondTick', [{ type: 'for', variableName: 'score', start: 1, stop: 3, actions: [] }]),
      off: on('secondTick', [{ ...set('score', 9), disabled: true }]),
    }),
  );
  const writers = model.changes('variable', 'score');
  expect(writers.map((use) => [placeOf(use), use.value, use.by, use.isOff])).toEqual([
    ['scripts/kill/0', 1, 'adding', false],
    ['scripts/reset/0', 0, undefined, false],
    ['scripts/spin/0', 1, 'counting', false],
    ['scripts/off/0', 9, undefined, true],
  ]);
  const readers = model.uses('variable', 'score').filter(({ role }) => role === 'reads');
  expect(readers.map(placeOf)).toEqual(['scripts/reset/1']);
});

test('takes `score + 1` for adding to `score`, and that of another unit for something computed', () => {
  const sum = (operator: string, left: unknown, right: unknown) => ({
    function: 'calculate',
    items: [{ operator }, left, right],
  });
  const health = (name: string) => ({ function: 'getEntityAttribute', entity: variable(name), attribute: 'health' });
  const setHealth = (value: unknown) => ({
    type: 'setEntityAttribute',
    entity: variable('me'),
    attribute: 'health',
    value,
  });
  const model = modelOf(
    definition({
      a: on('gameStart', [
        set('score', sum('+', variable('score'), 2)),
        set('score', sum('+', 3, variable('score'))),
        set('score', sum('-', variable('score'), variable('round'))),
        set('score', sum('-', 1, variable('score'))),
        set('score', sum('+', variable('round'), 1)),
        set('round', 7),
        setHealth(sum('-', health('me'), 5)),
        setHealth(sum('-', health('other'), 5)),
      ]),
    }),
  );
  const steps = (kind: 'variable' | 'attribute', key: string) =>
    model.changes(kind, key).map(({ by, value }) => [by, value]);
  const computed = [undefined, undefined];
  expect(steps('variable', 'score')).toEqual([
    ['adding', 2],
    ['adding', 3],
    ['subtracting', undefined],
    computed,
    computed,
  ]);
  expect(steps('attribute', 'health')).toEqual([['subtracting', 5], computed]);
});

test('tells who gives units an attribute, owns what it changes, and creates which type', () => {
  const own = { function: 'thisEntity' };
  const model = modelOf(
    definition(
      { make: on('gameStart', [{ type: 'createUnitAtPosition', unitType: 'zombie', position: { x: 1, y: 1 } }]) },
      {
        unitTypes: {
          zombie: {
            attributes: { health: { value: 1, max: 9 } },
            scripts: {
              heal: on('entityCreated', [
                { type: 'setEntityAttribute', entity: own, attribute: 'health', value: 5 },
                { type: 'destroyEntity', entity: own },
              ]),
            },
          },
        },
      },
    ),
  );
  expect(model.changes('attribute', 'health').map((use) => [placeOf(use), use.scope, use.value])).toEqual([
    ['unitTypes/zombie/scripts/heal/0', 'own', 5],
  ]);
  expect(model.uses('unit', 'zombie').map(({ role, place }) => [role, place])).toEqual([['creates', 'scripts/make']]);
  expect(model.uses('entity').map(({ role, scope }) => [role, scope])).toEqual([['destroys', 'own']]);
});

test('tells the guards before an action: conditions around it, branches that left, and whether it runs later', () => {
  const model = modelOf(
    definition({
      play: on(
        'secondTick',
        [
          when(is(variable('state'), 'over'), [{ type: 'return' }]),
          when(is(variable('round'), 3, '>='), [], [{ type: 'setTimeOut', duration: 100, actions: [set('score', 1)] }]),
          set('score', 2),
        ],
        { conditions: is(variable('state'), 'lobby', '!=') },
      ),
    }),
  );
  const [later, last] = model.changes('variable', 'score');
  expect(later!.after).toMatchObject({ path: '1/else/0', isAnswer: false });
  expect(later!.guards.map(({ path, wanted }) => [path, wanted])).toEqual([
    ['', true],
    ['0', false],
    ['1', false],
  ]);
  expect(
    later!.guards.flatMap(({ tests }) => tests),
    'may be others when the delay has passed',
  ).toEqual([]);
  expect(last!.after).toBeUndefined();
  expect(last!.guards.flatMap(({ tests }) => tests)).toEqual([
    { variable: 'state', operator: '!=', value: 'lobby' },
    { variable: 'state', operator: '!=', value: 'over' },
  ]);
  expect(model.action('scripts/play', last!.guards[1]!)?.operation).toBe('condition');
  expect(model.action('scripts/play', last!)?.operand('value').json).toBe(2);
});

test('tells which actions lead a `state` from which value to which other', () => {
  const model = modelOf(
    definition({
      start: on('playerJoinsGame', [when(is(variable('state'), 'lobby'), [set('state', 'playing')])]),
      end: on('secondTick', [
        when(
          is(is(variable('state'), 'playing'), is(variable('round'), 3, '>'), 'AND'),
          [set('state', 'over'), set('state', 'lobby')],
          [set('round', 0)],
        ),
      ]),
      restart: on('gameStart', [set('state', 'lobby')]),
    }),
  );
  expect(model.transitions('state').map(({ from, to, use }) => [from, to, placeOf(use)])).toEqual([
    [['lobby'], 'playing', 'scripts/start/0/then/0'],
    [['playing'], 'over', 'scripts/end/0/then/0'],
    // The guard says nothing any more: the action before it changed the state.
    [['lobby', 'playing', 'over'], 'lobby', 'scripts/end/0/then/1'],
    [['lobby', 'playing', 'over'], 'lobby', 'scripts/restart/0'],
  ]);
});

test('a guard says nothing about a variable that a loop or another script may change in between', () => {
  const model = modelOf(
    definition({
      loop: on('secondTick', [
        when(is(variable('state'), 'lobby'), [
          { type: 'repeat', count: 3, actions: [set('state', 'a'), set('score', 1)] },
          { type: 'runScript', scriptName: 'other' },
          set('state', 'b'),
        ]),
      ]),
      other: { actions: [] },
    }),
  );
  for (const { from } of model.transitions('state')) expect(from).toEqual(['lobby', 'a', 'b']);
});

test('says nothing about the transitions of a variable that can become anything', () => {
  const computed = modelOf(
    definition({ a: on('gameStart', [set('round', 7), set('state', 'x'), set('state', variable('round'))]) }),
  );
  expect(computed.transitions('state')).toEqual([]);
  const named = { type: 'setVariable', variableName: { function: 'concat', textA: 'sta', textB: 'te' }, value: 1 };
  const anyName = modelOf(definition({ a: on('gameStart', [set('state', 'x'), named]) }));
  expect(anyName.transitions('state')).toEqual([]);
});

test('tells what starts a script: triggers, keys, abilities, effects, dialogues and other scripts', () => {
  const model = modelOf(
    definition(
      { go: on('gameStart', [{ type: 'runScript', scriptName: 'go' }]) },
      {
        abilities: { leap: { scriptName: 'go' } },
        dialogues: { hello: { options: [{ name: 'yes', scriptName: 'go' }] } },
        unitTypes: {
          hero: {
            scripts: { own: { actions: [] } },
            effects: { destroy: { runScript: 'go' } },
            controls: {
              abilities: {
                e: { keyDown: { scriptName: 'go' } },
                q: { keyUp: { scriptName: 'own' } },
                f: { keyDown: 'leap' },
              },
            },
          },
        },
      },
    ),
  );
  const provides = ['unit'];
  expect(model.starts('scripts/go').map(({ use: _, ...start }) => start)).toEqual([
    { by: 'trigger', name: 'gameStart', provides: [] },
    { by: 'key', name: 'e', type: 'hero', provides },
    { by: 'key', name: 'f', type: 'hero', ability: 'leap', provides },
    { by: 'ability', name: 'leap', provides },
    { by: 'effect', name: 'destroy', type: 'hero', provides },
    { by: 'dialogue', name: 'hello', provides: [] },
    { by: 'script', name: 'scripts/go', provides: [] },
  ]);
  expect(model.starts('unitTypes/hero/scripts/own')).toEqual([{ by: 'key', name: 'q', type: 'hero', provides }]);
});

test('a script that others start learns what these learn, and one that nothing starts learns nothing', () => {
  const call = (scriptName: string, more: object = {}) => ({ type: 'runScript', scriptName, ...more });
  const model = modelOf(
    definition(
      {
        joins: on('playerJoinsGame', [call('greet')]),
        greet: { actions: [call('end')] },
        end: { actions: [] },
        off: on('unitUsesItem', [call('never', { disabled: true })]),
        never: { actions: [] },
        mine: { actions: [] },
        wrong: on('frameTickUnknown', [call('never')]),
      },
      {
        unitTypes: { hero: { scripts: { own: on('secondTick', [call('mine'), call('end')]), mine: { actions: [] } } } },
      },
    ),
  );
  expect(model.provided('scripts/end')).toEqual(new Set(['player']));
  expect(model.provided('scripts/greet')).toEqual(new Set(['player']));
  expect(model.provided('unitTypes/hero/scripts/mine')).toEqual(new Set());
  for (const place of ['scripts/never', 'scripts/mine', 'scripts/wrong']) expect(model.provided(place)).toBe(undefined);
});

test('tells which built-in rules change an attribute, and which way', () => {
  const attributes = { health: { value: 9, regenerateSpeed: 1 }, mana: { value: 9 }, luck: { value: 1 } };
  const model = modelOf(
    definition(
      {
        gift: on('gameStart', [{ type: 'addAttributeBuffToUnit', entity: 'x', attribute: 'luck', value: 1, time: 9 }]),
      },
      {
        unitTypes: { hero: { attributes } },
        itemTypes: {
          sword: { damage: { unitAttributes: { health: 3 } }, bonus: { passive: { unitAttribute: { mana: 1 } } } },
        },
        abilities: { leap: { scriptName: 'gift', cost: { unitAttributes: { mana: 2 } } } },
        shops: { inn: { itemTypes: { sword: { price: { playerAttributes: { gold: 5 } } } } } },
      },
    ),
  );
  expect(model.attributeRules).toMatchObject([
    { by: 'regeneration', key: 'health', of: 'unit', amount: 1 },
    { by: 'damage', key: 'health', of: 'unit', amount: -3 },
    { by: 'bonuses of items', key: 'mana', of: 'unit' },
    { by: 'abilities', key: 'mana', of: 'unit', amount: -2 },
    { by: 'purchases of items', key: 'gold', of: 'player', amount: -5 },
  ]);
  const rules = ['health', 'mana', 'luck', 'speed'].map((key) => model.rulesChanging(key));
  expect(rules).toEqual([['regeneration', 'damage'], ['bonuses of items', 'abilities'], ['the end of buffs'], []]);
});

test('says of an action that only one dialect has, and of what is in it, which dialect that is', () => {
  const picks = { type: 'makeUnitPickupItemAtSlot', unit: variable('me'), item: variable('it'), slotIndex: 1 };
  const model = modelOf(definition({ a: on('gameStart', [picks, set('score', 1)]) }));
  expect(model.changes('items').map(({ only }) => only)).toEqual(['standard']);
  expect(model.uses('variable', 'it').map(({ only }) => only)).toEqual(['standard']);
  expect(model.changes('variable', 'score').map(({ only }) => only)).toEqual([undefined]);
});

test('knows the values of constants that scripts assign and compare', () => {
  const named = { from: { dataType: 'string', default: 'lobby' }, to: { dataType: 'string', default: 'playing' } };
  const scripts = {
    a: on('gameStart', [when(is(variable('state'), variable('from')), [set('state', variable('to'))])]),
    b: on('gameStart', [set('state', 'lobby')]),
  };
  const transitions = (...more: unknown[]) =>
    modelOf(
      definition(
        { ...scripts, c: on('gameStart', more) },
        { variables: { state: { dataType: 'string', default: 'lobby' }, ...named } },
      ),
    )
      .transitions('state')
      .map(({ from, to }) => [from, to]);
  expect(transitions()).toEqual([
    [['lobby'], 'playing'],
    [['lobby', 'playing'], 'lobby'],
  ]);
  expect(transitions(set('to', 'over'))).toEqual([]);
});

test('reads only the scripts anew that changed', () => {
  const before = definition({ same: on('gameStart', [set('score', 1)]), other: on('gameStart', [set('score', 2)]) });
  const after = definition({ same: on('gameStart', [set('score', 1)]), other: on('gameStart', [set('score', 3)]) });
  const [same, other] = modelOf(before).changes('variable', 'score');
  expect(keepScripts(after, before)).toBe(true);
  const [sameLater, otherLater] = modelOf(after).changes('variable', 'score');
  const [scripts, scriptsLater] = [before, after].map((each) => scriptsOf(each).scripts);
  expect(usesIn(scriptsLater![0]!)).toBe(usesIn(scripts![0]!));
  expect(sameLater).toEqual(same);
  expect(other!.value).toBe(2);
  expect(otherLater!.value).toBe(3);
});

test('names in a script that is the same are read anew if the type of a variable changed', () => {
  const scripts = { a: on('gameStart', [when(is(variable('kind'), 'zombie'), [])]) };
  const withKind = (dataType: string) =>
    definition(scripts, { variables: { kind: { dataType } }, unitTypes: { zombie: {} } });
  const before = withKind('string');
  const named = modelOf(before).names('scripts/a');
  expect(named.map(({ kind, key, path }) => [kind, key, path])).toEqual([
    ['variable', 'kind', '/actions/0/conditions/1/variableName'],
  ]);
  const same = withKind('string');
  expect(keepScripts(same, before)).toBe(true);
  expect(modelOf(same).names('scripts/a')).toBe(named);
  const other = withKind('unitType');
  expect(keepScripts(other, same)).toBe(false);
  expect(
    modelOf(other)
      .names('scripts/a')
      .map(({ kind, key }) => [kind, key])
      .sort(),
  ).toEqual([
    ['unitType', 'zombie'],
    ['variable', 'kind'],
  ]);
});

test('is plain data', () => {
  const model = modelOf(definition({ a: on('gameStart', [when(is(variable('state'), 'x'), [set('score', 1)])]) }));
  const uses = model.uses('variable', 'score');
  expect(structuredClone(uses)).toEqual(uses);
});

/** The files that an import leads to: of a door, those whose names are imported. */
function behind(path: string, target: string, sources: Sources): string[] {
  if (!/^src\/[\w-]+\/index\.ts$/.test(target)) return [target];
  const listed = /(?:import|export) \{([^}]*)\} from '([^']+)'/g;
  const found = (file: string) =>
    Array.from(sources.get(file)!.matchAll(listed), ([, names, from]) => ({
      names: names!.split(',').map((name) => name.trim().split(' as ')[0]!),
      to: posix.join(posix.dirname(file), from!),
    }));
  const wanted = found(path)
    .flatMap(({ names, to }) => (to === target ? names : []))
    .filter((name) => !name.startsWith('type '));
  return found(target).flatMap(({ names, to }) => (names.some((name) => wanted.includes(name)) ? to : []));
}

test('is never built to run or serve a game', () => {
  const sources = readTypeScript('engine', 'src');
  const entries = ['src/cli/run/run.ts', 'src/cli/serve/serve.ts', 'src/server/worker.ts', 'src/bots/objectives.ts'];
  const loaded = new Set(entries);
  const users = new Set<string>();
  for (const path of loaded) {
    if (path.startsWith('src/model/')) continue;
    for (const { target, typeOnly } of importsOf(path, sources.get(path)!)) {
      if (target === undefined || typeOnly || !sources.has(target)) continue;
      for (const file of behind(path, target, sources)) {
        loaded.add(file);
        if (file === 'src/model/game-model.ts') users.add(path);
      }
    }
  }
  expect(loaded.size).toBeGreaterThan(200);
  // Rules are loaded with the table of codes, but nothing that plays a game has it checked.
  const isOfCheck = (path: string): boolean => path.startsWith('src/check/');
  expect([...users].filter((path) => !isOfCheck(path))).toEqual([]);
  const others = [...loaded].filter((path) => !isOfCheck(path) && !path.startsWith('src/model/'));
  expect(others.filter((path) => /\b(?:checkGame|modelOf)\(/.test(sources.get(path)!))).toEqual([]);
});

test('tells what scripts can still do from a moment on: guards, timers and types that exist decide', () => {
  const model = modelOf(
    definition({
      end: on('secondTick', [
        when(is(variable('state'), 'playing'), [
          set('state', 'over'),
          { type: 'setTimeOut', duration: 100, actions: [set('state', 'lobby')] },
        ]),
      ]),
      start: on('secondTick', [when(is(variable('state'), 'lobby'), [set('state', 'playing')])]),
      begin: on('gameStart', [set('state', 'playing')]),
      count: on('secondTick', [
        set('round', { function: 'calculate', items: [{ operator: '-' }, variable('round'), 1] }),
      ]),
      again: on('secondTick', [when(is(variable('round'), 0), [set('round', 9)])]),
    }),
  );
  const states = ['playing', 'over', 'lobby', 'playing'];
  const runs = (state: string, round: number, pending: string[] = []) => {
    const value = (name: string) => (name === 'state' ? state : round);
    const isPending = (place: string, path: string) => pending.includes(`${place} ${path}`);
    const now = new Prospects(model, { value, isPending, hasUnit: () => false });
    const of = (name: string) => model.changes('variable', name).filter((use) => now.mayRun(use));
    return [...of('state'), ...of('round')].map((use) => use.by ?? use.value);
  };
  expect(runs('lobby', 3)).toEqual(expect.arrayContaining([...states.slice(0, 3), 9]));
  expect(runs('over', 3)).toEqual(['subtracting', 9]);
  expect(runs('over', 3, ['scripts/end 0/then/1'])).toEqual(['over', 'lobby', 'playing', 'subtracting', 9]);
  expect(runs('over', -1)).toEqual(['subtracting']);
});

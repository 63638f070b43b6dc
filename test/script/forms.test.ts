import { describe, expect, test } from 'vitest';
import { Simulation } from '../../engine/index.ts';
import { writeGlobal } from '../../engine/rules/entities/variable.ts';
import { LoadedGame } from '../../engine/sim/load.ts';
import { internalsOf, vocabulary } from '../../engine/tools.ts';
import { noEntity, rowOf } from '../../engine/world/entity.ts';
import { createUnitAt, setVariable } from '../support/actions.ts';
import { joinAs, type Play, script, unitType } from '../support/play.ts';
import { note, noting, trailOf, variable } from '../support/trail.ts';
import { call, compare, go, increase, type Json, later, ready, repeat, trail, when } from './forms-scene.ts';

describe('loops', () => {
  const group = (name: string): Json => ({ function: name });
  const place = { x: 300, y: 300 };
  /** Every form that repeats its actions, set up for three iterations. */
  const loops: Readonly<Record<string, Json>> = {
    repeat: { type: 'repeat', count: 3 },
    while: { type: 'while', conditions: compare('<', variable('n'), 3) },
    for: { type: 'for', variableName: 'i', start: 1, stop: 3 },
    'forIn over a text': { type: 'forIn', variableNameMain: 'i', variableNameSource: 'text' },
    'forIn over an object': { type: 'forIn', variableNameMain: 'key', variableNameSource: 'thing' },
    forAllUnits: { type: 'forAllUnits', unitGroup: group('allUnits') },
    forAllPlayers: { type: 'forAllPlayers', playerGroup: variable('thing') },
    forAllItems: { type: 'forAllItems', itemGroup: group('allItems') },
    forAllProjectiles: { type: 'forAllProjectiles', projectileGroup: group('allProjectiles') },
    forAllDebris: { type: 'forAllDebris', debrisGroup: group('allDebris') },
    forAllRegions: { type: 'forAllRegions', regionGroup: group('allRegions') },
    forAllEntities: { type: 'forAllEntities', entityGroup: group('allUnits') },
    forAllUnitTypes: { type: 'forAllUnitTypes', unitTypeGroup: group('allUnitTypesInGame') },
    forAllItemTypes: { type: 'forAllItemTypes', itemTypeGroup: group('allItemTypesInGame') },
    forAllElementsInObject: { type: 'forAllElementsInObject', object: variable('thing') },
    repeatWithDelay: { type: 'repeatWithDelay', count: 3, number: 100 },
  };
  // Ten computer players always exist: the three are those that a variable holds.
  const players = (s: Play) =>
    writeGlobal(
      s.world,
      'thing',
      [1, 2, 3].map((i) => s.world.ref(s.player(i))),
    );

  function run(loop: string, second: readonly unknown[]): string {
    const body = [increase('n'), note('a'), when(compare('==', variable('n'), 2), [...second]), note('b')];
    const s = ready([{ ...loops[loop], actions: body }, note('after')], {
      scripts: {
        ball: script(
          [],
          [{ type: 'createProjectileAtPosition', projectileType: 'ball', position: place, force: 0, angle: 0 }],
        ),
      },
    });
    for (const x of [100, 200, 400]) s.unit({ x });
    for (const type of ['axe', 'bow', 'cup']) s.item(type);
    for (let i = 0; i < 3; i++) internalsOf(s.sim).runtime.runScript('ball', noEntity, {});
    if (loop === 'forAllPlayers') players(s);
    go(s);
    s.seconds(1);
    expect(s.faults()).toEqual([]);
    return trailOf(s);
  }

  /** The actions after the loop: if a loop is asynchronous, the script continues after its first iteration. */
  const ends: Readonly<Record<string, readonly [signal: unknown[], rounds: string, delayed: string]>> = {
    'nothing special': [[], 'a b a b a b after', 'a b after a b a b'],
    break: [[{ type: 'break' }], 'a b a after', 'a b after a'],
    continue: [[{ type: 'continue' }], 'a b a a b after', 'a b after a a b'],
    return: [[{ type: 'return' }], 'a b a', 'a b after a'],
  };

  describe.each(Object.keys(loops))('%s', (loop) => {
    test.each(Object.entries(ends))('with %s in the second round', (_name, [signal, rounds, delayed]) => {
      expect(run(loop, signal)).toBe(loop === 'repeatWithDelay' ? delayed : rounds);
    });
  });

  test('cover every action with a list of actions', () => {
    const tried = new Set(Object.values(loops).map(({ type }) => type));
    for (const [type, row] of vocabulary.actions) {
      if (row.params['actions'] === undefined || type === 'setTimeOut') continue;
      expect(tried).toContain(type);
    }
  });

  test('`break` and `continue` affect the innermost loop', () => {
    expect(trail([repeat(2, note('x'), repeat(2, note('y'), { type: 'break' }), note('z'))])).toBe('x y z x y z');
    expect(trail([repeat(2, note('x'), repeat(2, { type: 'continue' }, note('y')), note('z'))])).toBe('x z x z');
  });

  test('`return` leaves all loops', () => {
    expect(trail([repeat(2, repeat(2, note('x'), { type: 'return' }), note('y')), note('z')])).toBe('x');
  });

  test('`return` ends its own script, and not the caller', () => {
    const scripts = { inner: script([], [note('i'), repeat(3, { type: 'return' }), note('j')]) };
    expect(trail([call('inner'), note('o')], { scripts })).toBe('i o');
  });

  test.each(['break', 'continue', 'return'])('%s outside a loop ends the script', (type) => {
    expect(trail([note('a'), { type }, note('b')])).toBe('a');
    expect(trail([note('a'), when([], [{ type }, note('b')]), note('c')])).toBe('a');
  });

  test.each([
    ['a signal in the first round of `repeatWithDelay`', 'break', 'a after'],
    ['a signal in the first round of `repeatWithDelay`', 'continue', 'a after a a'],
    ['a signal in the first round of `repeatWithDelay`', 'return', 'a'],
  ])('%s: %s', (_name, type, expected) => {
    expect(
      trail([{ type: 'repeatWithDelay', count: 3, number: 100, actions: [note('a'), { type }] }, note('after')]),
    ).toBe(expected);
  });

  test.each([
    ['break', 'a after a a'],
    ['continue', 'a after a a'],
    ['return', 'a after'],
  ])('in moddio a signal in `repeatWithDelay` ends only the round: %s', (type, expected) => {
    const rounds = { type: 'repeatWithDelay', count: 3, number: 100, actions: [note('a'), { type }, note('b')] };
    expect(trail([rounds, note('after')], { dialect: 'moddio' })).toBe(expected);
  });

  test('`repeat` rounds its count up and converts texts', () => {
    for (const [count, rounds] of [
      [0, 0],
      [-1, 0],
      [1, 1],
      [2.5, 3],
      ['2', 2],
    ] as const) {
      expect(trail([repeat(count, note('x'))]).split('x')).toHaveLength(rounds + 1);
    }
  });

  test.each<[unknown, unknown, string, number]>([
    [1, 3, '1 2 3', 4],
    ['1', '3', '1 2 3', 4],
    [3, 1, '', 3],
    [-1, 0.5, '-1 0', 1],
    [2, 2, '2', 3],
  ])('`for` counts from %j to %j', (start, stop, counted, left) => {
    const s = go(ready([{ type: 'for', variableName: 'i', start, stop, actions: [note(variable('i'))] }]));
    expect(trailOf(s)).toBe(counted);
    expect(s.variable('i')).toBe(left);
  });

  const changed = (type: string, before: unknown, amount: unknown, dialect: 'standard' | 'moddio') => {
    const actions = [setVariable('n', before), { type, variable: 'n', number: amount }];
    return go(ready(actions, { dialect })).variable('n');
  };

  test('numbers written as text can be added', () => {
    expect(changed('increaseVariableByNumber', '5', 1, 'standard')).toBe(6);
    expect(changed('increaseVariableByNumber', 3, '5', 'standard')).toBe(8);
  });

  test.each<[string, unknown, unknown, unknown]>([
    ['increaseVariableByNumber', 3, '5', '35'],
    ['increaseVariableByNumber', '3', '5', '35'],
    ['increaseVariableByNumber', 3, { function: 'concat', textA: '1', textB: '0' }, '310'],
    ['increaseVariableByNumber', variable('nobody'), '5', 5],
    ['increaseVariableByNumber', 3, 'five', 3],
    ['decreaseVariableByNumber', 3, '5', -2],
    ['decreaseVariableByNumber', '3', '5', -2],
    ['increaseVariableByNumber', '5', 1, '51'],
    ['increaseVariableByNumber', '-2.5', 1, '-2.51'],
    ['increaseVariableByNumber', 5, 1, 6],
    ['decreaseVariableByNumber', '5', 1, 4],
    ['increaseVariableByNumber', '', 1, '1'],
    ['decreaseVariableByNumber', '', 1, -1],
    ['increaseVariableByNumber', 'five', 1, 'five'],
    ['decreaseVariableByNumber', 'five', 1, 'five'],
  ])('in moddio addition appends texts that are numbers: %s of %j by %j gives %j', (type, before, amount, after) => {
    expect(changed(type, before, amount, 'moddio')).toBe(after);
  });

  test('the body of `for` may change the counter', () => {
    expect(
      trail([{ type: 'for', variableName: 'i', start: 1, stop: 6, actions: [note(variable('i')), increase('i')] }]),
    ).toBe('1 3 5');
  });

  test('a loop counter does not count as an updated variable, and keeps its default', () => {
    const nothingFound = { function: 'getTriggeringUnit' };
    const last = note({ function: 'lastUpdatedVariableName' });
    const forget = setVariable('i', nothingFound);
    const counts = { type: 'for', variableName: 'i', start: 1, stop: 2, actions: [] };
    const walks = { type: 'forIn', variableNameMain: 'i', variableNameSource: 'text', actions: [] };
    for (const loop of [counts, walks]) {
      const fresh = setVariable('key', 'new');
      expect(trail([fresh, loop, last, forget, note(variable('i'))])).toBe('key 0');
    }
  });

  test('`forIn` loops over the keys that exist at its start', () => {
    const grow = { type: 'addNumberElement', key: 'z', value: 1, object: variable('thing') };
    const forIn = {
      type: 'forIn',
      variableNameMain: 'key',
      variableNameSource: 'thing',
      actions: [note(variable('key')), grow],
    };
    expect(trail([forIn, note('-'), forIn])).toBe('a b c - a b c z');
  });

  test('a loop over entities visits those that exist at its start, even if destroyed meanwhile', () => {
    const make = createUnitAt('unit', { function: 'getPlayerFromId', string: 'c1' }, { x: 9, y: 9 });
    const end = { type: 'destroyEntity', entity: { function: 'getSelectedUnit' } };
    const s = ready([{ type: 'forAllUnits', unitGroup: { function: 'allUnits' }, actions: [note('x'), make, end] }]);
    s.unit();
    s.unit();
    go(s);
    expect(trailOf(s)).toBe('x x');
    expect(s.sim.entities('unit').map(s.id)).toEqual(['u3', 'u4']);
  });

  test('item types come in reverse order, elements in the order of the object', () => {
    const itemTypes = {
      type: 'forAllItemTypes',
      itemTypeGroup: { function: 'allItemTypesInGame' },
      actions: [note({ function: 'selectedItemType' })],
    };
    expect(trail([itemTypes])).toBe('cup bow axe');
    const elements = {
      type: 'forAllElementsInObject',
      object: variable('thing'),
      actions: [note({ function: 'selectedElementsKey' }), note({ function: 'selectedElement' })],
    };
    expect(trail([elements])).toBe('a 1 b 2 c 3');
  });
});

describe('delayed actions', () => {
  const selectedKey = { function: 'selectedElementsKey' };
  const overKeys = (...actions: unknown[]): Json => ({
    type: 'forAllElementsInObject',
    object: variable('thing'),
    actions,
  });

  test('see the loop variables of the moment at which they were scheduled', () => {
    expect(trail([overKeys(later(100, note(selectedKey))), note('now')])).toBe('now a b c');
    expect(trail([overKeys({ type: 'repeatWithDelay', count: 2, number: 100, actions: [note(selectedKey)] })])).toBe(
      'a b c a b c',
    );
  });

  test('see variables as they are when they run', () => {
    expect(trail([later(100, note(variable('text'))), setVariable('text', 'new')])).toBe('new');
  });

  test('keep outer loop variables apart from inner ones', () => {
    const s = ready([
      {
        type: 'forAllUnits',
        unitGroup: { function: 'allUnits' },
        actions: [
          later(
            100,
            overKeys(note(selectedKey)),
            note({ function: 'getEntityId', entity: { function: 'getSelectedUnit' } }),
          ),
        ],
      },
    ]);
    s.unit();
    s.unit();
    go(s).seconds(1);
    expect(trailOf(s)).toBe('a b c u1 a b c u2');
  });

  test('of a destroyed entity still find its scripts, even if its row is reused', () => {
    const haunting = (word: string) => ({
      haunt: script([], [note(word)]),
      dies: script('initEntityDestroy', [later(500, call('haunt'))]),
    });
    // A variable that holds it would keep its place.
    const forget = setVariable('thing', { function: 'undefinedValue' });
    const s = ready([{ type: 'destroyEntity', entity: variable('thing') }, forget], {
      data: {
        unitTypes: {
          unit: unitType(),
          orc: unitType({ name: 'orc', scripts: haunting('orc') }),
          elf: unitType({ name: 'elf', scripts: haunting('elf') }),
        },
      },
    });
    const orc = s.unit({ type: 'orc' });
    writeGlobal(s.world, 'thing', s.world.ref(orc));
    go(s).ticks(3);
    const rows = Array.from({ length: 5 }, () => rowOf(s.unit({ type: 'elf' })));
    expect(rows).toContain(rowOf(orc));
    const restored = Simulation.restore(new LoadedGame(s.sim.definition), s.sim.snapshot());
    s.seconds(1);
    expect(s.faults()).toEqual([]);
    expect(trailOf(s)).toBe('orc');
    restored.run({ seconds: 1 });
    expect(restored.hash()).toBe(s.sim.hash());
  });

  test('end at a `return`, without ending the script', () => {
    expect(trail([later(100, note('a'), { type: 'return' }, note('b')), later(100, note('c')), note('d')])).toBe(
      'd a c',
    );
  });

  test.each(['number', 'delay'])('of `repeatWithDelay` wait `%s` ms between two rounds', (name) => {
    const s = go(ready([{ type: 'repeatWithDelay', count: 3, [name]: 150, actions: [note('x')] }]));
    const seen: string[] = [];
    for (let i = 0; i < 8; i++) {
      seen.push(String(trailOf(s).length === 0 ? 0 : trailOf(s).split(' ').length));
      s.ticks(1);
    }
    expect(seen.join('')).toBe('11122233');
  });

  test('of two runs of one script have separate rounds', () => {
    const scripts = { twice: script([], [{ type: 'repeatWithDelay', count: 2, number: 100, actions: [note('x')] }]) };
    expect(trail([call('twice'), call('twice')], { scripts })).toBe('x x x x');
  });
});

describe('scripts that call scripts', () => {
  test('a called script runs at once, and receives trigger and loop variables', () => {
    const scripts = { inner: noting({ function: 'selectedElementsKey' }) };
    const loop = { type: 'forAllElementsInObject', object: variable('thing'), actions: [call('inner')] };
    expect(trail([loop, note('end')], { scripts })).toBe('a b c end');
  });

  test('loop variables of a called script do not affect the caller', () => {
    const key = { function: 'selectedElementsKey' };
    const loop = (...actions: unknown[]) => ({ type: 'forAllElementsInObject', object: variable('thing'), actions });
    const scripts = { inner: script([], [loop(note('i'))]) };
    expect(trail([loop(call('inner'), note(key))], { scripts })).toBe('i i i a i i i b i i i c');
  });

  test('calling a script that does not exist is a fault, and the next action runs', () => {
    const s = go(ready([call('nobody'), note('next')]));
    expect(s.faults()).toEqual([{ code: 'no-such-script', at: 'scripts/go/actions/0', count: 1 }]);
    expect(trailOf(s)).toBe('next');
  });
});

describe('scripts that listen to a trigger', () => {
  test.each([
    [['playerJoinsGame'], 'x'],
    // A script that lists a trigger twice runs twice (reference: scripts#trigger-index).
    [['playerJoinsGame', 'playerJoinsGame'], 'x x'],
    [['playerLeavesGame'], ''],
    [[], ''],
  ])('with the list %j append "%s" when a player joins', (triggers, expected) => {
    const s = ready([], { scripts: { each: noting('x', ...triggers) } });
    s.sim.join();
    s.ticks(1);
    expect(trailOf(s)).toBe(expected);
  });

  test('by its older and newer name run once', () => {
    const s = ready([], {
      scripts: { both: noting('world', 'unitPickedAnItem', 'unitPicksUpItem') },
      data: {
        unitTypes: {
          unit: unitType({ scripts: { both: noting('unit', 'thisUnitPickedUpAnItem', 'thisUnitPicksUpItem') } }),
        },
      },
    });
    const unit = s.unit();
    s.give(unit, 'axe');
    expect(trailOf(s).split(' ').sort()).toEqual(['unit', 'world']);
  });

  test('run in the order of the document', () => {
    const scripts = Object.fromEntries(['c', 'a', 'b'].map((key) => [key, { ...noting(key, 'playerJoinsGame') }]));
    const s = ready([], { scripts: { ...scripts, join: joinAs('unit') } });
    s.sim.join();
    s.ticks(1);
    expect(trailOf(s)).toBe('c a b');
    expect(s.sim.entities('unit')).toHaveLength(1);
  });
});

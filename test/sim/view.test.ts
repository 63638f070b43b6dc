import { describe, expect, test } from 'vitest';
import { type Entity, loadDefinition, Simulation } from '../../engine/index.ts';
import { viewState } from '../../engine/sim/view.ts';
import { EntityRef, internalsOf, viewIdentity, viewValue } from '../../engine/tools.ts';
import { createUnitAt, setVariable } from '../support/actions.ts';
import { lazily } from '../support/lazily.ts';

const box = { type: 'dynamic', width: 40, height: 40, fixtures: [{ density: 1 }] };
const state = { name: 'default', body: 'default' };
const at = (x: number, y: number) => ({ function: 'xyCoordinate', x, y });
const variable = (variableName: string) => ({ function: 'getVariable', variableName });
const triggeringPlayer = { function: 'getTriggeringPlayer' };

const definition = {
  data: {
    map: { width: 20, height: 20, layers: [] },
    settings: { gravity: { x: 0, y: 0 }, scoreAttributeId: 'gold' },
    defaultData: { frameRate: 20, engineTickRate: 20 },
    variables: {
      mayor: { dataType: 'unit' },
      count: { dataType: 'number', default: 3 },
      square: { dataType: 'region', default: { x: 10, y: 20, width: 30, height: 40 } },
      home: { dataType: 'position', default: { x: 1, y: 2 } },
    },
    playerTypes: { citizen: { name: 'Citizen', attributes: { gold: { value: 5, min: 0, max: 9 } } } },
    unitTypes: {
      guard: {
        name: 'Guard',
        inventorySize: 2,
        backpackSize: 1,
        bodies: { default: box },
        states: { default: state },
        attributes: { health: { value: 7, min: 0, max: 10 } },
        variables: { rank: { dataType: 'number', default: 1 } },
        defaultItems: [{ key: 'torch' }],
      },
    },
    itemTypes: {
      torch: {
        name: 'Torch',
        type: 'weapon',
        maxQuantity: 5,
        quantity: 5,
        bodies: { selected: { type: 'spriteOnly', width: 5, height: 5 } },
        states: {
          selected: { name: 'selected', body: 'selected' },
          unselected: { name: 'unselected', body: 'none' },
          dropped: { name: 'dropped', body: 'none' },
        },
      },
    },
    projectileTypes: { stone: { name: 'Stone', bodies: { default: box }, states: { default: state } } },
    scripts: {
      arrive: {
        triggers: [{ type: 'playerJoinsGame' }],
        actions: [
          { type: 'assignPlayerType', entity: triggeringPlayer, playerType: 'citizen' },
          createUnitAt('guard', triggeringPlayer, at(100, 200)),
          setVariable('mayor', { function: 'getLastCreatedUnit' }),
          {
            type: 'createProjectileAtPosition',
            projectileType: 'stone',
            position: at(400, 400),
            force: 4,
            angle: 0,
            unit: variable('mayor'),
          },
        ],
      },
      leave: {
        triggers: [{ type: 'playerCustomInput' }],
        actions: [{ type: 'destroyEntity', entity: variable('mayor') }],
      },
    },
  },
};

function play(): Simulation {
  const { game } = loadDefinition(definition);
  return new Simulation(game!, { seed: 'view', dialect: 'moddio' });
}

function view(sim: Simulation) {
  return viewState(internalsOf(sim).world, internalsOf(sim).game.physics);
}

describe('the view of a game', () => {
  function joined(): Simulation {
    const sim = play();
    sim.input({ kind: 'join', name: 'Ann', clientId: 'p1' });
    sim.step();
    sim.step();
    return sim;
  }

  const shared = lazily(() => {
    const sim = joined();
    return { sim, ...view(sim) };
  });

  test('before the first player joins has computer players, regions and defaults of variables', () => {
    const start = view(play());
    expect(start.units).toEqual([]);
    expect(start.players.map(({ id, kind }) => [id, kind])).toContainEqual(['c1', 'computer']);
    expect(start.regions).toEqual([{ id: 'r:square', x: 10, y: 20, width: 30, height: 40 }]);
    expect(start.variables).toEqual({
      mayor: '$undefined',
      count: 3,
      square: { x: 10, y: 20, width: 30, height: 40 },
      home: { x: 1, y: 2 },
    });
  });

  test('has the current time', () => {
    const { tick, timeMs } = shared();
    expect([tick, timeMs]).toEqual([2, 100]);
  });

  test('shows a unit with its position, possessions and owner', () => {
    const { units } = shared();
    expect(units).toHaveLength(1);
    expect(units[0]).toMatchObject({
      id: 'u1',
      type: 'guard',
      state: 'default',
      x: 100,
      y: 200,
      angle: 0,
      vx: 0,
      vy: 0,
      hidden: false,
      owner: 'p1',
      slots: ['i1', null, null],
      slot: 0,
      holding: 'i1',
      tradeSlots: [],
      attributes: { health: 7 },
      bounds: { health: [0, 10] },
      variables: { rank: 1 },
      moving: false,
      ai: null,
      aiTarget: null,
    });
    expect(units[0]!.body!.map((number) => Math.round(number))).toEqual([100, 200, 0, 0]);
  });

  test('shows a carried item, which has no body', () => {
    const { items } = shared();
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      id: 'i1',
      type: 'torch',
      state: 'selected',
      owner: 'u1',
      slotIndex: 0,
      quantity: 5,
      maxQuantity: 5,
      body: null,
      vx: null,
      vy: null,
      used: false,
    });
  });

  test('shows the debris of the map, if the dialect has debris', () => {
    const objects = [{ id: 4, x: 100, y: 200, width: 60, height: 40, rotation: 0, type: 'dynamic', name: 'crate' }];
    const layers = [{ name: 'debris', type: 'objectgroup', objects }];
    const { game } = loadDefinition({ data: { ...definition.data, map: { ...definition.data.map, layers } } });
    const shown = (dialect: 'standard' | 'moddio') => {
      const sim = new Simulation(game!, { dialect });
      sim.run({ ticks: 2 });
      return view(sim).debris;
    };
    expect(shown('moddio')).toEqual([]);
    const [crate, ...more] = shown('standard');
    expect(more).toEqual([]);
    expect(crate).toMatchObject({ id: 'd1', name: '4', x: 100, y: 200, width: 60, height: 40, hidden: false });
    expect([crate!.vx, crate!.vy, crate!.body!.slice(0, 2)]).toEqual([0, 0, [100, 200]]);
  });

  test('shows a projectile with its source', () => {
    const { projectiles } = shared();
    expect(projectiles).toHaveLength(1);
    expect(projectiles[0]).toMatchObject({ id: 'b1', type: 'stone', source: 'u1', deathTimeMs: null });
  });

  test('shows a player with units and attributes', () => {
    const { players } = shared();
    expect(players.find(({ id }) => id === 'p1')).toMatchObject({
      name: 'Ann',
      kind: 'human',
      isBot: false,
      type: 'citizen',
      attributes: { gold: 5 },
      score: 5,
      bounds: { gold: [0, 9] },
      units: ['u1'],
      selected: 'u1',
      mouse: null,
      keysDown: [],
    });
  });

  test('shows the values of variables, with entities by label', () => {
    const { regions, variables } = shared();
    expect(variables.mayor).toBe('@u1');
    expect(regions.map(({ id }) => id)).toEqual(['r:square']);
  });

  test('names the kind and type of an entity', () => {
    const { sim } = shared();
    const [unit] = sim.entities('unit');
    expect(viewIdentity(internalsOf(sim).world, unit!)).toEqual({ id: 'u1', kind: 'unit', type: 'guard' });
    const [region] = sim.entities('region');
    expect(viewIdentity(internalsOf(sim).world, region!)).toEqual({ id: 'r:square', kind: 'region', type: null });
    expect(viewIdentity(internalsOf(sim).world, 0 as Entity)).toBeUndefined();
  });

  test('shares nothing with the game: later ticks do not change it', () => {
    const sim = joined();
    const before = JSON.stringify(view(sim));
    const kept = view(sim);
    sim.input({ kind: 'keyDown', player: 'p1', key: 'x' });
    sim.step();
    expect(JSON.stringify(kept)).toBe(before);
  });

  test('a destroyed unit is not shown, a variable still names it, and its label is not reused', () => {
    const sim = joined();
    sim.input({ kind: 'customInput', player: 'p1', text: '' });
    sim.step();
    const after = view(sim);
    expect(after.units).toEqual([]);
    expect(after.items).toEqual([]);
    expect(after.variables.mayor).toBe('@u1');
    expect(after.projectiles[0]!.source).toBeNull();
    sim.input({ kind: 'join', name: 'Ben', clientId: 'p2' });
    sim.step();
    expect(view(sim).units.map(({ id }) => id)).toEqual(['u2']);
  });
});

describe('values of scripts', () => {
  const cases: [value: unknown, shown: unknown][] = [
    [undefined, '$undefined'],
    [null, null],
    [Number.NaN, '$NaN'],
    [Number.POSITIVE_INFINITY, '$Infinity'],
    [Number.NEGATIVE_INFINITY, '$-Infinity'],
    [1.25, 1.25],
    ['5', '5'],
    [true, true],
    [new EntityRef(0, 'unit', 'u7'), '@u7'],
    [new EntityRef(0, 'region', 'r:square'), '@r:square'],
    [
      [new EntityRef(0, 'item', 'i2'), [undefined]],
      ['@i2', ['$undefined']],
    ],
    [
      { x: 1, y: { z: undefined } },
      { x: 1, y: { z: '$undefined' } },
    ],
  ];
  test.each(cases)('%s', (value, shown) => {
    expect(viewValue(value)).toEqual(shown);
  });

  test('a cyclic object is shown to a limited depth', () => {
    const self: Record<string, unknown> = { name: 'ring' };
    self['self'] = self;
    const shown = JSON.stringify(viewValue(self));
    expect(shown.startsWith('{"name":"ring","self":{"name":"ring","self":')).toBe(true);
    expect(shown).toContain('"self":"$cut"');
  });

  test('objects that grow exponentially are shown up to a limit', () => {
    let held: unknown = 1;
    for (let level = 0; level < 60; level++) held = { a: held, b: held };
    const shown = JSON.stringify(viewValue(held));
    expect(shown).toContain('"$cut"');
    expect(shown.length).toBeLessThan(10_000_000);
  });

  test('a member named `__proto__` is an ordinary member', () => {
    const shown = viewValue(JSON.parse('{"__proto__": 1}'));
    expect(Object.hasOwn(shown as object, '__proto__')).toBe(true);
  });
});

import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { Simulation, type UnitHandle, UsageError } from '../../engine/index.ts';
import { EntityRef } from '../../engine/tools.ts';
import { attribute, itemType, joinAs, load, projectileType, script, unitType } from '../support/play.ts';

const data = {
  variables: {
    best: { dataType: 'unit' },
    list: { dataType: 'object', default: { a: [1, 2] } },
    yard: { dataType: 'region', default: { x: 10, y: 20, width: 30, height: 40 } },
  },
  playerTypes: { human: { name: 'human', attributes: { gold: attribute(3) }, variables: {}, relationships: {} } },
  unitTypes: {
    unit: unitType({
      attributes: { health: attribute(50, { max: 80 }) },
      variables: { mood: { dataType: 'string', default: 'calm' }, friend: { dataType: 'unit' } },
      inventorySize: 3,
    }),
    ghost: unitType({ name: 'ghost' }),
  },
  itemTypes: { coin: itemType({ quantity: 5, maxQuantity: 9 }) },
  projectileTypes: { ball: projectileType({}) },
  scripts: { join: joinAs('unit'), grow: script([], []) },
};

function scene() {
  const game = load(data);
  const sim = new Simulation(game, { seed: 1 });
  const ann = sim.join({ clientId: 'ann', name: 'Ann' });
  sim.step();
  return { game, sim, ann, unit: ann.unit!, coin: sim.edit.createItem({ type: 'coin', x: 50, y: 60 }) };
}

function thrownBy(misuse: () => unknown): UsageError {
  try {
    misuse();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

describe('handles', () => {
  test('read the world as it is', () => {
    const { sim, ann, unit, coin } = scene();
    expect([unit.id, unit.kind, unit.type, unit.state, unit.exists, unit.isHidden]).toEqual([
      'u1',
      'unit',
      'unit',
      'default',
      true,
      false,
    ]);
    expect([unit.attribute('health'), unit.attributeBounds('health')]).toEqual([50, { min: 0, max: 80 }]);
    expect([unit.attributes, unit.variables]).toEqual([{ health: 50 }, { mood: 'calm', friend: undefined }]);
    expect([ann.name, ann.clientId, ann.controlledBy, ann.units]).toEqual(['Ann', 'ann', 'human', [unit]]);
    expect([coin.x, coin.y, coin.quantity, coin.quantityMax, coin.owner, coin.slot]).toEqual([
      50,
      60,
      5,
      9,
      undefined,
      undefined,
    ]);
    const [yard] = sim.regions();
    expect([yard!.name, yard!.x, yard!.y, yard!.width, yard!.height]).toEqual(['yard', 10, 20, 30, 40]);
    const x = unit.x;
    sim.edit.move(unit, x + 100, unit.y);
    sim.run({ ticks: 2 });
    expect(unit.x).toBeCloseTo(x + 100, 3);
  });

  test('are unique per entity, however they are obtained', () => {
    const { sim, ann, unit } = scene();
    expect(sim.units()).toEqual([unit]);
    expect([sim.units()[0], sim.find('u1'), sim.handle(unit.entity), ann.units[0]].every((each) => each === unit)).toBe(
      true,
    );
    expect(unit.owner).toBe(ann);
    expect([sim.player('ann') === ann, sim.players().includes(ann), sim.find('ann') === ann]).toEqual([
      true,
      true,
      true,
    ]);
    expect(sim.find('u9')).toBeUndefined();
    expect([`${unit}`, JSON.stringify({ unit })]).toEqual(['u1', '{"unit":"@u1"}']);
  });

  test('are found by their ids without a look at every entity', () => {
    const { sim, coin } = scene();
    const coins = [coin, ...Array.from({ length: 200 }, () => sim.edit.createItem({ type: 'coin', x: 50, y: 60 }))];
    const named = sim.join({ clientId: 'i7', name: 'Bob' });
    sim.step();
    for (const each of coins.filter((_, i) => i % 3 === 0)) sim.edit.destroy(each);
    const before = coins.map(({ id }) => sim.find(id));
    sim.step();
    const reads = vi.spyOn(EntityRef.prototype, 'id', 'get');
    const found = coins.map((_, i) => sim.find(`i${i + 1}`));
    const { length } = reads.mock.calls;
    reads.mockRestore();
    expect(found).toEqual(coins.map((each, i) => (i === 6 ? named : each.exists ? each : undefined)));
    expect(before).toEqual(found);
    expect(length).toBeLessThan(3 * coins.length);
    expect(['i', 'i0', 'i07', 'i7.0', 'x7', ''].map((id) => sim.find(id))).toEqual(new Array(6).fill(undefined));
  });

  test('are chosen by type and owner', () => {
    const { sim, ann, unit, coin } = scene();
    const ghost = sim.edit.createUnit({ type: 'ghost', x: 0, y: 0 });
    expect([sim.units(), sim.units({ type: 'ghost' }), sim.units({ owner: ann })]).toEqual([
      [unit, ghost],
      [ghost],
      [unit],
    ]);
    expect(sim.edit.giveItem(unit, 'coin', 2)).toBe(true);
    sim.step();
    const carried = unit.items[0]!;
    expect([carried.owner === unit, carried.slot, carried.quantity, unit.slots]).toEqual([
      true,
      0,
      2,
      [carried, undefined, undefined],
    ]);
    expect([sim.items(), sim.items({ owner: unit }), sim.items({ owner: ann })]).toEqual([
      [coin, carried],
      [carried],
      [carried],
    ]);
    expect(unit.holding).toBe(carried);
    const ball = sim.edit.createProjectile({ type: 'ball', x: 5, y: 5 }, unit);
    expect([ball.owner, sim.projectiles({ owner: unit }), sim.projectiles({ type: 'ball', owner: ann })]).toEqual([
      unit,
      [ball],
      [ball],
    ]);
    expect(sim.players({ type: 'human' }).map(({ id }) => id)).toEqual(['ann']);
    expect(sim.players().filter(({ controlledBy }) => controlledBy === 'computer')).toHaveLength(10);
  });

  test('of entities that no longer exist say so, and only id and kind can be read', () => {
    const { sim, ann, unit } = scene();
    sim.edit.destroy(unit);
    expect([unit.exists, unit.id, unit.kind, ann.unit, ann.units]).toEqual([false, 'u1', 'unit', undefined, []]);
    const reads: (() => unknown)[] = [
      () => unit.x,
      () => unit.type,
      () => unit.owner,
      () => unit.attribute('health'),
      () => unit.variables,
      () => unit.holding,
      () => sim.edit.setAttribute(unit, 'health', 1),
    ];
    for (const read of reads) {
      const { code, message } = thrownBy(read);
      expect([code, message]).toEqual([
        'entity-gone',
        'The unit u1 no longer exists. Check `exists` before you use its handle.',
      ]);
    }
  });

  test('of a player exist before it joins and after it leaves', () => {
    const { sim } = scene();
    const bob = sim.join({ clientId: 'bob' });
    expect([bob.exists, bob.entity, bob.unit, bob.clientId]).toEqual([false, 0, undefined, 'bob']);
    expect(thrownBy(() => bob.units).message).toContain('The player bob is not in the game: it has not joined yet');
    sim.step();
    expect([bob.exists, bob.unit!.owner === bob, sim.find('bob') === bob]).toEqual([true, true, true]);
    const left = bob.unit!;
    bob.leave();
    sim.step();
    expect([bob.exists, bob.unit]).toEqual([false, undefined]);
    if (left.exists) expect(left.owner).toBe(bob);
  });

  test('of players who are not in the game can be garbage collected', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { sim } = scene();
    const asked = new WeakRef(sim.player('nobody'));
    await setImmediate();
    collect();
    expect(asked.deref()).toBeUndefined();
  });

  test('of players are the same for who holds one before it joins and for who finds it in the very moment', () => {
    const game = load(data);
    let found: unknown;
    const sim = new Simulation(game, {
      observer: (type, _scope, _entity, payload) => {
        if (type === 'playerJoinsGame') found = sim.handle(payload.player!);
      },
    });
    const ann = sim.join();
    sim.step();
    expect(found).toBe(ann);
  });
});

describe('values of variables', () => {
  test('are copies, with handles for entities', () => {
    const { sim, unit } = scene();
    sim.edit.setGlobal('best', unit);
    expect(sim.variable('best')).toBe(unit);
    expect(sim.variable('yard')).toBe(sim.regions()[0]);
    const list = sim.variable('list') as { a: number[] };
    list.a.push(3);
    expect(sim.variable('list')).toEqual({ a: [1, 2] });
    sim.edit.setGlobal('list', { units: [unit] });
    expect(sim.variable('list')).toEqual({ units: [unit] });
    expect(sim.view().variables['list']).toEqual({ units: ['@u1'] });
  });

  test('that contain themselves stay cyclic', () => {
    const { sim } = scene();
    const ring: Record<string, unknown> = { name: 'ring' };
    ring['self'] = ring;
    ring['again'] = [ring, ring];
    sim.edit.setGlobal('list', ring);
    const read = sim.variable('list') as Record<string, unknown>;
    expect([read['self'] === read, (read['again'] as unknown[])[1] === read, read === ring]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('the editor', () => {
  test('makes the requested changes', () => {
    const { sim, ann, unit, coin } = scene();
    sim.edit.setAttribute(unit, 'health', 5);
    sim.edit.setAttribute(ann, 'gold', 7);
    expect([unit.attribute('health'), ann.attribute('gold')]).toEqual([5, 7]);
    sim.edit.setVariable(unit, 'mood', 'glad');
    sim.edit.setVariable(unit, 'friend', unit);
    expect([unit.variable('mood'), unit.variable('friend')]).toEqual(['glad', unit]);
    sim.edit.setType(unit, 'ghost');
    expect(unit.type).toBe('ghost');
    sim.edit.runScript('grow');
    sim.edit.destroy(coin);
    expect(coin.exists).toBe(false);
  });

  test('marks the recording as edited, and changes nothing else', () => {
    const looked = scene();
    const plain = scene();
    JSON.stringify([looked.unit.attributes, looked.sim.view(), looked.sim.units({ owner: looked.ann })]);
    looked.sim.run({ ticks: 5 });
    plain.sim.run({ ticks: 5 });
    expect(looked.sim.hash()).toBe(plain.sim.hash());
  });

  const any = (value: unknown): never => value as never;
  const misuses: [what: string, (s: ReturnType<typeof scene>) => unknown, code: string, sentence: string][] = [
    ['a type', ({ sim }) => sim.edit.createUnit({ type: 'gost', x: 0, y: 0 }), 'unknown-type', 'Did you mean "ghost"?'],
    ['a type of items', ({ sim }) => sim.edit.createItem({ type: 'unit', x: 0, y: 0 }), 'unknown-type', 'Known: coin.'],
    [
      'a place',
      ({ sim }) => sim.edit.createUnit(any({ type: 'ghost', x: 1 })),
      'bad-value',
      'y must be a finite number',
    ],
    [
      'an owner',
      ({ sim, unit }) => sim.edit.createUnit({ type: 'ghost', x: 1, y: 1 }, any(unit)),
      'wrong-handle',
      'u1 is a unit',
    ],
    ['a number', ({ sim }) => sim.edit.destroy(any(5)), 'wrong-handle', 'the handle of an entity, not 5'],
    ['another kind', ({ sim, ann }) => sim.edit.move(any(ann), 1, 1), 'wrong-handle', 'a unit or an item'],
    [
      'another simulation',
      ({ sim }) => sim.edit.destroy(scene().unit),
      'wrong-handle',
      'belongs to another simulation',
    ],
    [
      'an attribute',
      ({ sim, unit }) => sim.edit.setAttribute(unit, 'helth', 1),
      'unknown-attribute',
      'Did you mean "health"?',
    ],
    [
      'an attribute of others',
      ({ sim, unit }) => sim.edit.setAttribute(unit, 'gold', 1),
      'unknown-attribute',
      'attribute of u1 "gold"',
    ],
    [
      'a value',
      ({ sim, unit }) => sim.edit.setAttribute(unit, 'health', Number.NaN),
      'bad-value',
      'health must be a finite number, not NaN',
    ],
    ['a variable', ({ sim, unit }) => sim.edit.setVariable(unit, 'mod', 1), 'unknown-variable', 'Did you mean "mood"?'],
    [
      'a value of another type',
      ({ sim, unit }) => sim.edit.setVariable(unit, 'mood', 1),
      'bad-value',
      'cannot be set to 1',
    ],
    ['a global variable', ({ sim }) => sim.edit.setGlobal('bst', 1), 'unknown-variable', 'Did you mean "best"?'],
    [
      'a function in a list',
      ({ sim }) => sim.edit.setGlobal('best', { list: [() => 1] }),
      'bad-value',
      'plain data or handles, not a function',
    ],
    ['a state', ({ sim, unit }) => sim.edit.setState(unit, 'defualt'), 'unknown-state', 'Did you mean "default"?'],
    ['a script', ({ sim }) => sim.edit.runScript('gro'), 'unknown-script', 'Did you mean "grow"?'],
    ['reading an attribute', ({ unit }) => unit.attribute('healht'), 'unknown-attribute', 'Did you mean "health"?'],
    ['reading a variable', ({ unit }) => unit.variable('mod'), 'unknown-variable', 'Did you mean "mood"?'],
    ['reading a global variable', ({ sim }) => sim.variable('bst'), 'unknown-variable', 'Did you mean "best"?'],
    ['a choice', ({ sim }) => sim.units(any({ typ: 'unit' })), 'unknown-option', 'Did you mean "type"?'],
    ['a chosen type', ({ sim }) => sim.units({ type: 'gost' }), 'unknown-type', 'Did you mean "ghost"?'],
    ['a chosen owner', ({ sim, unit }) => sim.units({ owner: unit }), 'wrong-handle', 'the handle of a player'],
    ['a region', ({ sim }) => sim.units({ in: 'yrad' }), 'unknown-variable', 'Did you mean "yard"?'],
    ['an area', ({ sim }) => sim.units({ in: any({ x: 1, y: 2, width: 3 }) }), 'bad-value', 'The height of `in`'],
    ['no area', ({ sim }) => sim.items({ in: any(3) }), 'bad-option', 'the name of a region, or an object'],
    ['no circle', ({ sim }) => sim.units({ near: any({ x: 1, y: 2 }) }), 'bad-value', 'The radius of `near`'],
    ['a circle', ({ sim }) => sim.units({ near: { x: 1, y: 2, radius: -1 } }), 'bad-value', '0 or more, not -1'],
    ['a choice of players', ({ sim }) => sim.players(any({ in: 'yard' })), 'unknown-option', 'Known: type, where'],
    ['a kind to search', ({ sim }) => sim.nearest(any('units'), { x: 1, y: 2 }), 'unknown-kind', 'mean "unit"?'],
    ['a place', ({ sim }) => sim.nearest('unit', any({ x: 1 })), 'bad-value', 'The y of `position`'],
    ['a start', ({ sim }) => sim.ray(any(undefined), { x: 1, y: 1 }), 'bad-value', '`from` must be an object'],
    ['an end', ({ sim }) => sim.ray({ x: 1, y: 1 }, any(undefined)), 'bad-value', '`to` must be an object'],
    ['a length', ({ sim }) => sim.ray({ x: 1, y: 1 }, any({ length: 9 })), 'bad-value', 'The angle of `to`'],
    ['a long way', ({ sim }) => sim.ray({ x: 1, y: 1 }, { x: 1e300, y: 1 }), 'bad-value', 'is too long'],
    ['a kind', ({ sim }) => sim.entities(any('units')), 'unknown-kind', 'Did you mean "unit"?'],
    ['no key', ({ ann }) => ann.press(''), 'bad-key', 'a string of 1 to 64 characters, not ""'],
    ['a key', ({ ann }) => ann.press('sapce'), 'bad-key', 'Did you mean "space"?'],
    ['a mouse that is nowhere', ({ ann }) => ann.pointAt(Number.NaN, 1), 'bad-value', 'must be finite, not NaN'],
    ['a key code', ({ ann }) => ann.release(any(87)), 'bad-key', 'not 87'],
    ['a pointer nowhere', ({ ann }) => ann.pointAt(1, any(undefined)), 'bad-input', '"kind":"mouse"'],
  ];
  test.each(misuses)('%s', (_, misuse, code, sentence) => {
    const s = scene();
    const before = s.sim.hash();
    const error = thrownBy(() => misuse(s));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(sentence)]);
    expect(s.sim.hash()).toBe(before);
  });

  test('can only be used between two ticks', () => {
    const { sim, unit } = scene();
    const failures: unknown[] = [];
    sim.on('error', ({ error }) => failures.push((error as UsageError).code));
    sim.observe((type) => {
      if (type === 'frameTick') sim.edit.destroy(unit);
    });
    sim.step();
    expect([failures.includes('in-a-tick'), unit.exists]).toEqual([true, true]);
  });

  test('reports if the limit of entities is reached', () => {
    const sim = new Simulation(load(data), { limits: { entities: 14 } });
    const make = (): UnitHandle => sim.edit.createUnit({ type: 'ghost', x: 0, y: 0 });
    const error = thrownBy(() => {
      for (let i = 0; i < 20; i++) make();
    });
    expect([error.code, error.message]).toEqual(['no-room', expect.stringContaining('the limit `entities`')]);
  });
});

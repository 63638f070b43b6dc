import { expect, test } from 'vitest';
import { Simulation, type UsageError } from '../../engine/index.ts';
import { attribute, itemType, load, unitType } from '../support/play.ts';

function farm() {
  const game = load({
    unitTypes: {
      cow: unitType({ attributes: { milk: attribute(7), health: attribute(9) } }),
      rock: unitType({ attributes: { health: attribute(3) } }),
    },
    itemTypes: { coin: itemType() },
  });
  const sim = new Simulation(game, { seed: 1 });
  const units = [
    sim.edit.createUnit({ type: 'cow', x: 100, y: 200, angle: 1 }),
    sim.edit.createUnit({ type: 'rock', x: 300.5, y: 400 }),
    sim.edit.createUnit({ type: 'cow', x: 500, y: 600 }),
  ];
  return { sim, units };
}

const arrays = (capacity: number) => ({
  entity: new Float64Array(capacity),
  type: new Uint8Array(capacity),
  x: new Float64Array(capacity),
  y: new Float32Array(capacity),
  angle: new Float64Array(capacity),
  attributes: { milk: new Float32Array(capacity) },
});

test('a reader fills arrays with what the handles of all units read, oldest first', () => {
  const { sim, units } = farm();
  const into = arrays(8);
  const reader = sim.columns('unit', into);
  expect(reader.read()).toBe(3);
  expect([...into.entity.subarray(0, 4)].map((entity) => sim.handle(entity))).toEqual([...units, undefined]);
  expect([...into.type.subarray(0, 3)].map((type) => reader.types[type])).toEqual(['cow', 'rock', 'cow']);
  expect([...into.x.subarray(0, 3)]).toEqual(units.map(({ x }) => x));
  expect([...into.y.subarray(0, 3)]).toEqual(units.map(({ y }) => y));
  expect([...into.angle.subarray(0, 3)]).toEqual(units.map(({ angle }) => angle));
  expect([...into.attributes.milk.subarray(0, 3)]).toEqual([7, Number.NaN, 7]);
});

test('each reading sees the present: moved, changed, destroyed and new units', () => {
  const { sim, units } = farm();
  const x = new Float64Array(400);
  const health = new Float64Array(400);
  const reader = sim.columns('unit', { x, attributes: { health } });
  reader.read();
  sim.edit.setAttribute(units[2]!, 'health', 1);
  sim.edit.move(units[2]!, 700, 700);
  sim.edit.destroy(units[0]!);
  // So many that the state of the simulation moves to larger columns.
  for (let i = 0; i < 300; i++) sim.edit.createUnit({ type: 'rock', x: 50, y: i });
  expect(reader.read()).toBe(302);
  expect([...x.subarray(0, 3)]).toEqual([300.5, 700, 50]);
  expect([...health.subarray(0, 3)]).toEqual([3, 1, 3]);
});

test('a reader says if more units exist than fit, and leaves out the newest', () => {
  const { sim } = farm();
  const x = new Float64Array(2);
  const reader = sim.columns('unit', { x, y: new Float64Array(9) });
  expect([reader.capacity, reader.read()]).toEqual([2, 3]);
  expect([...x]).toEqual([100, 300.5]);
  expect(sim.columns('item', { x }).read()).toBe(0);
});

test('a wrong declaration throws', () => {
  const { sim } = farm();
  const any = (value: unknown): never => value as never;
  const codeOf = (call: () => unknown): string => {
    try {
      call();
    } catch (error) {
      return (error as UsageError).code;
    }
    return 'none';
  };
  const x = new Float64Array(2);
  expect(codeOf(() => sim.columns(any('player'), { x }))).toBe('unknown-kind');
  expect(codeOf(() => sim.columns('unit', any({ z: x })))).toBe('unknown-option');
  expect(codeOf(() => sim.columns('unit', any({ x: [1] })))).toBe('bad-option');
  expect(codeOf(() => sim.columns('unit', any({ x: {} })))).toBe('bad-value');
  expect(codeOf(() => sim.columns('unit', {}))).toBe('bad-value');
  expect(codeOf(() => sim.columns('unit', { attributes: { helth: x } }))).toBe('unknown-attribute');
});

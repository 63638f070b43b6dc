import { loadDefinition, Simulation } from '../engine/index.ts';
import { compare } from './measure.ts';
import { type Report, rounded } from './report.ts';

/** What a renderer reads of all units in a tick: by columns, compared with the same by handles. */

function simulation(units: number): Simulation {
  const health = { name: 'health', value: 1, min: 0, max: 1000, regenerateSpeed: 0 };
  const { game } = loadDefinition({
    data: {
      map: { width: 100, height: 100, tilewidth: 64, tileheight: 64, layers: [], tilesets: [] },
      unitTypes: Object.fromEntries(
        ['plant', 'stone'].map((name) => [name, { name, attributes: { health }, states: {}, bodies: {} }]),
      ),
    },
  });
  if (game === undefined) throw new Error('The bench definition does not load.');
  const sim = new Simulation(game, { seed: 1 });
  for (let i = 0; i < units; i++) sim.edit.createUnit({ type: i % 2 === 0 ? 'plant' : 'stone', x: i, y: 2 * i });
  sim.step();
  return sim;
}

function arrays(capacity: number) {
  return {
    entity: new Float64Array(capacity),
    type: new Uint16Array(capacity),
    x: new Float32Array(capacity),
    y: new Float32Array(capacity),
    angle: new Float32Array(capacity),
    attributes: { health: new Float32Array(capacity) },
  };
}

export function columnsOfUnits(counts: readonly number[] = [200, 2000]): Report {
  const samples: Record<string, readonly number[]> = {};
  const rows = counts.map((count) => {
    const sim = simulation(count);
    const byColumns = arrays(count);
    const reader = sim.columns('unit', byColumns);
    const byHandles = arrays(count);
    const readHandles = (): void => {
      sim.units().forEach((unit, i) => {
        byHandles.entity[i] = unit.entity;
        byHandles.type[i] = reader.types.indexOf(unit.type!);
        byHandles.x[i] = unit.x;
        byHandles.y[i] = unit.y;
        byHandles.angle[i] = unit.angle;
        byHandles.attributes.health[i] = unit.attribute('health')!;
      });
    };
    const { a, b, ratio, ratios } = compare(() => reader.read(), readHandles, { rounds: 21, callsPerRound: 200 });
    samples[`${count} units: columns by handles`] = ratios;
    if (JSON.stringify(byColumns) !== JSON.stringify(byHandles)) throw new Error('The two ways read differently.');
    return [count, rounded(1000 * a.median, 1), rounded(1000 * b.median, 1), rounded(ratio.median, 3), sim.hash()];
  });
  return { head: ['units', 'columns us', 'handles us', 'ratio', 'hash'], rows, samples };
}

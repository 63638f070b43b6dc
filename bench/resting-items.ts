import { loadDefinition, Simulation } from '../engine/index.ts';
import { bodySpec } from '../engine/physics/body.ts';
import { createItem } from '../engine/rules/items/item.ts';
import { internalsOf } from '../engine/tools.ts';
import { type Entity, rowOf } from '../engine/world/entity.ts';
import { compare } from './measure.ts';
import { planck, planckBody } from './planck-world.ts';
import { type Report, rounded } from './report.ts';

/**
 * Items at rest: with sleeping bodies, and without bodies. What the engine adds to planck's own iteration should not
 * grow with them.
 */

const rate = 20;

function simulation(count: number, bodyType: string): { sim: Simulation; items: Entity[] } {
  const cells = 200;
  const { game } = loadDefinition({
    data: {
      defaultData: { frameRate: rate },
      map: { width: cells, height: cells, tilewidth: 64, tileheight: 64, layers: [], tilesets: [] },
      playerTypes: { human: { name: 'human', attributes: {}, relationships: {} } },
      itemTypes: {
        pebble: {
          name: 'pebble',
          type: 'other',
          attributes: {},
          states: { dropped: { name: 'dropped', body: 'dropped' } },
          bodies: {
            dropped: {
              type: bodyType,
              width: 20,
              height: 20,
              fixtures: [{ density: 1, friction: 0.1, restitution: 0, shape: { type: 'rectangle' } }],
              collidesWith: { walls: true, units: true, items: true },
              linearDamping: 1,
              allowSleep: true,
            },
          },
        },
      },
    },
  });
  if (game === undefined) throw new Error('The bench definition does not load.');
  const sim = new Simulation(game, { seed: 1 });
  const perRow = 110;
  const items = Array.from({ length: count }, (_, i) =>
    createItem(internalsOf(sim).game, {
      type: 'pebble',
      x: 200 + (i % perRow) * 100,
      y: 200 + Math.floor(i / perRow) * 100,
      angle: 0,
    }),
  );
  for (let i = 0; i < 2 * rate; i++) sim.step();
  return { sim, items };
}

function floor({ sim, items }: { sim: Simulation; items: readonly Entity[] }): () => void {
  const world = new planck.World({ gravity: { x: 0, y: 0 }, continuousPhysics: false });
  const { x, y } = internalsOf(sim).world.components.transform;
  for (const item of items) {
    const spec = bodySpec(internalsOf(sim).world.components.bodyType[rowOf(item)], 'item');
    if (spec !== undefined) planckBody(world, spec, item, x[rowOf(item)]!, y[rowOf(item)]!, 0);
  }
  const step = (): void => world.step(1 / rate, 8, 3);
  for (let i = 0; i < 2 * rate; i++) step();
  return step;
}

export function restingItems(counts: readonly number[] = [100, 1000, 10_000]): Report {
  const rows: (string | number)[][] = [];
  const samples: Record<string, readonly number[]> = {};
  for (const bodyType of ['dynamic', 'spriteOnly']) {
    for (const count of counts) {
      const scene = simulation(count, bodyType);
      const { sim } = scene;
      const { a, b } = compare(() => sim.step(), floor(scene), { rounds: 21, callsPerRound: 100 });
      const empty = simulation(0, bodyType).sim;
      const beside = compare(
        () => sim.step(),
        () => empty.step(),
        { rounds: 21, callsPerRound: 200 },
      );
      samples[`${count} items, ${bodyType}: tick by that of an empty world`] = beside.ratios;
      rows.push([
        bodyType,
        count,
        internalsOf(sim).game.physics.bodiesAwake,
        rounded(a.median * 1000, 2),
        rounded(b.median * 1000, 2),
        rounded((a.median - b.median) * 1000, 2),
        rounded(beside.b.median * 1000, 2),
        rounded(beside.ratio.median, 2),
        sim.hash(),
      ]);
    }
  }
  return {
    head: ['body', 'items', 'awake', 'tick us', 'planck us', 'ours us', 'empty world us', 'by empty', 'hash'],
    rows,
    samples,
  };
}

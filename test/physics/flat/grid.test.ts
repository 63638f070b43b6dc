import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planck } from '../../../bench/planck-world.ts';
import { Simulation } from '../../../engine/index.ts';
import { BroadPhase, type PairOrder } from '../../../engine/physics/flat/broad-phase.ts';
import { RayPath } from '../../../engine/physics/flat/ray-path.ts';
import { Bots } from '../../../src/bots/bots.ts';
import { intricate } from '../../support/intricate.ts';
import { runs } from '../../support/property.ts';

type Box = readonly [left: number, top: number, right: number, bottom: number];
type Vector = readonly [x: number, y: number];

/** A broad phase whose boxes have names instead of rows of bodies. */
class Named {
  readonly broadPhase: BroadPhase;
  readonly leaves: (number | undefined)[] = [];

  constructor(order: PairOrder) {
    this.broadPhase = new BroadPhase(order);
  }

  create(box: Box): void {
    this.broadPhase.target.set([...box, 0, 0]);
    this.leaves.push(this.broadPhase.create(this.leaves.length));
  }

  move(name: number, box: Box, by: Vector): void {
    if (this.leaves[name] === undefined) return;
    this.broadPhase.target.set([...box, ...by]);
    this.broadPhase.move(this.leaves[name]);
  }

  destroy(name: number): void {
    if (this.leaves[name] === undefined) return;
    this.broadPhase.destroy(this.leaves[name]);
    this.leaves[name] = undefined;
  }

  pairs(): string[] {
    const found: string[] = [];
    this.broadPhase.updatePairs(
      () => true,
      (older, newer) => found.push(`${older}-${newer}`),
    );
    return found.sort();
  }

  inArea(box: Box): number[] {
    return Array.from(this.broadPhase.findInArea(Float64Array.from(box)));
  }

  onRay(from: Vector, to: Vector): number[] {
    const ray = new RayPath();
    ray.set(...from, ...to);
    return Array.from(this.broadPhase.findAlong(ray));
  }
}

const place = fc.double({ min: -20, max: 20, noNaN: true });
const size = fc.oneof(fc.double({ min: 0, max: 2.5, noNaN: true }), fc.double({ min: 0, max: 200, noNaN: true }));
const box = fc.tuple(place, place, size, size).map(([x, y, w, h]): Box => [x, y, x + w, y + h]);
const vector = fc.tuple(place, place);
const act = fc.oneof(
  fc.record({ do: fc.constant('create' as const), box }),
  fc.record({ do: fc.constant('move' as const), name: fc.nat(30), box, by: vector }),
  fc.record({ do: fc.constant('destroy' as const), name: fc.nat(30) }),
  fc.record({ do: fc.constant('pairs' as const) }),
  fc.record({ do: fc.constant('area' as const), box }),
  fc.record({ do: fc.constant('ray' as const), from: vector, to: vector }),
);

const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

describe('the grid that replaces the tree', () => {
  test('finds the pairs, areas and rays that the tree finds, in the order of age', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 20, maxLength: 120 }), (acts) => {
        const tree = new Named('tree');
        const grid = new Named('age');
        for (const each of acts) {
          if (each.do === 'create') for (const one of [tree, grid]) one.create(each.box);
          else if (each.do === 'move') for (const one of [tree, grid]) one.move(each.name, each.box, each.by);
          else if (each.do === 'destroy') for (const one of [tree, grid]) one.destroy(each.name);
          else if (each.do === 'pairs') expect(grid.pairs()).toEqual(tree.pairs());
          else {
            const found = (one: Named) => (each.do === 'area' ? one.inArea(each.box) : one.onRay(each.from, each.to));
            expect(found(grid)).toEqual(sorted(found(tree)));
          }
        }
        expect(grid.pairs()).toEqual(tree.pairs());
      }),
      runs(300),
    );
  });

  test("an area larger than the grid's search window finds everything in it", () => {
    const grid = new Named('age');
    for (let i = 0; i < 300; i++) grid.create([i * 3, -i, i * 3 + 1, 1 - i]);
    expect(grid.inArea([-5000, -5000, 5000, 5000])).toEqual(Array.from({ length: 300 }, (_, i) => i));
    // More bodies than insertion sort is used for; the order stays the same.
    expect(grid.inArea([0, -250, 700, 0])).toEqual(Array.from({ length: 234 }, (_, i) => i));
  });

  test.each([2 ** 30, 2 ** 31 - 4, 2 ** 32, 1e12, 2 ** 52, 1e17, 1e300])('finds what the tree finds at %d m', (far) => {
    const tree = new Named('tree');
    const grid = new Named('age');
    const all = [tree, grid];
    for (const one of all) one.create([0, 0, 1, 1]);
    for (const [x, y] of [
      [far, 0],
      [-far, far],
      [far, 0.5],
      [1, -far],
    ] as const) {
      for (const one of all) one.create([x, y, x + 1, y + 1]);
    }
    const compare = (): void => {
      expect(grid.pairs()).toEqual(tree.pairs());
      for (const at of [far, -far, 0]) {
        const area: Box = [at - 2, at - 2, at + 2, at + 2];
        const wide: Box = [-2, -2, at + 2, 2];
        for (const each of [area, wide]) expect(grid.inArea(each)).toEqual(sorted(tree.inArea(each)));
        const from: Vector = [at - 3, 0.25];
        for (const to of [
          [at + 3, 0.75],
          [0, 0],
          [at, far],
        ] as readonly Vector[]) {
          // Where numbers are coarse, the grid may also return boxes that inner nodes of the tree exclude.
          expect(grid.onRay(from, to)).toEqual(expect.arrayContaining(tree.onRay(from, to)));
        }
      }
    };
    compare();
    // A box enters from far away, and leaves again.
    const near: Box = [0.5, 0.5, 1.5, 1.5];
    for (const one of all) one.move(1, near, [0, 0]);
    compare();
    for (const one of all) one.move(1, [far, far, far, far], [0, 0]);
    compare();
  });
});

test("boxes on a lattice are found in the order of planck's tree", () => {
  // Many places in the tree cost the same.
  const theirs = new planck.DynamicTree<number>();
  const ours = new Named('tree');
  for (let i = 0; i < 200; i++) {
    const [x, y] = [(i * 7) % 16, (i * 11) % 13];
    ours.create([x, y, x + 1, y + 1]);
    theirs.createProxy({ lowerBound: { x, y }, upperBound: { x: x + 1, y: y + 1 } }, i);
  }
  const found: number[] = [];
  theirs.query(
    { lowerBound: { x: -1, y: -1 }, upperBound: { x: 20, y: 20 } },
    (id) => found.push(theirs.getUserData(id)) > 0,
  );
  expect(ours.inArea([-1, -1, 20, 20])).toEqual(found);
});

test('a fork of a game with a grid is the same at every tick', () => {
  const sim = new Simulation(intricate, { seed: 'grid' });
  const bots = new Bots(sim, { count: 6, seed: 'grid' });
  for (let i = 0; i < 60; i++) {
    bots.beforeStep();
    sim.step();
  }
  const fork = sim.fork();
  expect(fork.hash()).toBe(sim.hash());
  for (let i = 0; i < 60; i++) {
    sim.step();
    fork.step();
    expect(fork.hash()).toBe(sim.hash());
  }
});

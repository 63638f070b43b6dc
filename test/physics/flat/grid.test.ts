import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Simulation } from '../../../engine/index.ts';
import { FlatBroadPhase } from '../../../engine/physics/flat/broad-phase.ts';
import { GridBroadPhase } from '../../../engine/physics/flat/grid-broad-phase.ts';
import { AABB, type FixtureProxy, Vec2 } from '../../../engine/physics/planck/planck.ts';
import { Bots } from '../../../src/bots/bots.ts';
import { intricate } from '../../support/intricate.ts';
import { runs } from '../../support/property.ts';

/** A broad phase whose proxies have names, since the two give them different ids. */
class Named {
  readonly broadPhase: FlatBroadPhase;
  readonly ids: (number | undefined)[] = [];
  private readonly names = new Map<number, number>();

  constructor(broadPhase: FlatBroadPhase) {
    this.broadPhase = broadPhase;
  }

  create(box: AABB): void {
    const proxy = { name: this.ids.length, leaf: 0 } as unknown as FixtureProxy;
    const id = this.broadPhase.createProxy(box, proxy);
    this.names.set(id, this.ids.length);
    this.ids.push(id);
  }

  move(name: number, box: AABB, by: Vec2): void {
    if (this.ids[name] !== undefined) this.broadPhase.moveProxy(this.ids[name], box, by);
  }

  destroy(name: number): void {
    if (this.ids[name] === undefined) return;
    this.broadPhase.destroyProxy(this.ids[name]);
    this.ids[name] = undefined;
  }

  pairs(): string[] {
    const found: string[] = [];
    const name = (proxy: unknown): number => (proxy as { name: number }).name;
    this.broadPhase.updatePairs(
      (older, newer) => found.push(`${name(older)}-${name(newer)}`),
      () => true,
    );
    return found.sort();
  }

  inArea(box: AABB): number[] {
    const found: number[] = [];
    this.broadPhase.query(box, (id: number) => {
      found.push(this.names.get(id)!);
      return true;
    });
    return found;
  }

  onRay(from: Vec2, to: Vec2): number[] {
    const found: number[] = [];
    this.broadPhase.rayCast({ p1: from, p2: to, maxFraction: 1 }, (_input: unknown, id: number) => {
      found.push(this.names.get(id)!);
      return -1;
    });
    return found;
  }
}

const place = fc.double({ min: -20, max: 20, noNaN: true });
const size = fc.oneof(fc.double({ min: 0, max: 2.5, noNaN: true }), fc.double({ min: 0, max: 200, noNaN: true }));
const box = fc.tuple(place, place, size, size).map(([x, y, w, h]) => new AABB(new Vec2(x, y), new Vec2(x + w, y + h)));
const vector = fc.tuple(place, place).map(([x, y]) => new Vec2(x, y));
const act = fc.oneof(
  fc.record({ do: fc.constant('create' as const), box }),
  fc.record({ do: fc.constant('move' as const), name: fc.nat(30), box, by: vector }),
  fc.record({ do: fc.constant('destroy' as const), name: fc.nat(30) }),
  fc.record({ do: fc.constant('pairs' as const) }),
  fc.record({ do: fc.constant('area' as const), box }),
  fc.record({ do: fc.constant('ray' as const), from: vector, to: vector }),
);

const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

describe('the grid in place of the tree', () => {
  test('finds the pairs, areas and rays that the tree finds, in the order of age', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 20, maxLength: 120 }), (acts) => {
        const tree = new Named(new FlatBroadPhase());
        const grid = new Named(new GridBroadPhase());
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

  test('an area larger than the grid looks at once finds all in it', () => {
    const grid = new Named(new GridBroadPhase());
    for (let i = 0; i < 300; i++) grid.create(new AABB(new Vec2(i * 3, -i), new Vec2(i * 3 + 1, 1 - i)));
    expect(grid.inArea(new AABB(new Vec2(-5000, -5000), new Vec2(5000, 5000)))).toEqual(
      Array.from({ length: 300 }, (_, i) => i),
    );
    // More than sorting by insertion is for, and still in order.
    expect(grid.inArea(new AABB(new Vec2(0, -250), new Vec2(700, 0)))).toEqual(
      Array.from({ length: 234 }, (_, i) => i),
    );
  });

  test.each([2 ** 30, 2 ** 31 - 4, 2 ** 32, 1e12, 2 ** 52, 1e17, 1e300])('finds what the tree finds at %d m', (far) => {
    const tree = new Named(new FlatBroadPhase());
    const grid = new Named(new GridBroadPhase());
    const all = [tree, grid];
    for (const one of all) one.create(new AABB(new Vec2(0, 0), new Vec2(1, 1)));
    for (const [x, y] of [
      [far, 0],
      [-far, far],
      [far, 0.5],
      [1, -far],
    ] as const) {
      for (const one of all) one.create(new AABB(new Vec2(x, y), new Vec2(x + 1, y + 1)));
    }
    const compare = (): void => {
      expect(grid.pairs()).toEqual(tree.pairs());
      for (const at of [far, -far, 0]) {
        const area = new AABB(new Vec2(at - 2, at - 2), new Vec2(at + 2, at + 2));
        const wide = new AABB(new Vec2(-2, -2), new Vec2(at + 2, 2));
        for (const each of [area, wide]) expect(grid.inArea(each)).toEqual(sorted(tree.inArea(each)));
        const from = new Vec2(at - 3, 0.25);
        for (const to of [new Vec2(at + 3, 0.75), new Vec2(0, 0), new Vec2(at, far)]) {
          // Where numbers are coarse, a box that the tree's inner nodes rule out may be offered, too.
          expect(grid.onRay(from, to)).toEqual(expect.arrayContaining(tree.onRay(from, to)));
        }
      }
    };
    compare();
    // In from far away, and out again.
    const near = new AABB(new Vec2(0.5, 0.5), new Vec2(1.5, 1.5));
    for (const one of all) one.move(1, near, new Vec2(0, 0));
    compare();
    for (const one of all) one.move(1, new AABB(new Vec2(far, far), new Vec2(far, far)), new Vec2(0, 0));
    compare();
  });

  test('a moved origin moves what is in the grid', () => {
    const grid = new Named(new GridBroadPhase());
    grid.create(new AABB(new Vec2(10, 10), new Vec2(11, 11)));
    grid.create(new AABB(new Vec2(-50, -50), new Vec2(50, 50)));
    grid.broadPhase.shiftOrigin(new Vec2(10, 10));
    expect(grid.inArea(new AABB(new Vec2(0.2, 0.2), new Vec2(0.5, 0.5)))).toEqual([0, 1]);
    expect(grid.inArea(new AABB(new Vec2(10.2, 10.2), new Vec2(10.5, 10.5)))).toEqual([1]);
  });
});

describe('snapshots of a world with a grid', () => {
  const played = (physics: 'grid' | 'flat'): Simulation => {
    const sim = new Simulation(intricate, { seed: 'grid', physics });
    const bots = new Bots(sim, { count: 6, seed: 'grid' });
    for (let i = 0; i < 60; i++) {
      bots.beforeStep();
      sim.step();
    }
    return sim;
  };

  test('a fork is the same at every tick', () => {
    const sim = played('grid');
    const fork = sim.fork({ physics: 'grid' });
    expect(fork.hash()).toBe(sim.hash());
    for (let i = 0; i < 60; i++) {
      sim.step();
      fork.step();
      expect(fork.hash()).toBe(sim.hash());
    }
  });

  test.each([
    ['grid', 'flat'],
    ['flat', 'grid'],
  ] as const)('one of %s goes on in %s', (from, to) => {
    const sim = played(from);
    const fork = sim.fork({ physics: to });
    expect(fork.tick).toBe(sim.tick);
    for (let i = 0; i < 60; i++) fork.step();
    expect(fork.tick).toBe(sim.tick + 60);
    // And from there back, to the same world once more.
    const again = fork.fork({ physics: to });
    expect(again.hash()).toBe(fork.hash());
  });
});

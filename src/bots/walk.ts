import type { RandomStream } from '../../engine/base/random.ts';
import { type Entity, Kind, noEntity, rowOf, type Simulation } from '../../engine/index.ts';

/** What a bot is after. `unit` and `item` move with their entity. */
export interface Goal {
  readonly kind: 'unit' | 'item' | 'region' | 'place';
  readonly entity: Entity;
  /** World px. */
  x: number;
  y: number;
  readonly untilTick: number;
}

/** The entities that a choice is made from are a sample of this size, so that a choice costs the same in a crowd. */
const sampleSize = 8;
const roamPx = 600;

/** Chooses goals and follows them as they move. It knows no way around walls: who does not get on tries another direction. */
export class Walk {
  private readonly sim: Simulation;
  private readonly random: RandomStream;

  constructor(sim: Simulation, random: RandomStream) {
    this.sim = sim;
    this.random = random;
  }

  choose(unit: Entity): Goal {
    const { random } = this;
    const what = random.next();
    const seconds = random.between(1, 6);
    const untilTick = this.sim.tick + Math.round(seconds * this.sim.rate);
    return (
      (what < 0.3 ? this.towards(unit, 'unit', untilTick) : undefined) ??
      (what < 0.6 ? this.towards(unit, 'item', untilTick) : undefined) ??
      (what < 0.75 ? this.intoRegion(untilTick) : undefined) ??
      this.anywhere(unit, untilTick)
    );
  }

  /** False once the goal is gone or its time is over. */
  follow(goal: Goal): boolean {
    const { world, tick } = this.sim;
    if (tick >= goal.untilTick) return false;
    if (goal.entity === noEntity) return true;
    if (!world.exists(goal.entity)) return false;
    const row = rowOf(goal.entity);
    if (goal.kind === 'item' && world.columns.owner[row] !== noEntity) return false;
    goal.x = world.columns.x[row]!;
    goal.y = world.columns.y[row]!;
    return true;
  }

  /** The nearest of some units other than `unit`, or of some items that nobody carries. */
  private towards(unit: Entity, kind: 'unit' | 'item', untilTick: number): Goal | undefined {
    const { world } = this.sim;
    const { entries } = world.lists[Kind[kind]]!;
    if (entries.length === 0) return undefined;
    const c = world.columns;
    const own = rowOf(unit);
    let nearest: Entity = noEntity;
    let nearestSquare = Number.POSITIVE_INFINITY;
    for (let i = 0; i < sampleSize; i++) {
      const entity = entries[this.random.integer(0, entries.length - 1)]!;
      if (entity === unit || !world.exists(entity)) continue;
      const row = rowOf(entity);
      if (c.hidden[row] === 1 || (kind === 'item' && c.owner[row] !== noEntity)) continue;
      const dx = c.x[row]! - c.x[own]!;
      const dy = c.y[row]! - c.y[own]!;
      const square = dx * dx + dy * dy;
      if (square >= nearestSquare) continue;
      nearest = entity;
      nearestSquare = square;
    }
    if (nearest === noEntity) return undefined;
    const row = rowOf(nearest);
    return { kind, entity: nearest, x: c.x[row]!, y: c.y[row]!, untilTick };
  }

  private intoRegion(untilTick: number): Goal | undefined {
    const { world } = this.sim;
    const entity = this.random.pick(world.lists[Kind.region]!.entries);
    const region = entity !== undefined && world.exists(entity) ? world.regions[rowOf(entity)] : undefined;
    if (region === undefined) return undefined;
    const x = this.random.between(region.x, region.x + region.width);
    const y = this.random.between(region.y, region.y + region.height);
    return { kind: 'region', entity: noEntity, x, y, untilTick };
  }

  private anywhere(unit: Entity, untilTick: number): Goal {
    const c = this.sim.world.columns;
    const row = rowOf(unit);
    const x = c.x[row]! + this.random.between(-roamPx, roamPx);
    const y = c.y[row]! + this.random.between(-roamPx, roamPx);
    return { kind: 'place', entity: noEntity, x, y, untilTick };
  }
}

import type { RandomStream } from '../../engine/core/random.ts';
import type { Entity } from '../../engine/index.ts';
import { noEntity } from '../../engine/internal.ts';
import type { PathFinder } from './path-finder.ts';
import type { Surroundings } from './surroundings.ts';

/** The target that a bot moves to. `unit` and `item` move with their entity. */
export interface Goal {
  readonly kind: 'unit' | 'item' | 'region' | 'place';
  readonly entity: Entity;
  /** World px. */
  x: number;
  y: number;
  readonly untilTick: number;
  /** Where to go first, x and y in turn, px; the goal itself where it is empty. */
  way: number[];
  /** When the way was last thought about, and where the goal was then. */
  plannedTick: number;
  plannedX: number;
  plannedY: number;
}

/** The entities that a choice is made from are a sample of this size, so that a choice costs the same in a crowd. */
const sampleSize = 8;
const roamPx = 600;

/** How far a goal moves before its way is thought about again, px, and how near a turning point counts as passed. */
const strayedPx = 150;
const turnedPx = 36;

/** Chooses goals, follows them as they move, and knows the way. */
export class Navigator {
  private readonly game: Surroundings;
  private readonly random: RandomStream;
  private readonly way: PathFinder;

  constructor(game: Surroundings, random: RandomStream, way: PathFinder) {
    this.game = game;
    this.random = random;
    this.way = way;
  }

  choose(unit: Entity): Goal {
    const { random } = this;
    const what = random.next();
    const seconds = random.between(2, 9);
    const untilTick = this.game.tick + Math.round(seconds * this.game.rate);
    return (
      (what < 0.2 ? this.towardsPlayer(unit, untilTick) : undefined) ??
      (what < 0.35 ? this.towards(unit, 'unit', untilTick) : undefined) ??
      (what < 0.6 ? this.towards(unit, 'item', untilTick) : undefined) ??
      (what < 0.75 ? this.intoRegion(untilTick) : undefined) ??
      this.anywhere(unit, untilTick)
    );
  }

  /** False once the goal is gone or its time is over. */
  follow(goal: Goal): boolean {
    const { game } = this;
    if (game.tick >= goal.untilTick) return false;
    if (goal.entity === noEntity) return true;
    if (!game.exists(goal.entity)) return false;
    if (goal.kind === 'item' && game.isCarried(goal.entity)) return false;
    goal.x = game.x(goal.entity);
    goal.y = game.y(goal.entity);
    return true;
  }

  /** Where to go now in order to get to the goal. */
  next(unit: Entity, goal: Goal): { readonly x: number; readonly y: number } {
    const { tick, rate } = this.game;
    const x = this.game.x(unit);
    const y = this.game.y(unit);
    const strayed = Math.abs(goal.x - goal.plannedX) + Math.abs(goal.y - goal.plannedY) > strayedPx;
    if (goal.plannedTick < 0 || (strayed && tick >= goal.plannedTick + rate)) {
      goal.way = this.way.around(x, y, goal.x, goal.y) ?? [];
      goal.plannedTick = tick;
      goal.plannedX = goal.x;
      goal.plannedY = goal.y;
    }
    const { way } = goal;
    while (way.length > 2 && Math.abs(way[0]! - x) < turnedPx && Math.abs(way[1]! - y) < turnedPx) way.splice(0, 2);
    // In the last cell the goal itself is what counts.
    return way.length > 2 ? { x: way[0]!, y: way[1]! } : goal;
  }

  /** The unit of another player. */
  private towardsPlayer(unit: Entity, untilTick: number): Goal | undefined {
    const { game } = this;
    const entries = game.entities('player');
    if (entries.length === 0) return undefined;
    for (let i = 0; i < sampleSize; i++) {
      const player = entries[this.random.integer(0, entries.length - 1)]!;
      const other = game.exists(player) ? game.selectedUnit(player) : noEntity;
      if (other === unit || !game.isUnit(other) || game.isHidden(other)) continue;
      return this.goal('unit', other, game.x(other), game.y(other), untilTick);
    }
    return undefined;
  }

  private goal(kind: Goal['kind'], entity: Entity, x: number, y: number, untilTick: number): Goal {
    return { kind, entity, x, y, untilTick, way: [], plannedTick: -1, plannedX: 0, plannedY: 0 };
  }

  /** The nearest of some units other than `unit`, or of some items without a carrier. */
  private towards(unit: Entity, kind: 'unit' | 'item', untilTick: number): Goal | undefined {
    const { game } = this;
    const entries = game.entities(kind);
    if (entries.length === 0) return undefined;
    let nearest: Entity = noEntity;
    let nearestSquare = Number.POSITIVE_INFINITY;
    for (let i = 0; i < sampleSize; i++) {
      const entity = entries[this.random.integer(0, entries.length - 1)]!;
      if (entity === unit || !game.exists(entity)) continue;
      if (game.isHidden(entity) || (kind === 'item' && game.isCarried(entity))) continue;
      const dx = game.x(entity) - game.x(unit);
      const dy = game.y(entity) - game.y(unit);
      const square = dx * dx + dy * dy;
      if (square >= nearestSquare) continue;
      nearest = entity;
      nearestSquare = square;
    }
    if (nearest === noEntity) return undefined;
    return this.goal(kind, nearest, game.x(nearest), game.y(nearest), untilTick);
  }

  private intoRegion(untilTick: number): Goal | undefined {
    const entity = this.random.pick(this.game.entities('region'));
    const region = entity === undefined ? undefined : this.game.region(entity);
    if (region === undefined) return undefined;
    const x = this.random.between(region.x, region.x + region.width);
    const y = this.random.between(region.y, region.y + region.height);
    return this.goal('region', noEntity, x, y, untilTick);
  }

  private anywhere(unit: Entity, untilTick: number): Goal {
    const x = this.game.x(unit) + this.random.between(-roamPx, roamPx);
    const y = this.game.y(unit) + this.random.between(-roamPx, roamPx);
    return this.goal('place', noEntity, x, y, untilTick);
  }
}

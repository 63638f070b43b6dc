import type { RandomStream } from '../../engine/core/index.ts';
import type { Entity } from '../../engine/index.ts';
import { noEntity } from '../../engine/tools.ts';
import { Habits } from './habits.ts';
import type { PathFinder } from './path-finder.ts';
import type { Rectangle, Surroundings } from './surroundings.ts';

/** The target of a bot. `unit` and `item` targets move with their entity. */
export interface Goal {
  readonly kind: 'unit' | 'item' | 'region' | 'place';
  readonly entity: Entity;
  /** The position of the goal, in world pixels. */
  x: number;
  y: number;
  readonly untilTick: number;
  /** The waypoints, alternating x and y, in pixels; empty to go straight to the goal. */
  path: number[];
  /** The tick at which the path was last planned, and the position of the goal at that time. */
  plannedTick: number;
  plannedX: number;
  plannedY: number;
}

/** Maximum number of entities that are compared as targets, so that a choice costs the same in a crowd. */
const sampleSize = 8;
const roamPx = 600;
/** The factor by which bots walk longer towards things that they look for than towards other targets. */
const wantedPatience = 3;

/** The path is planned again if the goal has moved by `strayedPx`. A waypoint within `turnedPx` counts as passed. */
const strayedPx = 150;
const turnedPx = 36;

/** Chooses targets, follows moving ones, and plans paths. */
export class Navigator {
  private readonly pathFinder: PathFinder;

  constructor(
    private readonly game: Surroundings,
    private readonly random: RandomStream,
    way: PathFinder,
    private readonly habits: Habits = new Habits(false),
  ) {
    this.pathFinder = way;
  }

  choose(unit: Entity): Goal {
    const { random } = this;
    const what = random.next();
    const seconds = random.between(2, 9);
    const untilTick = this.game.tick + Math.round(seconds * this.game.rate);
    return (
      (this.habits.isZealous(random) ? this.towardsWanted(unit, seconds) : undefined) ??
      (what < 0.2 ? this.towardsPlayer(unit, untilTick) : undefined) ??
      (what < 0.35 ? this.towards(unit, 'unit', untilTick) : undefined) ??
      (what < 0.6 ? this.towards(unit, 'item', untilTick) : undefined) ??
      (what < 0.75 ? this.intoRegion(untilTick) : undefined) ??
      this.anywhere(unit, untilTick)
    );
  }

  /** Updates the position of a goal. Returns false once the target is gone or its time is over. */
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

  /** The next point on the way to the goal. */
  next(unit: Entity, goal: Goal): { readonly x: number; readonly y: number } {
    const { tick, rate } = this.game;
    const x = this.game.x(unit);
    const y = this.game.y(unit);
    const strayed = Math.abs(goal.x - goal.plannedX) + Math.abs(goal.y - goal.plannedY) > strayedPx;
    if (goal.plannedTick < 0 || (strayed && tick >= goal.plannedTick + rate)) {
      goal.path = this.pathFinder.findPath(x, y, goal.x, goal.y) ?? [];
      goal.plannedTick = tick;
      goal.plannedX = goal.x;
      goal.plannedY = goal.y;
    }
    const { path } = goal;
    while (path.length > 2 && Math.abs(path[0]! - x) < turnedPx && Math.abs(path[1]! - y) < turnedPx) path.splice(0, 2);
    // If only the last cell remains, the next point is the goal itself.
    return path.length > 2 ? { x: path[0]!, y: path[1]! } : goal;
  }

  /** Chooses the unit of another player as the goal. Undefined if none was found. */
  private towardsPlayer(unit: Entity, untilTick: number): Goal | undefined {
    const { game } = this;
    const entries = game.all('player');
    if (entries.length === 0) return undefined;
    for (let i = 0; i < sampleSize; i++) {
      const player = entries[this.random.integer(0, entries.length - 1)]!;
      const other = game.exists(player) ? game.selectedUnit(player) : noEntity;
      if (other === unit || !game.is(other, 'unit') || game.isHidden(other)) continue;
      return this.goal('unit', other, game.x(other), game.y(other), untilTick);
    }
    return undefined;
  }

  private goal(kind: Goal['kind'], entity: Entity, x: number, y: number, untilTick: number): Goal {
    return { kind, entity, x, y, untilTick, path: [], plannedTick: -1, plannedX: 0, plannedY: 0 };
  }

  /** Chooses a unit or an item as the goal: the nearest of a random sample. Undefined if none was found. */
  private towards(unit: Entity, kind: 'unit' | 'item', untilTick: number): Goal | undefined {
    const { game } = this;
    const entries = game.all(kind);
    if (entries.length === 0) return undefined;
    let nearest: Entity = noEntity;
    let nearestSquare = Infinity;
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

  /** Chooses something that the bots look for as the goal, at any distance. Undefined if there is no such thing. */
  private towardsWanted(unit: Entity, seconds: number): Goal | undefined {
    const { game, habits, random } = this;
    const untilTick = game.tick + Math.round(seconds * wantedPatience * game.rate);
    const found: Goal[] = [];
    for (const kind of ['unit', 'item'] as const) {
      const keys = [...game.definition[kind === 'unit' ? 'unitTypes' : 'itemTypes'].keys()];
      for (const entity of game.all(kind)) {
        if (entity === unit || !game.exists(entity) || game.isHidden(entity)) continue;
        if (!habits.isWanted(keys[game.typeIndex(entity)] ?? '') || (kind === 'item' && game.isCarried(entity)))
          continue;
        found.push(this.goal(kind, entity, game.x(entity), game.y(entity), untilTick));
      }
    }
    const regions = game.all('region').flatMap((entity) => game.region(entity) ?? []);
    for (const region of regions) if (habits.isWanted(region.name ?? '')) found.push(this.into(region, untilTick));
    return random.pick(found);
  }

  private intoRegion(untilTick: number): Goal | undefined {
    const regions = this.game.all('region');
    const chosen = this.random.pick(regions);
    const region = chosen === undefined ? undefined : this.game.region(chosen);
    return region && this.into(region, untilTick);
  }

  private into(region: Rectangle, untilTick: number): Goal {
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

import type { Point } from '../../components/point.ts';
import { Seen } from '../../components/seen.ts';
import { Trail } from '../../components/trail.ts';
import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import { rule } from '../effects.ts';
import type { Game } from '../game.ts';

/**
 * Lag compensation: an attack that hits immediately is judged by the positions at which the attacking player saw the
 * units. For this, the positions of units in the last ticks are recorded. Without `seen` inputs, nothing is recorded
 * and nothing changes.
 */

export const lagCompensation = rule('lag compensation', ['seen', 'tick']);

/** Maximum number of ticks between what a player sees and the present. Hosts set their own limit, in ms. */
export const rewindTicksMax = 30;

/**
 * Records the tick at which a player sees other units. The recorded tick never decreases, and never passes the current
 * tick. Returns false if `tick` is not finite.
 */
export function see({ world }: Game, player: Entity, tick: number): boolean {
  if (!Number.isFinite(tick)) return false;
  const now = world.clock.tick;
  const seen = world.ensure(player, Seen);
  seen.tick = Math.min(now, Math.max(tick, seen.tick, now - rewindTicksMax));
  seen.atTick = now;
  return true;
}

/** Appends the positions of all units to their trails. Called after each tick. */
export function recordTrails({ world, physics }: Game): void {
  const { tick } = world.clock;
  const { entries } = world.lists[Kind.unit]!;
  for (let i = 0; i < entries.length; i++) {
    const unit = entries[i]!;
    if (!world.exists(unit)) continue;
    const trail = world.ensure(unit, Trail);
    if (trail.tick !== tick - 1) trail.x.length = trail.y.length = 0;
    else if (trail.x.length > rewindTicksMax) {
      trail.x.shift();
      trail.y.shift();
    }
    trail.tick = tick;
    trail.x.push(physics.bodyX(unit));
    trail.y.push(physics.bodyY(unit));
  }
}

/**
 * For each unit that has moved since the player of `attacker` saw it: the offset from its current position to the
 * position where the player saw it, px. Undefined if the player's client has not reported which tick it displays, or if
 * `attacker` is not the player's selected unit.
 */
export function seenElsewhere({ world, physics }: Game, attacker: Entity): ReadonlyMap<Entity, Point> | undefined {
  const c = world.components;
  const player = c.identity.owner[rowOf(attacker)]!;
  const seen = c.seen[rowOf(player)];
  if (seen === undefined || !world.exists(player) || c.ownedUnits[rowOf(player)]!.selected !== attacker)
    return undefined;
  const tick = world.clock.tick - (seen.atTick - seen.tick);
  const elsewhere = new Map<Entity, Point>();
  for (const unit of world.lists[Kind.unit]!.entries) {
    const trail = c.trail[rowOf(unit)];
    if (unit === attacker || trail === undefined || !world.exists(unit)) continue;
    const newest = trail.x.length - 1;
    const at = Math.max(0, Math.min(newest, newest - (trail.tick - tick)));
    const x = between(trail.x, at) - physics.bodyX(unit);
    const y = between(trail.y, at) - physics.bodyY(unit);
    if (x !== 0 || y !== 0) elsewhere.set(unit, { x, y });
  }
  return elsewhere;
}

/**
 * Like `queryArea`, but with units at the positions where the player of `attacker` saw them. Units that have moved
 * since then come last, oldest first.
 */
export function queryAreaSeen(game: Game, attacker: Entity, x: number, y: number, side: number): Entity[] {
  const { physics } = game;
  const found: Entity[] = [];
  physics.queryArea(x, y, side, side, found);
  const elsewhere = seenElsewhere(game, attacker);
  if (elsewhere === undefined) return found;
  const seen = found.filter((entity) => !elsewhere.has(entity));
  for (const [unit, by] of elsewhere) {
    physics.queryArea(x - by.x, y - by.y, side, side, found);
    if (found.includes(unit)) seen.push(unit);
  }
  return seen;
}

function between(places: readonly number[], at: number) {
  const before = Math.floor(at);
  const from = places[before]!;
  const to = places[Math.min(before + 1, places.length - 1)]!;
  return from + (to - from) * (at - before);
}

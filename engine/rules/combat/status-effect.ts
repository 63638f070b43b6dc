import type { Damage } from '../../components/projectile.ts';
import { StatusEffects } from '../../components/status-effects.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';
import { carriedBuff } from '../types/buff-catalogue.ts';

/**
 * Stunned units take no orders from keys, mouse or AI, as in the engines of 2022, where only scripts stunned. Slowed units go at half their speed. A
 * weapon's buffs `stunChance` and `slowChance` affect the units that it damages. The specification gives no duration; it is a second here.
 */

const statusEffectMs = 1000;
const slowedTo = 0.5;

export function isStunned(world: World, unit: Entity): boolean {
  return world.components.statusEffects.stunEndsAtMs[rowOf(unit)]! > world.clock.nowMs;
}

/** `untilMs` Infinity: until somebody takes it back. The unit lets go of what it uses. */
export function stunUnit(game: Game, unit: Entity, untilMs: number): void {
  const { world } = game;
  world.add(unit, StatusEffects);
  const { stunEndsAtMs } = world.components.statusEffects;
  stunEndsAtMs[rowOf(unit)] = Math.max(stunEndsAtMs[rowOf(unit)]!, untilMs);
  world.wake(unit);
  emit(game, 'stunned', unit, undefined);
}

export function removeStun(world: World, unit: Entity): void {
  world.components.statusEffects.stunEndsAtMs[rowOf(unit)] = 0;
  world.wake(unit);
}

/** When the last of a unit's status effects is over, simulated ms; Infinity for one that has none now. */
export function effectsEndAtMs({ components, clock }: World, unit: Entity): number {
  const { stunEndsAtMs, slowEndsAtMs } = components.statusEffects;
  const endsAtMs = Math.max(stunEndsAtMs[rowOf(unit)]!, slowEndsAtMs[rowOf(unit)]!);
  return endsAtMs > clock.nowMs ? endsAtMs : Number.POSITIVE_INFINITY;
}

/** Takes them from all units for which both are over. An effect that is over is the same as none: the order of the units means nothing. */
export function endStatusEffects({ world }: Game): void {
  const { stunEndsAtMs, slowEndsAtMs } = world.components.statusEffects;
  const { entries } = world.withStatusEffects;
  const { nowMs } = world.clock;
  // From the end, because a unit leaves the list with its component.
  for (let i = entries.length - 1; i >= 0; i--) {
    const row = rowOf(entries[i]!);
    if (stunEndsAtMs[row]! <= nowMs && slowEndsAtMs[row]! <= nowMs) world.remove(entries[i]!, StatusEffects);
  }
}

/** The factor on a unit's speed. */
export function paceOf(world: World, unit: Entity): number {
  return world.components.statusEffects.slowEndsAtMs[rowOf(unit)]! > world.clock.nowMs ? slowedTo : 1;
}

/** Rolls what a weapon's buffs may do to a unit that it has just damaged. The unit's own immunity is a chance that they do nothing. */
export function afflict(game: Game, unit: Entity, { stunChance = 0, slowChance = 0 }: Damage): void {
  if (stunChance === 0 && slowChance === 0) return;
  const { world } = game;
  const random = world.random.stream('ailments');
  // One throw each, whatever comes of the others: what follows from a seed stays the same.
  const resists = random.next() < carriedBuff(world, unit, 'immunity');
  const stuns = random.next() < stunChance;
  const slows = random.next() < slowChance;
  if (resists) return;
  if (slows) {
    world.add(unit, StatusEffects);
    world.components.statusEffects.slowEndsAtMs[rowOf(unit)] = world.clock.nowMs + statusEffectMs;
    world.wake(unit);
  }
  if (stuns) stunUnit(game, unit, world.clock.nowMs + statusEffectMs);
}

import type { Damage } from '../../components/projectile.ts';
import { StatusEffects } from '../../components/status-effects.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { changesIn, rule } from '../effects.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';
import { carriedBuff } from '../types/buff-catalogue.ts';

/**
 * Stunned units ignore keys, mouse and AI, as in the engines of 2022, where only scripts could stun. Slowed units move
 * at half speed. The weapon buffs `stunChance` and `slowChance` affect the units that a weapon damages. The
 * specification gives no duration; here, a stun or slow by a weapon lasts one second.
 */

export const statusEffectEnd = rule('the end of status effects', ['tick'], changesIn('unit', 'stun'));

const statusEffectMs = 1000;
const slowedTo = 0.5;

export function isStunned(world: World, unit: Entity): boolean {
  return world.components.statusEffects.stunEndsAtMs[rowOf(unit)]! > world.clock.nowMs;
}

/** Stuns a unit until `untilMs` (simulated ms); Infinity until the stun is removed. The unit stops using its item. */
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

/** The simulated time, ms, at which the last of a unit's status effects ends; Infinity if none is active. */
export function effectsEndAtMs({ components, clock }: World, unit: Entity): number {
  const { stunEndsAtMs, slowEndsAtMs } = components.statusEffects;
  const endsAtMs = Math.max(stunEndsAtMs[rowOf(unit)]!, slowEndsAtMs[rowOf(unit)]!);
  return endsAtMs > clock.nowMs ? endsAtMs : Infinity;
}

/**
 * Removes the component from all units whose effects have both ended. An effect that has ended acts like no effect, so
 * the order of the units does not matter.
 */
export function endStatusEffects({ world }: Game): void {
  const { stunEndsAtMs, slowEndsAtMs } = world.components.statusEffects;
  const { entries } = world.withStatusEffects;
  const { nowMs } = world.clock;
  // Goes backwards, because removing the component removes the unit from this list.
  for (let i = entries.length - 1; i >= 0; i--) {
    const row = rowOf(entries[i]!);
    if (stunEndsAtMs[row]! <= nowMs && slowEndsAtMs[row]! <= nowMs) world.remove(entries[i]!, StatusEffects);
  }
}

/** The factor by which status effects change a unit's speed. */
export function speedFactor(world: World, unit: Entity): number {
  return world.components.statusEffects.slowEndsAtMs[rowOf(unit)]! > world.clock.nowMs ? slowedTo : 1;
}

/**
 * Rolls the status effects that a weapon may cause on a unit it just damaged. The unit's immunity is the chance that it
 * resists all of them.
 */
export function rollStatusEffects(game: Game, unit: Entity, { stunChance = 0, slowChance = 0 }: Damage): void {
  if (stunChance === 0 && slowChance === 0) return;
  const { world } = game;
  const random = world.random.stream('ailments');
  // Always draw all three, so that the random stream does not depend on the outcomes.
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

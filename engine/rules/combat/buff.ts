import { Buffs } from '../../components/buffs.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { changesIn, rule } from '../effects.ts';
import { attributeRow, updateAttribute } from '../entities/attribute.ts';
import type { Game } from '../game.ts';

/**
 * Timed bonuses that scripts give to a unit's attribute (reference: units#timed-buffs). They raise value and maximum
 * together, the value only up to the old maximum. Both are lowered again when the buff expires.
 */

export const buffEnd = rule('the end of buffs', ['tick'], changesIn('unit', 'buffs', 'attribute', 'attributeMax'));

/**
 * Makes a function that adds a buff of `durationMs` of simulated time and returns false if the unit has no such
 * attribute. `raise` gets the attribute's value, where 1 stands for 0 (reference: operations#addattributebufftounit),
 * and its bounds. It returns the raised value, and by how much the maximum rises.
 */
function adding(
  raise: (amount: number | string, value: number, min: number, max: number) => readonly [value: number, rise: number],
) {
  return (game: Game, unit: Entity, attribute: string, amount: number | string, durationMs: number): boolean => {
    const { world } = game;
    const row = attributeRow(world, unit, attribute);
    if (row < 0) return false;
    const before = world.attributes.value[row]!;
    const max = world.attributes.max[row]!;
    const [raised, rise] = raise(amount, before || 1, world.attributes.min[row]!, max);
    updateAttribute(game, unit, attribute, Math.min(max, raised), undefined, max + rise);
    if (!world.exists(unit)) return true;
    const after = world.attributes.value[attributeRow(world, unit, attribute)]!;
    world.ensure(unit, Buffs).push({
      attribute,
      amount: rise,
      gained: after - before,
      endsAtMs: world.clock.dateMs + durationMs,
    });
    world.wake(unit);
    return true;
  };
}

/**
 * Adds a buff by an amount. The value rises only up to the old maximum, so a full attribute keeps its value. A negative
 * amount lowers the maximum, limits the value to the new maximum, and then lowers the value by the amount. An amount
 * that is a string is appended to the digits of the value, but added to the maximum as a number.
 */
export const addBuff = adding((amount, value, min, max) => {
  const rise = Number(amount);
  const kept = Math.max(min, Math.min(max + rise, value));
  return [typeof amount === 'string' ? Number(`${kept}${amount}`) : kept + amount, rise];
});

/** Adds a buff by a percentage of the current value and maximum. */
export const addPercentageBuff = adding((percent, value, _min, max) => {
  const factor = 1 + Number(percent) / 100;
  return [value * factor, max * factor - max];
});

/** Makes all buffs expire in the unit's next tick. */
export function endBuffs(game: Game, unit: Entity): void {
  for (const buff of game.world.components.buffs[rowOf(unit)] ?? []) buff.endsAtMs = -Infinity;
}

/** Reverts all expired buffs in one tick. */
export function takeBackBuffs(game: Game, unit: Entity): void {
  const { world } = game;
  const c = world.components;
  const buffs = c.buffs[rowOf(unit)] ?? [];
  const over = buffs.filter((buff) => buff.endsAtMs <= world.clock.dateMs);
  if (over.length === 0) return;
  if (over.length === buffs.length) world.remove(unit, Buffs);
  else c.buffs[rowOf(unit)] = buffs.filter((buff) => buff.endsAtMs > world.clock.dateMs);
  for (const buff of over) {
    const row = attributeRow(world, unit, buff.attribute);
    if (row < 0) continue;
    const { value, max } = world.attributes;
    updateAttribute(game, unit, buff.attribute, value[row]! - buff.gained, undefined, max[row]! - buff.amount);
    if (!world.exists(unit)) return;
  }
}

/**
 * Reverts expired buffs as the reference does (reference: units#timed-buffs): the maximum falls and only limits the
 * value; 0 and NaN become 1. A buff expires only after more than its duration has passed. The buff that follows an
 * expired one is skipped until the next tick.
 */
export function lowerBuffs(game: Game, unit: Entity): void {
  const { world } = game;
  const buffs = world.components.buffs[rowOf(unit)] ?? [];
  for (let i = 0; i < buffs.length; i++) {
    const buff = buffs[i]!;
    if (buff.endsAtMs >= world.clock.dateMs) continue;
    buffs.splice(i, 1);
    const row = attributeRow(world, unit, buff.attribute);
    if (row < 0) continue;
    const { value, max } = world.attributes;
    const kept = value[row]! || 1;
    updateAttribute(game, unit, buff.attribute, kept, undefined, max[row]! - buff.amount);
    if (!world.exists(unit)) return;
  }
  if (buffs.length === 0) world.remove(unit, Buffs);
}

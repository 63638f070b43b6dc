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
 * Adds a buff for `durationMs` of simulated time. A full attribute keeps its value and gets a higher maximum. A lower
 * maximum first limits the value. A value of 0 counts as 1 (reference: operations#addattributebufftounit). An amount
 * that is a string is appended to the digits of the value, but added to the maximum as a number. False if the unit has
 * no such attribute.
 */
export function addBuff(
  game: Game,
  unit: Entity,
  attribute: string,
  amount: number | string,
  durationMs: number,
): boolean {
  const { world } = game;
  const row = attributeRow(world, unit, attribute);
  if (row < 0) return false;
  const before = world.attributes.value[row]!;
  const min = world.attributes.min[row]!;
  const max = world.attributes.max[row]!;
  const rise = Number(amount);
  const kept = Math.max(min, Math.min(max + rise, before || 1));
  const raised = typeof amount === 'string' ? Number(`${kept}${amount}`) : kept + amount;
  apply(game, unit, attribute, Math.min(max, raised), max, rise, before, durationMs);
  return true;
}

/** Like `addBuff`, with an amount in percent of the current value and maximum; a value of 0 counts as 1. */
export function addPercentageBuff(
  game: Game,
  unit: Entity,
  attribute: string,
  percent: number | string,
  durationMs: number,
): boolean {
  const { world } = game;
  const row = attributeRow(world, unit, attribute);
  if (row < 0) return false;
  const before = world.attributes.value[row]!;
  const max = world.attributes.max[row]!;
  const factor = 1 + Number(percent) / 100;
  const raised = (before || 1) * factor;
  apply(game, unit, attribute, Math.min(max, raised), max, max * factor - max, before, durationMs);
  return true;
}

function apply(
  game: Game,
  unit: Entity,
  attribute: string,
  value: number,
  max: number,
  amount: number,
  before: number,
  durationMs: number,
): void {
  const { world } = game;
  updateAttribute(game, unit, attribute, value, undefined, max + amount);
  if (!world.exists(unit)) return;
  const after = world.attributes.value[attributeRow(world, unit, attribute)]!;
  world.ensure(unit, Buffs).push({
    attribute,
    amount,
    gained: after - before,
    endsAtMs: world.clock.dateMs + durationMs,
  });
  world.wake(unit);
}

/** Makes all buffs expire in the unit's next tick. */
export function endBuffs(game: Game, unit: Entity): void {
  for (const buff of game.world.components.buffs[rowOf(unit)] ?? []) buff.endsAtMs = Number.NEGATIVE_INFINITY;
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

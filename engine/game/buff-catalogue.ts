import type { BuffType } from '../definition/buff.ts';
import type { ItemType } from '../definition/item.ts';
import { type Entity, rowOf } from '../world/entity.ts';
import type { RolledBuff } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { itemType } from './item-state.ts';

/**
 * The catalogue of buffs (specification, Buff type; the routine: reference: buffs-and-unused.md §2): a new item rolls each buff that its
 * type lists, once, by the catalogue's chance and within its bounds. Dialects without the catalogue roll nothing.
 */

/** Fields of an item type that a buff changes and that a rule reads when the item is used. */
export type BuffedField = 'bulletForce' | 'bulletDistance' | 'recoilForce';

/** What a type's buffs come to for one new item. The order of the list is the order of the dice. */
export function rollBuffs(world: World, { buffTypes }: ItemType): RolledBuff[] {
  const rolled: RolledBuff[] = [];
  if (!world.dialect.buffCatalogue || buffTypes.length === 0) return rolled;
  const random = world.random.stream('buffs');
  for (const name of buffTypes) {
    const buff = world.definition.buffTypes.get(name);
    if (buff === undefined) continue;
    const value = amount(buff, random.next());
    if (random.next() < (buff.chance ?? 0)) rolled.push({ name, value });
  }
  return rolled;
}

/** Within the bounds, which may stand in either order; whole steps of an `integer` buff whose bounds are whole numbers. */
function amount({ unit, minBonus = 0, maxBonus = 0 }: BuffType, chance: number): number {
  if (unit === 'boolean') return 1;
  const isWhole = unit === 'integer' && Number.isInteger(minBonus) && Number.isInteger(maxBonus);
  return isWhole
    ? minBonus + Math.floor(chance * (maxBonus - minBonus + 1))
    : minBonus + chance * (maxBonus - minBonus);
}

/** What a new item starts with beyond its type: how much of it there is and can be, and how fast it is. */
export function applyRolledBuffs(world: World, item: Entity): void {
  const row = rowOf(item);
  const c = world.columns;
  const { rolled } = world.items[row]!;
  if (rolled.length === 0) return;
  for (const { name, value } of rolled) {
    if (name === 'fireRate') c.fireRateMs[row] = raised(c.fireRateMs[row]!, value);
    else if (name === 'ammoTotal') c.maxQuantity[row] = raised(c.maxQuantity[row]!, value);
    else if (name === 'ammoSize') c.quantity[row] = raised(c.quantity[row]!, value);
  }
  // More in it than it can hold is no item: what it can hold grows with what it has.
  c.maxQuantity[row] = Math.max(c.maxQuantity[row]!, c.quantity[row]!);
}

/** Which buff changes which field. The catalogue's name for range is its own. */
const fields: Readonly<Record<string, BuffedField>> = {
  bulletForce: 'bulletForce',
  bulletDistance: 'bulletDistance',
  distanceEnd: 'bulletDistance',
  recoilForce: 'recoilForce',
};

/** A field as this item has it: a share more of what a force is, so much more of what is a distance or recoil. */
export function buffedField(world: World, item: Entity, field: BuffedField): number {
  let value = itemType(world, item).definition[field] ?? 0;
  for (const buff of world.items[rowOf(item)]!.rolled) {
    if (fields[buff.name] !== field) continue;
    value = field === 'bulletForce' ? raised(value, buff.value) : value + buff.value;
  }
  return value;
}

/** Whether units do not stop what the item fires. */
export function penetrates(world: World, item: Entity): boolean {
  if (itemType(world, item).definition.penetration) return true;
  return world.items[rowOf(item)]!.rolled.some(({ name }) => name === 'canPenetrate');
}

/** By a share, to a whole number. Endless and never stay what they are. */
function raised(value: number, share: number): number {
  return Number.isFinite(value) ? Math.trunc(value * (1 + share)) : value;
}

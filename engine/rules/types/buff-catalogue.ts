import type { RolledBuff } from '../../components/rolled-buffs.ts';
import type { BuffType } from '../../definition/buff.ts';
import type { ItemType } from '../../definition/item.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';

/**
 * The catalogue of buffs (specification, Buff type; the routine: reference: buffs-and-unused#buff-types): a new item rolls each buff that its
 * type lists, once, by the catalogue's chance and within its bounds. Dialects without the catalogue roll nothing.
 */

/** Fields of an item type that a buff changes and that a rule reads when the item is used. */
type BuffedField = 'bulletForce' | 'bulletDistance' | 'recoilForce' | 'reloadRate';

/** Rolls the buffs of a type for one new item. The order of the list is the order of the dice. */
export function rollBuffs(world: World, { buffTypes }: ItemType): RolledBuff[] {
  const rolled: RolledBuff[] = [];
  if (buffTypes.length === 0) return rolled;
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

/** Changes the quantity, the maximum and the fire rate of a new item by what it rolled. */
export function applyRolledBuffs(world: World, item: Entity): void {
  const row = rowOf(item);
  const c = world.components;
  const rolled = world.components.rolledBuffs[row];
  if (rolled === undefined) return;
  for (const { name, value } of rolled) {
    if (name === 'fireRate') world.components.itemUse.fireRateMs[row] = raised(c.itemUse.fireRateMs[row]!, value);
    else if (name === 'ammoTotal') world.components.stack.maxQuantity[row] = raised(c.stack.maxQuantity[row]!, value);
    else if (name === 'ammoSize') world.components.stack.quantity[row] = raised(c.stack.quantity[row]!, value);
  }
  // More in it than it can hold is no item: what it can hold grows with what it has.
  world.components.stack.maxQuantity[row] = Math.max(c.stack.maxQuantity[row]!, c.stack.quantity[row]!);
}

/** Which buff changes which field. The catalogue's name for range is its own. */
const fields: Readonly<Record<string, BuffedField>> = {
  bulletForce: 'bulletForce',
  bulletDistance: 'bulletDistance',
  distanceEnd: 'bulletDistance',
  recoilForce: 'recoilForce',
  reloadRate: 'reloadRate',
};

/** Of these a buff is a share; of the others so much more. */
const shares: ReadonlySet<BuffedField> = new Set(['bulletForce', 'reloadRate']);

/** A field as this item has it. */
export function buffedField(world: World, item: Entity, field: BuffedField): number {
  let value = itemTypeOf(world, item).definition[field] ?? 0;
  for (const buff of world.components.rolledBuffs[rowOf(item)] ?? []) {
    if (fields[buff.name] !== field) continue;
    value = shares.has(field) ? raised(value, buff.value) : value + buff.value;
  }
  return value;
}

/** The value that an item rolled of a buff; 0 for none. */
export function rolledValue(world: World, item: Entity, name: string): number {
  for (const buff of world.components.rolledBuffs[rowOf(item)] ?? []) if (buff.name === name) return buff.value;
  return 0;
}

/** Buffs that the carrier has from the item, as long as it has the item's passive bonuses. */
export function givesCarrier(world: World, item: Entity): boolean {
  return world.components.rolledBuffs[rowOf(item)]?.some(({ name }) => forCarrier.has(name)) ?? false;
}
const forCarrier: ReadonlySet<string> = new Set(['movementSpeed', 'maxStamina', 'immunity']);

/** Whether the carrier of an item has its passive bonuses now. */
export function hasGivenBonus({ components: { passiveBonus } }: World, item: Entity): boolean {
  return passiveBonus[rowOf(item)] !== undefined;
}

/** The sum of a buff over all items that a unit carries and whose bonuses it has. */
export function carriedBuff(world: World, unit: Entity, name: string): number {
  let sum = 0;
  for (const item of world.components.inventory[rowOf(unit)]!.slots) {
    if (world.exists(item) && hasGivenBonus(world, item)) sum += rolledValue(world, item, name);
  }
  return sum;
}

/** Whether units do not stop what the item fires. */
export function penetrates(world: World, item: Entity): boolean {
  if (itemTypeOf(world, item).definition.penetration) return true;
  return rolledValue(world, item, 'canPenetrate') !== 0;
}

/** The height (px) of what an item looks and collides like, and the distance it is held at: a share more. */
export function buffedHeight(world: World, item: Entity, height: number): number {
  const share = rolledValue(world, item, 'height');
  return share === 0 ? height : raised(height, share);
}

/** By a share, to a whole number. Endless and never stay what they are. */
function raised(value: number, share: number): number {
  return Number.isFinite(value) ? Math.trunc(value * (1 + share)) : value;
}

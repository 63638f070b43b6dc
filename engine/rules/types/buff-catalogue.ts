import type { RolledBuff } from '../../components/rolled-buffs.ts';
import type { Dictionary } from '../../core/plain-object.ts';
import type { BuffType } from '../../definition/buff.ts';
import type { ItemType } from '../../definition/item.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';

/**
 * The buff catalogue (specification, Buff type; reference: buffs-and-unused#buff-types). A new item rolls once for each
 * buff that its type lists, with the chance and within the bounds that the catalogue gives for the buff. Dialects
 * without the catalogue roll nothing.
 */

/** Fields of an item type that buffs change and rules read when the item is used. */
type BuffedField = 'bulletForce' | 'bulletDistance' | 'recoilForce' | 'reloadRate';

/**
 * Rolls the buffs of an item type for one new item, in the order in which the type lists them, because this order
 * determines which random number each buff gets.
 */
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

/**
 * A value within the bounds, which the definition may give in either order. A whole number for an `integer` buff whose
 * bounds are whole numbers.
 */
function amount({ unit, minBonus = 0, maxBonus = 0 }: BuffType, chance: number) {
  if (unit === 'boolean') return 1;
  const isWhole = unit === 'integer' && Number.isInteger(minBonus) && Number.isInteger(maxBonus);
  return isWhole
    ? minBonus + Math.floor(chance * (maxBonus - minBonus + 1))
    : minBonus + chance * (maxBonus - minBonus);
}

/** Applies the rolled buffs to a new item's quantity, maximum quantity and fire rate. */
export function applyRolledBuffs(world: World, item: Entity): void {
  const row = rowOf(item);
  const c = world.components;
  const rolled = c.rolledBuffs[row];
  if (rolled === undefined) return;
  for (const { name, value } of rolled) {
    if (name === 'fireRate') c.itemUse.fireRateMs[row] = raised(c.itemUse.fireRateMs[row]!, value);
    else if (name === 'ammoTotal') c.stack.maxQuantity[row] = raised(c.stack.maxQuantity[row]!, value);
    else if (name === 'ammoSize') c.stack.quantity[row] = raised(c.stack.quantity[row]!, value);
  }
  // An item must not hold more than its maximum, so the maximum grows with the quantity.
  c.stack.maxQuantity[row] = Math.max(c.stack.maxQuantity[row]!, c.stack.quantity[row]!);
}

/**
 * The field of an item type that each buff changes, by the name of the buff. Only the range has a second name in the
 * catalogue, `distanceEnd`.
 */
const fields: Dictionary<BuffedField> = {
  bulletForce: 'bulletForce',
  bulletDistance: 'bulletDistance',
  distanceEnd: 'bulletDistance',
  recoilForce: 'recoilForce',
  reloadRate: 'reloadRate',
};

/** Fields that a buff increases by a share of their value. All other fields are increased by an amount. */
const shares: ReadonlySet<BuffedField> = new Set(['bulletForce', 'reloadRate']);

/** The value of a field for this item, rolled buffs included. */
export function buffedField(world: World, item: Entity, field: BuffedField): number {
  let value = itemTypeOf(world, item).definition[field] ?? 0;
  for (const buff of world.components.rolledBuffs[rowOf(item)] ?? []) {
    if (fields[buff.name] !== field) continue;
    value = shares.has(field) ? raised(value, buff.value) : value + buff.value;
  }
  return value;
}

/** The value that an item rolled for a buff; 0 if it rolled none. */
export function rolledValue(world: World, item: Entity, name: string): number {
  for (const buff of world.components.rolledBuffs[rowOf(item)] ?? []) if (buff.name === name) return buff.value;
  return 0;
}

/** Whether the item has rolled buffs that affect its carrier while the carrier has the item's passive bonuses. */
export function givesCarrier(world: World, item: Entity): boolean {
  return world.components.rolledBuffs[rowOf(item)]?.some(({ name }) => forCarrier.has(name)) ?? false;
}
const forCarrier: ReadonlySet<string> = new Set(['movementSpeed', 'maxStamina', 'immunity']);

/** Whether the item's carrier currently has its passive bonuses. */
export function hasGivenBonus({ components: { passiveBonus } }: World, item: Entity): boolean {
  return passiveBonus[rowOf(item)] !== undefined;
}

/** The sum of a buff over all items in a unit's slots whose passive bonuses the unit has. */
export function carriedBuff(world: World, unit: Entity, name: string): number {
  let sum = 0;
  for (const item of world.inventoryOf(unit).slots) {
    if (world.exists(item) && hasGivenBonus(world, item)) sum += rolledValue(world, item, name);
  }
  return sum;
}

/** Whether the projectiles and rays of an item pass through units. */
export function penetrates(world: World, item: Entity): boolean {
  if (itemTypeOf(world, item).definition.penetration) return true;
  return rolledValue(world, item, 'canPenetrate') !== 0;
}

/**
 * An item's height (px), increased by its rolled share. It applies to the image, the body and the distance at which it
 * is held.
 */
export function buffedHeight(world: World, item: Entity, height: number): number {
  const share = rolledValue(world, item, 'height');
  return share === 0 ? height : raised(height, share);
}

/** Raises a value by a share, truncated to a whole number. Infinity and NaN stay as they are. */
function raised(value: number, share: number) {
  return Number.isFinite(value) ? Math.trunc(value * (1 + share)) : value;
}

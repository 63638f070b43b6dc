import { existing, reads } from '../../rules/effects.ts';
import { nameOf } from '../../rules/entities/appearance.ts';
import { itemDescription } from '../../rules/items/item-settings.ts';
import { carrierOf } from '../../rules/items/item-state.ts';
import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { itemTypeOf, type RuntimeItemType } from '../../world/types.ts';
import { type About, compiledValue, family, inertValue, nullary, type ValueRow, value, withOperand } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';
import { all, allTypes, drawnFrom, listOf, numberOf, quantityInGroup, typeGroup } from './group.ts';
import { coerced, givenBack, item, number, ofKind, otherKindResult, particleOf, unit } from './operands.ts';
import { hasBody, propertyOf } from './property.ts';
import { isInRegion } from './region.ts';
import { fromPayload, last, selected } from './trigger.ts';

const noAttachments = 'No engine has a list of attached entities.';

/** A property of an item; undefined for anything else. */
const ofItem = propertyOf(item, 'item');
const ofCarrier = propertyOf(unit, 'unit');

/** A property of an item type; `read` is called with undefined if the type does not exist. */
function ofItemType(about: About, returns: string, read: (type: RuntimeItemType | undefined) => unknown): ValueRow {
  return value(about, { itemType: P.itemType }, returns, (key, context) =>
    read(key === undefined ? undefined : context.world.types.item.get(key)),
  );
}

/** The index of the item type with a key; -2, which matches no item, if there is no such type. */
function typeIndex(context: ScriptContext, key: string | undefined) {
  return key === undefined ? -2 : (context.world.types.item.get(key)?.index ?? -2);
}

function firesProjectiles({ world }: ScriptContext, of: Entity) {
  const { isGun, bulletType } = itemTypeOf(world, of).definition;
  return isGun && bulletType !== 'raycast';
}

/** Converts a quantity to the value that scripts see, which is null if the quantity is unlimited. */
function seen(quantity: number): number | null {
  return quantity === Infinity ? null : quantity;
}

/** The engines of 2024 do not have this function. */
const ammoOfItem = ofItem(
  'The ammunition of a weapon.',
  'number',
  (_of, row, { world }) => seen(world.components.stack.quantity[row]!),
  reads('quantity', 'item'),
);

/** Items, item types, and groups of both. */
export const itemValues = family<ValueRow>('item', {
  getTriggeringItem: fromPayload('The item that the trigger provides.', 'item'),
  selectedItem: selected(
    'The current item of a loop over items.',
    'item',
    (context) => context.selectedItem,
    'getSelectedItem',
  ),
  selectedItemType: selected(
    'The current item type of a loop over item types.',
    'item type',
    (context) => context.selectedItemType,
  ),
  getLastCreatedItem: {
    ...last('The item that was created last.', 'createdItem', 'item'),
    aliases: ['lastCreatedItem'],
  },
  /**
   * Each attempt to use an item that has enough quantity makes it the last used item, even if the item is not ready
   * (reference: items-projectiles#use).
   */
  lastUsedItem: { ...last('The item that was used last.', 'usedItem', 'item'), aliases: ['getLastUsedItem'] },
  getLastTouchedItem: last('The item that was touched last.', 'touchedItem', 'item'),
  getLastAttackingItem: last('The item with which a unit attacked last.', 'attackingItem', 'item'),
  getLastOverlappingItem: inertValue(
    'Always undefined. The function was meant to return the item that was overlapped last.',
    'No engine detects that entities overlap; use getLastTouchedItem.',
    'item',
  ),

  getItemCurrentlyHeldByUnit: ofCarrier(
    'The item that a unit holds.',
    'item',
    (_unit, row, { world }) => world.ref(world.components.inventory[row]!.heldItem),
    reads('slot', 'entity'),
  ),
  getItemAtSlot: {
    ...compiledValue(
      "The item in a slot of a unit's inventory. Slots are counted from 1.",
      { unit: P.alias(unit, 'entity'), slot: number },
      'item',
      ({ unit: operand, slot }, { dialect }, node) =>
        (context) => {
          // The reference ignores the alias `entity`.
          const of = dialect.queriesCheckOperands || node.operand('unit').key === 'unit' ? operand(context) : noEntity;
          const at = coerced(slot(context));
          if (of === noEntity) return undefined;
          return context.world.ref(context.world.inventoryOf(of).slots[at - 1] ?? noEntity);
        },
      reads('items', 'unit'),
    ),
    aliases: ['getItemInInventorySlot'],
  },
  unitIsCarryingItemType: compiledValue(
    'Whether a unit carries an item of a given type.',
    { unit, itemType: P.itemType },
    'boolean',
    ({ unit: operand, itemType: type }, compiler, node) => {
      const carries = (context: ScriptContext, of: Entity, key: string) => {
        const { world } = context;
        const index = typeIndex(context, key);
        return world
          .inventoryOf(of)
          .slots.some((carried) => world.exists(carried) && world.components.identity.type[rowOf(carried)] === index);
      };
      if (compiler.dialect.queriesCheckOperands) {
        return (context) => {
          const of = operand(context);
          const key = type(context);
          return of === noEntity || key === undefined ? undefined : carries(context, of, key);
        };
      }
      const evaluate = compiler.value(node.operand('itemType'));
      return (context) => {
        const of = operand(context);
        const key = evaluate(context);
        if (of === noEntity || !key) return undefined;
        return (typeof key === 'string' || typeof key === 'number') && carries(context, of, String(key));
      };
    },
    reads('items', 'unit'),
  ),
  getOwnerOfItem: ofItem(
    'The unit that carries an item.',
    'unit',
    (of, _row, { world }) => world.ref(carrierOf(world, of)),
    reads('owner', 'entity'),
  ),

  /** If the operand is a key instead of an item, the key is returned. */
  getItemTypeOfItem: value(
    'The type of an item.',
    { entity: P.named(P.any, 'item') },
    'item type',
    (given, context) => {
      if (!(given instanceof EntityRef)) return typeof given === 'string' ? given : undefined;
      return given.kind === 'item' && context.world.remembers(given.entity)
        ? itemTypeOf(context.world, given.entity).key
        : undefined;
    },
    reads('type', 'entity'),
  ),
  getItemName: ofItem(
    'The name of an item.',
    'string',
    (of, _row, { world }) => nameOf(world, of),
    reads('name', 'item'),
  ),
  getItemDescription: ofItem(
    'The description of an item.',
    'string',
    (of, _row, { world }) => itemDescription(world, of),
    reads('look', 'item'),
  ),
  getItemQuantity: ofItem(
    'The quantity of an item.',
    'number',
    (_of, row, { world }) => seen(world.components.stack.quantity[row]!),
    reads('quantity', 'item'),
  ),
  getItemMaxQuantity: ofItem(
    'The maximum quantity of an item.',
    'number',
    (_of, row, { world }) => seen(world.components.stack.maxQuantity[row]!),
    reads('quantity', 'item'),
  ),
  /** The ammunition of a weapon is its quantity. */
  getCurrentAmmoOfItem: {
    ...ammoOfItem,
    compile: (operands, compiler, node) =>
      compiler.dialect.queriesCheckOperands ? ammoOfItem.compile(operands, compiler, node) : () => undefined,
  },
  getItemBody: ofItem('The body of an item, as defined by its type.', 'body', hasBody, reads('state', 'item')),
  itemFiresProjectiles: compiledValue(
    'Whether an item fires projectiles.',
    { item },
    'boolean',
    withOperand(
      (of: Entity, context) => (of === noEntity ? undefined : firesProjectiles(context, of)),
      (given, context) => {
        const of = ofKind(context, given, Kind.item);
        return of === noEntity
          ? otherKindResult(given, 'itemFiresProjectiles', undefined)
          : firesProjectiles(context, of);
      },
    ),
    reads('type', 'item'),
  ),
  getItemParticle: particleOf(
    {
      sentence: 'The given particle type if the type of the item has it, otherwise undefined.',
      example: { entity: { function: 'getTriggeringItem' } },
    },
    item,
    itemTypeOf,
  ),
  itemIsInRegion: isInRegion('Whether the body of an item overlaps a region.', 'item', item),
  getItemInFrontOfUnit: inertValue(
    'Always undefined. The function was meant to return the item in front of a unit.',
    'No engine implemented this function; see entitiesInRegionInFrontOfEntityAtDistance.',
    'item',
    {
      entity: unit,
    },
  ),
  allUnitsAttachedToItem: inertValue(
    'Always undefined. The function was meant to return the units that are attached to an item.',
    noAttachments,
    'units',
    {
      entity: item,
    },
  ),
  allItemsAttachedToUnit: inertValue(
    'Always undefined. The function was meant to return the items that are attached to a unit.',
    noAttachments,
    'items',
    {
      entity: unit,
    },
  ),

  getNumberOfItemsPresent: numberOf('The number of items.', 'item'),
  allItems: all('All items.', 'item', 'items'),
  allItemsOfItemType: value(
    'All items of a given type.',
    { itemType: P.itemType },
    'items',
    (given, context) => {
      const index = typeIndex(context, given);
      const { world } = context;
      return listOf(context, Kind.item, (row) => world.components.identity.type[row] === index);
    },
    existing('item', 'itemType'),
  ),
  allItemsDroppedOnGround: nullary(
    'All items that no unit carries.',
    'items',
    (context) => listOf(context, Kind.item, (_row, each) => carrierOf(context.world, each) === noEntity),
    existing('item'),
    reads('carrier'),
  ),
  /** The items are in creation order, not in slot order. */
  allItemsOwnedByUnit: propertyOf(unit, 'entity')(
    'All items that a unit carries.',
    'items',
    (of, _row, context) => {
      const { owner } = context.world.components.identity;
      return listOf(context, Kind.item, (row) => owner[row] === of);
    },
    existing('item'),
    reads('owner'),
  ),

  getItemType: givenBack('The item type with a key given literally.', 'item type', 'itemType'),
  getItemTypeName: ofItemType('The name of an item type.', 'string', (type) => type?.name),
  /** The damage to the attribute `health`; NaN if the item type does no such damage, 0 if there is no such type. */
  getItemTypeDamage: compiledValue(
    'The damage of an item type to the attribute `health` of units.',
    { itemType: P.itemType },
    'number',
    ({ itemType: type }, { dialect }) => {
      // The reference converts the whole damage object to a number. The result is a number only if the damage is given
      // as a bare number.
      const { queriesCheckOperands } = dialect;
      return (context) => {
        const found = context.world.types.item.get(type(context) ?? '');
        if (found === undefined) return 0;
        const { damage } = found.definition;
        return (queriesCheckOperands ? damage?.unitAttributes.get('health') : damage?.bare) ?? NaN;
      };
    },
  ),
  /** The URL is "" if the type does not exist or has no inventory image. */
  itemTypeInventoryUrl: ofItemType(
    'The URL of the inventory image of an item type.',
    'string',
    (type) => type?.definition.inventoryImage ?? '',
  ),
  defaultQuantityOfItemType: ofItemType(
    'The default quantity of an item type.',
    'number',
    (type) => type?.definition.quantity,
  ),
  /** The maximum is 0 if the type does not exist. */
  maxValueOfItemType: ofItemType('The maximum quantity of an item type.', 'number', (type) =>
    type === undefined ? 0 : type.definition.maxQuantity,
  ),

  allItemTypesInGame: allTypes('All item types, each with a count of 1.', 'item'),
  getQuantityOfItemTypeInItemTypeGroup: quantityInGroup(
    'The count of an item type in a group of item types.',
    'itemTypeGroup',
    'itemType',
    P.itemType,
  ),
  getRandomItemTypeFromItemTypeGroup: compiledValue(
    'A random item type of a group, weighted by the counts.',
    { itemTypeGroup: typeGroup },
    'item type',
    ({ itemTypeGroup }, { dialect }) =>
      (context) =>
        drawnFrom(context, itemTypeGroup(context), dialect.queriesCheckOperands),
    reads('variable', undefined, { key: 'itemTypeGroup' }),
    reads('chance'),
  ),
});

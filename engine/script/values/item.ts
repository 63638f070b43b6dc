import { existing, reads } from '../../rules/effects.ts';
import { nameOf } from '../../rules/entities/appearance.ts';
import { itemDescription } from '../../rules/items/item-settings.ts';
import { carrierOf } from '../../rules/items/item-state.ts';
import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
import type { RuntimeItemType } from '../../world/types.ts';
import { itemTypeOf } from '../../world/types.ts';
import { type About, family, inertValue, reading, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';
import { isObjectValue } from '../running/value.ts';
import { countOf, drawnFrom, listOf, typeGroup } from './group.ts';
import { coerced, item, number, ofKind, otherKindResult, unit } from './operands.ts';
import { propertyOf } from './property.ts';
import { isInRegion } from './region.ts';
import { fromPayload, last, selected } from './trigger.ts';

const noAttachments = 'No engine keeps a list of attached entities.';

/** A property of an item; undefined for anything else. */
const ofItem = propertyOf(item, 'item');

/** A property of an item type; `read` is called with undefined if the type does not exist. */
function ofItemType(about: About, returns: string, read: (type: RuntimeItemType | undefined) => unknown): ValueRow {
  return value({
    about,
    params: { itemType: P.itemType },
    returns,
    get: (key, context) => read(key === undefined ? undefined : context.world.types.item.get(key)),
  });
}

/** The index of an item type; -2, which matches no item, if there is no such type. */
function typeIndex(context: ScriptContext, key: string | undefined): number {
  return key === undefined ? -2 : (context.world.types.item.get(key)?.index ?? -2);
}

function firesProjectiles({ world }: ScriptContext, of: Entity): boolean {
  const { isGun, bulletType } = itemTypeOf(world, of).definition;
  return isGun && bulletType !== 'raycast';
}

/** A quantity as scripts see it: an unlimited one is null. */
function seen(quantity: number): number | null {
  return quantity === Number.POSITIVE_INFINITY ? null : quantity;
}

/** The engines of 2024 do not have this function. */
const ammoOfItem = ofItem('The ammunition of a weapon.', 'number', (_of, row, { world }) =>
  seen(world.components.stack.quantity[row]!),
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
   * Set by each attempt to use an item that has enough quantity, even if the item is not ready (reference:
   * items-projectiles#use).
   */
  lastUsedItem: { ...last('The item that was used last.', 'usedItem', 'item'), aliases: ['getLastUsedItem'] },
  getLastTouchedItem: last('The item that was touched last.', 'touchedItem', 'item'),
  getLastAttackingItem: last('The item of the last attack.', 'attackingItem', 'item'),
  getLastOverlappingItem: inertValue(
    'Always undefined: meant to return the item that was overlapped last.',
    'No engine has events for overlapping; see getLastTouchedItem.',
    'item',
  ),

  getItemCurrentlyHeldByUnit: value({
    about: 'The item that a unit holds.',
    reads: [reads('slot', 'entity')],
    params: { entity: unit },
    returns: 'item',
    get: (of, context) => {
      const { world } = context;
      return of === noEntity ? undefined : world.ref(world.components.inventory[rowOf(of)]!.heldItem);
    },
  }),
  getItemAtSlot: value({
    about: "The item in a slot of a unit's inventory, counted from 1.",
    reads: [reads('items', 'unit')],
    params: { unit: P.alias(unit, 'entity'), slot: number },
    returns: 'item',
    aliases: ['getItemInInventorySlot'],
    compile:
      ({ unit: operand, slot }, { dialect }, node) =>
      (context) => {
        // The reference only reads `unit`.
        const of = dialect.queriesCheckOperands || node.operand('unit').key === 'unit' ? operand(context) : noEntity;
        const at = coerced(slot(context));
        if (of === noEntity) return undefined;
        const { world } = context;
        return world.ref(world.components.inventory[rowOf(of)]!.slots[at - 1] ?? noEntity);
      },
  }),
  unitIsCarryingItemType: value({
    about: 'Whether a unit carries an item of a type.',
    reads: [reads('items', 'unit')],
    params: { unit, itemType: P.itemType },
    returns: 'boolean',
    compile: ({ unit: operand, itemType: type }, compiler, node) => {
      const carries = (context: ScriptContext, of: Entity, key: string) => {
        const { world } = context;
        const index = typeIndex(context, key);
        return world.components.inventory[rowOf(of)]!.slots.some(
          (carried) => world.exists(carried) && world.components.identity.type[rowOf(carried)] === index,
        );
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
  }),
  getOwnerOfItem: reading(
    ofItem(
      'The unit that carries an item.',
      'unit',
      (of, _row, { world }) => world.ref(carrierOf(world, of)),
      'entity',
    ),
    reads('owner', 'entity'),
  ),

  /** If the operand is a key instead of an item, the key is returned. */
  getItemTypeOfItem: value({
    about: 'The type of an item.',
    reads: [reads('type', 'entity')],
    params: { entity: P.named(P.any, 'item') },
    returns: 'item type',
    get: (given, context) => {
      if (!(given instanceof EntityRef)) return typeof given === 'string' ? given : undefined;
      const { world } = context;
      return given.kind === 'item' && world.remembers(given.entity) ? itemTypeOf(world, given.entity).key : undefined;
    },
  }),
  getItemName: reading(
    ofItem('The name of an item.', 'string', (of, _row, { world }) => nameOf(world, of)),
    reads('name', 'item'),
  ),
  getItemDescription: reading(
    ofItem('The description of an item.', 'string', (of, _row, { world }) => itemDescription(world, of)),
    reads('look', 'item'),
  ),
  getItemQuantity: reading(
    ofItem('The quantity of an item.', 'number', (_of, row, { world }) => seen(world.components.stack.quantity[row]!)),
    reads('quantity', 'item'),
  ),
  getItemMaxQuantity: reading(
    ofItem('The maximum quantity of an item.', 'number', (_of, row, { world }) =>
      seen(world.components.stack.maxQuantity[row]!),
    ),
    reads('quantity', 'item'),
  ),
  /** The ammunition of a weapon is its quantity. */
  getCurrentAmmoOfItem: reading(
    {
      ...ammoOfItem,
      compile: (operands, compiler, node) =>
        compiler.dialect.queriesCheckOperands ? ammoOfItem.compile(operands, compiler, node) : () => undefined,
    },
    reads('quantity', 'item'),
  ),
  /** Returns true if the item has a body, because scripts can do nothing else with a body. */
  getItemBody: reading(
    ofItem(
      'The body of an item, as defined by its type.',
      'body',
      (of, _row, { game: { physics } }) => physics.hasBody(of) || undefined,
    ),
    reads('state', 'item'),
  ),
  itemFiresProjectiles: value({
    about: 'Whether an item fires projectiles.',
    reads: [reads('type', 'item')],
    params: { item },
    returns: 'boolean',
    get: (of, context) => (of === noEntity ? undefined : firesProjectiles(context, of)),
    unchecked: (given, context) => {
      const of = ofKind(context, given, Kind.item);
      return of === noEntity
        ? otherKindResult(given, 'itemFiresProjectiles', undefined)
        : firesProjectiles(context, of);
    },
  }),
  /** Returns the key if the item's type has these particles. */
  getItemParticle: value({
    about: { sentence: 'A particle type of an item.', example: { entity: { function: 'getTriggeringItem' } } },
    reads: [reads('type', 'entity')],
    params: { particleType: P.particle, entity: item },
    returns: 'particle type',
    compile:
      ({ particleType, entity }) =>
      (context) => {
        const key = particleType(context);
        const of = entity(context);
        if (key === undefined || of === noEntity) return undefined;
        return itemTypeOf(context.world, of).definition.particles.has(key) ? key : undefined;
      },
  }),
  itemIsInRegion: isInRegion('Whether the centre of an item is in a region.', 'item', item),
  getItemInFrontOfUnit: inertValue(
    'Always undefined: meant to return the item in front of a unit.',
    'No engine implemented it; see entitiesInRegionInFrontOfEntityAtDistance.',
    'item',
    {
      entity: unit,
    },
  ),
  allUnitsAttachedToItem: inertValue(
    'Always undefined: meant to return the units that are attached to an item.',
    noAttachments,
    'units',
    {
      entity: item,
    },
  ),
  allItemsAttachedToUnit: inertValue(
    'Always undefined: meant to return the items that are attached to a unit.',
    noAttachments,
    'items',
    {
      entity: unit,
    },
  ),

  getNumberOfItemsPresent: value({
    about: 'The number of items.',
    reads: [existing('item')],
    params: {},
    returns: 'number',
    compile: () => (context) => countOf(context, Kind.item, () => true),
  }),
  allItems: value({
    about: 'All items.',
    reads: [existing('item')],
    params: {},
    returns: 'items',
    compile: () => (context) => listOf(context, Kind.item),
  }),
  allItemsOfItemType: value({
    about: 'All items of a type.',
    reads: [existing('item', 'itemType')],
    params: { itemType: P.itemType },
    returns: 'items',
    get: (given, context) => {
      const index = typeIndex(context, given);
      const { world } = context;
      return listOf(context, Kind.item, (row) => world.components.identity.type[row] === index);
    },
  }),
  allItemsDroppedOnGround: value({
    about: 'All items that no unit carries.',
    reads: [existing('item'), reads('carrier')],
    params: {},
    returns: 'items',
    compile: () => (context) => {
      const { world } = context;
      return listOf(context, Kind.item, (_row, each) => carrierOf(world, each) === noEntity);
    },
  }),
  /** The items are in creation order, not in slot order. */
  allItemsOwnedByUnit: value({
    about: 'All items that a unit carries.',
    reads: [existing('item'), reads('owner')],
    params: { entity: unit },
    returns: 'items',
    get: (of, context) => {
      const { world } = context;
      return of === noEntity
        ? undefined
        : listOf(context, Kind.item, (row) => world.components.identity.owner[row] === of);
    },
  }),

  /** Returns its operand: editors wrap keys in this function. */
  getItemType: value({
    about: 'The key of an item type, given literally.',
    params: { itemType: P.named(P.any, 'item type', 'itemType') },
    returns: 'item type',
    compile: ({ itemType: type }) => type,
  }),
  getItemTypeName: ofItemType('The name of an item type.', 'string', (type) => type?.name),
  /** Damage to health; NaN if the item type does none, 0 if it does not exist. */
  getItemTypeDamage: value({
    about: 'The damage of an item type.',
    params: { itemType: P.itemType },
    returns: 'number',
    compile: ({ itemType: type }, { dialect }) => {
      // The reference converts the whole damage object to a number.
      const { queriesCheckOperands } = dialect;
      return (context) => {
        const found = context.world.types.item.get(type(context) ?? '');
        if (found === undefined) return 0;
        const { damage } = found.definition;
        return (queriesCheckOperands ? damage?.unitAttributes.get('health') : damage?.bare) ?? Number.NaN;
      };
    },
  }),
  /** The URL is "" if the type does not exist or has no picture. */
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

  /** The types of the definition by key. Scripts loop over the keys, and see only the name of each type. */
  allItemTypesInGame: value({
    about: 'All item types, each with a count of 1.',
    params: {},
    returns: 'item type group',
    compile: (_operands, { definition }) => {
      const types = [...definition.itemTypes].map(([key, { name }]) => [key, Object.freeze({ name })] as const);
      const group = Object.freeze(Object.fromEntries(types));
      return () => group;
    },
  }),
  getQuantityOfItemTypeInItemTypeGroup: value({
    about: 'The count of an item type in a group of item types.',
    reads: [reads('variable', undefined, { key: 'itemTypeGroup' })],
    params: { itemTypeGroup: typeGroup, itemType: P.itemType },
    returns: 'number',
    compile:
      ({ itemTypeGroup, itemType: type }) =>
      (context) => {
        const group = itemTypeGroup(context);
        const key = type(context);
        if (!isObjectValue(group) || key === undefined || !Object.hasOwn(group, key)) return undefined;
        const entry = group[key];
        return isObjectValue(entry) ? entry['quantity'] : undefined;
      },
  }),
  getRandomItemTypeFromItemTypeGroup: value({
    about: 'A random item type of a group, weighted by the counts.',
    reads: [reads('variable', undefined, { key: 'itemTypeGroup' }), reads('chance')],
    params: { itemTypeGroup: typeGroup },
    returns: 'item type',
    compile:
      ({ itemTypeGroup }, { dialect }) =>
      (context) =>
        drawnFrom(context, itemTypeGroup(context), dialect.queriesCheckOperands),
  }),
});

import { headsOf, type TypeHead } from '../../definition/heads.ts';
import { itemDescription } from '../../rules/items/item-settings.ts';
import { carrierOf } from '../../rules/items/item-state.ts';
import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
import type { RuntimeItemType } from '../../world/types.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { ScriptContext } from '../context.ts';
import { family, inertValue, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { isRecord } from '../values.ts';
import { countOf, drawnFrom, listOf, typeGroup } from './group.ts';
import { coerced, item, misread, number, ofKind, unit } from './operands.ts';
import { isInRegion } from './region.ts';
import { fromPayload, last, selected } from './trigger.ts';

const noAttachments = 'No engine keeps a list of what is attached.';

/** An answer about one item; none about anything else. */
function ofItem(
  returns: string,
  read: (item: Entity, row: number, context: ScriptContext) => unknown,
  key: 'item' | 'entity' = 'item',
): ValueRow {
  return value({
    params: { [key]: item },
    returns,
    compile: (operands) => {
      const operand = operands[key]!;
      return (context) => {
        const of = operand(context);
        return of === noEntity ? undefined : read(of, rowOf(of), context);
      };
    },
  });
}

/** Something the definition says of an item type; `undefined` in the place of the type is one it does not have. */
function ofItemType(returns: string, read: (type: RuntimeItemType | undefined) => unknown): ValueRow {
  return value({
    params: { itemType: P.itemType },
    returns,
    compile:
      ({ itemType: type }) =>
      (context) => {
        const key = type(context);
        return read(key === undefined ? undefined : context.world.types.item.get(key));
      },
  });
}

/** Items are found by the index of their type; a key that names none finds none. */
function typeIndex(context: ScriptContext, key: string | undefined): number {
  return key === undefined ? -2 : (context.world.types.item.get(key)?.index ?? -2);
}

/** A quantity as scripts see it: an endless one is null. */
function seen(quantity: number): number | null {
  return quantity === Number.POSITIVE_INFINITY ? null : quantity;
}

/** The engines of 2024 do not know the question. */
const ammoOfItem = ofItem('number', (_of, row, { world }) => seen(world.components.stack.quantity[row]!));

/** Items, item types, and groups of both. */
export const itemValues = family<ValueRow>('item', {
  getTriggeringItem: fromPayload('item', 'getTriggeringItem', 'item', (payload, world) =>
    world.ref(payload.item ?? noEntity),
  ),
  selectedItem: selected('item', (context) => context.selectedItem, 'getSelectedItem'),
  selectedItemType: selected('item type', (context) => context.selectedItemType),
  getLastCreatedItem: { ...last('createdItem', 'item'), aliases: ['lastCreatedItem'] },
  /** Asked to be used while it had enough left, even if it was not ready (reference: items-projectiles#use). */
  lastUsedItem: { ...last('usedItem', 'item'), aliases: ['getLastUsedItem'] },
  getLastTouchedItem: last('touchedItem', 'item'),
  getLastAttackingItem: last('attackingItem', 'item'),
  getLastOverlappingItem: inertValue('No engine has events of overlapping; see getLastTouchedItem.', 'item'),

  getItemCurrentlyHeldByUnit: value({
    params: { entity: unit },
    returns: 'item',
    compile:
      ({ entity }) =>
      (context) => {
        const of = entity(context);
        const { world } = context;
        return of === noEntity ? undefined : world.ref(world.components.inventory[rowOf(of)]!.heldItem);
      },
  }),
  /** Slots count from 1. */
  getItemAtSlot: value({
    params: { unit: P.alias(unit, 'entity'), slot: number },
    returns: 'item',
    aliases: ['getItemInInventorySlot'],
    compile:
      ({ unit: operand, slot }) =>
      (context) => {
        const of = operand(context);
        const at = coerced(slot(context));
        if (of === noEntity) return undefined;
        const { world } = context;
        return world.ref(world.components.inventory[rowOf(of)]!.slots[at - 1] ?? noEntity);
      },
  }),
  unitIsCarryingItemType: value({
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
      if (compiler.dialect.answersAreChecked) {
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
  getOwnerOfItem: ofItem('unit', (of, _row, { world }) => world.ref(carrierOf(world, of)), 'entity'),

  /** A key in the place of an item comes back as it is. */
  getItemTypeOfItem: value({
    params: { entity: P.named(P.any, 'item') },
    returns: 'item type',
    compile:
      ({ entity }) =>
      (context) => {
        const given = entity(context);
        if (!(given instanceof EntityRef)) return typeof given === 'string' ? given : undefined;
        const { world } = context;
        return given.kind === 'item' && world.remembers(given.entity) ? itemTypeOf(world, given.entity).key : undefined;
      },
  }),
  getItemName: ofItem('string', (_of, row, { world }) => world.components.name[row]!),
  getItemDescription: ofItem('string', (of, _row, { world }) => itemDescription(world, of)),
  getItemQuantity: ofItem('number', (_of, row, { world }) => seen(world.components.stack.quantity[row]!)),
  getItemMaxQuantity: ofItem('number', (_of, row, { world }) => seen(world.components.stack.maxQuantity[row]!)),
  /** The ammunition of a weapon is its quantity. */
  getCurrentAmmoOfItem: {
    ...ammoOfItem,
    compile: (operands, compiler, node) =>
      compiler.dialect.answersAreChecked ? ammoOfItem.compile(operands, compiler, node) : () => undefined,
  },
  /** A mark that the item has a body; scripts can do nothing else with it. */
  getItemBody: ofItem('body', (of, _row, { game: { physics } }) => physics.hasBody(of) || undefined),
  itemFiresProjectiles: value({
    params: { item },
    returns: 'boolean',
    compile: ({ item: operand }, compiler, node) => {
      const fires = (context: ScriptContext, of: Entity) => {
        const { isGun, bulletType } = itemTypeOf(context.world, of).definition;
        return isGun && bulletType !== 'raycast';
      };
      if (compiler.dialect.answersAreChecked) {
        return (context) => {
          const of = operand(context);
          return of === noEntity ? undefined : fires(context, of);
        };
      }
      const evaluate = compiler.value(node.operand('item'));
      return (context) => {
        const given = evaluate(context);
        const of = ofKind(context, given, Kind.item);
        return of === noEntity ? misread(given, 'itemFiresProjectiles', undefined) : fires(context, of);
      };
    },
  }),
  /** The key, where the item's type has the particles. */
  getItemParticle: value({
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
  itemIsInRegion: isInRegion('item', item),
  getItemInFrontOfUnit: inertValue(
    'No engine ever answered it; see entitiesInRegionInFrontOfEntityAtDistance.',
    'item',
    {
      entity: unit,
    },
  ),
  allUnitsAttachedToItem: inertValue(noAttachments, 'units', { entity: item }),
  allItemsAttachedToUnit: inertValue(noAttachments, 'items', { entity: unit }),

  getNumberOfItemsPresent: value({
    params: {},
    returns: 'number',
    compile: () => (context) => countOf(context, Kind.item, () => true),
  }),
  allItems: value({ params: {}, returns: 'items', compile: () => (context) => listOf(context, Kind.item) }),
  allItemsOfItemType: value({
    params: { itemType: P.itemType },
    returns: 'items',
    compile:
      ({ itemType: type }) =>
      (context) => {
        const index = typeIndex(context, type(context));
        const { world } = context;
        return listOf(context, Kind.item, (row) => world.components.identity.type[row] === index);
      },
  }),
  allItemsDroppedOnGround: value({
    params: {},
    returns: 'items',
    compile: () => (context) => {
      const { world } = context;
      return listOf(context, Kind.item, (_row, each) => carrierOf(world, each) === noEntity);
    },
  }),
  /** In the order in which they were made, not that of the slots. */
  allItemsOwnedByUnit: value({
    params: { entity: unit },
    returns: 'items',
    compile:
      ({ entity }) =>
      (context) => {
        const of = entity(context);
        const { world } = context;
        return of === noEntity
          ? undefined
          : listOf(context, Kind.item, (row) => world.components.identity.owner[row] === of);
      },
  }),

  /** Gives back what it is given: editors wrap keys in it. */
  getItemType: value({
    params: { itemType: P.named(P.any, 'item type', 'itemType') },
    returns: 'item type',
    compile: ({ itemType: type }) => type,
  }),
  getItemTypeName: ofItemType('string', (type) => type?.name),
  /** To health; an item type that does none gives no number. */
  getItemTypeDamage: value({
    params: { itemType: P.itemType },
    returns: 'number',
    compile: ({ itemType: type }, { dialect }) => {
      // The reference reads a whole damage as one number.
      const { answersAreChecked } = dialect;
      return (context) => {
        const found = context.world.types.item.get(type(context) ?? '');
        if (found === undefined) return 0;
        return (answersAreChecked ? found.definition.damage?.unitAttributes.get('health') : undefined) ?? Number.NaN;
      };
    },
  }),
  /** The empty text for a type there is not, or one without a picture. */
  itemTypeInventoryUrl: ofItemType('string', (type) => type?.definition.inventoryImage ?? ''),
  defaultQuantityOfItemType: ofItemType('number', (type) => type?.definition.quantity),
  /** The most that a stack can hold; 0 for a type there is not. */
  maxValueOfItemType: ofItemType('number', (type) => (type === undefined ? 0 : type.definition.maxQuantity)),

  /** The types of the definition by key. Scripts go over the keys; of a type they see its name. */
  allItemTypesInGame: value({
    params: {},
    returns: 'item type group',
    compile: (_operands, { definition }) => {
      const types = [...headsOf<TypeHead>(definition.itemTypes)].map(
        ([key, { name }]) => [key, Object.freeze({ name })] as const,
      );
      const group = Object.freeze(Object.fromEntries(types));
      return () => group;
    },
  }),
  getQuantityOfItemTypeInItemTypeGroup: value({
    params: { itemTypeGroup: typeGroup, itemType: P.itemType },
    returns: 'number',
    compile:
      ({ itemTypeGroup, itemType: type }) =>
      (context) => {
        const group = itemTypeGroup(context);
        const key = type(context);
        if (!isRecord(group) || key === undefined || !Object.hasOwn(group, key)) return undefined;
        const entry = group[key];
        return isRecord(entry) ? entry['quantity'] : undefined;
      },
  }),
  getRandomItemTypeFromItemTypeGroup: value({
    params: { itemTypeGroup: typeGroup },
    returns: 'item type',
    compile:
      ({ itemTypeGroup }, { dialect }) =>
      (context) =>
        drawnFrom(context, itemTypeGroup(context), dialect.answersAreChecked),
  }),
});

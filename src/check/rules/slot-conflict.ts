import type { Action, Call } from '../../../engine/index.ts';
import type { ItemType, UnitType } from '../../../engine/tools.ts';
import { usersOf } from '../items.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const slotConflict: Rule = {
  about:
    'A unit type starts with more items than it has permitted slots for, or an item or a script names a slot that no unit has.',
  because: 'The unit does not get the item, or the action does nothing. Raise `inventorySize`, or name other slots.',
  wrong: `{
  "unitTypes": { "hero": { "inventorySize": 1, "defaultItems": [{ "key": "axe" }, { "key": "bow" }] } },
  "itemTypes": { "axe": {}, "bow": {} }
}`,
  right: `{
  "unitTypes": { "hero": { "inventorySize": 2, "defaultItems": [{ "key": "axe" }, { "key": "bow" }] } },
  "itemTypes": { "axe": {}, "bow": {} }
}`,
  check({ definition: { unitTypes, itemTypes }, report }) {
    const given = new Set([...unitTypes.values()].flatMap(({ defaultItems }) => defaultItems.map(({ key }) => key)));
    for (const item of itemTypes.values()) {
      const { permittedInventorySlots: permitted = [], designatedInventorySlot: designated } = item.controls ?? {};
      const users = usersOf(item, unitTypes).filter((type) => slotCount(type) > 0);
      if (users.length === 0) continue;
      const most = Math.max(...users.map(slotCount));
      if (users.some((type) => slotsFor(item, type).length > 0)) {
        const isBeyond = (slot: unknown) => Number(slot) > most;
        if (permitted.length === 0 ? isBeyond(designated) : permitted.every(isBeyond))
          report(
            `${item.pointer}/controls`,
            `${titleOf(item)} is for slot ${permitted[0] ?? designated}, but no unit that may carry it has so many slots.`,
            `1 to ${most}`,
            permitted.join(', ') || designated,
          );
        continue;
      }
      if (given.has(item.key) || permitted.length === 0) continue;
      report(
        `${item.pointer}/controls/permittedInventorySlots`,
        `Nobody can carry ${titleOf(item)}: no unit that may carry it has a permitted slot.`,
        `1 to ${most}`,
        permitted.join(', '),
      );
    }
    for (const type of unitTypes.values()) {
      const { inventorySize, backpackSize } = type;
      const taken = new Map<number, string>();
      const placed = new Set<string>();
      // As in the game, each item takes the first free slot that its type permits.
      type.defaultItems.forEach(({ key = '' }, i) => {
        const item = itemTypes.get(key);
        if (item === undefined || placed.has(key)) return;
        placed.add(key);
        const slots = slotsFor(item, type);
        const free = slots.find((slot) => !taken.has(slot));
        if (free !== undefined) {
          taken.set(free, titleOf(item));
          return;
        }
        const holder = slots.map((slot) => taken.get(slot)).find((name) => name !== undefined);
        const why =
          holder === undefined
            ? `the unit has ${inventorySize} slots, none of which the item may take`
            : `${holder} already occupies the slot`;
        const permitted = item.controls?.permittedInventorySlots ?? [];
        report(
          `${type.pointer}/defaultItems/${i}`,
          `${titleOf(type)} starts with ${titleOf(item)}, which finds no slot: ${why}.`,
          permitted.length === 0 ? 'a larger `inventorySize`' : `a free slot of ${permitted.join(', ')}`,
          `${inventorySize} slots, ${backpackSize} in the backpack`,
        );
      });
    }
  },
  visit({ definition, types, numbers, report }) {
    return { action: named, call: named };

    /** Reports the number of a slot that does not exist in any unit to which the operation can apply. */
    function named(node: Action | Call) {
      const key = Object.keys(node.rule?.params ?? {}).find((each) => each === 'slot' || each === 'slotIndex');
      const slot = key === undefined ? undefined : numbers.fixed(node.operand(key));
      if (slot === undefined) return;
      const known = types.typesOf(node.operand('unit'))?.types as readonly UnitType[] | undefined;
      const most = Math.max(...(known ?? [...definition.unitTypes.values()]).map(slotCount));
      if (slot >= 1 && slot <= most) return;
      report(node.operand(key!), `No unit can have a slot ${slot} here.`, `1 to ${most}`, slot);
    }
  },
};

/** The slots of a unit that an item may take, in the order in which it tries them. */
function slotsFor({ controls }: ItemType, { inventorySize, backpackSize }: UnitType): readonly number[] {
  const { permittedInventorySlots: permitted = [], backpackAllowed, designatedInventorySlot } = controls ?? {};
  const all = Array.from({ length: inventorySize + backpackSize }, (_, i) => i + 1);
  const [inventory, backpack] = [all.slice(0, inventorySize), all.slice(inventorySize)];
  const rest = backpackAllowed === false ? [] : backpack;
  const named = permitted.flatMap((slot) =>
    typeof slot === 'number' ? all.filter((each) => each === slot) : backpack,
  );
  if (permitted.length > 0) return [...named, ...rest];
  return [...[...inventory, ...rest].filter((slot) => slot === designatedInventorySlot), ...inventory, ...rest];
}

function slotCount({ inventorySize, backpackSize }: UnitType) {
  return inventorySize + backpackSize;
}

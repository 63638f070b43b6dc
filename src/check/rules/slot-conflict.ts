import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const slotConflict: Rule = {
  about: 'A unit type starts with more items than it has permitted slots for.',
  because: 'The unit does not get the item. Raise `inventorySize`, or permit other slots.',
  wrong: `{
  "unitTypes": { "hero": { "inventorySize": 1, "defaultItems": [{ "key": "axe" }, { "key": "bow" }] } },
  "itemTypes": { "axe": {}, "bow": {} }
}`,
  right: `{
  "unitTypes": { "hero": { "inventorySize": 2, "defaultItems": [{ "key": "axe" }, { "key": "bow" }] } },
  "itemTypes": { "axe": {}, "bow": {} }
}`,
  check({ definition: { unitTypes, itemTypes }, report }) {
    for (const type of unitTypes.values()) {
      const { inventorySize, backpackSize } = type;
      const taken = new Map<number, string>();
      const placed = new Set<string>();
      // As in the game, each item takes the first free slot that its type permits.
      type.defaultItems.forEach(({ key = '' }, i) => {
        const item = itemTypes.get(key);
        if (item === undefined || placed.has(key)) return;
        placed.add(key);
        const permitted = item.controls?.permittedInventorySlots ?? [];
        const backpack = Array.from({ length: backpackSize }, (_, i) => inventorySize + i + 1);
        const inventory = Array.from({ length: inventorySize }, (_, i) => i + 1);
        const slots =
          permitted.length === 0
            ? [...inventory, ...(item.controls?.backpackAllowed === false ? [] : backpack)]
            : permitted.flatMap((slot) => (typeof slot === 'number' ? [slot] : backpack));
        const free = slots.find((slot) => slot >= 1 && slot <= inventorySize + backpackSize && !taken.has(slot));
        if (free !== undefined) {
          taken.set(free, titleOf(item));
          return;
        }
        const holder = slots.map((slot) => taken.get(slot)).find((name) => name !== undefined);
        const why =
          holder === undefined
            ? `it has ${inventorySize} slots, and none that the item may take`
            : `${holder} already has the slot`;
        report(
          `${type.pointer}/defaultItems/${i}`,
          `${titleOf(type)} starts with ${titleOf(item)}, which finds no slot: ${why}.`,
          {
            expected: permitted.length === 0 ? 'more `inventorySize`' : `a free slot of ${permitted.join(', ')}`,
            found: `${inventorySize} slots, ${backpackSize} in the backpack`,
          },
        );
      });
    }
  },
};

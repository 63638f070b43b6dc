import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const itemNotCarried: Rule = {
  about: 'A unit type starts with an item whose `carriedBy` or `canBeUsedBy` does not list it.',
  because:
    'The unit gets the item, but cannot use it, or cannot pick it up again after dropping it. Add the unit type to the list.',
  wrong: `{
  "unitTypes": { "hero": { "inventorySize": 1, "defaultItems": [{ "key": "axe" }] }, "elf": {} },
  "itemTypes": { "axe": { "carriedBy": ["elf"] } }
}`,
  right: `{
  "unitTypes": { "hero": { "inventorySize": 1, "defaultItems": [{ "key": "axe" }] }, "elf": {} },
  "itemTypes": { "axe": { "carriedBy": ["elf", "hero"] } }
}`,
  check({ definition: { unitTypes, itemTypes }, report }) {
    for (const type of unitTypes.values())
      type.defaultItems.forEach(({ key }, i) => {
        const item = itemTypes.get(key ?? '');
        const field = (['carriedBy', 'canBeUsedBy'] as const).find((each) => {
          const listed = item?.[each] ?? [];
          return listed.length > 0 && !listed.includes(type.key);
        });
        if (item === undefined || field === undefined) return;
        report(
          `${type.pointer}/defaultItems/${i}`,
          `Units of type ${titleOf(type)} start with ${titleOf(item)}, whose \`${field}\` does not list them.`,
          item[field].join(', '),
          type.key,
        );
      });
  },
};

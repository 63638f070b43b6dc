import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const itemNotCarried: Rule = {
  about: 'A unit type starts with an item whose `carriedBy` does not list it.',
  because: 'The unit gets the item, but can never pick it up again. Add the unit type to `carriedBy`.',
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
        if (item === undefined || item.carriedBy.length === 0 || item.carriedBy.includes(type.key)) return;
        report(
          `${type.pointer}/defaultItems/${i}`,
          `Units of type ${titleOf(type)} start with ${titleOf(item)}, but are not in its \`carriedBy\`.`,
          { expected: item.carriedBy.join(', '), found: type.key },
        );
      });
  },
};

import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const emptyShop: Rule = {
  about: 'A shop that offers nothing.',
  because: 'Players can open it, and see an empty list.',
  wrong: `{ "shops": { "inn": { "name": "Inn", "itemTypes": {}, "unitTypes": {} } } }`,
  right: `{
  "shops": { "inn": { "name": "Inn", "itemTypes": { "beer": { "price": { "coins": 1 } } } } },
  "itemTypes": { "beer": { "name": "Beer" } }
}`,
  check({ definition, report }) {
    for (const shop of definition.shops.values())
      if (shop.itemTypes.size + shop.unitTypes.size === 0)
        report(shop.pointer, `The shop ${titleOf(shop)} offers nothing.`, '`itemTypes` or `unitTypes`', 'none');
  },
};

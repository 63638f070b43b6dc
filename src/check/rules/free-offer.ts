import { isFree, offersOf } from '../economy.ts';
import type { Rule } from '../rule.ts';

export const freeOffer: Rule = {
  about: 'An offer of a shop has no price, although most have one.',
  because: 'Whoever sees it takes it for nothing. If it is a gift, say so with an exception in `reenact.config.json`.',
  wrong: `{
  "shops": { "inn": { "itemTypes": { "beer": { "price": { "coins": 1 } }, "wine": { "price": { "coins": 3 } }, "bread": {} } } },
  "itemTypes": { "beer": {}, "wine": {}, "bread": {} }
}`,
  right: `{
  "shops": { "inn": { "itemTypes": { "beer": { "price": { "coins": 1 } }, "wine": { "price": { "coins": 3 } }, "bread": { "price": { "coins": 1 } } } } },
  "itemTypes": { "beer": {}, "wine": {}, "bread": {} }
}`,
  check({ definition, report }) {
    for (const { shop, offer, title, type } of offersOf(definition)) {
      if (!isFree(offer.price) || (type?.price !== undefined && !isFree(type.price))) continue;
      const prices = [...shop.itemTypes.values(), ...shop.unitTypes.values()].map(({ price }) => price);
      // Where many offers are free, they are so on purpose.
      if (prices.filter(isFree).length * 3 > prices.length) continue;
      report(offer.pointer, `${title} costs nothing, unlike most offers of this shop.`, {
        expected: 'a `price`',
        found: 'none',
      });
    }
  },
};

import { isFree, offersOf } from '../economy.ts';
import type { Rule } from '../rule.ts';

export const freeOffer: Rule = {
  about:
    'An offer has no price, although most offers of the shop have a price; or the price is less than the buyer gains by using the item.',
  because:
    'Players get the offer for free, or even gain from it. If the offer is meant as a gift, add an exception to `reenact.config.json`.',
  wrong: `{
  "shops": { "inn": { "itemTypes": { "beer": { "price": { "coins": 1 } }, "wine": { "price": { "coins": 3 } }, "bread": {} } } },
  "itemTypes": { "beer": {}, "wine": {}, "bread": {} }
}`,
  right: `{
  "shops": { "inn": { "itemTypes": { "beer": { "price": { "coins": 1 } }, "wine": { "price": { "coins": 3 } }, "bread": { "price": { "coins": 1 } } } } },
  "itemTypes": { "beer": {}, "wine": {}, "bread": {} }
}`,
  check({ definition, report }) {
    for (const { shop, offer, title, type, item } of offersOf(definition)) {
      const { playerAttributes } = offer.price;
      for (const [key, gain] of item?.bonus?.consume?.playerAttribute ?? []) {
        const paid = playerAttributes.get(key);
        if (paid === undefined || paid < 0 || gain <= paid) continue;
        report(
          `${offer.pointer}/price`,
          `${title} costs ${paid} of "${key}", but using it gives ${gain}.`,
          `at least ${gain}`,
          paid,
        );
      }
      if (!isFree(offer.price) || (type?.price !== undefined && !isFree(type.price))) continue;
      const prices = [...shop.itemTypes.values(), ...shop.unitTypes.values()].map(({ price }) => price);
      // If many offers are free, that is intended.
      if (prices.filter(isFree).length * 3 > prices.length) continue;
      report(offer.pointer, `${title} costs nothing, unlike most offers of this shop.`, 'a `price`', 'none');
    }
  },
};

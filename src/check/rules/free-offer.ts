import { offersOf } from '../economy.ts';
import type { Rule } from '../rule.ts';

export const freeOffer: Rule = {
  about: 'The price of an offer is less than the buyer gains by using the item.',
  because: 'Players gain from buying and using the item, as often as they like. Raise the price, or lower the bonus.',
  wrong: `{
  "playerTypes": { "human": { "attributes": { "gold": { "min": 0, "max": 99, "value": 9 } } } },
  "shops": { "inn": { "itemTypes": { "beer": { "price": { "playerAttributes": { "gold": 2 } } } } } },
  "itemTypes": { "beer": { "bonus": { "consume": { "playerAttribute": { "gold": 5 } } } } }
}`,
  right: `{
  "playerTypes": { "human": { "attributes": { "gold": { "min": 0, "max": 99, "value": 9 } } } },
  "shops": { "inn": { "itemTypes": { "beer": { "price": { "playerAttributes": { "gold": 5 } } } } } },
  "itemTypes": { "beer": { "bonus": { "consume": { "playerAttribute": { "gold": 2 } } } } }
}`,
  check({ definition, report }) {
    for (const { offer, title, item } of offersOf(definition)) {
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
    }
  },
};

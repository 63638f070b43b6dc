import { joinPointer } from '../../../engine/core/index.ts';
import { isFree, offersOf } from '../economy.ts';
import type { Rule } from '../rule.ts';

export const notCharged: Rule = {
  about:
    'A price that buyers do not pay, because they do not have its attribute, or because the game reads prices only from another field.',
  because:
    'Players pay with attributes of their player type, and only the price in the offer counts. Add the attribute to the player types, and the price to the offer.',
  wrong: `{
  "shops": { "inn": { "itemTypes": { "beer": {} } } },
  "itemTypes": { "beer": { "price": { "coins": 5 } } }
}`,
  right: `{
  "shops": { "inn": { "itemTypes": { "beer": { "price": { "coins": 5 } } } } },
  "itemTypes": { "beer": { "price": { "coins": 5 } } }
}`,
  check({ definition, bounds, report }) {
    const { playerTypes, unitTypes } = definition;
    for (const { offer, title, type } of offersOf(definition)) {
      const { price, pointer } = offer;
      if (isFree(price) && type?.price !== undefined && !isFree(type.price)) {
        report(
          pointer,
          `${title} costs nothing in this shop, because only the price of the offer counts, not the price of the type.`,
          'a price in the offer',
          'none',
        );
      }
      for (const [key, amount] of price.playerAttributes) {
        // The compiler reports an attribute that no type has.
        if (amount === 0 || bounds.of(key, playerTypes.values()) || !bounds.of(key, unitTypes.values())) continue;
        const at = joinPointer(`${pointer}/price/playerAttributes`, key);
        report(
          at,
          `Only units have the attribute "${key}", not players, so ${title} costs nothing.`,
          'an attribute of player types',
          key,
        );
      }
    }
  },
};

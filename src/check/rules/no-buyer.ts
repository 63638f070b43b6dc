import type { ItemType } from '../../../engine/tools.ts';
import { isSteered } from '../controls.ts';
import { offersOf, quoted } from '../economy.ts';
import type { Context, Rule } from '../rule.ts';

export const noBuyer: Rule = {
  about: 'No unit that a player controls may buy the offer, or no unit that may buy the offer can carry the item.',
  because: 'The offer is never sold. Add the types of the units of players to `canBePurchasedBy` and `carriedBy`.',
  wrong: `{
  "shops": { "inn": { "itemTypes": { "beer": { "price": { "coins": 1 } } } } },
  "itemTypes": { "beer": { "canBePurchasedBy": ["troll"] } },
  "unitTypes": { "troll": {}, "hero": { "controls": { "movementControlScheme": "wasd" } } }
}`,
  right: `{
  "shops": { "inn": { "itemTypes": { "beer": { "price": { "coins": 1 } } } } },
  "itemTypes": { "beer": { "canBePurchasedBy": ["hero"] } },
  "unitTypes": { "troll": {}, "hero": { "controls": { "movementControlScheme": "wasd" } } }
}`,
  check(context) {
    const { definition, dialect, report } = context;
    const { unitTypes, playerTypes } = definition;
    const steered = [...unitTypes.values()].filter(isSteered);
    for (const { offer, title, type, item } of offersOf(definition)) {
      if (type === undefined) continue;
      if (!offer.isPurchasable)
        report(`${offer.pointer}/isPurchasable`, `The shop shows ${title} but does not sell it.`, 'true', 'false');
      if (item !== undefined) carriers(context, offer.pointer, item, title);
      const only = type.canBePurchasedBy;
      if (!dialect.unreadFieldsTakeEffect || steered.length === 0) continue;
      const may = steered.filter(
        ({ key, canBuyItem }) =>
          (only.length === 0 || only.includes(key)) && (item === undefined || canBuyItem !== false),
      );
      // Some games list player types in `canBePurchasedBy`, so nothing is reported if the list contains one.
      if (may.length > 0 || only.some((key) => playerTypes.has(key) || !unitTypes.has(key))) continue;
      const why =
        only.length > 0
          ? `its \`canBePurchasedBy\` lists only ${quoted(only)}`
          : '`canBuyItem` is false for all of their types';
      const expected = steered.map(({ key }) => key).join(', ');
      report(
        offer.pointer,
        `No unit that a player controls may buy ${title}: ${why}.`,
        expected,
        only.join(', ') || 'none',
      );
    }
  },
};

/** Reports an item that units may buy but not carry. */
function carriers(
  { definition: { unitTypes }, report }: Context,
  pointer: string,
  { carriedBy, canBePurchasedBy }: ItemType,
  title: string,
) {
  if (carriedBy.length === 0 || carriedBy.some((key) => !unitTypes.has(key))) return;
  const buyers = [...unitTypes.values()].filter(
    (type) => isSteered(type) && (canBePurchasedBy.length === 0 || canBePurchasedBy.includes(type.key)),
  );
  if (buyers.length === 0 || buyers.some(({ key }) => carriedBy.includes(key))) return;
  report(
    pointer,
    `No unit that may buy ${title} may carry it: its \`carriedBy\` lists only ${quoted(carriedBy)}.`,
    buyers.map(({ key }) => key).join(', '),
    carriedBy.join(', '),
  );
}

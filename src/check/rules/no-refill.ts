import { itemScriptsOf } from '../items.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const noRefill: Rule = {
  severity: 'info',
  about: 'A weapon has a limited quantity, and nothing in the game refills it.',
  because: 'That may be the game. If not, sell it, let scripts add to its quantity, or take `quantity` away.',
  wrong: `{ "itemTypes": { "bow": { "name": "Bow", "type": "weapon", "fireRate": 500, "quantity": 20 } } }`,
  right: `{ "itemTypes": { "bow": { "name": "Bow", "type": "weapon", "fireRate": 500 } } }`,
  check({ definition, dialect, once, report }) {
    const { fill, create } = once(itemScriptsOf);
    if (fill || create) return;
    const sold = new Set([...definition.shops.values()].flatMap(({ itemTypes }) => [...itemTypes.keys()]));
    for (const item of definition.itemTypes.values()) {
      const { type, quantity, cost, removeWhenEmpty, reloadRate, key, pointer } = item;
      if (type !== 'weapon' || quantity === null || quantity <= 0 || cost.quantity === 0 || removeWhenEmpty) continue;
      if ((dialect.unreadFieldsTakeEffect && reloadRate !== undefined) || sold.has(key)) continue;
      report(`${pointer}/quantity`, `${titleOf(item)} can be used ${quantity} times: nothing in the game refills it.`, {
        found: quantity,
      });
    }
  },
};

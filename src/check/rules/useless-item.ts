import type { ItemType } from '../../../engine/tools.ts';
import { quoted } from '../economy.ts';
import { hurts, isFilled, usersOf } from '../items.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const uselessItem: Rule = {
  about:
    'An item can never be used, or its use has no effect: no `type`, no `fireRate`, or in `moddio` no state `dropped`.',
  because: 'Players can carry the item, but cannot use it. The message says which field is missing.',
  wrong: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 50, "value": 50 } } } }, "itemTypes": { "sword": { "type": "weapon", "damage": { "unitAttributes": { "health": 10 } } } } }`,
  right: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 50, "value": 50 } } } }, "itemTypes": { "sword": { "type": "weapon", "fireRate": 500, "damageHitBox": { "width": 20, "height": 20 }, "damage": { "unitAttributes": { "health": 10 } } } } }`,
  check(context) {
    const { definition, dialect, itemScripts, report } = context;
    const { unitTypes, itemTypes } = definition;
    const scripts = itemScripts;
    const add = (item: ItemType, what: string, expected: string, found?: string) =>
      report(item.pointer, `${titleOf(item)} ${what}.`, expected, found);
    for (const item of itemTypes.values()) {
      const { type, states, pointer, quantity, cost, carriedBy, canBeUsedBy, damage } = item;
      const does = item.isGun ? 'shoot' : damage !== undefined ? 'hurt anybody' : undefined;
      if (type === undefined && does !== undefined && !scripts.isUseScripted(item))
        add(item, `has no \`type\`, so using it does not ${does}`, '`type`: weapon');
      else if (type === 'weapon' && item.fireRate === undefined && !scripts.set)
        add(item, 'is a weapon without `fireRate` and can never be used', '`fireRate`, ms between two uses');
      else if (
        !dialect.itemsFallBackToNearestState &&
        (type === 'weapon' || type === 'consumable') &&
        !states.has('dropped')
      )
        add(
          item,
          'has no state `dropped` and can never be used in this dialect',
          'a state with the key `dropped`',
          [...states.keys()].join(', '),
        );
      const isLimited = type === 'consumable' || (type === 'weapon' && cost.quantity !== 0);
      if (quantity === 0 && isLimited && !isFilled(item, context)) {
        report(
          `${pointer}/quantity`,
          `${titleOf(item)} can never be used: its quantity starts at 0 and never rises.`,
          '1 or more',
          '0',
        );
      }
      if (
        type === 'weapon' &&
        !item.isGun &&
        hurts(item) &&
        item.scripts.size === 0 &&
        !((item.damageHitBox?.width ?? 0) > 0)
      )
        add(
          item,
          'hurts nobody: it is not a gun, and has no `damageHitBox` with a width',
          '`damageHitBox`: {width, height, …}',
          'none',
        );
      const listed = [...carriedBy, ...canBeUsedBy];
      if (type === undefined || usersOf(item, unitTypes).length > 0 || !listed.every((key) => unitTypes.has(key)))
        continue;
      report(
        `${pointer}/canBeUsedBy`,
        `No unit that may carry ${titleOf(item)} may use it: its \`canBeUsedBy\` lists only ${quoted(canBeUsedBy)}.`,
        carriedBy.join(', '),
        canBeUsedBy.join(', '),
      );
    }
  },
};

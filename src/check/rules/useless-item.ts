import type { ItemType } from '../../../engine/internal.ts';
import { quoted } from '../economy.ts';
import { isFilled, itemScriptsOf, usersOf } from '../items.ts';
import type { Rule } from '../rule.ts';

export const uselessItem: Rule = {
  because: 'Players carry it and cannot use it. The message says which field is missing.',
  wrong: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 50, "value": 50 } } } }, "itemTypes": { "sword": { "type": "weapon", "damage": { "unitAttributes": { "health": 10 } } } } }`,
  right: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 50, "value": 50 } } } }, "itemTypes": { "sword": { "type": "weapon", "fireRate": 500, "damageHitBox": { "width": 20, "height": 20 }, "damage": { "unitAttributes": { "health": 10 } } } } }`,
  check(context) {
    const { definition, dialect, once, report } = context;
    const { unitTypes, itemTypes } = definition;
    const scripts = once(itemScriptsOf);
    const add = ({ name, pointer }: ItemType, what: string, expected: string, found?: string): void =>
      report(pointer, `"${name}" ${what}.`, { expected, found });
    for (const item of itemTypes.values()) {
      const { type, states, name, pointer, quantity, cost, carriedBy, canBeUsedBy } = item;
      const does = item.isGun ? 'shoot' : item.damage !== undefined ? 'hurt anybody' : undefined;
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
      if (quantity === 0 && type === 'weapon' && cost.quantity !== 0 && !isFilled(item, context)) {
        const message = `"${name}" starts empty, and nothing fills it: it can never be used.`;
        report(`${pointer}/quantity`, message, { expected: '1 or more', found: '0' });
      }
      const listed = [...carriedBy, ...canBeUsedBy];
      if (type === undefined || usersOf(item, unitTypes).length > 0 || !listed.every((key) => unitTypes.has(key)))
        continue;
      const message = `No unit that may carry "${name}" may use it: its \`canBeUsedBy\` lists only ${quoted(canBeUsedBy)}.`;
      report(`${pointer}/canBeUsedBy`, message, { expected: carriedBy.join(', '), found: canBeUsedBy.join(', ') });
    }
  },
};

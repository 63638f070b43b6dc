import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const negativeDamage: Rule = {
  about: 'The damage of an item is negative. Damage is subtracted, so a hit increases the attribute.',
  because: 'The weapon heals instead of hurting. Write the amount that a hit subtracts.',
  wrong: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 50, "value": 50 } } } }, "itemTypes": { "sword": { "damage": { "targetsAffected": ["hostile"], "unitAttributes": { "health": -5 } } } } }`,
  right: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 50, "value": 50 } } } }, "itemTypes": { "sword": { "damage": { "targetsAffected": ["hostile"], "unitAttributes": { "health": 5 } } } } }`,
  check({ definition, report }) {
    for (const item of definition.itemTypes.values()) {
      const { damage, pointer } = item;
      const health = damage?.unitAttributes.get('health') ?? 0;
      if (health >= 0 || damage!.targetsAffected.some((word) => word === 'friendly' || word === 'neutral')) continue;
      report(
        `${pointer}/damage/unitAttributes/health`,
        `A hit with ${titleOf(item)} adds ${-health} to "health", because damage is subtracted and this damage is negative.`,
        'more than 0',
        health,
        -health,
      );
    }
  },
};

import type { UnitType } from '../../../engine/tools.ts';
import { readOf } from '../../model/index.ts';
import { aiScriptsOf, reacts, textOf } from '../ai.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const noTarget: Rule = {
  about: 'A weapon, an AI or an order needs units of hostile players, but no player type is hostile to another.',
  because: 'Nobody is ever hit or attacked. Set `relationships` of player types to `hostile`.',
  wrong: `{
  "playerTypes": { "human": { "relationships": {} }, "monster": { "relationships": {} } },
  "itemTypes": { "sword": { "name": "Sword", "type": "weapon", "fireRate": 500, "damage": { "targetsAffected": ["hostile"], "unitAttributes": {} } } }
}`,
  right: `{
  "playerTypes": { "human": { "relationships": { "monster": "hostile" } }, "monster": { "relationships": { "human": "hostile" } } },
  "itemTypes": { "sword": { "name": "Sword", "type": "weapon", "fireRate": 500, "damage": { "targetsAffected": ["hostile"], "unitAttributes": {} } } }
}`,
  check({ definition, once, report }) {
    const { playerTypes } = definition;
    const { enable, askRelations, owners, types } = once(aiScriptsOf);
    if (askRelations) return;
    const hostile = new Set(
      [...playerTypes].flatMap(([key, { relationships }]) =>
        [...relationships.values()].includes('hostile') ? key : [],
      ),
    );
    for (const type of definition.unitTypes.values()) {
      if (type.ai === undefined || !(type.ai.enabled || enable) || !reacts(type)) continue;
      if (hostile.size > 0) ownersOf(type);
      nobody(`The AI of ${titleOf(type)} reacts to units of hostile players`, `${type.pointer}/ai`);
    }
    for (const item of definition.itemTypes.values()) {
      const targets = item.damage?.targetsAffected ?? [];
      if (targets.length > 0 && targets.every((word) => word === 'hostile'))
        nobody(`${titleOf(item)} only hurts units of hostile players`, `${item.pointer}/damage/targetsAffected`);
    }

    function nobody(what: string, pointer: string): void {
      if (hostile.size > 0 || playerTypes.size === 0) return;
      report(pointer, `${what}, but no player type is hostile to another or to itself.`, {
        expected: '`hostile` in `relationships` of a player type',
        found: 'none',
      });
    }

    /** Reports an AI whose owners are always of types that are hostile to nobody. */
    function ownersOf(type: UnitType): void {
      // A unit created with a computed type can have any owner.
      if (owners.has('')) return;
      const found = new Set<string | undefined>();
      for (const owner of owners.get(type.key) ?? []) {
        // The triggering player can be anybody, with any type that scripts assign.
        const isAnybody = readOf(owner, 'payload')?.kind === 'player';
        const assigned = isAnybody ? [...types.values()].flat() : (types.get(textOf(owner)) ?? []);
        for (const each of assigned.length === 0 ? [undefined] : assigned) found.add(each);
      }
      if (found.size === 0) return;
      for (const each of found) if (each === undefined || !playerTypes.has(each) || hostile.has(each)) return;
      const names = [...found].map((each) => `"${each}"`).join(', ');
      report(
        `${type.pointer}/ai`,
        `The AI of ${titleOf(type)} never finds a target: players of its owner's type, ${names}, are hostile to nobody.`,
        {
          expected: `\`hostile\` in \`relationships\` of ${names}`,
          found: 'none',
        },
      );
    }
  },
};

import type { UnitType } from '../../../engine/tools.ts';
import { ownerTypesOf, reacts } from '../ai.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const noTarget: Rule = {
  about: 'A weapon, an AI or an order needs units of hostile players, but no player type is hostile to another.',
  because: 'Nobody is ever hit or attacked. In the `relationships` of a player type, set another type to `hostile`.',
  wrong: `{
  "playerTypes": { "human": { "relationships": {} }, "monster": { "relationships": {} } },
  "itemTypes": { "sword": { "name": "Sword", "type": "weapon", "fireRate": 500, "damage": { "targetsAffected": ["hostile"], "unitAttributes": {} } } }
}`,
  right: `{
  "playerTypes": { "human": { "relationships": { "monster": "hostile" } }, "monster": { "relationships": { "human": "hostile" } } },
  "itemTypes": { "sword": { "name": "Sword", "type": "weapon", "fireRate": 500, "damage": { "targetsAffected": ["hostile"], "unitAttributes": {} } } }
}`,
  check(context) {
    const { definition, aiScripts, report } = context;
    const { playerTypes } = definition;
    const { enable, askRelations } = aiScripts;
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

    function nobody(what: string, pointer: string) {
      if (hostile.size > 0 || playerTypes.size === 0) return;
      report(
        pointer,
        `${what}, but no player type is hostile to another or to itself.`,
        '`hostile` in `relationships` of a player type',
        'none',
      );
    }

    /**
     * Reports an AI that can never have a target, because the player types that own its units are not hostile to any
     * player.
     */
    function ownersOf(type: UnitType) {
      const found = ownerTypesOf(context, type.key);
      if (found === undefined) return;
      for (const each of found) if (each !== undefined && (!playerTypes.has(each) || hostile.has(each))) return;
      const names = [...found].flatMap((each) => (each === undefined ? [] : `"${each}"`)).join(', ');
      const why =
        names === '' ? 'its owner has no player type' : `players of its owner's type, ${names}, are hostile to nobody`;
      report(
        `${type.pointer}/ai`,
        `The AI of ${titleOf(type)} never finds a target: ${why}.`,
        `\`hostile\` in \`relationships\` of ${names || 'its type'}`,
        'none',
      );
    }
  },
};

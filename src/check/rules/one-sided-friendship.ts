import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const oneSidedFriendship: Rule = {
  severity: 'info',
  about: 'A player type is friendly to another player type, which is neutral or hostile in return.',
  because:
    'Each side acts by its own `relationships`, so only one of the two spares the other. Write `friendly` in both types.',
  wrong: `{ "playerTypes": { "red": { "relationships": { "blue": "friendly" } }, "blue": { "relationships": {} } } }`,
  right: `{ "playerTypes": { "red": { "relationships": { "blue": "friendly" } }, "blue": { "relationships": { "red": "friendly" } } } }`,
  check({ definition: { playerTypes }, report }) {
    for (const type of playerTypes.values())
      for (const [key, word] of type.relationships) {
        const other = playerTypes.get(key);
        const found = other?.relationships.get(type.key) ?? 'neutral';
        if (other === undefined || other === type || word !== 'friendly' || found === 'friendly') continue;
        const message = `${titleOf(type)} is friendly to ${titleOf(other)}, which is ${found} in return.`;
        report(`${type.pointer}/relationships`, message);
      }
  },
};

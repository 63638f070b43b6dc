import { keyNames } from '../../../engine/tools.ts';
import { bindingsOf } from '../controls.ts';
import type { Rule } from '../rule.ts';

export const unknownKey: Rule = {
  about: 'A key binding is for a key that no client sends; letters are lower-case.',
  because: 'Nobody can press the key. Keys have names such as `w`, `space`, `button1` and `up`.',
  wrong: `{ "unitTypes": { "hero": { "controls": { "abilities": { "spcae": {} } } } } }`,
  right: `{ "unitTypes": { "hero": { "controls": { "abilities": { "space": {} } } } } }`,
  check({ definition, report, near }) {
    for (const type of definition.unitTypes.values()) {
      for (const { key: found, pointer } of bindingsOf(type)) {
        const suggestion = found.length === 1 ? found.toLowerCase() : near(found, keyNames);
        if (found !== suggestion && !keyNames.has(found))
          report(pointer, `Clients have no key named "${found}".`, { found, suggestion });
      }
    }
  },
};

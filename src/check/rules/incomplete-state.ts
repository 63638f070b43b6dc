import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const incompleteState: Rule = {
  about: 'A type without a state `default`, or whose state `default` names no body.',
  because:
    'New entities of the type have no body, so nothing touches them. Give the type a state `default` with a `body`.',
  wrong: `{ "unitTypes": { "hero": { "bodies": { "b": { "type": "none" } } } } }`,
  right: `{ "unitTypes": { "hero": { "states": { "default": { "body": "b" } }, "bodies": { "b": { "type": "none" } } } } }`,
  check({ entityTypes, report }) {
    for (const type of entityTypes) {
      const { states, bodies, pointer } = type;
      const title = titleOf(type);
      const found = [...states.keys()].slice(0, 8).join(', ');
      const item = 'carriedBy' in type ? type : undefined;
      const standard = states.get('default') ?? [...states.values()].find(({ name }) => name === 'default');
      if (states.size === 0) {
        if (item === undefined && bodies.size > 0)
          report(
            pointer,
            `${title} has \`bodies\` but no \`states\`, so none of the bodies is used.`,
            'a state `default` with a `body`',
          );
      } else if (standard !== undefined) {
        const expected = `\`body\`: one of ${[...bodies.keys()].slice(0, 8).join(', ')}, or \`none\``;
        if (!standard.namesBody && bodies.size > 0)
          report(
            standard.pointer,
            `The state \`default\` of ${title} names no body, so it collides with nothing.`,
            expected,
          );
      } else if (item === undefined) {
        report(
          `${pointer}/states`,
          `${title} has no state \`default\`: new entities of this type have no body and no animation.`,
          'default',
          found,
        );
      } else if (item.type !== undefined && !states.has('selected')) {
        report(
          `${pointer}/states`,
          `${title} has no state \`selected\`, so a held item has another state.`,
          'selected',
          found,
        );
      }
    }
  },
};

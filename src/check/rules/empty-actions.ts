import type { Rule } from '../rule.ts';

export const emptyActions: Rule = {
  severity: 'info',
  about: 'A condition, loop or timer contains no enabled actions, or a script that something starts is empty.',
  because: 'Nothing happens. Add the missing actions, or delete the rest.',
  wrong: `[{ "type": "setTimeOut", "duration": 5000, "actions": [] }]`,
  right: `[{ "type": "setTimeOut", "duration": 5000, "actions": [{ "type": "endGame" }] }]`,
  check({ scripts, model, report }) {
    for (const { script } of scripts) {
      const { actions, place, name } = script;
      if (actions.elements.length === 0 && actions.isWellFormed && model.starts(place).length > 0)
        report(script, `"${name}" does nothing: it has no actions.`);
    }
  },
  visit: ({ report }) => ({
    action(node) {
      const { operation, effects, blocks } = node;
      const isEmpty = blocks.every(({ actions, isWellFormed }) => actions.length === 0 && isWellFormed);
      if (blocks.length === 0 || !isEmpty || effects.some(({ does }) => does !== 'runs')) return;
      const why = blocks.every(({ elements }) => elements.length === 0)
        ? 'it contains no actions'
        : 'all actions in it are disabled or run only on clients';
      report(node, `This \`${operation}\` does nothing: ${why}.`);
    },
  }),
};

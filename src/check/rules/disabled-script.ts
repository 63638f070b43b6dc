import type { Rule } from '../rule.ts';

export const disabledScript: Rule = {
  about: 'All actions of a script with a trigger are disabled, or run only on clients.',
  because: 'The script does nothing. Enable its actions, or delete the script.',
  severity: 'info',
  wrong: `{ "scripts": { "end": { "triggers": [{ "type": "playerLeavesGame" }], "actions": [{ "type": "endGame", "disabled": true }] } } }`,
  right: `{ "scripts": { "end": { "triggers": [{ "type": "playerLeavesGame" }], "actions": [{ "type": "endGame" }, { "type": "endGame", "disabled": true }] } } }`,
  check({ scripts, report }) {
    for (const { script } of scripts) {
      const { elements, actions } = script.actions;
      if (actions.length > 0 || elements.length === 0 || script.source.triggers.length === 0) continue;
      const written = elements.filter((each) => each.kind === 'action');
      if (written.length < elements.length || written.every(({ effects }) => effects.length === 0)) continue;
      report(
        script,
        `"${script.name}" does nothing: all of its actions are disabled or run only on clients.`,
        'an enabled action',
      );
    }
  },
};

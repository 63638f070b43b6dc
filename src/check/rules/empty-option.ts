import type { Rule } from '../rule.ts';

export const emptyOption: Rule = {
  about: 'An option of a dialogue has no text.',
  because: 'Players see an empty button. Give the option a `name`.',
  wrong: `{ "dialogues": { "hello": { "options": [{ "name": "" }] } } }`,
  right: `{ "dialogues": { "hello": { "options": [{ "name": "Bye" }] } } }`,
  check({ definition, report }) {
    for (const { options } of definition.dialogues.values())
      for (const { name, scriptName, followUpDialogue, pointer } of options)
        if (name === '') {
          const isIdle = scriptName === undefined && followUpDialogue === undefined;
          report(pointer, `This option has no text${isIdle ? ' and does nothing' : ''}.`, 'name');
        }
  },
};

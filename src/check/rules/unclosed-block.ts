import type { Rule } from '../rule.ts';

/** The tags that begin and end blocks: `{{#if name}}` and `{{/if}}`. */
const tags = /\{\{\s*([#/])\s*(\w+)[^{}]*\}\}/g;

export const unclosedBlock: Rule = {
  about: 'A block of a template, such as `{{#if name}}`, is not closed, or the end of a block closes nothing.',
  because:
    'Clients cannot show a page with such a template, and in a dialogue, the block ends with the text. End each block with its own tag, such as `{{/if}}`.',
  wrong: `{ "dialogues": { "hello": { "name": "Hello", "message": "{{#if name}}Hello, {{name}}" } } }`,
  right: `{ "dialogues": { "hello": { "name": "Hello", "message": "{{#if name}}Hello, {{name}}{{/if}}" } } }`,
  check({ definition, report }) {
    const { settings, views, dialogues, pointer } = definition;
    template(`${pointer}/settings/menuHTML`, settings.menuHTML);
    for (const view of views.values()) template(`${view.pointer}/htmlData`, view.htmlData);
    for (const { pointer: at, dialogueTitle, message, options } of dialogues.values()) {
      template(`${at}/dialogueTitle`, dialogueTitle);
      template(`${at}/message`, message);
      for (const option of options) template(`${option.pointer}/name`, option.name);
    }

    function template(at: string, text = '') {
      const open: string[] = [];
      for (const [found, mark, block] of text.matchAll(tags)) {
        if (mark === '#') open.push(block!);
        else if (open.pop() !== block) {
          report(at, `\`${found}\` closes nothing here.`);
          return;
        }
      }
      const last = open.at(-1);
      if (last !== undefined) report(at, `The block \`{{#${last}}}\` is not closed.`);
    }
  },
};

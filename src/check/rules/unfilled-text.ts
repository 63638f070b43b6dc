import { literalText } from '../../../engine/index.ts';
import type { Rule } from '../rule.ts';

/** Placeholders in the syntax of other languages: `${score}`, `{{score}}`. */
const placeholder = /(?:\$\{|\{\{)\s*([^{}\s]+)\s*\}/;

export const unfilledText: Rule = {
  about:
    'A text contains the name of a variable in braces, which is not replaced; use `concat` to join texts and values.',
  because: 'Players see the braces instead of the value.',
  wrong: `{
  "variables": { "score": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "sendChatMessage", "message": "Score: {{score}}" }] } }
}`,
  right: `{
  "variables": { "score": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "sendChatMessage", "message": { "function": "concat", "textA": "Score: ", "textB": { "function": "getVariable", "variableName": "score" } } }] } }
}`,
  visit: ({ definition, report }) => ({
    literal(node) {
      const found = placeholder.exec(literalText(node) ?? '')?.[1];
      if (found === undefined || !definition.variables.has(found)) return;
      report(
        node,
        `Names in braces are not replaced: use \`concat\` to insert the variable "${found}".`,
        'concat',
        found,
      );
    },
  }),
};

import { basicTypeOf, changesOf, nameIn } from '../../model/index.ts';
import { basicTypeNames, isEntity } from '../basic-types.ts';
import { numberOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const mismatchedAssignment: Rule = {
  about: 'A variable is set to a value of another type than its `dataType`.',
  because: 'Scripts that read the variable expect its declared type. Change the type or the value.',
  wrong: `{
  "variables": { "score": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "score", "value": "10" }] } }
}`,
  right: `{
  "variables": { "score": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "score", "value": 10 }] } }
}`,
  visit: ({ types, report }) => ({
    action(node) {
      for (const { key, to, by } of changesOf(node, 'variable')) {
        if (key === undefined || to === undefined || by === 'counting') continue;
        const name = nameIn(node.operand(key));
        const value = node.operand(to);
        const wanted = basicTypeOf(types.typeOfVariable(node.rule!.params[key]!.refersTo, name));
        const given = types.basicTypeOf(value);
        if (by !== undefined) {
          if (wanted === undefined || summable.has(wanted)) continue;
          const message = `"${name}" is a variable for ${basicTypeNames[wanted]}, so nothing can be added to it or subtracted from it.`;
          report(node.operand(key), message);
          continue;
        }
        if (wanted === undefined || given === undefined || wanted === given) continue;
        // These are legitimate: "" clears a variable, a string can be the id of an entity, and a rectangle is also a
        // position.
        if (value.json === '' || wanted === 'object' || (given === 'text' && isEntity(wanted))) continue;
        if (value.kind === 'data' && (wanted === 'position' || wanted === 'region') && given !== 'list') continue;
        report(
          value,
          `"${name}" is a variable for ${basicTypeNames[wanted]}, but is set to ${basicTypeNames[given]}.`,
          basicTypeNames[wanted],
          value.kind !== 'call' ? JSON.stringify(value.json).slice(0, 80) : basicTypeNames[given],
          wanted === 'number' ? numberOf(value) : undefined,
        );
      }
    },
  }),
};

/** The types of variables to which actions add: numbers, and elements of groups. */
const summable = new Set(['number', 'list', 'object']);

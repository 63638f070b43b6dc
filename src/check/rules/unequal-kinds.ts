import { type Condition, literalText, type Operand } from '../../../engine/index.ts';
import { toNumber } from '../../../engine/tools.ts';
import type { BasicType } from '../../model/index.ts';
import { basicTypeNames, computable, isEntity } from '../basic-types.ts';
import { constantsOf } from '../constants.ts';
import { sidesOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

const orderings = new Set('< > <= >='.split(' '));

export const unequalKinds: Rule = {
  about: 'A comparison of two types that are never equal, such as a number and a group of players.',
  because:
    'The condition always has the same result. Compare a property, such as the size of a group or the id of a player.',
  wrong: `[{ "type": "condition", "conditions": [{ "operandType": "number", "operator": "==" }, { "function": "allPlayers" }, 3], "then": [{ "type": "return" }], "else": [] }]`,
  right: `[{ "type": "condition", "conditions": [{ "operandType": "number", "operator": "==" }, { "function": "getPlayerCount" }, 3], "then": [{ "type": "return" }], "else": [] }]`,
  visit({ dialect, types, once, report }) {
    const constantIn = once(constantsOf);
    return {
      condition(node) {
        const sides = sidesOf(node);
        const { operandType, operator } = node;
        if (operator === undefined || sides === undefined || constantIn(node) !== undefined) return;
        // Games compare values with false and "" to test whether they are present.
        if (sides.some(({ json }) => json === false || json === '')) return;
        const [left, right] = sides;
        const a = types.basicTypeOf(left);
        const b = types.basicTypeOf(right);
        if (a === undefined || b === undefined) return;
        if (orderings.has(operator)) {
          const misfit = computable.has(a) ? (computable.has(b) ? undefined : b) : a;
          if (misfit !== undefined || (a !== b && (isNoNumber(left) || isNoNumber(right))))
            unequal(node, `\`${operator}\` between ${basicTypeNames[a]} and ${basicTypeNames[b]} is never true.`, a, b);
          return;
        }
        if (a === b) return;
        // Comparing an entity with a boolean tests whether the entity exists; comparing it with a string compares its
        // id.
        if (a === 'boolean' || b === 'boolean') {
          const other = a === 'boolean' ? b : a;
          const spelt = literalText(a === 'boolean' ? right : left);
          if (spelt === 'true' || spelt === 'false') {
            const message = `"${spelt}" in quotes is a string, which a boolean never equals.`;
            // The other dialect converts the string.
            if (!dialect.typedEquality) report(node, message, spelt, `"${spelt}"`);
            return;
          }
          if (operandType === 'boolean' || (other !== 'number' && other !== 'text')) return;
          // For other operand types, this dialect compares whether both sides are truthy, as `1` and `"yes"` are.
          if (dialect.typedEquality && (operandType !== 'string' || spelt === undefined)) return;
        }
        const isText = (type: BasicType, side: Operand) => type === 'text' && side.kind !== 'literal';
        if (isText(a, left) !== isText(b, right) && (isEntity(a) || isEntity(b))) return;
        // In this dialect, a string equals the number that it spells.
        const both = [a, b];
        const mayMatch =
          dialect.typedEquality && both.includes('text') && both.includes('number') && !sides.some(isNoNumber);
        const when = mayMatch ? 'are equal only if the string is that number' : 'are never equal';
        const [first] = basicTypeNames[a];
        unequal(node, `${first!.toUpperCase()}${basicTypeNames[a].slice(1)} and ${basicTypeNames[b]} ${when}.`, a, b);
      },
    };

    function unequal(node: Condition, message: string, a: BasicType, b: BasicType) {
      report(node, message, `${basicTypeNames[a]} on both sides`, basicTypeNames[b]);
    }
  },
};

function isNoNumber(node: Operand) {
  const text = literalText(node);
  return text !== undefined && toNumber(text) === undefined;
}

import type { Call, Condition, Node } from '../../../engine/index.ts';
import { areContrary, type Bound, isOperator, negated, partsOf } from '../../model/index.ts';
import { constantsOf } from '../constants.ts';
import { areSame, draws, isRandom, listIn, mirrored, sidesOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const constantCondition: Rule = {
  because:
    'One of the two branches never runs. Compare with a value that can occur, or remove the condition if it should always hold.',
  wrong: `{
  "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 100, "value": 50 } } } },
  "scripts": { "s": { "triggers": [{ "type": "unitUsesItem" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getEntityAttribute", "entity": { "function": "getTriggeringUnit" }, "attribute": "health" }, 100], "then": [{ "type": "return" }], "else": [] }] } }
}`,
  right: `{
  "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 100, "value": 50 } } } },
  "scripts": { "s": { "triggers": [{ "type": "unitUsesItem" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getEntityAttribute", "entity": { "function": "getTriggeringUnit" }, "attribute": "health" }, 99], "then": [{ "type": "return" }], "else": [] }] } }
}`,
  visit({ once, report }) {
    const constantIn = once(constantsOf);
    return {
      call: tell,
      condition(node) {
        if (node.isJunction) {
          const above = node.parent as Node | undefined;
          if (above?.kind !== 'condition' || above.operator !== node.operator) junction(node);
          return;
        }
        const sides = sidesOf(node);
        if (sides === undefined) return;
        tell(node);
        const [left, right] = sides;
        if (left.kind === 'call' && right.kind === 'call' && areSame(left, right) && !isRandom(left))
          report(node, 'Both sides are the same, so this condition always has the same result.', {
            found: left.operation,
          });
      },
    };

    function tell(node: Condition | Call) {
      const constant = constantIn(node);
      if (constant !== undefined) report(constant.at, constant.message, constant.details);
    }

    /**
     * Reports an AND of comparisons of one operand that no value satisfies, and an OR of comparisons that every value
     * satisfies.
     */
    function junction(node: Condition) {
      const isAll = node.operator === 'AND';
      const seen = new Map<string, Bound[]>();
      for (const part of partsOf(node, node.operator)) {
        const [left, right] = sidesOf(part) ?? [];
        const isMirrored = left?.kind === 'literal';
        const [of, literal] = isMirrored ? [right, left] : [left, right];
        const operator = isMirrored ? mirrored(part.operator) : part.operator;
        if (literal?.kind !== 'literal' || of?.kind !== 'call' || draws(of) || !isOperator(operator)) continue;
        const bounds = listIn(seen, JSON.stringify(of.json));
        bounds.push({ operator: isAll ? operator : negated[operator], value: literal.json });
        const others = bounds.filter((bound) => areContrary([bound, bounds.at(-1)!]));
        if (others.length === 0) continue;
        const [a, b] = [others[0]!, bounds.at(-1)!].map(({ operator: is, value }) => {
          const written = isAll ? is : negated[is];
          return `${written === '==' ? '' : `${written} `}${JSON.stringify(value)}`;
        });
        const message = isAll
          ? `This condition is always false, because one value cannot be both ${a} and ${b}. Was \`OR\` meant?`
          : `This condition is always true: every value is ${a} or ${b}. Was \`AND\` meant?`;
        report(`${node.pointer}/0/operator`, message, { found: node.operator!, suggestion: isAll ? 'OR' : 'AND' });
        return;
      }
    }
  },
};

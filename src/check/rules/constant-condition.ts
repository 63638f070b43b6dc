import type { Condition, Node, Operand } from '../../../engine/index.ts';
import { constantsOf } from '../constants.ts';
import { areSame, draws, sidesOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';
import { nodesThatRun } from '../walk.ts';

export const constantCondition: Rule = {
  because:
    'One of the two branches never runs. Compare with a value that can occur; for "always", leave the condition away.',
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
      condition(node) {
        if (node.isJunction) {
          const above = node.parent as Node | undefined;
          if (above?.kind !== 'condition' || above.operator !== node.operator) junction(node);
          return;
        }
        const sides = sidesOf(node);
        if (sides === undefined) return;
        const constant = constantIn(node);
        if (constant !== undefined) report(constant.at, constant.message, constant.details);
        const [left, right] = sides;
        if (
          left.kind === 'call' &&
          right.kind === 'call' &&
          areSame(left, right) &&
          ![...nodesThatRun(left)].some(draws)
        )
          report(node, 'Both sides are the same, so this condition always has the same result.', {
            found: left.operation,
          });
      },
    };

    /**
     * Reports AND of two values for one operand, which cannot both hold, and OR of two `!=`, one of which always holds.
     */
    function junction(node: Condition): void {
      const wanted = node.operator === 'AND' ? '==' : '!=';
      const seen = new Map<string, Operand>();
      for (const part of partsOf(node)) {
        const sides = part.operator === wanted ? sidesOf(part) : undefined;
        if (sides === undefined) continue;
        const [left, right] = sides;
        const [of, literal] = right.kind === 'literal' ? [left, right] : [right, left];
        if (literal.kind !== 'literal' || of.kind !== 'call' || draws(of)) continue;
        const text = JSON.stringify(of.json);
        const other = seen.get(text);
        if (other === undefined) seen.set(text, literal);
        else if (other.json !== literal.json) {
          const [a, b] = [other, literal].map(({ json }) => JSON.stringify(json));
          const message =
            wanted === '=='
              ? `This condition is always false: one value cannot be both ${a} and ${b}. Was \`OR\` meant?`
              : `This condition is always true: each value differs from ${a} or from ${b}. Was \`AND\` meant?`;
          const suggestion = wanted === '==' ? 'OR' : 'AND';
          report(`${node.pointer}/0/operator`, message, { found: node.operator!, suggestion });
          return;
        }
      }
    }
  },
};

/** The comparisons under nested junctions of the same operator. */
function partsOf(junction: Condition): Condition[] {
  const parts: Condition[] = [];
  const waiting: Condition[] = [junction];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!node.isJunction) parts.push(node);
    else if (node.operator === junction.operator) waiting.push(node.conditions[1], node.conditions[0]);
  }
  return parts;
}

import { type Action, type Call, type Condition, literalText, type Operand } from '../../../engine/index.ts';
import { assignmentsBy, referenceOfType, typesGivenBy, variableReadBy } from '../../../engine/internal.ts';
import type { GameContext } from '../context.ts';
import { bothWays, wordOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const neverAssigned: Rule = {
  severity: 'warning',
  about: 'A text variable, or the type of players, is compared with a text that no script assigns to it.',
  because: 'The comparison always has the same result. The text is probably misspelt on one side.',
  wrong: `{
  "variables": { "phase": { "dataType": "string", "default": "waiting" } },
  "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "wating"], "then": [{ "type": "endGame" }], "else": [] }] } }
}`,
  right: `{
  "variables": { "phase": { "dataType": "string", "default": "waiting" } },
  "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "waiting"], "then": [{ "type": "endGame" }], "else": [] }] } }
}`,
  visit({ definition, references, types, once, report, near }) {
    const assigned = once(assignedTexts);
    const playerTypes = once(assignedPlayerTypes);
    return {
      action(node) {
        if (typesGivenBy(node, 'player').length === 0) names(node);
      },
      call: names,
      condition(node) {
        if (node.operator === '==' || node.operator === '!=')
          for (const [literal, other] of bothWays(node)) compare(node, literal, other);
      },
    };

    function names({ rule, operands }: Action | Call): void {
      Object.values(rule?.params ?? {}).forEach(({ refersTo }, i) => {
        if (refersTo === 'playerType') unassigned(operands[i]!);
      });
    }

    /** Reports players of a type that exists but that no script assigns. */
    function unassigned(literal: Operand): void {
      const type = definition.playerTypes.get(literalText(literal) ?? '');
      if (type === undefined || playerTypes === undefined || playerTypes.has(type.key)) return;
      const expected = `assignPlayerType, \`playerType\`: "${type.key}"`;
      const message = `No player is ever of type "${type.name || type.key}": no script assigns it.`;
      report(literal, message, { expected, found: 'nothing' });
    }

    function compare({ operator }: Condition, literal: Operand, other: Operand): void {
      const text = wordOf(literal);
      if (text === undefined) return;
      const reference = referenceOfType.get(types.typeOf(other) ?? '');
      if (reference !== undefined) {
        if (reference === 'playerType' && references.missing(reference, text) === undefined) unassigned(literal);
        return;
      }
      const name = variableReadBy(other) ?? '';
      const texts = assigned.get(name);
      if (texts === undefined || texts.has(text)) return;
      const expected = [...texts].slice(0, 8).map((each) => JSON.stringify(each));
      report(literal, `Nothing sets "${name}" to "${text}": \`${operator}\` always has the same result.`, {
        expected: expected.join(', '),
        found: JSON.stringify(text),
        suggestion: near(text, texts),
      });
    }
  },
};

/**
 * The texts that each global text variable can hold: its default and all literals that scripts assign. Variables that a script sets to anything computed,
 * or whose name is computed, are left out.
 */
function assignedTexts({ definition, scripts }: GameContext): ReadonlyMap<string, ReadonlySet<string>> {
  const texts = new Map<string, Set<string>>();
  for (const { key, dataType, default: initial } of definition.variables.values()) {
    if (dataType === 'string') texts.set(key, new Set(typeof initial === 'string' ? [initial] : []));
  }
  for (const { actions } of scripts) {
    for (const { name, value, by } of actions.flatMap(assignmentsBy)) {
      if (name === undefined) return new Map();
      const text = by === undefined && value !== undefined ? literalText(value) : undefined;
      if (text === undefined) texts.delete(name);
      else texts.get(name)?.add(text);
    }
  }
  return texts;
}

/** The player types that scripts assign; undefined if one of them is computed, or if no script assigns any, which is another issue. */
function assignedPlayerTypes({ scripts }: GameContext): ReadonlySet<string> | undefined {
  const keys = new Set<string>();
  for (const { actions } of scripts) {
    for (const node of actions) {
      for (const { type } of typesGivenBy(node, 'player')) {
        const key = literalText(type);
        if (key === undefined) return undefined;
        keys.add(key);
      }
    }
  }
  return keys.size === 0 ? undefined : keys;
}

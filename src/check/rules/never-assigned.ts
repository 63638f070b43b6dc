import { type Action, type Call, type Condition, literalText, type Operand } from '../../../engine/index.ts';
import { referenceOfType, typesGivenBy, variableReadBy } from '../../model/index.ts';
import type { GameContext } from '../context.ts';
import { bothWays, titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const neverAssigned: Rule = {
  about: 'A variable or the type of a player is compared with a value that no script assigns to it.',
  because: 'The comparison always has the same result. The value is probably misspelt on one side.',
  wrong: `{
  "variables": { "phase": { "dataType": "string", "default": "waiting" } },
  "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "wating"], "then": [{ "type": "endGame" }], "else": [] }] } }
}`,
  right: `{
  "variables": { "phase": { "dataType": "string", "default": "waiting" } },
  "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "waiting"], "then": [{ "type": "endGame" }], "else": [] }] } }
}`,
  check({ definition, model, changes, uses, isGiven, report }) {
    if (model.setsAnyVariable) return;
    for (const { key, dataType, default: initial, pointer } of definition.variables.values()) {
      const isRead = uses('variable', key).some(({ role, value }) => role === 'reads' && value === undefined);
      // Another rule reports a default of the wrong type.
      if (initial !== undefined || isGiven(`${pointer}/default`) || !isRead || dataType.endsWith('Group')) continue;
      if (changes('variable', key).length > 0) continue;
      report(
        pointer,
        `"${key}" is read, but has no default, and nothing sets it.`,
        'a `default`, or an action that sets it',
        'neither',
      );
    }
  },
  visit(context) {
    const { definition, references, types, once, report, near } = context;
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

    function names({ rule, operands }: Action | Call) {
      Object.values(rule?.params ?? {}).forEach(({ refersTo }, i) => {
        if (refersTo === 'playerType') unassigned(operands[i]!);
      });
    }

    /** Reports a player type that exists but that no script assigns. */
    function unassigned(literal: Operand) {
      const type = definition.playerTypes.get(literalText(literal) ?? '');
      if (type === undefined || playerTypes === undefined || playerTypes.has(type.key)) return;
      const expected = `assignPlayerType, \`playerType\`: "${type.key}"`;
      report(literal, `No player is ever of type ${titleOf(type)}: no script assigns it.`, expected, 'nothing');
    }

    function compare({ operator }: Condition, literal: Operand, other: Operand) {
      const { json: value } = literal;
      if (literal.kind !== 'literal' || value === '') return;
      const reference = referenceOfType.get(types.typeOf(other) ?? '');
      if (reference !== undefined) {
        if (reference === 'playerType' && references.missing(reference, String(value)) === undefined)
          unassigned(literal);
        return;
      }
      const name = variableReadBy(other) ?? '';
      const values = valuesOf(context, name);
      if (values === undefined || typeof value !== definition.variables.get(name)!.dataType || values.has(value))
        return;
      const texts = [...values].map(String);
      report(
        literal,
        `Nothing sets "${name}" to ${JSON.stringify(value)}: \`${operator}\` always has the same result.`,
        [...values]
          .slice(0, 8)
          .map((each) => JSON.stringify(each))
          .join(', '),
        JSON.stringify(value),
        typeof value === 'string' ? near(value, texts) : undefined,
      );
    }
  },
};

/**
 * The values that a global variable can have: its default and all literals that scripts assign; undefined if others are
 * possible. Also undefined for a number or boolean that no script assigns, because it is a setting.
 */
function valuesOf({ definition, model }: GameContext, name: string): ReadonlySet<unknown> | undefined {
  const dataType = definition.variables.get(name)?.dataType ?? '';
  if (!['string', 'number', 'boolean'].includes(dataType) || model.setsAnyVariable) return undefined;
  const { initial, assigned, isComputed } = model.values(name)!;
  const isSetting = dataType !== 'string' && assigned.size === 0;
  if (isComputed || isSetting || ![...assigned].every((value) => typeof value === dataType)) return undefined;
  return new Set([initial, ...assigned].filter((value) => typeof value === dataType));
}

/**
 * The player types that scripts assign. Undefined if one of them is computed, or if no script assigns any, which
 * another rule reports.
 */
function assignedPlayerTypes({ changes }: GameContext): ReadonlySet<unknown> | undefined {
  const keys = new Set(changes('type').flatMap(({ of, value }) => (of === 'player' ? [value] : [])));
  return keys.size === 0 || keys.has(undefined) ? undefined : keys;
}

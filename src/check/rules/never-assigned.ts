import { type Action, type Call, literalText, type Operand } from '../../../engine/index.ts';
import {
  isOperator,
  isPlain,
  mayHold,
  type Plain,
  readOf,
  referenceOfType,
  typesGivenBy,
  variableReadBy,
} from '../../model/index.ts';
import type { GameContext } from '../context.ts';
import { mirrored, sidesOf, titleOf } from '../nodes.ts';
import { assignedPlayerTypes } from '../play.ts';
import { prospectsOf } from '../ranges.ts';
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
  check({ definition, model, changes, uses, report }) {
    if (model.setsAnyVariable) return;
    for (const { key, dataType, default: initial, pointer } of definition.variables.values()) {
      const isRead = uses('variable', key).some(({ role }) => role === 'reads');
      if (initial !== undefined || !isRead || dataType.endsWith('Group')) continue;
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
    const { definition, model, references, types, once, report, near } = context;
    const playerTypes = once(assignedPlayerTypes);
    return {
      action(node) {
        if (typesGivenBy(node, 'player').length === 0) names(node);
      },
      call(node) {
        names(node);
        const { kind, type = '' } = readOf(node, 'entities') ?? {};
        // Another rule reports a script that never runs.
        if (kind === 'unit' && type !== '' && model.provided(node.script.place)) uncreated(node.operand(type));
      },
      condition(node) {
        const [left, right] = sidesOf(node) ?? [];
        if (left === undefined || right === undefined) return;
        compare(mirrored(node.operator), left, right);
        compare(node.operator, right, left);
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

    /** Reports a unit type that exists but of which there are never any units. */
    function uncreated(literal: Operand) {
      const type = definition.unitTypes.get(literalText(literal) ?? '');
      if (type === undefined || once(prospectsOf).mayExist(type.key)) return;
      report(literal, `There are never any units of type ${titleOf(type)}: nothing that can run creates one.`, {
        found: type.key,
      });
    }

    function compare(operator: string | undefined, side: Operand, other: Operand) {
      const constant = model.constants.get(variableReadBy(side) ?? '');
      const value = constant ?? side.json;
      if ((side.kind !== 'literal' && constant === undefined) || value === '' || !isPlain(value)) return;
      const isEquality = operator === '==' || operator === '!=';
      const reference = referenceOfType.get(types.typeOf(other) ?? '');
      if (reference !== undefined) {
        if (isEquality && reference === 'playerType' && references.missing(reference, String(value)) === undefined)
          unassigned(side);
        return;
      }
      const name = variableReadBy(other) ?? '';
      const values = valuesOf(context, name, constant !== undefined);
      if (values === undefined || typeof value !== definition.variables.get(name)!.dataType || !isOperator(operator))
        return;
      // An order that holds for all values may be a precaution.
      const is = operator === '!=' ? '==' : operator;
      if ([...values].some((each) => mayHold({ operator: is, value }, each))) return;
      const texts = [...values].map(String);
      const wanted = isEquality ? JSON.stringify(value) : `a value ${operator} ${value}`;
      const whose = constant === undefined ? '' : `, the value of "${variableReadBy(side)}"`;
      report(
        side,
        `Nothing sets "${name}" to ${wanted}${whose}: \`${operator}\` always has the same result.`,
        texts.slice(0, 8).join(', '),
        JSON.stringify(value),
        typeof value === 'string' ? near(value, texts) : undefined,
      );
    }
  },
};

/**
 * The values that a global variable can have: its default and all literals that scripts assign; undefined if others are
 * possible. Also undefined for a boolean, or a number other than 0, that no script assigns, because it is a setting.
 * `isSetting`: whether a 0 is a setting, too.
 */
function valuesOf(
  { definition, model }: GameContext,
  name: string,
  isSetting: boolean,
): ReadonlySet<Plain> | undefined {
  const dataType = definition.variables.get(name)?.dataType ?? '';
  if (!['string', 'number', 'boolean'].includes(dataType) || model.setsAnyVariable) return undefined;
  const { initial, assigned, isComputed } = model.values(name)!;
  const mayBeMeant = dataType !== 'string' && assigned.size === 0 && (isSetting || initial !== 0);
  if (isComputed || mayBeMeant || ![...assigned].every((value) => typeof value === dataType)) return undefined;
  return new Set([...(isPlain(initial) && typeof initial === dataType ? [initial] : []), ...assigned]);
}

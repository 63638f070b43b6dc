import { type Action, type Call, type Condition, literalText, type Operand } from '../../engine/index.ts';
import { descriptorKey } from '../../engine/tools.ts';
import { assignmentsBy, variableReadBy } from '../model/index.ts';
import { shortened } from '../text/index.ts';

const lengthDefault = 200;

/** A readable action on one line, without nested actions, such as `set timeLeft = timeLeft - 1`. */
export function actionText(action: Action, lengthMax = lengthDefault): string {
  const cut = (text: string): string => shortened(text, lengthMax);
  const { type } = action;
  const operands = action.given.filter(({ kind, json }) => kind !== 'block' && json !== null);
  const [condition] = operands;
  if (condition?.kind === 'condition' || type === 'condition' || type === 'while') {
    const word = type === 'condition' ? 'if' : type;
    return cut(`${word} ${condition === undefined ? 'true' : operandText(condition)}`);
  }
  const [name, given] = action.operands;
  const [{ by, value: assigned } = {}] = assignmentsBy(action);
  if (name !== undefined && given !== undefined && assigned === given && by !== 'counting')
    return cut(`set ${nameText(name)} ${by === undefined ? '=' : by === 'adding' ? '+=' : '-='} ${operandText(given)}`);
  const member = memberText(action.operands);
  const value = action.operands.find(({ key }) => key === 'value');
  const isSet = action.effects.some(
    (effect) => effect.does === 'changes' && (effect.aspect === 'attribute' || effect.aspect === 'variable'),
  );
  if (isSet && member !== undefined && value !== undefined) return cut(`set ${member} = ${operandText(value)}`);
  const texts = operands.map((operand) => `${operand.key}: ${operandText(operand)}`);
  return cut(texts.length === 0 ? type : `${type} ${texts.join(', ')}`);
}

export function conditionText(condition: Condition): string {
  if (!condition.isList || condition.isEmpty) return 'true';
  return textWith(condition, condition.operator ?? '?');
}

/** The text of a condition or calculation with a different operator. */
export function textWith(node: Condition | Extract<Operand, { kind: 'calculation' }>, operator: string): string {
  if (node.kind === 'calculation') {
    const [left, right] = node.sides;
    return `(${operandText(left)} ${operator} ${operandText(right)})`;
  }
  if (node.isJunction) {
    const [left, right] = node.conditions;
    return `(${conditionText(left)} ${operator.toLowerCase()} ${conditionText(right)})`;
  }
  const [left, right] = node.sides;
  return `${operandText(left)} ${operator} ${operandText(right)}`;
}

export function operandText(node: Operand): string {
  switch (node.kind) {
    case 'nothing':
      return node.isNull ? 'null' : 'nothing';
    case 'call':
      return callText(node);
    case 'condition':
      return conditionText(node);
    case 'calculation':
      return textWith(node, String(node.operator));
    default:
      return JSON.stringify(node.json);
  }
}

/**
 * The attribute or variable of an entity or player that the operands name, such as `selectedUnit().health`; undefined
 * if the name is computed.
 */
function memberText(operands: readonly Operand[]): string | undefined {
  const of = operands.find(({ key }) => key === 'entity' || key === 'player');
  const attribute = operands.find(({ key }) => key === 'attribute');
  const variable = operands.find(({ key }) => key === 'variable');
  const name = (attribute && literalText(attribute)) ?? (variable && descriptorKey(variable));
  return of === undefined || name === undefined ? undefined : `${operandText(of)}.${name}`;
}

function callText(call: Call): string {
  const operands = call.given;
  const [first] = operands;
  const [read] = call.rule?.reads ?? [];
  const isMember = read?.key !== undefined && (read.aspect === 'attribute' || read.aspect === 'variable');
  const member = isMember ? memberText(operands) : undefined;
  if (member !== undefined) return member;
  if (first?.kind === 'literal' && variableReadBy(call) !== undefined) return nameText(first);
  if (first?.kind === 'calculation') return operandText(first);
  if (operands.length === 1) return `${call.operation}(${operandText(first!)})`;
  return `${call.operation}(${operands.map((operand) => `${operand.key}: ${operandText(operand)}`).join(', ')})`;
}

/** A literal name without quotes. */
function nameText(node: Operand): string {
  return node.kind === 'literal' ? String(node.json) : operandText(node);
}

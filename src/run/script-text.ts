import type { Dictionary } from '../../engine/core/index.ts';
import { type Action, type Call, type Condition, literalText, type Operand } from '../../engine/index.ts';
import { descriptorKey } from '../../engine/tools.ts';
import { nameText } from '../expression/index.ts';
import { shortened } from '../text/index.ts';

const lengthDefault = 200;

/** Actions that are printed as assignments to a global variable, and their operators. */
export const assignments: Dictionary<string> = {
  setVariable: '=',
  increaseVariableByNumber: '+=',
  decreaseVariableByNumber: '-=',
};

/** The function that is printed as the name of a global variable. */
export const variableRead = 'getVariable';

/** Actions that are printed with a condition, and their words. */
export const conditionWords: Dictionary<string> = { condition: 'if', while: 'while' };

/** Operations on attributes, printed as `owner.name`, and on variables, printed as `owner[name]`. */
interface Member {
  /** What the operation reads or writes. It is also the key of the operand that names the attribute or variable. */
  readonly aspect: 'attribute' | 'variable';
  /**
   * Entities and players have different operations with the same text. The text means those of players if the owner is
   * a function that returns a player, and those of entities otherwise.
   */
  readonly owner: 'entity' | 'player';
  /** The key of the operand that is the owner of the attribute or variable. */
  readonly of: string;
  readonly read: string;
  readonly write: string;
  /** The function in which editors wrap the name of a variable. */
  readonly descriptor?: string;
}

export const members: readonly Member[] = [
  { aspect: 'attribute', owner: 'entity', of: 'entity', read: 'getEntityAttribute', write: 'setEntityAttribute' },
  { aspect: 'attribute', owner: 'player', of: 'entity', read: 'getPlayerAttribute', write: 'setPlayerAttribute' },
  {
    aspect: 'variable',
    owner: 'entity',
    of: 'entity',
    read: 'getValueOfEntityVariable',
    write: 'setEntityVariable',
    descriptor: 'getEntityVariable',
  },
  {
    aspect: 'variable',
    owner: 'player',
    of: 'player',
    read: 'getValueOfPlayerVariable',
    write: 'setPlayerVariable',
    descriptor: 'getPlayerVariable',
  },
];

/**
 * A readable action on one line, without nested actions, such as `set timeLeft = timeLeft - 1`. No two different
 * actions or operands have the same text, so that a text can be converted back.
 */
export function actionText(action: Action, lengthMax = lengthDefault): string {
  return shortened(actionForm(action), lengthMax);
}

function actionForm(action: Action) {
  const { type, rule } = action;
  const given = action.given.filter(({ kind }) => kind !== 'block');
  const [condition] = given;
  if (Object.hasOwn(conditionWords, type))
    return `${conditionWords[type]} ${condition === undefined ? 'true' : operandText(condition)}`;
  const [name, value] = action.operands;
  if (Object.hasOwn(assignments, type) && name!.kind !== 'nothing' && !readsVariable(name!))
    return `set ${name!.kind === 'literal' ? nameText(String(name!.json)) : operandText(name!)} ${assignments[type]} ${operandText(value!)}`;
  const member = memberText(action);
  if (member !== undefined) return `set ${member} = ${operandText(action.operand('value'))}`;
  const shown = rule === undefined ? action.given : given;
  return shown.length === 0 ? type : `${type} ${namedText(shown)}`;
}

export function conditionText(condition: Condition): string {
  if (condition.isEmpty) return 'true';
  const { operator, operandType, sides, isJunction, sideCount, json } = condition;
  if (sideCount !== 2 || operator === undefined) return JSON.stringify(json);
  const isPlain = isJunction || comparedAs(operandType) === comparedAs(comparedType(operator, sides));
  return `${textWith(condition, operator)}${isPlain ? '' : ` as ${operandType || 'any'}`}`;
}

/** The text of a condition or calculation with a different operator. */
export function textWith(node: Condition | Extract<Operand, { kind: 'calculation' }>, operator: string): string {
  const isJunction = node.kind === 'condition' && node.isJunction;
  const [left, right] = isJunction ? node.conditions : node.sides;
  const text = `${operandText(left)} ${isJunction ? operator.toLowerCase() : operator} ${operandText(right)}`;
  return isJunction || node.kind === 'calculation' ? `(${text})` : text;
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
 * The type that is assumed for a comparison whose text names no type; undefined if its values are compared without
 * conversion.
 */
export function comparedType(operator: string, sides: readonly Operand[]): string | undefined {
  const isLiteral = (type: string) => sides.some(({ kind, json }) => kind === 'literal' && typeof json === type);
  if (isLiteral('boolean')) return 'boolean';
  if (isLiteral('number') || !['==', '!='].includes(operator)) return 'number';
  const types = sides.flatMap((side) => (side.kind === 'call' ? (side.rule?.returns ?? []) : []));
  return types.find((type) => type !== 'any') ?? (isLiteral('string') ? 'string' : undefined);
}

/** The type to which a comparison converts its values; empty if it compares them without conversion. */
function comparedAs(type: string | undefined) {
  return type !== undefined && ['number', 'boolean', 'string'].includes(type) ? type : '';
}

function callText(call: Call) {
  const { operation, given, operands } = call;
  const [first, ...others] = given;
  const member = memberText(call);
  if (member !== undefined) return member;
  if (readsVariable(call)) return nameText(String(first!.json));
  if (first?.kind === 'calculation') return operandText(first);
  // The first operand needs no name if it is the only one.
  const isFirst = others.length === 0 && first !== undefined && first === operands[0];
  return `${operation}(${isFirst ? operandText(first) : namedText(given)})`;
}

function readsVariable(node: Operand) {
  return node.kind === 'call' && node.operation === variableRead && typeof node.given[0]?.json === 'string';
}

function namedText(operands: readonly Operand[]) {
  return operands.map((operand) => `${operand.key}: ${operandText(operand)}`).join(', ');
}

/** The attribute or variable that an operation reads or writes; undefined if it is another operation. */
function memberText(node: Action | Call) {
  const { operation } = node;
  const member = members.find((each) => each[node.kind === 'call' ? 'read' : 'write'] === operation);
  if (member === undefined) return undefined;
  const [owner, key] = [node.operand(member.of), node.operand(member.aspect)];
  const isAttribute = member.aspect === 'attribute';
  const name = isAttribute ? literalText(key) : descriptorKey(key);
  const isPlayer = owner.kind === 'call' && owner.rule?.returns === 'player';
  if (name === undefined || owner.kind === 'nothing' || isPlayer !== (member.owner === 'player')) return undefined;
  return `${operandText(owner)}${isAttribute ? `.${nameText(name)}` : `[${nameText(name)}]`}`;
}

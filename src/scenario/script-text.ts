import { isRecord } from './is-record.ts';

/** Members of nodes that editors leave behind and that mean nothing. */
export const noise: ReadonlySet<string> = new Set([
  'type',
  'function',
  'vars',
  'comment',
  'runMode',
  'disabled',
  'isExpanded',
  'hasFixedCSP',
  'runOnClient',
  'actionId',
  '_returnType',
  'dataType',
]);
const blocks: ReadonlySet<string> = new Set(['then', 'else', 'actions']);
const lengthMax = 200;

/** An action on one line, for people: `setVariable timeLeft = timeLeft - 1`. Its blocks are left out. */
export function actionText(node: Readonly<Record<string, unknown>>): string {
  const type = String(node['type']);
  if (type === 'condition') return cut(`if ${conditionText(node['conditions'])}`);
  if (type === 'while') return cut(`while ${conditionText(node['conditions'])}`);
  if (type === 'setVariable' || type === 'increaseVariableByNumber') {
    const sign = type === 'setVariable' ? '=' : '+=';
    return cut(
      `set ${operandText(node['variableName'] ?? node['variable'], true)} ${sign} ${operandText(node['value'] ?? node['number'])}`,
    );
  }
  const operands = Object.entries(node)
    .filter(([key, value]) => !noise.has(key) && !blocks.has(key) && value !== undefined && value !== null)
    .map(([key, value]) => `${key}: ${key === 'conditions' ? conditionText(value) : operandText(value)}`);
  return cut(operands.length === 0 ? type : `${type} ${operands.join(', ')}`);
}

export function conditionText(node: unknown): string {
  if (!Array.isArray(node) || node.length === 0) return 'true';
  const [head, left, right] = node as unknown[];
  const operator = isRecord(head) ? String(head['operator']) : '?';
  if (operator === 'AND' || operator === 'OR') {
    return `(${conditionText(left)} ${operator.toLowerCase()} ${conditionText(right)})`;
  }
  return `${operandText(left)} ${operator} ${operandText(right)}`;
}

export function operandText(node: unknown, isName = false): string {
  if (typeof node === 'string') return isName ? node : JSON.stringify(node);
  if (!isRecord(node)) return JSON.stringify(node) ?? 'nothing';
  const name = node['function'];
  if (typeof name !== 'string') return JSON.stringify(node);
  if (name === 'getVariable' && typeof node['variableName'] === 'string') return node['variableName'];
  if (name === 'calculate' && Array.isArray(node['items'])) {
    const [head, left, right] = node['items'] as unknown[];
    return `(${operandText(left)} ${isRecord(head) ? String(head['operator']) : '?'} ${operandText(right)})`;
  }
  const operands = Object.entries(node).filter(([key]) => !noise.has(key));
  if (operands.length === 1) return `${name}(${operandText(operands[0]![1])})`;
  return `${name}(${operands.map(([key, value]) => `${key}: ${operandText(value)}`).join(', ')})`;
}

function cut(text: string): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}

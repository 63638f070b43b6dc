import type { Call, Operand } from '../../engine/index.ts';
import { nameText } from '../expression/parser.ts';
import { variableKeyOf } from '../run/script-text.ts';
import { isBelow, type ValueRead } from './tick-trace.ts';

/** The expression for the value that a call returned; undefined if no expression has it. */
function expressionOf(call: Call, reads: ReadonlyMap<Call, ValueRead>): string | undefined {
  const idOf = (parameter: string): string | undefined => entityOf(operandOf(call, parameter), reads);
  const member = (of: string | undefined, name: string | undefined): string | undefined =>
    of === undefined || name === undefined ? undefined : `${of}.${nameText(name)}`;
  switch (call.operation) {
    case 'getVariable':
    case 'getGlobalVariable': {
      const name = textOf(operandOf(call, 'variableName'), reads);
      return name === undefined ? undefined : nameText(name);
    }
    case 'getEntityAttribute':
    case 'getPlayerAttribute':
    case 'getProjectileAttribute':
      return member(idOf('entity'), textOf(operandOf(call, 'attribute'), reads));
    case 'getValueOfEntityVariable':
      return member(idOf('entity'), variableKeyOf(operandOf(call, 'variable')));
    case 'getValueOfPlayerVariable':
      return member(idOf('player'), variableKeyOf(operandOf(call, 'variable')));
    case 'getEntityState':
      return member(idOf('entity'), 'state');
    case 'getOwner':
      return member(idOf('entity'), 'owner');
    case 'getUnitTypeOfUnit':
    case 'getItemTypeOfItem':
    case 'getProjectileTypeOfProjectile':
    case 'playerTypeOfPlayer': {
      const [of] = call.operands;
      return member(of && entityOf(of, reads), 'type');
    }
    case 'getItemCurrentlyHeldByUnit':
      return member(idOf('unit') ?? idOf('entity'), 'holding');
    case 'isUnitMoving':
      return member(idOf('unit') ?? idOf('entity'), 'moving');
    default:
      return undefined;
  }
}

function operandOf(call: Call, parameter: string): Operand | undefined {
  const names = Object.keys(call.rule?.params ?? {});
  const at = names.indexOf(parameter);
  return at < 0 ? undefined : call.operands[at];
}

function entityOf(node: Operand | undefined, reads: ReadonlyMap<Call, ValueRead>): string | undefined {
  return node?.kind === 'call' ? reads.get(node)?.id : undefined;
}

function textOf(node: Operand | undefined, reads: ReadonlyMap<Call, ValueRead>): string | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'literal') return String(node.json);
  const value = node.kind === 'call' ? reads.get(node)?.value : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Functions that return their operand, which is a literal. */
const wrappers: ReadonlySet<string> = new Set([
  ...['getAttributeType', 'getUnitType', 'getItemType', 'getProjectileType', 'getPlayerType', 'getEntityVariable'],
  ...['getPlayerVariable', 'undefinedValue'],
]);

/** A value worth showing, with the expression to ask about it. */
interface ShownRead extends ValueRead {
  readonly expression: string | undefined;
}

/**
 * The reads of an action that are worth showing: all that an expression can name, and those others, such as random
 * numbers, that contain none of these.
 */
export function shownReads(all: readonly ValueRead[]): ShownRead[] {
  const byNode = new Map(all.map((read) => [read.node, read]));
  const shown: ShownRead[] = [];
  const show = (read: ValueRead): void => {
    const expression = expressionOf(read.node, byNode);
    const inside = expression === undefined ? all.filter(({ node }) => isDirectlyBelow(node, read.node, byNode)) : [];
    inside.forEach(show);
    const isShown = expression !== undefined || (inside.length === 0 && !wrappers.has(read.node.operation));
    if (isShown) shown.push({ ...read, expression });
  };
  for (const read of all) if (!all.some(({ node }) => isBelow(read.node, node))) show(read);
  return shown;
}

function isDirectlyBelow(node: Call, above: Call, among: ReadonlyMap<Call, ValueRead>): boolean {
  if (!isBelow(node, above)) return false;
  for (const other of among.keys()) if (isBelow(node, other) && isBelow(other, above)) return false;
  return true;
}

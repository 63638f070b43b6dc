import type { Call, Operand } from '../../engine/index.ts';
import { nameText } from '../expression/index.ts';
import { nameIn } from '../model/index.ts';
import { wordTable } from '../text/index.ts';
import { isBelow, type ValueRead } from './tick-trace.ts';

/** The expression for the value that a call returned; undefined if no expression can name the value. */
function expressionOf(call: Call, reads: ReadonlyMap<Call, ValueRead>) {
  const [read, ...others] = call.rule?.reads ?? [];
  if (read === undefined || others.length > 0) return undefined;
  const { aspect, of, key, kind, type } = read;
  if (aspect === 'entities') return groupOf(call, `${kind}s`, type && nameIn(call.operand(type)));
  const name = key === undefined ? members[`${aspect} of ${call.rule!.returns}`] : nameOf(call.operand(key), reads);
  if (name === undefined || (key !== undefined && aspect !== 'variable' && aspect !== 'attribute')) return undefined;
  if (aspect === 'variable' && of === undefined) return nameText(name);
  const entity = of === undefined ? undefined : entityOf(call.operand(of), reads);
  return entity === undefined ? undefined : `${entity}.${nameText(name)}`;
}

/** The expression for the entities that a function returns or counts: `units of type wolf`. */
function groupOf(call: Call, group: string, type: string | undefined) {
  const isAll = call.operands.length === (type === undefined ? 0 : 1);
  const isNamed = type !== undefined || call.rule!.reads[0]!.type === undefined;
  if (!isAll || !isNamed || !['units', 'items', 'projectiles'].includes(group)) return undefined;
  return type === undefined ? group : `${group} of type ${nameText(type) === type ? type : JSON.stringify(type)}`;
}

/** Maps what a function reads, and the type of its value, to the member that expressions use. */
const members = wordTable(`
state of state: state
owner of player: owner
type of unit type: type
type of item type: type
type of projectile type: type
type of player type: type
slot of item: holding
direction of boolean: moving
`);

function entityOf(node: Operand | undefined, reads: ReadonlyMap<Call, ValueRead>) {
  return node?.kind === 'call' ? reads.get(node)?.id : undefined;
}

/** A name given as a literal, in a descriptor, or by a call whose value was read. */
function nameOf(node: Operand, reads: ReadonlyMap<Call, ValueRead>) {
  const value = nameIn(node) ?? (node.kind === 'call' ? reads.get(node)?.value : undefined);
  return typeof value === 'string' ? value : undefined;
}

/** A value worth showing, with the expression to ask about it. */
interface ShownRead extends ValueRead {
  readonly expression: string | undefined;
}

/**
 * The reads of an action that are worth showing: all reads that an expression can name; and of the other reads, such as
 * random numbers, those that contain no such read.
 */
export function shownReads(all: readonly ValueRead[]): ShownRead[] {
  const byNode = new Map(all.map((read) => [read.node, read]));
  const shown: ShownRead[] = [];
  const show = (read: ValueRead) => {
    const expression = expressionOf(read.node, byNode);
    const inside = expression === undefined ? all.filter(({ node }) => isDirectlyBelow(node, read.node, byNode)) : [];
    inside.forEach(show);
    const isShown = expression !== undefined || (inside.length === 0 && !isName(read.node));
    if (isShown) shown.push({ ...read, expression });
  };
  for (const read of all) if (!all.some(({ node }) => isBelow(read.node, node))) show(read);
  return shown;
}

/** Whether a call only wraps the name of a type or variable, or returns no value. */
function isName({ rule }: Call) {
  const returns = rule?.returns ?? '';
  return rule?.reads.length === 0 && (returns === 'undefined' || /type|descriptor|attribute/.test(returns));
}

function isDirectlyBelow(node: Call, above: Call, among: ReadonlyMap<Call, ValueRead>) {
  if (!isBelow(node, above)) return false;
  for (const other of among.keys()) if (isBelow(node, other) && isBelow(other, above)) return false;
  return true;
}

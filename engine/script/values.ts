import type { Point } from '../components/point.ts';
import { EntityRef } from '../world/entity.ts';

/**
 * The values of operands: undefined (no value), null, booleans, numbers, texts, EntityRef, positions `{x, y}`, regions `{x, y, width, height}`, lists
 * and plain objects. The language has no static types; these conversions are the only ones there are.
 */

/** A number, or a text that is one as a whole; otherwise undefined. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value.trim() !== '') {
    const number = Number(value);
    return Number.isNaN(number) ? undefined : number;
  }
  return undefined;
}

/** The longest number a text begins with, as `calculate` reads its operands (reference: conditions#calculate); NaN when there is none. */
export function leadingNumber(value: unknown): number {
  return typeof value === 'number' ? value : Number.parseFloat(toText(value));
}

/** As `concat` prints a value (reference: operations#concat): objects, entities among them, say nothing of themselves. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return joined(value);
  return value !== null && typeof value === 'object' ? '[object Object]' : String(value);
}

/** Lists that hold one another print exponentially longer than they are, or for ever: there printing stops. */
const printedMax = 2_000_000;
const printedDepth = 100;

/** Elements separated by commas, lists inside lists likewise, missing ones as nothing. */
function joined(list: readonly unknown[]): string {
  const texts: string[] = [];
  const lists = [{ list, at: 0 }];
  let length = 0;
  const print = (text: string): void => {
    texts.push(text);
    length += text.length + 1;
  };
  for (let top = lists.at(-1); top !== undefined; top = lists.at(-1)) {
    if (top.at >= top.list.length || length > printedMax) {
      if (top.list.length === 0) print('');
      lists.pop();
      continue;
    }
    const element: unknown = top.list[top.at++];
    if (Array.isArray(element) && lists.length < printedDepth) lists.push({ list: element, at: 0 });
    else print(element === undefined || element === null || Array.isArray(element) ? '' : toText(element));
  }
  return texts.join(',');
}

export function toPoint(value: unknown): Point | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const { x, y } = value as { x?: unknown; y?: unknown };
  if (typeof x === 'number' && typeof y === 'number') return value as Point;
  const nx = toNumber(x);
  const ny = toNumber(y);
  return nx === undefined || ny === undefined ? undefined : { x: nx, y: ny };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof EntityRef);
}

/** Literal objects are shared by all simulations of a program, so they are frozen; what wants to change one copies it first. */
export function deepFreeze(node: unknown): void {
  if (node === null || typeof node !== 'object' || Object.isFrozen(node)) return;
  Object.freeze(node);
  for (const member of Object.values(node)) deepFreeze(member);
}

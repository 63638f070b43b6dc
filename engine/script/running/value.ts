import type { Point } from '../../components/point.ts';
import { isRecord } from '../../core/plain-object.ts';
import { EntityRef } from '../../world/entity.ts';

/**
 * The values of operands: undefined (no value), null, booleans, numbers, strings, EntityRef, positions `{x, y}`,
 * regions `{x, y, width, height}`, lists and plain objects. The language has no static types; these are its only
 * conversions.
 */

/** Returns a number unchanged, and converts a string that consists of a number; undefined for any other value. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value.trim() !== '') {
    const number = Number(value);
    return Number.isNaN(number) ? undefined : number;
  }
  return undefined;
}

/**
 * Returns a number unchanged, and for any other value the longest number with which its string form starts, as in
 * `calculate` (reference: conditions#calculate); NaN if the string form does not start with a number.
 */
export function leadingNumber(value: unknown): number {
  return typeof value === 'number' ? value : Number.parseFloat(toText(value));
}

/**
 * Converts a value to a string as `concat` does (reference: operations#concat). Objects, including entities, print as
 * `[object Object]`.
 */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return joined(value);
  return value !== null && typeof value === 'object' ? '[object Object]' : String(value);
}

/**
 * Limits at which printing stops: the printed form of repeated sub-lists can be exponentially long, and that of a list
 * that contains itself is endless.
 */
const printedMax = 2_000_000;
const printedDepth = 100;

/** Joins elements with commas, including those of nested lists; missing elements print as "". */
function joined(list: readonly unknown[]) {
  const texts: string[] = [];
  const lists = [{ list, at: 0 }];
  let length = 0;
  const print = (text: string) => {
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

/** Whether a value of the language is an object with members: neither a list nor an entity. */
export function isObjectValue(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(value instanceof EntityRef);
}

/**
 * Freezes a value of the definition, which all simulations of a program share. Code that wants to change such a value
 * must copy it first.
 */
export function deepFreeze(node: unknown): void {
  if (node === null || typeof node !== 'object' || Object.isFrozen(node)) return;
  Object.freeze(node);
  for (const member of Object.values(node)) deepFreeze(member);
}

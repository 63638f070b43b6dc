/** Halves of characters of two units: no file and no message can hold them. */
const halves = /\p{Cs}/u;
const allHalves = /\p{Cs}/gu;

/** A plain value whose texts can be written as UTF-8 and read again. The value itself where all of them can, and nothing is made then. */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : (mended(value) as T);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !halves.test(value);
  if (!hasMembers(value)) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  for (const name in value) if (halves.test(name) || !isWellFormed(value[name])) return false;
  return true;
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(allHalves, '\ufffd');
  if (!hasMembers(value)) return value;
  if (Array.isArray(value)) return value.map(mended);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [mended(name), mended(member)]));
}

function hasMembers(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

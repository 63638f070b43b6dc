/** Matches lone surrogates, which UTF-8 cannot encode. */
const halves = /\p{Cs}/u;
const allHalves = /\p{Cs}/gu;

/**
 * Replaces lone surrogates in the strings and keys of a plain value by U+FFFD, so that it survives UTF-8. Returns the
 * same value, without allocating, if there are none.
 */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : (repaired(value) as T);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !halves.test(value);
  if (!hasMembers(value)) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  for (const name in value) if (halves.test(name) || !isWellFormed(value[name])) return false;
  return true;
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(allHalves, '\ufffd');
  if (!hasMembers(value)) return value;
  if (Array.isArray(value)) return value.map(repaired);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [repaired(name), repaired(member)]));
}

function hasMembers(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

import { near } from '../text/near.ts';

/** A member of a definition that is to have another value. */
export interface Change {
  /** `unitTypes.zombie.attributes.speed.value` from the definition's data on; with a `/` in front, a JSON Pointer. */
  readonly path: string;
  readonly value: unknown;
}

/** A change names what the definition does not have: a value there would change nothing. */
export class NoSuchMember extends Error {}

/** The document with other values, in whichever envelope it comes. Unchanged parts are shared with the document. Throws `NoSuchMember`. */
export function changed(document: unknown, changes: readonly Change[]): unknown {
  return changes.reduce((given, change) => withChange(given, change), document);
}

function withChange(document: unknown, { path, value }: Change): unknown {
  return replaced(document, [...envelopeOf(document), ...keysOf(path)], 0, value, path);
}

/** The document at another frame rate, Hz, for physics and scripts, whether it says one or not. */
export function withRate(document: unknown, hertz: number): unknown {
  const keys = [...envelopeOf(document), 'defaultData'];
  const before = keys.reduce(memberOf, document);
  const rates = { frameRate: hertz, engineTickRate: hertz };
  return withMember(document, keys, { ...(isObject(before) ? before : {}), ...rates });
}

function withMember(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  return { ...(isObject(value) ? value : {}), [key]: withMember(memberOf(value, key), rest, by) };
}

/** A value on a command line: JSON where it is any, otherwise the text itself. */
export function literalOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Where the data of a definition begins. */
function envelopeOf(document: unknown): string[] {
  const inner = memberOf(document, 'gameJson');
  if (isObject(inner)) return ['gameJson', 'data'];
  return isObject(memberOf(document, 'data')) ? ['data'] : [];
}

function keysOf(path: string): string[] {
  if (!path.startsWith('/')) return path.split('.');
  return path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function replaced(value: unknown, keys: readonly string[], depth: number, by: unknown, path: string): unknown {
  if (depth === keys.length) return by;
  const key = keys[depth]!;
  if (!isObject(value) || !Object.hasOwn(value, key)) {
    const meant = isObject(value) ? near(key, Object.keys(value)) : undefined;
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    throw new NoSuchMember(`The definition has no "${path}": there is no "${key}".${hint}`);
  }
  const inner = replaced((value as Record<string, unknown>)[key], keys, depth + 1, by, path);
  if (Array.isArray(value)) return value.map((each, index) => (String(index) === key ? inner : each));
  return { ...value, [key]: inner };
}

function memberOf(value: unknown, key: string): unknown {
  return isObject(value) ? (value as Record<string, unknown>)[key] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

import { isObject, parsePointer, UserError } from '../../engine/core/index.ts';
import { closestHint } from '../text/index.ts';

/** A new value for one member of a definition. */
export interface Change {
  /**
   * The path of the member in the data of the definition, such as `unitTypes.zombie.attributes.speed.value`, or a JSON
   * Pointer that starts with `/`.
   */
  readonly path: string;
  readonly value: unknown;
}

/** Thrown for a change of a member that the definition does not have: setting it would have no effect. */
class UnknownMemberError extends UserError {
  readonly code = 'unknown-member';
}

/**
 * Returns a copy of the document with the changes applied. The data may be at the top, in `data` or in `gameJson.data`.
 * The copy shares unchanged parts with the original. Throws `UnknownMemberError`.
 */
export function withChanges(document: unknown, changes: readonly Change[]): unknown {
  return changes.reduce((given, change) => withChange(given, change), document);
}

function withChange(document: unknown, { path, value }: Change): unknown {
  return replaced(document, [...envelopeOf(document), ...keysOf(path)], 0, value, path);
}

/** Returns the document with this frame rate (Hz) for physics and scripts, whether or not it sets a rate already. */
export function withFrameRate(document: unknown, hertz: number): unknown {
  const keys = [...envelopeOf(document), 'defaultData'];
  const before = keys.reduce(memberOf, document);
  const rates = { frameRate: hertz, engineTickRate: hertz };
  return withMember(document, keys, { ...(isObject(before) ? before : {}), ...rates });
}

function withMember(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  return { ...(isObject(value) ? value : {}), [key]: withMember(memberOf(value, key), rest, by) };
}

/** Reads a value from the command line: as JSON if it parses, otherwise as a plain string. */
export function literalOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The keys that lead to the data of a definition. */
function envelopeOf(document: unknown) {
  const inner = memberOf(document, 'gameJson');
  if (isObject(inner)) return ['gameJson', 'data'];
  return isObject(memberOf(document, 'data')) ? ['data'] : [];
}

function keysOf(path: string) {
  return path.startsWith('/') ? parsePointer(path) : path.split('.');
}

function replaced(value: unknown, keys: readonly string[], depth: number, by: unknown, path: string): unknown {
  if (depth === keys.length) return by;
  const key = keys[depth]!;
  if (!isObject(value) || !Object.hasOwn(value, key)) {
    const hint = isObject(value) ? closestHint(key, Object.keys(value)) : '';
    throw new UnknownMemberError(`The definition has no "${path}": "${key}" does not exist.${hint}`);
  }
  const inner = replaced((value as Record<string, unknown>)[key], keys, depth + 1, by, path);
  if (Array.isArray(value)) return value.map((each, index) => (String(index) === key ? inner : each));
  return { ...value, [key]: inner };
}

function memberOf(value: unknown, key: string): unknown {
  return isObject(value) ? (value as Record<string, unknown>)[key] : undefined;
}

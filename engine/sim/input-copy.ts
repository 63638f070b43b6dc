import type { Input } from './input.ts';

/** Maximum nesting depth of untrusted values in inputs; deeper parts are cut off. No game needs more. */
const depthMax = 100;

/**
 * The simulation's own copy of an input, normalised so that a journal can store it exactly: plain data without
 * undefined members, negative zero or malformed strings. Later changes by the host do not affect the copy, and changes
 * by scripts do not affect the host's object.
 */
export function copyInput(input: Input): Input {
  return copyOf(input, 0) as Input;
}

function copyOf(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'number':
      return value === 0 ? 0 : value;
    case 'string':
      return wellFormed(value);
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      if (depth >= depthMax) return undefined;
      if (Array.isArray(value)) return value.map((element: unknown) => copyOf(element, depth + 1) ?? null);
      return copyOfObject(value, depth);
    default:
      return undefined;
  }
}

function copyOfObject(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    // Assigning to `__proto__` would set the prototype.
    if (key === '__proto__') continue;
    const member = copyOf((value as Record<string, unknown>)[key], depth + 1);
    if (member !== undefined) copy[wellFormed(key)] = member;
  }
  return copy;
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Replaces lone surrogates, which UTF-8 cannot encode. */
function wellFormed(text: string) {
  return text.replace(loneSurrogate, '\ufffd');
}

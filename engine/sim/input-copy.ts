import type { Input } from './input.ts';

/** Deeper than this, what an input carries is left out: no game looks there, and it comes from outside. */
const depthMax = 100;

/**
 * The simulation's own copy of an input, as a journal can keep it exactly. It is plain data: no members without a value, no minus zero, well-formed
 * texts. Later changes of the host's object do not reach it, and changes by scripts do not reach the host's.
 */
export function ownInput(input: Input): Input {
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
    // The one key whose assignment does something else.
    if (key === '__proto__') continue;
    const member = copyOf((value as Record<string, unknown>)[key], depth + 1);
    if (member !== undefined) copy[wellFormed(key)] = member;
  }
  return copy;
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Half of a surrogate pair is no text that bytes can carry. */
function wellFormed(text: string): string {
  return text.replace(loneSurrogate, '\ufffd');
}

import type { Definition } from './definition.ts';

/** Key names of more than one letter, as clients report them. */
export const keyNames: ReadonlySet<string> = new Set([
  ...'up down left right space enter return escape esc tab backspace delete shift ctrl alt meta capslock home end pageup pagedown insert button1 button2 button3 mousewheel lookWheel movementWheel lookAndFireWheel'.split(
    ' ',
  ),
  ...Array.from({ length: 12 }, (_, i) => `f${i + 1}`),
]);

/** Keys that unit types bind, whether or not a client reports them. */
function boundKeys({ unitTypes }: Definition): ReadonlySet<string> {
  const bound = new Set<string>();
  for (const { controls, legacyAbilities } of unitTypes.values())
    for (const key of (controls?.abilities ?? legacyAbilities).keys()) bound.add(key);
  return bound;
}

/**
 * Whether a key can be pressed: a single lower-case character, a name that clients report, or a key that the game
 * binds. Clients never report capitals.
 */
export function isKey(definition: Definition, key: string): boolean {
  if (key.length === 1 && key === key.toLowerCase()) return true;
  return keyNames.has(key) || boundKeys(definition).has(key);
}

/**
 * Whether a word is not a key but differs from one only in case, like `D` or `Space`. A caller that passes such a word
 * has made a mistake.
 */
export function isKeyInOtherCase(definition: Definition, key: string): boolean {
  if (isKey(definition, key)) return false;
  const lower = key.toLowerCase();
  return keysNear(definition, key).some((known) => known.toLowerCase() === lower);
}

/** The keys that the author of an unknown key may have meant. */
export function keysNear(definition: Definition, key: unknown): string[] {
  const small = typeof key === 'string' && key.length === 1 ? [key.toLowerCase()] : [];
  return [...small, ...keyNames, ...boundKeys(definition)];
}

import type { Definition } from './definition.ts';

/** Keys of more than one letter, as clients name them. */
export const keyNames: ReadonlySet<string> = new Set([
  ...['up', 'down', 'left', 'right', 'space', 'enter', 'return', 'escape', 'esc', 'tab', 'backspace', 'delete'],
  ...['shift', 'ctrl', 'alt', 'meta', 'capslock', 'home', 'end', 'pageup', 'pagedown', 'insert'],
  ...['button1', 'button2', 'button3', 'mousewheel', 'lookWheel', 'movementWheel', 'lookAndFireWheel'],
  ...Array.from({ length: 12 }, (_, i) => `f${i + 1}`),
]);

/** Keys that unit types bind, whether or not a client reports them. */
function boundKeys({ unitTypes }: Definition): ReadonlySet<string> {
  const bound = new Set<string>();
  for (const { controls, legacyAbilities } of unitTypes.values())
    for (const key of (controls?.abilities ?? legacyAbilities).keys()) bound.add(key);
  return bound;
}

/** Whether a key can be pressed in a game: a small letter or a sign, a name that clients have, or a key that the game binds. No client reports capitals. */
export function isKey(definition: Definition, key: string): boolean {
  if (key.length === 1 && key === key.toLowerCase()) return true;
  return keyNames.has(key) || boundKeys(definition).has(key);
}

/** Keys that may be meant by what is none. */
export function keysNear(definition: Definition, key: unknown): string[] {
  const small = typeof key === 'string' && key.length === 1 ? [key.toLowerCase()] : [];
  return [...small, ...keyNames, ...boundKeys(definition)];
}

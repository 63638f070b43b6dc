import type { Dictionary } from '../../../engine/core/index.ts';

const named: Dictionary<string> = {
  Space: 'space',
  Enter: 'enter',
  NumpadEnter: 'enter',
  Escape: 'escape',
  Backquote: '`',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ShiftLeft: 'shift',
  ShiftRight: 'shift',
};

/**
 * The game's name for a key; undefined for keys that games do not use. It depends on the position on the keyboard, so
 * that w, a, s and d are next to each other on every layout.
 */
function nameOf({ code }: Pick<KeyboardEvent, 'code'>): string | undefined {
  const [, letter] = /^(?:Key|Digit|Numpad)([A-Z\d])$/.exec(code) ?? [];
  return letter?.toLowerCase() ?? named[code];
}

const storeKey = 'reenact-keys';

/**
 * The choices of the player, for all games: the game's name for a key, by the name of the key that the player presses
 * for it.
 */
const chosen = (): Record<string, string> => JSON.parse(localStorage.getItem(storeKey) ?? '{}');

/** The game's name for the key for which a pressed key counts; undefined for keys that games do not use. */
export function gameKey(event: Pick<KeyboardEvent, 'code'>): string | undefined {
  const name = nameOf(event);
  return chosen()[name ?? ''] ?? name;
}

/** The name of the key that the player presses for a key of a game. */
export function pressedFor(key: string): string {
  return Object.entries(chosen()).find(([, counted]) => counted === key)?.[0] ?? key;
}

/**
 * Makes a pressed key count for a key of a game. The two keys change places, so that each key of a game can still be
 * pressed.
 */
export function chooseKey(event: Pick<KeyboardEvent, 'code'>, key: string) {
  const name = nameOf(event);
  if (name === undefined) return;
  const changed = { ...chosen(), [pressedFor(key)]: gameKey(event), [name]: key };
  localStorage.setItem(storeKey, JSON.stringify(changed));
}

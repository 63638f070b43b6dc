import type { Repertoire } from '../../bots/index.ts';

/** The keys of a game: those that walk, select a slot, or do something for some unit. */
export function gameKeysOf(all: readonly Repertoire[]): ReadonlySet<string> {
  const digits = Array.from({ length: Math.max(0, ...all.map(({ slots }) => slots)) }, (_, i) => String(i + 1));
  const walking = 'w a s d up left down right'.split(' ');
  return new Set([...walking, ...digits, ...all.flatMap(({ keys }) => keys)]);
}

/** Why a room plays slower than its rate. A newer server may send others. */
export const slowReasons = {
  'long-ticks':
    'Its ticks take longer than its rate leaves for them. Where that delays other rooms, it waits in between.',
  'full-thread': 'The rooms of its thread together need more time than there is.',
  'busy-machine': 'Its thread does not get enough processor time: other threads or programs use it.',
} as const;
export type SlowReason = keyof typeof slowReasons;

/** What players are told about a `pace`. */
export function toldOfPace(reason: string): string {
  if (reason === '') return 'The game runs at full speed again.';
  return `The game is slow: ${reason === 'long-ticks' ? 'it has more to do than there is time for' : 'the server is busy'}.`;
}

/** The reasons why a room plays slower than its rate, for people. A newer server may send others. */
export const slowReasons = {
  'long-ticks':
    'Its ticks take longer than its rate leaves for them. Where that delays other rooms, it waits in between.',
  'unfinished-tick': 'One of its ticks has been running for more than two seconds.',
  'full-thread': 'The rooms of its thread together need more time than there is.',
  'busy-machine': 'Its thread does not get enough processor time: other threads or programs use it.',
  moving: 'It stands still for more than a second because it moves to another thread, or is resumed there.',
} as const;
export type SlowReason = keyof typeof slowReasons;

/** The sentence that players read about a `pace` message. */
export function toldOfPace(reason: string): string {
  if (reason === '') return 'The game runs at full speed again.';
  const isOwn = reason === 'long-ticks' || reason === 'unfinished-tick';
  return `The game is slow: ${isOwn ? 'it has more to do than there is time for' : 'the server is busy'}.`;
}

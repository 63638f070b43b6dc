/** The reasons why a room plays slower than its rate, for people. A newer server may send others. */
export const slowReasons = {
  'long-ticks':
    'Its ticks take longer than the time between two ticks at its rate. If that delays other rooms, it waits between ticks.',
  'unfinished-tick': 'One of its ticks has been running for more than two seconds.',
  'full-thread': 'Together, the rooms of its thread need more time than the thread has.',
  'busy-machine': 'Its thread does not get enough processor time: other threads or programs use it.',
  moving: 'It is paused for more than a second because it is being moved to another thread, or resumed there.',
} as const;
export type SlowReason = keyof typeof slowReasons;

/** The sentence that players read about a `pace` message. */
export function toldOfPace(reason: string): string {
  if (reason === '') return 'The game runs at full speed again.';
  const isOwn = reason === 'long-ticks' || reason === 'unfinished-tick';
  return `The game is slow: ${isOwn ? 'it has more to do than there is time for' : 'the server is busy'}.`;
}

/** The reasons why a room plays slower than its rate, for people. A newer server may send others. */
export const slowReasons = {
  'long-ticks':
    'Ticks of the room take longer than the time between two ticks at its rate. If the room delays other rooms, it waits between ticks.',
  'unfinished-tick': 'A tick of the room has been running for more than two seconds.',
  'full-thread': 'Together, the rooms of the thread need more time than the thread has.',
  'busy-machine': 'The thread of the room does not get enough processor time: other threads or programs use it.',
  moving: 'The room is paused for more than a second because it is being moved to another thread, or resumed there.',
} as const;
export type SlowReason = keyof typeof slowReasons;

/** The sentence that tells players about a `pace` message with this reason. */
export function toldOfPace(reason: string): string {
  if (reason === '') return 'The game runs at full speed again.';
  const isOwn = reason === 'long-ticks' || reason === 'unfinished-tick';
  return `The game is slow: ${isOwn ? 'the server cannot compute it fast enough' : 'the server is busy'}.`;
}

/** Reasons for which the playground ends a game. */
export const playgroundCodes = {
  'state-too-large': 'The state of the game became too large for the page of the playground.',
  'tick-too-long': 'A tick of the game did not end within ten seconds.',
  'worker-died': 'The thread that played the game ended, probably because its memory ran out.',
} as const;

/** A message that begins with its code. */
export const coded = (code: keyof typeof playgroundCodes, message: string = playgroundCodes[code]): string =>
  `${code}: ${message}`;

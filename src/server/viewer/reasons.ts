import type { Code } from '../../net/index.ts';

const reasons: Partial<Record<Code, string>> = {
  'server-full': 'The server is full.',
  'not-accepting': 'The game is not accepting new players now.',
  banned: 'You are banned from this game.',
  'guests-not-allowed': 'You must be logged in to play this game.',
  'not-permitted': 'Your account is not permitted to play this game.',
  'same-ip': 'Another player is already connected from your IP address.',
  'no-such-room': 'This room does not exist.',
  'origin-not-allowed': 'This page may not connect to the server.',
  'token-missing': 'You must be logged in to play on this server: open the page with #token=….',
  'token-invalid': 'Your token is not valid.',
  'token-expired': 'Your token has expired.',
  'too-slow': 'Your connection is too slow.',
  replaced: 'You are playing in another window.',
  kicked: 'You were removed from the game.',
  'resume-unknown': 'You were disconnected for too long. Join again to play.',
  'match-lost': 'The server has lost this match. Join again to play another one.',
  'room-ended': 'The game is over.',
  'room-failed': 'The game was stopped by an error.',
  'shutting-down': 'The server is shutting down.',
  'protocol-version': 'The server has another version now. Reload the page to continue.',
  'saved-data-unavailable': 'Your saved data cannot be read at present. Try again in a minute.',
};

/** Like `fetch`, but rejects with a sentence for people: the messages of browsers differ and explain nothing. */
export function fetchFrom(...given: Parameters<typeof fetch>): Promise<Response> {
  return fetch(...given).catch(() => {
    throw new Error(reasonOf(undefined));
  });
}

/** A text for players about why a connection ended. */
export function reasonOf(code: Code | undefined): string {
  if (code === undefined) return 'The server cannot be reached.';
  return reasons[code] ?? `The server ended the connection (${code}).`;
}

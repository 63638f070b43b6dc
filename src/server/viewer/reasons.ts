import type { Code } from '../client/index.ts';

const reasons: Partial<Record<Code, string>> = {
  'server-full': 'There is no place.',
  'not-accepting': 'The game lets nobody in now.',
  banned: 'You are banned from this game.',
  'guests-not-allowed': 'This game is for accounts.',
  'not-permitted': 'Your account may not play this game.',
  'same-ip': 'Somebody plays from your address already.',
  'no-such-room': 'There is no such room.',
  'token-missing': 'This server wants to know who you are: it needs a token.',
  'token-invalid': 'Your token is not valid.',
  'token-expired': 'Your token has expired.',
  'too-slow': 'Your connection is too slow.',
  replaced: 'You play on in another window.',
  kicked: 'You were removed from the game.',
  'resume-unknown': 'Your connection was lost for too long. Join again to play.',
  'match-lost': 'The match is lost: the server does not have it any more. Join again to play another.',
  'room-ended': 'The game is over.',
  'room-failed': 'The game had to be stopped.',
  'shutting-down': 'The server stops.',
};

/** Why a connection ended, for people. */
export function reasonOf(code: Code | undefined): string {
  if (code === undefined) return 'The server cannot be reached.';
  return reasons[code] ?? `The server ended the connection (${code}).`;
}

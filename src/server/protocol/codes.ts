/**
 * Why a server refuses something or ends a connection. On the wire a code is its index in this list. New codes are added at the end and none is
 * taken away, so that the two sides may be of different age.
 */
export const codes = [
  /** A code that this side does not know yet. */
  'unknown',
  // A message that is none.
  'malformed',
  'unknown-message',
  'too-long',
  'protocol-version',
  // Joining.
  'not-joined',
  'already-joined',
  'no-such-room',
  'server-full',
  'not-accepting',
  'banned',
  'guests-not-allowed',
  'not-permitted',
  'same-ip',
  'token-invalid',
  'token-expired',
  'token-missing',
  'origin-not-allowed',
  'resume-unknown',
  // Inputs.
  'no-such-player',
  'no-such-entity',
  'refused',
  'bad-input',
  'repeated',
  'out-of-order',
  'too-early',
  'too-late',
  'not-durable',
  // Limits.
  'too-large',
  'too-many',
  'too-many-connections',
  'too-slow',
  'handshake-timeout',
  'idle',
  // The end.
  'left',
  'replaced',
  'kicked',
  'room-ended',
  'room-failed',
  'shutting-down',
  'internal',
  // Of several servers, another has the room; the text says where, if that is known.
  'elsewhere',
  // A name that is not this server's led to it.
  'host-not-allowed',
  // No server has the room of the resume token any more, and none knows that it has ended.
  'match-lost',
] as const;
export type Code = (typeof codes)[number];

/** The codes that a decoder has for bytes that are no message. */
export type DecodeFault = Extract<Code, 'malformed' | 'unknown-message' | 'too-long' | 'too-large'>;

const indices: ReadonlyMap<Code, number> = new Map(codes.map((code, index) => [code, index]));

export function indexOfCode(code: Code): number {
  return indices.get(code)!;
}

/** `unknown` for an index that a newer version made. */
export function codeAt(index: number): Code {
  return codes[index] ?? 'unknown';
}

/** WebSocket close codes of applications begin here; the code's index is added. */
const closeCodesStart = 4000;

/** The number that a socket is closed with; see RFC 6455, section 7.4.2. */
export function closeCodeOf(code: Code): number {
  return closeCodesStart + indexOfCode(code);
}

/** The reason in a close code; undefined for one that is not of this protocol. */
export function codeOfClose(closeCode: number): Code | undefined {
  return closeCode >= closeCodesStart && closeCode < 5000 ? codeAt(closeCode - closeCodesStart) : undefined;
}

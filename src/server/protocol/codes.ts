/**
 * Why a server refuses a request or ends a connection. On the wire a code is its index in this list. New codes are appended and none is
 * ever removed, so that client and server may be of different versions.
 */
export const codes = [
  /** A code of a newer version. */
  'unknown',
  // Messages that cannot be decoded.
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
  // The end of the connection.
  'left',
  'replaced',
  'kicked',
  'room-ended',
  'room-failed',
  'shutting-down',
  'internal',
  // Another server of the group runs the room; the text says where, if known.
  'elsewhere',
  // The request's Host header is not a name of this server.
  'host-not-allowed',
  // No server runs the room of the resume token, and none has a record of its end.
  'match-lost',
] as const;
export type Code = (typeof codes)[number];

/** Why bytes could not be decoded as a message. */
export type DecodeFault = Extract<Code, 'malformed' | 'unknown-message' | 'too-long' | 'too-large'>;

const indices: ReadonlyMap<Code, number> = new Map(codes.map((code, index) => [code, index]));

export function indexOfCode(code: Code): number {
  return indices.get(code)!;
}

/** `unknown` for an index from a newer version. */
export function codeAt(index: number): Code {
  return codes[index] ?? 'unknown';
}

/** The first WebSocket close code that applications may use; the code's index is added to it. */
const closeCodesStart = 4000;

/** The WebSocket close code for a code; see RFC 6455, section 7.4.2. */
export function closeCodeOf(code: Code): number {
  return closeCodesStart + indexOfCode(code);
}

/** The code for a WebSocket close code; undefined for close codes outside of this protocol. */
export function codeOfClose(closeCode: number): Code | undefined {
  return closeCode >= closeCodesStart && closeCode < 5000 ? codeAt(closeCode - closeCodesStart) : undefined;
}

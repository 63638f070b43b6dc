/**
 * The reasons for which a server refuses a request or ends a connection, with the meanings that docs/protocol.md shows.
 * On the wire, a code is its index in this table. New codes are appended and none is ever removed, so that clients and
 * servers of different versions understand each other.
 */
export const codeMeanings = {
  unknown: 'a code that only a newer version knows',
  // Messages that cannot be decoded.
  malformed: 'the bytes are not a valid message',
  'unknown-message': 'no message starts with this byte',
  'too-long': 'a text exceeds the length of its field',
  'protocol-version': 'the server speaks another version',
  // Joining.
  'not-joined': 'only a connection that has a player may send this message',
  'already-joined': 'the connection already has a player',
  'no-such-room': 'no room has this id',
  'server-full': 'the room, or every room, has no free place for a player or watcher',
  'not-accepting': 'a script or the operator has closed the game to new players',
  banned: 'the account or address is banned',
  'guests-not-allowed': 'the game requires an account',
  'not-permitted': 'the player does not have the permission, or the token belongs to another account than the seat',
  'same-ip': 'another player has the same IP address, which the game does not allow',
  'token-invalid': 'the token is not signed correctly, or is for another audience',
  'token-expired': 'the token has expired',
  'token-missing': 'the server requires a token',
  'origin-not-allowed': "the page's origin is not allowed (`--origin`)",
  'resume-unknown': 'the server has no player for this resume token',
  // Inputs.
  'no-such-player': 'the player, or the player named by an input, is not in the game',
  'no-such-entity': 'the entity named by an input does not exist',
  refused: "the game's rules rejected the input",
  'bad-input': 'the fields do not match the input',
  repeated: 'this sequence number was already used',
  'out-of-order': 'inputs with earlier sequence numbers are missing; this number can be used again',
  'too-early': 'the tick is too far ahead (earlier versions only)',
  'too-late': 'the tick of the input has passed',
  'not-durable': 'the journal cannot be written, and the input may be lost',
  // Limits.
  'too-large': 'the message is larger than its type allows',
  'too-many': 'too many messages or bytes; for chat: the player sent too much and is muted',
  'too-many-connections': 'too many connections from this address',
  'too-slow': 'the client does not read fast enough',
  'handshake-timeout': 'no `join` arrived in time',
  idle: 'the server received nothing for too long, or a new player or watcher took the place of a client that gave no sign of receiving frames',
  // The end of the connection.
  left: 'the player left',
  replaced: 'the player continues on a newer connection',
  kicked: 'a script or moderator removed the player',
  'room-ended': 'the game is over',
  'room-failed': 'the room failed',
  'shutting-down': 'the server is shutting down',
  internal: 'an internal error of the server',
  // Codes that were added later.
  elsewhere:
    'another process plays the room, or will play it. The text of `refused` is the URL of that process: join there. If the text is empty, that process is not known yet: try again here',
  'host-not-allowed': 'the server does not accept this host name (`--host-name`)',
  'match-lost': 'the room of the resume token no longer exists: it was lost, or has ended on another process',
  'saved-data-unavailable': 'the saved data of the account cannot be read at present: join again later',
  // Purchases that were refused, by the names that the engine gives the reasons.
  no_shop: 'no shop is open for the player',
  no_unit: 'the player controls no unit',
  not_sold: 'the open shop does not sell this',
  not_purchasable: 'the shop shows this, but does not sell it',
  not_for_this_unit: 'the shop does not sell this to units of this type',
  requirement_not_met: 'the player or its unit lacks what the shop requires for this',
  not_affordable: 'the player or its unit has less than the price',
  cannot_carry: 'the unit may not carry this item',
  inventory_full: 'the unit has no room for this item',
  // Triggers of the host that were refused.
  'unknown-word': 'the host has not declared the trigger',
  'wrong-value': 'a value is missing, unknown or of another type than the host has declared',
} as const;
export type Code = keyof typeof codeMeanings;
export const codes = Object.keys(codeMeanings) as readonly Code[];

/** The reasons for which bytes could not be decoded as a message. */
export type DecodeFault = Extract<Code, 'malformed' | 'unknown-message' | 'too-long' | 'too-large'>;

const indices: ReadonlyMap<Code, number> = new Map(codes.map((code, index) => [code, index]));

export function indexOfCode(code: Code): number {
  return indices.get(code)!;
}

/** The code at an index; `unknown` for an index from a newer version. */
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

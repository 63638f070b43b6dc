import type { FastifyReply } from 'fastify';
import type { RoomEntry } from '../lobby/room.ts';
import type { Rooms } from '../lobby/rooms.ts';

/** The codes of HTTP error responses, each with the message that is sent unless a route says more. */
export const httpCodes = {
  'bad-input': 'The body is not a platform result: it needs kind, player and result.',
  'bad-request': 'The request is malformed.',
  elsewhere: 'Another process plays this room, or is taking it over. Send the request again.',
  'host-not-allowed': 'This host name is not allowed. Allow the name with --host-name.',
  internal: 'An internal error of the server.',
  'no-account': 'The player is a guest, who has no account to ban.',
  'no-other-thread': 'The process has no other thread with time for this room.',
  'no-such-ban': 'No ban in force has this id.',
  'no-such-definition': 'No definition with this slug is served.',
  'no-such-player': 'No player in the room has this id.',
  'no-such-process': 'No process has this id, or the process does not answer.',
  'no-such-report': 'No report has this id, or its recording is no longer kept.',
  'no-such-room': 'No room has this id.',
  'not-accepting': 'This process accepts no new players at present.',
  'not-durable':
    'The journal or the records cannot be read or written at present. The request may not have had an effect.',
  'not-found': 'There is nothing at this path.',
  'not-permitted': 'The token does not allow this.',
  'not-possible': 'This is not possible where rooms are Durable Objects.',
  'origin-not-allowed': 'Pages of this origin may not connect. Allow the origin with --origin.',
  'protocol-version': 'The server speaks none of the offered WebSocket subprotocols.',
  'room-ended': 'The game was over before its first tick.',
  'server-full': 'The room does not have enough free seats.',
  'shutting-down': 'The server is shutting down.',
  'token-invalid':
    'The token of the other process is not valid: all processes need the same token secret, and clocks that agree.',
  'too-many': 'There were too many requests from this address. Wait some seconds.',
  'too-many-connections': 'There are too many connections from this address. Close some, or wait some seconds.',
  'too-many-rooms': 'The limit of rooms of the server, of the game, or of its author is reached.',
} as const;
export type HttpCode = keyof typeof httpCodes;

/** The body of every error response. */
export function refusal(
  code: HttpCode,
  message: string = httpCodes[code],
): { readonly code: HttpCode; readonly message: string } {
  return { code, message };
}

/** Sends an error response. */
export function refuse(reply: FastifyReply, status: number, code: HttpCode, message?: string): FastifyReply {
  return reply.code(status).send(refusal(code, message));
}

/** An error that a hook or a handler throws, so that the request gets this error response. */
export class Refused extends Error {
  constructor(
    readonly statusCode: number,
    readonly code: HttpCode,
    message: string = httpCodes[code],
  ) {
    super(message);
  }
}

/** Returns a value that was looked up. If there is none, throws `Refused` with this code and status 404. */
export function found<T>(value: T | undefined, code: HttpCode): T {
  if (value === undefined) throw new Refused(404, code);
  return value;
}

/**
 * The room that a request names. Throws `Refused` if there is no such room, or, with `mustBeOpen`, if the room is not
 * open.
 */
export function roomOf(
  rooms: Rooms,
  { params }: { readonly params: { readonly id: string } },
  mustBeOpen = false,
): RoomEntry {
  const room = rooms.byId.get(params.id);
  return found(mustBeOpen && room?.state !== 'open' ? undefined : room, 'no-such-room');
}

/** The public data of a room of this process. */
export function summaryOf(rooms: Rooms, room: RoomEntry) {
  return { ...rooms.summary(room), tick: room.tick };
}

/** A complete HTTP error response, for a connection that has no reply object. The response closes the connection. */
export function refusalText(status: number, code: HttpCode, message?: string): string {
  const body = JSON.stringify(refusal(code, message));
  const head = `HTTP/1.1 ${status} ${code}\r\nConnection: close\r\nContent-Type: application/json`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

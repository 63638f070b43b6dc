import { codeOf, commandNumbers, type ServerCommand } from './commands.ts';
import { compress } from './compression.ts';

/** One command with its data, as JSON. A frame holds a list of elements. */
export type Element = string;

export function element(command: ServerCommand, data: unknown): Element {
  return `["${codeOf[command]}",${JSON.stringify(data)}]`;
}

/** Like `element`, for data that is already JSON. */
export function elementOfJson(command: ServerCommand, json: string): Element {
  return `["${codeOf[command]}",${json}]`;
}

/**
 * The element with the time of a frame. It must be the last element of each frame with positions, because clients move
 * nothing without it (reference: client-protocol#transforms).
 */
export function timeElement(ms: number): Element {
  return `["${codeOf._taroStreamTime}",${ms}]`;
}

/**
 * The position of an entity (in whole px) and its angle (in thousandths of a radian). `jumps`: clients move it there
 * immediately instead of interpolating; `cameraJumps`: a camera that follows it jumps, too.
 */
export function positionElement(
  id: string,
  x: number,
  y: number,
  angle: number,
  jumps: boolean,
  cameraJumps = false,
): Element {
  const flags = jumps ? (cameraJumps ? '&1&1' : '&1') : '';
  return JSON.stringify(`${codeOf._taroStreamData}${id}&${hex(x)}&${hex(y)}&${hex(angle)}${flags}`);
}

/** An integer in the form that clients parse: hexadecimal, signed, without a prefix. */
function hex(value: number) {
  return value.toString(16);
}

/** Combines elements into a frame. Returns a new buffer each time. */
export function frameOf(elements: readonly Element[]): Uint8Array {
  return compress(`["${codeOf._snapshot}",[${elements.join(',')}]]`);
}

/** The answer to a ping. It is sent immediately, not within a tick's `_snapshot` frame. */
export function pongFrame(sentAt: number): Uint8Array {
  return compress(`["${codeOf.ping}",${JSON.stringify({ sentAt })}]`);
}

/**
 * The first frames of a connection: the client's id, by which the client recognizes its own player, and the numbers of
 * the commands.
 */
export function handshakeFrames(clientId: string, timeMs: number): readonly Uint8Array[] {
  return [
    compress(JSON.stringify({ _netioCmd: 'id', data: clientId })),
    compress(JSON.stringify({ cmd: 'init', ncmds: commandNumbers, ts: 1, ct: Math.round(timeMs) })),
  ];
}

/** The last frame of a connection. Clients show the reason, which is HTML, and do not reconnect. */
export function closeFrame(reason: string): Uint8Array {
  return compress(JSON.stringify({ _netioCmd: 'close', data: reason }));
}

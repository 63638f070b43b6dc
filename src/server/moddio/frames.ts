import { codeOf, commandNumbers, type ServerCommand } from './commands.ts';
import { compress } from './compression.ts';

/** One command with its data, as JSON. Elements of a frame are joined by commas. */
export type Element = string;

export function element(command: ServerCommand, data: unknown): Element {
  return `["${codeOf[command]}",${JSON.stringify(data)}]`;
}

/** The same for data that is JSON already. */
export function elementOfJson(command: ServerCommand, json: string): Element {
  return `["${codeOf[command]}",${json}]`;
}

/** Ends a frame with places: without it clients do not move anything (reference: client-protocol#transforms). */
export function timeElement(ms: number): Element {
  return `["${codeOf._taroStreamTime}",${ms}]`;
}

/**
 * Where an entity is: whole px, thousandths of a radian. `jumps`: clients put it there instead of letting it glide, and a camera that follows
 * it as well where `cameraJumps`.
 */
export function placeElement(
  id: string,
  x: number,
  y: number,
  angle: number,
  jumps = false,
  cameraJumps = false,
): Element {
  const flags = jumps ? (cameraJumps ? '&1&1' : '&1') : '';
  return JSON.stringify(`${codeOf._taroStreamData}${id}&${hex(x)}&${hex(y)}&${hex(angle)}${flags}`);
}

/** A whole number as clients read it: signed, without a prefix. */
function hex(value: number): string {
  return value.toString(16);
}

/** A fresh buffer each time. */
export function frameOf(elements: readonly Element[]): Uint8Array<ArrayBuffer> {
  return compress(`["${codeOf._snapshot}",[${elements.join(',')}]]`);
}

/** The answer to a ping, which waits for no tick and stands in no snapshot. */
export function pongFrame(sentAt: number): Uint8Array<ArrayBuffer> {
  return compress(`["${codeOf.ping}",${JSON.stringify({ sentAt })}]`);
}

/** The first frames of a connection: who it is, and the commands. `clientId`: the id that says of a player that it is the client's own. */
export function handshakeFrames(clientId: string, timeMs: number): readonly Uint8Array<ArrayBuffer>[] {
  return [
    compress(JSON.stringify({ _netioCmd: 'id', data: clientId })),
    compress(JSON.stringify({ cmd: 'init', ncmds: commandNumbers, ts: 1, ct: Math.round(timeMs) })),
  ];
}

/** The last frame of a connection. Clients show the reason, which is HTML, and do not come again. */
export function closeFrame(reason: string): Uint8Array<ArrayBuffer> {
  return compress(JSON.stringify({ _netioCmd: 'close', data: reason }));
}

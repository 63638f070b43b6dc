import { Packr, Unpackr } from 'msgpackr';

/**
 * Messages in a file are framed: length and checksum (four bytes each, little-endian), then the message as MessagePack.
 * Reading stops at a truncated or damaged frame; everything before it is intact.
 */
const headBytes = 8;

// Shared structures are disabled, so that each frame can be decoded on its own.
const packr = new Packr({ useRecords: false });
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: 'number' });

export function frameOf(content: unknown): Uint8Array {
  const { buffer, byteOffset, length } = packr.pack(content);
  const message = new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  const frame = new Uint8Array(headBytes + message.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, message.length, true);
  view.setUint32(4, sumOf(message), true);
  frame.set(message, headBytes);
  return frame;
}

/**
 * Reads messages from an offset until a frame is damaged or its message is not `accepted`. `lostBytes` is the number of
 * bytes after the last complete message. Never throws.
 */
export function readFrames<T>(bytes: Uint8Array, start: number, accepted: (value: unknown) => value is T) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages: T[] = [];
  let at = start;
  while (at + headBytes <= bytes.length) {
    const end = at + headBytes + view.getUint32(at, true);
    if (end > bytes.length) break;
    const packed = bytes.subarray(at + headBytes, end);
    if (view.getUint32(at + 4, true) !== sumOf(packed)) break;
    const message = unpacked(packed);
    if (!accepted(message)) break;
    messages.push(message);
    at = end;
  }
  return { messages, lostBytes: bytes.length - at };
}

/** Decodes a message; undefined if the bytes are not a message. */
function unpacked(packed: Uint8Array): unknown {
  try {
    return unpackr.unpack(packed);
  } catch {
    return undefined;
  }
}

/** The checksum is FNV-1a, which suffices to detect a torn frame. */
function sumOf(bytes: Uint8Array) {
  let sum = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) sum = Math.imul(sum ^ bytes[i]!, 0x01000193);
  return sum >>> 0;
}

/** Concatenates byte arrays. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

import { Packr, Unpackr } from 'msgpackr';

/**
 * Messages in a file: the length of each and a check sum of it, four bytes each, little-endian, and the message in MessagePack. A frame that is
 * cut short or damaged ends the reading; what stands before it is whole.
 */
const headBytes = 8;

// Without shared structures, so that each frame can be read by itself.
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

interface Frames<T> {
  readonly messages: readonly T[];
  /** Bytes behind the last whole message. */
  readonly lostBytes: number;
}

/** Reads from an offset on until something is none of the messages that are `accepted`. Never throws. */
export function readFrames<T>(bytes: Uint8Array, start: number, accepted: (value: unknown) => value is T): Frames<T> {
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

/** Undefined for what is no message. */
function unpacked(packed: Uint8Array): unknown {
  try {
    return unpackr.unpack(packed);
  } catch {
    return undefined;
  }
}

/** FNV-1a: enough to distinguish a whole frame from a torn one. */
function sumOf(bytes: Uint8Array): number {
  let sum = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) sum = Math.imul(sum ^ bytes[i]!, 0x01000193);
  return sum >>> 0;
}

/**
 * The compression of the protocol: the UTF-16 format of lz-string, that is LZW with code widths that grow with the
 * dictionary, with 15 bits per character (reference: client-protocol#compression). It is implemented here, because the
 * library's compressor takes four times as long: its dictionary holds a string for each sequence, so a newcomer to a
 * large map would stall the room's tick.
 */

const bitsPerCharacter = 15;
/** This number is added to each output character, so that it is not a control character. */
const characterStart = 32;
/** Codes that precede a literal character of 8 or 16 bits. */
const literal8 = 0;
const literal16 = 1;
const end = 2;
const firstCode = 3;

const encoder = new TextEncoder();
/** The characters of the output. Reused by every call; it grows to the longest output. */
let out = new Uint16Array(1 << 12);

/** Compresses a string. Returns the result as UTF-8, in a new buffer that is never empty. */
export function compress(text: string): Uint8Array {
  // Each input character takes at most a code and 16 bits.
  if (out.length < text.length * 3 + 4) out = new Uint16Array(text.length * 6);
  let length = 0;
  let held = 0;
  let heldBits = 0;
  /** Appends bits of a number, lowest first; the first bit becomes the highest bit of its character. */
  const put = (value: number, bits: number) => {
    for (let bit = 0; bit < bits; bit++) {
      held = (held << 1) | ((value >> bit) & 1);
      if (++heldBits < bitsPerCharacter) continue;
      out[length++] = held + characterStart;
      held = 0;
      heldBits = 0;
    }
  };
  let bits = 2;
  /** How many more codes have the current width. */
  let left = 2;
  const putCode = (code: number) => {
    put(code, bits);
    if (--left === 0) left = 1 << bits++;
  };
  /** The codes of single characters by character, and those of longer sequences by `key`. */
  const codes = new Map<number, number>();
  const key = (prefix: number, character: number) => prefix * 0x10000 + character;
  let nextCode = firstCode;
  let prefix: number | undefined;
  for (let i = 0; i < text.length; ) {
    const character = text.charCodeAt(i++);
    const isNew = !codes.has(character);
    if (isNew) codes.set(character, nextCode++);
    if (prefix !== undefined) codes.set(key(prefix, character), nextCode++);
    prefix = codes.get(character)!;
    if (isNew) {
      putCode(character < 256 ? literal8 : literal16);
      put(character, character < 256 ? 8 : 16);
      if (--left === 0) left = 1 << bits++;
      continue;
    }
    for (let longer: number | undefined; i < text.length; i++, prefix = longer) {
      longer = codes.get(key(prefix, text.charCodeAt(i)));
      if (longer === undefined) break;
    }
    putCode(prefix);
  }
  put(end, bits);
  // Fills the last character with zero bits.
  if (heldBits > 0) put(0, bitsPerCharacter - heldBits);
  return encoder.encode(Buffer.from(out.buffer, 0, length * 2).toString('utf16le'));
}

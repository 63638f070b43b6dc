/**
 * The compression of the protocol, which is lz-string's UTF-16 format: LZW with code widths that grow with the dictionary, 15 bits per
 * character (reference: client-protocol#compression). It is implemented here because it dominates the cost of a frame: the dictionary is a
 * flat table, and the output is written as UTF-8 directly.
 */

const bitsPerCharacter = 15;
/** Added to each output character, to avoid control characters. */
const characterStart = 32;
/** Codes that precede a literal character of 8 or 16 bits. */
const literal8 = 0;
const literal16 = 1;
const end = 2;
const firstCode = 3;
const noCode = -1;
/** Stands for the index of a code if no code deviates. */
const never = -1;

/** How a code is chosen: normally for the longest known sequence. */
const longest = 0;
/** Deviation: a known character is sent as an 8-bit literal again. */
const repeatLiteral8 = 1;
/** Deviation: as a 16-bit literal. */
const repeatLiteral16 = 2;
const deviations = [repeatLiteral8, repeatLiteral16] as const;

/**
 * Texts of at most this many characters are encoded in several ways, and the shortest result is sent. Lower characters take fewer bytes of
 * UTF-8, so the length in bytes depends on how the codes are aligned to the characters.
 */
const triedMax = 128;
/** The number of additional encodings, each with one deviating code. Few of them are shorter; trying all saves 3 % and takes about 0.1 ms. */
const triesMax = 64;

/** Codes of single characters. Reused by every encoding, which clears it at its end. */
const codes = new Int32Array(0x10000).fill(noCode);
const found = new Uint16Array(0x10000);

/**
 * The dictionary of longer sequences, a hash table with open addressing: code of the prefix and last character give the code. A slot is free
 * unless the current encoding wrote it, which saves clearing the table.
 */
let slots = 1 << 9;
let prefixes = new Int32Array(slots);
let lasts = new Int32Array(slots);
let values = new Int32Array(slots);
let encodings = new Int32Array(slots);
let encoding = 0;

let out = new Uint8Array(1 << 12);

/** The 16 bits of a number in reverse order. */
const reversed = new Uint16Array(0x10000);
for (let i = 0; i < reversed.length; i++) reversed[i] = (reversed[i >> 1]! >> 1) | ((i & 1) << 15);

/** Returns the compressed text as UTF-8, in a new buffer. Never empty. */
export function compress(text: string): Uint8Array<ArrayBuffer> {
  reserve(text.length);
  const count = encode(text, never, longest);
  let shortest = out.slice(0, bytes);
  if (text.length > triedMax) return shortest;
  const step = Math.ceil((count * deviations.length) / triesMax);
  for (let at = count - 1; at >= 0; at -= step) {
    for (const deviation of deviations) {
      encode(text, at, deviation);
      if (bytes < shortest.length) shortest = out.slice(0, bytes);
    }
  }
  return shortest;
}

/** Encodes the text into `out`, with a deviation at the code of index `deviatesAt`. Returns the number of codes. */
function encode(text: string, deviatesAt: number, deviation: number): number {
  encoding++;
  held = 0;
  heldBits = 0;
  bytes = 0;
  let prefix = noCode;
  let nextCode = firstCode;
  let bits = 2;
  /** How many more codes have this width. */
  let left = 2;
  let foundCount = 0;
  let index = 0;
  for (let i = 0; i < text.length; index++) {
    const how = index === deviatesAt ? deviation : longest;
    const character = text.charCodeAt(i++);
    const isNew = codes[character] === noCode;
    const isLiteral = isNew || how !== longest;
    if (isNew) {
      codes[character] = nextCode;
      found[foundCount++] = character;
    }
    // A client adds every literal to its dictionary, even if the character is in it already.
    if (isLiteral) nextCode++;
    if (prefix !== noCode) {
      const slot = slotOf(prefix, character);
      if (encodings[slot] !== encoding) {
        encodings[slot] = encoding;
        prefixes[slot] = prefix;
        lasts[slot] = character;
        values[slot] = nextCode;
      }
      nextCode++;
    }
    prefix = codes[character]!;
    if (isLiteral) {
      const isWide = character >= 256 || how === repeatLiteral16;
      put(isWide ? literal16 : literal8, bits);
      put(character, isWide ? 16 : 8);
      if (--left === 0) left = 1 << bits++;
    } else {
      while (i < text.length) {
        const slot = slotOf(prefix, text.charCodeAt(i));
        if (encodings[slot] !== encoding) break;
        prefix = values[slot]!;
        i++;
      }
      put(prefix, bits);
    }
    if (--left === 0) left = 1 << bits++;
  }
  put(end, bits);
  if (heldBits > 0) put(0, bitsPerCharacter - heldBits);
  for (let i = 0; i < foundCount; i++) codes[found[i]!] = noCode;
  return index;
}

/** Grows the buffers for a text of this length. */
function reserve(characters: number): void {
  // At least half of the slots stay free.
  while (slots < characters * 2) slots *= 2;
  // Also starts over before the number of the encoding overflows 32 bits.
  if (prefixes.length < slots || encoding > 2 ** 30) {
    prefixes = new Int32Array(slots);
    lasts = new Int32Array(slots);
    values = new Int32Array(slots);
    encodings = new Int32Array(slots);
    encoding = 0;
  }
  // At most a code and 16 bits per input character, and 3 bytes per 15 bits.
  const most = characters * 8 + 64;
  if (out.length < most) out = new Uint8Array(most * 2);
}

function slotOf(prefix: number, character: number): number {
  let slot = Math.imul(prefix, 0x9e3779b1) ^ Math.imul(character, 0x85ebca6b);
  slot = (slot ^ (slot >>> 15)) & (slots - 1);
  while (encodings[slot] === encoding && (prefixes[slot] !== prefix || lasts[slot] !== character)) {
    slot = (slot + 1) & (slots - 1);
  }
  return slot;
}

/** Bits that do not fill a character yet. */
let held = 0;
let heldBits = 0;
/** Length of the output. */
let bytes = 0;

/** Appends bits of a number, lowest first; the first bit becomes the highest of its character. */
function put(value: number, bits: number): void {
  if (bits > 16) {
    put(value & 0xffff, 16);
    put(value >> 16, bits - 16);
    return;
  }
  held = (held << bits) | (reversed[value & 0xffff]! >> (16 - bits));
  heldBits += bits;
  while (heldBits >= bitsPerCharacter) {
    heldBits -= bitsPerCharacter;
    putCharacter((held >> heldBits) & 0x7fff);
    held &= (1 << heldBits) - 1;
  }
}

function putCharacter(value: number): void {
  const character = value + characterStart;
  if (character < 0x80) {
    out[bytes++] = character;
  } else if (character < 0x800) {
    out[bytes++] = 0xc0 | (character >> 6);
    out[bytes++] = 0x80 | (character & 0x3f);
  } else {
    out[bytes++] = 0xe0 | (character >> 12);
    out[bytes++] = 0x80 | ((character >> 6) & 0x3f);
    out[bytes++] = 0x80 | (character & 0x3f);
  }
}

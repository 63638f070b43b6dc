/**
 * The compression of the protocol, as clients expand it: LZW with codes that grow with the dictionary, 15 bits to a character (reference:
 * client-protocol#compression). It is written here because it is most of the time that a frame costs. The dictionary is a flat table, and
 * the characters go out as UTF-8 at once.
 */

const bitsPerCharacter = 15;
/** Characters below are no text. */
const characterStart = 32;
/** Codes before a character that is new: 8 bits or 16 follow. */
const newNarrow = 0;
const newWide = 1;
const end = 2;
const firstCode = 3;
const noCode = -1;
/** No code departs. */
const never = -1;

/** How a code departs from the longest sequence that is known. */
const longest = 0;
/** The character again, as if it were new. */
const spelled = 1;
/** The same in 16 bits. */
const spelledWide = 2;
const departures = [spelled, spelledWide] as const;

/**
 * A frame of so many characters is written in several ways, of which the shortest is sent. Small characters take fewer bytes of UTF-8, so
 * that its length depends on where codes come to stand.
 */
const triedMax = 128;
/** Ways beside the usual one, each with one code that departs. Each saves something with little chance, all together 3 %. They take some 0.1 ms. */
const triesMax = 64;

/** Codes of single characters. Used again by every writing, and cleared by its end. */
const codes = new Int32Array(0x10000).fill(noCode);
const found = new Uint16Array(0x10000);

/** Codes of longer sequences: the code of what goes before, the last character, the code. Open addressing; a slot of an older writing is free. */
let slots = 1 << 9;
let prefixes = new Int32Array(slots);
let lasts = new Int32Array(slots);
let values = new Int32Array(slots);
let writings = new Int32Array(slots);
let writing = 0;

let out = new Uint8Array(1 << 12);

/** The bits of a number of 16 in the other order. */
const reversed = new Uint16Array(0x10000);
for (let i = 0; i < reversed.length; i++) reversed[i] = (reversed[i >> 1]! >> 1) | ((i & 1) << 15);

/** A fresh buffer: UTF-8 of the compressed text. Never empty. */
export function compress(text: string): Uint8Array<ArrayBuffer> {
  makeRoom(text.length);
  const count = write(text, never, longest);
  let shortest = out.slice(0, bytes);
  if (text.length > triedMax) return shortest;
  const step = Math.ceil((count * departures.length) / triesMax);
  for (let at = count - 1; at >= 0; at -= step) {
    for (const departure of departures) {
      write(text, at, departure);
      if (bytes < shortest.length) shortest = out.slice(0, bytes);
    }
  }
  return shortest;
}

/** Writes the text with one code that departs, and gives the number of codes. */
function write(text: string, departs: number, departure: number): number {
  writing++;
  held = 0;
  heldBits = 0;
  bytes = 0;
  let prefix = noCode;
  let nextCode = firstCode;
  let bits = 2;
  /** Codes that still fit into so many bits. */
  let left = 2;
  let foundCount = 0;
  let index = 0;
  for (let i = 0; i < text.length; index++) {
    const how = index === departs ? departure : longest;
    const character = text.charCodeAt(i++);
    const isNew = codes[character] === noCode;
    const isSpelled = isNew || how !== longest;
    if (isNew) {
      codes[character] = nextCode;
      found[foundCount++] = character;
    }
    // Clients number a character that is spelled anew, also where they have it.
    if (isSpelled) nextCode++;
    if (prefix !== noCode) {
      const slot = slotOf(prefix, character);
      if (writings[slot] !== writing) {
        writings[slot] = writing;
        prefixes[slot] = prefix;
        lasts[slot] = character;
        values[slot] = nextCode;
      }
      nextCode++;
    }
    prefix = codes[character]!;
    if (isSpelled) {
      const isWide = character >= 256 || how === spelledWide;
      put(isWide ? newWide : newNarrow, bits);
      put(character, isWide ? 16 : 8);
      if (--left === 0) left = 1 << bits++;
    } else {
      while (i < text.length) {
        const slot = slotOf(prefix, text.charCodeAt(i));
        if (writings[slot] !== writing) break;
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

function makeRoom(characters: number): void {
  // Half of the slots stay free.
  while (slots < characters * 2) slots *= 2;
  // Before numbers of writings are larger than slots can hold.
  if (prefixes.length < slots || writing > 2 ** 30) {
    prefixes = new Int32Array(slots);
    lasts = new Int32Array(slots);
    values = new Int32Array(slots);
    writings = new Int32Array(slots);
    writing = 0;
  }
  // At most 16 bits and a code for each character, and 3 bytes for 15 bits.
  const most = characters * 8 + 64;
  if (out.length < most) out = new Uint8Array(most * 2);
}

function slotOf(prefix: number, character: number): number {
  let slot = Math.imul(prefix, 0x9e3779b1) ^ Math.imul(character, 0x85ebca6b);
  slot = (slot ^ (slot >>> 15)) & (slots - 1);
  while (writings[slot] === writing && (prefixes[slot] !== prefix || lasts[slot] !== character)) {
    slot = (slot + 1) & (slots - 1);
  }
  return slot;
}

let held = 0;
let heldBits = 0;
let bytes = 0;

/** The lowest bit goes first, and stands highest in its character. */
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

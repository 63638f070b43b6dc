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

/** Codes of single characters. All three are used again by every call, and cleared by its end. */
const codes = new Int32Array(0x10000).fill(noCode);
/** 1 for a character that was found and not written yet. */
const unwritten = new Uint8Array(0x10000);
const found = new Uint16Array(0x10000);

/** Codes of longer sequences: the code of what goes before, the last character, the code. Open addressing; a slot of an older call is free. */
let slots = 1 << 12;
let prefixes = new Int32Array(slots);
let lasts = new Int32Array(slots);
let values = new Int32Array(slots);
let calls = new Int32Array(slots);
let call = 0;

let out = new Uint8Array(1 << 12);
let length = 0;
let held = 0;
let heldBits = 0;

/** A fresh buffer: UTF-8 of the compressed text. Never empty. */
export function compress(text: string): Uint8Array<ArrayBuffer> {
  begin(text.length);
  let foundCount = 0;
  let nextCode = firstCode;
  let bits = 2;
  /** Codes that still fit into so many bits. */
  let left = 2;
  let prefix = noCode;
  let prefixCharacter = noCode;

  const write = (): void => {
    if (prefixCharacter !== noCode && unwritten[prefixCharacter] === 1) {
      unwritten[prefixCharacter] = 0;
      const isWide = prefixCharacter >= 256;
      put(isWide ? newWide : newNarrow, bits);
      put(prefixCharacter, isWide ? 16 : 8);
      spend();
    } else put(prefix, bits);
    spend();
  };
  const spend = (): void => {
    if (--left > 0) return;
    left = 2 ** bits;
    bits++;
  };

  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (codes[character] === noCode) {
      codes[character] = nextCode++;
      unwritten[character] = 1;
      found[foundCount++] = character;
    }
    if (prefix === noCode) {
      prefix = codes[character]!;
      prefixCharacter = character;
      continue;
    }
    const slot = slotOf(prefix, character);
    if (calls[slot] === call) {
      prefix = values[slot]!;
      prefixCharacter = noCode;
      continue;
    }
    write();
    calls[slot] = call;
    prefixes[slot] = prefix;
    lasts[slot] = character;
    values[slot] = nextCode++;
    prefix = codes[character]!;
    prefixCharacter = character;
  }
  if (prefix !== noCode) write();
  put(end, bits);
  // The last character is filled up, also where it would be empty, and a space ends the text.
  put(0, bitsPerCharacter - heldBits);
  putCharacter(0);
  for (let i = 0; i < foundCount; i++) {
    codes[found[i]!] = noCode;
    unwritten[found[i]!] = 0;
  }
  return out.slice(0, length);
}

function begin(characters: number): void {
  // Half of the slots stay free.
  while (slots < characters * 2) slots *= 2;
  if (prefixes.length < slots) {
    prefixes = new Int32Array(slots);
    lasts = new Int32Array(slots);
    values = new Int32Array(slots);
    calls = new Int32Array(slots);
    call = 0;
  }
  // At most 16 bits and a code for each character, and 3 bytes for 15 bits.
  const most = characters * 8 + 64;
  if (out.length < most) out = new Uint8Array(most * 2);
  call++;
  length = 0;
  held = 0;
  heldBits = 0;
}

function slotOf(prefix: number, character: number): number {
  let slot = (Math.imul(prefix, 0x9e3779b1) ^ Math.imul(character, 0x85ebca6b)) >>> 0;
  slot = (slot ^ (slot >>> 15)) & (slots - 1);
  while (calls[slot] === call && (prefixes[slot] !== prefix || lasts[slot] !== character)) {
    slot = (slot + 1) & (slots - 1);
  }
  return slot;
}

/** The lowest bit goes first, and stands highest in its character. */
function put(value: number, bits: number): void {
  let rest = value;
  for (let i = 0; i < bits; i++) {
    held = (held << 1) | (rest & 1);
    rest >>= 1;
    if (++heldBits < bitsPerCharacter) continue;
    putCharacter(held);
    held = 0;
    heldBits = 0;
  }
}

function putCharacter(value: number): void {
  const character = value + characterStart;
  if (character < 0x80) {
    out[length++] = character;
  } else if (character < 0x800) {
    out[length++] = 0xc0 | (character >> 6);
    out[length++] = 0x80 | (character & 0x3f);
  } else {
    out[length++] = 0xe0 | (character >> 12);
    out[length++] = 0x80 | ((character >> 6) & 0x3f);
    out[length++] = 0x80 | (character & 0x3f);
  }
}

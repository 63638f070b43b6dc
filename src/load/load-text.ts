import { constants, isUtf8 } from 'node:buffer';
import { close, fstat, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { defaultJsonLimits, Issues, type JsonLimits } from '../../engine/core/index.ts';
import { tooLargeMessage } from './parse-document.ts';

export interface LoadOptions {
  readonly limits?: JsonLimits | undefined;
  /** The stream to read for the source `-`. Default: the standard input of the process. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
}

interface LoadedText {
  /** The path as given, or `<stdin>`. */
  readonly name: string;
  /**
   * The text without a byte order mark. Bytes that are not UTF-8 become U+FFFD, so that the position can still be
   * shown. `''` if nothing was read.
   */
  readonly text: string;
  /** The issues found while reading. Empty if and only if the text is usable. */
  readonly issues: Issues;
}

export const stdinSource = '-';
const stdinName = '<stdin>';
const pieceLength = 1 << 16;

// Importing `node:fs/promises` instead would add four milliseconds to startup.
const openFile = promisify(open);
const statOf = promisify(fstat);
const readInto = promisify(read);
const closeFile = promisify(close);

/**
 * Reads a file or standard input (`-`) as UTF-8. Detects gzip by content, whatever the file is called. Keeps at most
 * `limits.bytesMax` bytes in memory, before and after decompression. Each failure is an issue (`unreadable-file`,
 * `too-large`, or `syntax-error` for bytes that are not UTF-8); the function never throws.
 */
export async function loadText(source: string, options: LoadOptions = {}): Promise<LoadedText> {
  const limits = options.limits ?? defaultJsonLimits;
  // A text that is longer than the longest JavaScript string is always too large.
  const bytesMax = Math.min(limits.bytesMax, constants.MAX_STRING_LENGTH);
  const issues = new Issues();
  const name = source === stdinSource ? stdinName : source;
  const bytes = await readBytes(source, options, bytesMax, name, issues);
  const unpacked = bytes !== undefined && isGzip(bytes) ? await unpack(bytes, bytesMax, name, issues) : bytes;
  const text = unpacked === undefined ? '' : decode(unpacked, issues);
  return { name, text, issues };
}

async function readBytes(
  source: string,
  options: LoadOptions,
  bytesMax: number,
  name: string,
  issues: Issues,
): Promise<Uint8Array | undefined> {
  let file: number | undefined;
  try {
    // `process.stdin` is touched only here, because creating the stream takes some milliseconds.
    if (source === stdinSource) return await collect(options.stdin ?? process.stdin, bytesMax, issues);
    file = await openFile(source, 'r');
    const stat = await statOf(file);
    if (stat.isDirectory()) {
      issues.add('unreadable-file', '', fileErrorMessage(name, 'EISDIR'));
      return undefined;
    }
    // Checking the size first avoids reading a file that is too large. The bytes are counted as well, because a pipe
    // has no size and a file may grow.
    if (stat.size > bytesMax) {
      issues.add('too-large', '', tooLargeMessage(bytesMax));
      return undefined;
    }
    return await collect(piecesOf(file, stat.size), bytesMax, issues);
  } catch (thrown) {
    issues.add('unreadable-file', '', fileErrorMessage(name, errorCode(thrown)));
    return undefined;
  } finally {
    if (file !== undefined) await closeFile(file);
  }
}

/** Reads a file in pieces. Avoids a Node stream, whose modules take some milliseconds to load. */
async function* piecesOf(file: number, size: number): AsyncIterable<Uint8Array> {
  // One byte more than the file's size, so that the first read also finds the end.
  for (let length = size + 1; ; length = pieceLength) {
    const piece = new Uint8Array(Math.max(length, pieceLength));
    const { bytesRead } = await readInto(file, piece, 0, piece.length, null);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
  }
}

async function collect(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
  issues: Issues,
): Promise<Uint8Array | undefined> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytesMax) {
      issues.add('too-large', '', tooLargeMessage(bytesMax));
      return undefined;
    }
    kept.push(chunk);
  }
  if (kept.length === 1) return kept[0];
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of kept) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function unpack(
  bytes: Uint8Array,
  bytesMax: number,
  name: string,
  issues: Issues,
): Promise<Uint8Array | undefined> {
  // Imported by way of a module of ours, so that the bundler puts `node:zlib` into a chunk that loads on demand.
  const { unzipped } = await import('./gunzip.ts');
  try {
    const { buffer, byteOffset, length } = await unzipped(bytes, { maxOutputLength: bytesMax });
    return new Uint8Array(buffer, byteOffset, length);
  } catch (thrown) {
    if (errorCode(thrown) === 'ERR_BUFFER_TOO_LARGE') issues.add('too-large', '', tooLargeMessage(bytesMax));
    else issues.add('unreadable-file', '', `The gzip data of "${name}" is damaged or incomplete.`);
    return undefined;
  }
}

function decode(bytes: Uint8Array, issues: Issues): string {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const { buffer, byteOffset, length } = bytes;
  if (isUtf8(bytes)) return Buffer.from(buffer, byteOffset, length).toString('utf8', start);
  const text = new TextDecoder().decode(bytes);
  const { byte, offset } = firstInvalid(bytes, start, text);
  const hex = (bytes[byte] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const message = isUtf16
    ? 'The text is UTF-16; save it as UTF-8.'
    : `The text is not UTF-8: byte ${byte} (counted from 0, hexadecimal ${hex}) is invalid.`;
  issues.add('syntax-error', '', message, { offset });
  return text;
}

/**
 * Finds the first invalid byte. Decoding replaced invalid bytes by U+FFFD, but the document may contain that character
 * itself. Up to the first invalid byte, the decoded text tells exactly how many bytes it came from, so the first U+FFFD
 * that is not literally in the bytes marks the position.
 */
function firstInvalid(bytes: Uint8Array, start: number, text: string): { byte: number; offset: number } {
  let byte = start;
  let counted = 0;
  for (let offset = text.indexOf('\ufffd'); offset !== -1; offset = text.indexOf('\ufffd', offset + 1)) {
    byte += Buffer.byteLength(text.slice(counted, offset));
    counted = offset;
    if (bytes[byte] !== 0xef || bytes[byte + 1] !== 0xbf || bytes[byte + 2] !== 0xbd) return { byte, offset };
  }
  return { byte: bytes.length, offset: text.length };
}

/** An error of the file system in words. Codes without a text here are shown unchanged. */
export function fileErrorMessage(name: string, code: string): string {
  switch (code) {
    case 'ENOENT':
      return `File "${name}" not found.`;
    case 'EISDIR':
      return `"${name}" is a directory, not a file.`;
    case 'ENOTDIR':
      return `File "${name}" not found: part of its path is a file, not a directory.`;
    case 'EACCES':
    case 'EPERM':
      return `"${name}" cannot be read: permission denied.`;
    default:
      return `"${name}" cannot be read (${code}).`;
  }
}

export function errorCode(thrown: unknown): string {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return thrown instanceof Error ? thrown.name : 'unknown error';
}

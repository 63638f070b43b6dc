import { constants, isUtf8 } from 'node:buffer';
import { createReadStream, readFileSync, statSync } from 'node:fs';
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

/**
 * Reads a file or standard input (`-`) as UTF-8. Detects gzip by content, whatever the file is called. Never keeps more
 * than `limits.bytesMax` bytes in memory, neither of the file nor of its decompressed content. Each failure is an issue
 * (`unreadable-file`, `too-large`, or `syntax-error` for bytes that are not UTF-8); the function never throws.
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
  try {
    // `process.stdin` is touched only here, because creating the stream takes some milliseconds.
    if (source === stdinSource) return await collect(options.stdin ?? process.stdin, bytesMax, issues);
    const stat = statSync(source);
    if (stat.isDirectory()) {
      issues.add(
        'unreadable-file',
        '',
        `${fileErrorMessage(name, 'EISDIR')} If the folder contains a split game, join it first: reenact join ${name}`,
      );
      return undefined;
    }
    // The size is checked first, to avoid reading a file that is too large. A pipe has no size.
    if (stat.size > bytesMax) {
      issues.add('too-large', '', tooLargeMessage(bytesMax));
      return undefined;
    }
    // A stream takes some milliseconds to load, so files are read without one.
    return await collect(
      stat.isFile() ? [readFileSync(source) as Uint8Array] : createReadStream(source),
      bytesMax,
      issues,
    );
  } catch (thrown) {
    issues.add('unreadable-file', '', fileErrorMessage(name, errorCode(thrown)));
    return undefined;
  }
}

async function collect(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
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
  return kept.length === 1 ? kept[0] : (Buffer.concat(kept) as Uint8Array);
}

function isGzip(bytes: Uint8Array) {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function unpack(
  bytes: Uint8Array,
  bytesMax: number,
  name: string,
  issues: Issues,
): Promise<Uint8Array | undefined> {
  // `node:zlib` is imported by a module of our own, which the bundler puts into a file that is loaded on demand.
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

function decode(bytes: Uint8Array, issues: Issues) {
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

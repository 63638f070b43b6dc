const methodStored = 0;
/** Names are UTF-8. */
const flags = 0x0800;
/** 1 January 1980, the earliest date of the format, so that equal files give equal archives. */
const date = 0x0021;

/**
 * A zip archive of text files by path, without compression. Paths of `executables` keep their permission on systems that
 * know it.
 */
export function zipOf(files: Readonly<Record<string, string>>, executables: ReadonlySet<string>): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  const entries = Object.entries(files);
  for (const [path, text] of entries) {
    const [name, content] = [encoder.encode(path), encoder.encode(text)];
    const common = [
      ...[short(flags), short(methodStored), short(0), short(date)],
      ...[long(crc32(content)), long(content.length), long(content.length), short(name.length), short(0)],
    ];
    const local = joined([long(0x04034b50), short(10), ...common, name, content]);
    const mode = executables.has(path) ? 0o100755 : 0o100644;
    // "Made by" Unix, without which permissions are ignored.
    const head = [long(0x02014b50), short(0x030a), short(10), ...common];
    directory.push(joined([...head, short(0), short(0), short(0), long(mode * 0x10000), long(offset), name]));
    parts.push(local);
    offset += local.length;
  }
  const listed = joined(directory);
  const count = short(entries.length);
  const end = [long(0x06054b50), short(0), short(0), count, count, long(listed.length), long(offset), short(0)];
  return joined([...parts, listed, ...end]);
}

const crcs = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ crcs[(crc ^ byte) & 0xff]!;
  return ~crc >>> 0;
}

function short(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, value >>> 8);
}

function long(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

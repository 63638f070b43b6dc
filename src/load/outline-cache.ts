import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hashText } from '../../engine/core/hash.ts';
import type { DialectName, Severity } from '../../engine/index.ts';
import type { Outline } from '../../engine/internal.ts';
import { pruneCache, readCacheFile, verifiedHalf, writeCacheFile } from '../machine/cache-file.ts';
import { cacheFolder } from '../machine/cache-folder.ts';
import { compiledCode } from '../machine/compiled-code.ts';

/** Larger documents are not cached. */
const bytesMax = 4 * 1024 * 1024;
/** Each file is about as large as its document, so the cache takes at most some 70 MB. */
const filesMax = 15;

/** The result of a lookup. `other`: the cached outline belongs to another text or another version of the program. */
export type CacheLookup = 'none' | 'other' | 'damaged' | 'used';

/** What the summary of a run reports about a game, and what an outline alone does not show. */
export interface GameFacts {
  readonly issues: Readonly<Record<Severity, number>>;
  /** Calls of operations that this version does not know, by name. */
  readonly unknown: Readonly<Record<string, number>>;
}

/** The outline of a game, with its facts for each dialect in which it was run. */
interface CachedGame {
  readonly outline: Outline;
  readonly facts: { readonly [D in DialectName]?: GameFacts };
}

/**
 * Caches the outlines of games that were run, one file per path, so a changed game overwrites its old entry. Each file
 * holds the outline twice, to detect damage, and then the whole text: comparing the text avoids relying on a digest.
 */
export class OutlineCache {
  private readonly folder: string;
  private readonly program: string;

  /** `program` identifies the version of the program that writes and reads the files. */
  constructor(folder: string, program: string) {
    this.folder = folder;
    this.program = program;
  }

  /** Looks up the outline of the game at `path` with this content. */
  find(path: string, content: Uint8Array): { readonly found: CacheLookup; readonly kept?: CachedGame } {
    const file = readCacheFile(this.fileOf(path));
    if (file === undefined) return { found: 'none' };
    const size = file.length - content.length;
    if (size <= 0 || Buffer.compare(content, file.subarray(size)) !== 0) return { found: 'other' };
    const head = verifiedHalf(file.subarray(0, size));
    if (head === undefined) return { found: 'damaged' };
    try {
      const { program, ...kept } = JSON.parse(textOf(head)) as CachedGame & { readonly program: string };
      return program === this.program ? { found: 'used', kept } : { found: 'other' };
    } catch {
      return { found: 'damaged' };
    }
  }

  /** Stores an outline. Does nothing if the document is too large or the folder cannot be written. */
  keep(path: string, content: Uint8Array, kept: CachedGame): void {
    if (content.length > bytesMax) return;
    const head = new TextEncoder().encode(JSON.stringify({ program: this.program, ...kept }));
    try {
      pruneCache(this.folder, filesMax);
      writeCacheFile(this.fileOf(path), head, head, content);
    } catch {
      // The cache is optional: a failed write is ignored.
    }
  }

  private fileOf(path: string): string {
    return join(this.folder, hashText(resolve(path)));
  }
}

/** Opens the cache of this program; undefined if caching is off. */
export function openOutlineCache(): OutlineCache | undefined {
  const code = compiledCode();
  const cache = cacheFolder();
  if (code === undefined || cache === undefined) return undefined;
  // File names in the bundle contain content hashes, so the list identifies the build.
  return new OutlineCache(join(cache, 'games'), readdirSync(code.folder).join(' '));
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString();
}

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hashText } from '../../engine/core/hash.ts';
import type { DialectName, Severity } from '../../engine/index.ts';
import type { Outline } from '../../engine/internal.ts';
import { cacheFolder } from '../machine/cache-folder.ts';
import { compiledCode } from '../machine/compiled-code.ts';
import { halfOf, makeRoom, readKept, writeKept } from '../machine/kept-file.ts';

/** Of a document. A larger one is read whole. */
const bytesMax = 4 * 1024 * 1024;
/** Each is as large as its document; together some 70 MB at most. */
const filesMax = 15;

/** The result of a look for an outline; `other` is one of another text or of another program. */
export type Found = 'none' | 'other' | 'damaged' | 'used';

/** Facts of a game that the summary of every play has, and that only the whole game shows. */
export interface GameFacts {
  /** Issues of the document that are errors; without those of scripts. */
  readonly documentErrors: number;
  readonly issues: Readonly<Record<Severity, number>>;
  /** Operations that this version does not know: nodes in the definition. */
  readonly unknown: Readonly<Record<string, number>>;
}

/** The outline of a game, and its facts in the dialects in which it was played. */
interface KeptGame {
  readonly outline: Outline;
  readonly facts: { readonly [D in DialectName]?: GameFacts };
}

/**
 * Outlines of games that were played, each beside a copy of the text that it is of. A text is compared as a whole, so that no digest has to be right. The
 * outline stands there twice, so that damage shows. One file for each path: a game that is changed takes its own place.
 */
export class KeptOutlines {
  private readonly folder: string;
  private readonly program: string;

  /** `program` says which version makes and reads them. */
  constructor(folder: string, program: string) {
    this.folder = folder;
    this.program = program;
  }

  /** The outline of a game that lies at `path` and has this content. */
  find(path: string, content: Uint8Array): { readonly found: Found; readonly kept?: KeptGame } {
    const file = readKept(this.fileOf(path));
    if (file === undefined) return { found: 'none' };
    const size = file.length - content.length;
    if (size <= 0 || Buffer.compare(content, file.subarray(size)) !== 0) return { found: 'other' };
    const head = halfOf(file.subarray(0, size));
    if (head === undefined) return { found: 'damaged' };
    try {
      const { program, ...kept } = JSON.parse(textOf(head)) as KeptGame & { readonly program: string };
      return program === this.program ? { found: 'used', kept } : { found: 'other' };
    } catch {
      return { found: 'damaged' };
    }
  }

  /** Keeps an outline for the next time. Does nothing for what is too large, and where the folder cannot be written. */
  keep(path: string, content: Uint8Array, kept: KeptGame): void {
    if (content.length > bytesMax) return;
    const head = new TextEncoder().encode(JSON.stringify({ program: this.program, ...kept }));
    try {
      makeRoom(this.folder, filesMax);
      writeKept(this.fileOf(path), head, head, content);
    } catch {
      // A cache that cannot be written is none.
    }
  }

  private fileOf(path: string): string {
    return join(this.folder, hashText(resolve(path)));
  }
}

/** Where this program keeps outlines; undefined where it keeps nothing. */
export function outlinesOfProgram(): KeptOutlines | undefined {
  const code = compiledCode();
  const cache = cacheFolder();
  if (code === undefined || cache === undefined) return undefined;
  // The names of its files hold hashes of their content.
  return new KeptOutlines(join(cache, 'games'), readdirSync(code.folder).join(' '));
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString();
}

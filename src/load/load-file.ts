import type { Issues } from '../../engine/core/index.ts';
import { type LoadOptions, loadText } from './load-text.ts';
import { parseDocument } from './parse-document.ts';

interface LoadedFile {
  /** The path as given, or `<stdin>`. */
  readonly name: string;
  readonly text: string;
  /** The parsed document; undefined if it could not be read. An issue of severity `error` then says why. */
  readonly document: unknown;
  /** Issues found while reading and parsing. Validating the document adds more. */
  readonly issues: Issues;
  /** Wall time for reading the text, and for parsing it. */
  readonly readMs: number;
  readonly parseMs: number;
}

/** Loads a file, or standard input for `-`, as a JSON document. Never throws because of its content. */
export async function loadFile(path: string, options: LoadOptions = {}): Promise<LoadedFile> {
  const start = performance.now();
  const { name, text, issues } = await loadText(path, options);
  const read = performance.now();
  const document = issues.list.length > 0 ? undefined : parseDocument(text, options.limits, issues).document;
  return { name, text, document, issues, readMs: read - start, parseMs: performance.now() - read };
}

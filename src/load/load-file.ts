import type { Issues } from '../../engine/core/issue.ts';
import { type LoadOptions, loadText } from './load-text.ts';
import { parseDocument } from './parse-document.ts';

interface LoadedFile {
  /** The path as given, or `<stdin>`. */
  readonly name: string;
  readonly text: string;
  /** Undefined when there is none; an issue of severity `error` then says why. */
  readonly document: unknown;
  /** The issues of reading and parsing. The reader of the document adds its own. */
  readonly issues: Issues;
  /** Wall time of getting the text, and of turning it into a value. */
  readonly readMs: number;
  readonly parseMs: number;
}

/** A file, or the standard input for `-`, as a JSON document. Never throws for what is wrong with the source. */
export async function loadFile(path: string, options: LoadOptions = {}): Promise<LoadedFile> {
  const start = performance.now();
  const { name, text, issues } = await loadText(path, options);
  const read = performance.now();
  const document = issues.list.length > 0 ? undefined : parseDocument(text, options.limits, issues).document;
  return { name, text, document, issues, readMs: read - start, parseMs: performance.now() - read };
}

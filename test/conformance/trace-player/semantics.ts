import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The rows of all pages of docs/semantics as one string; empty if there are none. */
export function readSemantics(documents: string): string {
  const folder = join(documents, 'semantics');
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

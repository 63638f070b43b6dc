import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const scenarioFilePattern = /\.scenario\.(?:ya?ml|json)$/;
const skippedFolders: ReadonlySet<string> = new Set(['node_modules', 'dist']);

export function isScenarioFile(name: string): boolean {
  return scenarioFilePattern.test(name);
}

/**
 * Finds scenario files in files and folders, each once, in the order of the paths and then by name. Also returns the
 * paths that do not exist.
 */
export function findScenarioFiles(paths: readonly string[]): { files: string[]; missing: string[] } {
  const files = new Set<string>();
  const missing: string[] = [];
  for (const path of paths) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) missing.push(path);
    else if (stat.isDirectory()) for (const file of filesIn(path)) files.add(file);
    else files.add(shortPath(path));
  }
  return { files: [...files], missing };
}

function* filesIn(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name) && !entry.name.startsWith('.')) yield* filesIn(path);
    } else if (isScenarioFile(entry.name)) yield shortPath(path);
  }
}

/** Returns the path relative to the current folder if it is inside that folder; otherwise unchanged. */
export function shortPath(path: string): string {
  const short = relative('.', path);
  return short === '' || short.startsWith('..') ? path : short;
}

// Creates the declarations of the packages from the output of `tsc`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const relativeImport = /((?:from|import\()\s*['"])(\.[^'"]+)\.(?:ts|js)(?=['"])/g;

/**
 * Copies the declarations `entries` in `from`, and those that they import, to `to`. `nameOf` returns the package of an
 * import, or undefined to copy the import as well.
 */
export function copyDeclarations(from, entries, to, nameOf = () => undefined) {
  const found = new Set(entries);
  for (const name of found) {
    const text = readFileSync(join(from, `${name}.d.ts`), 'utf8').replace(relativeImport, (_, before, path) => {
      const module = join(dirname(name), path).replaceAll('\\', '/');
      const outside = nameOf(module);
      if (outside !== undefined) return `${before}${outside}`;
      found.add(module);
      return `${before}${path}.js`;
    });
    const path = join(to, `${name}.d.ts`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

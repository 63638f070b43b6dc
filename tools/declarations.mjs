// Creates the declarations of the packages from the output of `tsc`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const relativeImport = /((?:from|import\()\s*['"])(\.[^'"]+)\.(?:ts|js)(?=['"])/g;

/** Lines that import types of packages that a program which installs ours need not have. */
const optionalImport = /^(?=.*(?:from|import\() ?'(?:fastify|vitest)')/gm;

/**
 * Copies the declarations `entries` in `from`, and those that they import, to `to`. `nameOf` returns the package of an
 * import, or undefined to copy the import as well. Without a package of `optionalImport`, its types are `any`; otherwise
 * programs that compile with `skipLibCheck: false` would have to install it.
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
    writeFileSync(path, text.replace(optionalImport, '// @ts-ignore: may not be installed\n'));
  }
}

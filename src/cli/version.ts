import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The version of the package this file belongs to, whether it runs from the sources or built. */
export function packageVersion(): string {
  let folder = new URL('./', import.meta.url);
  for (;;) {
    const path = fileURLToPath(new URL('package.json', folder));
    if (existsSync(path)) {
      const { name, version }: { name?: unknown; version?: unknown } = JSON.parse(readFileSync(path, 'utf8'));
      if (name === 'reenact' && typeof version === 'string') return version;
    }
    const above = new URL('../', folder);
    if (above.href === folder.href) return 'unknown';
    folder = above;
  }
}

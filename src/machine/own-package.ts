import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Package {
  /** The path of the folder that contains package.json, with a trailing separator. */
  readonly folder: string;
  readonly version: string;
}

/**
 * The package `name` that contains this file, both when running from source and when built; undefined if there is none.
 */
export function ownPackage(name = 'reenact'): Package | undefined {
  let url = new URL('./', import.meta.url);
  for (;;) {
    const path = fileURLToPath(new URL('package.json', url));
    if (existsSync(path)) {
      const { version, ...found }: { name?: unknown; version?: unknown } = JSON.parse(readFileSync(path, 'utf8'));
      if (found.name === name && typeof version === 'string') return { folder: fileURLToPath(url), version };
    }
    const above = new URL('../', url);
    if (above.href === url.href) return undefined;
    url = above;
  }
}

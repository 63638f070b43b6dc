import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const isUpdating = process.env['REENACT_UPDATE'] === '1';

export function textOf(path: string): string {
  return existsSync(root + path) ? readFileSync(root + path, 'utf8') : '';
}

/**
 * Fails if a derived file differs from `text`. `npm run update` writes the file instead; all tests of this folder only
 * do that. `isCompared` excludes lines that differ between machines.
 */
export function expectDerived(path: string, text: string, isCompared = (_line: string): boolean => true): void {
  const lines = (of: string): string[] => of.split('\n').filter(isCompared);
  const wanted = lines(text);
  const found = lines(textOf(path));
  const differs = Array.from({ length: Math.max(wanted.length, found.length) }).findIndex(
    (_, at) => wanted[at] !== found[at],
  );
  if (differs === -1) return;
  if (isUpdating) writeFileSync(root + path, text);
  else
    expect(found[differs], `${path} is stale. Run \`npm run update\` and look at the difference.`).toBe(
      wanted[differs],
    );
}

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
 * do that. `compared` returns the part of a line that is equal on every machine.
 */
export function expectDerived(path: string, text: string, compared = (line: string): string => line): void {
  const lines = (of: string): string[] =>
    of
      .split('\n')
      .map(compared)
      .filter((line) => line !== '');
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

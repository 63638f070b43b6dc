/**
 * Copies the declarations of the package for compilers before 5.7, in which typed arrays are not generic: `Uint8Array<ArrayBuffer>` becomes
 * `Uint8Array`. Newer compilers keep the exact types; `exports` in package.json chooses.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const generic = /\b((?:Big)?(?:Float|Int|Uint)\d+(?:Clamped)?Array)<ArrayBuffer(?:Like)?>/g;

rmSync('dist/older', { recursive: true, force: true });
for (const folder of ['engine', 'src']) {
  for (const name of readdirSync(join('dist', folder), { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const target = join('dist/older', folder, name);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(join('dist', folder, name), 'utf8').replace(generic, '$1'));
  }
}

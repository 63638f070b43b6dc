import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.ts';
import { ownPackage } from './package-root.ts';

/** A script of the viewer as the build made it: `page` over a journal, `live` over the rooms of a server. */
export function viewerScript(name: 'page' | 'live'): string {
  const path = join(ownPackage()?.folder ?? '', `dist/viewer/${name}.js`);
  if (!existsSync(path)) throw new Failure('not-built', `${path} is missing; npm run build makes it.`);
  return readFileSync(path, 'utf8');
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.ts';
import { ownPackage } from './package-root.ts';

/** The scripts that the build makes of the viewer: `page` over a journal, `live` over the rooms of a server, `insight` over the inside of one. */
type Name = 'page' | 'live' | 'insight';

/** Undefined where nothing was built; what needs it is left out then. */
export function viewerScriptIfBuilt(name: Name): string | undefined {
  const path = pathOf(name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Throws `Failure` where nothing was built. */
export function viewerScript(name: Name): string {
  const script = viewerScriptIfBuilt(name);
  if (script === undefined) throw new Failure('not-built', `${pathOf(name)} is missing; npm run build makes it.`);
  return script;
}

function pathOf(name: Name): string {
  return join(ownPackage()?.folder ?? '', `dist/viewer/${name}.js`);
}

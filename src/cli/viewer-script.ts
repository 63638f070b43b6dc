import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.ts';
import { ownPackage } from './package-root.ts';

/** The same, where there may be no build: what needs it is then left out. */
export function viewerScriptIfBuilt(name: 'page' | 'live'): string | undefined {
  const path = pathOf(name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** A script of the viewer as the build made it: `page` over a journal, `live` over the rooms of a server. */
export function viewerScript(name: 'page' | 'live'): string {
  const script = viewerScriptIfBuilt(name);
  if (script === undefined) throw new Failure('not-built', `${pathOf(name)} is missing; npm run build makes it.`);
  return script;
}

function pathOf(name: string): string {
  return join(ownPackage()?.folder ?? '', `dist/viewer/${name}.js`);
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownPackage } from '../machine/index.ts';
import { Failure } from './failure.ts';

/** The built viewer script for journals; undefined if it was not built. Callers then write no pages. */
export function viewerScriptIfBuilt(): string | undefined {
  const path = scriptPath();
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The built viewer script for journals. Throws `Failure` if nothing was built. */
export function viewerScript(): string {
  const script = viewerScriptIfBuilt();
  if (script === undefined) throw new Failure('not-built', `${scriptPath()} is missing. Run npm run build.`);
  return script;
}

function scriptPath() {
  return join(ownPackage()?.folder ?? '', 'dist/viewer/page.js');
}

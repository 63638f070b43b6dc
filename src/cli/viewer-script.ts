import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ViewerScripts } from '../server/web/page.ts';
import { Failure } from './failure.ts';
import { ownPackage } from './package-root.ts';

/** The built viewer script for journals; undefined if nothing was built, in which case pages are left out. */
export function viewerScriptIfBuilt(): string | undefined {
  return readIfThere(scriptPath());
}

/** Throws `Failure` if nothing was built. */
export function viewerScript(): string {
  const script = viewerScriptIfBuilt();
  if (script === undefined) throw new Failure('not-built', `${scriptPath()} is missing. Run npm run build.`);
  return script;
}

/** The scripts of the server's pages; undefined if nothing was built. */
export function serverScriptsIfBuilt(): ViewerScripts | undefined {
  // When running from source, the server is a folder of the checkout.
  const folder = ownPackage('@reenact/server')?.folder ?? join(ownPackage()?.folder ?? '', 'src/server');
  const [live, insight, admin, journal] = ['live', 'insight', 'admin', 'page'].map((name) =>
    readIfThere(join(folder, `dist/viewer/${name}.js`)),
  );
  if (live === undefined || insight === undefined || admin === undefined || journal === undefined) return undefined;
  return { live, insight, admin, journal };
}

function scriptPath(): string {
  return join(ownPackage()?.folder ?? '', 'dist/viewer/page.js');
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

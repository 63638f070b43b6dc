import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ViewerScripts } from '../server/web/page.ts';
import { Failure } from './failure.ts';
import { ownPackage } from './package-root.ts';

/** The script that the build makes of the viewer, over a journal. Undefined where nothing was built; what needs it is left out then. */
export function viewerScriptIfBuilt(): string | undefined {
  return readIfThere(scriptPath());
}

/** Throws `Failure` where nothing was built. */
export function viewerScript(): string {
  const script = viewerScriptIfBuilt();
  if (script === undefined) throw new Failure('not-built', `${scriptPath()} is missing; npm run build makes it.`);
  return script;
}

/** The scripts of a server's pages. Undefined where nothing was built. */
export function serverScriptsIfBuilt(): ViewerScripts | undefined {
  // From the sources, the server is a folder of the checkout.
  const folder = ownPackage('@reenact/server')?.folder ?? join(ownPackage()?.folder ?? '', 'src/server');
  const [live, insight, journal] = ['live', 'insight', 'page'].map((name) =>
    readIfThere(join(folder, `dist/viewer/${name}.js`)),
  );
  if (live === undefined || insight === undefined || journal === undefined) return undefined;
  return { live, insight, journal };
}

function scriptPath(): string {
  return join(ownPackage()?.folder ?? '', 'dist/viewer/page.js');
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

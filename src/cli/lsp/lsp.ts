import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serveEditor } from '../../lsp/index.ts';
import { configure, findConfig } from '../issues/config.ts';
import { packageVersion } from '../version.ts';

/**
 * Serves an editor over the standard streams. The connection ends the process when the editor requests it, or when the
 * editor no longer exists.
 */
export function lsp(): Promise<never> {
  serveEditor(createConnection(ProposedFeatures.all, process.stdin, process.stdout), packageVersion(), {
    codeOf(file) {
      const { rules = [], host } = findConfig(file) ?? {};
      return { rules, host };
    },
    configured: (file, issues) => configure(file, issues, findConfig(file)).issues,
  });
  return new Promise(() => {});
}

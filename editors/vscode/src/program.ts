import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

/** The `reenact` command that the extension runs. */
export interface Program {
  /** The JavaScript file of the command. */
  readonly main: string;
  readonly version: string;
  readonly isOfProject: boolean;
}

/** The command that the workspace has installed; else the one in the extension. Undefined if there is neither. */
export function findProgram(extension: string): Program | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  // The code of a workspace runs only if its user trusts it.
  for (const { uri } of vscode.workspace.isTrusted ? folders : []) {
    const found = installedIn(uri.fsPath);
    if (found !== undefined) return { ...found, isOfProject: true };
  }
  const bundled = programIn(join(extension, 'server'));
  return bundled && { ...bundled, isOfProject: false };
}

function installedIn(folder: string): Omit<Program, 'isOfProject'> | undefined {
  try {
    return programIn(dirname(createRequire(join(folder, 'package.json')).resolve('reenact/package.json')));
  } catch {
    return undefined;
  }
}

function programIn(folder: string): Omit<Program, 'isOfProject'> | undefined {
  const about = join(folder, 'package.json');
  if (!existsSync(about)) return undefined;
  const { bin, version } = JSON.parse(readFileSync(about, 'utf8')) as { bin?: { reenact?: string }; version?: string };
  const main = join(folder, bin?.reenact ?? '');
  return bin?.reenact !== undefined && existsSync(main) ? { main, version: String(version) } : undefined;
}

/** VS Code itself runs the command, so that no Node has to be installed. */
export const environment = { ELECTRON_RUN_AS_NODE: '1' };

import { spawn } from 'node:child_process';
import type * as vscode from 'vscode';
import { environment, type Program } from './program';

export interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command to its end, or until it is cancelled. */
export function run(
  { main }: Program,
  args: readonly string[],
  folder: string,
  token?: vscode.CancellationToken,
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: { ...process.env, ...environment } });
    const cancelled = token?.onCancellationRequested(() => child.kill());
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      cancelled?.dispose();
      resolve({ code, stdout, stderr });
    });
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where users are: in folders outside of the checkout, with a shell, npm, and what they have installed. */

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const outside = mkdtempSync(join(tmpdir(), 'reenact-packed-'));
export const removeOutside = (): void => rmSync(outside, { recursive: true, force: true });

export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
export const tarball = (name: string): string => join(outside, `${name}-${version}.tgz`);
export const tarballs = ['reenact-engine', 'reenact-client', 'reenact-server', 'reenact'].map(tarball);

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  /** Folders with programs, before those of the system. */
  readonly path?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Interrupts the command after this time, as Ctrl+C does. */
  readonly interruptMs?: number;
}

/**
 * As in a shell: without the variables that npm sets for scripts. Installs refuse packages for other versions of Node.
 */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$|NODE_ENV$|VITEST|TEST$)/i.test(name)),
);
const settings = {
  npm_config_engine_strict: 'true',
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  npm_config_pack_destination: outside,
};

/** Starts a command line as a user types it. */
export function start(cwd: string, line: string, { path = [], env = {} }: Surroundings = {}): ChildProcess {
  const found = [...path, dirname(process.execPath), process.env['PATH']].join(delimiter);
  // A signal must reach the command, not the shell.
  return spawn(process.platform === 'win32' ? line : `exec ${line}`, {
    cwd,
    env: { ...inherited, ...settings, ...env, PATH: found },
    shell: true,
  });
}

/** Waits until a command prints something on standard error. */
export function saidBy(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let text = '';
  return new Promise((done, failed) => {
    child.stderr!.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      const found = pattern.exec(text);
      if (found !== null) done(found);
    });
    child.once('exit', () => failed(new Error(`It ended: ${text}`)));
  });
}

/** Runs a command line to its end. */
export function shell(cwd: string, line: string, surroundings: Surroundings = {}): Promise<Outcome> {
  const child = start(cwd, line, surroundings);
  const { input = '', interruptMs } = surroundings;
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  child.stdin!.on('error', () => {}).end(input);
  const timer = interruptMs === undefined ? undefined : setTimeout(() => child.kill('SIGINT'), interruptMs);
  return new Promise((done) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      done({ code: code ?? -1, ...said });
    });
  });
}

/** Runs a command line. Throws with all that it printed if its exit code is another. */
export async function succeed(cwd: string, line: string, surroundings?: Surroundings, code = 0): Promise<Outcome> {
  const outcome = await shell(cwd, line, surroundings);
  if (outcome.code === code) return outcome;
  throw new Error(`${line}: exit code ${outcome.code} instead of ${code}\n${outcome.stdout}${outcome.stderr}`);
}

/** npm's errors on a machine without access to a registry. */
export const unreachable = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED/;

/** An empty folder for a project. */
export function emptyFolder(name: string): string {
  const folder = join(outside, name);
  mkdirSync(folder);
  return folder;
}

/** Other versions of Node, with their folders of programs: those of `tools/other-runtimes.mjs`. */
export function otherNodes(): { readonly name: string; readonly bin: string }[] {
  const others = join(root, 'node_modules/.cache/other-runtimes');
  const names = existsSync(others) ? readdirSync(others).filter((name) => /^\d+$/.test(name)) : [];
  return names.map((name) => ({ name, bin: join(others, name, 'bin') }));
}

/** The files below a folder, with forward slashes. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'));
}

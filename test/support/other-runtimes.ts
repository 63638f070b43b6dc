import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The programs that `tools/other-runtimes.mjs` downloads, each with the arguments that go before a file. */
const runtimes = {
  node22: ['22/bin/node'],
  node24: ['24/bin/node'],
  bun: ['bun/bin/bun'],
  deno: ['deno/deno', 'run', '-A'],
} as const;
export type OtherRuntime = keyof typeof runtimes;
export const otherRuntimes = Object.keys(runtimes) as readonly OtherRuntime[];

const root = fileURLToPath(new URL('../../', import.meta.url).href.replace(/dist\/$/, ''));
const folder = `${root}node_modules/.cache/other-runtimes/`;

/** The program of a runtime and the arguments before a file, or why there is none. */
export function otherRuntime(
  name: OtherRuntime,
): readonly [program: string, ...args: string[]] | { readonly why: string } {
  const [program, ...args] = runtimes[name];
  const why = `${name} is not here: node tools/other-runtimes.mjs ${name.replace('node', '')}`;
  return existsSync(folder + program) ? [folder + program, ...args] : { why };
}

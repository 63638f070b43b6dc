import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import type { ServeOptions } from '../../src/cli/serve/command.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import type { Terminal } from '../../src/text/terminal.ts';
import { codeOnly, importsOf, readTypeScript } from '../tidy/source.ts';

/** Options that are read elsewhere, or that only have to be accepted. */
const readElsewhere: Readonly<Record<string, readonly string[]>> = {
  // Read by `program.ts`, before the command runs.
  config: ['data', 'serve'],
  // Editors pass them.
  stdio: ['lsp'],
  clientProcessId: ['lsp'],
  // Refused with the reason.
  bots: ['load'],
};

/** Options of `serve` that the server takes under the same name, which the compiler checks. `serve.ts` spreads them. */
const takenByServer: readonly string[] = [
  'watch',
  'log',
  'seed',
  'rooms',
  'roomsMax',
  'placement',
  'sync',
  'onJournalFailure',
  'readyz',
  'tokenSecretFile',
  'platform',
] satisfies readonly (keyof ServeOptions & keyof ServerOptions)[];

const sources = readTypeScript('src/cli');

/**
 * The members that the code of a command reads, with the files in `src/cli` that it imports: `options.seed`, `{ seed }:
 * RunOptions`, `{ seed } = options`.
 */
function readBy(name: string): ReadonlySet<string> {
  const own = [...sources.keys()].filter((path) => path.startsWith(`src/cli/${name}/`));
  const imported = own.flatMap((path) => importsOf(path, sources.get(path)!).flatMap(({ target }) => target ?? []));
  const files = new Set([...own, ...imported].filter((path) => !/\/(command|options|program)\.ts$/.test(path)));
  const code = codeOnly([...files].map((path) => sources.get(path) ?? '').join('\n'));
  const patterns = Array.from(code.matchAll(/\{([^{}]*)\}(?:: [A-Z]| = [a-z])/g), ([, members]) => members!);
  const members = Array.from(code.matchAll(/\.([\w$]+)/g), ([, member]) => member!);
  return new Set([...members, ...patterns.flatMap((pattern) => pattern.match(/[\w$]+/g) ?? [])]);
}

// Options reach the code of their command as one object, so TypeScript does not notice one that nothing reads.
test('every option does something: the code of its command reads it', async () => {
  const { commands } = await createProgram({} as Terminal, { code: 0 });
  const idle = commands.flatMap((command) => {
    const read = new Set([...readBy(command.name()), ...(command.name() === 'serve' ? takenByServer : [])]);
    return command.options
      .map((option) => option.attributeName())
      .filter((name) => name !== 'except' && !read.has(name) && !readElsewhere[name]?.includes(command.name()))
      .map((name) => `${command.name()}: ${name}`);
  });
  expect(idle).toEqual([]);
});

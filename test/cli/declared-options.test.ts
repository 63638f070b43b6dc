import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
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

const sources = readTypeScript('src/cli');

/** The words of the code of a command, and of the files in `src/cli` that it imports. */
function wordsOf(name: string): ReadonlySet<string> {
  const own = [...sources.keys()].filter((path) => path.startsWith(`src/cli/${name}/`));
  const imported = own.flatMap((path) => importsOf(path, sources.get(path)!).flatMap(({ target }) => target ?? []));
  const code = new Set([...own, ...imported].filter((path) => !/\/(command|options|program)\.ts$/.test(path)));
  const text = [...code].map((path) => sources.get(path) ?? '').join('\n');
  const plain = codeOnly(text);
  return new Set(plain.match(/[\w$]+/g));
}

// Options reach the code of their command as one object, so TypeScript does not notice one that nothing reads.
test('every option does something: the code of its command reads it', async () => {
  const { commands } = await createProgram({} as Terminal, { code: 0 });
  const idle = commands.flatMap((command) => {
    const words = wordsOf(command.name());
    return command.options
      .map((option) => option.attributeName())
      .filter((name) => name !== 'except' && !words.has(name) && !readElsewhere[name]?.includes(command.name()))
      .map((name) => `${command.name()}: ${name}`);
  });
  expect(idle).toEqual([]);
});

import { isDialectName } from '../../../engine/index.ts';
import { type LaunchArguments, serveAdapter } from '../../journal/index.ts';
import type { Terminal } from '../../text/index.ts';
import { playOf } from '../debug/debug.ts';
import { exitCodes, Failure } from '../failure.ts';
import { debuggedPlay, debugSeed } from '../options.ts';

/** Serves an editor over the standard streams until it disconnects. */
export async function dap(_options: object, terminal: Terminal): Promise<number> {
  const open = async (launch: LaunchArguments) => {
    const file = textOf(launch, 'program');
    if (file === undefined) throw new Failure('bad-option', 'Give the file of a game or a recording as "program".');
    const dialect = textOf(launch, 'dialect') ?? 'standard';
    if (!isDialectName(dialect)) throw new Failure('bad-option', `"dialect" is standard or moddio, not "${dialect}".`);
    const game = textOf(launch, 'game');
    const options = {
      ...(game !== undefined && { game }),
      for: { seconds: numberOf(launch, 'seconds') },
      bots: numberOf(launch, 'bots'),
      seed: textOf(launch, 'seed') ?? debugSeed,
      dialect,
    };
    const { gameFile: path, ...play } = await playOf(file, options, terminal);
    return { ...play, path };
  };
  await serveAdapter({ input: process.stdin, output: process.stdout, open });
  return exitCodes.ok;
}

function textOf(launch: LaunchArguments, name: string): string | undefined {
  const value = launch[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new Failure('bad-option', `"${name}" must be a string, not ${JSON.stringify(value)}.`);
}

function numberOf(launch: LaunchArguments, name: keyof typeof debuggedPlay): number {
  const { read, otherwise } = debuggedPlay[name];
  try {
    return read(String(launch[name] ?? otherwise));
  } catch (error) {
    throw new Failure('bad-option', `"${name}": ${(error as Error).message}`);
  }
}

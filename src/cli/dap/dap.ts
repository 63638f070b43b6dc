import { join } from 'node:path';
import { isDialectName } from '../../../engine/index.ts';
import { type LaunchArguments, serveAdapter } from '../../journal/index.ts';
import { shownLines, thingsOf } from '../../review/index.ts';
import { fileTitle, type Terminal } from '../../text/index.ts';
import { playOf } from '../debug/debug.ts';
import { exitCodes, Failure } from '../failure.ts';
import { debuggedPlay, debugSeed } from '../options.ts';
import type { ReadJournal } from '../read-journal.ts';
import { writeText } from '../write-text.ts';

/** Serves an editor over the standard streams until it disconnects. */
export async function dap(_options: object, terminal: Terminal) {
  const open = async (launch: LaunchArguments) => {
    const file = textOf(launch, 'program');
    if (file === undefined)
      throw new Failure('bad-option', 'The launch configuration needs "program", the path of a game or a recording.');
    const dialect = textOf(launch, 'dialect') ?? 'standard';
    if (!isDialectName(dialect))
      throw new Failure('bad-option', `"dialect" must be "standard" or "moddio", not "${dialect}".`);
    const game = textOf(launch, 'game');
    const options = {
      ...(game !== undefined && { game }),
      for: { seconds: numberOf(launch, 'seconds') },
      bots: numberOf(launch, 'bots'),
      seed: textOf(launch, 'seed') ?? debugSeed,
      dialect,
    };
    const { gameFile: path, ...play } = await playOf(file, options, terminal);
    return { ...play, path, ...shownText(play, path, launch['text']) };
  };
  await serveAdapter({ input: process.stdin, output: process.stdout, open });
  return exitCodes.ok;
}

/**
 * The lines and the path of the printed game, if the debugger shows this text instead of the JSON; otherwise empty.
 * `wanted` is `text` of the launch: true to write the text to a file, false to show the JSON, or the path under which
 * the editor shows the text. By default, only a game on one line is shown as text.
 */
function shownText({ text, loaded }: Pick<ReadJournal, 'text' | 'loaded'>, path: string, wanted: unknown) {
  if (!(wanted ?? !text.trim().includes('\n'))) return {};
  const lines = shownLines(thingsOf(JSON.parse(text), loaded));
  if (typeof wanted === 'string') return { lines, path: wanted };
  const file = join('.reenact', 'text', `${fileTitle(path)}.txt`);
  writeText(file, lines.map((line) => `${line.text}\n`).join(''));
  return { lines, path: file };
}

function textOf(launch: LaunchArguments, name: string) {
  const value = launch[name];
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new Failure('bad-option', `"${name}" must be a string, not ${JSON.stringify(value)}.`);
}

function numberOf(launch: LaunchArguments, name: keyof typeof debuggedPlay) {
  const { read, otherwise } = debuggedPlay[name];
  try {
    return read(String(launch[name] ?? otherwise));
  } catch (error) {
    throw new Failure('bad-option', `"${name}": ${(error as Error).message}`);
  }
}

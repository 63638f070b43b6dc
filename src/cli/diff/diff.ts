import type { LoadedGame } from '../../../engine/index.ts';
import { stdinSource } from '../../load/index.ts';
import {
  defaultMeasures,
  diffGames,
  diffMarkdown,
  diffText,
  measureDiffs,
  type PlayDiff,
  playedDifference,
  playLines,
} from '../../review/index.ts';
import { painter, printAnswer, StatusLine, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { wantsColor } from '../issues/pretty.ts';
import { readParts } from '../read-parts.ts';
import { expressionFailure } from '../until.ts';
import type { DiffOptions } from './command.ts';

/** Compares two games. The exit codes are those of `diff`. */
export async function diff(
  oldPath: string,
  newPath: string,
  options: DiffOptions,
  terminal: Terminal,
): Promise<number> {
  if (oldPath === stdinSource && newPath === stdinSource)
    throw new Failure('duplicate-argument', 'Standard input (-) can be given only once.');
  const old = await readParts(oldPath, terminal);
  const now = await readParts(newPath, terminal);
  const found = diffGames(old.parts, now.parts);
  const play = options.play ? await playBoth(old.game, now.game, options, terminal) : undefined;
  const lines = play === undefined ? [] : playLines(play);
  printAnswer(terminal, options.json, { ...found, play: play ?? null }, () =>
    options.markdown
      ? diffMarkdown(found, lines, now.parts.title ?? now.name)
      : diffText(found, lines, painter(wantsColor(terminal.stdout, terminal.env))),
  );
  const isEqual = found.isEqual && (play?.plays.every(({ parted }) => parted === null) ?? true);
  return isEqual ? exitCodes.ok : exitCodes.errors;
}

async function playBoth(
  before: LoadedGame,
  after: LoadedGame,
  { seeds: count, seconds, bots, dialect, measure }: DiffOptions,
  terminal: Terminal,
): Promise<PlayDiff> {
  const seeds = Array.from({ length: count }, (_, i) => String(i + 1));
  const status = new StatusLine(terminal.stderr);
  const steps = 2 * count;
  try {
    const measures = measure.length === 0 ? defaultMeasures(before, after) : measure;
    const plan = { game: '', dialect, bots: [{ count: bots }], seconds, measures };
    const diffs = await measureDiffs(before, after, seeds, plan, (done) =>
      status.showProgress(`${done} of ${steps} runs`, done / steps),
    );
    const plays = [];
    for (const [i, seed] of seeds.entries()) {
      plays.push(await playedDifference(before, after, seed, { dialect, bots, seconds }, unshared(before, after)));
      status.show(`${count + i + 1} of ${steps} runs`);
    }
    return { bots, seconds, plays, measures: diffs };
  } catch (error) {
    throw expressionFailure(error);
  } finally {
    status.clear();
  }
}

/** Variables that only one of the games has. They are ignored when the plays are compared. */
function unshared({ definition: before }: LoadedGame, { definition: after }: LoadedGame): string[] {
  const names = new Set([...before.variables.keys(), ...after.variables.keys()]);
  return [...names].flatMap((name) =>
    before.variables.has(name) && after.variables.has(name) ? [] : [`variables/${name}`],
  );
}

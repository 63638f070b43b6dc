import type { LoadedGame } from '../../../engine/index.ts';
import { stdinSource } from '../../load/index.ts';
import { diffGames, diffMarkdown, diffText, playedDifference, playLines } from '../../review/index.ts';
import { amount, painter, printAnswer, StatusLine, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { wantsColor } from '../issues/pretty.ts';
import { readThings } from '../read-things.ts';
import type { DiffOptions } from './command.ts';

/** Compares two games. The exit codes have the same meanings as those of the Unix command `diff`. */
export async function diff(oldPath: string, newPath: string, options: DiffOptions, terminal: Terminal) {
  if (oldPath === stdinSource && newPath === stdinSource)
    throw new Failure('duplicate-argument', 'Standard input (-) can be given only once.');
  const old = await readThings(oldPath, terminal);
  const now = await readThings(newPath, terminal);
  const found = diffGames(old.things, now.things);
  const play = options.play ? await playBoth(old.game, now.game, options, terminal) : undefined;
  const lines = play === undefined ? [] : playLines(play);
  printAnswer(terminal, options.json, { ...found, play: play ?? null }, () =>
    options.markdown ? diffMarkdown(found, lines, now.title) : diffText(found, lines, painter(wantsColor(terminal))),
  );
  const isEqual = found.isEqual && (play?.plays.every(({ parted }) => parted === null) ?? true);
  return isEqual ? exitCodes.ok : exitCodes.errors;
}

async function playBoth(
  before: LoadedGame,
  after: LoadedGame,
  { seeds: count, for: seconds, bots, dialect }: DiffOptions,
  terminal: Terminal,
) {
  const status = new StatusLine(terminal.stderr);
  const ignored = unshared(before, after);
  try {
    const plays = [];
    for (let seed = 1; seed <= count; seed++) {
      plays.push(await playedDifference(before, after, String(seed), { dialect, bots, seconds }, ignored));
      status.showProgress(`${seed} of ${amount(count, 'seed')}`, seed / count);
    }
    return { bots, seconds, plays };
  } finally {
    status.clear();
  }
}

/** Variables that only one of the games has. They are ignored when the plays are compared. */
function unshared({ definition: before }: LoadedGame, { definition: after }: LoadedGame) {
  const names = new Set([...before.variables.keys(), ...after.variables.keys()]);
  return [...names].flatMap((name) =>
    before.variables.has(name) && after.variables.has(name) ? [] : [`variables/${name}`],
  );
}

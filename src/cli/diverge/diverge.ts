import { Replay } from '../../../engine/index.ts';
import { type FirstDivergence, findFirstDivergence } from '../../journal/index.ts';
import { printAnswer, shellWord, type Terminal } from '../../text/index.ts';
import { exitCodes } from '../failure.ts';
import { requireJournal } from '../read-journal.ts';
import type { DivergeOptions } from './command.ts';

export async function diverge(
  path: string,
  otherPath: string | undefined,
  options: DivergeOptions,
  terminal: Terminal,
) {
  const { game, otherGame, seed, dialect, ignore = [], json } = options;
  const left = await requireJournal(path, game, terminal);
  const isSame = otherPath === undefined && otherGame === undefined;
  const right = isSame ? left : await requireJournal(otherPath ?? path, otherGame ?? game, terminal);
  const parted = findFirstDivergence(
    { ...left, replay: new Replay(left.loaded, left.journal) },
    { ...right, replay: new Replay(right.loaded, right.journal, { seed, dialect }) },
    ignore,
  );
  const ticks = Math.min(left.journal.lastTick, right.journal.lastTick);
  const files = otherPath === undefined ? [path] : [path, otherPath];
  printAnswer(terminal, json, { ticks, parted: parted ?? null }, () => textOf(parted, ticks, files));
  return parted === undefined ? exitCodes.ok : exitCodes.diverged;
}

function textOf(parted: FirstDivergence | undefined, ticks: number, files: readonly string[]) {
  if (parted === undefined) return `no difference in ${ticks} ticks\n`;
  const { tick, field, fieldTick, found } = parted;
  const how = found === 'recorded' ? ' in the recordings (when this version simulates both runs, they are equal)' : '';
  const watch = files.map((file) => `reenact view ${shellWord(file)} --at ${tick}ticks --open\n`).join('');
  if (field === undefined)
    return `the hash of tick ${tick} differs${how}, but no field that differs was found\n${watch}`;
  const when = fieldTick === tick ? '' : ` (in the next snapshot, of tick ${fieldTick})`;
  return `tick ${tick} differs${how}: ${field.path}${when}\n  first  ${field.left}\n  second ${field.right}\n${watch}`;
}

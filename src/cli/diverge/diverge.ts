import { basename } from 'node:path';
import { type FirstDivergence, findFirstDivergence } from '../../journal/index.ts';
import { journalPage } from '../../report/index.ts';
import { gameTitle, printAnswer, type Terminal, titleOfFile } from '../../text/index.ts';
import { exitCodes } from '../failure.ts';
import { replayOf, requireJournal } from '../read-journal.ts';
import { bytesOf, pageFile, publishPage } from '../view/view.ts';
import { viewerScript } from '../viewer-script.ts';
import type { DivergeOptions } from './command.ts';

export async function diverge(
  path: string,
  otherPath: string | undefined,
  options: DivergeOptions,
  terminal: Terminal,
): Promise<number> {
  const { game, otherGame, seed, dialect, ignore = [], json, html, open } = options;
  const script = html !== undefined || open === true ? viewerScript() : undefined;
  const left = await requireJournal(path, game, terminal);
  const isSame = otherPath === undefined && otherGame === undefined;
  const right = isSame ? left : await requireJournal(otherPath ?? path, otherGame ?? game, terminal);
  const parted = findFirstDivergence(
    { ...left, replay: replayOf(left) },
    { ...right, replay: replayOf(right, { seed, dialect }) },
    ignore,
  );
  const ticks = Math.min(left.journal.lastTick, right.journal.lastTick);
  printAnswer(terminal, json, { ticks, parted: parted ?? null }, () => textOf(parted, ticks));
  if (script !== undefined) {
    const title = gameTitle(left.loaded.definition) ?? titleOfFile(path);
    const its = basename(otherPath ?? path);
    const changed = [
      seed === undefined ? [] : `seed ${seed}`,
      dialect ?? [],
      otherGame === undefined ? [] : basename(otherGame),
    ];
    const page = journalPage({
      title,
      script,
      definition: left.text,
      journal: bytesOf(path),
      tick: parted?.tick,
      other: {
        names: [basename(path), [its, ...changed.flat()].join(', ')],
        difference: parted,
        seed,
        dialect,
        definition: right.text === left.text ? undefined : right.text,
        journal: otherPath === undefined ? undefined : bytesOf(otherPath),
      },
    });
    await publishPage(
      pageFile(html, path),
      page,
      open,
      json === true ? { ...terminal, stdout: terminal.stderr } : terminal,
    );
  }
  return parted === undefined ? exitCodes.ok : exitCodes.diverged;
}

function textOf(parted: FirstDivergence | undefined, ticks: number): string {
  if (parted === undefined) return `no difference in ${ticks} ticks\n`;
  const { tick, field, fieldTick, found } = parted;
  const how = found === 'recorded' ? ' in the recordings (simulated by this version, the two runs are the same)' : '';
  if (field === undefined) return `tick ${tick} differs${how}, but no field of a snapshot does\n`;
  const when = fieldTick === tick ? '' : ` (as of the next snapshot, tick ${fieldTick})`;
  return `tick ${tick} differs${how}: ${field.path}${when}\n  first  ${field.left}\n  second ${field.right}\n`;
}

import { defined } from '../../../engine/core/index.ts';
import { type Divergence, Replay } from '../../../engine/index.ts';
import { explainDivergence } from '../../journal/index.ts';
import { printAnswer, type Terminal } from '../../text/index.ts';
import { exitCodes } from '../failure.ts';
import { tickOf } from '../moments.ts';
import { requireJournal } from '../read-journal.ts';
import type { ReplayCommandOptions } from './command.ts';

export async function replay(path: string, options: ReplayCommandOptions, terminal: Terminal) {
  const { loaded, journal } = await requireJournal(path, options.game, terminal);
  const player = new Replay(loaded, journal);
  const { to: given } = options;
  const moment = given !== undefined && /^\d+$/.test(given) ? `${given} ticks` : given;
  const to = moment === undefined ? journal.lastTick : tickOf(player, '--to', moment);
  const start = performance.now();
  const from = player.tick;
  let compared = 0;
  let lastEqual: number | undefined;
  let divergence: Divergence | undefined;
  // Simulates every tick instead of seeking, so that the simulation is verified rather than the snapshots.
  for (;;) {
    if (options.verify === true && journal.hashes.has(player.tick)) {
      divergence = player.difference();
      compared++;
      if (divergence === undefined) lastEqual = player.tick;
    }
    if (divergence !== undefined || player.tick >= to || player.sim.ended) break;
    player.step();
  }
  const wallMs = performance.now() - start;
  const { tick, sim } = player;
  const ticks = tick - from;
  const seconds = ticks / sim.rate;
  const hash = sim.hash();
  const difference = divergence && explainDivergence(loaded, journal, player, divergence);
  const report = {
    ticks,
    tick,
    seconds,
    wallMs,
    hash,
    ...(options.verify === true && { compared }),
    ...(difference && defined({ lastEqual, difference })),
  };
  printAnswer(terminal, options.json, report, reportText);
  return divergence === undefined ? exitCodes.ok : exitCodes.diverged;

  function reportText() {
    const speed = wallMs > 0 ? `, ${Math.round((seconds * 1000) / wallMs)} times real time` : '';
    const lines = [
      `${ticks} ticks (${seconds.toFixed(1)} s) in ${wallMs.toFixed(0)} ms${speed}; the hash of tick ${tick} is ${hash}`,
    ];
    if (difference === undefined) {
      if (options.verify === true) lines.push(`${compared} hashes match the recording`);
    } else {
      const last = lastEqual === undefined ? '' : ` (tick ${lastEqual} is equal)`;
      lines.push(
        `tick ${difference.tick} differs from the recording${last}: the recorded hash is ${difference.expected}, the replayed hash ${difference.actual}`,
      );
      const { field, fieldTick } = difference;
      if (field === undefined)
        lines.push('the field that differs is unknown: no snapshot follows (reenact run takes one every 600 ticks)');
      else {
        const when = fieldTick === difference.tick ? '' : ` (in the next snapshot, of tick ${fieldTick})`;
        lines.push(
          `first field that differs${when}: ${field.path}`,
          `  recorded ${field.left}`,
          `  replayed ${field.right}`,
        );
      }
    }
    return `${lines.join('\n')}\n`;
  }
}

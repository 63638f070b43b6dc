import type { Simulation } from '../../engine/index.ts';
import type { Bots } from '../bots/index.ts';
import { Stopwatch, type TickPart } from './stopwatch.ts';
import { Turns } from './turns.ts';

/** Why a run ended. */
export type Ending = 'time' | 'until' | 'game' | 'interrupted';

interface Played {
  readonly ending: Ending;
  /** Wall time from the beginning of the first step to the end of the last. */
  readonly wallMs: number;
  /** The wall time of each part of the ticks. */
  readonly partsMs: Readonly<Record<TickPart, number>>;
  /** When the first step finished, in ms since the start of the process; undefined if there was none. */
  readonly firstTickMs: number | undefined;
}

interface PlayOptions {
  readonly ticks: number;
  readonly bots: Bots;
  /** Ends the run once it returns true; also called before the first step. */
  readonly until?: (() => boolean) | undefined;
  readonly interrupted?: () => boolean;
  /** Called at intervals with the current tick. */
  readonly progress?: (tick: number) => void;
}

export async function play(
  sim: Simulation,
  { ticks, bots, until, interrupted, progress }: PlayOptions,
): Promise<Played> {
  const start = performance.now();
  let firstTickMs: number | undefined;
  const turns = new Turns();
  const stopwatch = new Stopwatch();
  sim.observePhases(stopwatch.start);
  const played = (ending: Ending): Played => {
    sim.observePhases(undefined);
    return { ending, wallMs: performance.now() - start, partsMs: stopwatch.partsMs, firstTickMs };
  };
  for (;;) {
    if (until?.()) return played('until');
    if (sim.ended) return played('game');
    if (sim.tick >= ticks) return played('time');
    if (turns.areDue) {
      progress?.(sim.tick);
      await turns.take();
      if (interrupted?.()) return played('interrupted');
    }
    stopwatch.start('bots');
    bots.beforeStep();
    sim.step();
    firstTickMs ??= performance.now();
  }
}

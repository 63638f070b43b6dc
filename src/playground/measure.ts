import { type LoadedGame, Simulation, watchScripts } from '../../engine/index.ts';
import { programsOfGame } from '../../engine/tools.ts';
import { ScriptProfile } from '../bench/index.ts';
import { Bots } from '../bots/index.ts';
import { Stopwatch } from '../run/index.ts';
import { percentilesOf } from '../statistics/index.ts';
import type { Measurement, Measuring } from './messages.ts';
import type { Progress } from './session.ts';
import { StateLimit } from './state-limit.ts';

const warmUpSeconds = 5;
const scriptsShown = 20;
const reportedTicks = 50;

/**
 * Measures what a tick of a game costs while bots play it, by part and by script. Scripts are timed in a second run,
 * because timing each of their actions makes ticks slower.
 */
export function measure(game: LoadedGame, options: Omit<Measuring, 'text'>, progress: Progress): Measurement {
  const { seconds, bots, seed, dialect } = options;
  const run = (played: LoadedGame, share: number, begin: (sim: Simulation) => void, each: Each): Simulation => {
    const sim = new Simulation(played, { seed, dialect });
    const players = new Bots(sim, { count: bots, seed });
    const warmUp = Math.round(warmUpSeconds * sim.rate);
    const end = warmUp + Math.round(seconds * sim.rate);
    const limit = new StateLimit();
    while (sim.tick < end && !sim.ended) {
      if (sim.tick === warmUp) begin(sim);
      if (sim.tick % reportedTicks === 0) progress(share + sim.tick / end / 2, `tick ${sim.tick} of ${end}`);
      each(sim, players, sim.tick >= warmUp);
      limit.afterTick(sim);
    }
    return sim;
  };
  const stopwatch = new Stopwatch();
  const timesMs: number[] = [];
  const timed = run(
    game,
    0,
    (sim) => sim.observePhases(stopwatch.start),
    (sim, players, isMeasured) => {
      stopwatch.start('bots');
      players.beforeStep();
      const start = performance.now();
      sim.step();
      if (isMeasured) timesMs.push(performance.now() - start);
      stopwatch.start('idle');
    },
  );
  const watched = programsOfGame(game).watched('actions');
  const profile = new ScriptProfile(programsOfGame(watched).program(dialect));
  run(
    watched,
    0.5,
    (sim) => watchScripts(sim, profile),
    (sim, players) => {
      players.beforeStep();
      sim.step();
    },
  );
  const ticks = timesMs.length;
  const { bots: _bots, ...partsMs } = stopwatch.partsMs;
  const { p50, p95, max } = percentilesOf(timesMs);
  return {
    ticks,
    rate: timed.rate,
    bots,
    hash: timed.hash(),
    medianMs: p50,
    p95Ms: p95,
    maxMs: max,
    entities: timed.entityCount,
    parts: Object.entries(partsMs).map(([name, ms]) => ({ name, ms: ms / Math.max(1, ticks) })),
    scripts: profile
      .rows(ticks)
      .scripts.slice(0, scriptsShown)
      .map(({ name, place, calls, selfMs, share }) => ({ name, place, calls, share, ms: selfMs / Math.max(1, ticks) })),
  };
}

type Each = (sim: Simulation, players: Bots, isMeasured: boolean) => void;

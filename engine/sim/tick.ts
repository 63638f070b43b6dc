import type { Game } from '../rules/game.ts';
import type { Runtime } from '../script/running/runtime.ts';
import type { Input } from './input.ts';
import { isDue, type Rates, Timing, ticksSinceStep, timeMsOf } from './rates.ts';
import { type Phase, schedule, type Tick, type TickSystem } from './schedule.ts';

/**
 * Called at the beginning of each phase of a tick, and with `idle` at the end, so that profilers outside the engine can
 * measure times.
 */
export type PhaseListener = (phase: Phase | 'idle') => void;

/** Runs the ticks of one simulation: the systems of `schedule` in order. */
export class TickRunner {
  private readonly tick: Tick;

  /** `apply` applies one input to the game. */
  constructor(game: Game, runtime: Runtime, rates: Rates, apply: (input: Input) => void) {
    const flags = { scriptTick: false, physicsTick: false, secondHasPassed: false };
    const timing = new Timing(rates, !game.rules.singleTickRate);
    this.tick = { game, runtime, rates, timing, apply, inputs: [], nowMs: 0, stepSeconds: 0, released: 0, ...flags };
  }

  /** Runs one tick. `before` is called with each system before it runs. */
  run(inputs: readonly Input[], before?: (system: TickSystem) => void): void {
    const { tick } = this;
    const { world } = tick.game;
    const { ticksPerSecond, scriptsPerSecond, physicsPerSecond } = tick.rates;
    world.clock.tick++;
    tick.inputs = inputs;
    tick.nowMs = timeMsOf(world.clock.tick, ticksPerSecond);
    tick.scriptTick = isDue(world.clock.tick, scriptsPerSecond, ticksPerSecond);
    tick.physicsTick = isDue(world.clock.tick, physicsPerSecond, ticksPerSecond);
    if (tick.physicsTick)
      tick.stepSeconds = tick.timing.stepSeconds(
        world.clock,
        world.clock.tick,
        ticksSinceStep(world.clock.tick, physicsPerSecond, ticksPerSecond),
      );
    tick.secondHasPassed = isDue(world.clock.tick, 1, ticksPerSecond);
    tick.runtime.startTick();
    for (let i = 0; i < schedule.length; i++) {
      const system = schedule[i]!;
      if (system.isDue !== undefined && !system.isDue(tick)) continue;
      before?.(system);
      system.run(tick);
    }
  }
}

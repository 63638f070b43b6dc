import type { Dictionary } from '../core/plain-object.ts';
import { recordTrails } from '../rules/combat/rewind.ts';
import { endStatusEffects } from '../rules/combat/status-effect.ts';
import { regenerate } from '../rules/entities/attribute.ts';
import type { Game } from '../rules/game.ts';
import { endKick } from '../rules/players/moderation.ts';
import { drainQueue, updateBetweenTicks, updateEntities } from '../rules/world/behaviour.ts';
import { updateServerUptime } from '../rules/world/server-life.ts';
import type { ScriptContext } from '../script/running/context.ts';
import type { Runtime } from '../script/running/runtime.ts';
import { Kind } from '../world/entity.ts';
import type { Input } from './input.ts';
import { outerFramesPerSecond, type Rates, type Timing, timeMsOf } from './rates.ts';

/** The phases of a tick in order, as reported by profiles. */
export const phases = ['inputs', 'timers', 'entities', 'physics', 'players', 'scripts'] as const;
export type Phase = (typeof phases)[number];

/** The arguments of the systems: one object, which all ticks of a simulation reuse. */
export interface Tick {
  readonly game: Game;
  readonly runtime: Runtime;
  readonly rates: Rates;
  readonly timing: Timing;
  inputs: readonly Input[];
  apply(input: Input): void;
  /** Simulated time of this tick, ms; timers and inputs run at earlier times. */
  nowMs: number;
  scriptTick: boolean;
  physicsTick: boolean;
  /** Length of the physics step, s. Steps differ in length if the physics rate does not divide the tick rate. */
  stepSeconds: number;
  /** Whether a whole simulated second ends with this tick. */
  secondHasPassed: boolean;
  /** Number of released entities whose bodies this tick's physics update removes. */
  released: number;
}

/** One step of a tick. */
export interface TickSystem {
  readonly name: string;
  readonly phase: Phase;
  /** If omitted, the system runs in every tick. */
  isDue?(tick: Tick): boolean;
  run(tick: Tick): void;
}

const nothing: Dictionary<never> = Object.freeze({});

/**
 * The systems of a tick in order. The order is part of the contract: docs/semantics.md explains it,
 * test/sim/tick.test.ts pins it.
 */
export const schedule: readonly TickSystem[] = [
  {
    // Applies the inputs in order of arrival. Inputs and timers count as happening between the previous tick and this
    // one.
    name: 'inputs',
    phase: 'inputs',
    run({ game, runtime, rates, inputs, apply, timing }) {
      const { world, rules } = game;
      world.clock.betweenTicks = true;
      // In dialects in which inputs arrive between two ticks, as from sockets, the timers that are due before the
      // inputs run first.
      const inputTick = world.clock.tick - rules.inputLeadTicks;
      if (rules.inputLeadTicks > 0) {
        passTime(
          game,
          runtime,
          timing,
          rates.ticksPerSecond,
          world.clock.tick - 1,
          timeMsOf(inputTick, rates.ticksPerSecond),
        );
      }
      timing.beforeTick(world.clock, inputTick);
      // Uses indexed loops here and below, because each iterator would be an allocation per tick.
      for (let i = 0; i < inputs.length; i++) apply(inputs[i]!);
    },
  },
  {
    // Runs the timers that are due. Between timers, kicked players leave, and in `moddio`, life spans end and sensors
    // move.
    name: 'timers',
    phase: 'timers',
    run({ game, runtime, rates, timing, nowMs }) {
      const { world } = game;
      passTime(game, runtime, timing, rates.ticksPerSecond, world.clock.tick - game.rules.inputLeadTicks, nowMs);
      timing.atTick(world.clock, world.clock.tick);
      world.clock.betweenTicks = false;
    },
  },
  {
    // Queues the triggers `secondTick` and `frameTick` when they are due.
    name: 'clock',
    phase: 'timers',
    run({ game: { world }, secondHasPassed, scriptTick }) {
      if (secondHasPassed) world.triggers.enqueue('secondTick', nothing);
      if (scriptTick) world.triggers.enqueue('frameTick', nothing);
    },
  },
  {
    // Updates each awake entity, newest first. This is one system for all behaviour, because scripts can see that one
    // entity was updated before the next.
    name: 'entities',
    phase: 'entities',
    run({ game, scriptTick, rates }) {
      updateEntities(game, scriptTick, 1 / rates.scriptsPerSecond);
    },
  },
  {
    // Ends status effects. This is a system of its own rather than a part of each unit's turn, because the order of
    // units does not matter for it.
    name: 'status effects',
    phase: 'entities',
    isDue: ({ scriptTick }) => scriptTick,
    run({ game }) {
      endStatusEffects(game);
    },
  },
  {
    // Creates and removes bodies, applies movement, steps physics, reads transforms back and turns contacts into
    // triggers.
    name: 'physics',
    phase: 'physics',
    isDue: ({ physicsTick }) => physicsTick,
    run(tick) {
      const { world, physics } = tick.game;
      tick.released = world.releasedCount;
      physics.update(tick.stepSeconds);
    },
  },
  {
    // Frees the rows of destroyed entities whose bodies physics has just removed. This is not done earlier, because the
    // removal of a body ends contacts that refer to the row.
    name: 'rows',
    phase: 'physics',
    isDue: ({ physicsTick }) => physicsTick,
    run({ game: { world, physics, rules }, released }) {
      world.freeReleased(released, physics, !rules.groupsForgetDestroyed);
    },
  },
  {
    // Records the positions of units, for lag compensation.
    name: 'trails',
    phase: 'physics',
    isDue: ({ game }) => game.world.withSeen.entries.length > 0,
    run({ game }) {
      recordTrails(game);
    },
  },
  {
    // Regenerates the attributes of players.
    name: 'players',
    phase: 'players',
    isDue: ({ physicsTick }) => physicsTick,
    run({ game, rates }) {
      regeneratePlayers(game, 1 / rates.physicsPerSecond);
    },
  },
  {
    // Runs the global scripts for queued triggers until the queue is empty.
    name: 'scripts',
    phase: 'scripts',
    isDue: ({ scriptTick }) => scriptTick,
    run({ game }) {
      drainQueue(game);
    },
  },
  {
    // Ends the game when the server's life span or idle timeout is over.
    name: 'server',
    phase: 'scripts',
    isDue: ({ secondHasPassed }) => secondHasPassed,
    run({ game }) {
      updateServerUptime(game);
    },
  },
];

function runTimers(game: Game, runtime: Runtime, timing: Timing, untilMs: number) {
  const { world } = game;
  for (;;) {
    const leaving = world.server.leaving[0];
    if (leaving !== undefined && leaving.dueMs <= untilMs && world.timers.comesBefore(leaving)) {
      world.server.leaving.shift();
      timing.between(world.clock, leaving.dueMs);
      if (world.exists(leaving.player)) endKick(game, leaving.player, leaving.message);
      continue;
    }
    const timer = world.timers.takeDue(untilMs);
    if (timer === undefined) return;
    timing.between(world.clock, timer.dueMs);
    const context = timer.state as ScriptContext;
    context.rounds = timer.rounds;
    context.round = timer.round;
    runtime.runJob(timer.rounds?.job ?? timer.job, context, timer.sequence);
  }
}

/**
 * Runs the timers up to `untilMs`, and in dialects with outer frames also the frames up to then. The reference ends
 * life spans and moves sensors in every outer frame (reference: tick#frame, step 5), some of which lie between two
 * ticks: an entity whose life span ends in such a frame no longer exists for later timers. Frames up to `sinceTick`,
 * which may be fractional, have already run.
 */
function passTime(
  game: Game,
  runtime: Runtime,
  timing: Timing,
  ticksPerSecond: number,
  sinceTick: number,
  untilMs: number,
) {
  const { clock } = game.world;
  if (!game.rules.singleTickRate) {
    // Excludes the frame of the tick itself, in which the pass over all entities does this work.
    const end = Math.min(untilMs, timeMsOf(clock.tick, ticksPerSecond) - frameMargin);
    let frame = Math.floor((sinceTick * outerFramesPerSecond) / ticksPerSecond + 1e-9) + 1;
    for (let frameMs = timing.frameTimeMs(frame); frameMs <= end; frameMs = timing.frameTimeMs(++frame)) {
      runTimers(game, runtime, timing, frameMs);
      timing.atFrame(clock, frame);
      updateBetweenTicks(game);
    }
  }
  runTimers(game, runtime, timing, untilMs);
}

/** Half the resolution of tick times (see `timeMsOf`), ms. */
const frameMargin = 1 / 2048;

/** Regenerates the attributes of all players, at the physics rate (reference: tick#regeneration). */
function regeneratePlayers(game: Game, seconds: number) {
  const { world } = game;
  const { entries } = world.lists[Kind.player]!;
  for (let i = entries.length - 1; i >= 0; i--) {
    const player = entries[i]!;
    if (world.exists(player)) regenerate(game, player, seconds);
  }
}

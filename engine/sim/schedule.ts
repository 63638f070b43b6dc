import { endStatusEffects } from '../rules/combat/status-effect.ts';
import { regenerate } from '../rules/entities/attribute.ts';
import type { Game } from '../rules/game.ts';
import { endKick } from '../rules/players/moderation.ts';
import { drainQueue, updateBetweenTicks, updateEntities } from '../rules/world/behaviour.ts';
import { ageServer } from '../rules/world/server-life.ts';
import type { ScriptContext } from '../script/context.ts';
import type { Runtime } from '../script/runtime.ts';
import { Kind } from '../world/entity.ts';
import type { Input } from './input.ts';
import { outerFramesPerSecond, type Rates, type Timing, timeMsOf } from './rates.ts';

/** The parts of a tick that people see, in their order. */
export const phases = ['inputs', 'timers', 'entities', 'physics', 'players', 'scripts'] as const;
export type Phase = (typeof phases)[number];

/** The arguments of the systems of one tick. One object for all ticks of a simulation. */
export interface Tick {
  readonly game: Game;
  readonly runtime: Runtime;
  readonly rates: Rates;
  readonly timing: Timing;
  inputs: readonly Input[];
  apply(input: Input): void;
  /** Simulated time of this tick; timers and inputs run before it. */
  nowMs: number;
  scriptTick: boolean;
  physicsTick: boolean;
  /** Length of the physics step. Where the rate does not divide that of the ticks, steps differ in length. */
  stepSeconds: number;
  /** A whole simulated second is over. */
  secondHasPassed: boolean;
  /** Entities whose bodies this tick's physics update removes. */
  released: number;
}

/** One step of a tick. */
export interface TickSystem {
  readonly name: string;
  readonly phase: Phase;
  /** Without it the system runs every tick. */
  isDue?(tick: Tick): boolean;
  run(tick: Tick): void;
}

const nothing: Readonly<Record<string, never>> = Object.freeze({});

/** The systems of a tick in order. The order is part of the contract: docs/semantics.md explains it, test/sim/tick.test.ts pins it. */
export const schedule: readonly TickSystem[] = [
  {
    // Applies the inputs in order of arrival. Inputs and timers belong to the time since the last tick.
    name: 'inputs',
    phase: 'inputs',
    run({ game, runtime, rates, inputs, apply, timing }) {
      const { world, chosen } = game;
      world.clock.betweenTicks = true;
      // Where inputs arrive between two ticks, as they do from sockets, timers due in the first half run before them.
      const inputTick = world.clock.tick - chosen.inputLeadTicks;
      if (chosen.inputLeadTicks > 0) {
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
      // By index here and below: an iterator is an object, and a tick makes none where nothing happens.
      for (let i = 0; i < inputs.length; i++) apply(inputs[i]!);
    },
  },
  {
    // Runs the timers that are due. In `moddio` life spans end and sensors move between them, and kicked players leave.
    name: 'timers',
    phase: 'timers',
    run({ game, runtime, rates, timing, nowMs }) {
      const { world } = game;
      passTime(game, runtime, timing, rates.ticksPerSecond, world.clock.tick - game.chosen.inputLeadTicks, nowMs);
      timing.atTick(world.clock, world.clock.tick);
      world.clock.betweenTicks = false;
    },
  },
  {
    // Queues `secondTick` and `frameTick`.
    name: 'clock',
    phase: 'timers',
    run({ game: { world }, secondHasPassed, scriptTick }) {
      if (secondHasPassed) world.triggers.enqueue('secondTick', nothing);
      if (scriptTick) world.triggers.enqueue('frameTick', nothing);
    },
  },
  {
    // Updates each entity that is awake, newest first. One stage, because scripts can see that one entity was updated and the next was not.
    name: 'entities',
    phase: 'entities',
    run({ game, scriptTick, rates }) {
      updateEntities(game, scriptTick, 1 / rates.scriptsPerSecond);
    },
  },
  {
    // Ends status effects. Not part of updating an entity: the order of units does not matter.
    name: 'status effects',
    phase: 'entities',
    isDue: ({ scriptTick }) => scriptTick,
    run({ game }) {
      endStatusEffects(game);
    },
  },
  {
    // Creates and removes bodies, applies movement, reads transforms back, steps the world and turns contacts into triggers.
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
    // Frees the rows of destroyed entities whose bodies this update has removed; that removal still ended contacts in their name.
    name: 'rows',
    phase: 'physics',
    isDue: ({ physicsTick }) => physicsTick,
    run({ game: { world, physics }, released }) {
      world.freeReleased(released, physics);
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
    // Ages the server: its life span and its idle time-out.
    name: 'server',
    phase: 'scripts',
    isDue: ({ secondHasPassed }) => secondHasPassed,
    run({ game }) {
      ageServer(game);
    },
  },
];

function runTimers(game: Game, runtime: Runtime, timing: Timing, untilMs: number): void {
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
    runtime.runJob(timer.rounds?.job ?? timer.job, context);
  }
}

/**
 * Timers up to `untilMs`. The reference looks at life spans and moves sensors in every outer frame (reference: tick#frame, step 5), of which some lie
 * between two ticks. An entity that ends in one of these is gone before the tick, and for the timers after it. `sinceTick` may lie between two ticks;
 * the frames up to it have passed.
 */
function passTime(
  game: Game,
  runtime: Runtime,
  timing: Timing,
  ticksPerSecond: number,
  sinceTick: number,
  untilMs: number,
): void {
  const { clock } = game.world;
  if (game.chosen.passesFrames) {
    // The frame of the tick itself is the pass over all entities.
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

/** Half a step of the times of ticks, ms. */
const frameMargin = 1 / 2048;

/** Players follow the physics rate (reference: tick#regeneration). */
function regeneratePlayers(game: Game, seconds: number): void {
  const { world } = game;
  const { entries } = world.lists[Kind.player]!;
  for (let i = entries.length - 1; i >= 0; i--) {
    const player = entries[i]!;
    if (world.exists(player)) regenerate(game, player, seconds);
  }
}

import { regenerate } from '../rules/entities/attribute.ts';
import type { Game } from '../rules/game.ts';
import { drainQueue, endLifeSpans, updateEntities } from '../rules/world/behaviour.ts';
import { ageServer } from '../rules/world/server-life.ts';
import type { ScriptContext } from '../script/context.ts';
import type { Runtime } from '../script/runtime.ts';
import { Kind } from '../world/entity.ts';
import type { Input } from './input.ts';
import { isDue, outerFramesPerSecond, type Rates, timeMsOf } from './rates.ts';

/** The parts of a tick, in their order. A listener is told when each begins, and `idle` at the end: that is how the outside takes times. */
export const phases = ['inputs', 'timers', 'entities', 'physics', 'players', 'scripts'] as const;
export type Phase = (typeof phases)[number];
export type PhaseListener = (phase: Phase | 'idle') => void;

const nothing: Readonly<Record<string, never>> = Object.freeze({});

/** One tick, in its order. The order is part of the contract: docs/semantics.md states it, test/sim/tick.test.ts pins it. */
export function runTick(
  game: Game,
  runtime: Runtime,
  rates: Rates,
  inputs: readonly Input[],
  apply: (input: Input) => void,
  phase: PhaseListener | undefined,
): void {
  const { world, physics } = game;
  const { ticksPerSecond, scriptsPerSecond, physicsPerSecond } = rates;
  world.tick++;
  const nowMs = timeMsOf(world.tick, ticksPerSecond);
  const scriptTick = isDue(world.tick, scriptsPerSecond, ticksPerSecond);
  const physicsTick = isDue(world.tick, physicsPerSecond, ticksPerSecond);
  runtime.startTick();

  phase?.('inputs');
  // 1. Inputs, in order of arrival; 2. timers that are due. Both belong to the time since the last tick.
  world.betweenTicks = true;
  // Where regeneration has a phase, what is created by an input starts it between two ticks, as it does where inputs come from sockets.
  world.nowMs = world.dialect.regeneration === 'pulse' ? timeMsOf(world.tick - 0.5, ticksPerSecond) : nowMs;
  // By index here and below: an iterator is an object, and a tick makes none where nothing happens.
  for (let i = 0; i < inputs.length; i++) apply(inputs[i]!);
  phase?.('timers');
  if (world.dialect.rates === 'two') passFrames(game, runtime, ticksPerSecond, nowMs);
  runTimers(game, runtime, nowMs);
  world.nowMs = nowMs;
  world.betweenTicks = false;

  // 3. What the clock says.
  const secondHasPassed = isDue(world.tick, 1, ticksPerSecond);
  if (secondHasPassed) world.enqueue('secondTick', nothing);
  if (scriptTick) world.enqueue('frameTick', nothing);

  // 4. Entities, newest first.
  phase?.('entities');
  updateEntities(game, scriptTick, 1 / scriptsPerSecond);

  // 5. Bodies are made and removed, movement is applied, transforms are read back, the world steps, contacts become triggers.
  if (physicsTick) {
    phase?.('physics');
    const released = world.releasedCount;
    physics.update(1 / physicsPerSecond);
    world.freeReleased(released, physics);
    phase?.('players');
    regeneratePlayers(game, 1 / physicsPerSecond);
  }

  // 6. Global scripts hear what waits, until nothing does.
  phase?.('scripts');
  if (scriptTick) drainQueue(game);

  // 7. The server gets older.
  if (secondHasPassed) ageServer(game);
  phase?.('idle');
}

function runTimers({ world }: Game, runtime: Runtime, untilMs: number): void {
  for (let timer = world.timers.takeDue(untilMs); timer !== undefined; timer = world.timers.takeDue(untilMs)) {
    world.nowMs = timer.dueMs;
    runtime.runJob(timer.job, timer.state as ScriptContext);
  }
}

/**
 * The reference looks at life spans in every outer frame (reference: tick#frame, step 5), of which some lie between two ticks: who ends in one of
 * these is gone before the tick, and for the timers that are due between them.
 */
function passFrames(game: Game, runtime: Runtime, ticksPerSecond: number, nowMs: number): void {
  const { world } = game;
  let frame = Math.floor(((world.tick - 1) * outerFramesPerSecond) / ticksPerSecond + 1e-9) + 1;
  for (
    let frameMs = timeMsOf(frame, outerFramesPerSecond);
    frameMs < nowMs;
    frameMs = timeMsOf(++frame, outerFramesPerSecond)
  ) {
    runTimers(game, runtime, frameMs);
    world.nowMs = frameMs;
    endLifeSpans(game);
  }
}

/** Players follow the physics rate (reference: tick#regeneration). */
function regeneratePlayers(game: Game, seconds: number): void {
  const { world } = game;
  const { entries } = world.lists[Kind.player]!;
  for (let i = entries.length - 1; i >= 0; i--) {
    const player = entries[i]!;
    if (world.exists(player)) regenerate(game, player, seconds);
  }
}

import type { Game } from '../rules/game.ts';
import type { TickObserver } from '../script/running/context.ts';
import type { Entity } from '../world/entity.ts';
import type { Payload, TriggerType } from '../world/triggers.ts';
import { internalsOf, type Simulation } from './simulation.ts';

/** Follows every step of a tick: scripts (see `TickObserver`), triggers, and events between rules. */
export interface TickTracer extends TickObserver {
  /**
   * Called when a trigger fires, whether or not a script listens. If a script listens, `enter('trigger')` follows.
   * `entity` is the entity for whose scripts the trigger fires, or 0 if it fires for the global scripts.
   */
  fired(trigger: TriggerType, entity: Entity, payload: Payload): void;
  /** Called when a trigger is queued; `fired` follows with the same payload object. */
  queued(trigger: TriggerType, payload: Payload): void;
  /**
   * Called when the rules that listen to an event of another rule begin; `leave` is called when they end. `other` is
   * the entity that the event carries, if any.
   */
  rule(event: string, subject: Entity, other: Entity | undefined): void;
  /** Called when the turn of an entity begins. */
  turn(entity: Entity): void;
}

/**
 * Traces a simulation from now on. Tracing cannot be stopped, so trace a copy. Script actions and values are reported
 * only by a game that was compiled to be watched: `programsOfGame(game).watched('everything')`.
 */
export function trace(sim: Simulation, tracer: TickTracer): void {
  const { game, runtime, world } = internalsOf(sim);
  runtime.observer = tracer;
  sim.observe((trigger, _scope, entity, payload) => tracer.fired(trigger, entity, payload));
  world.triggers.queueObserver = (trigger, payload) => tracer.queued(trigger, payload);
  game.turnBegins = (entity) => tracer.turn(entity);
  const traced: Record<string, unknown> = {};
  for (const [event, list] of Object.entries(game.listeners)) {
    const before = (_game: Game, subject: Entity, payload: unknown) =>
      tracer.rule(event, subject, typeof payload === 'number' ? payload : undefined);
    traced[event] = [before, ...list, () => tracer.leave()];
  }
  game.listeners = traced as unknown as Game['listeners'];
}

import type { Entity } from '../world/entity.ts';

/**
 * Events by which a rule informs rules that it does not import. Each event concerns one entity, its subject, and
 * carries at most one further value, whose type is declared here. Both are plain arguments, so emitting an event
 * allocates nothing. For the listeners and their order, see `rules/world/listeners.ts`. Scripts receive triggers
 * instead (`world/triggers.ts`).
 */
interface RuleEvents {
  /**
   * An entity entered a state; emitted before its scripts run and its body is rebuilt. The value is true if the entity
   * was already in that state.
   */
  stateEntered: boolean;
  /** A unit's health reached 0; emitted before its scripts run. */
  defeated: undefined;
  /** An entity is about to be destroyed; emitted while lookups still find it, and before its scripts run. */
  destroying: undefined;
  /**
   * An entity's life span ended, in a dialect where this differs from other destruction; other dialects emit
   * `destroying`.
   */
  expiring: undefined;
  /** A unit is about to be hidden. */
  hiding: undefined;
  /** A unit was hidden; it still has its body. */
  hidden: undefined;
  /** A unit is shown again; it does not have a body yet. */
  shown: undefined;
  /** A new unit has its attributes and variables, but no state yet. */
  unitMade: undefined;
  /** A unit that carries nothing should get the default items of its type, because it is new or was reset. */
  outfitting: undefined;
  /** A unit is about to change owners. The value is the new owner. */
  ownerChanging: Entity;
  /** A unit's owner was assigned; the new owner can be the same as before. */
  ownerChanged: undefined;
  /**
   * A unit has the attributes, variables, state and body of its new type, but still carries the items it had before.
   */
  typeChanging: IsOver;
  /** A unit's type changed: attributes, variables, body and items match the new type. No slot is selected yet. */
  typeChanged: IsOver;
  /** A player's type changed, and with it the relationships between this player and others. */
  playerTypeChanged: undefined;
  /** A unit was damaged and still exists. The value is the attacking unit, which may no longer exist. */
  damaged: Entity;
  /** A unit was stunned. */
  stunned: undefined;
  /** A unit and a projectile began to touch; emitted before the unit's scripts run. The value is the projectile. */
  hitByProjectile: Entity;
  /** A unit entered the sensor of the subject; emitted after the scripts ran. The value is the unit that entered. */
  sensed: Entity;
  /**
   * Two bodies began to touch; emitted once for each of them, after all scripts of both ran. The value is the other
   * entity.
   */
  touched: Entity;
}
/**
 * Returns true once scripts have made the change in progress obsolete: the entity no longer exists, or another change
 * of its type has started.
 */
export type IsOver = () => boolean;

type RuleEvent = keyof RuleEvents;

/** A listener must check that the entities still exist, because an earlier listener may have run scripts. */
type Listener<G, E extends RuleEvent> = (game: G, subject: Entity, payload: RuleEvents[E]) => void;

export type Listeners<G> = { readonly [E in RuleEvent]: readonly Listener<G, E>[] };

export function emit<G extends { readonly listeners: Listeners<G> }, E extends RuleEvent>(
  game: G,
  event: E,
  subject: Entity,
  payload: RuleEvents[E],
): void {
  const listeners: readonly Listener<G, E>[] = game.listeners[event];
  for (let i = 0; i < listeners.length; i++) listeners[i]!(game, subject, payload);
}

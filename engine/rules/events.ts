import type { Entity } from '../world/entity.ts';

/**
 * Events between rules: a rule announces them to rules that it does not import. Each event is about one entity, its subject, and carries at most one
 * value more: the type stands here. So an event is two arguments, and emitting one allocates nothing. Listeners and their order: world/listeners.ts.
 * Scripts get triggers instead (`world/triggers.ts`).
 */
interface RuleEvents {
  /** An entity was put into a state, before its scripts run and its body is rebuilt. True when it was in that state already. */
  stateEntered: boolean;
  /** The health of a unit became 0, before its scripts run. */
  defeated: undefined;
  /** An entity is about to be destroyed and still resolves, before its scripts run. */
  destroying: undefined;
  /** The life span of an entity is over, in a dialect where that is no destruction like any other; as `destroying` otherwise. */
  expiring: undefined;
  /** A unit is about to be hidden. */
  hiding: undefined;
  /** A unit has been hidden; its body is still there. */
  hidden: undefined;
  /** A unit is shown again; it has no body yet. */
  shown: undefined;
  /** A new unit has attributes and variables, and no state yet. */
  unitMade: undefined;
  /** A unit that carries nothing is to get what its type gives it: it is new, or it was reset. */
  outfitting: undefined;
  /** A unit is about to get another owner: the new one. */
  ownerChanging: Entity;
  /** A unit was given an owner, perhaps the one that it had. */
  ownerChanged: undefined;
  /** A unit has attributes, variables, state and body of another type; what it carries is as before. */
  typeChanging: IsOver;
  /** A unit has another type: attributes, variables, body and items are those of the new type. No slot is selected yet. */
  typeChanged: IsOver;
  /** A player has another type, and with it other relationships. */
  playerTypeChanged: undefined;
  /** A unit was damaged and still exists. The attacking unit, which may be gone. */
  damaged: Entity;
  /** A unit was stunned. */
  stunned: undefined;
  /** A unit and a projectile have begun to touch, before the scripts of the unit run. The projectile. */
  hitByProjectile: Entity;
  /** A unit has come into the sensor of the subject, after the scripts ran. That unit. */
  sensed: Entity;
  /** Two bodies have begun to touch, after all scripts of both ran; emitted for each of the two. The other one. */
  touched: Entity;
}
/** Whether scripts that ran meanwhile have ended a change: the entity is gone, or is being changed again. */
export type IsOver = () => boolean;

type RuleEvent = keyof RuleEvents;

/** A listener asks itself whether the entities still exist: scripts may have run in a listener before it. */
type Listener<G, E extends RuleEvent> = (game: G, subject: Entity, payload: RuleEvents[E]) => void;

export type Listeners<G> = { readonly [E in RuleEvent]: readonly Listener<G, E>[] };

/** Calls the listeners of an event, in their order. */
export function emit<G extends { readonly listeners: Listeners<G> }, E extends RuleEvent>(
  game: G,
  event: E,
  subject: Entity,
  payload: RuleEvents[E],
): void {
  const listeners: readonly Listener<G, E>[] = game.listeners[event];
  for (let i = 0; i < listeners.length; i++) listeners[i]!(game, subject, payload);
}

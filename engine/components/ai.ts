import { component, tag } from '../ecs/component.ts';
import { entity, f64, flag, type Infer, list, oneOf, optional, record, text } from '../schema/index.ts';
import { point } from './point.ts';

const aiModes = ['idle', 'move', 'fight', 'flee'] as const;
export type AiMode = (typeof aiModes)[number];
export const aiState = record({
  enabled: flag(),
  mode: oneOf(aiModes),
  target: entity(),
  /** The point to which the unit walks if it has no target, px. */
  destination: optional(point),
  /** The point from which the unit's travel distance is measured, px. */
  home: optional(point),
  nextActionAtMs: f64(),
  fleeEndsAtMs: f64(),
  /** The cells of the A* path that the unit still has to walk, goal first: x, y, x, y … in map cells. */
  path: list(f64()),
  /** The position of the target when the path was planned, px. */
  pathTarget: optional(point),
  /** Whether the path reaches its goal. If no path was found, `path` contains only the goal. */
  isReachable: flag(true),
  /** Index of the unit type that the following settings were copied from. */
  unitType: f64(),
  pathFinding: text(),
  idleBehaviour: text('stay'),
  sensorResponse: text('none'),
  attackResponse: text('none'),
  /** Distances in px; Infinity means no limit. Scripts may change them. */
  maxTravelDistance: f64(Infinity),
  letGoDistance: f64(Infinity),
  maxAttackRange: f64(),
});
export type AiState = Infer<typeof aiState>;

/**
 * The AI of a unit. Every unit whose type has an AI has this component, even while the AI is off. In `moddio`, a unit
 * whose type has no AI gets this component without settings when it receives an order or its AI is switched on.
 */
export const Ai = component('ai', aiState);

/** Marks a hidden unit whose AI was on when it was hidden; showing the unit switches it on again. */
export const AiPaused = tag('aiPaused');

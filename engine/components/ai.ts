import { component, tag } from '../ecs/component.ts';
import { entity, f64, flag, type Infer, list, oneOf, optional, record, text } from '../schema/index.ts';
import { point } from './point.ts';

const aiModes = ['idle', 'move', 'fight', 'flee'] as const;
export type AiMode = (typeof aiModes)[number];
export const aiState = record({
  enabled: flag(),
  mode: oneOf(aiModes),
  target: entity(),
  /** Where it walks to when it has no target. */
  destination: optional(point),
  /** Where it returns to. */
  home: optional(point),
  nextActionAtMs: f64(),
  fleeEndsAtMs: f64(),
  /** Cells of an a* path still to walk, goal first: x, y, x, y … in cells. */
  path: list(f64()),
  /** Where the target was when the path was made. */
  pathTarget: optional(point),
  /** Whether the path leads to its goal; otherwise it is only the goal, for want of a way. */
  isReachable: flag(true),
  /** Index of the unit type that what follows was taken from. */
  unitType: f64(),
  pathFinding: text(),
  idleBehaviour: text('stay'),
  sensorResponse: text('none'),
  attackResponse: text('none'),
  /** px; Infinity for no limit. Scripts may change these. */
  maxTravelDistance: f64(Number.POSITIVE_INFINITY),
  letGoDistance: f64(Number.POSITIVE_INFINITY),
  maxAttackRange: f64(),
});
export type Mind = Infer<typeof aiState>;

/** The mind of a unit whose type has an AI, also while it is off. In `moddio` orders and switching it on give one to any other unit, without settings. */
export const Ai = component('ai', aiState);

/** Its AI was on when the unit was hidden, and is on again when it is shown. */
export const AiPaused = tag('aiPaused');

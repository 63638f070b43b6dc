import type { Cost } from '../definition/ability.ts';
import { component } from '../ecs/component.ts';
import {
  constant,
  count,
  entity,
  f64,
  flag,
  type Infer,
  list,
  map,
  oneOf,
  optional,
  part,
  record,
  text,
} from '../schema/index.ts';
import { point } from './point.ts';

export const buff = record({
  attribute: text(),
  /** What is taken back from the maximum when it ends. */
  amount: f64(),
  /** What was really added to the value, taken back with it. */
  gained: f64(),
  endsAtMs: f64(),
});
export type Buff = Infer<typeof buff>;

/** An ability in use or cooling down. Times are simulated ms; Infinity where the ability sets none. */
export const abilityUse = record({ active: flag(), coolsAtMs: f64(), endsAtMs: f64() });
export type AbilityUse = Infer<typeof abilityUse>;
/** A cast that waits for the unit's next tick. `script` is a script key; `event` and `ability` belong to the newer shape. */
export const queuedCast = constant(
  record({
    kind: oneOf(['script', 'builtIn', 'startCasting', 'stopCasting']),
    /** Script key, name of what is built in, or ability id. */
    name: text(),
    cost: part<Cost>('cost'),
    /** Where the definition asks for it, as faults name places. */
    place: text(),
  }),
);
export type QueuedCast = Infer<typeof queuedCast>;

export const aiModes = ['idle', 'move', 'fight', 'flee'] as const;
export type AiMode = (typeof aiModes)[number];
export const aiState = record({
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
export type AiState = Infer<typeof aiState>;

export const unitState = record({
  name: text(),
  /** Slots of the inventory, then of the backpack, then 5 for trades: an item or 0. */
  slots: list(entity('item')),
  inventorySize: count(),
  backpackSize: count(),
  /** Index into `slots` of the selected slot. */
  currentSlot: f64(),
  /** The item the unit holds; 0 for none. */
  heldItem: entity('item'),
  ai: optional(aiState),
  buffs: list(buff),
  castQueue: list(queuedCast),
  abilities: map(text(), abilityUse),
  /** Until then it takes no orders from keys or AI; Infinity for until it is told otherwise, 0 for not at all. */
  stunEndsAtMs: f64(),
  /** Until then it is slow; 0 for not at all. */
  slowEndsAtMs: f64(),
  /** Whether its AI was on before it was hidden. */
  aiBeforeHiding: flag(),
  /** Saved data may be written only after it was loaded (reference: players#persistence). */
  persistenceLoaded: flag(),
});
export type UnitState = Infer<typeof unitState>;

export const Unit = component('unit', unitState);

import { component } from '../ecs/component.ts';
import { f64, i32 } from '../schema/index.ts';

/** Attributes are stored in a separate table (world/attribute.ts), where the rows of an entity are consecutive. */
export const Attributes = component('attributes', {
  start: i32(),
  count: i32(),
  /** How many of those rows have a rate other than 0; 0 means that regeneration skips the entity. */
  rates: i32(),
  /** Pulse regeneration only (reference: tick#regeneration). */
  regeneratedAtMs: f64(),
});

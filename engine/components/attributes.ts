import { component } from '../ecs/component.ts';
import { f64, i32 } from '../schema/index.ts';

/** Attributes are stored in a separate table (world/attribute.ts), where the rows of an entity are consecutive. */
export const Attributes = component('attributes', {
  start: i32(),
  count: i32(),
  /** The number of the entity's attributes with a rate other than 0; if it is 0, regeneration skips the entity. */
  rates: i32(),
  /**
   * Simulated time of the last regeneration, ms; used only in dialects in which attributes regenerate in pulses
   * (reference: tick#regeneration).
   */
  regeneratedAtMs: f64(),
});

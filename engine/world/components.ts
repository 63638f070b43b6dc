import { type Columns as ColumnsOf, f64, i32, table, u8, u32 } from '../schema/index.ts';

/**
 * Every component column, declared once: the store, first values, the hash and the snapshot are derived from this list. All columns have one row per
 * entity row, so that no second index is needed; untouched pages of a column cost nothing. Columns never move while a simulation lives,
 * so a system may hold them in locals across script calls.
 *
 * Units: px for positions and sizes, radians (0 up, clockwise) for angles, ms of simulated time for times, physics units per second
 * (1 unit = 30 px) for velocities.
 */
export const components = table({
  // Every entity. Written by creation and destruction.
  kind: u8(),
  life: u8(),
  generation: u32(),
  /** Creation order over all kinds; never reused. */
  serial: f64(),
  /** Index of the runtime type in the table of its kind; -1 for none. */
  type: i32(-1),
  /** Index of the current state in the type's states; -1 for none. */
  state: i32(-1),
  /** Unit: owning player. Item: carrying unit. Projectile: source unit. Sensor: watched-for unit. */
  owner: f64(),

  // The transform that scripts see. Read back from the body before each physics step (reference: tick#physics-update), or set by scripts.
  x: f64(),
  y: f64(),
  angle: f64(),
  width: f64(),
  height: f64(),
  /** Factor on the body's size, set by script; 1 unless changed. */
  bodyScale: f64(1),
  /** 1 while hidden: no body, and a unit then runs no behaviour. */
  hidden: u8(),
  /** 1 after a step that found the centre outside the map; re-arms the touches-wall triggers. */
  outside: u8(),
  /** Simulated time at which the entity is destroyed; Infinity for never. */
  deathTimeMs: f64(Number.POSITIVE_INFINITY),

  // Attributes live in their own table; an entity's rows are consecutive.
  attributeStart: i32(),
  attributeCount: i32(),
  /** How many of those rows have a rate other than 0; 0 means that regeneration skips the entity. */
  attributeRates: i32(),
  /** Pulse regeneration only (reference: tick#regeneration). */
  regeneratedAtMs: f64(),

  // Movement of units. `moveX/Y` are what keys or scripts ask for (-1, 0, 1); `vectorX/Y` what the next physics pass applies.
  moveX: f64(),
  moveY: f64(),
  vectorX: f64(),
  vectorY: f64(),
  /** 0 none, 1 velocity, 2 force, 3 impulse: how `vector` is applied. */
  moveMethod: u8(),
  /** Where the unit wants to face; NaN until it has been told. */
  facing: f64(Number.NaN),
  /** 1 when mirrored: anchors and bullet starts flip with it. */
  flip: u8(),
  /** 1 between unitStartsMoving and unitStopsMoving. */
  moving: u8(),
  /** 1 while the unit's AI is on. */
  ai: u8(),

  // Items. Quantity Infinity stands for the null of definitions: endless.
  quantity: f64(),
  maxQuantity: f64(),
  /** Inventory slot of a carried item, 0-based; -1 when not carried in a slot. */
  slot: i32(-1),
  beingUsed: u8(),
  /** One use is owed even if the item stops being used before its tick. */
  usePending: u8(),
  /** Simulated time of the last use; -Infinity before the first. */
  usedAtMs: f64(Number.NEGATIVE_INFINITY),
  fireRateMs: f64(),
});

export type Columns = ColumnsOf<typeof components.fields>;

import { component } from '../ecs/component.ts';
import { constant, entity, f64, flag, type Infer, list, map, optional, record, text } from '../schema/index.ts';

/** The effect of a weapon on the entities it hits; absent on projectiles that scripts made. */
const damage = constant(
  record({
    targetsAffected: list(text()),
    unitAttributes: map(text(), f64()),
    playerAttributes: map(text(), f64()),
    sourceUnit: entity(),
    sourceItem: entity(),
    sourcePlayer: entity(),
    /** The force in N that pushes a hit entity for one step, in the direction of the hit; 0 for none. */
    knockbackForce: f64(),
    /** The chances of status effects that the weapon rolled; absent for none. */
    stunChance: optional(f64()),
    slowChance: optional(f64()),
  }),
);
export type Damage = Infer<typeof damage>;

export const projectileState = record({
  sourceItem: entity('item'),
  damage: optional(damage),
  /** Whether it passes through units. */
  penetrates: flag(),
  /** The unit it damaged last; 0 for none. */
  hurtUnit: entity('unit'),
  /** The start of its flight and the distance that it flies from there, px; absent for no limit. */
  range: optional(constant(record({ x: f64(), y: f64(), distance: f64() }))),
});

export const Projectile = component('projectile', projectileState);

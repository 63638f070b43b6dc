import { component } from '../ecs/component.ts';
import { constant, entity, f64, flag, type Infer, list, map, optional, record, text } from '../schema/index.ts';

/** The effect that a weapon's projectile has on the units that it hits. Absent for projectiles that scripts created. */
const damage = constant(
  record({
    targetsAffected: list(text()),
    unitAttributes: map(text(), f64()),
    playerAttributes: map(text(), f64()),
    sourceUnit: entity(),
    sourceItem: entity(),
    sourcePlayer: entity(),
    /** The force, N, that pushes a unit that is hit in the direction of the hit during one physics step; 0 for none. */
    knockbackForce: f64(),
    /** The chances, 0 to 1, that a hit stuns or slows a unit. Absent if the weapon has no such buff. */
    stunChance: optional(f64()),
    slowChance: optional(f64()),
  }),
);
export type Damage = Infer<typeof damage>;

export const projectileState = record({
  sourceItem: entity('item'),
  damage: optional(damage),
  /** Whether the projectile passes through units. */
  penetrates: flag(),
  /** The unit that the projectile damaged last; 0 for none. */
  hurtUnit: entity('unit'),
  /** The point where the projectile started, and the distance that it flies from there, px; absent for no limit. */
  range: optional(constant(record({ x: f64(), y: f64(), distance: f64() }))),
});

export const Projectile = component('projectile', projectileState);

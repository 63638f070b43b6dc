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
    /** N, for one step, away from where the blow came from; 0 for none. */
    knockbackForce: f64(),
    /** The values that the weapon rolled of these buffs; absent for nothing. */
    stunChance: optional(f64()),
    slowChance: optional(f64()),
  }),
);
export type Damage = Infer<typeof damage>;

export const projectileState = record({
  sourceItem: entity('item'),
  damage: optional(damage),
  /** Units do not stop it. */
  penetrates: flag(),
  /** The unit it hurt last; 0 for none. */
  hurtUnit: entity('unit'),
  /** Where it was made, px, and how far from there it gets; absent for any distance. */
  range: optional(constant(record({ x: f64(), y: f64(), distance: f64() }))),
});

export const Projectile = component('projectile', projectileState);

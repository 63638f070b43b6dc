import type { Definition } from '../definition/definition.ts';
import type { Physics } from '../physics/physics.ts';
import type { World } from '../world/world.ts';

/** What every rule of the game works on. Verbs take it first; they keep nothing themselves. */
export interface Game {
  readonly definition: Definition;
  readonly world: World;
  readonly physics: Physics;
}

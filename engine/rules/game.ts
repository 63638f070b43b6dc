import type { Definition } from '../definition/definition.ts';
import type { ItemType } from '../definition/item.ts';
import type { Physics } from '../physics/physics.ts';
import type { RuntimeProjectileType } from '../world/types.ts';
import type { World } from '../world/world.ts';

/** What every rule of the game works on. Verbs take it first; they keep nothing themselves. */
export interface Game {
  readonly definition: Definition;
  readonly world: World;
  readonly physics: Physics;
  readonly chosen: ChosenRules;
}

/** Rules of which a dialect has its own, chosen once when the game is made (`rules/dialect/choose.ts`): no rule asks which dialect it is. */
export interface ChosenRules {
  /** How long before its tick an input takes effect: where regeneration has a phase, what an input creates starts it then. */
  readonly inputLeadTicks: number;
  /** Whether life spans also end in the outer frames that lie between two ticks. */
  readonly passesFrames: boolean;
  /** Whether a tick means anything to the attributes of a row. */
  regenerates(world: World, row: number): boolean;
  /** The part of its rates that an entity's attributes gain in this tick of `seconds`; 0 for nothing now. */
  regenerationShare(world: World, row: number, seconds: number): number;
  /** Abilities that need no description in the definition. */
  readonly builtIns: ReadonlySet<string>;
  /** What a gun fires that names no projectile type of the game. */
  ownProjectile(world: World, itemType: string): RuntimeProjectileType | undefined;
  /** Whether a new item that is not welded turns to its carrier's aim. */
  aims(type: ItemType): boolean;
}

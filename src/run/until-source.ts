import { EntityRef, type LoadedGame, type Simulation } from '../../engine/index.ts';
import { humanCount } from './summary.ts';
import type { UntilSource } from './until.ts';

/** What expressions can ask about a game. `playing` is asked when the expression is, not before. */
export function sourceOf({ definition }: LoadedGame, playing: () => Simulation): UntilSource {
  return {
    variableNames: definition.variables.keys(),
    variable(name) {
      const value = playing().variable(name);
      return value instanceof EntityRef ? value.id : value;
    },
    count(name) {
      const sim = playing();
      switch (name) {
        case 'time':
          return sim.nowMs / 1000;
        case 'tick':
          return sim.tick;
        case 'players':
          return humanCount(sim);
        case 'units':
          return sim.entities('unit').length;
        case 'items':
          return sim.entities('item').length;
        case 'projectiles':
          return sim.entities('projectile').length;
      }
    },
  };
}

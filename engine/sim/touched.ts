import { components } from '../components/index.ts';
import type { Access } from '../ecs/schedule.ts';
import { physics } from '../rules/game.ts';
import { ending, scripts } from '../rules/world/turn.ts';
import { resources } from '../world/resources.ts';

const c = components.all;
const r = resources.all;

/** Reads and writes of the larger systems of a tick, kept apart so that the schedule fits a screen. test/sim/schedule.test.ts finds what is missing. */
export const touched = {
  /** Keys, joins, answers and the like start rules of most rooms. */
  inputs: {
    reads: [c.ai, c.debris, c.delayedUses, c.rolledBuffs, c.sensing, c.statusEffects, r.shown],
    writes: [
      c.attributes,
      c.body,
      c.carried,
      c.casting,
      c.controls,
      c.facing,
      c.identity,
      c.inventory,
      c.hold,
      c.itemUse,
      c.lifespan,
      c.movement,
      c.name,
      c.passiveBonus,
      c.ownedUnits,
      c.rows,
      c.stack,
      c.transform,
      c.visibility,
      r.attributes,
      r.bodies,
      r.clock,
      r.entities,
      r.faults,
      r.made,
      r.memory,
      r.outbox,
      r.random,
      r.refs,
      r.server,
      r.triggers,
      r.variables,
      physics,
    ],
    calls: scripts,
  },
  /** Timers themselves only run scripts; in `moddio` life spans end between them. */
  timers: {
    reads: [c.ai, c.sensing, c.stack],
    writes: [...ending.writes, r.clock, r.timers],
    calls: scripts,
  },
  /** Of the pass itself: which parts an entity needs. */
  entities: {
    reads: [
      c.abilities,
      c.ai,
      c.buffs,
      c.casting,
      c.identity,
      c.lifespan,
      c.movement,
      c.projectile,
      c.rows,
      c.statusEffects,
      c.inventory,
      c.visibility,
      r.clock,
      r.triggers,
      physics,
    ],
    writes: [r.entities],
  },
  /** Reading back, and the rules of contacts: damage, sensors, what is outside the map. */
  physics: {
    reads: [c.attributes, c.sensing, c.velocity, c.visibility, r.bodies, r.clock],
    writes: [
      c.ai,
      c.body,
      c.identity,
      c.lifespan,
      c.movement,
      c.projectile,
      c.rows,
      c.transform,
      c.inventory,
      r.attributes,
      r.entities,
      r.made,
      r.memory,
      r.outbox,
      r.refs,
      r.triggers,
      physics,
    ],
    calls: scripts,
  },
  /** A row is cleared in every store. */
  rows: {
    reads: [r.globals],
    writes: [...Object.values(c), r.attributes, r.bodies, r.entities, r.memory, r.refs, r.shown, r.variables, physics],
  },
} satisfies Record<string, Access>;

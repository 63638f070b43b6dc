import { components } from '../../components/index.ts';
import type { Access, Part } from '../../ecs/schedule.ts';
import type { Entity } from '../../world/entity.ts';
import { resources } from '../../world/resources.ts';
import { aiBehaviour } from '../ai/ai.ts';
import { sensorBehaviour } from '../ai/sensor.ts';
import { endStatusEffects } from '../combat/status-effect.ts';
import { castAbilities } from '../control/ability.ts';
import { noticeMovement, steerUnit } from '../control/motion.ts';
import { regenerate } from '../entities/attribute.ts';
import { destroyEntity } from '../entities/destroy.ts';
import { type Game, physics } from '../game.ts';
import { itemBehaviour } from '../items/item.ts';
import { restsUntilMs } from './rest.ts';

/** Of an entity's turn: `run` does it. */
interface TurnPart<R> extends Part {
  run(game: Game, entity: Entity, seconds: number): R;
}

const c = components.all;
const r = resources.all;

/** A script may touch everything, which no list of reads and writes can say. Systems and parts in which scripts can run say so by this. */
export const scripts = 'scripts of the game';

/** Of the end of an entity, with the items that it carries, and with its owner and its followers, which forget it. */
export const ending: Access = {
  reads: [c.ai, c.sensing, c.stack, r.clock],
  writes: [
    c.attributes,
    c.carried,
    c.facing,
    c.identity,
    c.hold,
    c.itemUse,
    c.lifespan,
    c.ownedUnits,
    c.rows,
    c.transform,
    c.inventory,
    c.visibility,
    physics,
    r.attributes,
    r.bodies,
    r.entities,
    r.memory,
    r.outbox,
    r.refs,
    r.triggers,
  ],
};

/** The parts of an entity's turn in the order in which the pass over the entities (`behaviour.ts`) comes to them. */
export const turn = {
  lifeSpan: part('life span', {
    ...ending,
    calls: scripts,
    run(game, entity) {
      game.chosen.endLife(game, entity);
    },
  }),
  spent: part('spent projectile', {
    ...ending,
    calls: scripts,
    run: destroyEntity,
  }),
  sensor: part('sensor', {
    reads: [c.identity, c.rows, c.sensing],
    writes: [c.transform, physics, r.entities],
    run: sensorBehaviour,
  }),
  ownScripts: part('own scripts for queued triggers', {
    reads: [c.identity, c.rows, r.entities, r.triggers],
    writes: [],
    calls: scripts,
    run: runQueuedTriggers,
  }),
  abilities: part('abilities', {
    reads: [c.attributes, c.body, c.debris, c.ownedUnits, c.rolledBuffs, c.sensing, c.stack, r.clock],
    writes: [
      c.abilities,
      c.passiveBonus,
      c.carried,
      c.casting,
      c.identity,
      c.hold,
      c.itemUse,
      c.lifespan,
      c.rows,
      c.transform,
      c.inventory,
      c.visibility,
      r.attributes,
      r.bodies,
      r.entities,
      r.faults,
      r.memory,
      r.triggers,
      physics,
    ],
    calls: scripts,
    run: castAbilities,
  }),
  steering: part('facing, and the movement that is asked for', {
    reads: [
      c.attributes,
      c.controls,
      c.identity,
      c.hold,
      c.movement,
      c.passiveBonus,
      c.ownedUnits,
      c.rolledBuffs,
      c.rows,
      c.statusEffects,
      r.attributes,
      r.bodies,
      r.clock,
    ],
    writes: [c.ai, c.facing, c.transform, c.inventory, c.velocity, r.entities, physics],
    run: steerUnit,
  }),
  ai: part('AI', {
    reads: [c.identity, c.rows, c.sensing, c.transform, c.visibility, r.clock, r.refs, physics],
    writes: [c.ai, c.facing, c.itemUse, c.movement, c.inventory, r.entities, r.outbox, r.random, r.triggers],
    calls: scripts,
    run: aiBehaviour,
  }),
  movement: part('start and stop of movement', {
    reads: [c.ai, c.identity, c.ownedUnits, c.rows, r.clock, r.entities, r.refs],
    writes: [c.movement, r.outbox, r.triggers],
    calls: scripts,
    run: noticeMovement,
  }),
  item: part('held item and its use', {
    reads: [c.ai, c.debris, c.movement, c.rolledBuffs, c.sensing, c.visibility, r.clock],
    writes: [
      c.attributes,
      c.body,
      c.carried,
      c.delayedUses,
      c.facing,
      c.identity,
      c.inventory,
      c.hold,
      c.itemUse,
      c.lifespan,
      c.passiveBonus,
      c.ownedUnits,
      c.projectile,
      c.rows,
      c.stack,
      c.transform,
      r.attributes,
      r.bodies,
      r.entities,
      r.faults,
      r.made,
      r.memory,
      r.outbox,
      r.random,
      r.refs,
      r.triggers,
      r.variables,
      physics,
    ],
    calls: scripts,
    run: itemBehaviour,
  }),
  buffs: part('buffs', {
    reads: [c.attributes, c.identity, r.clock],
    writes: [c.buffs, c.rows, c.inventory, r.attributes, r.entities],
    run(game, unit) {
      game.chosen.expireBuffs(game, unit);
    },
  }),
  statusEffects: part('status effects', {
    reads: [r.clock],
    writes: [c.rows, c.statusEffects],
    run: endStatusEffects,
  }),
  regeneration: part('regeneration', {
    reads: [c.identity, c.rows, r.clock],
    writes: [c.attributes, r.attributes, r.entities, r.triggers],
    calls: scripts,
    run: regenerate,
  }),
  waiting: part('what waited for a body', {
    reads: [],
    writes: [physics],
    run({ physics }, entity) {
      physics.drainPending(entity);
    },
  }),
  rest: part('rest', {
    reads: [
      c.abilities,
      c.ai,
      c.attributes,
      c.buffs,
      c.casting,
      c.controls,
      c.delayedUses,
      c.facing,
      c.identity,
      c.inventory,
      c.hold,
      c.itemUse,
      c.lifespan,
      c.movement,
      c.ownedUnits,
      c.rows,
      c.statusEffects,
      c.transform,
      c.velocity,
      c.visibility,
      r.attributes,
      r.bodies,
      r.entities,
      r.triggers,
      physics,
    ],
    writes: [],
    run: restsUntilMs,
  }),
} as const;

function part<R>(name: string, of: Omit<TurnPart<R>, 'name'>): TurnPart<R> {
  return { name, ...of };
}

/** Triggers that these scripts queue are for the entities after it and for the global scripts (reference: tick#queued-triggers). */
function runQueuedTriggers({ world }: Game, entity: Entity): void {
  const { queue, port } = world.triggers;
  const waiting = queue.length;
  for (let i = 0; i < waiting && world.exists(entity); i++) {
    const trigger = queue.trigger(i);
    const payload = queue.payload(i);
    world.triggers.observeQueued(trigger, payload, entity);
    port.runEntity(trigger, entity, payload);
  }
}

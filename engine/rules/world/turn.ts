import { components } from '../../components/index.ts';
import { type Access, accessOf, type Part } from '../../ecs/schedule.ts';
import type { Entity } from '../../world/entity.ts';
import { resources } from '../../world/resources.ts';
import { queuedBits } from '../../world/triggers.ts';
import { aiBehaviour } from '../ai/ai.ts';
import { sensorBehaviour } from '../ai/sensor.ts';
import { castAbilities } from '../control/ability.ts';
import { noticeMovement, steerUnit } from '../control/motion.ts';
import { regenerate } from '../entities/attribute.ts';
import { destroyEntity } from '../entities/destroy.ts';
import { type Game, physics } from '../game.ts';
import { itemBehaviour } from '../items/item.ts';
import {
  asking,
  casting,
  changingAttributes,
  destroying,
  moving,
  publishing,
  scripts,
  steering,
  thinking,
  using,
} from './access.ts';
import { restsUntilMs } from './rest.ts';

/** Of an entity's turn: `run` does it. */
interface TurnPart<R> extends Part {
  run(game: Game, entity: Entity, seconds: number): R;
}

const c = components.all;
const r = resources.all;

/** The parts of an entity's turn in the order in which the pass over the entities (`behaviour.ts`) comes to them. */
export const turn = {
  lifeSpan: part('life span', [destroying], (game, entity) => game.chosen.endLife(game, entity)),
  spent: part('spent projectile', [destroying], destroyEntity),
  sensor: part('sensor', [moving, { reads: [c.sensing] }], sensorBehaviour),
  ownScripts: part(
    'own scripts for queued triggers',
    [asking, { reads: [r.entities, r.triggers], calls: scripts }],
    runQueuedTriggers,
  ),
  abilities: part('abilities', [casting], castAbilities),
  steering: part('facing, and the movement that is asked for', [steering], steerUnit),
  ai: part('AI', [thinking], aiBehaviour),
  movement: part(
    'start and stop of movement',
    [
      asking,
      publishing,
      { reads: [c.ai, c.player, r.clock, r.entities], writes: [c.movement, r.triggers], calls: scripts },
    ],
    noticeMovement,
  ),
  item: part('held item and its use', [using], itemBehaviour),
  buffs: part('buffs', [changingAttributes, { reads: [r.clock], writes: [c.buffs, c.rows] }], (game, unit) =>
    game.chosen.expireBuffs(game, unit),
  ),
  regeneration: part('regeneration', [changingAttributes, { reads: [r.clock] }], regenerate),
  waiting: part('what waited for a body', [{ writes: [physics] }], ({ physics }, entity) =>
    physics.drainPending(entity),
  ),
  // Whatever gives an entity something to do.
  rest: part(
    'rest',
    [
      asking,
      {
        reads: [
          c.abilities,
          c.ai,
          c.attributes,
          c.bodyType,
          c.buffs,
          c.casting,
          c.controls,
          c.delayedUses,
          c.facing,
          c.hold,
          c.inventory,
          c.itemUse,
          c.lifespan,
          c.movement,
          c.ownedUnits,
          c.projectile,
          c.statusEffects,
          c.transform,
          c.velocity,
          c.visibility,
          r.attributes,
          r.clock,
          r.entities,
          r.triggers,
          physics,
        ],
      },
    ],
    restsUntilMs,
  ),
} as const;

function part<R>(name: string, touches: readonly Partial<Access>[], run: TurnPart<R>['run']): TurnPart<R> {
  return { name, ...accessOf(...touches), run };
}

/** Triggers that these scripts queue are for the entities after it and for the global scripts (reference: tick#queued-triggers). */
function runQueuedTriggers({ world }: Game, entity: Entity): void {
  const { queue, port } = world.triggers;
  const waiting = queue.length;
  for (let i = 0; i < waiting && world.exists(entity); i++) {
    const trigger = queue.trigger(i);
    // A script before may have changed the entity's type.
    if ((port.queuedFor(entity) & queuedBits[trigger]!) === 0) continue;
    const payload = queue.payload(i);
    world.triggers.observeQueued(trigger, payload, entity);
    port.runEntity(trigger, entity, payload);
  }
}

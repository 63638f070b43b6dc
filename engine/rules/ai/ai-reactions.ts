import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';
import { relationship } from '../types/relationship.ts';
import { attack, flee, gapBetween, goIdle } from './ai-orders.ts';
import { mindOf } from './ai-settings.ts';
import { lookAgain } from './sensor.ts';

/** Reactions of units with AI: to a unit in a sensor, to damage, and to the end of a target. */

/** A unit came into the sensor of `owner`. */
export function reactToSensor(game: Game, owner: Entity, other: Entity): void {
  const { world } = game;
  const ai = mindOf(world, owner);
  if (ai === undefined || !isFoe(world, owner, other)) return;
  if (world.components.visibility.hidden[rowOf(other)] === 1) return;
  if (unitTypeOf(world, other).definition.isUnTargetable) return;
  const isBusy = world.exists(ai.target) && !(ai.maxAttackRange < gapBetween(world, owner, ai.target));
  if (!isBusy) respond(game, owner, other, ai.sensorResponse);
}

/** A unit was hurt by another, after the damage was done. */
export function reactToDamage(game: Game, unit: Entity, attacker: Entity): void {
  const { world } = game;
  if (!world.is(unit, Kind.unit) || !world.is(attacker, Kind.unit)) return;
  const ai = mindOf(world, unit);
  if (ai === undefined || !isFoe(world, unit, attacker)) return;
  const isBusy = world.exists(ai.target) && gapBetween(world, unit, attacker) >= gapBetween(world, unit, ai.target);
  if (!isBusy) respond(game, unit, attacker, ai.attackResponse);
}

/** No unit aims at a unit that is being destroyed or hidden. Units that did decide in their next tick what to do instead. */
export function dropTargets(game: Game, unit: Entity): void {
  const { world } = game;
  if (world.components.identity.kind[rowOf(unit)] !== Kind.unit) return;
  for (const hunter of world.lists[Kind.unit]!.entries) {
    const ai = world.components.ai[rowOf(hunter)];
    if (ai !== undefined && ai.target === unit && world.exists(hunter)) forgetTarget(world, hunter);
  }
}

/** A unit's health became 0: those who fight it by what their sensor shows them leave it be and look around again (reference: units#death). */
export function leaveDefeated(game: Game, unit: Entity): void {
  const { world, chosen } = game;
  const { ai, hunted, sensing } = world.components;
  const row = rowOf(unit);
  const hunters = chosen.huntersActByAge ? world.lists[Kind.unit]!.entries : (hunted[row]?.by ?? []);
  // A copy: scripts that hear of it can give orders to all of them.
  for (const hunter of [...hunters]) {
    if (!world.exists(hunter) || mindOf(world, hunter)?.target !== unit) continue;
    if (!world.exists(sensing.sensor[rowOf(hunter)]!)) continue;
    goIdle(game, hunter);
    if (world.exists(hunter)) lookAgain(game, hunter);
  }
  if (chosen.huntersActByAge || !world.exists(unit)) return;
  if (hunted[row] !== undefined) hunted[row].by.length = 0;
  if (ai[row] === undefined) return;
  ai[row].target = noEntity;
  ai[row].destination = undefined;
}

/**
 * A player has another type. Units of others that aim at its units lose their target, unless the player still sees their owner as hostile (reference:
 * players#player-types). They decide in their own next tick what to do instead.
 */
export function reconsiderTargets(game: Game, player: Entity): void {
  const { world } = game;
  const { identity } = world.components;
  // One pass over all units, however many of them the player has.
  for (const hunter of world.lists[Kind.unit]!.entries) {
    const mind = mindOf(world, hunter);
    if (mind === undefined || !world.is(mind.target, Kind.unit)) continue;
    if (identity.owner[rowOf(mind.target)] !== player || !world.exists(hunter)) continue;
    const owner = identity.owner[rowOf(hunter)]!;
    if (owner !== player && relationship(world, player, owner) !== 'hostile') forgetTarget(world, hunter);
  }
}

function forgetTarget({ components }: World, hunter: Entity): void {
  components.ai[rowOf(hunter)]!.target = noEntity;
}

function respond(game: Game, unit: Entity, other: Entity, response: string): void {
  if (response === 'fight') attack(game, unit, other);
  else if (response === 'flee') flee(game, unit, other);
}

/** Of another player whom the unit's own player sees as hostile; how that one sees it does not matter. */
function isFoe(world: World, unit: Entity, other: Entity): boolean {
  const own = world.components.identity.owner[rowOf(unit)]!;
  const others = world.components.identity.owner[rowOf(other)]!;
  return own !== others && relationship(world, own, others) === 'hostile';
}

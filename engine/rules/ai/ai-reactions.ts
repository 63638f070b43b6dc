import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { changesIn, rule } from '../effects.ts';
import type { Game } from '../game.ts';
import { relationship } from '../types/relationship.ts';
import { attack, distanceBetweenEdges, flee, goIdle } from './ai-orders.ts';
import { aiStateOf } from './ai-settings.ts';
import { redetectTouching } from './sensor.ts';

/** Reactions of units with AI: to units in their sensor, to damage, and to the loss of a target. */

export const noticing = rule('AI notices units', ['contact'], changesIn('unit', 'ai'));

/** Lets the AI of `owner` react to a unit that has entered its sensor. */
export function reactToSensor(game: Game, owner: Entity, other: Entity): void {
  const { world } = game;
  const ai = aiStateOf(world, owner);
  if (ai === undefined || !isHostile(world, owner, other)) return;
  if (world.components.visibility.hidden[rowOf(other)] === 1) return;
  if (unitTypeOf(world, other).definition.isUnTargetable) return;
  const isBusy = world.exists(ai.target) && !(ai.maxAttackRange < distanceBetweenEdges(world, owner, ai.target));
  if (!isBusy) respond(game, owner, other, ai.sensorResponse);
}

/** Lets a unit's AI react to damage by another unit. Called after the damage was applied. */
export function reactToDamage(game: Game, unit: Entity, attacker: Entity): void {
  const { world } = game;
  if (!world.is(unit, Kind.unit) || !world.is(attacker, Kind.unit)) return;
  const ai = aiStateOf(world, unit);
  if (ai === undefined || !isHostile(world, unit, attacker)) return;
  const isBusy =
    world.exists(ai.target) &&
    distanceBetweenEdges(world, unit, attacker) >= distanceBetweenEdges(world, unit, ai.target);
  if (!isBusy) respond(game, unit, attacker, ai.attackResponse);
}

/**
 * Clears the target of all units that aim at `unit`, which is about to be destroyed. In its next turn, each of them
 * decides what to do instead.
 */
export function dropTargets({ world }: Game, unit: Entity): void {
  if (world.kindOf(unit) !== Kind.unit) return;
  for (const hunter of world.lists[Kind.unit]!.entries) {
    const ai = world.components.ai[rowOf(hunter)];
    if (ai !== undefined && ai.target === unit && world.exists(hunter)) forgetTarget(world, hunter);
  }
}

export function dropHiddenTarget(game: Game, unit: Entity): void {
  if (game.rules.hiddenTargetsAreDroppedAtOnce) dropTargets(game, unit);
}

/**
 * Called when a unit's health has become 0. The units that hunt it, if they have a sensor, become idle and look for
 * other targets (reference: units#death).
 */
export function stopAttackingDefeated(game: Game, unit: Entity): void {
  const { world, rules } = game;
  const { ai, hunted, sensing } = world.components;
  const row = rowOf(unit);
  const hunters = rules.attackersStopByAge ? world.lists[Kind.unit]!.entries : (hunted[row]?.by ?? []);
  // Iterates over a copy, because scripts can give orders to all hunters during the loop.
  for (const hunter of [...hunters]) {
    if (!world.exists(hunter) || aiStateOf(world, hunter)?.target !== unit) continue;
    if (!world.exists(sensing.sensor[rowOf(hunter)]!)) continue;
    goIdle(game, hunter);
    if (world.exists(hunter)) redetectTouching(game, hunter);
  }
  if (rules.attackersStopByAge || !world.exists(unit)) return;
  if (hunted[row] !== undefined) hunted[row].by.length = 0;
  if (ai[row] === undefined) return;
  ai[row].target = noEntity;
  ai[row].destination = undefined;
}

/**
 * Called when a player's type has changed. Units of other players that aim at one of this player's units lose their
 * target unless the player still sees their owner as hostile (reference: players#player-types). In its next turn, each
 * of them decides what to do instead.
 */
export function reconsiderTargets({ world }: Game, player: Entity): void {
  const { identity } = world.components;
  // A single pass over all units, rather than one for each unit of the player.
  for (const hunter of world.lists[Kind.unit]!.entries) {
    const mind = aiStateOf(world, hunter);
    if (mind === undefined || !world.is(mind.target, Kind.unit)) continue;
    if (identity.owner[rowOf(mind.target)] !== player || !world.exists(hunter)) continue;
    const owner = identity.owner[rowOf(hunter)]!;
    if (owner !== player && relationship(world, player, owner) !== 'hostile') forgetTarget(world, hunter);
  }
}

function forgetTarget({ components }: World, hunter: Entity) {
  components.ai[rowOf(hunter)]!.target = noEntity;
}

function respond(game: Game, unit: Entity, other: Entity, response: string) {
  if (response === 'fight') attack(game, unit, other);
  else if (response === 'flee') flee(game, unit, other);
}

/**
 * Whether `other` belongs to another player that the unit's player sees as hostile. How the other player sees the
 * unit's player does not matter.
 */
function isHostile(world: World, unit: Entity, other: Entity) {
  const own = world.ownerOf(unit);
  const others = world.ownerOf(other);
  return own !== others && relationship(world, own, others) === 'hostile';
}

import type { Binding, Cost } from '../definition/ability.ts';
import { type Entity, Kind, rowOf } from '../world/entity.ts';
import type { QueuedCast } from '../world/state.ts';
import { attributeValue, updateAttribute } from './attribute.ts';
import type { Game } from './game.ts';

/** Takes a key binding for the unit's next tick. What it names may not exist; then the cast says so. */
export function queueBinding(game: Game, unit: Entity, binding: Binding): void {
  switch (binding.kind) {
    case 'script':
      queueCast(game, unit, { kind: 'script', name: binding.scriptName, cost: binding.cost });
      return;
    case 'ability':
      queueAbility(game, unit, binding.abilityKey);
      return;
    case 'cast':
      queueCast(game, unit, { kind: binding.event, name: binding.abilityId, cost: noCost });
      return;
  }
}

/** An ability of the definition's `abilities` by key (reference: units.md §4, shape a). */
export function queueAbility(game: Game, unit: Entity, key: string): void {
  const ability = game.definition.abilities.get(key);
  if (ability?.scriptName === undefined) {
    game.world.fault('no-such-reference', `No ability is called "${key}".`);
    return;
  }
  queueCast(game, unit, { kind: 'script', name: ability.scriptName, cost: ability.cost });
}

/** Equal casts that wait for the same tick are one (reference: units.md §4). */
export function queueCast(game: Game, unit: Entity, cast: QueuedCast): void {
  const state = game.world.units[rowOf(unit)];
  if (state === undefined) return;
  for (const waiting of state.castQueue) {
    if (waiting.kind === cast.kind && waiting.name === cast.name && waiting.cost === cast.cost) return;
  }
  state.castQueue.push(cast);
}

const noCost: Cost = Object.freeze({
  unitAttributes: new Map(),
  playerAttributes: new Map(),
  quantity: undefined,
  cast: undefined,
});

/** Works off the casts that wait, then ends abilities whose time is over. */
export function castAbilities(game: Game, unit: Entity): void {
  const { world } = game;
  const state = world.units[rowOf(unit)]!;
  if (state.castQueue.length > 0) {
    const waiting = state.castQueue;
    state.castQueue = [];
    for (const cast of waiting) {
      if (!world.exists(unit)) return;
      if (cast.kind === 'script') castScript(game, unit, cast);
      else if (cast.kind === 'startCasting') startCasting(game, unit, cast.name);
      else stopCasting(game, unit, cast.name);
    }
  }
  if (state.abilities.size === 0) return;
  for (const [id, use] of state.abilities) {
    if (!world.exists(unit)) return;
    // Its end is a cast like any other and waits for the next tick (reference: units.md §4).
    if (use.active && use.endsAtMs <= world.nowMs)
      queueCast(game, unit, { kind: 'stopCasting', name: id, cost: noCost });
    else if (!use.active && use.coolsAtMs <= world.nowMs) state.abilities.delete(id);
  }
}

function castScript(game: Game, unit: Entity, { name, cost }: QueuedCast): void {
  if (!canAfford(game, unit, cost)) return;
  pay(game, unit, cost);
  game.world.last.castingUnit = unit;
  runFor(game, unit, name);
}

/** Starts an ability of the newer shape: not while it is active or cooling down (reference: units.md §4, shape b). */
export function startCasting(game: Game, unit: Entity, id: string): void {
  const { world } = game;
  const state = world.units[rowOf(unit)]!;
  const ability = world.types.unit.list[world.columns.type[rowOf(unit)]!]!.definition.controls?.unitAbilities.get(id);
  if (ability === undefined) {
    world.fault('no-such-reference', `The unit has no ability "${id}".`);
    return;
  }
  const use = state.abilities.get(id);
  if (use !== undefined && (use.active || use.coolsAtMs > world.nowMs)) return;
  if (!canAfford(game, unit, ability.cost)) return;
  pay(game, unit, ability.cost);
  world.last.castingUnit = unit;
  state.abilities.set(id, {
    active: true,
    coolsAtMs: world.nowMs + (ability.cooldown ?? 0),
    endsAtMs: ability.castDuration === undefined ? Number.POSITIVE_INFINITY : world.nowMs + ability.castDuration,
  });
  if (ability.eventScripts.startCasting !== undefined) runFor(game, unit, ability.eventScripts.startCasting);
}

export function stopCasting(game: Game, unit: Entity, id: string): void {
  const { world } = game;
  const use = world.units[rowOf(unit)]?.abilities.get(id);
  if (use === undefined || !use.active) return;
  use.active = false;
  const ability = world.types.unit.list[world.columns.type[rowOf(unit)]!]!.definition.controls?.unitAbilities.get(id);
  if (ability?.eventScripts.stopCasting !== undefined) runFor(game, unit, ability.eventScripts.stopCasting);
}

function runFor(game: Game, unit: Entity, script: string): void {
  if (!game.world.port.runScript(script, unit, { unit })) {
    game.world.fault('no-such-script', `An ability runs the script "${script}", which does not exist.`);
  }
}

/** Every attribute named with an amount must exist and hold at least that much; amounts of 0 are ignored. */
export function canAfford(game: Game, unit: Entity, cost: Cost): boolean {
  const player = game.world.columns.owner[rowOf(unit)]!;
  return holds(game, unit, cost.unitAttributes) && holds(game, player, cost.playerAttributes);
}

function holds(game: Game, entity: Entity, amounts: ReadonlyMap<string, number>): boolean {
  for (const [key, amount] of amounts) {
    if (amount === 0) continue;
    const value = attributeValue(game.world, entity, key);
    if (value === undefined || value < amount) return false;
  }
  return true;
}

/** Takes the cost from unit and owner, with the edges that this may cross. */
export function pay(game: Game, unit: Entity, cost: Cost): void {
  const { world } = game;
  take(game, unit, cost.unitAttributes);
  const player = world.columns.owner[rowOf(unit)]!;
  if (world.is(player, Kind.player)) take(game, player, cost.playerAttributes);
}

function take(game: Game, entity: Entity, amounts: ReadonlyMap<string, number>): void {
  for (const [key, amount] of amounts) {
    const value = attributeValue(game.world, entity, key);
    if (amount !== 0 && value !== undefined) updateAttribute(game, entity, key, value - amount);
  }
}

import type { Binding, Cost } from '../definition/ability.ts';
import { type Entity, rowOf } from '../world/entity.ts';
import type { QueuedCast } from '../world/state.ts';
import { doBuiltIn, isBuiltIn } from './built-in.ts';
import { canAfford, pay } from './cost.ts';
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
  if (ability?.scriptName === undefined && isBuiltIn(game, key)) {
    queueCast(game, unit, { kind: 'builtIn', name: key, cost: ability?.cost ?? noCost });
    return;
  }
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
      else if (cast.kind === 'builtIn') castBuiltIn(game, unit, cast);
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

function castBuiltIn(game: Game, unit: Entity, { name, cost }: QueuedCast): void {
  if (!canAfford(game, unit, cost)) return;
  pay(game, unit, cost);
  if (game.world.exists(unit)) doBuiltIn(game, unit, name);
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

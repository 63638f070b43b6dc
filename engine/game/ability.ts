import { type Entity, rowOf } from '../world/entity.ts';
import type { QueuedCast } from '../world/state.ts';
import { doBuiltIn } from './built-in.ts';
import { noCost, queueCast } from './cast-queue.ts';
import { canAfford, pay } from './cost.ts';
import type { Game } from './game.ts';

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

import { Abilities, Casting, type QueuedCast } from '../../components/casting.ts';
import { noCost } from '../../definition/ability.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import { changes, changesIn, rule, starts } from '../effects.ts';
import type { Game } from '../game.ts';
import { canAfford, payCost } from '../items/cost.ts';
import { doBuiltIn } from './built-in.ts';
import { abilityPlace, isBuiltIn, queueCast } from './cast-queue.ts';

/** The effects include paying the cost of a cast. */
export const casting = rule(
  'abilities',
  ['tick'],
  changesIn('unit', 'abilities', 'attribute'),
  changesIn('player', 'attribute'),
  changes('last'),
  starts('ability', 'unit'),
);

/** Carries out queued casts, then ends abilities whose time is over. */
export function castAbilities(game: Game, unit: Entity): void {
  const { world } = game;
  const c = world.components;
  const row = rowOf(unit);
  const waiting = c.casting[row];
  if (waiting !== undefined) {
    world.remove(unit, Casting);
    for (const cast of waiting) {
      if (!world.exists(unit)) return;
      if (cast.kind === 'script') castScript(game, unit, cast);
      else if (cast.kind === 'builtIn') castBuiltIn(game, unit, cast);
      else if (cast.kind === 'startCasting') startCasting(game, unit, cast.name, cast.place);
      else stopCasting(game, unit, cast.name);
    }
  }
  const abilities = world.exists(unit) ? c.abilities[row] : undefined;
  if (abilities === undefined) return;
  for (const [id, use] of abilities) {
    // Ending an ability is a cast like any other and waits for the next tick (reference: units#unit-abilities).
    if (use.active && use.endsAtMs <= world.clock.dateMs)
      queueCast(game, unit, { kind: 'stopCasting', name: id, cost: noCost, place: placeOf(game, unit, id) });
    else if (!use.active && use.coolsAtMs <= world.clock.dateMs) abilities.delete(id);
  }
  if (abilities.size === 0) world.remove(unit, Abilities);
}

/**
 * Casts an ability of the definition's `abilities` immediately, without waiting for the unit's tick, if the unit can
 * pay for it (reference: operations#castability). Returns false if the definition has no ability with that key and a
 * script, and there is no built-in ability with that name.
 */
export function castAbility(game: Game, unit: Entity, key: string): boolean {
  const ability = game.definition.abilities.get(key);
  const cost = ability?.cost ?? noCost;
  if (ability?.scriptName !== undefined)
    castScript(game, unit, { name: ability.scriptName, cost, place: abilityPlace(key) });
  else if (isBuiltIn(game, key)) castBuiltIn(game, unit, { name: key, cost });
  else return false;
  return true;
}

function castScript(game: Game, unit: Entity, { name, cost, place }: Omit<QueuedCast, 'kind'>) {
  if (!canAfford(game, unit, cost)) return;
  payCost(game, unit, cost);
  game.world.memory.last.castingUnit = unit;
  runFor(game, unit, name, place);
}

function castBuiltIn(game: Game, unit: Entity, { name, cost }: Pick<QueuedCast, 'name' | 'cost'>) {
  if (!canAfford(game, unit, cost)) return;
  payCost(game, unit, cost);
  if (game.world.exists(unit)) doBuiltIn(game, unit, name);
}

/**
 * Starts an ability of the newer form, unless the ability is active or cooling down (reference: units#unit-abilities).
 * `place` is the source location of the request if no script made it.
 */
export function startCasting(game: Game, unit: Entity, id: string, place?: string): void {
  const { world } = game;
  const ability = unitTypeOf(world, unit).definition.controls?.unitAbilities.get(id);
  if (ability === undefined) {
    world.fault('no-such-reference', `The unit has no ability "${id}".`, place);
    return;
  }
  const use = world.components.abilities[rowOf(unit)]?.get(id);
  if (use !== undefined && (use.active || use.coolsAtMs > world.clock.dateMs)) return;
  if (!canAfford(game, unit, ability.cost)) return;
  payCost(game, unit, ability.cost);
  world.memory.last.castingUnit = unit;
  const begin = () => {
    if (!world.exists(unit)) return;
    world.wake(unit);
    world.ensure(unit, Abilities).set(id, {
      active: true,
      coolsAtMs: world.clock.dateMs + (ability.cooldown ?? 0),
      endsAtMs: ability.castDuration === undefined ? Infinity : world.clock.dateMs + ability.castDuration,
    });
  };
  game.rules.startAbility(begin, () => runEvent(game, unit, id, 'startCasting'));
}

/** Activates an ability before its start script runs, so that the script can end it. */
export function beginThenRun(begin: () => void, run: () => void): void {
  begin();
  run();
}

/** As in the reference, activates an ability after its start script, even if that script ended it. */
export function runThenBegin(begin: () => void, run: () => void): void {
  run();
  begin();
}

export function stopCasting(game: Game, unit: Entity, id: string): void {
  const use = game.world.components.abilities[rowOf(unit)]?.get(id);
  if (use === undefined || !use.active) return;
  use.active = false;
  runEvent(game, unit, id, 'stopCasting');
}

function runEvent(game: Game, unit: Entity, id: string, event: 'startCasting' | 'stopCasting') {
  const { definition } = unitTypeOf(game.world, unit);
  const script = definition.controls?.unitAbilities.get(id)?.eventScripts[event];
  if (script !== undefined) runFor(game, unit, script, `${placeOf(game, unit, id)}/eventScripts/${event}`);
}

function placeOf({ world }: Game, unit: Entity, id: string) {
  return `unitTypes/${unitTypeOf(world, unit).key}/controls/unitAbilities/${id}`;
}

function runFor({ world }: Game, unit: Entity, script: string, place: string) {
  if (!world.triggers.runScript(script, unit, { unit })) {
    world.fault('no-such-script', `An ability runs the script "${script}", which does not exist.`, place);
  }
}

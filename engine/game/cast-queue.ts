import type { Binding, Cost, KeyBinding } from '../definition/ability.ts';
import { type Entity, rowOf } from '../world/entity.ts';
import type { QueuedCast } from '../world/state.ts';
import type { Game } from './game.ts';

/**
 * What keys ask of a unit waits for its next tick (reference: units.md §4). Bindings of the older map (specification, Unit type, `abilities`)
 * name an ability; one that the definition does not describe is what its name says.
 */

export const builtIns = [
  'use',
  'startUsingItem',
  'stopUse',
  'stopUsingItem',
  'pickUp',
  'pickupItem',
  'drop',
  'dropItem',
] as const;
export type BuiltIn = (typeof builtIns)[number];

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

export const noCost: Cost = Object.freeze({
  unitAttributes: new Map(),
  playerAttributes: new Map(),
  quantity: undefined,
  cast: undefined,
});

/** Walking is the business of the movement scheme, whatever a key is said to be bound to. */
const walking = /^(move|stopMoving)(Up|Down|Left|Right)$/;

/** What a key does by the older map; undefined where it does nothing, or where the dialect does not know that map. */
export function olderBinding(
  game: Game,
  unit: Entity,
  key: string,
  edge: keyof Pick<KeyBinding, 'keyDown' | 'keyUp'>,
): Binding | undefined {
  const { world } = game;
  if (!world.dialect.olderBindings) return undefined;
  const binding = world.types.unit.list[world.columns.type[rowOf(unit)]!]!.definition.legacyAbilities.get(key)?.[edge];
  if (binding?.kind !== 'ability') return binding;
  if (walking.test(binding.abilityKey)) return undefined;
  return isKnown(game, binding.abilityKey) ? binding : undefined;
}

/** Games leave abilities bound that they have removed: nothing happens then, as nothing ever did. */
function isKnown({ definition }: Game, ability: string): boolean {
  return definition.abilities.get(ability)?.scriptName !== undefined || builtIns.includes(ability as BuiltIn);
}

/** Whether there is something built in for the ability, where the dialect has built-in ones. */
export function isBuiltIn({ world }: Game, ability: string): boolean {
  return world.dialect.olderBindings && builtIns.includes(ability as BuiltIn);
}

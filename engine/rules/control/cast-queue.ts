import { Casting, type QueuedCast } from '../../components/casting.ts';
import { type Binding, noCost } from '../../definition/ability.ts';
import type { UnitType } from '../../definition/unit.ts';
import { type Entity, Kind } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import type { Game } from '../game.ts';

/**
 * The queue of casts that keys requested: they wait for the unit's next tick (reference: units#abilities). In the older
 * form (specification, Unit type, `abilities`), a key binding names an ability. If the definition does not describe
 * this ability, it is a built-in one.
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
  'reload',
  'reloadItem',
] as const;
export type BuiltIn = (typeof builtIns)[number];

/**
 * Queues what a key binding does for the unit's next tick; `place` is the source location of the binding. If the
 * binding names an ability that does not exist, a fault is recorded.
 */
function queueBinding(game: Game, unit: Entity, binding: Binding, place: string) {
  switch (binding.kind) {
    case 'script':
      queueCast(game, unit, { kind: 'script', name: binding.scriptName, cost: binding.cost, place });
      return;
    case 'ability':
      queueAbility(game, unit, binding.abilityKey, place);
      return;
    case 'cast':
      queueCast(game, unit, { kind: binding.event, name: binding.abilityId, cost: noCost, place });
      return;
  }
}

/** Queues an ability of the top-level `abilities` by its key (reference: units#legacy-abilities). */
function queueAbility(game: Game, unit: Entity, key: string, place: string) {
  const ability = game.definition.abilities.get(key);
  if (ability?.scriptName === undefined && isBuiltIn(game, key)) {
    queueCast(game, unit, { kind: 'builtIn', name: key, cost: ability?.cost ?? noCost, place });
    return;
  }
  if (ability?.scriptName === undefined) {
    game.world.fault('no-such-reference', `There is no ability "${key}".`, place);
    return;
  }
  queueCast(game, unit, {
    kind: 'script',
    name: ability.scriptName,
    cost: ability.cost,
    place: abilityPlace(key),
  });
}

/** The source location where an ability of the definition names its script. */
export function abilityPlace(key: string): string {
  return `abilities/${key}/scriptName`;
}

/** Queues a cast, unless an equal one waits for the same tick (reference: units#abilities). */
export function queueCast({ world }: Game, unit: Entity, cast: QueuedCast): void {
  if (!world.is(unit, Kind.unit)) return;
  const queue = world.ensure(unit, Casting);
  for (const waiting of queue) {
    if (waiting.kind === cast.kind && waiting.name === cast.name && waiting.cost === cast.cost) return;
  }
  queue.push(cast);
  world.wake(unit);
}

/**
 * Names of abilities for walking, which are ignored in bindings, because the movement scheme decides which keys make a
 * unit walk.
 */
const walking = /^(move|stopMoving)(Up|Down|Left|Right)$/;

/** Queues what the bindings of the unit's type assign to a key. Returns false if the key is not bound. */
export function queueKey(game: Game, unit: Entity, key: string, edge: 'keyDown' | 'keyUp'): boolean {
  const { key: type, definition } = unitTypeOf(game.world, unit);
  const newer = definition.controls?.abilities.get(key)?.[edge];
  const binding = newer ?? olderBinding(game, definition, key, edge);
  if (binding === undefined) return false;
  const bindings = newer === undefined ? 'abilities' : 'controls/abilities';
  queueBinding(game, unit, binding, `unitTypes/${type}/${bindings}/${key}/${edge}`);
  return true;
}

/** The key's binding in the older form, the map `abilities` of the unit type; undefined if the key does nothing. */
function olderBinding(game: Game, type: UnitType, key: string, edge: 'keyDown' | 'keyUp'): Binding | undefined {
  const binding = type.legacyAbilities.get(key)?.[edge];
  if (binding?.kind !== 'ability') return binding;
  if (walking.test(binding.abilityKey)) return undefined;
  return isKnown(game, type, binding.abilityKey) ? binding : undefined;
}

/**
 * Whether an ability exists and has a script. Many games still bind keys to abilities that they have removed, or whose
 * scripts they have removed; these keys do nothing.
 */
function isKnown(game: Game, { scripts }: UnitType, ability: string) {
  const script = game.definition.abilities.get(ability)?.scriptName;
  if (script === undefined) return isBuiltIn(game, ability);
  return scripts.has(script) || game.definition.scripts.has(script);
}

export function isBuiltIn({ rules }: Game, ability: string): boolean {
  return rules.builtIns.has(ability);
}

import { unknownWord } from '../core/usage-error.ts';
import type { AnyRuntimeType } from '../world/types.ts';
import type { World } from '../world/world.ts';

/** Checks of names that API callers pass. An unknown name throws a `UsageError` that suggests the known ones. */

/** Throws if no type of the game has this attribute. */
export function requireAttribute(world: World, key: string): void {
  demandSome(world, 'attribute', key, ({ attributes }) => attributes.keys);
}

/** Throws if no type of the game has this variable. */
export function requireVariable(world: World, key: string): void {
  demandSome(world, 'variable', key, ({ variables }) => variables.names);
}

/** Returns the type with a key; throws if the game does not have it. */
export function requireType(
  world: World,
  kind: 'unit' | 'item' | 'projectile' | 'player',
  key: string,
): AnyRuntimeType {
  const table = world.types[kind];
  const found = table.get(key);
  if (found === undefined)
    throw unknownWord(
      'unknown-type',
      `${kind} type`,
      key,
      table.list.map((type) => type.key),
    );
  return found;
}

function demandSome(
  world: World,
  noun: 'attribute' | 'variable',
  key: string,
  keysOf: (type: AnyRuntimeType) => readonly string[],
) {
  const { unit, item, projectile, player } = world.types;
  const known = new Set([unit, item, projectile, player].flatMap(({ list }) => list.flatMap(keysOf)));
  if (!known.has(key)) throw unknownWord(`unknown-${noun}`, noun, key, [...known]);
}

import { unknownWord } from '../core/usage-error.ts';
import type { AnyRuntimeType } from '../world/types.ts';
import type { World } from '../world/world.ts';

/** Names that a program gives for something of the game. A name that the game does not have is a mistake, which is reported with the names that it has. */

/** Throws for an attribute that no type of the game has. */
export function demandAttribute(world: World, key: string): void {
  demandSome(world, 'attribute', key, ({ attributes }) => attributes.keys);
}

/** Throws for a variable that no type of the game has. */
export function demandVariable(world: World, key: string): void {
  demandSome(world, 'variable', key, ({ variables }) => variables.names);
}

/** Throws for a type that the game does not have. */
export function demandType(world: World, kind: 'unit' | 'item' | 'projectile' | 'player', key: string): AnyRuntimeType {
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
): void {
  const { unit, item, projectile, player } = world.types;
  const known = new Set([unit, item, projectile, player].flatMap(({ list }) => list.flatMap(keysOf)));
  if (!known.has(key)) throw unknownWord(`unknown-${noun}`, noun, key, [...known]);
}

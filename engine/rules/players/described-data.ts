import { written } from '../../definition/reference-reading.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { attributeLayoutOf } from '../entities/attribute.ts';
import { variableDefinition } from '../entities/variable.ts';
import type { Game } from '../game.ts';
import { playerData, unitData, unsaved } from './save.ts';
import type { SavedAttributes, SavedVariables } from './saved-data.ts';

/**
 * Data of players and units for scripts. In the reference, the data contains attributes and variables together with all
 * fields of their definition (reference: players#persistence).
 */

export function describedPlayer(game: Game, player: Entity): object {
  const data = playerData(game, player);
  if (game.rules.dataIsPlain) return data;
  const completed = Object.entries(data.quests.completed).map(([id, quests]) => [id, Object.keys(quests)]);
  return {
    ...described(game.world, player, data),
    quests: { ...data.quests, completed: Object.fromEntries(completed) },
  };
}

export function describedUnit(game: Game, unit: Entity): object {
  const { world } = game;
  const data = unitData(game, unit);
  if (game.rules.dataIsPlain) return data;
  const items = world.inventoryOf(unit).slots.filter((item) => world.exists(item));
  return {
    ...described(world, unit, data),
    inventoryItems: data.inventoryItems.map(({ itemTypeId, quantity, slotIndex, ...item }, i) => {
      return { itemTypeId, ...described(world, items[i]!, item), quantity, slotIndex };
    }),
  };
}

interface Described {
  readonly attributes: SavedAttributes;
  readonly variables: SavedVariables;
}

function described(world: World, entity: Entity, data: Described): object {
  const start = world.components.attributes.start[rowOf(entity)]!;
  const layout = attributeLayoutOf(world, entity);
  const attributes = layout.keys.map((key, i): [string, object] => {
    const { [written]: given = {} } = layout.definitions[i]!;
    const { value, ...others } = data.attributes[key]!;
    const known = Object.entries(others).filter(([name, member]) => name in given || (member !== null && member !== 0));
    const synced = world.attributes.isChanged[start + i] === 1 ? { lastSyncedValue: value } : {};
    return [key, { ...given, value, ...Object.fromEntries(known), ...synced }];
  });
  const names = world.components.variables[rowOf(entity)]?.layout.names ?? [];
  const variables = names.flatMap((name, slot): [string, object][] => {
    const { dataType, [written]: given = {} } = variableDefinition(world, entity, slot);
    return unsaved.has(dataType) ? [] : [[name, { ...given, value: data.variables[name]?.value }]];
  });
  return { attributes: Object.fromEntries(attributes), variables: Object.fromEntries(variables) };
}

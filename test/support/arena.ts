import { insideOf } from '../../engine/internal.ts';
import type { Game } from '../../engine/rules/game.ts';
import { createItem, type NewItem } from '../../engine/rules/items/item.ts';
import { giveItem } from '../../engine/rules/items/pick-up.ts';
import { createUnit } from '../../engine/rules/lifecycle/create-unit.ts';
import { assignPlayerType } from '../../engine/rules/players/player.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../engine/world/entity.ts';
import type { World } from '../../engine/world/world.ts';
import { body, type Play, type PlayOptions, play, unitType } from './play.ts';

type Json = Record<string, unknown>;

/** An item type: 20 px in the world, a picture in the hand, nothing in the bag; always ready, endless. */
export function itemType(more: Json = {}): Json {
  return {
    name: 'item',
    type: 'other',
    fireRate: 0,
    states: {
      selected: { name: 'selected', body: 'selected' },
      unselected: { name: 'unselected', body: 'none' },
      dropped: { name: 'dropped', body: 'dropped' },
    },
    bodies: {
      dropped: body({ width: 20, height: 20, collidesWith: { walls: true } }),
      selected: held(),
    },
    controls: { canMerge: true },
    ...more,
  };
}

/** The body of an item in the hand. */
export function held(more: Json = {}): Json {
  return { type: 'spriteOnly', width: 10, height: 20, jointType: 'weldJoint', unitAnchor: { x: 0, y: 20 }, ...more };
}

export function projectileType(more: Json = {}): Json {
  return {
    name: 'projectile',
    states: { default: { name: 'default', body: 'default' } },
    bodies: { default: body({ width: 10, height: 10, fixedRotation: false }) },
    ...more,
  };
}

/** Three kinds of players: `human` is hostile to `foe`, friendly with `ally`; nobody else minds anybody. */
const playerTypes = {
  human: { name: 'human', attributes: {}, variables: {}, relationships: { foe: 'hostile', ally: 'friendly' } },
  foe: { name: 'foe', attributes: {}, variables: {}, relationships: {} },
  ally: { name: 'ally', attributes: {}, variables: {}, relationships: {} },
  stranger: { name: 'stranger', attributes: {}, variables: {}, relationships: {} },
};

export interface Arena extends Play {
  readonly game: Game;
  readonly world: World;
  /** One of the ten computer players, who are there from the start; counted from 1. */
  player(number: number, type?: string): Entity;
  /** A unit of type `unit` (or another) for that player, at 640, 640 unless said otherwise. */
  unit(more?: { type?: string; owner?: Entity; x?: number; y?: number; angle?: number }): Entity;
  /** An item that lies in the world. */
  item(type: string, more?: Partial<NewItem>): Entity;
  /** Gives a unit a new item and says which entity it is; 0 when nothing was made. */
  give(unit: Entity, type: string, quantity?: number): Entity;
  /** Ids of what is in the slots, `.` for nothing. Trade slots are left out. */
  slots(unit: Entity): string;
  quantity(item: Entity): number;
  stateKey(item: Entity): string | undefined;
  id(entity: Entity): string | undefined;
}

/** A game to try verbs in: unit type `unit`, players 1 to 10, and what the test adds. */
export function arena(data: Json = {}, options: PlayOptions = {}): Arena {
  const played = play({ playerTypes, unitTypes: { unit: unitType() }, ...data }, options);
  const { game, world } = insideOf(played.sim);
  const player = (number: number, type = 'human'): Entity => {
    const entity = world.lists[Kind.player]!.entries[number - 1]!;
    if (world.components.identity.type[rowOf(entity)] === -1) assignPlayerType(game, entity, type);
    return entity;
  };
  return {
    ...played,
    game,
    world,
    player,
    unit: ({ type = 'unit', owner = player(1), x = 640, y = 640, angle = 0 } = {}) =>
      createUnit(game, { type: world.types.unit.get(type)!, owner, x, y, angle }),
    item: (type, more = {}) => createItem(game, { type, x: 300, y: 300, angle: 0, ...more }),
    give: (unit, type, quantity) => {
      const before = new Set(world.lists[Kind.item]!.entries);
      giveItem(game, unit, { type: world.types.item.get(type)!, quantity });
      return world.lists[Kind.item]!.entries.find((item) => !before.has(item)) ?? noEntity;
    },
    slots: (unit) => {
      const { slots, inventorySize, backpackSize } = world.components.unit[rowOf(unit)]!;
      return slots
        .slice(0, inventorySize + backpackSize)
        .map((item) => world.ref(item)?.id ?? '.')
        .join(' ');
    },
    quantity: (item) => world.components.stack.quantity[rowOf(item)]!,
    stateKey: (item) =>
      world.types.item.list[world.components.identity.type[rowOf(item)]!]!.states[
        world.components.identity.state[rowOf(item)]!
      ]?.key,
    id: (entity) => world.ref(entity)?.id,
  };
}

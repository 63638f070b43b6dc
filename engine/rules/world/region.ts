import type { Area, RegionState } from '../../components/region.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/**
 * Creates one region per global variable of type region, named after the variable, before the game starts (reference:
 * variables#regions).
 */
export function createRegions(game: Game): void {
  for (const [name, variable] of game.definition.variables) {
    if (variable.dataType !== 'region') continue;
    const { x, y, width, height } = rectangle(variable.default);
    createRegion(game, { name, x, y, width, height });
  }
}

function createRegion(game: Game, state: RegionState): Entity {
  const region = game.world.allocate('region', `r:${state.name}`);
  if (region === noEntity) return noEntity;
  game.world.components.region[rowOf(region)] = state;
  place(game, region);
  return region;
}

/** Moves and resizes a region. Entities inside the region leave it and enter it again (reference: physics#regions). */
export function resizeRegion(game: Game, region: Entity, { x, y, width, height }: Area): void {
  if (!game.world.is(region, Kind.region)) return;
  Object.assign(game.world.components.region[rowOf(region)]!, { x, y, width, height });
  place(game, region);
}

function place(game: Game, region: Entity) {
  const row = rowOf(region);
  const { x, y, width, height } = game.world.components.region[row]!;
  const c = game.world.components;
  c.transform.x[row] = x + width / 2;
  c.transform.y[row] = y + height / 2;
  c.transform.width[row] = width;
  c.transform.height[row] = height;
  const box = game.rules.regionBox(game, c.region[row]!);
  game.physics.setRegionBody(region, box.x, box.y, box.width, box.height);
}

/** The body of a region covers the region. */
export function currentBox(_game: Game, region: RegionState): Area {
  return region;
}

/**
 * As in the reference, the body moves with the region's centre but keeps the size that the map gave it (reference:
 * physics#regions).
 */
export function originalSizeBox({ definition }: Game, { name, x, y, width, height }: RegionState): Area {
  const first = rectangle(definition.variables.get(name)?.default);
  return {
    x: x + (width - first.width) / 2,
    y: y + (height - first.height) / 2,
    width: first.width,
    height: first.height,
  };
}

function rectangle(value: unknown): Area {
  const { x, y, width, height } = (value ?? {}) as Partial<Record<keyof Area, unknown>>;
  const number = (member: unknown) => (typeof member === 'number' && Number.isFinite(member) ? member : 0);
  return { x: number(x), y: number(y), width: number(width), height: number(height) };
}

import { debrisState } from '../../components/debris.ts';
import { PI } from '../../core/dmath.ts';
import type { MapObject } from '../../definition/map.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { rebuildBody } from '../entities/state.ts';
import type { Game } from '../game.ts';

/**
 * Debris: the objects of the map's object group `debris`, bodies without an owner that everything can push (reference:
 * physics#props, 2022). Debris is created only in dialects that have it.
 */

const debrisLayer = 'debris';

/**
 * Creates one entity per object of the layer, in document order. Must be called before the regions are created and the
 * game starts.
 */
export function createDebris(game: Game): void {
  for (const { name, type, objects } of game.definition.map?.layers ?? []) {
    if (name !== debrisLayer || type !== 'objectgroup') continue;
    for (const object of objects) place(game, object);
  }
}

function place(game: Game, object: MapObject) {
  const { x, y, width, height, rotation } = object;
  const debris = game.world.allocate('debris');
  if (debris === noEntity) return;
  const row = rowOf(debris);
  const c = game.world.components;
  const angle = (rotation * PI) / 180;
  c.transform.x[row] = x;
  c.transform.y[row] = y;
  c.transform.angle[row] = angle;
  c.transform.width[row] = width;
  c.transform.height[row] = height;
  const { type, density, friction, restitution } = object;
  c.debris[row] = debrisState.create({
    name: object.igeId ?? String(object.id ?? ''),
    x,
    y,
    angle,
    type: type === 'static' || type === 'kinematic' ? type : 'dynamic',
    density,
    friction,
    restitution,
  });
  rebuildBody(game, debris);
}

/** Returns debris to its position and angle in the map. As with every teleport, the debris keeps its velocity. */
export function resetDebrisPosition({ world, physics }: Game, debris: Entity): void {
  if (!world.is(debris, Kind.debris)) return;
  const { x, y, angle } = world.components.debris[rowOf(debris)]!;
  physics.teleportTo(debris, x, y, angle);
}

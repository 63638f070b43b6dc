import type { Point } from '../../components/point.ts';
import { cos, DEGREE, sin } from '../../core/dmath.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { buffedHeight } from '../types/buff-catalogue.ts';

/**
 * Calculates where an item is held, and writes its offset from its carrier's centre (px) to `out`. The carrier's anchor
 * turns with the carrier; the item's own anchor turns with `aim` plus the angle of the carrier's anchor (reference:
 * items-projectiles#holding). Returns the angle at which the item appears, radians; for an item without a body, this is
 * `aim`.
 */
export function heldAt(world: World, item: Entity, carrier: Entity, aim: number, out: Point): number {
  const body = world.components.bodyType[rowOf(item)];
  out.x = 0;
  out.y = 0;
  if (body === undefined) return aim;
  const c = world.components;
  const ahead = c.transform.angle[rowOf(carrier)]!;
  const side = c.facing.flip[rowOf(carrier)] === 1 ? -1 : 1;
  const { unitAnchor, itemAnchor } = body;
  const turned = (body.fixedRotation ? ahead : aim) + side * ((unitAnchor?.rotation ?? 0) * DEGREE);
  if (unitAnchor !== undefined && (unitAnchor.x !== 0 || unitAnchor.y !== 0)) {
    const away = buffedHeight(world, item, unitAnchor.y);
    out.x += side * unitAnchor.x * cos(ahead) + away * sin(ahead);
    out.y += side * unitAnchor.x * sin(ahead) - away * cos(ahead);
  }
  if (itemAnchor !== undefined && (itemAnchor.x !== 0 || itemAnchor.y !== 0)) {
    out.x = out.x + side * itemAnchor.x * cos(turned) + itemAnchor.y * sin(turned);
    out.y = out.y + side * itemAnchor.x * sin(turned) - itemAnchor.y * cos(turned);
  }
  return turned;
}

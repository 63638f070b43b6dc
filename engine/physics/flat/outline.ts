import type { PolygonShape, Shape } from '../planck/planck.ts';

/** The numbers of a shape that the step needs. Shapes never change once a fixture has them, so that each is looked at once. */

/** Numbers of one corner in an outline: its place, and the normal of the side that starts there. */
export const cornerStride = 4;

const outlines = new WeakMap<Shape, Float64Array>();

/** Corners of a polygon and normals of its sides, in the frame of its body. */
export function outlineOf(shape: PolygonShape): Float64Array {
  let outline = outlines.get(shape);
  if (outline === undefined) {
    outline = new Float64Array(shape.m_count * cornerStride);
    for (let i = 0; i < shape.m_count; i++) {
      const corner = shape.m_vertices[i]!;
      const normal = shape.m_normals[i]!;
      outline.set([corner.x, corner.y, normal.x, normal.y], i * cornerStride);
    }
    outlines.set(shape, outline);
  }
  return outline;
}

export function isCircle(shape: Shape): boolean {
  return (shape.m_type as string) === 'circle';
}

export function isPolygon(shape: Shape): boolean {
  return (shape.m_type as string) === 'polygon';
}

/** More than rounding can take away from a distance in a world of metres. */
const margin = 1e-6;

export function reachOf(shape: Shape, centre: { readonly x: number; readonly y: number }): number {
  if (isCircle(shape)) {
    const { m_p } = shape as unknown as { m_p: { x: number; y: number } };
    return distance(m_p.x - centre.x, m_p.y - centre.y) + shape.m_radius + margin;
  }
  if (!isPolygon(shape)) return Number.POSITIVE_INFINITY;
  const outline = outlineOf(shape as PolygonShape);
  let farthest = 0;
  for (let i = 0; i < outline.length; i += cornerStride) {
    farthest = Math.max(farthest, distance(outline[i]! - centre.x, outline[i + 1]! - centre.y));
  }
  return farthest + shape.m_radius + margin;
}

function distance(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
